"""A step of the voxel world: 4 ticks, or as many as eating or channel attack take.

On the first tick the special action is done, as the player has seen the world, or what is looked at
is used, and the camera turns; attack and use rest in a step with a special action. Then, in every
tick, in the game's order: the block under the crosshair is dug, the body endures fire, lava, earth
and water, it moves, and it digests. Keys are held for 4 ticks. Channel attack holds no key but its
own: who walks or jumps loses sight of the block and digs in vain.
"""

import warp as wp

from lapis.worlds.techtree.body import EXHAUSTION_OF_DAMAGE, SPRINT_FOOD
from lapis.worlds.voxel.actions import Component
from lapis.worlds.voxel.body import OF_CACTUS, digest, eat, endure, harm
from lapis.worlds.voxel.config import TICKS_PER_STEP
from lapis.worlds.voxel.digging import dig, diggable
from lapis.worlds.voxel.handling import EATS
from lapis.worlds.voxel.looking import crosshair
from lapis.worlds.voxel.movement import Keys, move
from lapis.worlds.voxel.rules import Rules
from lapis.worlds.voxel.state import Body, Game, Grid, Pack, Sight

# Loops stay loops: unrolled, this module would take much longer to compile.
wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})

DAY = 24000  # [ticks]
CHANNEL = 2  # choice of attack
SNEAK = 1  # choices of gait
SPRINT = 2


@wp.kernel
def play(
    # Rules:
    rules: Rules,
    # In:
    chosen_in: wp.array2d[int],
    # State in/out:
    grid_io: Grid,
    body_io: Body,
    pack_io: Pack,
    sight_io: Sight,
    game_io: Game,
):
    """Lets the ticks of the step pass; the dead do nothing."""
    world = wp.tid()
    tick = int(0)
    if game_io.died[world]:
        game_io.ticks[world] = 0
        return
    attacks = chosen_in[world, Component.ATTACK] > 0 and chosen_in[world, Component.USE] == 0
    channels = bool(False)  # whether the button is held until a block breaks
    if attacks:
        sight_io.looked_at[world] = crosshair(rules, world, grid_io, body_io)[0]
        if chosen_in[world, Component.ATTACK] == CHANNEL:
            channels = diggable(rules, world, sight_io.looked_at[world], grid_io, pack_io)
            attacks = channels
    ticks = step_ticks(rules, world, channels, chosen_in)
    rests = bool(False)  # whether another tick would leave the body where it is
    while tick < ticks:
        if attacks:
            broke = dig(rules, world, tick, game_io, grid_io, body_io, pack_io, sight_io)
            attacks = not (channels and broke)
            rests = rests and not broke
        else:
            sight_io.target[world] = -1
            sight_io.dug[world] = 0.0
        keys = keys_of(world, tick, channels, body_io.food[world], chosen_in)
        lived = live_on(rules, world, rests, keys, grid_io, body_io)
        # Keys are let go after 4 ticks; from then on, all ticks are alike.
        rests = lived[1] > 0 and tick >= TICKS_PER_STEP
        tick = tick + 1
        if attacks:
            if not rests:
                sight_io.looked_at[world] = crosshair(rules, world, grid_io, body_io)[0]
            if channels:
                in_reach = diggable(rules, world, sight_io.looked_at[world], grid_io, pack_io)
                attacks = in_reach and lived[0] == 0
        if channels and not attacks:
            ticks = wp.max(tick, TICKS_PER_STEP)
        if body_io.health[world] == 0:
            game_io.died[world] = True
            ticks = tick
    # DEVIATION: eating is one step, from the inventory, and cannot be broken off.
    if chosen_in[world, Component.USE] == EATS and not game_io.died[world]:
        eat(rules, world, body_io, pack_io)
    if rules.day_cycle > 0:
        game_io.time[world] = (game_io.time[world] + tick) % DAY
    game_io.ticks[world] = tick


@wp.func
def live_on(
    rules: Rules, world: int, rests: bool, keys: Keys, grid_in: Grid, body_io: Body
) -> wp.vec2i:
    """A tick of the body: it endures, moves unless it rests, and digests.

    Returns:
        The damage taken, and 1 if the tick left the body where it was and as it was.
    """
    taken = endure(rules, world, grid_in, body_io)
    unmoved = int(1)
    if not rests:
        place = body_io.position[world]
        velocity = body_io.velocity[world]
        stood = body_io.on_ground[world]
        fell_from = body_io.fall_from[world]
        effort = body_io.exhaustion[world]
        met = move(rules, world, keys, grid_in, body_io)
        same = place == body_io.position[world]
        same = same and velocity == body_io.velocity[world]
        same = same and stood == body_io.on_ground[world] and fell_from == body_io.fall_from[world]
        same = same and effort == body_io.exhaustion[world] and met[0] + met[1] == 0
        unmoved = wp.where(same, 1, 0)
        taken += harm(world, met[0], 0, body_io)
        taken += harm(world, met[1] * OF_CACTUS, EXHAUSTION_OF_DAMAGE, body_io)
    if body_io.health[world] > 0:
        taken += digest(world, body_io)
    return wp.vec2i(taken, unmoved)


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
