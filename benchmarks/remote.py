"""Crafter in far ends against Crafter in this process: the same play, and how fast.

    pip install crafter
    python -m benchmarks.remote --transport ray --worlds 64 --ends 2

Both play the same actions in turns of a few steps, so that other work of the machine slows both
down. Then one far end is killed: its rows begin anew, and those of all others count as before.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import time

import numpy as np
import torch

from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.threads import usable_cores
from lapis.worlds.remote import RemoteConfig
from lapis.worlds.remote.far.crafter_worlds import ACHIEVEMENTS
from lapis.worlds.remote.far.host import Host
from lapis.worlds.remote.far.messages import Message
from lapis.worlds.remote.lines import ProcessLine
from lapis.worlds.remote.world import RemoteWorld

TURN = 10
"""Steps before it is the other's turn."""
RULES = SimonSaysConfig(goals=ACHIEVEMENTS, task_ticks=100, bonus="none")


class Here:
    """Worlds in this process, behind the same messages."""

    def __init__(self) -> None:
        self.host = Host()

    def send(self, question: Message, seconds: float) -> None:
        self.question = question

    def receive(self, seconds: float) -> Message:
        return self.host.answer(self.question)

    def end(self, *, at_once: bool) -> None:
        pass


class Side:
    """A game, its actions at random, and what each row has reached."""

    def __init__(self, world: RemoteWorld) -> None:
        self.game = SimonSays(world, RULES)
        self.seconds: list[float] = []
        self.rows = np.zeros((2, world.world_count, len(RULES.goals)), int)

    def turn(self, first_step: int) -> None:
        """Plays a few steps and keeps their time."""
        start = time.perf_counter()
        for step in range(first_step, first_step + TURN):
            goals = self.game.goal.tolist()
            self.game.step(self._action(step))
            for kind, done in enumerate((self.game.task_succeeded, self.game.task_over)):
                for row in done.nonzero()[:, 0].tolist():
                    self.rows[kind, row, goals[row]] += 1
        self.seconds.append(time.perf_counter() - start)

    def _action(self, step: int) -> torch.Tensor:
        mask = self.game.action_mask.numpy()
        weight = np.random.default_rng(step).random(mask.shape) * mask
        return torch.from_numpy(weight.argmax(axis=1).astype(np.int32)[:, None])


def kill(world: RemoteWorld) -> None:
    """The last far end is gone without a word."""
    line = world.ends._lines[len(world.ends.rows) - 1]
    if isinstance(line, ProcessLine):
        os.kill(line.process_id, signal.SIGKILL)
    else:
        line._ray.kill(line._actor)  # pyright: ignore


def main() -> None:
    """Prints speeds, and fails where counts differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--transport", default="process")
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--ends", type=int, default=2)
    parser.add_argument("--turns", type=int, default=10)
    arguments = parser.parse_args()
    config = RemoteConfig(ends=arguments.ends, transport=arguments.transport)
    here = Side(RemoteWorld(arguments.worlds, config=RemoteConfig(ends=1), open_line=Here))
    there = Side(RemoteWorld(arguments.worlds, config=config))
    for turn in range(arguments.turns):
        here.turn(turn * TURN)
        there.turn(turn * TURN)
    assert np.array_equal(here.rows, there.rows), "counts differ"
    rates = [arguments.worlds * TURN / statistics.median(side.seconds) for side in (here, there)]
    print(f"cores {usable_cores()}  worlds {arguments.worlds}  transport {arguments.transport}")
    print(f"in this process      {rates[0]:8.0f} steps/s")
    print(f"in {arguments.ends} far ends        {rates[1]:8.0f} steps/s")
    print(f"ratio                {rates[1] / rates[0]:8.2f}")
    print(f"tasks of both        {here.rows[1].sum()} over, {here.rows[0].sum()} of them reached")

    kill(there.game.world)  # pyright: ignore[reportArgumentType]
    for turn in range(arguments.turns, 2 * arguments.turns):
        here.turn(turn * TURN)
        there.turn(turn * TURN)
    world = there.game.world
    assert isinstance(world, RemoteWorld)
    assert world.ends.losses == 1, f"{world.ends.losses} far ends were lost"
    kept = world.ends.rows[-1].start
    assert np.array_equal(here.rows[:, :kept], there.rows[:, :kept]), "counts of others differ"
    successes, attempts = there.game.take_counts()
    assert np.array_equal(there.rows.sum(axis=1), [successes, attempts]), "counts lost or doubled"
    print(f"after a kill         {kept} rows as before, {arguments.worlds - kept} began anew")
    print(
        f"longest turn         {max(there.seconds[arguments.turns :]):.1f} s, with the replacement"
    )


if __name__ == "__main__":
    main()
