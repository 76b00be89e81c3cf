"""The picture that the player sees, with the item in hand and the crosshair over it."""

import warp as wp

from lapis.worlds.voxel.grid import place_of
from lapis.worlds.voxel.state import Pack, Sight
from lapis.worlds.voxel.view.cast import cast
from lapis.worlds.voxel.view.light import dim_light
from lapis.worlds.voxel.view.ray import greater, make_ray
from lapis.worlds.voxel.view.rules import ViewRules
from lapis.worlds.voxel.view.scene import Drawn, Eyes, FlatGrid
from lapis.worlds.voxel.view.shading import empty_color, hit_color
from lapis.worlds.voxel.view.texel import color_of, is_solid

wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})

REGISTERS = 64
"""Of a thread on a GPU, so that enough threads run at once to wait for memory together."""

_NOTHING = wp.uint32(0)
_CONTRAST = 100.0


@wp.func
def texel_in_hand(rules: ViewRules, item: int, row: int, column: int) -> wp.uint32:
    """The texel of the item in hand at a pixel, 0 where there is none.

    The icon covers 7/16 of the picture's sides, in the lower right corner.
    """
    side = rules.frame_size * 7 // 16
    down = row - (rules.frame_size - side)
    right = column - (rules.frame_size - side)
    if item < 0 or down < 0 or right < 0:
        return _NOTHING
    texel = rules.icon[item * 256 + (down * 16 // side) * 16 + right * 16 // side]
    if is_solid(texel):
        return texel
    return _NOTHING


@wp.func
def on_crosshair(rules: ViewRules, row: int, column: int) -> bool:
    """Whether a pixel belongs to the cross in the middle."""
    down = wp.abs(row - rules.frame_size // 2)
    right = wp.abs(column - rules.frame_size // 2)
    arm = wp.max(rules.frame_size // 32, 1)
    width = rules.frame_size // 200
    return (down <= arm and right <= width) or (right <= arm and down <= width)


@wp.func
def contrasting(color: wp.vec3) -> wp.vec3:
    """A lighter or darker color that stands out."""
    if color[0] + color[1] + color[2] < 384.0:
        return color + wp.vec3(_CONTRAST, _CONTRAST, _CONTRAST)
    return color - wp.vec3(_CONTRAST, _CONTRAST, _CONTRAST)


@wp.func
def byte(value: float) -> wp.uint8:
    """A color's value as a byte."""
    return wp.uint8(wp.clamp(value, 0.0, 255.0))


@wp.func
def draw_pixel(
    rules: ViewRules,
    grid_in: FlatGrid,
    pack_in: Pack,
    sight_in: Sight,
    eyes_in: Eyes,
    world: int,
    index: int,
    frame_out: wp.array4d[wp.uint8],
):
    """Draws one pixel: what its ray meets, in its light, behind the hand and the crosshair."""
    row = rules.row[index]
    column = rules.column[index]
    eye = eyes_in.eye[world]
    held = texel_in_hand(rules, pack_in.hand[world], row, column)
    color = color_of(held) * greater(eye.light, dim_light(0.0))
    if held == _NOTHING:
        length = rules.length[index]
        direction = eye.forward + rules.across[index] * eye.right + rules.rise[index] * eye.up
        ray = make_ray(eye.place, direction, rules.view_distance / length)
        hit = cast(rules, grid_in, world, ray)
        if hit.block > 0:
            place = place_of(hit.x, hit.y, hit.z, rules.size, rules.height)
            dug = wp.where(place == sight_in.target[world], sight_in.dug[world], 0.0)
            outlined = place == sight_in.looked_at[world]
            color = hit_color(rules, grid_in, eyes_in, world, eye, ray, hit, length, dug, outlined)
        else:
            color = empty_color(rules, grid_in, world, eye, ray, hit, length)
        if on_crosshair(rules, row, column):
            color = contrasting(color)
    frame_out[world, row, column, 0] = byte(color[0])
    frame_out[world, row, column, 1] = byte(color[1])
    frame_out[world, row, column, 2] = byte(color[2])


@wp.kernel(grid_stride=False, cuda_max_registers=REGISTERS)
def draw_frame(
    # Rules:
    rules: ViewRules,
    # State in:
    grid_in: FlatGrid,
    pack_in: Pack,
    sight_in: Sight,
    # In:
    eyes_in: Eyes,
    # Out:
    frame_out: wp.array4d[wp.uint8],
):
    """Draws all worlds, one thread per pixel."""
    thread = wp.tid()
    ray_count = rules.length.shape[0]
    world = thread // ray_count
    index = thread - world * ray_count
    draw_pixel(rules, grid_in, pack_in, sight_in, eyes_in, world, index, frame_out)


@wp.kernel(grid_stride=False, cuda_max_registers=REGISTERS)
def draw_some_frames(
    # Rules:
    rules: ViewRules,
    # State in:
    grid_in: FlatGrid,
    pack_in: Pack,
    sight_in: Sight,
    # In:
    eyes_in: Eyes,
    drawn_in: Drawn,
    # Out:
    frame_out: wp.array4d[wp.uint8],
):
    """Draws the listed worlds, with a fixed number of threads."""
    ray_count = rules.length.shape[0]
    for item in range(wp.tid(), drawn_in.row_count[0] * ray_count, drawn_in.thread_count):
        world = drawn_in.rows[item // ray_count]
        index = item % ray_count
        draw_pixel(rules, grid_in, pack_in, sight_in, eyes_in, world, index, frame_out)
