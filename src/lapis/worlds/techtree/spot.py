"""A new spot: what comes into reach there, and what lies in wait."""

import warp as wp

from lapis.minecraft.ores import LAVA_LEVEL
from lapis.worlds.rng import below, draw
from lapis.worlds.techtree.actions import FIRST, Kind, Reach
from lapis.worlds.techtree.config import LEVEL_BLOCKS, LOWEST, SURFACE
from lapis.worlds.techtree.rules import FIRST_ORE, ORE_COUNT, Purpose, Rules

wp.set_module_options({"enable_backward": False})

_MOVE = FIRST[Kind.MOVE]
_REACH_COUNT = len(Reach)
_FIRST_ORE = int(FIRST_ORE)
_ORE_COUNT = int(ORE_COUNT)

# Blocks in reach at a spot that has any
_SOIL_IN_REACH = 6
_STONE_IN_REACH = 12
_POCKET_IN_REACH = 4
_LEAVES_OF_TREE = 12
_LEAST_LOGS_OF_TREE = 4  # an oak's trunk: 4 to 6
_SPREAD_LOGS_OF_TREE = 3

# DEVIATION: hazards strike once, at chances of the config, instead of being simulated.
# Lava harms by 4 points per half second, and burning goes on for 15 points.
LAVA_DAMAGE = 19000
MONSTER_DAMAGE = 3000  # a zombie's blow


@wp.func
def pick(number: int, running_totals: wp.array[int]) -> int:
    """The first entry whose running total exceeds the draw."""
    last = running_totals.shape[0] - 1
    for entry in range(last):
        if number < running_totals[entry]:
            return entry
    return last


@wp.func
def vein_size(rules: Rules, stream: wp.uint32, ore: int, level: int, in_cave: int) -> int:
    """Ore blocks that come into view: none, or a vein's worth."""
    if draw(stream, Purpose.VEIN + ore) >= rules.vein_chance[ore, level, in_cave]:
        return 0
    return 1 + below(draw(stream, Purpose.VEIN_SIZE + ore), rules.vein_spread[ore])


@wp.func
def show_surface(
    rules: Rules, world: int, stream: wp.uint32, biome: int, reach_io: wp.array2d[int]
):
    """Soil, perhaps a tree, a shore, a gravel pit or open stone."""
    reach_io[world, rules.soil[biome]] = _SOIL_IN_REACH
    if draw(stream, Purpose.TREE) < rules.tree_chance[biome]:
        logs = below(draw(stream, Purpose.TREE_SIZE), _SPREAD_LOGS_OF_TREE)
        reach_io[world, Reach.LOG] = _LEAST_LOGS_OF_TREE + logs
        reach_io[world, Reach.LEAVES] = _LEAVES_OF_TREE
    if draw(stream, Purpose.SAND) < rules.sand_chance:
        reach_io[world, Reach.SAND] = reach_io[world, Reach.SAND] + _POCKET_IN_REACH
    if draw(stream, Purpose.GRAVEL) < rules.gravel_chance:
        reach_io[world, Reach.GRAVEL] = _POCKET_IN_REACH
    if draw(stream, Purpose.OUTCROP) < rules.outcrop_chance[biome]:
        reach_io[world, Reach.STONE] = _STONE_IN_REACH


@wp.func
def show_underground(
    rules: Rules,
    world: int,
    stream: wp.uint32,
    height: int,
    in_cave: int,
    reach_io: wp.array2d[int],
):
    """Stone, pockets of dirt and gravel, and ores by their density at this height."""
    reach_io[world, Reach.STONE] = _STONE_IN_REACH
    if draw(stream, Purpose.DIRT) < rules.gravel_chance:
        reach_io[world, Reach.DIRT] = _POCKET_IN_REACH
    if draw(stream, Purpose.GRAVEL) < rules.gravel_chance:
        reach_io[world, Reach.GRAVEL] = _POCKET_IN_REACH
    level = (height - LOWEST) // LEVEL_BLOCKS
    for ore in range(_ORE_COUNT):
        reach_io[world, _FIRST_ORE + ore] = vein_size(rules, stream, ore, level, in_cave)


@wp.kernel
def arrive(
    # Rules:
    rules: Rules,
    # State in:
    chosen_in: wp.array[int],
    chance_in: wp.array[int],
    height_in: wp.array[int],
    arrived_in: wp.array[int],
    # State in/out:
    biome_io: wp.array[int],
    in_cave_io: wp.array[int],
    reach_io: wp.array2d[int],
    burn_io: wp.array[int],
    damage_io: wp.array[int],
):
    """Draws what is in reach at a new spot; stations and their fire stay behind at the old one."""
    world = wp.tid()
    if arrived_in[world] == 0:
        return
    stream = wp.uint32(chance_in[world])
    height = height_in[world]
    moved = chosen_in[world] == _MOVE
    for kind in range(_REACH_COUNT):
        reach_io[world, kind] = 0
    burn_io[world] = 0
    if height == SURFACE:
        biome = biome_io[world]
        if moved and draw(stream, Purpose.BIOME_CHANGE) < rules.biome_change:
            biome = pick(draw(stream, Purpose.BIOME), rules.area_chance)
            biome_io[world] = biome
        in_cave_io[world] = 0
        show_surface(rules, world, stream, biome, reach_io)
        return
    chance_of_cave = rules.cave_entry[(height - LOWEST) // LEVEL_BLOCKS]
    if moved and in_cave_io[world] > 0:
        chance_of_cave = rules.cave_stay
    in_cave = int(0)
    if draw(stream, Purpose.CAVE) < chance_of_cave:
        in_cave = int(1)
    if height < LAVA_LEVEL and draw(stream, Purpose.LAVA) < rules.lava:
        damage_io[world] = damage_io[world] + LAVA_DAMAGE
    if in_cave > 0 and draw(stream, Purpose.MONSTER) < rules.monster:
        damage_io[world] = damage_io[world] + MONSTER_DAMAGE
    in_cave_io[world] = in_cave
    show_underground(rules, world, stream, height, in_cave, reach_io)
