"""The voxel world keeps the contract of all worlds, and its mask is honest."""

import functools

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lapis.minecraft.blocks import Block
from lapis.minecraft.items import ITEM, ITEMS
from lapis.worlds.voxel.actions import (
    ACTION_SIZES,
    CAMERA_ANGLES,
    FIRST_CHOICE,
    OFF_HAND_ITEMS,
    PITCH_LEVELS,
    SPECIALS,
    Component,
    Special,
)
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.world import VoxelWorld
from tests import contract
from tests.worlds.voxel.play_scenes import GROUND, Scene

CONFIG = VoxelConfig(size=16, height=80, view="fan", fan_view_distance=8, channel_ticks=100)
make_world = functools.partial(VoxelWorld, seed=3, config=CONFIG)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_voxel_keeps_the_contract(check):
    check(make_world)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**20))
def test_special_actions_do_something_exactly_if_the_mask_allows_them(seed):
    """One world for each special action, all in the same random state."""
    rng = np.random.default_rng(seed)
    scene = Scene(world_count=len(SPECIALS))
    furnish(scene, rng)
    mask = scene.all("mask")[:, FIRST_CHOICE[Component.SPECIAL] :]
    assert (mask == mask[0]).all(), "worlds in the same state have the same mask"
    names = ("inventory", "hand", "off_hand", "blocks", "burn")
    before = {name: scene.all(name) for name in names}
    action = torch.zeros((len(SPECIALS), len(Component)), dtype=torch.int32)
    action[:, Component.SPECIAL] = torch.arange(len(SPECIALS))
    scene.world.step(action)
    faults = scene.all("fault") != 0
    for number, special in enumerate(SPECIALS):
        changed = {n: not np.array_equal(before[n][number], scene.all(n)[number]) for n in before}
        allowed = mask[0, number]
        assert faults[number] == (not allowed), special.name
        assert any(changed.values()) == (allowed and number > 0), special.name
        if allowed:
            assert_effect(special, before, scene, number)


def furnish(scene: Scene, rng: np.random.Generator) -> None:
    """The same random things held, blocks around and view in all worlds."""
    state = scene.world.state
    held = rng.integers(0, 5, len(ITEMS)) * (rng.random(len(ITEMS)) < 0.4)
    state.inventory.copy_(torch.from_numpy(held.astype(np.int32)).expand_as(state.inventory))
    tools = [ITEM[name] for name in ("wooden_pickaxe", "iron_axe") if held[ITEM[name]]]
    state.hand.fill_(tools[0] if tools else -1)
    state.burn.fill_(int(rng.choice([0, 150, 900])))
    state.yaw.fill_(int(rng.integers(0, 3600)))
    state.pitch.fill_(int(rng.integers(-900, 901)))
    kinds = [Block.STONE, Block.TALL_GRASS, Block.TORCH, Block.WATER, Block.RED_FLOWER, Block.SAND]
    for _ in range(60):
        x, y, z = rng.integers(5, 12), rng.integers(GROUND, GROUND + 4), rng.integers(5, 12)
        if (x, z) != (8, 8):
            state.blocks[:, x, z, y] = int(rng.choice(kinds))
    if rng.random() < 0.7:
        state.blocks[:, 9, 9, GROUND] = int(rng.choice([Block.CRAFTING_TABLE, Block.FURNACE]))
    if rng.random() < 0.7:
        state.blocks[:, 7, 7, GROUND] = int(Block.FURNACE)
    scene.refresh()


def assert_effect(special, before: dict[str, np.ndarray], scene: Scene, number: int) -> None:
    change = scene.all("inventory")[number] - before["inventory"][number]
    blocks_changed = (before["blocks"][number] != scene.all("blocks")[number]).sum()
    if special.kind == Special.PLACE:
        assert change.sum() == -1
        assert blocks_changed == 1
    elif special.kind == Special.EQUIP:
        item = ITEM[special.name.removeprefix("equip ")]
        assert scene.all("off_hand" if item in OFF_HAND_ITEMS else "hand")[number] == item
        assert not change.any()
    elif special.kind in (Special.CRAFT, Special.SMELT):
        gained = change[ITEM[special.name.split()[1]]]
        # The fire may take charcoal while charcoal is made.
        burnt = scene.all("burn")[number] > before["burn"][number]
        assert gained > 0 or (special.name == "smelt charcoal" and gained == 0 and burnt)
        assert blocks_changed == 0
    else:
        assert not change.any()


def pitch_mask(scene: Scene) -> np.ndarray:
    first = FIRST_CHOICE[Component.PITCH]
    return scene.all("mask")[0, first : first + ACTION_SIZES[Component.PITCH]]


# Nothing but these keys can be known to do nothing.
@pytest.mark.parametrize(
    ("pitch", "masked"),
    [(900, {2, 4, 6, 8, 14}), (-900, {1, 3, 5, 7, 9}), (899, set()), (0, {11}), (600, {13})],
)
def test_the_camera_cannot_turn_beyond_straight_up_and_down_nor_to_where_it_looks(pitch, masked):
    scene = Scene(pitch=pitch)
    assert set(np.flatnonzero(~pitch_mask(scene))) == masked


@pytest.mark.parametrize("before", [-900, 13, 600])
@pytest.mark.parametrize("place", range(len(PITCH_LEVELS)))
def test_the_camera_turns_straight_to_a_level(before, place):
    scene = Scene(pitch=before)
    action = scene.action()
    action[:, Component.PITCH] = len(CAMERA_ANGLES) + place
    scene.world.step(action)
    assert scene.get("pitch") == (-900, -450, 0, 300, 600, 900)[place]


def test_keys_are_always_allowed_to_the_living():
    scene = Scene(food=20)
    expected = {"attack", "channel", "forward", "back", "left", "right", "jump", "sneak", "sprint"}
    assert {key for key in expected if scene.allows(key)} == expected
    assert not scene.allows("use")
