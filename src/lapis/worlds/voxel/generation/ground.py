"""Columns of bedrock, stone, soil and water."""

# Kernels are read by Warp's compiler, whose types are not Python's.
# pyright: reportArgumentType=false, reportCallIssue=false, reportGeneralTypeIssues=false
# pyright: reportIndexIssue=false, reportOperatorIssue=false, reportAttributeAccessIssue=false

import warp as wp

from lapis.minecraft.biomes import Biome
from lapis.minecraft.blocks import Block
from lapis.minecraft.ores import BEDROCK_TOP
from lapis.worlds.rng import fold
from lapis.worlds.voxel.config import SEA_LEVEL
from lapis.worlds.voxel.generation.land import Plan, ground_of
from lapis.worlds.voxel.generation.noise import noise
from lapis.worlds.voxel.generation.rules import GenerationRules, Purpose

# Sums and products are rounded one by one, so that CPU and GPU agree to the last bit.
wp.set_module_options({"enable_backward": False, "fuse_fp": False})

_AIR = wp.constant(wp.uint8(Block.AIR))
_STONE = wp.constant(wp.uint8(Block.STONE))
_BEDROCK = wp.constant(wp.uint8(Block.BEDROCK))
_WATER = wp.constant(wp.uint8(Block.WATER))
_SANDSTONE = wp.constant(wp.uint8(Block.SANDSTONE))
_GRASS = wp.constant(int(Block.GRASS))
_DIRT = wp.constant(int(Block.DIRT))
_SAND = wp.constant(int(Block.SAND))
_GRAVEL = wp.constant(int(Block.GRAVEL))
_CLAY = wp.constant(int(Block.CLAY))
_BARE = wp.constant(int(Block.STONE))
_EXTREME_HILLS = wp.constant(int(Biome.EXTREME_HILLS))
_SWAMP = wp.constant(int(Biome.SWAMP))
_SEA_LEVEL = wp.constant(SEA_LEVEL)
_BEACH_LEVEL = wp.constant(SEA_LEVEL + 1)
_BEDROCK_TOP = wp.constant(BEDROCK_TOP)
_SANDSTONE_LAYERS = wp.constant(3)
_P_GROUND_PATCH = wp.constant(int(Purpose.GROUND_PATCH))
_P_COLUMN = wp.constant(int(Purpose.COLUMN))


@wp.func
def surface_of(biome: int, biome_surface: int, y: int, patch: float) -> int:
    """The block that the ground ends with at height `y`; `patch` is noise in (-1, 1)."""
    if y >= _SEA_LEVEL and biome == _SWAMP:
        return biome_surface
    if biome == _EXTREME_HILLS and y > _BEACH_LEVEL and patch > 0.25:
        return _BARE
    if y > _BEACH_LEVEL or (y == _BEACH_LEVEL and patch < 0.1):
        return biome_surface
    if y >= _SEA_LEVEL:
        if patch > 0.5:
            return _GRAVEL
        return _SAND
    if patch < -0.3:
        return _CLAY
    if patch > 0.45:
        return _GRAVEL
    if biome == _SWAMP:
        return _DIRT
    return _SAND


@wp.func
def soil_below(surface: int) -> int:
    """The block of the layers between the surface and the stone."""
    if surface == _GRASS:
        return _DIRT
    if surface == _CLAY:
        return _DIRT
    return surface


@wp.func
def is_bedrock(h: wp.uint32, y: int) -> bool:
    """Whether a place at y <= BEDROCK_TOP is bedrock: always at 0, ever less likely above."""
    sixty_fourths = int((h >> wp.uint32(6 * y)) & wp.uint32(63))
    return sixty_fourths * (_BEDROCK_TOP + 1) < 64 * (_BEDROCK_TOP + 1 - y)


@wp.kernel
def lay_ground(
    # Rules:
    rules: GenerationRules,
    # In:
    plan_in: wp.array[Plan],
    plan_count_in: wp.array[int],
    thread_count_in: int,
    # Out:
    blocks_out: wp.array4d[wp.uint8],
    top_out: wp.array3d[wp.uint8],
    biome_out: wp.array3d[wp.uint8],
):
    """Fills all columns of the planned worlds; `top` is the y above the ground, without water."""
    size = rules.size
    columns = size * size
    for item in range(wp.tid(), plan_count_in[0] * columns, thread_count_in):
        plan = plan_in[item // columns]
        world = plan.world
        column = item % columns
        x = column // size
        z = column % size
        land = ground_of(rules, plan, x, z)
        ground = land[0]
        biome = land[1]
        patch = noise(fold(plan.chance, _P_GROUND_PATCH), x, z, 3, size)
        surface = surface_of(biome, rules.surface[biome], ground, patch)
        h = fold(fold(plan.chance, _P_COLUMN), column)
        soil = soil_below(surface)
        stone_top = ground - 3 - int(h >> wp.uint32(31))
        sandstone_bottom = stone_top
        if rules.surface[biome] == _SAND:
            sandstone_bottom = stone_top - _SANDSTONE_LAYERS
        for y in range(stone_top):
            block = _STONE
            if y <= _BEDROCK_TOP and is_bedrock(h, y):
                block = _BEDROCK
            elif y >= sandstone_bottom:
                block = _SANDSTONE
            blocks_out[world, x, z, y] = block
        for y in range(stone_top, ground):
            blocks_out[world, x, z, y] = wp.uint8(soil)
        blocks_out[world, x, z, ground] = wp.uint8(surface)
        for y in range(ground + 1, rules.height):
            block = _AIR
            if y <= _SEA_LEVEL:
                block = _WATER
            blocks_out[world, x, z, y] = block
        top_out[world, x, z] = wp.uint8(ground + 1)
        biome_out[world, x, z] = wp.uint8(biome)
