"""Plays random allowed actions in many worlds and looks for anything that must not be.

    python -m benchmarks.random_steps --world voxel --worlds 256 --steps 1e8 --device cuda
    python -m benchmarks.random_steps --world techtree --worlds 16384 --steps 1e9 --device cuda

A step is one action in one world: a batch of 256 worlds that moves on once counts as 256. The
worlds are played under Simon Says, with all goals, so that episodes end and inventories are handed
down. On a GPU every `BLOCK_STEPS` steps are one CUDA graph, and nothing is read back between
checks.

After every block, on the device: whatever is seen is finite, counts are not negative, and each
component of the action has an allowed choice. At `--checks` times in the run, on the host: no fault
is set, and the whole state, of worlds and protocol, is within the limits that a loaded state must
keep. Then half of the worlds begin anew with random items, so that tools, stations and food are
played with as well.

Prints the counts, and ends with exit status 1 at the first thing amiss.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

import torch
from torch import Tensor

from benchmarks.voxel import RandomPlayer
from lapis.minecraft.goals import ALL_GOALS
from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.train.graph import Captured
from lapis.worlds.techtree import TechTreeWorld
from lapis.worlds.voxel import VoxelConfig, VoxelWorld

BLOCK_STEPS = 8
"""Steps of the batch between two looks at it on the device."""
MOST_OF_AN_ITEM = 16
"""Items of a kind that a gift holds at most."""
FRAMES = VoxelConfig(frame_size=16)
"""Small frames: every step draws, and few pixels cost little."""


class Soak:
    """Worlds under Simon Says, a player who acts at random, and what was seen so far."""

    def __init__(self, kind: str, world_count: int, *, seed: int, device: str) -> None:
        self.world = make_world(kind, world_count, seed, device)
        self.game = SimonSays(self.world, SimonSaysConfig(goals=ALL_GOALS), seed=seed)
        torch.manual_seed(seed)
        self._player = RandomPlayer(self.world)
        self._counts = torch.zeros(3, dtype=torch.int64, device=self.world.device)
        self._wrong = torch.zeros(len(WRONGS), dtype=torch.int64, device=self.world.device)
        on_gpu = self.world.device.type == "cuda"
        self.play_block = Captured(self._block, self.world.device) if on_gpu else self._block
        self.tasks = self.successes = 0

    def _block(self) -> None:
        for _ in range(BLOCK_STEPS):
            self._player.choose()
            self.game.step(self._player.action)
            over = self.game.terminated | self.game.truncated
            now = (self.world.ticks, self.world.died, over)
            self._counts.add_(torch.stack([each.sum() for each in now]))
        self._wrong.add_(torch.stack(list(wrongs(self.game))))

    def check(self) -> None:
        """Looks at everything (host reads).

        Raises:
            RuntimeError: Something must not be.
        """
        self.world.check()
        for name, count in zip(WRONGS, self._wrong.tolist(), strict=True):
            if count:
                raise RuntimeError(f"{count} times {name}")
        try:
            self.game.load_state_dict(self.game.state_dict())
        except ValueError as error:
            raise RuntimeError(f"play has left the limits: {error}") from error
        successes, attempts = self.game.take_counts()
        self.successes += int(successes.sum())
        self.tasks += int(attempts.sum())

    def give(self) -> None:
        """Starts half of the worlds anew, with random items."""
        world = self.world
        which = torch.rand(world.world_count, device=world.device) < 0.5
        items = torch.randint_like(world.inventory, MOST_OF_AN_ITEM + 1)
        world.reset(which, items * (torch.rand_like(items, dtype=torch.float32) < 0.5))

    def counts(self) -> dict[str, int]:
        """What happened so far, for printing (host read)."""
        names = ("ticks of the game", "deaths", "ends of episodes")
        counts = dict(zip(names, self._counts.tolist(), strict=True))
        return {**counts, "tasks": self.tasks, "successes": self.successes}


WRONGS = ("a number that is seen was not finite", "a count was negative", "no choice was allowed")


def wrongs(game: SimonSays) -> Iterator[Tensor]:
    """How often each of `WRONGS` is the case now, on the device."""
    shown = (*game.observation.values(), game.reward)
    yield sum((~each.isfinite()).sum() for each in shown if each.is_floating_point())  # pyright: ignore
    yield (game.world.inventory < 0).sum() + (game.world.ticks < 0).sum()
    masks = game.action_mask.split(game.action_sizes, dim=1)
    yield sum((~mask.any(dim=1)).sum() for mask in masks)  # pyright: ignore


def make_world(kind: str, world_count: int, seed: int, device: str) -> TechTreeWorld | VoxelWorld:
    """A new batch."""
    if kind == "voxel":
        return VoxelWorld(world_count, seed=seed, device=device, config=FRAMES)
    return TechTreeWorld(world_count, seed=seed, device=device)


def main() -> int:
    """See the module."""
    arguments = parsed()
    torch.set_num_threads(1)
    kind, world_count = arguments.world, arguments.worlds
    soak = Soak(kind, world_count, seed=arguments.seed, device=arguments.device)
    per_block = world_count * BLOCK_STEPS
    blocks = -(-int(arguments.steps) // per_block)
    between = -(-blocks // arguments.checks)
    begin = time.perf_counter()
    done = checks = 0
    seconds = rate = 0.0
    while done < blocks and time.perf_counter() - begin < arguments.most_seconds:
        soak.give()
        for _ in range(min(between, blocks - done)):
            soak.play_block()
            done += 1
        try:
            soak.check()
        except RuntimeError as error:
            print(f"after {done * per_block} steps: {error}", file=sys.stderr)
            return 1
        checks += 1
        seconds = time.perf_counter() - begin
        rate = done * per_block / seconds
        print(
            f"{done * per_block} steps, {seconds:.0f} s, {rate:.0f} steps/s, no fault", flush=True
        )
    print(
        f"{kind}: {done * per_block} steps ({done * BLOCK_STEPS} of a batch of {world_count} "
        f"worlds), seed {arguments.seed}, {hardware(soak.world.device)}, "
        f"{seconds:.0f} s, {rate:.0f} steps/s"
    )
    print(f"faults: 0, numbers out of their limits: 0, in {checks} checks")
    print(", ".join(f"{count} {name}" for name, count in soak.counts().items()))
    if done < blocks:
        print(f"stopped after {arguments.most_seconds:g} seconds, before the end")
    return 0


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--world", choices=("voxel", "techtree"), required=True)
    parser.add_argument("--worlds", type=int, default=256, help="size of the batch")
    parser.add_argument("--steps", type=float, default=1e5, help="of all worlds together")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--checks", type=int, default=100, help="looks at everything")
    parser.add_argument("--most-seconds", type=float, default=float("inf"), help="ends early")
    return parser.parse_args()


def hardware(device: torch.device) -> str:
    """The device in words."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "one CPU thread"


if __name__ == "__main__":
    sys.exit(main())
