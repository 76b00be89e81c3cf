"""Reading and changing blocks: the only way in which kernels do either."""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.state import Grid

# `fuse_fp` in all kernels of this world: sums and products are rounded one by one, so that CPU and
# GPU agree to the last bit.
wp.set_module_options({"enable_backward": False, "fuse_fp": False})


@wp.func
def wrapped(coordinate: int, size: int) -> int:
    """A coordinate of x or z on the torus; `size` is a power of two."""
    return coordinate & (size - 1)


@wp.func
def place_of(x: int, y: int, z: int, size: int, height: int) -> int:
    """The number of a block's place in its world: its offset in `blocks`."""
    return (wrapped(x, size) * size + wrapped(z, size)) * height + y


@wp.func
def cell_at(place: int, size: int, height: int) -> wp.vec3i:
    """The x, y and z of a place."""
    return wp.vec3i(place // (size * height), place % height, (place // height) % size)


@wp.func
def place_in(grid_in: Grid, x: int, y: int, z: int) -> int:
    """The number of a place in a world of this grid."""
    return place_of(x, y, z, grid_in.blocks.shape[1], grid_in.blocks.shape[3])


@wp.func
def cell_in(grid_in: Grid, place: int) -> wp.vec3i:
    """The x, y and z of a place in a world of this grid."""
    return cell_at(place, grid_in.blocks.shape[1], grid_in.blocks.shape[3])


@wp.func
def block_at(grid_in: Grid, world: int, x: int, y: int, z: int) -> int:
    """The block in a cell: bedrock below the world, air above it."""
    size = grid_in.blocks.shape[1]
    if y < 0:
        return Block.BEDROCK
    if y >= grid_in.blocks.shape[3]:
        return Block.AIR
    return int(grid_in.blocks[world, wrapped(x, size), wrapped(z, size), y])


@wp.func
def block_of(grid_in: Grid, world: int, place: int) -> int:
    """The block at a place."""
    cell = cell_in(grid_in, place)
    return block_at(grid_in, world, cell[0], cell[1], cell[2])


@wp.func
def set_block(grid_io: Grid, world: int, x: int, y: int, z: int, block: int):
    """Puts a block into a cell inside of the world's height; one thread per world at a time.

    `top` is kept exact; `bricks` may go on saying that an emptied cube holds something, and
    `ceiling` only rises.
    """
    size = grid_io.blocks.shape[1]
    column_x = wrapped(x, size)
    column_z = wrapped(z, size)
    grid_io.blocks[world, column_x, column_z, y] = wp.uint8(block)
    highest = int(grid_io.top[world, column_x, column_z])
    if block != Block.AIR:
        grid_io.bricks[world, column_x // 4, column_z // 4, y // 4] = wp.uint8(1)
        grid_io.ceiling[world] = wp.max(grid_io.ceiling[world], y // 4 + 1)
        if y + 1 > highest:
            grid_io.top[world, column_x, column_z] = wp.uint8(y + 1)
    elif y + 1 == highest:
        while highest > 0 and grid_io.blocks[world, column_x, column_z, highest - 1] == wp.uint8(0):
            highest = highest - 1
        grid_io.top[world, column_x, column_z] = wp.uint8(highest)
