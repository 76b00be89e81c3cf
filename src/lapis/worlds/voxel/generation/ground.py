"""Columns of bedrock, stone, soil and water."""

import warp as wp

from lapis.minecraft.biomes import Biome
from lapis.minecraft.blocks import Block
from lapis.minecraft.ores import BEDROCK_TOP
from lapis.worlds.rng import fold
from lapis.worlds.voxel.config import SEA_LEVEL
from lapis.worlds.voxel.generation.land import Plans, ground_of
from lapis.worlds.voxel.generation.noise import noise
from lapis.worlds.voxel.generation.rules import GenerationRules, Purpose
from lapis.worlds.voxel.state import Grid

wp.set_module_options({"enable_backward": False, "fuse_fp": False})

_AIR = wp.uint8(Block.AIR)
_STONE = wp.uint8(Block.STONE)
_BEDROCK = wp.uint8(Block.BEDROCK)
_WATER = wp.uint8(Block.WATER)
_SANDSTONE = wp.uint8(Block.SANDSTONE)
_BEACH_LEVEL = SEA_LEVEL + 1
_SANDSTONE_LAYERS = 3


@wp.func
def surface_of(biome: int, biome_surface: int, y: int, patch: float) -> int:
    """The block that the ground ends with at height `y`; `patch` is noise in (-1, 1)."""
    if y >= SEA_LEVEL and biome == Biome.SWAMP:
        return biome_surface
    if biome == Biome.EXTREME_HILLS and y > _BEACH_LEVEL and patch > 0.25:
        return Block.STONE
    if y > _BEACH_LEVEL or (y == _BEACH_LEVEL and patch < 0.1):
        return biome_surface
    if y >= SEA_LEVEL:
        if patch > 0.5:
            return Block.GRAVEL
        return Block.SAND
    if patch < -0.3:
        return Block.CLAY
    if patch > 0.45:
        return Block.GRAVEL
    if biome == Biome.SWAMP:
        return Block.DIRT
    return Block.SAND


@wp.func
def soil_below(surface: int) -> int:
    """The block of the layers between the surface and the stone."""
    if surface == Block.GRASS or surface == Block.CLAY:
        return Block.DIRT
    return surface


@wp.func
def is_bedrock(h: wp.uint32, y: int) -> bool:
    """Whether a place at y <= BEDROCK_TOP is bedrock: always at 0, ever less likely above."""
    sixty_fourths = int((h >> wp.uint32(6 * y)) & wp.uint32(63))
    return sixty_fourths * (BEDROCK_TOP + 1) < 64 * (BEDROCK_TOP + 1 - y)


@wp.kernel
def lay_ground(
    # Rules:
    rules: GenerationRules,
    # In:
    plans_in: Plans,
    # Out:
    grid_out: Grid,
):
    """Fills all columns of the planned worlds; `top` is the y above the ground, without water."""
    size = rules.size
    columns = size * size
    for item in range(wp.tid(), plans_in.count[0] * columns, plans_in.thread_count):
        plan = plans_in.plan[item // columns]
        world = plan.world
        column = item % columns
        x = column // size
        z = column % size
        land = ground_of(rules, plan, x, z)
        ground = land[0]
        biome = land[1]
        patch = noise(fold(plan.chance, Purpose.GROUND_PATCH), x, z, 3, size)
        surface = surface_of(biome, rules.surface[biome], ground, patch)
        h = fold(fold(plan.chance, Purpose.COLUMN), column)
        soil = soil_below(surface)
        stone_top = ground - 3 - int(h >> wp.uint32(31))
        sandstone_bottom = stone_top
        if rules.surface[biome] == Block.SAND:
            sandstone_bottom = stone_top - _SANDSTONE_LAYERS
        for y in range(stone_top):
            block = _STONE
            if y <= BEDROCK_TOP and is_bedrock(h, y):
                block = _BEDROCK
            elif y >= sandstone_bottom:
                block = _SANDSTONE
            grid_out.blocks[world, x, z, y] = block
        for y in range(stone_top, ground):
            grid_out.blocks[world, x, z, y] = wp.uint8(soil)
        grid_out.blocks[world, x, z, ground] = wp.uint8(surface)
        for y in range(ground + 1, rules.height):
            grid_out.blocks[world, x, z, y] = wp.where(y <= SEA_LEVEL, _WATER, _AIR)
        grid_out.top[world, x, z] = wp.uint8(ground + 1)
        grid_out.biome[world, x, z] = wp.uint8(biome)
