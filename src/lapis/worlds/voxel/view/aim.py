"""Where the eye of each world is, which way it looks, and the light there: once per picture."""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.grid import place_of, x_of, y_of, z_of
from lapis.worlds.voxel.view.light import TORCH_REACH, sky_light, torch_light
from lapis.worlds.voxel.view.look import Look
from lapis.worlds.voxel.view.ray import cell_of

wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})

EYE_HEIGHT = 1.62
"""Of the eye above the feet [blocks]."""
NIGHT_LIGHT = 0.3
"""Light at midnight; noon has 1. Brighter than the game's, so that nights can be played."""

_WATER = wp.uint8(Block.WATER)
_LAVA = wp.uint8(Block.LAVA)


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


@wp.func
def sine_of(look: Look, angle: int) -> float:
    """The sine of an angle [1/10 degree] of any size."""
    turned = angle % 3600
    if turned < 0:
        turned = turned + 3600
    return look.sine[turned]


@wp.func
def day_light(sun_height: float) -> float:
    """Light of the sky by the sine of the sun's height: full well before noon, dim at night."""
    return wp.clamp(0.5 + 1.6 * sun_height, NIGHT_LIGHT, 1.0)


@wp.func
def nearest_image(offset: float, size: float) -> float:
    """The shortest way around the torus to something at an offset."""
    half = 0.5 * size
    if offset > half:
        return offset - size
    if offset < -half:
        return offset + size
    return offset


@wp.func
def turned_eye(look: Look, yaw: int, pitch: int, time: int) -> Eye:
    """An eye that looks along yaw and pitch at a time of the day."""
    eye = Eye()
    side = sine_of(look, yaw)
    ahead = sine_of(look, yaw + 900)
    down = sine_of(look, pitch)
    level = sine_of(look, pitch + 900)
    eye.forward = wp.vec3(-side * level, -down, ahead * level)
    eye.right = wp.vec3(-ahead, 0.0, -side)
    eye.up = wp.vec3(-side * down, level, ahead * down)
    sun = (time * 3) // 20
    eye.sun = wp.vec3(sine_of(look, sun + 900), sine_of(look, sun), 0.0)
    eye.day = day_light(eye.sun[1])
    return eye


@wp.func
def way_to_torch(look: Look, eye: wp.vec3, place: int) -> wp.vec3:
    """From the eye to the flame of a torch, the shortest way around the torus."""
    size = float(look.size)
    return wp.vec3(
        nearest_image(float(x_of(place, look.size, look.height)) + 0.5 - eye[0], size),
        float(y_of(place, look.height)) + 0.6 - eye[1],
        nearest_image(float(z_of(place, look.size, look.height)) + 0.5 - eye[2], size),
    )


@wp.kernel
def aim(
    # Rules:
    look_rules: Look,
    # State in:
    blocks_in: wp.array2d[wp.uint8],
    top_in: wp.array2d[wp.uint8],
    torch_in: wp.array2d[int],
    position_in: wp.array2d[float],
    yaw_in: wp.array[int],
    pitch_in: wp.array[int],
    time_in: wp.array[int],
    # In:
    which_in: wp.array[wp.bool],
    # Out:
    eye_out: wp.array[Eye],
    near_torch_out: wp.array2d[wp.vec3],
):
    """Fills in the eye and lists the torches that light what it can see."""
    world = wp.tid()
    if not which_in[world]:
        return
    look = look_rules
    eye = turned_eye(look, yaw_in[world], pitch_in[world], time_in[world])
    eye.place = wp.vec3(
        position_in[world, 0], position_in[world, 1] + EYE_HEIGHT, position_in[world, 2]
    )
    cell = cell_of(eye.place)
    block = wp.uint8(0)
    if cell[1] >= 0 and cell[1] < look.height:
        place = place_of(cell[0], cell[1], cell[2], look.size, look.height)
        block = blocks_in[world, place]
    eye.medium = wp.where(block == _WATER, 1, wp.where(block == _LAVA, 2, 0))
    eye.light = sky_light(look, blocks_in, top_in, world, cell[0], cell[1], cell[2]) * eye.day
    reach = look.view_distance + TORCH_REACH
    lit = float(0.0)
    near = int(0)
    for k in range(torch_in.shape[1]):
        place = torch_in[world, k]
        if place >= 0:
            flame = way_to_torch(look, eye.place, place)
            squared = wp.dot(flame, flame)
            if squared < reach * reach:
                near_torch_out[world, near] = flame
                near = near + 1
                lit = lit + torch_light(squared)
    eye.torch_count = near
    eye.light = wp.max(eye.light, wp.min(lit, 1.0))
    eye_out[world] = eye


@wp.kernel
def forget_rows(
    # Out:
    row_count_out: wp.array[int],
):
    """Empties the list of worlds to draw."""
    row_count_out[wp.tid()] = 0


@wp.kernel
def list_rows(
    # In:
    which_in: wp.array[wp.bool],
    # State in/out:
    row_count_io: wp.array[int],
    # Out:
    rows_out: wp.array[int],
):
    """Lists the worlds to draw, in any order."""
    world = wp.tid()
    if which_in[world]:
        rows_out[wp.atomic_add(row_count_io, 0, 1)] = world
