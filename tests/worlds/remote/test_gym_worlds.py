"""Gymnasium environments as far worlds."""

import numpy as np
import pytest

from lapis.worlds.remote.far.gym_worlds import GymWorlds


class Well:
    """Choice 1 draws a bucket; the third one kills, and the fifth step is the last."""

    def reset(self, *, seed, options=None):
        self.seed, self.steps, self.buckets = seed, 0, 0
        return self._seen(), {}

    def step(self, action):
        self.steps += 1
        self.buckets += action == 1
        return self._seen(), 7.0, self.buckets == 3, self.steps == 5, {}

    def _seen(self):
        return np.array([self.buckets, self.seed % 1000], np.float32)

    def close(self):
        self.steps = None


def give(env, items):
    env.buckets = items.get("bucket", 0)
    return env._seen()


@pytest.fixture
def wells():
    worlds = GymWorlds(
        Well,
        3,
        items=("rope", "bucket"),
        read_items=lambda env: {"bucket": env.buckets},
        action_sizes=(2,),
        read_mask=lambda env: [True, env.buckets < 3],
        give_items=give,
        seed=5,
    )
    begin(worlds, [True] * 3, [0] * 3)
    return worlds


def begin(worlds, which, buckets, episode=0):
    inventory = np.array([[0, count] for count in buckets], np.int32)
    worlds.reset(np.array(which), inventory, np.full(3, episode))


def step(worlds, *choices, which=(True, True, True)):
    worlds.step(np.array(which), np.array(choices, np.int32)[:, None])


def test_items_masks_and_ends_are_read(wells):
    for _ in range(3):
        step(wells, 1, 0, 1, which=(True, True, False))
    assert wells.inventory.tolist() == [[0, 3], [0, 0], [0, 0]]
    assert wells.died.tolist() == [True, False, False]
    assert wells.action_mask.tolist() == [[True, False], [True, True], [True, True]]
    assert wells.ticks.tolist() == [4, 4, 0]
    for _ in range(2):
        step(wells, 1, 0, 0)
    assert wells.envs[0].steps == 3, "the dead do nothing"
    assert wells.lost.tolist() == [False, True, False], "the environment's own limit"


def test_a_reset_gives_items_and_another_episode_to_its_rows_alone(wells):
    seen = wells.observation["vector"].copy()
    begin(wells, [False, True, False], [9, 2, 9], episode=1)
    assert wells.inventory.tolist() == [[0, 0], [0, 2], [0, 0]]
    assert wells.observation["vector"][1, 0] == 2
    changed = seen[:, 1] != wells.observation["vector"][:, 1]
    assert changed.tolist() == [False, True, False]
    assert len(set(seen[:, 1])) == 3, "worlds have seeds of their own"


def test_crafter_follows_its_seeds_and_is_asked_for_achievements():
    pytest.importorskip("crafter", reason="Crafter is not installed: pip install crafter")
    from lapis.worlds.remote.far.crafter_worlds import ACHIEVEMENTS, CrafterWorlds

    rng = np.random.default_rng(0)
    one, other = (CrafterWorlds(2, seed=1) for _ in range(2))
    zeros = np.zeros_like(one.inventory)
    given = zeros.copy()
    given[:, one.items.index("wood")] = 5
    given[:, one.items.index("collect_wood")] = 6
    everywhere = np.ones(2, bool)
    for worlds in (one, other):
        worlds.reset(everywhere, given, np.zeros(2, int))
    np.testing.assert_array_equal(one.inventory, given)
    table = 8  # Place a table; the player looks at grass.
    assert one.action_mask[:, table].all()
    for choice in (table, *rng.integers(0, 17, 300)):
        action = np.full((2, 1), choice, np.int32)
        for worlds in (one, other):
            worlds.step(everywhere, action)
        np.testing.assert_array_equal(one.observation["frame"], other.observation["frame"])
        np.testing.assert_array_equal(one.inventory, other.inventory)
    assert (one.inventory[:, one.items.index("place_table")] >= 1).all()
    assert len(ACHIEVEMENTS) == 22
