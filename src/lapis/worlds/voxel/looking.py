"""The camera, the block under the crosshair, and the tables and furnaces nearby."""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.actions import Component
from lapis.worlds.voxel.grid import block_at, cell_in, place_in
from lapis.worlds.voxel.rules import TURN, Rules
from lapis.worlds.voxel.state import Body, Grid, Sight

wp.set_module_options({"enable_backward": False, "fuse_fp": False})

EYE_HEIGHT = 1.62  # above the feet [blocks]
REACH = 4.5  # [blocks]
NEAR = 5.0  # [blocks], from the eye to the middle of a table or furnace
NEAR_TABLE = 1
NEAR_FURNACE = 2
_FAR = 1.0e9
_RIGHT_ANGLE = TURN // 4


@wp.func
def eye_of(world: int, body_in: Body) -> wp.vec3:
    """Where the player's eye is."""
    # DEVIATION: sneaking lowers neither the eye nor the body.
    feet = body_in.position[world]
    return wp.vec3(feet[0], feet[1] + EYE_HEIGHT, feet[2])


@wp.func
def gaze(rules: Rules, yaw: int, pitch: int) -> wp.vec3:
    """Unit vector in which a player looks."""
    down = (pitch + TURN) % TURN
    level = rules.cosine[down]
    return wp.vec3(-rules.sine[yaw] * level, -rules.sine[down], rules.cosine[yaw] * level)


@wp.func
def border_time(cell: int, start: float, speed: float) -> float:
    """How long a ray of this speed takes from `start` to the border at which it leaves a cell."""
    if speed > 0.0:
        return (float(cell + 1) - start) / speed
    if speed < 0.0:
        return (float(cell) - start) / speed
    return _FAR


@wp.func
def first_target(
    world: int, eye: wp.vec3, direction: wp.vec3, reach: float, grid_in: Grid
) -> wp.vec2i:
    """Place and face of the first block that a ray meets within reach, (-1, 0): none.

    Everything but air and liquids is met, whatever its shape; the eye's own cell is left out.
    """
    # DEVIATION: plants and torches fill their cell for the crosshair.
    x = int(wp.floor(eye[0]))
    y = int(wp.floor(eye[1]))
    z = int(wp.floor(eye[2]))
    time = float(0.0)
    while time <= reach:
        time_x = border_time(x, eye[0], direction[0])
        time_y = border_time(y, eye[1], direction[1])
        time_z = border_time(z, eye[2], direction[2])
        face = int(0)
        if time_x <= time_y and time_x <= time_z:
            time = time_x
            x = x + wp.where(direction[0] > 0.0, 1, -1)
            face = wp.where(direction[0] > 0.0, 0, 1)
        elif time_y <= time_z:
            time = time_y
            y = y + wp.where(direction[1] > 0.0, 1, -1)
            face = wp.where(direction[1] > 0.0, 2, 3)
        else:
            time = time_z
            z = z + wp.where(direction[2] > 0.0, 1, -1)
            face = wp.where(direction[2] > 0.0, 4, 5)
        block = block_at(grid_in, world, x, y, z)
        if block != Block.AIR and block != Block.WATER and block != Block.LAVA:
            if time > reach or y < 0:
                return wp.vec2i(-1, 0)
            return wp.vec2i(place_in(grid_in, x, y, z), face)
    return wp.vec2i(-1, 0)


@wp.func
def crosshair(rules: Rules, world: int, grid_in: Grid, body_in: Body) -> wp.vec2i:
    """Place and face of the block under the crosshair, (-1, 0): none within reach."""
    direction = gaze(rules, body_in.yaw[world], body_in.pitch[world])
    return first_target(world, eye_of(world, body_in), direction, REACH, grid_in)


@wp.func
def around(difference: float, size: float) -> float:
    """The shorter way of a difference of two coordinates on the torus."""
    if difference > 0.5 * size:
        return difference - size
    if difference < -0.5 * size:
        return difference + size
    return difference


@wp.func
def stations_near(world: int, eye: wp.vec3, grid_in: Grid) -> int:
    """Bits: `NEAR_TABLE` and `NEAR_FURNACE`."""
    size = float(grid_in.blocks.shape[1])
    near = int(0)
    for slot in range(grid_in.station_count[world]):
        cell = cell_in(grid_in, grid_in.station[world, slot])
        dx = around(float(cell[0]) + 0.5 - eye[0], size)
        dy = float(cell[1]) + 0.5 - eye[1]
        dz = around(float(cell[2]) + 0.5 - eye[2], size)
        if dx * dx + dy * dy + dz * dz <= NEAR * NEAR:
            if block_at(grid_in, world, cell[0], cell[1], cell[2]) == Block.CRAFTING_TABLE:
                near = near | NEAR_TABLE
            else:
                near = near | NEAR_FURNACE
    return near


@wp.func
def pitch_after(rules: Rules, pitch: int, choice: int) -> int:
    """The pitch after a turn by an angle or to one."""
    turn_count = rules.camera_turn.shape[0]
    if choice < turn_count:
        pitch = pitch + rules.camera_turn[choice]
    else:
        pitch = rules.pitch_level[choice - turn_count]
    return wp.clamp(pitch, -_RIGHT_ANGLE, _RIGHT_ANGLE)


@wp.kernel
def turn(
    # Rules:
    rules: Rules,
    # In:
    chosen_in: wp.array2d[int],
    # State in/out:
    body_io: Body,
):
    """Turns the camera, on the step's first tick."""
    world = wp.tid()
    across = rules.camera_turn[chosen_in[world, Component.YAW]]
    body_io.yaw[world] = (body_io.yaw[world] + across + TURN) % TURN
    body_io.pitch[world] = pitch_after(
        rules, body_io.pitch[world], chosen_in[world, Component.PITCH]
    )


@wp.kernel
def find_reachable(
    # Rules:
    rules: Rules,
    # State in:
    grid_in: Grid,
    body_in: Body,
    # In:
    which_in: wp.array[wp.bool],
    # Out:
    sight_out: Sight,
):
    """Finds what the player of the chosen worlds can reach now."""
    world = wp.tid()
    if not which_in[world]:
        return
    target = crosshair(rules, world, grid_in, body_in)
    sight_out.looked_at[world] = target[0]
    sight_out.looked_face[world] = target[1]
    sight_out.near[world] = stations_near(world, eye_of(world, body_in), grid_in)
