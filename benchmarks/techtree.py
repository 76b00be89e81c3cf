"""Speed of the tech-tree world: alone, with Simon Says, per kernel, and as a CUDA graph.

    python -m benchmarks.techtree                 one core of the CPU
    python -m benchmarks.techtree --device cuda

A step includes observation and masks. Random allowed actions are drawn outside of the timing, but
inside of the CUDA graph. On the CPU the clock is the time that the one thread spent computing, so
that other work on the machine does not count.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable

import torch

from lapis.minecraft.goals import GOALS
from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.worlds.techtree import TechTreeWorld

WORLD_COUNTS = (64, 256, 1024, 4096, 16384)


class Clock:
    """Seconds of computing: of this thread on the CPU, of the world outside on CUDA."""

    def __init__(self, device: torch.device):
        self._device = device

    def now(self) -> float:
        """The time when everything asked for is done."""
        if self._device.type == "cpu":
            return time.thread_time()
        torch.cuda.synchronize(self._device)
        return time.perf_counter()


class RandomPlayer:
    """Draws allowed actions on the device, into one buffer."""

    def __init__(self, world: TechTreeWorld):
        self._mask = world.action_mask
        self._score = torch.zeros(self._mask.shape, device=world.device)
        self.action = torch.zeros((world.world_count, 1), dtype=torch.int32, device=world.device)

    def choose(self) -> None:
        """Puts a random allowed action of each world into `action`."""
        self._score.uniform_(0.5, 1.0).mul_(self._mask)
        self.action.copy_(self._score.argmax(dim=1, keepdim=True))


def steps_per_second(play: Callable[[], None], player: RandomPlayer, seconds: float) -> float:
    """Steps of all worlds per second of `play`, the drawing of actions left out."""
    clock = Clock(player.action.device)
    spent, steps = 0.0, 0
    for _ in range(20):
        player.choose()
        play()
    while spent < seconds:
        player.choose()
        start = clock.now()
        play()
        spent += clock.now() - start
        steps += len(player.action)
    return steps / spent


def world_alone(world_count: int, device: str, seconds: float) -> float:
    """Steps per second of the world, resets included."""
    world = TechTreeWorld(world_count, device=device)
    player = RandomPlayer(world)

    def play() -> None:
        world.step(player.action)
        world.reset(world.died)

    rate = steps_per_second(play, player, seconds)
    world.check()
    return rate


def with_simon_says(world_count: int, device: str, seconds: float) -> float:
    """Steps per second of the whole protocol."""
    game = _game(world_count, device)
    player = RandomPlayer(game.world)
    rate = steps_per_second(lambda: game.step(player.action), player, seconds)
    game.world.check()
    return rate


def speed(world_count: int, device: str = "cpu", seconds: float = 1.0) -> dict[str, float]:
    """Steps per second, and what the protocol adds to a step in units of the world's own."""
    torch.set_num_threads(1)
    alone = world_alone(world_count, device, seconds)
    whole = with_simon_says(world_count, device, seconds)
    metrics = {
        "world_steps_per_second": round(alone),
        "simon_says_steps_per_second": round(whole),
        "protocol_cost": round(alone / whole - 1.0, 2),
    }
    if device != "cpu":
        metrics["graph_steps_per_second"] = round(as_graph(world_count, device, seconds))
    return metrics


def as_graph(world_count: int, device: str, seconds: float, steps_per_graph: int = 8) -> float:
    """Steps per second of drawing, world and protocol, captured in one CUDA graph."""
    game = _game(world_count, device)
    player = RandomPlayer(game.world)

    def step() -> None:
        player.choose()
        game.step(player.action)

    graph = capture(step, steps_per_graph)
    torch.cuda.synchronize()
    replays, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        for _ in range(10):
            graph.replay()
        torch.cuda.synchronize()
        replays += 10
    rate = replays * steps_per_graph * world_count / (time.perf_counter() - start)
    game.world.check()
    return rate


def capture(step: Callable[[], None], count: int = 1) -> torch.cuda.CUDAGraph:
    """`count` calls of `step` as one graph; three more run now, to load and allocate all."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=side):
        for _ in range(count):
            step()
    return graph


def microseconds_by_stage(world_count: int, device: str, steps: int = 200) -> dict[str, float]:
    """Mean time of each kernel in a step of random play."""
    world = TechTreeWorld(world_count, device=device)
    player = RandomPlayer(world)
    spent: dict[str, float] = defaultdict(float)
    clock = Clock(world.device)
    for _ in range(steps):
        player.choose()
        start = clock.now()
        for name in world.stages(player.action):
            now = clock.now()
            spent[name] += now - start
            start = now
        world.reset(world.died)
    return {name: seconds / steps * 1e6 for name, seconds in spent.items()}


def _game(world_count: int, device: str) -> SimonSays:
    world = TechTreeWorld(world_count, device=device)
    return SimonSays(world, SimonSaysConfig(goals=GOALS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each measurement")
    arguments = parser.parse_args()
    device = arguments.device
    for count in WORLD_COUNTS:
        for name, value in speed(count, device, arguments.seconds).items():
            print(f"techtree.{device}.{count}.{name} {value}")
    for count in (WORLD_COUNTS[2], WORLD_COUNTS[-1]):
        for name, microseconds in microseconds_by_stage(count, device).items():
            print(f"techtree.{device}.{count}.{name}_microseconds {microseconds:.1f}")


if __name__ == "__main__":
    main()
