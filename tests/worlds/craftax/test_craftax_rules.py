"""Craftax plays as the library itself, and what is done again counts again."""

import functools

import numpy as np
import pytest

pytest.importorskip("jax", reason="JAX is not installed: pip install 'lapis-rl[craftax]'")
pytest.importorskip("craftax", reason="Craftax is not installed: pip install 'lapis-rl[craftax]'")

import jax
import jax.numpy as jnp
from craftax.craftax.constants import Action as FullAction
from craftax.craftax_classic.constants import Action, BlockType

from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.worlds.craftax.config import CLASSIC_ACHIEVEMENTS, CraftaxConfig
from lapis.worlds.craftax.full import FLOORS, MEASURES
from lapis.worlds.craftax.game import make_game

FULL = pytest.param("full", marks=pytest.mark.slow)


@functools.cache
def step_of(name):
    return jax.jit(make_game(name).step)


@functools.cache
def begin_of(name):
    return jax.jit(make_game(name).begin)


def begin(name, **held):
    game = make_game(name)
    items = [held.get(item, 0) for item in game.items]
    return begin_of(name)(jax.random.PRNGKey(0), jnp.array(items, jnp.int32))


def play(name, row, *actions):
    for number, action in enumerate(actions):
        row = step_of(name)(jax.random.PRNGKey(number), row, int(action.value))
    return row


def counts(name, row):
    """What was achieved, and how often."""
    pairs = zip(make_game(name).achievements, row.count_A.tolist(), strict=True)
    return {achievement: count for achievement, count in pairs if count}


def facing(row, block):
    """The row with this block in front of the player, who looks up."""
    state = row.state
    row_ahead, column = state.player_position[0] - 1, state.player_position[1]
    return row._replace(
        state=state.replace(
            player_direction=jnp.asarray(Action.UP.value),
            map=state.map.at[row_ahead, column].set(block.value),
        )
    )


def test_goals_are_the_achievements_of_the_game():
    assert make_game("classic").achievements == CLASSIC_ACHIEVEMENTS
    full = make_game("full").achievements
    assert (len(CLASSIC_ACHIEVEMENTS), len(full), len(set(full))) == (22, 67, 67)
    assert set(MEASURES) <= set(full)
    assert FLOORS[:2] == ("enter_dungeon", "enter_gnomish_mines")
    assert len(FLOORS) == 8


@pytest.mark.parametrize("name", ["classic", FULL])
def test_play_is_the_librarys_own_bit_for_bit(name):
    game = make_game(name)
    row, params = begin(name), game.params
    state = row.state
    library = jax.jit(lambda *given: game.environment.step_env(*given, params)[1])
    rng = np.random.default_rng(0)
    for number in range(300):
        key, action = jax.random.PRNGKey(number), int(rng.integers(game.action_count))
        row, state = step_of(name)(key, row, action), library(key, state, action)
        same = jax.tree.map(lambda own, other: bool((own == other).all()), row.state, state)
        assert all(jax.tree.leaves(same)), f"step {number}"
    reached = {game.achievements[i] for i in state.achievements.nonzero()[0].tolist()}
    assert set(counts(name, row)) == reached != set()


def test_what_is_done_again_counts_again():
    row = facing(begin("classic"), BlockType.WATER)
    row = play("classic", row, Action.DO, Action.NOOP, Action.DO, Action.DO)
    assert counts("classic", row) == {"collect_drink": 3}
    row = facing(begin("classic", wood=9), BlockType.GRASS)
    row = play("classic", row, Action.PLACE_TABLE)
    assert counts("classic", row) == {"place_table": 1}
    row = play("classic", row, *2 * [Action.MAKE_WOOD_PICKAXE], Action.MAKE_STONE_PICKAXE)
    assert counts("classic", row) == {"place_table": 1, "make_wood_pickaxe": 2}


def test_a_new_episode_has_what_it_is_given():
    row = begin("classic", wood=2, iron_sword=1, collect_coal=4)
    assert (int(row.state.inventory.wood), int(row.state.inventory.iron_sword)) == (2, 1)
    assert counts("classic", row) == {"collect_coal": 4}
    assert not row.state.achievements.any()


def test_lava_kills_and_simon_says_begins_anew():
    import torch

    world = CraftaxConfig().build(2, seed=0, device="cpu", first_world=0)
    game = SimonSays(world, SimonSaysConfig(goals=CLASSIC_ACHIEVEMENTS))
    position = world.rows.state.state.player_position[1]
    state = world.rows.state.state
    state = state.replace(map=state.map.at[1, position[0], position[1]].set(BlockType.LAVA.value))
    world.rows = world.rows._replace(state=world.rows.state._replace(state=state))
    noop = torch.zeros((2, 1), dtype=torch.int32)
    game.step(noop)
    assert world.died.tolist() == game.terminated.tolist() == [False, True]
    game.step(noop)
    assert game.restarted.tolist() == [False, True]
    assert not world.died.any()


@pytest.mark.slow
def test_to_hold_something_is_not_to_collect_it():
    row = begin("full", wood=5, pickaxe=1, sword=2, bow=1)
    row = facing(play("full", row, FullAction.NOOP), BlockType.TREE)
    assert counts("full", row) == {}
    assert row.state.achievements.sum() == 5  # The game itself is content with holding.
    row = play("full", row, FullAction.DO)
    assert counts("full", row) == {"collect_wood": 1}


@pytest.mark.slow
def test_a_floor_counts_when_it_is_entered_and_pays_experience_once():
    row = begin("full")
    at_ladder = row.state.replace(player_position=row.state.down_ladders[0])
    row = row._replace(state=at_ladder.replace(monsters_killed=row.state.monsters_killed + 100))
    row = play("full", row, FullAction.DESCEND, FullAction.NOOP, FullAction.NOOP)
    assert (int(row.state.player_level), int(row.state.player_xp)) == (1, 1)
    assert counts("full", row) == {"enter_dungeon": 1}
