"""Trees: where they stand, and their trunks and crowns, seen from one column.

DEVIATION: trunks of acacias are straight, jungles have no giant trees, and their bushes are of
jungle wood with its leaves; there are no vines. Trees keep two blocks apart, but not from one
another's crowns.
"""

import warp as wp

from lapis.minecraft.biomes import Wood
from lapis.minecraft.blocks import Block
from lapis.worlds.rng import draw, fold
from lapis.worlds.voxel.generation.land import Plan
from lapis.worlds.voxel.generation.noise import torus_offset, whole
from lapis.worlds.voxel.generation.rules import TREE_CELL, GenerationRules, Purpose
from lapis.worlds.voxel.grid import wrapped
from lapis.worlds.voxel.state import Grid

wp.set_module_options({"enable_backward": False, "fuse_fp": False})

_AIR = wp.uint8(Block.AIR)
_GRASS = wp.uint8(Block.GRASS)
_FIRST_LEAVES = wp.uint8(Block.OAK_LEAVES)
_LAST_LEAVES = wp.uint8(Block.DARK_OAK_LEAVES)

_CLEARING = 4
"""No tree stands this near to the start, so that no crown covers it [blocks]."""


@wp.struct
class Tree:
    """One tree; none where `trunk` is 0."""

    wood: int
    trunk: int
    """Height of the trunk [blocks]."""
    x: int
    z: int
    ground: int
    """The y that it stands on."""
    chance: wp.uint32


@wp.func
def trunk_height(wood: int, h: wp.uint32) -> int:
    """Draws the height of a trunk [blocks]; a jungle has as many bushes as trees."""
    if wood == Wood.OAK:
        return 4 + whole(fold(h, 1), 3)
    if wood == Wood.SPRUCE:
        return 6 + whole(fold(h, 1), 4)
    if wood == Wood.BIRCH or wood == Wood.ACACIA or wood == Wood.DARK_OAK:
        return 5 + whole(fold(h, 1), 3)
    if whole(fold(h, 2), 2) == 0:
        return 1
    return 7 + whole(fold(h, 1), 7)


@wp.func
def crown_radius(wood: int, trunk: int, layer: int) -> int:
    """How far leaves reach from the trunk, -1: none; `layer` 0 is the trunk's highest block."""
    if layer > 1:
        return -1
    if wood == Wood.SPRUCE:
        if layer > 0 or layer < 3 - trunk:
            return wp.where(layer == 1, 0, -1)
        return 1 + ((-layer) & 1)
    if wood == Wood.ACACIA:
        return wp.where(layer == 1, 2, wp.where(layer == 0, 3, -1))
    if wood == Wood.DARK_OAK:
        return wp.where(layer == 1, 1, wp.where(layer >= -2, 2, -1))
    if trunk == 1:
        return wp.where(layer == 1, 1, wp.where(layer == 0, 2, -1))
    if layer < -2:
        return -1
    if layer >= 0:
        return 1
    return wp.where(wood == Wood.JUNGLE, 3, 2)


@wp.func
def is_in_crown(tree: Tree, dx: int, dz: int, layer: int) -> bool:
    """Whether a tree has leaves at an offset from its trunk; some corners are missing."""
    radius = crown_radius(tree.wood, tree.trunk, layer)
    if tree.wood == Wood.DARK_OAK:
        # The trunk is two blocks thick.
        dx = wp.max(dx - 1, -dx)
        dz = wp.max(dz - 1, -dz)
    across = wp.max(wp.abs(dx), wp.abs(dz))
    around = wp.abs(dx) + wp.abs(dz)
    if across > radius:
        return False
    if around < 2 * radius or radius == 0:
        return radius < 3 or around <= 4
    if layer > 0 or radius > 2 or tree.wood == Wood.SPRUCE:
        return False
    corner = 8 * (layer + 4) + 2 * wp.where(dx > 0, 1, 0) + wp.where(dz > 0, 1, 0)
    return whole(fold(tree.chance, 16 + corner), 2) == 0


@wp.func
def bears_tree(grid_in: Grid, world: int, x: int, z: int) -> bool:
    """Whether the ground of a column is grass that no cave has opened."""
    return grid_in.blocks[world, x, z, int(grid_in.top[world, x, z]) - 1] == _GRASS


@wp.func
def tree_of(
    rules: GenerationRules, plan: Plan, grid_in: Grid, h: wp.uint32, x: int, z: int
) -> Tree:
    """The tree that stands at a place where one may stand."""
    size = rules.size
    world = plan.world
    biome = int(grid_in.biome[world, x, z])
    tree = Tree()
    tree.trunk = 0
    if draw(h, 0) >= rules.tree_chance[biome] or not bears_tree(grid_in, world, x, z):
        return tree
    home_x = torus_offset(x, plan.site_x[0], size)
    home_z = torus_offset(z, plan.site_z[0], size)
    if wp.max(wp.abs(home_x), wp.abs(home_z)) <= _CLEARING:
        return tree
    tree.chance = h
    tree.x = x
    tree.z = z
    tree.ground = int(grid_in.top[world, x, z]) - 1
    number = draw(h, 3)
    while (
        tree.wood < rules.wood_total.shape[1] - 1 and number >= rules.wood_total[biome, tree.wood]
    ):
        tree.wood = tree.wood + 1
    if tree.wood == Wood.DARK_OAK:
        next_x = wrapped(x + 1, size)
        next_z = wrapped(z + 1, size)
        if (x // TREE_CELL + z // TREE_CELL) % 2 == 1:
            return tree
        if not bears_tree(grid_in, world, next_x, z):
            return tree
        if not bears_tree(grid_in, world, x, next_z):
            return tree
        if not bears_tree(grid_in, world, next_x, next_z):
            return tree
    tree.trunk = wp.min(trunk_height(tree.wood, h), rules.height - 3 - tree.ground)
    return tree


@wp.func
def is_trunk(wood: int, dx: int, dz: int) -> bool:
    """Whether a column holds the trunk of a tree at an offset."""
    if wood == Wood.DARK_OAK:
        return dx >= 0 and dx <= 1 and dz >= 0 and dz <= 1
    return dx == 0 and dz == 0


@wp.func
def grow_tree(
    rules: GenerationRules, tree: Tree, grid_io: Grid, world: int, x: int, z: int, ground: int
):
    """Puts what a tree has in one column there; logs replace leaves, leaves replace air."""
    dx = torus_offset(x, tree.x, rules.size)
    dz = torus_offset(z, tree.z, rules.size)
    trunk = is_trunk(tree.wood, dx, dz)
    crown = tree.ground + tree.trunk
    for y in range(ground + 1, crown + 2):
        block = grid_io.blocks[world, x, z, y]
        if trunk and y <= crown:
            if block == _AIR or (block >= _FIRST_LEAVES and block <= _LAST_LEAVES):
                grid_io.blocks[world, x, z, y] = wp.uint8(rules.log[tree.wood])
        elif block == _AIR and y > tree.ground and is_in_crown(tree, dx, dz, y - crown):
            grid_io.blocks[world, x, z, y] = wp.uint8(rules.leaves[tree.wood])


@wp.func
def grow_trees(rules: GenerationRules, plan: Plan, grid_io: Grid, x: int, z: int):
    """Puts the parts of all trees around a column into it.

    Trees stand in rows two blocks apart, two blocks apart in the row, each row shifted by chance:
    so no trunks touch, and whoever looks at one column knows all trees that reach it.
    """
    size = rules.size
    cells = size // TREE_CELL
    ground = int(grid_io.top[plan.world, x, z]) - 1
    rows = fold(plan.chance, Purpose.TREE_ROW)
    trees = fold(plan.chance, Purpose.TREE)
    for row_offset in range(-1, 3):
        row = (z // TREE_CELL + row_offset) & (cells - 1)
        shift = whole(fold(rows, row), TREE_CELL)
        row_hash = fold(trees, row)
        for cell_offset in range(-1, 3):
            cell = (wrapped(x - shift, size) // TREE_CELL + cell_offset) & (cells - 1)
            tree_x = wrapped(cell * TREE_CELL + shift, size)
            h = fold(row_hash, cell)
            tree = tree_of(rules, plan, grid_io, h, tree_x, row * TREE_CELL)
            if tree.trunk > 0:
                grow_tree(rules, tree, grid_io, plan.world, x, z, ground)
