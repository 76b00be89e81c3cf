"""Changes that few rows need are made in these rows alone, and are the same."""

import numpy as np
import pytest

pytest.importorskip("jax", reason="JAX is not installed: pip install 'lapis-rl[xland]'")

import jax
import jax.numpy as jnp

from lapis.worlds.jax_few import where_needed


def added(old, amount, factor):
    return {"sum": old["sum"] + amount * factor, "count": old["count"] + 1}


@pytest.mark.parametrize("needed", [[], [2], [0, 1, 2, 3], [0, 3, 4, 6], [*range(7)]])
def test_rows_that_need_it_are_changed_whatever_their_number(needed):
    is_needed_W = jnp.zeros(7, bool).at[jnp.array(needed, int)].set(True)
    old_W = {"sum": jnp.arange(7), "count": jnp.zeros(7, int)}
    amount_W = 10 * jnp.arange(7)

    def row(is_needed, old, amount):
        return where_needed(is_needed, added, old, amount, jnp.asarray(2), at_once=3)

    new_W = jax.jit(jax.vmap(row))(is_needed_W, old_W, amount_W)
    is_changed = np.isin(np.arange(7), needed)
    np.testing.assert_array_equal(new_W["sum"], np.arange(7) * np.where(is_changed, 21, 1))
    np.testing.assert_array_equal(new_W["count"], is_changed)


@pytest.mark.parametrize("is_needed", [False, True])
def test_a_single_row_needs_no_batch(is_needed):
    old = {"sum": jnp.asarray(5), "count": jnp.asarray(0)}
    new = where_needed(jnp.asarray(is_needed), added, old, 3, 2)
    assert (int(new["sum"]), int(new["count"])) == ((11, 1) if is_needed else (5, 0))
