"""A step of the voxel world: 4 ticks, or as many as eating or channel attack take.

On the first tick the special action is done, as the player has seen the world, or what is looked at
is used, and the camera turns; attack and use rest in a step with a special action. Then, in every
tick, in the game's order: the block under the crosshair is dug, the body endures fire, lava, earth
and water, it moves, and it digests. Keys are held for 4 ticks. Channel attack holds no key but its
own: who walks or jumps loses sight of the block and digs in vain.
"""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.techtree.body import EXHAUSTION_OF_DAMAGE, SPRINT_FOOD
from lapis.worlds.voxel.actions import Component
from lapis.worlds.voxel.body import OF_CACTUS, digest, eat, endure, eye_block, harm
from lapis.worlds.voxel.collision import place_of_feet
from lapis.worlds.voxel.config import TICKS_PER_STEP
from lapis.worlds.voxel.digging import dig, diggable
from lapis.worlds.voxel.handling import EATS
from lapis.worlds.voxel.looking import REACH, eye_of, first_target, gaze
from lapis.worlds.voxel.movement import Keys, move
from lapis.worlds.voxel.rules import Rules

# Sums and products are rounded one by one, so that CPU and GPU agree to the last bit. Loops stay
# loops: unrolled, this module would take much longer to compile.
wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})

DAY = 24000  # [ticks]
CHANNEL = 2  # choice of attack
SNEAK = 1  # choices of gait
SPRINT = 2


@wp.kernel
def play(
    # Rules:
    rules: Rules,
    # State in:
    yaw_in: wp.array[int],
    pitch_in: wp.array[int],
    chance_in: wp.array[int],
    # In:
    chosen_in: wp.array2d[int],
    # State in/out:
    blocks_io: wp.array4d[wp.uint8],
    top_io: wp.array3d[wp.uint8],
    bricks_io: wp.array4d[wp.uint8],
    ceiling_io: wp.array[int],
    torch_io: wp.array2d[int],
    station_io: wp.array2d[int],
    station_count_io: wp.array[int],
    position_io: wp.array2d[float],
    velocity_io: wp.array2d[float],
    on_ground_io: wp.array[int],
    fall_from_io: wp.array[float],
    inventory_io: wp.array2d[int],
    wear_io: wp.array2d[int],
    hand_io: wp.array[int],
    target_io: wp.array[int],
    dug_io: wp.array[float],
    looked_at_io: wp.array[int],
    burn_io: wp.array[int],
    health_io: wp.array[int],
    food_io: wp.array[int],
    saturation_io: wp.array[int],
    exhaustion_io: wp.array[int],
    body_timer_io: wp.array[int],
    air_io: wp.array[int],
    fire_io: wp.array[int],
    hurt_io: wp.array[int],
    hurt_by_io: wp.array[int],
    experience_io: wp.array[int],
    time_io: wp.array[int],
    died_io: wp.array[wp.bool],
    # Out:
    ticks_out: wp.array[int],
):
    """Lets the ticks of the step pass; the dead do nothing."""
    world = wp.tid()
    tick = int(0)
    if died_io[world]:
        ticks_out[world] = 0
        return
    attacks = chosen_in[world, Component.ATTACK] > 0 and chosen_in[world, Component.USE] == 0
    channels = bool(False)  # whether the button is held until a block breaks
    if attacks:
        looked_at_io[world] = crosshair(rules, world, blocks_io, position_io, yaw_in, pitch_in)
        if chosen_in[world, Component.ATTACK] == CHANNEL:
            channels = diggable(rules, world, looked_at_io[world], hand_io, blocks_io)
            attacks = channels
    ticks = step_ticks(rules, world, channels, chosen_in)
    rests = bool(False)  # whether another tick would leave the body where it is
    while tick < ticks:
        if attacks:
            wet = eye_block(world, place_of_feet(world, position_io), blocks_io) == Block.WATER
            broke = dig(
                rules,
                world,
                tick,
                wet,
                looked_at_io,
                position_io,
                on_ground_io,
                chance_in,
                blocks_io,
                top_io,
                bricks_io,
                ceiling_io,
                torch_io,
                station_io,
                station_count_io,
                burn_io,
                target_io,
                dug_io,
                hand_io,
                wear_io,
                inventory_io,
                experience_io,
                exhaustion_io,
            )
            attacks = not (channels and broke)
            rests = rests and not broke
        else:
            target_io[world] = -1
            dug_io[world] = 0.0
        keys = keys_of(world, tick, channels, food_io[world], chosen_in)
        lived = live_on(
            rules,
            world,
            rests,
            keys,
            yaw_in[world],
            blocks_io,
            position_io,
            velocity_io,
            on_ground_io,
            fall_from_io,
            health_io,
            food_io,
            saturation_io,
            exhaustion_io,
            body_timer_io,
            air_io,
            fire_io,
            hurt_io,
            hurt_by_io,
        )
        # Keys are let go after 4 ticks; from then on, all ticks are alike.
        rests = lived[1] > 0 and tick >= TICKS_PER_STEP
        tick = tick + 1
        if attacks:
            if not rests:
                looked_at_io[world] = crosshair(
                    rules, world, blocks_io, position_io, yaw_in, pitch_in
                )
            if channels:
                in_reach = diggable(rules, world, looked_at_io[world], hand_io, blocks_io)
                attacks = in_reach and lived[0] == 0
        if channels and not attacks:
            ticks = wp.max(tick, TICKS_PER_STEP)
        if health_io[world] == 0:
            died_io[world] = True
            ticks = tick
    # DEVIATION: eating is one step, from the inventory, and cannot be broken off.
    if chosen_in[world, Component.USE] == EATS and not died_io[world]:
        eat(rules, world, inventory_io, food_io, saturation_io)
    if rules.day_cycle > 0:
        time_io[world] = (time_io[world] + tick) % DAY
    ticks_out[world] = tick


@wp.func
def live_on(
    rules: Rules,
    world: int,
    rests: bool,
    keys: Keys,
    yaw: int,
    blocks_in: wp.array4d[wp.uint8],
    position_io: wp.array2d[float],
    velocity_io: wp.array2d[float],
    on_ground_io: wp.array[int],
    fall_from_io: wp.array[float],
    health_io: wp.array[int],
    food_io: wp.array[int],
    saturation_io: wp.array[int],
    exhaustion_io: wp.array[int],
    body_timer_io: wp.array[int],
    air_io: wp.array[int],
    fire_io: wp.array[int],
    hurt_io: wp.array[int],
    hurt_by_io: wp.array[int],
) -> wp.vec2i:
    """A tick of the body: it endures, moves unless it rests, and digests.

    Returns:
        The damage taken, and 1 if the tick left the body where it was and as it was.
    """
    taken = endure(
        rules,
        world,
        blocks_in,
        position_io,
        health_io,
        exhaustion_io,
        air_io,
        fire_io,
        hurt_io,
        hurt_by_io,
    )
    unmoved = int(1)
    if not rests:
        place = place_of_feet(world, position_io)
        velocity = place_of_feet(world, velocity_io)
        stood = on_ground_io[world]
        fell_from = fall_from_io[world]
        effort = exhaustion_io[world]
        met = move(
            rules,
            world,
            keys,
            yaw,
            blocks_in,
            position_io,
            velocity_io,
            on_ground_io,
            fall_from_io,
            exhaustion_io,
        )
        same = place == place_of_feet(world, position_io)
        same = same and velocity == place_of_feet(world, velocity_io)
        same = same and stood == on_ground_io[world] and fell_from == fall_from_io[world]
        same = same and effort == exhaustion_io[world] and met[0] + met[1] == 0
        unmoved = wp.where(same, 1, 0)
        taken += harm(world, met[0], 0, health_io, exhaustion_io, hurt_io, hurt_by_io)
        prick = met[1] * OF_CACTUS
        cost = EXHAUSTION_OF_DAMAGE
        taken += harm(world, prick, cost, health_io, exhaustion_io, hurt_io, hurt_by_io)
    if health_io[world] > 0:
        taken += digest(
            world,
            health_io,
            food_io,
            saturation_io,
            exhaustion_io,
            body_timer_io,
            hurt_io,
            hurt_by_io,
        )
    return wp.vec2i(taken, unmoved)


@wp.func
def crosshair(
    rules: Rules,
    world: int,
    blocks_in: wp.array4d[wp.uint8],
    position_in: wp.array2d[float],
    yaw_in: wp.array[int],
    pitch_in: wp.array[int],
) -> int:
    """The place of the block under the crosshair, -1: none within reach."""
    direction = gaze(rules, yaw_in[world], pitch_in[world])
    target = first_target(world, eye_of(world, position_in), direction, REACH, blocks_in)
    return target[0]


@wp.func
def step_ticks(rules: Rules, world: int, channels: bool, chosen_in: wp.array2d[int]) -> int:
    """How long the step may last."""
    if chosen_in[world, Component.USE] == EATS:
        return rules.eat_ticks
    if channels:
        return rules.channel_ticks
    return TICKS_PER_STEP


@wp.func
def keys_of(world: int, tick: int, channels: bool, food: int, chosen_in: wp.array2d[int]) -> Keys:
    """What the player presses in a tick: keys for 4 ticks, sneaking and eating all the time."""
    keys = Keys()
    keys.eating = wp.where(chosen_in[world, Component.USE] == EATS, 1, 0)
    keys.sneak = wp.where(chosen_in[world, Component.GAIT] == SNEAK, 1, 0)
    # DEVIATION: channel attack holds no key but its own, and lasts until a block breaks.
    if tick < TICKS_PER_STEP and not channels:
        keys.forward = direction_of(chosen_in[world, Component.WALK])
        keys.left = direction_of(chosen_in[world, Component.STRAFE])
        keys.jump = chosen_in[world, Component.JUMP]
        # DEVIATION: there is no sprinting without the key, and none while eating.
        sprints = (
            chosen_in[world, Component.GAIT] == SPRINT and keys.forward > 0 and food > SPRINT_FOOD
        )
        keys.sprint = wp.where(sprints and keys.eating == 0, 1, 0)
    return keys


@wp.func
def direction_of(choice: int) -> int:
    """1 for the first choice, -1 for the second, 0 for none."""
    return wp.where(choice == 2, -1, choice)
