"""Frames: what the player looks at, drawn from the nodes that the server reports."""

import numpy as np
import pytest
import torch

from lapis.worlds.minetest.actions import actions_of
from lapis.worlds.minetest.config import MinetestConfig
from lapis.worlds.minetest.sight import CLASSES, told_sight

CONFIG = MinetestConfig(servers=1, frame_size=9)
COLOURS = dict(zip(CLASSES, told_sight(9)["colours"], strict=True))


@pytest.fixture(scope="module")
def world(engine):
    world = CONFIG.build(1, seed=0, device="cpu", first_world=0)
    yield world
    world.close()


def look(world, pitch):
    (number,) = (
        n for n, a in enumerate(actions_of(CONFIG.tree)) if (a.kind, a.value) == ("look", pitch)
    )
    world.step(torch.tensor([[number]], dtype=torch.int32))
    return world.observation["frame"][0].numpy().astype(float)


def test_ground_is_below(world):
    frame = look(world, -90)
    assert frame.shape == (9, 9, 3)
    looked = CLASSES[int(world.observation["looked_at"][0].argmax()) - 1]
    assert looked == "soil"
    # From above sides are not shaded; the pattern changes them by 15 % at most, haze by 0.2 %.
    share = frame[3:6, 3:6] / COLOURS["soil"]
    assert share.min() > 0.83
    assert share.max() < 1.17


def test_frames_look_where_the_player_looks_and_are_repeated(world):
    down, up = look(world, -90), look(world, 60)
    assert np.abs(down - up).max() > 30
    assert np.array_equal(down, look(world, -90))
    # Bright sky or green leaves above, and no soil.
    assert np.abs(up - COLOURS["soil"]).sum(axis=2).mean() > 20


def test_without_a_size_there_are_no_frames(make_world):
    assert "frame" not in make_world(2).observation
