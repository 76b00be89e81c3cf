"""What the player sees, and what it can do now."""

import warp as wp

from lapis.minecraft.biomes import Biome
from lapis.minecraft.items import ITEMS
from lapis.worlds.making import MOST_COUNTED, has_fire, payable_recipe
from lapis.worlds.techtree.actions import (
    ACTIONS,
    CLIMB,
    CRAFT,
    DIG_DOWN,
    EAT,
    EQUIP,
    GATHER,
    MOVE,
    PLACE,
    SMELT,
    TOOL_ITEMS,
    Reach,
)
from lapis.worlds.techtree.body import FULL_FOOD
from lapis.worlds.techtree.config import LEVEL_BLOCKS, LEVEL_COUNT, LOWEST, SURFACE
from lapis.worlds.techtree.rules import Rules
from lapis.worlds.techtree.state import Body, Game, Pack, Spot

wp.set_module_options({"enable_backward": False})

_WIDTHS = {
    "inventory": len(ITEMS),
    "hand": 1 + len(TOOL_ITEMS),
    "biome": len(Biome),
    "level": LEVEL_COUNT,
    "reach": len(Reach),
    "dug": len(Reach),
    "cave": 1,
    "wear": 1,
    "burn": 1,
    "health": 1,
    "food": 1,
    "saturation": 1,
}
FEATURES: dict[str, slice] = {}
"""Where each part of the observation vector lies."""
for _name, _width in _WIDTHS.items():
    _start = sum(part.stop - part.start for part in FEATURES.values())
    FEATURES[_name] = slice(_start, _start + _width)
FEATURE_COUNT = sum(_WIDTHS.values())

_ITEM_COUNT = len(ITEMS)
_REACH_COUNT = len(Reach)
_AT_HAND = FEATURES["hand"].start
_AT_BIOME = FEATURES["biome"].start
_AT_LEVEL = FEATURES["level"].start
_AT_REACH = FEATURES["reach"].start
_AT_DUG = FEATURES["dug"].start
_AT_CAVE = FEATURES["cave"].start
_AT_WEAR = FEATURES["wear"].start
_AT_BURN = FEATURES["burn"].start
_AT_HEALTH = FEATURES["health"].start
_AT_FOOD = FEATURES["food"].start
_AT_SATURATION = FEATURES["saturation"].start

_ACTION_COUNT = len(ACTIONS)
_TOOL_COUNT = len(TOOL_ITEMS)


@wp.kernel
def observe(
    # Rules:
    rules: Rules,
    # State in:
    pack_in: Pack,
    spot_in: Spot,
    body_in: Body,
    # In:
    which_in: wp.array[wp.bool],
    # Out:
    vector_out: wp.array2d[float],
):
    """Writes the observation vector of the chosen worlds."""
    world = wp.tid()
    if not which_in[world]:
        return
    for item in range(_ITEM_COUNT):
        count = wp.min(pack_in.inventory[world, item], MOST_COUNTED)
        vector_out[world, item] = rules.count_feature[count]
    for feature in range(_AT_HAND, vector_out.shape[1]):
        vector_out[world, feature] = 0.0
    hand = pack_in.hand[world]
    vector_out[world, _AT_HAND + 1 + hand] = 1.0
    vector_out[world, _AT_BIOME + spot_in.biome[world]] = 1.0
    level = (spot_in.height[world] - LOWEST) // LEVEL_BLOCKS
    vector_out[world, _AT_LEVEL + level] = 1.0
    for kind in range(_REACH_COUNT):
        vector_out[world, _AT_REACH + kind] = float(wp.min(spot_in.reach[world, kind], 16)) / 16.0
    target = spot_in.target[world]
    if target >= 0:
        need = rules.dig_ticks[target, hand + 1]
        vector_out[world, _AT_DUG + target] = float(spot_in.dug[world]) / float(need)
    vector_out[world, _AT_CAVE] = float(spot_in.in_cave[world])
    if hand >= 0:
        left = rules.tool_durability[hand] - pack_in.wear[world, hand]
        vector_out[world, _AT_WEAR] = float(left) / float(rules.tool_durability[hand])
    vector_out[world, _AT_BURN] = float(wp.min(spot_in.burn[world], 1600)) / 1600.0
    vector_out[world, _AT_HEALTH] = float(body_in.health[world]) / 20000.0
    vector_out[world, _AT_FOOD] = float(body_in.food[world]) / 20.0
    vector_out[world, _AT_SATURATION] = float(body_in.saturation[world]) / 20000.0


@wp.kernel
def allow(
    # Rules:
    rules: Rules,
    # State in:
    pack_in: Pack,
    spot_in: Spot,
    body_in: Body,
    game_in: Game,
    # In:
    which_in: wp.array[wp.bool],
    # Out:
    mask_out: wp.array2d[wp.bool],
):
    """Writes what can be done now in the chosen worlds; the dead can only go through the motion."""
    world = wp.tid()
    if not which_in[world]:
        return
    mask_out[world, MOVE] = True
    if game_in.died[world]:
        for action in range(MOVE + 1, _ACTION_COUNT):
            mask_out[world, action] = False
        return
    mask_out[world, DIG_DOWN] = spot_in.height[world] > LOWEST
    mask_out[world, CLIMB] = spot_in.height[world] < SURFACE
    for kind in range(_REACH_COUNT):
        mask_out[world, GATHER + kind] = spot_in.reach[world, kind] > 0
    for meal in range(rules.food_item.shape[0]):
        hungry = body_in.food[world] < FULL_FOOD
        mask_out[world, EAT + meal] = hungry and pack_in.inventory[world, rules.food_item[meal]] > 0
    for station in range(rules.station_item.shape[0]):
        mask_out[world, PLACE + station] = pack_in.inventory[world, rules.station_item[station]] > 0
    has_furnace = spot_in.reach[world, Reach.FURNACE] > 0
    for smelt in range(rules.making.smelt_item.shape[0]):
        smelted = rules.making.smelt_input[smelt]
        allowed = has_furnace and pack_in.inventory[world, smelted] > 0
        if allowed:
            fuels = rules.making.fuel_item.shape[0]
            allowed = has_fire(
                rules.making, world, spot_in.burn[world], smelted, fuels, pack_in.inventory
            )
        mask_out[world, SMELT + smelt] = allowed
    has_table = spot_in.reach[world, Reach.CRAFTING_TABLE] > 0
    for craft in range(rules.making.craft_item.shape[0]):
        allowed = has_table or rules.making.craft_needs_table[craft] == 0
        if allowed:
            allowed = payable_recipe(rules.making, world, craft, pack_in.inventory) >= 0
        mask_out[world, CRAFT + craft] = allowed
    hand = pack_in.hand[world]
    for tool in range(_TOOL_COUNT):
        held = pack_in.inventory[world, rules.tool_item[tool]] > 0
        mask_out[world, EQUIP + tool] = held and tool != hand
