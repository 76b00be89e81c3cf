"""Caves that slope: a move through one may lead a level down or up."""

import numpy as np
import pytest

from lapis.worlds.techtree import TechTreeConfig
from tests.worlds.techtree.scenes import Scene, assert_share, quiet

WORLDS = 20_000


def cave(height: int, world_count: int = WORLDS, **changes: float) -> Scene:
    """A batch that stands in caves at one height and stays in them."""
    config = quiet(**{"cave_entry": 1.0, "cave_stay": 1.0, **changes})
    return Scene(world_count=world_count, height=height, in_cave=1, food=17, config=config)


@pytest.mark.parametrize("height", [19, 34])
def test_a_cave_slopes_down_and_up_equally_often(height):
    scene = cave(height, cave_slope=0.1)
    scene.play("move on")
    after = scene.all("height")
    assert_share((after == height - 15).sum(), WORLDS, 0.1)
    assert_share((after == height + 15).sum(), WORLDS, 0.1)
    assert set(after) == {height - 15, height, height + 15}


def test_a_slope_of_one_half_leaves_no_level_move():
    scene = cave(34, cave_slope=0.5)
    scene.play("move on")
    assert_share((scene.all("height") == 19).sum(), WORLDS, 0.5)
    assert set(scene.all("height")) == {19, 49}


def test_the_highest_cave_stays_below_the_surface():
    scene = cave(49, cave_slope=0.1)
    scene.play("move on")
    after = scene.all("height")
    assert_share((after == 34).sum(), WORLDS, 0.1)
    assert set(after) == {34, 49}
    assert scene.all("in_cave").all()


def test_the_lowest_cave_leads_no_further_down():
    scene = cave(4, cave_slope=0.1)
    scene.play("move on")
    after = scene.all("height")
    assert_share((after == 19).sum(), WORLDS, 0.1)
    assert set(after) == {4, 19}


def test_a_long_way_through_caves_visits_every_level_and_never_leaves_the_underground():
    scene = cave(34, world_count=2000, cave_slope=0.5)
    seen = set()
    for _ in range(40):
        scene.set(food=17)
        scene.play("move on")
        seen |= set(scene.all("height").tolist())
    assert seen == {4, 19, 34, 49}


def test_caves_without_a_slope_are_level():
    scene = cave(34, cave_slope=0.0)
    scene.play("move on")
    assert (scene.all("height") == 34).all()


def test_a_sloping_move_is_a_sprint_that_digs_nothing_and_hurts_nobody(device):
    # 8 blocks at 5.612 m/s are 28.51 ticks; sprinting tires by 0.1 a block.
    scene = Scene(
        height=34, in_cave=1, food=17, world_count=50, config=quiet(cave_slope=0.5), device=device
    )
    assert scene.play("move on") == 29
    assert set(scene.all("height")) == {19, 49}
    assert (scene.all("ticks") == 29).all()
    assert (scene.all("exhaustion") == 800).all()
    assert (scene.all("health") == 20_000).all()
    assert not scene.all("inventory").any()


def test_only_caves_slope():
    config = quiet(cave_slope=0.5)
    tunnel = Scene(world_count=500, height=34, config=config)
    tunnel.play("move on")
    assert (tunnel.all("height") == 34).all()
    land = Scene(world_count=500, config=config)
    land.play("move on")
    assert (land.all("height") == 64).all()


def test_whether_the_cave_goes_on_does_not_depend_on_its_slope():
    scene = cave(34, cave_entry=0.0, cave_stay=0.8, cave_slope=0.25)
    scene.play("move on")
    after, in_cave = scene.all("height"), scene.all("in_cave")
    for height, share in ((19, 0.25), (34, 0.5), (49, 0.25)):
        there = after == height
        assert_share(there.sum(), WORLDS, share)
        assert_share(in_cave[there].sum(), there.sum(), 0.8)


def test_what_lies_in_wait_is_that_of_the_level_where_the_slope_leads():
    scene = cave(19, cave_slope=0.5, lava=1.0)
    scene.play("move on")
    after = scene.all("height")
    # Diamonds lie below 16 and lava below 11: both in the level from 4 on, none from 34 on.
    assert (scene.all("health") == np.where(after == 4, 1000, 20_000)).all()
    assert scene.reaches("diamond_ore")[after == 4].any()
    assert not scene.reaches("diamond_ore")[after == 34].any()


@pytest.mark.parametrize("slope", [0.0, 0.5])
def test_slopes_from_none_to_one_half_are_allowed(slope):
    assert TechTreeConfig(cave_slope=slope).cave_slope == slope
