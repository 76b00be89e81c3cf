"""Random play through MineRL's own client at the toy server: what the adapter and the client cost.

    make minerl-env
    python -m benchmarks.minerl --steps 10000

The toy answers within a millisecond, so that this is a bound for the real game, not its speed. The
policy's steps are 4 ticks, and more with a channel attack.
"""

from __future__ import annotations

import argparse
import os
import resource
import time

import numpy as np

from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.worlds.minerl import MineRLConfig
from tests import contract
from tests.worlds.minerl.fake_env import BURNS, plain_recipes
from tests.worlds.minerl.fake_malmo import FakeMalmo

RULES = SimonSaysConfig(goals=("log", "planks", "stick", "cobblestone"), bonus="none")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    server = FakeMalmo(plain_recipes(), BURNS)
    config = MineRLConfig(ports=(server.port,))
    begun = time.monotonic()
    world = config.build(1, seed=arguments.seed, device="cpu", first_world=0)
    game = SimonSays(world, RULES)
    print(f"minerl.start {time.monotonic() - begun:.1f} s")
    rng, ticks, episodes = np.random.default_rng(arguments.seed), 0, 0
    begun, used = time.monotonic(), time.process_time()
    for _ in range(arguments.steps):
        game.step(contract.allowed_action(game.world, rng))
        ticks += int(game.ticks)
        episodes += int(game.restarted)
    seconds, used = time.monotonic() - begun, time.process_time() - used
    print(f"minerl.steps {arguments.steps / seconds:.0f} /s")
    print(f"minerl.ticks {ticks / seconds:.0f} /s, {ticks} in all, {episodes} new episodes")
    world.close()
    child = resource.getrusage(resource.RUSAGE_CHILDREN)
    far = child.ru_utime + child.ru_stime
    print(f"minerl.client_and_adapter {far / arguments.steps * 1e3:.2f} ms of a core per step")
    print(f"minerl.toy_and_trainer {used / arguments.steps * 1e3:.2f} ms of a core per step")
    print(f"load {os.getloadavg()[0]:.1f}")
    server.close()


if __name__ == "__main__":
    main()
