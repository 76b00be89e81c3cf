"""Walking, sprinting, sneaking, jumping, swimming and falling by Minecraft's formulas."""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.body import EXHAUSTION_OF_JUMP, EXHAUSTION_OF_SPRINT_JUMP, tired
from lapis.worlds.voxel.collision import (
    IN_AIR,
    IN_LAVA,
    IN_WATER,
    Glide,
    glide,
    high_cells,
    liquid_among,
    low_cells,
    medium_at,
    on_ladder,
    snap,
    solid_among,
    wrap,
)
from lapis.worlds.voxel.rules import Rules
from lapis.worlds.voxel.state import Body, Grid

wp.set_module_options({"enable_backward": False, "fuse_fp": False})

WALK_INPUT = 0.98  # what a pressed key amounts to
SNEAK_INPUT = 0.3  # times that
EATING_INPUT = 0.2  # times that
GROUND_PUSH = 0.1  # acceleration [blocks per tick per tick]
AIR_PUSH = 0.02
LIQUID_PUSH = 0.02
SPRINT_PUSH = 1.3  # times the push
GROUND_DRAG = 0.546  # share of the speed that is left after a tick
AIR_DRAG = 0.91
FALL_DRAG = 0.98
WATER_DRAG = 0.8
LAVA_DRAG = 0.5
GRAVITY = 0.08
LIQUID_GRAVITY = 0.02
JUMP_SPEED = 0.42
SPRINT_JUMP_SPEED = 0.2  # forward
SWIM_UP = 0.04
CLIMB_OUT_SPEED = 0.3
CLIMB_OUT_HEIGHT = 0.6
LADDER_SPEED = 0.2  # upward; gravity leaves 0.1176 of it
MOST_LADDER_SPEED = 0.15  # in all other ways
LEAST_SPEED = 0.003  # slower counts as standing
EDGE_STEP = 0.05  # in which sneaking feels for the edge
SAFE_FALL = 3.0  # [blocks]


@wp.struct
class Keys:
    """What the player presses during a tick: forward and left may be -1, 0 or 1."""

    forward: int
    left: int
    jump: int
    sneak: int
    sprint: int
    eating: int


@wp.func
def move(rules: Rules, world: int, keys: Keys, grid_in: Grid, body_io: Body) -> wp.vec2i:
    """Moves the player for one tick.

    Returns:
        Damage of a fall that ended [1/1000 points], and 1 if the player ran into a cactus.
    """
    place = body_io.position[world]
    speed = body_io.velocity[world]
    velocity = wp.vec3(still(speed[0]), still(speed[1]), still(speed[2]))
    yaw = body_io.yaw[world]
    stands = body_io.on_ground[world] > 0
    medium = medium_at(world, place, grid_in)
    if keys.jump > 0:
        if medium == IN_AIR and stands:
            effort = wp.where(keys.sprint > 0, EXHAUSTION_OF_SPRINT_JUMP, EXHAUSTION_OF_JUMP)
            body_io.exhaustion[world] = tired(body_io.exhaustion[world], effort)
        velocity = jumped(rules, velocity, yaw, keys, medium, stands)
    velocity = accelerated(rules, velocity, yaw, keys, medium, stands)
    climbs = medium == IN_AIR and on_ladder(world, place, grid_in)
    if climbs:
        velocity = held_by_ladder(velocity, keys.sneak > 0)
    motion = velocity
    if keys.sneak > 0 and stands:
        motion = kept_from_edge(rules, world, place, velocity, grid_in)
    reached = glide(rules, world, place, motion, grid_in)
    velocity = stopped(velocity, reached.met)
    # A motion too small for the grid says nothing about the ground.
    if reached.met[1] > 0 or reached.place[1] != place[1]:
        body_io.on_ground[world] = wp.where(reached.met[1] > 0 and motion[1] < 0.0, 1, 0)
    sprints = keys.sprint > 0 and body_io.on_ground[world] > 0
    effort = way_effort(place, reached.place, medium, sprints)
    body_io.exhaustion[world] = tired(body_io.exhaustion[world], effort)
    # DEVIATION: the jump key climbs too, as in later versions of the game.
    pushes = keys.jump > 0 or reached.met[0] + reached.met[2] > 0
    if climbs and pushes and on_ladder(world, reached.place, grid_in):
        velocity = wp.vec3(velocity[0], LADDER_SPEED, velocity[2])
    velocity = slowed(velocity, medium, stands)
    if medium != IN_AIR and reached.met[0] + reached.met[2] > 0:
        velocity = climbing_out(rules, world, place, reached.place, velocity, grid_in)
    size = float(grid_in.blocks.shape[1])
    body_io.position[world] = wp.vec3(
        wrap(reached.place[0], size), reached.place[1], wrap(reached.place[2], size)
    )
    body_io.velocity[world] = velocity
    damage = fall(world, reached.place, grid_in, body_io)
    return wp.vec2i(damage, touches_cactus(reached))


@wp.func
def jumped(
    rules: Rules, velocity: wp.vec3, yaw: int, keys: Keys, medium: int, stands: bool
) -> wp.vec3:
    """The velocity after the jump key: off the ground, or up through a liquid."""
    # DEVIATION: no pause of 10 ticks between two jumps while the key is held.
    if medium != IN_AIR:
        return wp.vec3(velocity[0], velocity[1] + SWIM_UP, velocity[2])
    if not stands:
        return velocity
    if keys.sprint > 0:
        return wp.vec3(
            velocity[0] - rules.sine[yaw] * SPRINT_JUMP_SPEED,
            JUMP_SPEED,
            velocity[2] + rules.cosine[yaw] * SPRINT_JUMP_SPEED,
        )
    return wp.vec3(velocity[0], JUMP_SPEED, velocity[2])


@wp.func
def accelerated(
    rules: Rules, velocity: wp.vec3, yaw: int, keys: Keys, medium: int, stands: bool
) -> wp.vec3:
    """The velocity after the keys have pushed in the direction of the view."""
    pressed = WALK_INPUT
    if keys.sneak > 0:
        pressed = pressed * SNEAK_INPUT
    if keys.eating > 0:
        pressed = pressed * EATING_INPUT
    push = AIR_PUSH
    if medium == IN_AIR and stands:
        push = GROUND_PUSH
    if medium != IN_AIR:
        push = LIQUID_PUSH
    elif keys.sprint > 0:
        push = push * SPRINT_PUSH
    forward = float(keys.forward) * pressed
    left = float(keys.left) * pressed
    length = wp.sqrt(forward * forward + left * left)
    if length < 0.01:
        return velocity
    scale = push / wp.max(length, 1.0)
    sine = rules.sine[yaw]
    cosine = rules.cosine[yaw]
    return wp.vec3(
        velocity[0] + (left * cosine - forward * sine) * scale,
        velocity[1],
        velocity[2] + (forward * cosine + left * sine) * scale,
    )


@wp.func
def held_by_ladder(velocity: wp.vec3, sneaks: bool) -> wp.vec3:
    """The velocity on a ladder: slow, and not downward while sneaking."""
    most = MOST_LADDER_SPEED
    down = -most
    if sneaks:
        down = 0.0
    return wp.vec3(
        wp.clamp(velocity[0], -most, most),
        wp.max(velocity[1], down),
        wp.clamp(velocity[2], -most, most),
    )


@wp.func
def stopped(velocity: wp.vec3, met: wp.vec3i) -> wp.vec3:
    """The velocity without what was stopped by blocks."""
    return wp.vec3(
        wp.where(met[0] > 0, 0.0, velocity[0]),
        wp.where(met[1] > 0, 0.0, velocity[1]),
        wp.where(met[2] > 0, 0.0, velocity[2]),
    )


@wp.func
def slowed(velocity: wp.vec3, medium: int, stands: bool) -> wp.vec3:
    """The velocity after gravity and drag."""
    drag = AIR_DRAG
    if stands:
        drag = GROUND_DRAG
    fall_drag = FALL_DRAG
    gravity = GRAVITY * FALL_DRAG
    if medium != IN_AIR:
        drag = WATER_DRAG
        if medium == IN_LAVA:
            drag = LAVA_DRAG
        fall_drag = drag
        gravity = LIQUID_GRAVITY
    return wp.vec3(velocity[0] * drag, velocity[1] * fall_drag - gravity, velocity[2] * drag)


@wp.func
def climbing_out(
    rules: Rules, world: int, start: wp.vec3, place: wp.vec3, velocity: wp.vec3, grid_in: Grid
) -> wp.vec3:
    """The velocity of a swimmer who pushes against a wall: upward, if there is room above."""
    above = wp.vec3(
        place[0] + velocity[0], start[1] + velocity[1] + CLIMB_OUT_HEIGHT, place[2] + velocity[2]
    )
    low = low_cells(above)
    high = high_cells(above)
    if solid_among(rules, world, low, high, grid_in) > 0:
        return velocity
    if liquid_among(world, low, high, grid_in):
        return velocity
    return wp.vec3(velocity[0], CLIMB_OUT_SPEED, velocity[2])


@wp.func
def way_effort(start: wp.vec3, end: wp.vec3, medium: int, sprints: bool) -> int:
    """Exhaustion of a tick's way [1/1000 points]: 100 a block of sprinting, 10 of swimming."""
    dx = end[0] - start[0]
    dz = end[2] - start[2]
    if medium == IN_WATER:
        dy = end[1] - start[1]
        return int(wp.floor(10.0 * wp.sqrt(dx * dx + dy * dy + dz * dz) + 0.5))
    if sprints:
        return int(wp.floor(100.0 * wp.sqrt(dx * dx + dz * dz) + 0.5))
    return 0


@wp.func
def fall(world: int, place: wp.vec3, grid_in: Grid, body_io: Body) -> int:
    """Follows a fall; returns the damage [1/1000 points] when it ends on the ground.

    Liquids and ladders break it.
    """
    # DEVIATION: lava breaks a fall as water does.
    damage = int(0)
    height = place[1]
    held = medium_at(world, place, grid_in) != IN_AIR or on_ladder(world, place, grid_in)
    if not held:
        if body_io.on_ground[world] > 0:
            # One point for each block begun beyond three.
            beyond = body_io.fall_from[world] - height - SAFE_FALL
            damage = 1000 * wp.max(int(wp.ceil(beyond)), 0)
        else:
            height = wp.max(height, body_io.fall_from[world])
    body_io.fall_from[world] = height
    return damage


@wp.func
def touches_cactus(reached: Glide) -> int:
    """1 if a cactus stopped the body."""
    # DEVIATION: a cactus hurts who moves against it, not who stands beside it.
    met = reached.met
    return wp.where(
        met[0] == Block.CACTUS or met[1] == Block.CACTUS or met[2] == Block.CACTUS, 1, 0
    )


@wp.func
def has_ground(
    rules: Rules, world: int, place: wp.vec3, dx: float, dz: float, grid_in: Grid
) -> bool:
    """Whether a body that stands would still stand on something after a level move."""
    moved = wp.vec3(snap(place[0] + dx), place[1], snap(place[2] + dz))
    low = low_cells(moved)
    high = high_cells(moved)
    ground = low[1] - 1
    floor_low = wp.vec3i(low[0], ground, low[2])
    floor_high = wp.vec3i(high[0], ground, high[2])
    return solid_among(rules, world, floor_low, floor_high, grid_in) > 0


@wp.func
def less(motion: float) -> float:
    """A motion that is one step of sneaking shorter."""
    if wp.abs(motion) < EDGE_STEP:
        return 0.0
    if motion > 0.0:
        return motion - EDGE_STEP
    return motion + EDGE_STEP


@wp.func
def kept_from_edge(
    rules: Rules, world: int, place: wp.vec3, motion: wp.vec3, grid_in: Grid
) -> wp.vec3:
    """A sneaking player's motion, shortened so that it stays above something."""
    dx = motion[0]
    dz = motion[2]
    while dx != 0.0 and not has_ground(rules, world, place, dx, 0.0, grid_in):
        dx = less(dx)
    while dz != 0.0 and not has_ground(rules, world, place, 0.0, dz, grid_in):
        dz = less(dz)
    while dx != 0.0 and dz != 0.0 and not has_ground(rules, world, place, dx, dz, grid_in):
        dx = less(dx)
        dz = less(dz)
    return wp.vec3(dx, motion[1], dz)


@wp.func
def still(speed: float) -> float:
    """A speed, or nothing if it is too slow to count."""
    if wp.abs(speed) < LEAST_SPEED:
        return 0.0
    return speed
