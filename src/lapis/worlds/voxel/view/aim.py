"""Where the eye of each world is, which way it looks, and the light there: once per picture."""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.grid import cell_at, place_of
from lapis.worlds.voxel.looking import around, eye_of
from lapis.worlds.voxel.state import Body, Game
from lapis.worlds.voxel.view.light import TORCH_REACH, sky_light, torch_light
from lapis.worlds.voxel.view.ray import cell_of
from lapis.worlds.voxel.view.rules import ViewRules
from lapis.worlds.voxel.view.scene import Drawn, Eye, Eyes, FlatGrid

wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})

NIGHT_LIGHT = 0.3
"""Light at midnight; noon has 1. Brighter than the game's, so that nights can be played."""

_WATER = wp.uint8(Block.WATER)
_LAVA = wp.uint8(Block.LAVA)


@wp.func
def sine_of(rules: ViewRules, angle: int) -> float:
    """The sine of an angle [1/10 degree] of any size."""
    turned = angle % 3600
    if turned < 0:
        turned = turned + 3600
    return rules.sine[turned]


@wp.func
def day_light(sun_height: float) -> float:
    """Light of the sky by the sine of the sun's height: full well before noon, dim at night."""
    return wp.clamp(0.5 + 1.6 * sun_height, NIGHT_LIGHT, 1.0)


@wp.func
def turned_eye(rules: ViewRules, yaw: int, pitch: int, time: int) -> Eye:
    """An eye that looks along yaw and pitch at a time of the day."""
    eye = Eye()
    side = sine_of(rules, yaw)
    ahead = sine_of(rules, yaw + 900)
    down = sine_of(rules, pitch)
    level = sine_of(rules, pitch + 900)
    eye.forward = wp.vec3(-side * level, -down, ahead * level)
    eye.right = wp.vec3(-ahead, 0.0, -side)
    eye.up = wp.vec3(-side * down, level, ahead * down)
    sun = (time * 3) // 20
    eye.sun = wp.vec3(sine_of(rules, sun + 900), sine_of(rules, sun), 0.0)
    eye.day = day_light(eye.sun[1])
    return eye


@wp.func
def way_to_torch(rules: ViewRules, eye: wp.vec3, place: int) -> wp.vec3:
    """From the eye to the flame of a torch, the shortest way around the torus."""
    size = float(rules.size)
    cell = cell_at(place, rules.size, rules.height)
    return wp.vec3(
        around(float(cell[0]) + 0.5 - eye[0], size),
        float(cell[1]) + 0.6 - eye[1],
        around(float(cell[2]) + 0.5 - eye[2], size),
    )


@wp.kernel
def aim(
    # Rules:
    rules: ViewRules,
    # State in:
    grid_in: FlatGrid,
    body_in: Body,
    game_in: Game,
    # In:
    which_in: wp.array[wp.bool],
    # Out:
    eyes_out: Eyes,
):
    """Fills in the eye and lists the torches that light what it can see."""
    world = wp.tid()
    if not which_in[world]:
        return
    eye = turned_eye(rules, body_in.yaw[world], body_in.pitch[world], game_in.time[world])
    eye.place = eye_of(world, body_in)
    cell = cell_of(eye.place)
    block = wp.uint8(0)
    if cell[1] >= 0 and cell[1] < rules.height:
        place = place_of(cell[0], cell[1], cell[2], rules.size, rules.height)
        block = grid_in.blocks[world, place]
    eye.medium = wp.where(block == _WATER, 1, wp.where(block == _LAVA, 2, 0))
    eye.light = sky_light(rules, grid_in, world, cell[0], cell[1], cell[2]) * eye.day
    reach = rules.view_distance + TORCH_REACH
    lit = float(0.0)
    near = int(0)
    for k in range(grid_in.torch.shape[1]):
        place = grid_in.torch[world, k]
        if place >= 0:
            flame = way_to_torch(rules, eye.place, place)
            squared = wp.dot(flame, flame)
            if squared < reach * reach:
                eyes_out.near_torch[world, near] = flame
                near = near + 1
                lit = lit + torch_light(squared)
    eye.torch_count = near
    eye.light = wp.max(eye.light, wp.min(lit, 1.0))
    eyes_out.eye[world] = eye


@wp.kernel
def forget_rows(
    # Out:
    drawn_out: Drawn,
):
    """Empties the list of worlds to draw."""
    drawn_out.row_count[wp.tid()] = 0


@wp.kernel
def list_rows(
    # In:
    which_in: wp.array[wp.bool],
    # State in/out:
    drawn_io: Drawn,
):
    """Lists the worlds to draw, in any order."""
    world = wp.tid()
    if which_in[world]:
        drawn_io.rows[wp.atomic_add(drawn_io.row_count, 0, 1)] = world
