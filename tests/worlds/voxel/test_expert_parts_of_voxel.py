"""The scripted player's eyes, steering and ways, against the world and by hand."""

import math

import numpy as np
import pytest
import torch

from lapis.minecraft.blocks import Block
from lapis.minecraft.goals import GOALS, IMPOSSIBLE
from lapis.minecraft.items import ITEMS
from lapis.minecraft.planner import obtainable
from lapis.minecraft.recipes import RECIPES
from lapis.worlds.voxel.actions import ACTION_SIZES, CAMERA_ANGLES, Component
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.expert.geometry import Torus, angles_to, first_target, gaze
from lapis.worlds.voxel.expert.path import Kind, Terrain, drop, find_path, sinking
from lapis.worlds.voxel.expert.script import log_budget
from lapis.worlds.voxel.expert.senses import Senses
from lapis.worlds.voxel.expert.steering import camera_choice, steer, turn, turned
from lapis.worlds.voxel.world import VoxelWorld
from tests.worlds.voxel.play_scenes import GROUND, Scene

TORUS = Torus(16, 80)


def test_the_expert_sees_what_the_world_says_it_looks_at():
    world = VoxelWorld(8, seed=2, config=VoxelConfig(size=32, frame_size=8))
    senses = [Senses(world, row) for row in range(8)]
    chance = np.random.default_rng(0)
    differing = 0
    for _ in range(60):
        action = np.zeros((8, len(ACTION_SIZES)), np.int32)
        action[:, Component.YAW] = chance.integers(0, len(CAMERA_ANGLES), 8)
        action[:, Component.WALK] = 1
        world.step(torch.from_numpy(action))
        for sense in senses:
            seen = first_target(sense.torus, sense.cells, sense.eye, gaze(sense.yaw, sense.pitch))
            differing += seen != sense.looked_at
    # Rays through an edge may fall to either side in another precision.
    assert differing <= 2


@pytest.mark.parametrize(
    ("way", "yaw", "pitch"),
    [
        ((0, 0, 1), 0, 0),
        ((-1, 0, 0), 900, 0),
        ((0, 0, -1), 1800, 0),
        ((1, 0, 0), 2700, 0),
        ((0, -1, 0), None, 900),
        ((0, 1, 1), 0, -450),
    ],
)
def test_angles_look_along_a_way(way, yaw, pitch):
    found = angles_to(way)
    assert found[1] == pitch
    assert yaw is None or found[0] == yaw
    length = math.hypot(*way)
    assert gaze(*found) == pytest.approx([part / length for part in way], abs=1e-6)


def test_ways_on_the_torus_are_the_short_ones():
    assert TORUS.way((15.5, 3.0, 0.5), (0.5, 5.0, 15.5)) == (1.0, 2.0, -1.0)
    assert TORUS.cell(TORUS.place(-1, 7, 17)) == (15, 7, 1)


def test_the_camera_comes_within_a_step_of_any_angle():
    for wanted in range(0, 3600, 7):
        yaw, pitch = 0, 0
        for _ in range(12):
            yaw, pitch = turned(yaw, pitch, turn(yaw, pitch, wanted, wanted // 4 - 450))
        assert abs((yaw - wanted + 1800) % 3600 - 1800) <= 7
        assert abs(pitch - (wanted // 4 - 450)) <= 7


def test_camera_choices_by_hand():
    turns = [CAMERA_ANGLES[camera_choice(difference)] for difference in (0, 7, 8, -40, 120, 900)]
    assert turns == [0, 0, 15, -50, 150, 450]


@pytest.mark.parametrize("yaw", [0, 300, 1325, 2700])
@pytest.mark.parametrize("way", [(0.86, 0.0, 0.0), (0.5, 0.0, -0.5), (-0.2, 0.0, 0.1)])
def test_a_walker_comes_to_rest_near_the_end_of_the_way(yaw, way):
    scene = Scene(yaw=yaw)
    senses = Senses(scene.world, 0)
    goal = tuple(a + b for a, b in zip((8.5, GROUND, 8.5), way, strict=True))
    for _ in range(6):
        left = senses.torus.way(senses.position, goal)
        keys = steer(senses.yaw, left, senses.velocity, careful=False)
        action = np.zeros((1, len(ACTION_SIZES)), np.int32)
        action[0, [Component.WALK, Component.STRAFE, Component.GAIT]] = keys
        scene.world.step(torch.from_numpy(action))
    left = senses.torus.way(senses.position, goal)
    # A push of 0.26 along each of two axes leaves at most half of its diagonal, and a little.
    assert math.hypot(left[0], left[2]) < 0.195


class Ground:
    """Hand-made terrain: stone up to height 10, air above."""

    def __init__(self, blocks: dict[tuple[int, int, int], Block] | None = None):
        cells = np.zeros((16, 16, 80), np.uint8)
        cells[..., 0] = Block.BEDROCK
        cells[..., 1:11] = Block.STONE
        for (x, y, z), block in (blocks or {}).items():
            cells[x, z, y] = block
        self.cells = cells.tobytes()

    def way(self, start, end, *, stone=1000.0, can_build=False, most_nodes=5000):
        dig_ticks = [math.inf if block == Block.BEDROCK else stone for block in Block]
        terrain = Terrain(TORUS, self.cells, dig_ticks, can_build=can_build)
        goal = TORUS.place(*end)
        return find_path(
            terrain, TORUS.place(*start), lambda node: node == goal, lambda _: 0.0, most_nodes
        )

    def kinds(self, *arguments, **options):
        return [move.kind for move in self.way(*arguments, **options)]


def test_the_way_over_flat_land_is_straight_and_crosses_the_seam():
    assert Ground().kinds((1, 11, 5), (14, 11, 5)) == [Kind.WALK] * 3


def test_a_step_is_climbed_and_left_by_a_drop():
    wall = {(8, 11, z): Block.STONE for z in range(16)}
    wall |= {(0, y, z): Block.BEDROCK for z in range(16) for y in (11, 12, 13, 14)}
    kinds = Ground(wall).kinds((7, 11, 5), (9, 11, 5))
    assert kinds == [Kind.CLIMB, Kind.DROP]


def test_a_wall_is_dug_through_if_that_is_faster():
    walls = {(x, y, z): Block.STONE for x in (0, 8) for z in range(16) for y in range(11, 20)}
    moves = Ground(walls).way((7, 11, 5), (9, 11, 5), stone=5.0)
    assert [move.kind for move in moves] == [Kind.WALK, Kind.WALK]
    # The head's block is dug first.
    assert moves[0].clear == (TORUS.place(8, 12, 5), TORUS.place(8, 11, 5))


def test_bedrock_and_lava_are_no_ways():
    for block in (Block.BEDROCK, Block.LAVA):
        walls = {(x, y, z): block for x in (0, 8) for z in range(16) for y in range(1, 76)}
        assert Ground(walls).way((7, 11, 5), (9, 11, 5), stone=1.0) is None


def test_down_goes_by_digging_the_floor_and_up_by_building_or_stairs():
    assert Ground().kinds((5, 11, 5), (5, 8, 5), stone=10.0) == [Kind.SINK] * 3
    assert Ground().kinds((5, 11, 5), (5, 14, 5), can_build=True) == [Kind.PILLAR] * 3
    assert Ground().way((5, 11, 5), (5, 14, 5), most_nodes=500) is None


def test_water_is_swum():
    lake = {(x, y, z): Block.WATER for x in (7, 8, 9) for z in range(16) for y in (9, 10)}
    lake |= {(0, y, z): Block.BEDROCK for z in range(16) for y in (11, 12, 13, 14)}
    kinds = Ground(lake).kinds((6, 11, 5), (10, 11, 5))
    assert kinds == [Kind.DROP, Kind.SWIM, Kind.SWIM, Kind.CLIMB]


@pytest.mark.parametrize(
    ("bottom", "depth"),
    [
        ({}, 0),
        ({10: Block.AIR}, 1),
        ({10: Block.AIR, 9: Block.AIR, 8: Block.AIR}, 3),
        ({10: Block.AIR, 9: Block.AIR, 8: Block.AIR, 7: Block.AIR}, 0),
        ({10: Block.AIR, 9: Block.LAVA}, 0),
        ({10: Block.AIR, 9: Block.CACTUS}, 0),
        ({10: Block.AIR, 9: Block.AIR, 8: Block.AIR, 7: Block.AIR, 6: Block.WATER}, 5),
    ],
)
def test_how_far_one_may_drop(bottom, depth):
    ground = Ground({(5, y, 5): block for y, block in bottom.items()})
    assert drop(TORUS, ground.cells, TORUS.place(5, 11, 5)) == depth


@pytest.mark.parametrize(
    ("under", "depth"),
    [
        ({}, 1),
        ({9: Block.AIR, 8: Block.AIR}, 3),
        ({9: Block.AIR, 8: Block.AIR, 7: Block.AIR}, 0),
        ({9: Block.LAVA}, 0),
        ({9: Block.WATER}, 2),
    ],
)
def test_how_far_one_sinks_without_a_floor(under, depth):
    ground = Ground({(5, y, 5): block for y, block in under.items()})
    assert sinking(TORUS, ground.cells, TORUS.place(5, 11, 5)) == depth


def test_with_all_that_can_be_had_every_craft_is_allowed_but_the_impossible_ones():
    # What worlds never give is not held; what they give is held a hundred times.
    held = dict.fromkeys(obtainable() & set(ITEMS), 100)
    scene = Scene(inventory=held)
    scene.build({(8, GROUND, 10): Block.CRAFTING_TABLE, (9, GROUND, 10): Block.FURNACE})
    crafts = {f"craft {recipe.output}" for recipe in RECIPES}
    allowed = scene.allowed() & crafts
    assert crafts - allowed == {f"craft {goal}" for goal in IMPOSSIBLE}
    assert {f"craft {goal}" for goal in GOALS} & crafts <= allowed


@pytest.mark.parametrize(
    ("goal", "pickaxe", "logs"),
    [
        ("dirt", None, 0),
        ("planks", None, 1),
        # 8 planks, and a table.
        ("chest", None, 2 + 1),
        # A wooden pickaxe is 3 planks and 2 sticks, 4 planks in all: 1 log. A table, and 1 spare.
        ("cobblestone", None, 1 + 1 + 1),
        # 2 sticks more for each of two pickaxes: 2 planks, half a log, and so 2 logs; 5 spare.
        ("diamond", None, 2 + 1 + 5),
        ("diamond", "iron_pickaxe", 0),
        # A quarter of a log for the sticks, and a table.
        ("diamond_pickaxe", "iron_pickaxe", 1 + 1),
    ],
)
def test_wood_is_gathered_for_the_whole_plan(goal, pickaxe, logs):
    assert log_budget(goal, pickaxe) == logs
