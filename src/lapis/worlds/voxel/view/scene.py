"""What rays read: the blocks in rows, the eyes of the players, and the worlds to draw."""

import warp as wp

wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})


@wp.struct
class FlatGrid:
    """The memory of `Grid` with one row per world, which takes less arithmetic to read."""

    blocks: wp.array2d[wp.uint8]
    bricks: wp.array2d[wp.uint8]
    top: wp.array2d[wp.uint8]
    ceiling: wp.array[int]
    torch: wp.array2d[int]


@wp.struct
class Eye:
    """What all rays of one world have in common."""

    place: wp.vec3
    forward: wp.vec3
    right: wp.vec3
    up: wp.vec3
    sun: wp.vec3
    """Direction of the sun; it moves from +x (east) over the zenith to -x."""
    day: float
    """Light of the sky, `NIGHT_LIGHT` ... 1."""
    light: float
    """Light at the eye, 0 ... 1."""
    medium: int
    """0 air, 1 water, 2 lava."""
    torch_count: int
    """Torches near enough to matter."""


@wp.struct
class Eyes:
    """The eye of each world, and the way from it to the torches near it."""

    eye: wp.array[Eye]
    near_torch: wp.array2d[wp.vec3]


@wp.struct
class Drawn:
    """The worlds to draw, and the number of threads that share them."""

    rows: wp.array[int]
    row_count: wp.array[int]
    thread_count: int
