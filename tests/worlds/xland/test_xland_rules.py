"""What counts in the chains of XLand-MiniGrid, and when a chain begins anew."""

import functools

import numpy as np
import pytest

pytest.importorskip("jax", reason="JAX is not installed: pip install 'lapis-rl[xland]'")
pytest.importorskip(
    "xminigrid", reason="XLand-MiniGrid is not installed: pip install 'lapis-rl[xland]'"
)

import jax
import jax.numpy as jnp
import torch

from lapis.worlds.xland import XLandConfig
from lapis.worlds.xland.game import FLOOR, _code, make_game
from tests import contract

FORWARD, RIGHT, LEFT, PICK_UP, PUT_DOWN, TOGGLE = range(6)
CONFIG = XLandConfig(chains=2, links=2, size=7, view=5)


class Scene:
    """A room with nothing in it: the player stands in its middle and looks up."""

    def __init__(self):
        self.game = make_game(CONFIG)
        self.links, self.partners = self.game.book.link_CL, self.game.book.partner_CL
        self.row = _empty_room()

    @property
    def state(self):
        return self.row.timestep.state

    def put(self, tile, row, column):
        grid = np.array(self.state.grid)
        grid[row, column] = tile
        self.row = changed(self.row, grid=jnp.asarray(grid))

    def play(self, *actions):
        for number, action in enumerate(actions):
            self.row = _step(CONFIG)(jax.random.PRNGKey(number), self.row, action)

    def places(self, tile):
        """Where a tile lies."""
        return np.argwhere((np.asarray(self.state.grid) == tile).all(axis=-1)).tolist()

    @property
    def lying(self):
        """Everything that lies in the room, sorted."""
        inner = np.asarray(self.state.grid)[1:-1, 1:-1].reshape(-1, 2)
        return sorted(map(tuple, inner[(inner != np.asarray(FLOOR)).any(axis=1)].tolist()))

    @property
    def counts(self):
        return dict(zip(self.game.items, self.row.count_I.tolist(), strict=True))

    def count(self, chain, link):
        return self.counts[f"chain_{chain}_link_{link}"]


def changed(row, **parts):
    state = row.timestep.state.replace(**parts)
    return row._replace(timestep=row.timestep.replace(state=state))


@functools.cache
def _empty_room():
    game = make_game(CONFIG)
    row = jax.jit(game.begin)(jax.random.PRNGKey(0), jnp.zeros(len(game.items), jnp.int32))
    state = row.timestep.state
    agent = state.agent.replace(position=jnp.array([3, 3]), direction=jnp.asarray(0))
    return changed(row, agent=agent, grid=state.grid.at[1:-1, 1:-1].set(FLOOR))


@functools.cache
def _step(config):
    return jax.jit(make_game(config).step)


@functools.cache
def _observation(config):
    return jax.jit(make_game(config).observation)


@pytest.fixture
def scene():
    return Scene()


def test_an_object_counts_when_it_is_picked_up(scene):
    scene.put(scene.links[1, 0], 2, 3)
    scene.play(PICK_UP, PICK_UP, RIGHT)
    assert scene.count(1, 0) == 1
    assert sum(scene.counts.values()) == 1


def test_put_down_next_to_its_partner_it_becomes_the_next_object(scene):
    scene.put(scene.links[0, 0], 2, 3)
    scene.put(scene.partners[0, 0], 2, 5)
    scene.put(scene.partners[0, 1], 1, 1)
    scene.play(PICK_UP, RIGHT, PUT_DOWN)  # Onto (3, 4): the partner is not next to it.
    assert scene.places(scene.links[0, 1]) == []

    scene = Scene()
    scene.put(scene.links[0, 0], 2, 3)
    scene.put(scene.partners[0, 0], 3, 5)
    scene.put(scene.partners[0, 1], 1, 1)
    scene.play(PICK_UP, RIGHT, PUT_DOWN)
    assert scene.places(scene.links[0, 1]) == [[3, 5]]
    assert scene.lying == sorted(map(tuple, [scene.links[0, 1], scene.partners[0, 1]]))
    scene.play(FORWARD, PICK_UP)
    assert (scene.count(0, 0), scene.count(0, 1), sum(scene.counts.values())) == (1, 1, 2)


@pytest.mark.parametrize("link", [0, 1, 2])
def test_a_chain_begins_anew_when_nothing_comes_of_its_object(scene, link):
    scene.put(scene.links[0, link], 2, 3)
    scene.put(scene.partners[1, 0], 1, 1)
    for later in range(link, 2):
        scene.put(scene.partners[0, later], 5, 1 + 2 * later)
    scene.play(PICK_UP, PUT_DOWN)
    first_and_partners = [scene.links[0, 0], *scene.partners[0]]
    assert scene.lying == sorted(map(tuple, [scene.partners[1, 0], *first_and_partners]))
    assert scene.places(scene.partners[1, 0]) == [[1, 1]]
    assert [3, 3] not in [scene.places(tile)[0] for tile in first_and_partners]
    assert scene.count(0, link) == 1


def test_chains_begin_anew_at_places_of_chance(scene):
    seen = set()
    for number in range(60):
        scene = Scene()
        scene.put(scene.links[0, 0], 2, 3)
        scene.play(PICK_UP)
        scene.row = _step(CONFIG)(jax.random.PRNGKey(number), scene.row, PUT_DOWN)
        seen.add(tuple(scene.places(scene.links[0, 0])[0]))
    # 24 cells are free; the chance to miss more than eight of them in 60 draws is below 0.1 %.
    assert len(seen) > 16
    assert (3, 3) not in seen


def test_a_partner_is_only_moved(scene):
    scene.put(scene.partners[0, 1], 2, 3)
    scene.put(scene.links[0, 0], 5, 5)
    scene.play(PICK_UP, RIGHT, PUT_DOWN)
    assert scene.places(scene.partners[0, 1]) == [[3, 4]]
    assert scene.places(scene.links[0, 0]) == [[5, 5]]
    assert sum(scene.counts.values()) == 0


def test_what_is_seen(scene):
    scene.put(scene.links[0, 0], 2, 3)
    scene.put(scene.partners[1, 1], 1, 5)
    kinds = 2 * (3 + 2)
    seen, ahead, right, in_front, in_hand = scene_objects(scene).reshape(5, kinds)
    here, far = 0, 9  # Chain by chain, links before partners.
    assert np.flatnonzero(seen).tolist() == [here, far]
    assert (ahead[here], right[here], ahead[far], right[far]) == (1 / 4, 0, 2 / 4, 1)
    assert np.flatnonzero(in_front).tolist() == [here]
    assert not in_hand.any()
    scene.play(PICK_UP)
    seen, *_, in_hand = scene_objects(scene).reshape(5, kinds)
    assert np.flatnonzero(in_hand).tolist() == [here]
    assert np.flatnonzero(seen).tolist() == [far]


def scene_objects(scene):
    scene.play(TOGGLE)  # Which does nothing but look.
    return np.asarray(_observation(CONFIG)(scene.row)["objects"])


def test_each_chain_has_one_object_and_the_partners_that_it_needs():
    """In random play, whatever happens; so everything that lies there can be reached."""
    world = CONFIG.build(64, seed=0, device="cpu", first_world=0)
    rng = np.random.default_rng(0)
    book = make_game(CONFIG).book
    for _ in range(150):
        contract.play(world, rng, 2)
        state = world.rows.state.timestep.state
        tiles = np.concatenate(
            [np.asarray(state.grid).reshape(64, -1, 2), np.asarray(state.agent.pocket)[:, None]], 1
        )
        for links, partners in zip(book.link_CL, book.partner_CL, strict=True):
            link_WL, partner_WL = (
                (tiles[:, :, None] == objects).all(-1).sum(1) for objects in (links, partners)
            )
            assert (link_WL.sum(1) == 1).all()
            reached_W = link_WL.argmax(1)
            assert (partner_WL == (np.arange(2) >= reached_W[:, None])).all()
    assert world.inventory.sum(0).reshape(3, 2).sum(1)[1] > 0, "no object was ever made"


def test_where_no_chain_begins_anew_a_step_is_the_librarys_own():
    """Bit for bit in random play, although rules are only tried where something was put down."""
    game, count = make_game(CONFIG), 128
    rows = jax.vmap(game.begin)(
        jax.random.split(jax.random.PRNGKey(0), count),
        jnp.zeros((count, len(game.items)), jnp.int32),
    )
    own_step = jax.jit(jax.vmap(game.step))
    library_step = jax.jit(
        jax.vmap(lambda row, action: game.environment.step(game.params, row, action))
    )
    rng = np.random.default_rng(0)
    made = begun_anew = 0
    for number in range(300):
        action = jnp.asarray(rng.integers(0, 6, count))
        keys = jax.random.split(jax.random.PRNGKey(number), count)
        theirs, before, rows = (
            library_step(rows.timestep, action),
            rows,
            own_step(keys, rows, action),
        )
        items = game._item_I
        left = np.asarray(_code(before.timestep.state.agent.pocket))
        grid = np.asarray(_code(theirs.state.grid)).reshape(count, -1)
        is_put = np.asarray(theirs.state.agent.pocket[:, 0]) == 0
        is_anew = is_put & np.isin(left, items) & (grid == left[:, None]).any(1)
        begun_anew += is_anew.sum()
        made += (is_put & np.isin(left, items) & ~is_anew).sum()
        for own, other in zip(jax.tree.leaves(rows.timestep), jax.tree.leaves(theirs), strict=True):
            np.testing.assert_array_equal(own[~is_anew], other[~is_anew])
    assert made > 5
    assert begun_anew > 100


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"view": 4}, "view is 4; it must be an odd number"),
        ({"chains": 10, "links": 3}, "10 chains need 70 different objects of 60"),
        ({"chains": 4, "links": 4, "size": 7}, "20 objects would fill more than half of 25 cells"),
    ],
)
def test_rooms_that_cannot_be_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        XLandConfig(**settings)


def test_nothing_is_toggled_and_actions_out_of_range_are_told():
    world = CONFIG.build(2, seed=0, device="cpu", first_world=0)
    assert not world.action_mask[:, TOGGLE].any()
    world.step(torch.tensor([[1], [6]], dtype=torch.int32))
    with pytest.raises(RuntimeError, match="world 1: an action had a component outside"):
        world.check()
