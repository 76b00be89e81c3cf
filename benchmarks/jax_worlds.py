"""Simon Says over Craftax and XLand against the libraries alone: the same play, and how fast.

    pip install 'lapis-rl[craftax,xland]'
    python -m benchmarks.jax_worlds --game xland --worlds 1024

The library's side is its own step for a batch, compiled once, and new worlds for rows that are
over, a few at a time, as ours makes them. Both play random actions, in turns of a few steps, so
that other work of the machine slows both down. On CPUs the seconds are those that this process
computes, by one thread, and not those that it waits for a core.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

# One core, as training on CPUs has one per run.
os.environ.setdefault(
    "XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
)

import jax
import jax.numpy as jnp
import numpy as np
import torch

from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.worlds.craftax import CraftaxConfig
from lapis.worlds.jax_batch import JaxBatch
from lapis.worlds.xland import XLandConfig

TURN = 10
"""Steps before it is the other's turn."""
EPISODE = 500
"""Steps of an episode, unless the player dies."""
WORLDS = {
    "xland": XLandConfig(),
    "xland_13x13": XLandConfig(chains=4, links=4, size=13, view=9),
    "craftax_classic": CraftaxConfig(game="classic"),
    "craftax": CraftaxConfig(game="full"),
}


class Ours:
    """Simon Says, whose goals are all that the game has."""

    def __init__(self, world: JaxBatch) -> None:
        items = getattr(world.game, "achievements", world.items)
        self.game = SimonSays(
            world,
            SimonSaysConfig(
                goals=items,
                task_ticks=100,
                episode_ticks=EPISODE,
                failures_to_end=EPISODE,
                bonus="dynamic",
            ),
        )
        self.episodes = 0

    def step(self, action: torch.Tensor) -> None:
        self.game.step(action)
        self.episodes += int(self.game.restarted.sum())


class Library:
    """The library's environments, without auto-reset."""

    def __init__(self, world: JaxBatch) -> None:
        game: Any = world.game
        environment, params = game.environment, game.params
        self.is_craftax = hasattr(game, "achievements")
        self.chunk, self.count = game.reset_rows, world.world_count
        self.key, self.tick, self.episodes = jax.random.PRNGKey(0), 0, 0
        step: Callable[..., Any]
        if self.is_craftax:

            def begin(key: jax.Array) -> Any:
                return environment.reset_env(key, params)[1]

            def step(key: jax.Array, state: Any, action: jax.Array) -> Any:
                seen, state, reward, over, _ = environment.step_env(key, state, action, params)
                return state, (seen, reward, over)
        else:

            def begin(key: jax.Array) -> Any:
                return environment.reset(params, key)

            def step(key: jax.Array, state: Any, action: jax.Array) -> Any:
                state = environment.step(params, state, action)
                return state, (state.observation, state.reward, state.last())

        def step_all(key: jax.Array, tick: jax.Array, states: Any, actions: jax.Array) -> Any:
            keys = jax.random.split(jax.random.fold_in(key, tick), self.count)
            return jax.vmap(step)(keys, states, actions[:, 0])

        def begin_some(key: jax.Array, tick: jax.Array, states: Any, rows: jax.Array) -> Any:
            fresh = jax.vmap(begin)(jax.random.split(jax.random.fold_in(key, tick), self.chunk))
            put = lambda old, new: old.at[rows].set(new, mode="drop")  # noqa: E731
            return jax.tree.map(put, states, fresh)

        self._step = jax.jit(step_all, donate_argnums=2)
        self._begin = jax.jit(begin_some, donate_argnums=2)
        self.states = jax.vmap(begin)(jax.random.split(self.key, self.count))
        self.age = np.zeros(self.count, int)

    def step(self, action: torch.Tensor) -> None:
        self.tick += 1
        self.states, shown = self._step(self.key, self.tick, self.states, jnp.from_dlpack(action))
        over = np.asarray(jax.block_until_ready(shown)[2]) | (self.age >= EPISODE)
        self.age = np.where(over, 0, self.age + 1)
        over_rows = over.nonzero()[0].astype(np.int32)
        self.episodes += len(over_rows)
        for first in range(0, len(over_rows), self.chunk):
            rows = np.full(self.chunk, self.count, np.int32)
            part = over_rows[first : first + self.chunk]
            rows[: len(part)] = part
            self.states = self._begin(self.key, self.tick, self.states, rows)
        jax.block_until_ready(self.states)


def main() -> None:
    """Prints both speeds and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=WORLDS, default="xland")
    parser.add_argument("--worlds", type=int, default=1024)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--device", default="cpu")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    count = arguments.worlds
    world = WORLDS[arguments.game].build(count, seed=0, device=arguments.device, first_world=0)
    sides = {"library": Library(world), "simon says": Ours(world)}
    rng = np.random.default_rng(0)
    actions = [
        torch.from_numpy(rng.integers(0, world.action_sizes[0], (count, 1), dtype=np.int32)).to(
            arguments.device
        )
        for _ in range(TURN)
    ]
    now = time.process_time if arguments.device == "cpu" else time.perf_counter
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    for turn in range(arguments.turns + 1):
        for name, side in sides.items():
            start = now()
            for action in actions:
                side.step(action)
            if turn > 0:  # The first one compiles.
                seconds[name].append(now() - start)
    print(f"{arguments.game}, {count} worlds, {world.device}, {arguments.turns} turns of {TURN}")
    for name, side in sides.items():
        rate = count * TURN / statistics.median(seconds[name])
        print(f"{name:12} {rate:10,.0f} steps/s, {side.episodes} episodes begun")
    pairs = zip(seconds["library"], seconds["simon says"], strict=True)
    ratios = statistics.quantiles([own / other for own, other in pairs], n=4)
    print(f"ratio        {ratios[1]:.2f} (median; quartiles {ratios[0]:.2f} to {ratios[2]:.2f})")


if __name__ == "__main__":
    main()
