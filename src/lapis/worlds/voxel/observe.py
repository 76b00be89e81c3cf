"""What the player feels and holds, and what it can do now."""

from enum import IntEnum

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.making import MOST_COUNTED
from lapis.worlds.techtree.body import FULL_FOOD, SPRINT_FOOD
from lapis.worlds.voxel.actions import ACTION_SIZES, FIRST_CHOICE, SPECIALS, Component
from lapis.worlds.voxel.body import eye_block
from lapis.worlds.voxel.handling import (
    body_covers,
    placing_cell,
    special_allowed,
    support_of,
    used_block,
)
from lapis.worlds.voxel.looking import pitch_after
from lapis.worlds.voxel.rules import MOST_EXPERIENCE, Rules
from lapis.worlds.voxel.state import Body, Game, Grid, Pack, Sight
from lapis.worlds.voxel.step import SPRINT

wp.set_module_options({"enable_backward": False, "fuse_fp": False})


# DEVIATION: the paper's player feels health, food, saturation and experience; this one also air,
# the ground, water, fire, how far a block is dug and what is left of the tool.
class Vital(IntEnum):
    """Columns of the observation `vitals`, each between 0 and 1."""

    HEALTH = 0
    FOOD = 1
    SATURATION = 2
    AIR = 3
    EXPERIENCE = 4
    ON_GROUND = 5
    UNDER_WATER = 6
    BURNING = 7
    DUG = 8
    TOOL_LEFT = 9


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
    grid_in: Grid,
    body_in: Body,
    pack_in: Pack,
    sight_in: Sight,
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
    for item in range(pack_in.inventory.shape[1]):
        count = wp.min(pack_in.inventory[world, item], MOST_COUNTED)
        items_out[world, item] = rules.count_feature[count]
    for tool in range(held_out.shape[1]):
        held_out[world, tool] = 0.0
    tool = int(-1)
    tool_left = float(0.0)
    if pack_in.hand[world] >= 0:
        tool = rules.tool_of_item[pack_in.hand[world]]
        durability = rules.tool_durability[tool]
        tool_left = float(durability - pack_in.wear[world, tool]) / float(durability)
    held_out[world, tool + 1] = 1.0
    off_held_out[world, 0] = wp.where(pack_in.off_hand[world] < 0, 1.0, 0.0)
    for place in range(rules.off_hand_item.shape[0]):
        is_held = pack_in.off_hand[world] == rules.off_hand_item[place]
        off_held_out[world, place + 1] = wp.where(is_held, 1.0, 0.0)
    at_eye = eye_block(world, body_in.position[world], grid_in)
    experience = wp.min(pack_in.experience[world], MOST_EXPERIENCE)
    vitals_out[world, Vital.HEALTH] = float(body_in.health[world]) / 20000.0
    vitals_out[world, Vital.FOOD] = float(body_in.food[world]) / 20.0
    vitals_out[world, Vital.SATURATION] = float(body_in.saturation[world]) / 20000.0
    vitals_out[world, Vital.AIR] = float(wp.max(body_in.air[world], 0)) / 300.0
    vitals_out[world, Vital.EXPERIENCE] = rules.experience_feature[experience]
    vitals_out[world, Vital.ON_GROUND] = float(body_in.on_ground[world])
    vitals_out[world, Vital.UNDER_WATER] = wp.where(at_eye == Block.WATER, 1.0, 0.0)
    vitals_out[world, Vital.BURNING] = wp.where(body_in.fire[world] > 0, 1.0, 0.0)
    vitals_out[world, Vital.DUG] = sight_in.dug[world]
    vitals_out[world, Vital.TOOL_LEFT] = tool_left


@wp.kernel
def allow(
    # Rules:
    rules: Rules,
    # State in:
    grid_in: Grid,
    body_in: Body,
    pack_in: Pack,
    sight_in: Sight,
    game_in: Game,
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
    alive = not game_in.died[world]
    for choice in range(_FIRST_SPECIAL):
        mask_out[world, choice] = alive
    for component in range(rules.first_choice.shape[0]):
        mask_out[world, rules.first_choice[component]] = True
    if not alive:
        for special in range(1, _SPECIAL_COUNT):
            mask_out[world, _FIRST_SPECIAL + special] = False
        return
    # DEVIATION: keys that are known to do nothing now are masked too, not special actions alone.
    mask_out[world, _SPRINT_CHOICE] = body_in.food[world] > SPRINT_FOOD
    for choice in range(1, _PITCH_COUNT):
        pitch = body_in.pitch[world]
        mask_out[world, _FIRST_PITCH + choice] = pitch_after(rules, pitch, choice) != pitch
    eats = body_in.food[world] < FULL_FOOD and pack_in.inventory[world, rules.food_item] > 0
    becomes = used_block(rules, world, grid_in, body_in, pack_in, sight_in)
    mask_out[world, _USE_CHOICE] = eats or becomes > 0
    cell = placing_cell(rules, world, grid_in, sight_in)
    covered = cell >= 0 and body_covers(world, cell, grid_in, body_in)
    supported = support_of(rules, world, cell, grid_in)
    for special in range(1, _SPECIAL_COUNT):
        mask_out[world, _FIRST_SPECIAL + special] = special_allowed(
            rules, world, special, cell, covered, supported, grid_in, pack_in, sight_in
        )
