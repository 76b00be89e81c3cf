"""Training in far worlds with and without `overlap`, in turns: how many times faster it is.

    python -m benchmarks.overlap
    python -m benchmarks.overlap --crafter --python PATH

The first plays in worlds that do nothing but take a fixed time for a step, the second in Crafter,
which PATH's environment has. Without overlap an update takes the time to play and the time to
learn; with it, at best the longer of the two. `at best` is the ratio that would be.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import statistics

from lapis import recipes
from lapis.agent.config import ImpalaConfig, PolicyConfig
from lapis.simonsays import SimonSaysConfig
from lapis.threads import usable_cores
from lapis.train.config import TrainConfig
from lapis.train.loop import Trainer
from lapis.worlds.remote import RemoteConfig

WARM_UP_UPDATES = 2
OF_CRAFTER = ("collect_wood", "collect_sapling", "collect_drink", "place_table")


def clocked(milliseconds: float, worlds: int, width: int) -> TrainConfig:
    """Worlds with a clock, and a network whose learning takes a similar time."""
    return _config(
        RemoteConfig(
            factory="benchmarks.clocked_worlds:ClockedWorlds",
            options=(f"milliseconds={milliseconds}",),
        ),
        SimonSaysConfig(goals=("first", "second", "third"), task_ticks=100, bonus="none"),
        PolicyConfig(width=width),
        worlds,
    )


def crafter(python: str, worlds: int, width: int) -> TrainConfig:
    """Crafter from its frames."""
    return _config(
        RemoteConfig(python=python),
        SimonSaysConfig(goals=OF_CRAFTER, task_ticks=100, bonus="none"),
        PolicyConfig(width=width, frames=ImpalaConfig(filters=(16, 32, 32))),
        worlds,
    )


def _config(
    world: RemoteConfig, rules: SimonSaysConfig, policy: PolicyConfig, worlds: int
) -> TrainConfig:
    base = recipes.techtree()
    return dataclasses.replace(
        base,
        world=world,
        world_count=worlds,
        simonsays=rules,
        policy=policy,
        ppo=dataclasses.replace(base.ppo, minibatch_sequences=worlds),
        rollout_steps=32,
        checkpoint_worlds=False,
    )


def compare(name: str, config: TrainConfig, update_count: int) -> None:
    """Prints a line: medians of updates that are taken in turns."""
    waiting = Trainer(config)
    ahead = Trainer(dataclasses.replace(config, overlap=True))
    rows = [
        (waiting.train_one_update()["seconds"], ahead.train_one_update()["seconds"])
        for _ in range(WARM_UP_UPDATES + update_count)
    ][WARM_UP_UPDATES:]
    playing = statistics.median(each["world"] + each["policy"] for each, _ in rows)
    learning = statistics.median(each["update"] for each, _ in rows)
    both, overlapped = (
        statistics.median(sum(pair[side].values()) for pair in rows) for side in range(2)
    )
    waited = statistics.median(each["waiting"] for _, each in rows)
    best = (playing + learning) / max(playing, learning)
    print(
        f"{name:16}  play {playing:.2f} s, learn {learning:.2f} s; updates/s {1 / both:.2f} "
        f"without, {1 / overlapped:.2f} with overlap: {both / overlapped:.2f} times "
        f"(at best {best:.2f}), of which waiting {waited:.2f} s",
        flush=True,
    )


def main() -> None:
    """Prints the machine and a line per kind of world."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--milliseconds", type=float, nargs="+", default=[5.0, 20.0, 50.0])
    parser.add_argument("--worlds", type=int, default=16)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--updates", type=int, default=15)
    parser.add_argument("--crafter", action="store_true")
    parser.add_argument("--python", default="")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    print(f"cores {usable_cores()}  load {load:.1f}  worlds {given.worlds}  width {given.width}")
    if given.crafter:
        config = crafter(given.python, given.worlds, given.width)
        compare("Crafter", config, given.updates)
        return
    for milliseconds in given.milliseconds:
        config = clocked(milliseconds, given.worlds, given.width)
        compare(f"{milliseconds:.0f} ms per step", config, given.updates)


if __name__ == "__main__":
    main()
