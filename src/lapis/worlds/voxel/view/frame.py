"""The picture that the player sees, one thread per pixel."""

import warp as wp

from lapis.worlds.voxel.grid import place_of
from lapis.worlds.voxel.view.aim import Eye
from lapis.worlds.voxel.view.cast import cast
from lapis.worlds.voxel.view.light import dim_light
from lapis.worlds.voxel.view.look import Look
from lapis.worlds.voxel.view.overlay import contrasting, on_crosshair, texel_in_hand
from lapis.worlds.voxel.view.ray import greater, make_ray
from lapis.worlds.voxel.view.shading import empty_color, hit_color
from lapis.worlds.voxel.view.texel import color_of

wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})

REGISTERS = 64
"""Of a thread on a GPU, so that enough threads run at once to wait for memory together."""


@wp.func
def byte(value: float) -> wp.uint8:
    """A color's value as a byte."""
    return wp.uint8(wp.clamp(value, 0.0, 255.0))


@wp.func
def draw_pixel(
    look: Look,
    blocks_in: wp.array2d[wp.uint8],
    bricks_in: wp.array2d[wp.uint8],
    top_in: wp.array2d[wp.uint8],
    ceiling_in: wp.array[int],
    hand_in: wp.array[int],
    target_in: wp.array[int],
    dug_in: wp.array[float],
    looked_at_in: wp.array[int],
    eye_in: wp.array[Eye],
    near_torch_in: wp.array2d[wp.vec3],
    world: int,
    index: int,
    frame_out: wp.array4d[wp.uint8],
):
    """Draws one pixel: what its ray meets, in its light, behind the hand and the crosshair."""
    row = look.row[index]
    column = look.column[index]
    eye = eye_in[world]
    held = texel_in_hand(look, hand_in[world], row, column)
    color = color_of(held) * greater(eye.light, dim_light(0.0))
    if held == wp.uint32(0):
        length = look.length[index]
        direction = eye.forward + look.across[index] * eye.right + look.rise[index] * eye.up
        ray = make_ray(eye.place, direction, look.view_distance / length)
        hit = cast(look, blocks_in, bricks_in, world, ray, ceiling_in[world])
        if hit.block > 0:
            place = place_of(hit.x, hit.y, hit.z, look.size, look.height)
            dug = wp.where(place == target_in[world], dug_in[world], 0.0)
            outlined = place == looked_at_in[world]
            color = hit_color(
                look, blocks_in, top_in, near_torch_in, world, eye, ray, hit, length, dug, outlined
            )
        else:
            color = empty_color(look, blocks_in, top_in, world, eye, ray, hit, length)
        if on_crosshair(look, row, column):
            color = contrasting(color)
    frame_out[world, row, column, 0] = byte(color[0])
    frame_out[world, row, column, 1] = byte(color[1])
    frame_out[world, row, column, 2] = byte(color[2])


@wp.kernel(grid_stride=False, cuda_max_registers=REGISTERS)
def draw_frame(
    # Rules:
    look_rules: Look,
    # State in:
    blocks_in: wp.array2d[wp.uint8],
    bricks_in: wp.array2d[wp.uint8],
    top_in: wp.array2d[wp.uint8],
    ceiling_in: wp.array[int],
    hand_in: wp.array[int],
    target_in: wp.array[int],
    dug_in: wp.array[float],
    looked_at_in: wp.array[int],
    # In:
    eye_in: wp.array[Eye],
    near_torch_in: wp.array2d[wp.vec3],
    # Out:
    frame_out: wp.array4d[wp.uint8],
):
    """Draws all worlds, one thread per pixel."""
    thread = wp.tid()
    look = look_rules
    ray_count = look.length.shape[0]
    world = thread // ray_count
    index = thread - world * ray_count
    draw_pixel(
        look,
        blocks_in,
        bricks_in,
        top_in,
        ceiling_in,
        hand_in,
        target_in,
        dug_in,
        looked_at_in,
        eye_in,
        near_torch_in,
        world,
        index,
        frame_out,
    )


@wp.kernel(grid_stride=False, cuda_max_registers=REGISTERS)
def draw_some_frames(
    # Rules:
    look_rules: Look,
    # State in:
    blocks_in: wp.array2d[wp.uint8],
    bricks_in: wp.array2d[wp.uint8],
    top_in: wp.array2d[wp.uint8],
    ceiling_in: wp.array[int],
    hand_in: wp.array[int],
    target_in: wp.array[int],
    dug_in: wp.array[float],
    looked_at_in: wp.array[int],
    # In:
    eye_in: wp.array[Eye],
    near_torch_in: wp.array2d[wp.vec3],
    rows_in: wp.array[int],
    row_count_in: wp.array[int],
    thread_count_in: int,
    # Out:
    frame_out: wp.array4d[wp.uint8],
):
    """Draws the listed worlds, with a fixed number of threads."""
    look = look_rules
    ray_count = look.length.shape[0]
    for item in range(wp.tid(), row_count_in[0] * ray_count, thread_count_in):
        world = rows_in[item // ray_count]
        index = item % ray_count
        draw_pixel(
            look,
            blocks_in,
            bricks_in,
            top_in,
            ceiling_in,
            hand_in,
            target_in,
            dug_in,
            looked_at_in,
            eye_in,
            near_torch_in,
            world,
            index,
            frame_out,
        )
