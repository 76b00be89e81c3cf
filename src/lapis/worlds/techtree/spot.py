"""A new spot: what comes into reach there, and what lies in wait."""

import warp as wp

from lapis.minecraft.ores import LAVA_LEVEL
from lapis.worlds.rng import below, draw
from lapis.worlds.techtree.actions import MOVE, Reach
from lapis.worlds.techtree.config import LEVEL_BLOCKS, LOWEST, SURFACE
from lapis.worlds.techtree.rules import FIRST_ORE, ORE_COUNT, Purpose, Rules
from lapis.worlds.techtree.state import Game, Spot

wp.set_module_options({"enable_backward": False})

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
def show_surface(rules: Rules, world: int, stream: wp.uint32, biome: int, spot_io: Spot):
    """Soil, perhaps a tree, a shore, a gravel pit or open stone."""
    spot_io.reach[world, rules.soil[biome]] = _SOIL_IN_REACH
    if draw(stream, Purpose.TREE) < rules.tree_chance[biome]:
        logs = below(draw(stream, Purpose.TREE_SIZE), _SPREAD_LOGS_OF_TREE)
        spot_io.reach[world, Reach.LOG] = _LEAST_LOGS_OF_TREE + logs
        spot_io.reach[world, Reach.LEAVES] = _LEAVES_OF_TREE
    if draw(stream, Purpose.SAND) < rules.sand_chance:
        spot_io.reach[world, Reach.SAND] = spot_io.reach[world, Reach.SAND] + _POCKET_IN_REACH
    if draw(stream, Purpose.GRAVEL) < rules.gravel_chance:
        spot_io.reach[world, Reach.GRAVEL] = _POCKET_IN_REACH
    if draw(stream, Purpose.OUTCROP) < rules.outcrop_chance[biome]:
        spot_io.reach[world, Reach.STONE] = _STONE_IN_REACH


@wp.func
def show_underground(
    rules: Rules, world: int, stream: wp.uint32, height: int, in_cave: int, spot_io: Spot
):
    """Stone, pockets of dirt and gravel, and ores by their density at this height."""
    spot_io.reach[world, Reach.STONE] = _STONE_IN_REACH
    if draw(stream, Purpose.DIRT) < rules.gravel_chance:
        spot_io.reach[world, Reach.DIRT] = _POCKET_IN_REACH
    if draw(stream, Purpose.GRAVEL) < rules.gravel_chance:
        spot_io.reach[world, Reach.GRAVEL] = _POCKET_IN_REACH
    level = (height - LOWEST) // LEVEL_BLOCKS
    for ore in range(_ORE_COUNT):
        spot_io.reach[world, _FIRST_ORE + ore] = vein_size(rules, stream, ore, level, in_cave)


@wp.kernel
def arrive(
    # Rules:
    rules: Rules,
    # State in/out:
    game_io: Game,
    spot_io: Spot,
):
    """Draws what is in reach at a new spot; stations and their fire stay behind at the old one."""
    world = wp.tid()
    if game_io.arrived[world] == 0:
        return
    stream = wp.uint32(game_io.chance[world])
    height = spot_io.height[world]
    moved = game_io.chosen[world] == MOVE
    for kind in range(_REACH_COUNT):
        spot_io.reach[world, kind] = 0
    spot_io.burn[world] = 0
    if height == SURFACE:
        biome = spot_io.biome[world]
        if moved and draw(stream, Purpose.BIOME_CHANGE) < rules.biome_change:
            biome = pick(draw(stream, Purpose.BIOME), rules.area_chance)
            spot_io.biome[world] = biome
        spot_io.in_cave[world] = 0
        show_surface(rules, world, stream, biome, spot_io)
        return
    chance_of_cave = rules.cave_entry[(height - LOWEST) // LEVEL_BLOCKS]
    if moved and spot_io.in_cave[world] > 0:
        chance_of_cave = rules.cave_stay
    in_cave = int(0)
    if draw(stream, Purpose.CAVE) < chance_of_cave:
        in_cave = int(1)
    if height < LAVA_LEVEL and draw(stream, Purpose.LAVA) < rules.lava:
        game_io.damage[world] = game_io.damage[world] + LAVA_DAMAGE
    if in_cave > 0 and draw(stream, Purpose.MONSTER) < rules.monster:
        game_io.damage[world] = game_io.damage[world] + MONSTER_DAMAGE
    spot_io.in_cave[world] = in_cave
    show_underground(rules, world, stream, height, in_cave, spot_io)
