"""The picture that the player sees, one thread per pixel."""

# Kernels are read by Warp's compiler, whose types are not Python's.
# pyright: reportArgumentType=false, reportCallIssue=false, reportGeneralTypeIssues=false
# pyright: reportIndexIssue=false, reportOperatorIssue=false, reportAttributeAccessIssue=false

import warp as wp

from lapis.worlds.voxel.view.aim import Eye
from lapis.worlds.voxel.view.cast import cast
from lapis.worlds.voxel.view.light import dim_light
from lapis.worlds.voxel.view.look import Look
from lapis.worlds.voxel.view.overlay import contrasting, on_crosshair, texel_in_hand
from lapis.worlds.voxel.view.ray import greater, make_ray
from lapis.worlds.voxel.view.shading import empty_color, hit_color
from lapis.worlds.voxel.view.texel import color_of

wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})


@wp.func
def byte(value: float) -> wp.uint8:
    """A color's value as a byte."""
    return wp.uint8(wp.clamp(value, 0.0, 255.0))


@wp.kernel
def draw_frame(
    # Rules:
    look_rules: Look,
    # State in:
    blocks_in: wp.array2d[wp.uint8],
    bricks_in: wp.array2d[wp.uint8],
    top_in: wp.array2d[wp.uint8],
    hand_in: wp.array[int],
    target_in: wp.array[int],
    dug_in: wp.array[float],
    looked_at_in: wp.array[int],
    # In:
    which_in: wp.array[wp.bool],
    eye_in: wp.array[Eye],
    near_torch_in: wp.array2d[wp.vec3],
    ceiling_in: wp.array[int],
    # Out:
    frame_out: wp.array4d[wp.uint8],
):
    """Draws one pixel: what its ray meets, in its light, behind the hand and the crosshair."""
    thread = wp.tid()
    look = look_rules
    ray_count = look.length.shape[0]
    world = thread // ray_count
    if not which_in[world]:
        return
    index = thread - world * ray_count
    row = look.row[index]
    column = look.column[index]
    eye = eye_in[world]
    held = texel_in_hand(look, hand_in[world], row, column)
    color = color_of(held) * greater(eye.light, dim_light(0.0))
    if held == wp.uint32(0):
        length = look.length[index]
        direction = eye.forward + look.across[index] * eye.right + look.rise[index] * eye.up
        ray = make_ray(eye.place, direction, look.view_distance / length)
        hit = cast(look, blocks_in, bricks_in, world, ray, ceiling_in[world], 0)
        if hit.block > 0:
            dug = wp.where(hit.place == target_in[world], dug_in[world], 0.0)
            outlined = hit.place == looked_at_in[world]
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
