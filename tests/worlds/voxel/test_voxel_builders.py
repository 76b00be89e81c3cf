"""Pillars, stairs and bridges are built by the public actions alone."""

import dataclasses

from lapis.minecraft.blocks import Block
from tests.worlds.voxel.builders import bridge, ladder, pillar, stairs_up
from tests.worlds.voxel.play_scenes import GROUND, SMALL, Scene


def test_a_pillar_leads_out_of_a_pit():
    scene = Scene(inventory={"cobblestone": 10})
    scene.fill(slice(8, 9), slice(54, 64), slice(8, 9), Block.AIR)
    scene.set(position=(8.5, 54.0, 8.5))
    steps = pillar(scene, "cobblestone", 10)
    assert scene.y == GROUND
    assert scene.count("cobblestone") == 0
    assert steps <= 80
    assert scene.get("health") == 20_000


def test_ladders_lead_out_of_a_pit():
    scene = Scene(inventory={"ladder": 10})
    scene.fill(slice(8, 9), slice(54, 64), slice(8, 9), Block.AIR)
    scene.set(position=(8.5, 54.0, 8.5))
    ladder(scene, 10)
    assert scene.y == GROUND
    assert scene.get("health") == 20_000


def test_stairs_lead_out_of_the_stone():
    scene = Scene(hand="stone_pickaxe")
    scene.fill(slice(8, 9), slice(54, 56), slice(8, 9), Block.AIR)
    scene.set(position=(8.5, 54.0, 8.5))
    stairs_up(scene, 5)
    assert scene.y == 59.0
    assert scene.z > 12
    assert scene.get("health") == 20_000


def test_a_bridge_leads_across_a_gap():
    config = dataclasses.replace(SMALL, size=32)
    scene = Scene(config=config, inventory={"dirt": 12})
    scene.fill(slice(None), slice(1, GROUND), slice(0, 8), Block.AIR)
    scene.set(position=(8.5, GROUND, 8.5))
    bridge(scene, "dirt", 6)
    assert scene.y == GROUND
    assert scene.z < 3
    assert all(scene.at(8, GROUND - 1, z) == Block.DIRT for z in range(4, 8))
