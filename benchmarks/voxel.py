"""Speed of the voxel world: with pixels and with the fan, per stage, at the start, and in memory.

    python -m benchmarks.voxel                            one core of the CPU
    python -m benchmarks.voxel --device cuda
    python -m benchmarks.voxel --views fan --worlds 64 --only speed

prints `case.metric value`. A step is 4 ticks or more, with masks and what the player sees. Random
allowed actions are drawn outside of the timing, but inside of the CUDA graph. Episodes end as they
do in Simon Says under random play, by death or after two tasks without success, and every world
begins at another point of its episode, so that resets come at their natural rate from the first
step on. On the CPU the clock is the time that the one thread spent computing, so that other work on
the machine does not count. On the CPU, Crafter and Craftax-Classic play beside it.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import cast, get_args

import torch
from torch import Tensor

from benchmarks import crafter_rival, voxel_start
from benchmarks.techtree import Clock, capture
from lapis.minecraft.goals import GOALS
from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.worlds.batch import Batch
from lapis.worlds.voxel import VoxelConfig, VoxelWorld
from lapis.worlds.voxel.config import View

WORLD_COUNTS = {"cpu": (1, 16, 64, 256), "cuda": (256, 1024, 4096, 16384)}
PARTS = ("speed", "stages", "start", "rivals")
CONFIG = SimonSaysConfig(goals=GOALS)
EPISODE_TICKS = CONFIG.failures_to_end * CONFIG.task_ticks
"""Length of the episodes of a player who neither dies nor succeeds [ticks]."""


class RandomPlayer:
    """Draws allowed actions on the device, into one buffer."""

    def __init__(self, world: Batch) -> None:
        count, sizes = world.world_count, world.action_sizes
        self._mask = world.action_mask
        self._score = torch.zeros(self._mask.shape, device=world.device)
        self._scores = self._score.split(sizes, dim=1)
        self.action = torch.zeros((count, len(sizes)), dtype=torch.int32, device=world.device)
        self._columns = self.action.unbind(dim=1)

    def choose(self) -> None:
        """Puts a random allowed action of each world into `action`."""
        self._score.uniform_(0.5, 1.0).mul_(self._mask)
        for column, score in zip(self._columns, self._scores, strict=True):
            column.copy_(score.argmax(dim=1))


class Alone:
    """The world without a protocol, its episodes as long as those of Simon Says."""

    def __init__(self, world: VoxelWorld) -> None:
        self.world = world
        self._clock = spread(world.world_count, EPISODE_TICKS, world.device)
        self._over = torch.zeros_like(world.died)
        self._which = torch.zeros_like(world.died)

    def step(self, action: Tensor) -> None:
        """Plays a step; where an episode was over, a new one begins."""
        self._which.copy_(self._over)
        self.world.step(action)
        self.world.reset(self._which)
        self._clock.add_(self.world.ticks).masked_fill_(self._which, 0)
        torch.ge(self._clock, EPISODE_TICKS, out=self._over)
        self._over.logical_or_(self.world.died)


def with_simon_says(world: VoxelWorld) -> SimonSays:
    """The whole protocol, its clocks spread as if it had been played for long."""
    game = SimonSays(world, CONFIG)
    state = game.state_dict()
    clock = spread(world.world_count, EPISODE_TICKS, torch.device("cpu"))
    state["tensors"]["task_ticks"].copy_(clock % CONFIG.task_ticks)
    state["tensors"]["episode_ticks"].copy_(clock)
    state["tensors"]["failures"].copy_(clock // CONFIG.task_ticks)
    game.load_state_dict(state)
    return game


def spread(count: int, limit: int, device: torch.device) -> Tensor:
    """`count` numbers, evenly spread over 0 ... limit - 1, int32."""
    return (torch.arange(count, device=device) * limit // count).to(torch.int32)


def new_world(world_count: int, view: View, device: str) -> VoxelWorld:
    """A batch of the default size, seen as `view` says."""
    return VoxelWorld(world_count, device=device, config=VoxelConfig(view=view))


def eager_rate(game: Alone | SimonSays, seconds: float) -> float:
    """Steps of all worlds per second, the drawing of actions left out."""
    player = RandomPlayer(cast(Batch, game.world))
    clock = Clock(game.world.device)
    spent, steps = 0.0, 0
    for _ in range(3):
        player.choose()
        game.step(player.action)
    while spent < seconds:
        player.choose()
        start = clock.now()
        game.step(player.action)
        spent += clock.now() - start
        steps += game.world.world_count
    game.world.check()
    return steps / spent


def graph_rate(game: Alone | SimonSays, seconds: float, steps_per_graph: int = 4) -> float:
    """Steps per second of drawing actions and playing them, captured in one CUDA graph."""
    player = RandomPlayer(cast(Batch, game.world))

    def step() -> None:
        player.choose()
        game.step(player.action)

    graph = capture(step, steps_per_graph)
    torch.cuda.synchronize()
    replays, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        for _ in range(5):
            graph.replay()
        torch.cuda.synchronize()
        replays += 5
    rate = replays * steps_per_graph * game.world.world_count / (time.perf_counter() - start)
    game.world.check()
    return rate


def speed(
    world_count: int, view: View = "frame", device: str = "cpu", seconds: float = 2.0
) -> dict[str, float]:
    """Steps per second of the world alone and of the whole protocol."""
    torch.set_num_threads(1)
    makers: dict[str, Callable[[VoxelWorld], Alone | SimonSays]] = {
        "world": Alone,
        "simon_says": with_simon_says,
    }
    metrics: dict[str, float] = {}
    for name, make in makers.items():
        game = make(new_world(world_count, view, device))
        metrics[f"{name}_steps_per_second"] = round(eager_rate(game, seconds))
        if device != "cpu":
            metrics[f"{name}_graph_steps_per_second"] = round(graph_rate(game, seconds))
    return metrics


def microseconds_by_stage(
    world_count: int, view: View, device: str, steps: int = 100
) -> dict[str, float]:
    """Mean time of each kernel in a step of random play, and of the call that resets."""
    world = new_world(world_count, view, device)
    player = RandomPlayer(world)
    spent: dict[str, float] = defaultdict(float)
    clock = Clock(world.device)
    for step in range(-5, steps):
        player.choose()
        if step == 0:
            spent.clear()
        start = clock.now()
        for name in world.stages(player.action):
            now = clock.now()
            spent[name] += now - start
            start = now
        world.reset(world.died)
        spent["reset"] += clock.now() - start
    return {name: seconds / steps * 1e6 for name, seconds in spent.items()}


def milliseconds_to_generate(world: VoxelWorld) -> float:
    """Time in which all worlds of the batch begin anew, what the player sees included."""
    clock = Clock(world.device)
    everywhere = torch.ones_like(world.died)
    world.reset(everywhere)
    start = clock.now()
    world.reset(everywhere)
    return 1e3 * (clock.now() - start)


def kilobytes_per_world(world: VoxelWorld) -> float:
    """Memory of what a world is and shows, in units of 1000 bytes."""
    tensors = [*world.state.tensors().values(), *world.observation.values()]
    return sum(tensor.nbytes for tensor in tensors) / world.world_count / 1e3


def measure(arguments: argparse.Namespace) -> Iterator[tuple[str, float | str]]:
    """All metrics that are asked for, one after another."""
    device: str = arguments.device
    kind = torch.device(device).type
    counts = tuple(arguments.worlds or WORLD_COUNTS[kind])
    best: dict[str, float] = {}
    if "start" in arguments.only:
        for cache, seconds in voxel_start.seconds_to_first_frame(device).items():
            yield f"voxel.{kind}.{cache}", seconds
    for view in arguments.views:
        for count in counts if "speed" in arguments.only else ():
            case = f"voxel.{kind}.{view}.{count}"
            metrics = speed(count, view, device, arguments.seconds)
            best[view] = max(best.get(view, 0.0), metrics["world_steps_per_second"])
            yield from ((f"{case}.{name}", value) for name, value in metrics.items())
        if "stages" in arguments.only:
            yield from _parts_of_a_batch(f"voxel.{kind}.{view}", counts, view, device)
    if "rivals" in arguments.only and kind == "cpu":
        yield from _beside_rivals(best, arguments.seconds)


def _parts_of_a_batch(
    case: str, counts: tuple[int, ...], view: View, device: str
) -> Iterator[tuple[str, float]]:
    """Time per stage of the largest batch and of 4,096 worlds, memory and time to begin."""
    for count in sorted({min(counts[-1], 4096), counts[-1]}):
        for name, microseconds in microseconds_by_stage(count, view, device).items():
            yield f"{case}.{count}.{name}_microseconds", round(microseconds, 1)
    world = new_world(counts[-1], view, device)
    yield f"{case}.{counts[-1]}.generation_milliseconds", round(milliseconds_to_generate(world), 1)
    yield f"{case}.{counts[-1]}.kilobytes_per_world", round(kilobytes_per_world(world), 1)


def _beside_rivals(best: dict[str, float], seconds: float) -> Iterator[tuple[str, float | str]]:
    for rival, metrics in crafter_rival.speeds(seconds).items():
        yield from ((f"{rival}.cpu.{name}", value) for name, value in metrics.items())
        rate = metrics.get("steps_per_second")
        if rate is not None:
            for view, own in best.items():
                yield f"voxel.cpu.{view}.times_as_fast_as_{rival}", round(own / float(rate), 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--worlds", type=int, nargs="+", help="sizes of the batch")
    parser.add_argument("--views", nargs="+", choices=get_args(View), default=get_args(View))
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="what to measure")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement")
    for name, value in measure(parser.parse_args()):
        print(name, value, flush=True)


if __name__ == "__main__":
    main()
