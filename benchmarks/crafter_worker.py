"""Random play of Crafter or Craftax-Classic with pixels, inside of their own environment.

Run by `benchmarks.crafter_rival`; prints one JSON object. The clock is the processor time of all
threads, on one core.
"""

from __future__ import annotations

import argparse
import json
import os
import time

WORLD_COUNTS = (64, 256)
"""Batches of Craftax; the fastest one counts."""


def crafter(seconds: float) -> dict[str, float]:
    """One world with frames of 64 x 64, which begins anew whenever an episode is over."""
    import crafter as game
    import numpy as np

    world = game.Env(area=(64, 64), view=(9, 9), size=(64, 64), seed=0)
    rng = np.random.default_rng(0)
    actions = rng.integers(0, world.action_space.n, size=1_000_000)
    world.reset()
    steps, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        _, _, done, _ = world.step(int(actions[steps]))
        if done:
            world.reset()
        steps += 1
    return {"steps_per_second": round(steps / (time.process_time() - start))}


def craftax_classic(seconds: float) -> dict[str, float]:
    """Batches of worlds with frames of 63 x 63.

    No world begins anew, which is in its favor: it would generate a new world for every world and
    step, and throw away all but those that are over.
    """
    metrics = {f"steps_per_second_{count}": _craftax_rate(count, seconds) for count in WORLD_COUNTS}
    return metrics | {"steps_per_second": max(metrics.values())}


def _craftax_rate(world_count: int, seconds: float) -> float:
    import jax
    from craftax.craftax_env import make_craftax_env_from_name

    world = make_craftax_env_from_name("Craftax-Classic-Pixels-v1", auto_reset=False)
    settings = world.default_params

    @jax.jit
    def step(key, state):
        key, choosing, playing = jax.random.split(key, 3)
        action = jax.random.randint(choosing, (world_count,), 0, world.num_actions)
        keys = jax.random.split(playing, world_count)
        frame, state, reward, over, _ = jax.vmap(world.step, in_axes=(0, 0, 0, None))(
            keys, state, action, settings
        )
        return key, state, frame, reward, over

    key = jax.random.PRNGKey(0)
    keys = jax.random.split(key, world_count)
    _, state = jax.jit(jax.vmap(world.reset, in_axes=(0, None)))(keys, settings)
    for _ in range(3):  # the second call compiles again, for the types that the first returned
        key, state, *shown = step(key, state)
        jax.block_until_ready(shown)
    steps, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        key, state, *shown = step(key, state)
        jax.block_until_ready(shown)
        steps += world_count
    return round(steps / (time.process_time() - start))


def main() -> None:
    """Measures what the command line asks for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("rival", choices=["crafter", "craftax_classic"])
    parser.add_argument("--seconds", type=float, default=2.0)
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    measure = {"crafter": crafter, "craftax_classic": craftax_classic}[arguments.rival]
    print(json.dumps(measure(arguments.seconds)))


if __name__ == "__main__":
    main()
