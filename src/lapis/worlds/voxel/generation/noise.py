"""Smooth noise on the torus, and chance by place: pure functions of whole coordinates."""

import warp as wp

from lapis.worlds.rng import fold

wp.set_module_options({"enable_backward": False, "fuse_fp": False})

_PER_DRAW = 1.0 / (1 << 24)


@wp.func
def unit(h: wp.uint32) -> float:
    """A hash as a number in [0, 1)."""
    return float(int(h >> wp.uint32(8))) * _PER_DRAW


@wp.func
def signed_unit(h: wp.uint32) -> float:
    """A hash as a number in [-1, 1)."""
    return unit(h) * 2.0 - 1.0


@wp.func
def whole(h: wp.uint32, count: int) -> int:
    """A hash as a whole number of 0 ... count - 1."""
    return int(h >> wp.uint32(8)) % count


@wp.func
def faded(share: float) -> float:
    """Eases from 0 to 1 with no slope at either end."""
    return share * share * (3.0 - 2.0 * share)


@wp.func
def noise(h: wp.uint32, x: int, z: int, shift: int, size: int) -> float:
    """Value noise in (-1, 1) that repeats every `size` blocks.

    Args:
        h: Hash that tells this noise from others.
        x: Column, 0 <= x < size.
        z: Column, 0 <= z < size.
        shift: Random values lie 2^shift blocks apart, at most size / 2.
        size: Blocks along each side of the torus, a power of two.
    """
    spacing = wp.min(1 << shift, size // 2)
    last = size // spacing - 1
    # Each noise has its own grid: where grids meet, all slopes would vanish together.
    moved_x = (x + int(h >> wp.uint32(8))) & (size - 1)
    moved_z = (z + int(h >> wp.uint32(20))) & (size - 1)
    cell_x = moved_x // spacing
    cell_z = moved_z // spacing
    share_x = faded(float(moved_x - cell_x * spacing) / float(spacing))
    share_z = faded(float(moved_z - cell_z * spacing) / float(spacing))
    low = fold(h, cell_x)
    high = fold(h, (cell_x + 1) & last)
    next_z = (cell_z + 1) & last
    a = signed_unit(fold(low, cell_z))
    b = signed_unit(fold(low, next_z))
    c = signed_unit(fold(high, cell_z))
    d = signed_unit(fold(high, next_z))
    near = a + (b - a) * share_z
    far = c + (d - c) * share_z
    return near + (far - near) * share_x


@wp.func
def torus_offset(coordinate: int, origin: int, size: int) -> int:
    """The shorter way from `origin` to `coordinate` around the torus, in [-size/2, size/2)."""
    half = size // 2
    return ((coordinate - origin + half) & (size - 1)) - half


@wp.func
def torus_distance(x: int, z: int, origin_x: int, origin_z: int, size: int) -> float:
    """The straight distance of two columns on the torus [blocks]."""
    dx = float(torus_offset(x, origin_x, size))
    dz = float(torus_offset(z, origin_z, size))
    return wp.sqrt(dx * dx + dz * dz)
