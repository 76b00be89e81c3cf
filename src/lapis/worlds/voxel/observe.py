"""What the player feels and holds, and what it can do now."""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.techtree.body import FULL_FOOD, SPRINT_FOOD
from lapis.worlds.voxel.actions import ACTION_SIZES, FIRST_CHOICE, SPECIALS, Component
from lapis.worlds.voxel.body import eye_block
from lapis.worlds.voxel.collision import place_of_feet
from lapis.worlds.voxel.handling import (
    body_covers,
    placing_cell,
    special_allowed,
    support_of,
    used_block,
)
from lapis.worlds.voxel.looking import pitch_after
from lapis.worlds.voxel.rules import MOST_COUNTED, MOST_EXPERIENCE, Rules
from lapis.worlds.voxel.step import SPRINT

wp.set_module_options({"enable_backward": False, "fuse_fp": False})

VITALS: tuple[str, ...] = (
    "health",
    "food",
    "saturation",
    "air",
    "experience",
    "on_ground",
    "under_water",
    "burning",
    "dug",
    "tool_left",
)
"""Columns of the observation `vitals`, each between 0 and 1."""

_HEALTH = VITALS.index("health")
_FOOD = VITALS.index("food")
_SATURATION = VITALS.index("saturation")
_AIR = VITALS.index("air")
_EXPERIENCE = VITALS.index("experience")
_ON_GROUND = VITALS.index("on_ground")
_UNDER_WATER = VITALS.index("under_water")
_BURNING = VITALS.index("burning")
_DUG = VITALS.index("dug")
_TOOL_LEFT = VITALS.index("tool_left")
_SPRINT_CHOICE = FIRST_CHOICE[Component.GAIT] + SPRINT
_USE_CHOICE = FIRST_CHOICE[Component.USE] + 1
_FIRST_PITCH = FIRST_CHOICE[Component.PITCH]
_PITCH_COUNT = ACTION_SIZES[Component.PITCH]
_FIRST_SPECIAL = FIRST_CHOICE[Component.SPECIAL]
_SPECIAL_COUNT = len(SPECIALS)


@wp.kernel
def observe(
    # Rules:
    rules: Rules,
    # State in:
    blocks_in: wp.array4d[wp.uint8],
    position_in: wp.array2d[float],
    on_ground_in: wp.array[int],
    inventory_in: wp.array2d[int],
    wear_in: wp.array2d[int],
    hand_in: wp.array[int],
    off_hand_in: wp.array[int],
    dug_in: wp.array[float],
    health_in: wp.array[int],
    food_in: wp.array[int],
    saturation_in: wp.array[int],
    air_in: wp.array[int],
    fire_in: wp.array[int],
    experience_in: wp.array[int],
    # In:
    which_in: wp.array[wp.bool],
    # Out:
    items_out: wp.array2d[float],
    vitals_out: wp.array2d[float],
    held_out: wp.array2d[float],
    off_held_out: wp.array2d[float],
):
    """Writes what the player of the chosen worlds feels and holds."""
    world = wp.tid()
    if not which_in[world]:
        return
    for item in range(inventory_in.shape[1]):
        count = wp.min(inventory_in[world, item], MOST_COUNTED)
        items_out[world, item] = rules.count_feature[count]
    for tool in range(held_out.shape[1]):
        held_out[world, tool] = 0.0
    tool = int(-1)
    tool_left = float(0.0)
    if hand_in[world] >= 0:
        tool = rules.tool_of_item[hand_in[world]]
        durability = rules.tool_durability[tool]
        tool_left = float(durability - wear_in[world, tool]) / float(durability)
    held_out[world, tool + 1] = 1.0
    off_held_out[world, 0] = wp.where(off_hand_in[world] < 0, 1.0, 0.0)
    for place in range(rules.off_hand_item.shape[0]):
        is_held = off_hand_in[world] == rules.off_hand_item[place]
        off_held_out[world, place + 1] = wp.where(is_held, 1.0, 0.0)
    at_eye = eye_block(world, place_of_feet(world, position_in), blocks_in)
    experience = wp.min(experience_in[world], MOST_EXPERIENCE)
    vitals_out[world, _HEALTH] = float(health_in[world]) / 20000.0
    vitals_out[world, _FOOD] = float(food_in[world]) / 20.0
    vitals_out[world, _SATURATION] = float(saturation_in[world]) / 20000.0
    vitals_out[world, _AIR] = float(wp.max(air_in[world], 0)) / 300.0
    vitals_out[world, _EXPERIENCE] = rules.experience_feature[experience]
    vitals_out[world, _ON_GROUND] = float(on_ground_in[world])
    vitals_out[world, _UNDER_WATER] = wp.where(at_eye == Block.WATER, 1.0, 0.0)
    vitals_out[world, _BURNING] = wp.where(fire_in[world] > 0, 1.0, 0.0)
    vitals_out[world, _DUG] = dug_in[world]
    vitals_out[world, _TOOL_LEFT] = tool_left


@wp.kernel
def allow(
    # Rules:
    rules: Rules,
    # State in:
    blocks_in: wp.array4d[wp.uint8],
    station_count_in: wp.array[int],
    position_in: wp.array2d[float],
    pitch_in: wp.array[int],
    inventory_in: wp.array2d[int],
    hand_in: wp.array[int],
    off_hand_in: wp.array[int],
    looked_at_in: wp.array[int],
    looked_face_in: wp.array[int],
    near_in: wp.array[int],
    burn_in: wp.array[int],
    food_in: wp.array[int],
    died_in: wp.array[wp.bool],
    # In:
    which_in: wp.array[wp.bool],
    # Out:
    mask_out: wp.array2d[wp.bool],
):
    """Writes what can be done now in the chosen worlds; the dead can only do nothing.

    Keys and the camera can always be tried, but for what is known to do nothing.
    """
    world = wp.tid()
    if not which_in[world]:
        return
    alive = not died_in[world]
    for choice in range(_FIRST_SPECIAL):
        mask_out[world, choice] = alive
    for component in range(rules.first_choice.shape[0]):
        mask_out[world, rules.first_choice[component]] = True
    if not alive:
        for special in range(1, _SPECIAL_COUNT):
            mask_out[world, _FIRST_SPECIAL + special] = False
        return
    mask_out[world, _SPRINT_CHOICE] = food_in[world] > SPRINT_FOOD
    for choice in range(1, _PITCH_COUNT):
        pitch = pitch_in[world]
        mask_out[world, _FIRST_PITCH + choice] = pitch_after(rules, pitch, choice) != pitch
    looked_at = looked_at_in[world]
    face = looked_face_in[world]
    eats = food_in[world] < FULL_FOOD and inventory_in[world, rules.food_item] > 0
    becomes = used_block(rules, world, looked_at, face, hand_in[world], position_in, blocks_in)
    mask_out[world, _USE_CHOICE] = eats or becomes > 0
    cell = placing_cell(rules, world, looked_at, face, blocks_in)
    covered = cell >= 0 and body_covers(world, cell, position_in, blocks_in)
    supported = support_of(rules, world, cell, blocks_in)
    for special in range(1, _SPECIAL_COUNT):
        mask_out[world, _FIRST_SPECIAL + special] = special_allowed(
            rules,
            world,
            special,
            cell,
            covered,
            supported,
            near_in[world],
            burn_in[world],
            hand_in[world],
            off_hand_in[world],
            station_count_in[world],
            inventory_in,
        )
