"""Batches of worlds whose game is written in JAX: steps, resets, hand-over to PyTorch, saving.

Everything that happens in a step is one compiled call for all worlds. What players see is then
copied once, into tensors that keep their addresses.
"""

# W = worlds, R = rows that begin anew at once, I = items

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor

from lapis.bounds import SEED, Bound, check, require
from lapis.worlds.fault import Fault, explanation
from lapis.worlds.limits import COUNTED, FINITE, FLAG, check_given, check_identity, check_values
from lapis.worlds.world import check_like, check_tensor

# Otherwise JAX takes three quarters of a GPU's memory, and leaves too little to PyTorch.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax
import jax.numpy as jnp

__all__ = ["JaxBatch", "JaxGame"]

State = Any
"""One world's state, or those of a batch: nested containers of JAX arrays."""
WORLDS = Bound(least=1, most=10**6, whole=True)
_EPISODE = ".episode"
"""What `_Rows.episode` is called in a saved state's rows."""


class Shown(NamedTuple):
    """What worlds show."""

    inventory: jax.Array
    """int32, shape (world, item)."""
    died: jax.Array
    """bool, shape (world,)."""
    action_mask: jax.Array
    """bool, shape (world, action)."""
    observation: dict[str, jax.Array]


class JaxGame(Protocol):
    """The rules of one world, as pure functions that JAX can compile for many."""

    items: tuple[str, ...]
    action_count: int
    reset_rows: int
    """How many worlds start over in one compiled call; more take several calls."""

    def begin(self, key: jax.Array, inventory: jax.Array, /) -> State:
        """A new episode with these items, int32 of shape (item,)."""
        ...

    def step(self, key: jax.Array, state: State, action: jax.Array, /) -> State:
        """The state after one action, which is within its range."""
        ...

    def died(self, state: State, /) -> jax.Array:
        """Whether the player is dead, a bool."""
        ...

    def allowed(self, state: State, /) -> jax.Array:
        """Which actions are possible, bool of shape (action,)."""
        ...

    def inventory(self, state: State, /) -> jax.Array:
        """Items held, int32 of shape (item,)."""
        ...

    def observation(self, state: State, /) -> dict[str, jax.Array]:
        """What the player sees."""
        ...


class _Rows(NamedTuple):
    """What is kept of each world."""

    state: State
    episode: jax.Array
    """Episodes begun before this one, int32."""
    step: jax.Array
    """Steps of this episode, int32."""
    died: jax.Array
    fault: jax.Array
    """`lapis.worlds.fault.Fault`, int32."""


class JaxBatch:
    """A batch of worlds of one JAX game; it follows `lapis.worlds.world.World`.

    Chance is a pure function of seed, number of the world, episode and step. A step takes one tick.

    Attributes:
        rows: The states of all worlds, as JAX arrays.
    """

    def __init__(
        self,
        world_count: int,
        *,
        game: JaxGame,
        identity: Mapping[str, Any],
        seed: int = 0,
        device: str | torch.device = "cpu",
        first_world: int = 0,
    ) -> None:
        """Begins the first episode in every world.

        Args:
            world_count: Worlds that are played side by side.
            game: The rules.
            identity: Kind, version and settings, which a saved state must share.
            seed: Decides all chance, together with the number of each world.
            device: cpu, cuda or cuda:N.
            first_world: Number of the first row's world, where several batches share a seed.
        """
        self.world_count = check("world_count", world_count, WORLDS)
        self.seed = check("seed", seed, SEED)
        numbers = Bound(least=0, most=2**31 - self.world_count, whole=True)
        self.first_world = check("first_world", first_world, numbers)
        self.device, self._jax_device = _devices(device)
        self.game = game
        self.items = game.items
        self.action_sizes = (game.action_count,)
        self._own_identity = dict(identity)
        self._reset_rows = min(game.reset_rows, self.world_count)
        self._key = self._put(jax.random.PRNGKey(self.seed))
        self._world_W = self._put(np.arange(world_count, dtype=np.int32) + self.first_world)
        self._allocate()
        self.reset(torch.ones_like(self.died))

    def _allocate(self) -> None:
        key = jax.ShapeDtypeStruct(self._key.shape, self._key.dtype)
        items = jax.ShapeDtypeStruct((len(self.items),), np.dtype(np.int32))
        state = jax.eval_shape(self.game.begin, key, items)
        observation = jax.eval_shape(self.game.observation, state)

        def zeros(dtype: Any, *shape: int) -> Tensor:
            like = torch.from_numpy(np.zeros((self.world_count, *shape), dtype))
            return like.to(self.device)

        def array(like: Any) -> jax.Array:
            return self._put(np.zeros((self.world_count, *like.shape), like.dtype))

        self.inventory = zeros(np.int32, len(self.items))
        self.died = zeros(np.bool_)
        self.ticks = zeros(np.int32)
        self.action_mask = zeros(np.bool_, self.game.action_count)
        self.observation: dict[str, Tensor] = {
            name: zeros(each.dtype, *each.shape) for name, each in observation.items()
        }
        number = jax.ShapeDtypeStruct((), np.dtype(np.int32))
        flag = jax.ShapeDtypeStruct((), np.dtype(np.bool_))
        whole = _Rows(state, episode=number, step=number, died=flag, fault=number)
        self.rows: _Rows = jax.tree.map(array, whole)
        self.rows = self.rows._replace(episode=self.rows.episode - 1)

    def _put(self, array: Any) -> jax.Array:
        return jax.device_put(array, self._jax_device)

    def step(self, action: Tensor) -> None:
        """Plays one action, int32 of shape (world, component), in every world."""
        check_tensor("action", action, torch.int32, (self.world_count, 1), self.device)
        if self.device.type == "cuda" and torch.cuda.is_current_stream_capturing():
            raise ValueError(
                "worlds in JAX cannot be recorded in a CUDA graph; give --no-cuda-graphs"
            )
        self._wait_for_torch()
        self.rows, shown = _step(self.game, self._key, self._world_W, self.rows, _to_jax(action))
        for tensor, array in self._pairs(jax.block_until_ready(shown)):
            tensor.copy_(torch.from_dlpack(array))
        self.ticks.fill_(1)

    def reset(self, which: Tensor, inventory: Tensor | None = None) -> None:
        """Starts a new episode in the rows where `which` is true, with `inventory` or nothing.

        It reads `which` on the host: to make new worlds for rows that go on would cost more.
        """
        check_like("which", which, self.died)
        given = torch.zeros_like(self.inventory) if inventory is None else inventory
        check_like("inventory", given, self.inventory)
        row_N = which.nonzero()[:, 0].cpu()
        if not len(row_N):
            return
        first = given.masked_fill(~which[:, None], 0).cpu()
        check_values("inventory", first, COUNTED)
        for row_R in row_N.split(self._reset_rows):
            self._begin(row_R, first[row_R])

    def _begin(self, row_R: Tensor, first_RI: Tensor) -> None:
        """Begins new episodes in at most `_reset_rows` rows; both tensors are on the host."""
        # Always as many rows, compiled once. What is too many has a number outside of the batch.
        count = len(row_R)
        rows = np.full(self._reset_rows, self.world_count, np.int32)
        rows[:count] = row_R.numpy()
        first = np.zeros((self._reset_rows, len(self.items)), np.int32)
        first[:count] = first_RI.numpy()
        self._wait_for_torch()
        self.rows, shown = _begin(
            self.game, self._key, self._world_W, self.rows, self._put(rows), self._put(first)
        )
        row_R = row_R.to(self.device)
        for tensor, array in self._pairs(jax.block_until_ready(shown)):
            tensor[row_R] = torch.from_dlpack(array)[:count]
        self.ticks[row_R] = 0

    def _pairs(self, shown: Shown) -> list[tuple[Tensor, jax.Array]]:
        """Each tensor, and the array with what it is to show."""
        seen = [(self.observation[name], each) for name, each in shown.observation.items()]
        return [
            (self.inventory, shown.inventory),
            (self.died, shown.died),
            (self.action_mask, shown.action_mask),
            *seen,
        ]

    def _wait_for_torch(self) -> None:
        """Until PyTorch has read what JAX may free now, and has written what JAX will read."""
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)

    def check(self) -> None:
        """Raises RuntimeError naming world and cause if a fault bit is set (host read)."""
        fault_W = np.asarray(self.rows.fault)
        if fault_W.any():
            row = int(fault_W.nonzero()[0][0])
            cause = explanation(Fault(int(fault_W[row])), self.action_sizes)
            raise RuntimeError(f"world {self.first_world + row}: {cause}")

    def state_dict(self) -> dict[str, Any]:
        """All arrays, and the identity of the world."""
        leaves = jax.tree_util.tree_leaves_with_path(self.rows)
        arrays = {jax.tree_util.keystr(path): _to_torch(leaf) for path, leaf in leaves}
        # Apart, by the name that checkpoints without worlds keep: no episode is played twice.
        episode = arrays.pop(_EPISODE)
        ticks = self.ticks.clone()
        return {**self._identity(), "ticks": ticks, "episode": episode, "rows": arrays}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Takes over the state of worlds of the same kind, settings, seed and size.

        Raises:
            ValueError: It is of other worlds; nothing has changed.
        """
        check_identity(state, self._identity(), "this world")
        given: Any = state.get("rows")
        require(isinstance(given, Mapping), "state's 'rows'", given, "a dict of tensors")
        given = {_EPISODE: state.get("episode"), **given}  # Older states have it among the rows.
        paths, structure = jax.tree_util.tree_flatten_with_path(self.rows)
        own = {jax.tree_util.keystr(path): array for path, array in paths}
        tensors = {name: _to_torch(array) for name, array in own.items()}
        check_given(state, {"ticks": self.ticks}, {"ticks": COUNTED})
        check_given(given, tensors, {name: _limit(each) for name, each in tensors.items()})
        arrays = [
            self._put(given[name].cpu().numpy().view(array.dtype).copy())
            for name, array in own.items()
        ]
        self.rows = jax.tree_util.tree_unflatten(structure, arrays)
        self.ticks.copy_(state["ticks"])
        for tensor, array in self._pairs(jax.block_until_ready(_show(self.game, self.rows))):
            tensor.copy_(torch.from_dlpack(array))

    def _identity(self) -> dict[str, Any]:
        return {
            **self._own_identity,
            "seed": self.seed,
            "first_world": self.first_world,
            "world_count": self.world_count,
        }


def _show_rows(game: JaxGame, rows: _Rows) -> Shown:
    return Shown(
        inventory=jax.vmap(game.inventory)(rows.state),
        died=rows.died,
        action_mask=jax.vmap(game.allowed)(rows.state),
        observation=jax.vmap(game.observation)(rows.state),
    )


_show: Callable[..., Shown] = jax.jit(_show_rows, static_argnums=0)


@functools.partial(jax.jit, static_argnums=0, donate_argnums=3)
def _step(
    game: JaxGame, key: jax.Array, world_W: jax.Array, rows: _Rows, action: jax.Array
) -> tuple[_Rows, Shown]:
    """All of a step: the dead stay dead, and an action out of range sets a fault and is none."""

    def play(world: jax.Array, row: _Rows, action: jax.Array) -> State:
        state = game.step(_key_of(key, world, row.episode, row.step + 1), row.state, action)
        return jax.tree.map(lambda new, old: new.astype(old.dtype), state, row.state)

    is_outside = (action[:, 0] < 0) | (action[:, 0] >= game.action_count)
    state = jax.vmap(play)(world_W, rows, jnp.where(is_outside, 0, action[:, 0]))
    rows = _Rows(
        state=state,
        episode=rows.episode,
        step=rows.step + 1,
        died=rows.died | jax.vmap(game.died)(state),
        fault=rows.fault | jnp.where(is_outside, int(Fault.OUT_OF_RANGE), 0),
    )
    return rows, _show_rows(game, rows)


@functools.partial(jax.jit, static_argnums=0, donate_argnums=3)
def _begin(
    game: JaxGame,
    key: jax.Array,
    world_W: jax.Array,
    rows: _Rows,
    row_R: jax.Array,
    inventory_RI: jax.Array,
) -> tuple[_Rows, Shown]:
    """New episodes in the rows of these numbers; the others are not looked at."""
    episode = rows.episode[row_R] + 1
    step = jnp.zeros_like(episode)
    keys = jax.vmap(functools.partial(_key_of, key))(world_W[row_R], episode, step)
    state = jax.vmap(game.begin)(keys, inventory_RI)
    fresh = _Rows(state, episode, step, jnp.zeros_like(step, bool), rows.fault[row_R])
    kept = jax.tree.map(
        lambda old, new: old.at[row_R].set(new.astype(old.dtype), mode="drop"), rows, fresh
    )
    return kept, _show_rows(game, fresh)


def _key_of(key: jax.Array, *words: jax.Array) -> jax.Array:
    """The key of one step of one episode of one world."""
    for word in words:
        key = jax.random.fold_in(key, word)
    return key


def _devices(device: object) -> tuple[torch.device, Any]:
    """The same device as PyTorch and as JAX have it."""
    found = torch.device(str(device))
    require(found.type in ("cpu", "cuda"), "device", device, "cpu, cuda or cuda:N")
    if found.type == "cuda":
        count = torch.cuda.device_count()
        if count <= (found.index or 0):
            raise ValueError(f"device is {str(device)!r}, but PyTorch finds {count} CUDA devices")
        index = torch.cuda.current_device() if found.index is None else found.index
        found = torch.device("cuda", index)
    try:
        return found, jax.devices(found.type)[found.index or 0]
    except (RuntimeError, IndexError) as error:
        raise ValueError(
            f"device is {str(device)!r}, but JAX finds no such device; "
            "for GPUs it takes: pip install 'jax[cuda13]'"
        ) from error


def _to_jax(tensor: Tensor) -> jax.Array:
    return jax.dlpack.from_dlpack(tensor)


def _to_torch(array: jax.Array) -> Tensor:
    """A copy on the host; PyTorch can do little with unsigned words, so they become signed ones."""
    host = np.array(array)
    return torch.from_numpy(host.view(np.int32) if host.dtype == np.uint32 else host)


def _limit(tensor: Tensor) -> Bound:
    """What a saved number may be. JAX's look-ups stay within their tables whatever it is."""
    return FLAG if tensor.dtype == torch.bool else FINITE
