"""Reading and changing blocks: the only way in which kernels do either."""

import warp as wp

from lapis.minecraft.blocks import Block

# Sums and products are rounded one by one, so that CPU and GPU agree to the last bit.
wp.set_module_options({"enable_backward": False, "fuse_fp": False})

AIR = wp.uint8(Block.AIR)
BEDROCK = wp.uint8(Block.BEDROCK)


@wp.func
def wrapped(coordinate: int, size: int) -> int:
    """A coordinate of x or z on the torus; `size` is a power of two."""
    return coordinate & (size - 1)


@wp.func
def place_of(x: int, y: int, z: int, size: int, height: int) -> int:
    """The number of a block's place in its world: its offset in `blocks`."""
    return (wrapped(x, size) * size + wrapped(z, size)) * height + y


@wp.func
def x_of(place: int, size: int, height: int) -> int:
    """The x of a place."""
    return place // (size * height)


@wp.func
def z_of(place: int, size: int, height: int) -> int:
    """The z of a place."""
    return (place // height) % size


@wp.func
def y_of(place: int, height: int) -> int:
    """The y of a place."""
    return place % height


@wp.func
def block_at(blocks_in: wp.array4d[wp.uint8], world: int, x: int, y: int, z: int) -> wp.uint8:
    """The block at a place: bedrock below the world, air above it."""
    size = blocks_in.shape[1]
    if y < 0:
        return BEDROCK
    if y >= blocks_in.shape[3]:
        return AIR
    return blocks_in[world, wrapped(x, size), wrapped(z, size), y]


@wp.func
def set_block(
    blocks_io: wp.array4d[wp.uint8],
    top_io: wp.array3d[wp.uint8],
    bricks_io: wp.array4d[wp.uint8],
    ceiling_io: wp.array[int],
    world: int,
    x: int,
    y: int,
    z: int,
    block: wp.uint8,
):
    """Puts a block at a place inside of the world's height; one thread per world at a time.

    `top` is kept exact; `bricks` may go on saying that an emptied cube holds something, and
    `ceiling` only rises.
    """
    size = blocks_io.shape[1]
    column_x = wrapped(x, size)
    column_z = wrapped(z, size)
    blocks_io[world, column_x, column_z, y] = block
    highest = int(top_io[world, column_x, column_z])
    if block != AIR:
        bricks_io[world, column_x // 4, column_z // 4, y // 4] = wp.uint8(1)
        ceiling_io[world] = wp.max(ceiling_io[world], y // 4 + 1)
        if y + 1 > highest:
            top_io[world, column_x, column_z] = wp.uint8(y + 1)
    elif y + 1 == highest:
        while highest > 0 and blocks_io[world, column_x, column_z, highest - 1] == AIR:
            highest = highest - 1
        top_io[world, column_x, column_z] = wp.uint8(highest)
