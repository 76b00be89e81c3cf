"""Changes that few worlds of a batch need in a step, made in these alone."""

# W = worlds, R = rows that are changed at once

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap

__all__ = ["where_needed"]


def where_needed(
    is_needed: jax.Array, change: Callable[..., Any], old: Any, *others: Any, at_once: int = 32
) -> Any:
    """`change(old, *others)` where `is_needed`, else `old`; the same numbers as with `jnp.where`.

    Under `jax.vmap`, `jnp.where` would make the change in every row and drop most of it. This
    gathers the rows that need it, `at_once` at a time, and leaves the others alone.
    """

    def choose(is_needed: jax.Array, old: Any, *others: Any) -> Any:
        new = change(old, *others)
        return jax.tree.map(lambda new, old: jnp.where(is_needed, new, old), new, old)

    def choose_in_batch(count: int, is_batched: list[Any], *arguments: Any) -> tuple[Any, Any]:
        is_needed_W, old_W, *others_W = jax.tree.map(
            lambda each, is_batched: each if is_batched else jnp.repeat(each[None], count, 0),
            list(arguments),
            is_batched,
        )
        # What is too many in the last part has a number outside of the batch, and is dropped.
        (row_W,) = jnp.nonzero(is_needed_W, size=count + at_once, fill_value=count)

        def change_part(first_and_kept: tuple[jax.Array, Any]) -> tuple[jax.Array, Any]:
            first, kept_W = first_and_kept
            row_R = jax.lax.dynamic_slice(row_W, (first,), (at_once,))
            part = jax.tree.map(lambda each: each.at[row_R].get(mode="clip"), (kept_W, *others_W))
            changed = jax.vmap(change)(*part)
            put = lambda old, new: old.at[row_R].set(new, mode="drop")  # noqa: E731
            return first + at_once, jax.tree.map(put, kept_W, changed)

        needed = is_needed_W.sum()
        start = (jnp.zeros_like(needed), old_W)
        _, kept_W = jax.lax.while_loop(lambda each: each[0] < needed, change_part, start)
        return kept_W, jax.tree.map(lambda _: True, kept_W)

    of_one: Any = custom_vmap(choose)
    of_one.def_vmap(choose_in_batch)
    return of_one(is_needed, old, *others)
