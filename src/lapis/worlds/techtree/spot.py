"""A new spot: what comes into reach there, and what lies in wait."""

# Kernels are read by Warp's compiler, whose types are not Python's.
# pyright: reportArgumentType=false, reportCallIssue=false, reportGeneralTypeIssues=false
# pyright: reportIndexIssue=false, reportOperatorIssue=false, reportAttributeAccessIssue=false

import warp as wp

from lapis.minecraft.ores import LAVA_LEVEL
from lapis.worlds.rng import below, draw
from lapis.worlds.techtree.actions import FIRST, Kind, Reach
from lapis.worlds.techtree.config import LEVEL_BLOCKS, LOWEST, SURFACE
from lapis.worlds.techtree.rules import FIRST_ORE, ORE_COUNT, Purpose, Rules

wp.set_module_options({"enable_backward": False})

# ruff: noqa: UP018, RUF046 (Warp takes a bare 0 for a constant, int(0) for a variable.)

_MOVE = wp.constant(FIRST[Kind.MOVE])
_SURFACE = wp.constant(SURFACE)
_LOWEST = wp.constant(LOWEST)
_LEVEL_BLOCKS = wp.constant(LEVEL_BLOCKS)
_LAVA_LEVEL = wp.constant(LAVA_LEVEL)
_REACH_COUNT = wp.constant(len(Reach))
_DIRT = wp.constant(int(Reach.DIRT))
_SAND = wp.constant(int(Reach.SAND))
_GRAVEL = wp.constant(int(Reach.GRAVEL))
_LOG = wp.constant(int(Reach.LOG))
_LEAVES = wp.constant(int(Reach.LEAVES))
_STONE = wp.constant(int(Reach.STONE))
_FIRST_ORE = wp.constant(int(FIRST_ORE))
_ORE_COUNT = wp.constant(int(ORE_COUNT))
_P_BIOME_CHANGE = wp.constant(int(Purpose.BIOME_CHANGE))
_P_BIOME = wp.constant(int(Purpose.BIOME))
_P_TREE = wp.constant(int(Purpose.TREE))
_P_TREE_SIZE = wp.constant(int(Purpose.TREE_SIZE))
_P_SAND = wp.constant(int(Purpose.SAND))
_P_GRAVEL = wp.constant(int(Purpose.GRAVEL))
_P_OUTCROP = wp.constant(int(Purpose.OUTCROP))
_P_CAVE = wp.constant(int(Purpose.CAVE))
_P_LAVA = wp.constant(int(Purpose.LAVA))
_P_MONSTER = wp.constant(int(Purpose.MONSTER))
_P_DIRT = wp.constant(int(Purpose.DIRT))
_P_VEIN = wp.constant(int(Purpose.VEIN))
_P_VEIN_SIZE = wp.constant(int(Purpose.VEIN_SIZE))

# Blocks in reach at a spot that has any
_SOIL_IN_REACH = wp.constant(6)
_STONE_IN_REACH = wp.constant(12)
_POCKET_IN_REACH = wp.constant(4)
_LEAVES_OF_TREE = wp.constant(12)
_LEAST_LOGS_OF_TREE = wp.constant(4)  # an oak's trunk: 4 to 6
_SPREAD_LOGS_OF_TREE = wp.constant(3)

# DEVIATION: hazards strike once, at chances of the config, instead of being simulated.
# Lava harms by 4 points per half second, and burning goes on for 15 points.
LAVA_DAMAGE = wp.constant(19000)
MONSTER_DAMAGE = wp.constant(3000)  # a zombie's blow


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
    if draw(stream, _P_VEIN + ore) >= rules.vein_chance[ore, level, in_cave]:
        return 0
    return 1 + below(draw(stream, _P_VEIN_SIZE + ore), rules.vein_spread[ore])


@wp.func
def show_surface(
    rules: Rules, world: int, stream: wp.uint32, biome: int, reach_io: wp.array2d[int]
):
    """Soil, perhaps a tree, a shore, a gravel pit or open stone."""
    reach_io[world, rules.soil[biome]] = _SOIL_IN_REACH
    if draw(stream, _P_TREE) < rules.tree_chance[biome]:
        logs = below(draw(stream, _P_TREE_SIZE), _SPREAD_LOGS_OF_TREE)
        reach_io[world, _LOG] = _LEAST_LOGS_OF_TREE + logs
        reach_io[world, _LEAVES] = _LEAVES_OF_TREE
    if draw(stream, _P_SAND) < rules.sand_chance:
        reach_io[world, _SAND] = reach_io[world, _SAND] + _POCKET_IN_REACH
    if draw(stream, _P_GRAVEL) < rules.gravel_chance:
        reach_io[world, _GRAVEL] = _POCKET_IN_REACH
    if draw(stream, _P_OUTCROP) < rules.outcrop_chance[biome]:
        reach_io[world, _STONE] = _STONE_IN_REACH


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
    reach_io[world, _STONE] = _STONE_IN_REACH
    if draw(stream, _P_DIRT) < rules.gravel_chance:
        reach_io[world, _DIRT] = _POCKET_IN_REACH
    if draw(stream, _P_GRAVEL) < rules.gravel_chance:
        reach_io[world, _GRAVEL] = _POCKET_IN_REACH
    level = (height - _LOWEST) // _LEVEL_BLOCKS
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
    if height == _SURFACE:
        biome = biome_io[world]
        if moved and draw(stream, _P_BIOME_CHANGE) < rules.biome_change:
            biome = pick(draw(stream, _P_BIOME), rules.area_chance)
            biome_io[world] = biome
        in_cave_io[world] = 0
        show_surface(rules, world, stream, biome, reach_io)
        return
    chance_of_cave = rules.cave_entry[(height - _LOWEST) // _LEVEL_BLOCKS]
    if moved and in_cave_io[world] > 0:
        chance_of_cave = rules.cave_stay
    in_cave = int(0)
    if draw(stream, _P_CAVE) < chance_of_cave:
        in_cave = int(1)
    if height < _LAVA_LEVEL and draw(stream, _P_LAVA) < rules.lava:
        damage_io[world] = damage_io[world] + LAVA_DAMAGE
    if in_cave > 0 and draw(stream, _P_MONSTER) < rules.monster:
        damage_io[world] = damage_io[world] + MONSTER_DAMAGE
    in_cave_io[world] = in_cave
    show_underground(rules, world, stream, height, in_cave, reach_io)
