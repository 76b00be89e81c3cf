"""XLand-MiniGrid's rules as a `JaxGame`: how often each object of the chains was taken in hand.

An object counts when it is picked up. To count again, it must be made again: if an object of a
chain is put down and no rule uses it, the chain starts over, with its first object and all its
partners in other, random places. So no object of a chain that lies in the room was ever in hand,
and each goal can be reached at any time, by as many rules as the first time.
"""

# C = chains, L = objects that lie in the room for one chain, I = items, N = cells of the room,
# K = kinds of objects, V = cells along a side of the view, 2 = shape and color

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from xminigrid.core.actions import take_action
from xminigrid.core.constants import DIRECTIONS, Colors, Tiles
from xminigrid.core.observation import transparent_field_of_view
from xminigrid.core.rules import check_rule
from xminigrid.envs.xland import XLandEnvParams, XLandMiniGrid
from xminigrid.types import StepType

from lapis.worlds.jax_few import where_needed
from lapis.worlds.xland.book import write_book
from lapis.worlds.xland.config import XLandConfig

__all__ = ["XLandGame", "XLandRow", "make_game"]

NO_TIME_LIMIT = 2**30
"""Simon Says has its own."""
_PUT_DOWN = 4
"""The library's number of this action."""
_TILES, _COLORS = Tiles(), Colors()
FLOOR = jnp.array((_TILES.FLOOR, _COLORS.BLACK), jnp.uint8)


class XLandRow(NamedTuple):
    """One world."""

    timestep: Any
    """The game's own."""
    count_I: jax.Array
    """How often each object was taken in hand in this episode, int32."""


class XLandGame:
    """The rules of a room for one world.

    Attributes:
        environment: The library's.
        params: The library's settings, with the rules.
        book: Which object is what.
    """

    action_count = 6
    reset_rows = 64

    def __init__(self, config: XLandConfig) -> None:
        """Writes the rules that `config` names."""
        self.items = config.goals
        self.book = write_book(config)
        self.environment = XLandMiniGrid()
        self.params = XLandEnvParams(
            height=config.size,
            width=config.size,
            view_size=config.view,
            max_steps=NO_TIME_LIMIT,
            grid_type="R1",
            ruleset=self.book.rule_set(),
        )
        # Items stand in the order of links, then chains.
        self._item_I = _code(self.book.link_CL.swapaxes(0, 1).reshape(-1, 2))
        self._chain_I = jnp.arange(len(self.items)) % config.chains
        self._lying_CL2 = jnp.asarray(self.book.lying_CL)
        self._view = config.view
        kinds = np.concatenate([self.book.link_CL, self.book.partner_CL], axis=1)
        self._kind_K = _code(kinds.reshape(-1, 2))
        # By number of a cell of the view, from 1 on; the player stands on the last row.
        row, column = jnp.divmod(jnp.arange(config.view**2), config.view)
        ahead, right = config.view - 1 - row, column - config.view // 2
        self._ahead_N = jnp.concatenate([jnp.zeros(1), ahead / (config.view - 1)])
        self._right_N = jnp.concatenate([jnp.zeros(1), right / (config.view // 2)])

    def begin(self, key: jax.Array, inventory: jax.Array) -> XLandRow:
        """A new room, with these objects counted already."""
        return XLandRow(self.environment.reset(self.params, key), inventory)

    def step(self, key: jax.Array, row: XLandRow, action: jax.Array) -> XLandRow:
        """One step of the game, what was picked up, and which chain starts over."""
        before = row.timestep.state
        grid, agent, ahead = take_action(before.grid, before.agent, action)
        held_before, held = _code(before.agent.pocket), _code(agent.pocket)
        is_taken_I = (held == self._item_I) & (held_before != held)
        # The library tries each rule in every step. Only an object that lies where something was
        # put down can fulfil one.
        shape = grid[ahead[0], ahead[1], 0]
        may_change = (action == _PUT_DOWN) & (shape != _TILES.FLOOR) & (shape != _TILES.WALL)
        left = jnp.where(held != held_before, held_before, 0)
        grid = where_needed(
            *(may_change, self._put_down, grid), *(key, agent, ahead, before.rule_encoding, left)
        )
        timestep = row.timestep.replace(
            state=before.replace(grid=grid, agent=agent, step_num=before.step_num + 1),
            step_type=StepType.MID,
            observation=transparent_field_of_view(grid, agent, self._view, self._view),
        )
        return XLandRow(timestep, row.count_I + is_taken_I)

    def _put_down(
        self,
        grid: jax.Array,
        key: jax.Array,
        agent: Any,
        ahead: jax.Array,
        rules: jax.Array,
        left: jax.Array,
    ) -> jax.Array:
        """The room after the rules, and with a new chain if `left` of a chain is still there."""
        grid, _ = check_rule(rules, grid, agent, _PUT_DOWN, ahead)
        was_held_I = left == self._item_I
        is_left = was_held_I.any() & (_code(grid) == left).any()
        lying_L2 = self._lying_CL2[self._chain_I[jnp.argmax(was_held_I)]]
        return jnp.where(is_left, _begun_anew(grid, key, agent.position, left, lying_L2), grid)

    def died(self, row: XLandRow) -> jax.Array:
        """Nobody ever dies here."""
        return jnp.asarray(False)

    def allowed(self, row: XLandRow) -> jax.Array:
        """What changes something: to walk onto floor, to turn, to take what can be taken."""
        agent, grid = row.timestep.state.agent, row.timestep.state.grid
        row_ahead, column_ahead = agent.position + DIRECTIONS[agent.direction]
        shape = grid[row_ahead, column_ahead, 0]
        is_floor, is_empty = shape == _TILES.FLOOR, agent.pocket[0] == _TILES.EMPTY
        can_take = is_empty & ~is_floor & (shape != _TILES.WALL)
        yes, no = jnp.asarray(True), jnp.asarray(False)
        # Forward, two turns, pick up, put down, and toggle: there are no doors.
        return jnp.stack([is_floor, yes, yes, can_take, is_floor & ~is_empty, no])

    def inventory(self, row: XLandRow) -> jax.Array:
        """How often each object was taken in hand."""
        return row.count_I

    def observation(self, row: XLandRow) -> dict[str, jax.Array]:
        """Whether and where each kind of object is seen, and whether it is ahead or in hand.

        Where: cells ahead and cells to the right, as shares of the view; 0 for what is not seen.
        """
        side = self._view
        # The smallest numbers that tell all cells apart: twice as fast as the next larger ones.
        cell_N = jnp.arange(1, side * side + 1, dtype=jnp.uint8 if side < 16 else jnp.int16)
        seen_N = _code(row.timestep.observation).reshape(-1)
        # Each kind lies in the room once at most: the largest is the number of its cell, or 0.
        cell_K = jnp.where(self._kind_K[:, None] == seen_N, cell_N, 0).max(axis=1)
        front = (side - 2) * side + side // 2 + 1
        in_hand_K = _code(row.timestep.state.agent.pocket) == self._kind_K
        seen = [
            cell_K > 0,
            self._ahead_N[cell_K],
            self._right_N[cell_K],
            cell_K == front,
            in_hand_K,
        ]
        return {"objects": jnp.concatenate([jnp.asarray(each, jnp.float32) for each in seen])}


@functools.cache
def make_game(config: XLandConfig) -> XLandGame:
    """The rules that `config` names, compiled once for all batches of a process."""
    return XLandGame(config)


def _code(tile: Any) -> jax.Array:
    """Shape and color of tiles (..., 2) as one number each."""
    return jnp.asarray(tile[..., 0] * 16 + tile[..., 1], jnp.uint8)


def _begun_anew(
    grid: jax.Array, key: jax.Array, agent: jax.Array, left: jax.Array, lying_L2: jax.Array
) -> jax.Array:
    """The room with a chain's objects, each on a free cell that is chosen by chance.

    What lies there of the chain, `left` and partners, is taken away first.
    """
    height, width, _ = grid.shape
    number = jnp.arange(height * width, dtype=jnp.uint32)
    cell_N2 = grid.reshape(-1, 2)
    code_N = _code(cell_N2)
    is_own_N = (code_N == left) | (code_N[:, None] == _code(lying_L2)).any(axis=1)
    cell_N2 = jnp.where(is_own_N[:, None], FLOOR, cell_N2)
    is_free_N = (_code(cell_N2) == _code(FLOOR)) & (number != agent[0] * width + agent[1])
    # A lot for each cell, no two alike: the largest ones win.
    lot_N = (jax.random.bits(key, number.shape) & ~jnp.uint32(1023)) | number | jnp.uint32(1 << 31)
    lot_N = jnp.where(is_free_N, lot_N, 0)
    for tile in lying_L2:
        is_chosen_N = lot_N == lot_N.max()
        cell_N2 = jnp.where(is_chosen_N[:, None], tile, cell_N2)
        lot_N = jnp.where(is_chosen_N, 0, lot_N)
    return cell_N2.reshape(grid.shape)
