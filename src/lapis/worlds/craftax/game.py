"""Craftax's rules as a `JaxGame`: how often each achievement was reached in the episode.

The game keeps one bit per achievement, which stays set for the rest of the episode. To ask for an
achievement again, each bit is cleared before a step: if it is set after the step, the achievement
was reached again, and its count rises. The game itself sees the bits as they would be without us,
so it plays exactly like the library's own.
"""

# A = achievements, I = items

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from craftax.craftax_env import make_craftax_env_from_name

__all__ = ["CraftaxGame", "CraftaxRow", "make_game"]

NO_TIME_LIMIT = 2**30
"""Simon Says has its own."""
Measure = Callable[[Any], jax.Array]
"""A number of a state; where it rises, something was achieved."""


class CraftaxRow(NamedTuple):
    """One world."""

    state: Any
    """The game's own."""
    count_A: jax.Array
    """How often each achievement was reached in this episode, int32."""


class CraftaxGame:
    """The rules of Craftax or Craftax-Classic for one world.

    Items are what the player holds, then the achievements.

    Attributes:
        environment: The library's.
        params: The library's settings.
        achievements: Names, in the order of the game's bits.
        held: Names of what the player holds, in the order of the game's inventory.
    """

    reset_rows = 16
    action_count: int

    def __init__(
        self,
        name: str,
        achievements: tuple[str, ...],
        *,
        measures: Mapping[str, Measure] | None = None,
        kept: tuple[str, ...] = (),
    ) -> None:
        """Makes the rules of the environment `name`.

        Args:
            name: The library's name.
            achievements: Names, in the order of the game's bits.
            measures: For achievements whose bits tell a state and not an event, such as to hold
                wood: the number that rises when it is achieved.
            kept: Achievements whose bits the game itself looks at; they are not cleared.
        """
        self.environment: Any = make_craftax_env_from_name(name, auto_reset=False)
        self.params = self.environment.default_params.replace(max_timesteps=NO_TIME_LIMIT)
        self.action_count = self.environment.num_actions
        self.achievements = achievements
        self._measures = dict(measures or {})
        self._kept_A = jnp.array([name in kept for name in achievements])
        key = jax.random.PRNGKey(0)
        _, state = jax.eval_shape(self.environment.reset_env, key, self.params)
        self.held = _names(state.inventory)
        self.items = (*self.held, *achievements)

    def begin(self, key: jax.Array, inventory: jax.Array) -> CraftaxRow:
        """A new world, with these items in hand and these achievements counted already."""
        _, state = self.environment.reset_env(key, self.params)
        held = _with_amounts(state.inventory, inventory[: len(self.held)])
        return CraftaxRow(state.replace(inventory=held), inventory[len(self.held) :])

    def step(self, key: jax.Array, row: CraftaxRow, action: jax.Array) -> CraftaxRow:
        """One step of the game, and what was achieved in it."""
        before = row.state
        cleared = before.replace(achievements=before.achievements & self._kept_A)
        _, after, _, _, _ = self.environment.step_env(key, cleared, action, self.params)
        reached_A = self._reached(before, after)
        after = after.replace(achievements=before.achievements | after.achievements)
        return CraftaxRow(after, row.count_A + reached_A.astype(jnp.int32))

    def _reached(self, before: Any, after: Any) -> jax.Array:
        """Whether each achievement was reached in a step that began with its bit cleared."""
        reached_A = after.achievements
        for name, measure in self._measures.items():
            has_risen = measure(after) > measure(before)
            reached_A = reached_A.at[self.achievements.index(name)].set(has_risen)
        return reached_A

    def died(self, row: CraftaxRow) -> jax.Array:
        """Whether the player is dead."""
        return self.environment.is_terminal(row.state, self.params)

    def allowed(self, row: CraftaxRow) -> jax.Array:
        """Everything, as in the game: what is not possible does nothing."""
        return jnp.ones(self.action_count, bool)

    def inventory(self, row: CraftaxRow) -> jax.Array:
        """What is held, and how often each achievement was reached."""
        held = jnp.concatenate([jnp.ravel(each) for each in jax.tree.leaves(row.state.inventory)])
        return jnp.concatenate([held.astype(jnp.int32), row.count_A])

    def observation(self, row: CraftaxRow) -> dict[str, jax.Array]:
        """The library's symbols."""
        return {"symbols": self.environment.get_obs(row.state)}


@functools.cache
def make_game(name: str) -> CraftaxGame:
    """The rules of `classic` or `full`, compiled once for all batches of a process."""
    if name == "classic":
        from craftax.craftax_classic.constants import Achievement

        return CraftaxGame("Craftax-Classic-Symbolic-v1", _in_order(Achievement))
    from craftax.craftax.constants import Achievement

    from lapis.worlds.craftax.full import FLOORS, MEASURES

    return CraftaxGame(
        "Craftax-Symbolic-v1", _in_order(Achievement), measures=MEASURES, kept=FLOORS
    )


def _in_order(achievements: Any) -> tuple[str, ...]:
    return tuple(each.name.lower() for each in sorted(achievements, key=lambda each: each.value))


def _names(inventory: Any) -> tuple[str, ...]:
    """A name per number of the game's inventory: `wood`, and `armour_0` to `armour_3`."""
    names: list[str] = []
    for path, each in jax.tree_util.tree_leaves_with_path(inventory):
        name = path[-1].name
        names += [f"{name}_{place}" for place in range(each.size)] if each.shape else [name]
    return tuple(names)


def _with_amounts(inventory: Any, amounts: jax.Array) -> Any:
    """The game's inventory with other numbers, in the order of `_names`."""
    leaves, structure = jax.tree.flatten(inventory)
    filled, first = [], 0
    for leaf in map(jnp.asarray, leaves):
        part = amounts[first : first + leaf.size]
        filled.append(part.reshape(leaf.shape).astype(leaf.dtype))
        first += leaf.size
    return jax.tree.unflatten(structure, filled)
