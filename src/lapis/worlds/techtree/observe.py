"""What the player sees, and what it can do now."""

import warp as wp

from lapis.minecraft.biomes import Biome
from lapis.minecraft.items import ITEMS
from lapis.worlds.making import has_fire, payable_recipe
from lapis.worlds.techtree.actions import ACTIONS, FIRST, TOOL_ITEMS, Kind, Reach
from lapis.worlds.techtree.body import FULL_FOOD
from lapis.worlds.techtree.config import LEVEL_BLOCKS, LEVEL_COUNT, LOWEST, SURFACE
from lapis.worlds.techtree.crafting import CRAFT, EAT, EQUIP, PLACE, SMELT
from lapis.worlds.techtree.rules import MOST_COUNTED, Rules

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

_MOVE = FIRST[Kind.MOVE]
_DIG_DOWN = FIRST[Kind.DIG_DOWN]
_CLIMB = FIRST[Kind.CLIMB]
_GATHER = FIRST[Kind.GATHER]
_ACTION_COUNT = len(ACTIONS)
_TOOL_COUNT = len(TOOL_ITEMS)


@wp.kernel
def observe(
    # Rules:
    rules: Rules,
    # State in:
    inventory_in: wp.array2d[int],
    wear_in: wp.array2d[int],
    hand_in: wp.array[int],
    biome_in: wp.array[int],
    height_in: wp.array[int],
    in_cave_in: wp.array[int],
    reach_in: wp.array2d[int],
    target_in: wp.array[int],
    dug_in: wp.array[int],
    burn_in: wp.array[int],
    health_in: wp.array[int],
    food_in: wp.array[int],
    saturation_in: wp.array[int],
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
        count = wp.min(inventory_in[world, item], MOST_COUNTED)
        vector_out[world, item] = rules.count_feature[count]
    for feature in range(_AT_HAND, vector_out.shape[1]):
        vector_out[world, feature] = 0.0
    hand = hand_in[world]
    vector_out[world, _AT_HAND + 1 + hand] = 1.0
    vector_out[world, _AT_BIOME + biome_in[world]] = 1.0
    level = (height_in[world] - LOWEST) // LEVEL_BLOCKS
    vector_out[world, _AT_LEVEL + level] = 1.0
    for kind in range(_REACH_COUNT):
        vector_out[world, _AT_REACH + kind] = float(wp.min(reach_in[world, kind], 16)) / 16.0
    target = target_in[world]
    if target >= 0:
        need = rules.dig_ticks[target, hand + 1]
        vector_out[world, _AT_DUG + target] = float(dug_in[world]) / float(need)
    vector_out[world, _AT_CAVE] = float(in_cave_in[world])
    if hand >= 0:
        left = rules.tool_durability[hand] - wear_in[world, hand]
        vector_out[world, _AT_WEAR] = float(left) / float(rules.tool_durability[hand])
    vector_out[world, _AT_BURN] = float(wp.min(burn_in[world], 1600)) / 1600.0
    vector_out[world, _AT_HEALTH] = float(health_in[world]) / 20000.0
    vector_out[world, _AT_FOOD] = float(food_in[world]) / 20.0
    vector_out[world, _AT_SATURATION] = float(saturation_in[world]) / 20000.0


@wp.kernel
def allow(
    # Rules:
    rules: Rules,
    # State in:
    inventory_in: wp.array2d[int],
    hand_in: wp.array[int],
    height_in: wp.array[int],
    reach_in: wp.array2d[int],
    burn_in: wp.array[int],
    food_in: wp.array[int],
    died_in: wp.array[wp.bool],
    # In:
    which_in: wp.array[wp.bool],
    # Out:
    mask_out: wp.array2d[wp.bool],
):
    """Writes what can be done now in the chosen worlds; the dead can only go through the motion."""
    world = wp.tid()
    if not which_in[world]:
        return
    mask_out[world, _MOVE] = True
    if died_in[world]:
        for action in range(_MOVE + 1, _ACTION_COUNT):
            mask_out[world, action] = False
        return
    mask_out[world, _DIG_DOWN] = height_in[world] > LOWEST
    mask_out[world, _CLIMB] = height_in[world] < SURFACE
    for kind in range(_REACH_COUNT):
        mask_out[world, _GATHER + kind] = reach_in[world, kind] > 0
    for meal in range(rules.food_item.shape[0]):
        hungry = food_in[world] < FULL_FOOD
        mask_out[world, EAT + meal] = hungry and inventory_in[world, rules.food_item[meal]] > 0
    for station in range(rules.station_item.shape[0]):
        mask_out[world, PLACE + station] = inventory_in[world, rules.station_item[station]] > 0
    has_furnace = reach_in[world, Reach.FURNACE] > 0
    for smelt in range(rules.smelt_item.shape[0]):
        smelted = rules.smelt_input[smelt]
        allowed = has_furnace and inventory_in[world, smelted] > 0
        if allowed:
            fuels = rules.fuel_item.shape[0]
            allowed = has_fire(rules, world, burn_in[world], smelted, fuels, inventory_in)
        mask_out[world, SMELT + smelt] = allowed
    has_table = reach_in[world, Reach.CRAFTING_TABLE] > 0
    for craft in range(rules.craft_item.shape[0]):
        allowed = has_table or rules.craft_needs_table[craft] == 0
        if allowed:
            allowed = payable_recipe(rules, world, craft, inventory_in) >= 0
        mask_out[world, CRAFT + craft] = allowed
    hand = hand_in[world]
    for tool in range(_TOOL_COUNT):
        held = inventory_in[world, rules.tool_item[tool]] > 0
        mask_out[world, EQUIP + tool] = held and tool != hand
