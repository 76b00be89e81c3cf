"""The camera, the block under the crosshair, and the tables and furnaces nearby."""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.actions import Component
from lapis.worlds.voxel.grid import block_at, place_of, x_of, y_of, z_of
from lapis.worlds.voxel.rules import TURN, Rules

# Sums and products are rounded one by one, so that CPU and GPU agree to the last bit.
wp.set_module_options({"enable_backward": False, "fuse_fp": False})

EYE_HEIGHT = 1.62  # above the feet [blocks]
REACH = 4.5  # [blocks]
NEAR = 5.0  # [blocks], from the eye to the middle of a table or furnace
NEAR_TABLE = 1
NEAR_FURNACE = 2
_FAR = 1.0e9
_RIGHT_ANGLE = TURN // 4


@wp.func
def eye_of(world: int, position_in: wp.array2d[float]) -> wp.vec3:
    """Where the player's eye is."""
    # DEVIATION: sneaking lowers neither the eye nor the body.
    return wp.vec3(position_in[world, 0], position_in[world, 1] + EYE_HEIGHT, position_in[world, 2])


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
    world: int, eye: wp.vec3, direction: wp.vec3, reach: float, blocks_in: wp.array4d[wp.uint8]
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
            if direction[0] > 0.0:
                x = x + 1
            else:
                x = x - 1
                face = int(1)
        elif time_y <= time_z:
            time = time_y
            if direction[1] > 0.0:
                y = y + 1
                face = int(2)
            else:
                y = y - 1
                face = int(3)
        else:
            time = time_z
            if direction[2] > 0.0:
                z = z + 1
                face = int(4)
            else:
                z = z - 1
                face = int(5)
        block = int(block_at(blocks_in, world, x, y, z))
        if block != Block.AIR and block != Block.WATER and block != Block.LAVA:
            if time > reach or y < 0:
                return wp.vec2i(-1, 0)
            return wp.vec2i(place_of(x, y, z, blocks_in.shape[1], blocks_in.shape[3]), face)
    return wp.vec2i(-1, 0)


@wp.func
def around(difference: float, size: float) -> float:
    """The shorter way of a difference of two coordinates on the torus."""
    if difference > 0.5 * size:
        return difference - size
    if difference < -0.5 * size:
        return difference + size
    return difference


@wp.func
def stations_near(
    world: int,
    eye: wp.vec3,
    blocks_in: wp.array4d[wp.uint8],
    station_in: wp.array2d[int],
    station_count_in: wp.array[int],
) -> int:
    """Bits: `NEAR_TABLE` and `NEAR_FURNACE`."""
    size = blocks_in.shape[1]
    height = blocks_in.shape[3]
    near = int(0)
    for slot in range(station_count_in[world]):
        place = station_in[world, slot]
        x = x_of(place, size, height)
        y = y_of(place, height)
        z = z_of(place, size, height)
        dx = around(float(x) + 0.5 - eye[0], float(size))
        dy = float(y) + 0.5 - eye[1]
        dz = around(float(z) + 0.5 - eye[2], float(size))
        if dx * dx + dy * dy + dz * dz <= NEAR * NEAR:
            if int(block_at(blocks_in, world, x, y, z)) == Block.CRAFTING_TABLE:
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
    yaw_io: wp.array[int],
    pitch_io: wp.array[int],
):
    """Turns the camera, on the step's first tick."""
    world = wp.tid()
    across = rules.camera_turn[chosen_in[world, Component.YAW]]
    yaw_io[world] = (yaw_io[world] + across + TURN) % TURN
    pitch_io[world] = pitch_after(rules, pitch_io[world], chosen_in[world, Component.PITCH])


@wp.kernel
def look(
    # Rules:
    rules: Rules,
    # State in:
    blocks_in: wp.array4d[wp.uint8],
    station_in: wp.array2d[int],
    station_count_in: wp.array[int],
    position_in: wp.array2d[float],
    yaw_in: wp.array[int],
    pitch_in: wp.array[int],
    # In:
    which_in: wp.array[wp.bool],
    # Out:
    looked_at_out: wp.array[int],
    looked_face_out: wp.array[int],
    near_out: wp.array[int],
):
    """Finds what the player of the chosen worlds can reach now."""
    world = wp.tid()
    if not which_in[world]:
        return
    eye = eye_of(world, position_in)
    direction = gaze(rules, yaw_in[world], pitch_in[world])
    target = first_target(world, eye, direction, REACH, blocks_in)
    looked_at_out[world] = target[0]
    looked_face_out[world] = target[1]
    near_out[world] = stations_near(world, eye, blocks_in, station_in, station_count_in)
