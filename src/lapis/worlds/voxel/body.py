"""Health, food and breath: damage, hunger, healing and death by Minecraft 1.11's rules.

Hunger and healing have the numbers of `lapis.worlds.techtree.body`; here time passes by ticks.
"""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.techtree.body import (
    EXHAUSTION_LIMIT,
    EXHAUSTION_OF_DAMAGE,
    EXHAUSTION_OF_JUMP,
    FAST_HEALING_TICKS,
    FULL_FOOD,
    FULL_HEALTH,
    SLOW_TICKS,
    STARVING_STOPS,
    healing_cost,
)
from lapis.worlds.voxel.collision import IN_LAVA, IN_WATER, first_cell, medium_at, place_of_feet
from lapis.worlds.voxel.grid import block_at
from lapis.worlds.voxel.looking import EYE_HEIGHT
from lapis.worlds.voxel.rules import Rules

# Sums and products are rounded one by one, so that CPU and GPU agree to the last bit.
wp.set_module_options({"enable_backward": False, "fuse_fp": False})

EXHAUSTION_OF_SPRINT_JUMP = 4 * EXHAUSTION_OF_JUMP
MOST_EXHAUSTION = 40000  # [1/1000 points]

FULL_AIR = 300  # [ticks]
AIR_OF_DAMAGE = -20  # where breath stands when water hurts
BURNING_TICKS = 300  # after lava
BURNING_PERIOD = 20
IMMUNITY_TICKS = 10

# Damage [1/1000 points]
OF_BURNING = 1000
OF_LAVA = 4000
OF_SUFFOCATION = 1000
OF_DROWNING = 2000
OF_CACTUS = 1000
OF_STARVING = 1000


@wp.func
def tired(exhaustion: int, effort: int) -> int:
    """Exhaustion after an effort; there is a limit to it."""
    return wp.min(exhaustion + effort, MOST_EXHAUSTION)


@wp.func
def harm(
    world: int,
    damage: int,
    effort: int,
    health_io: wp.array[int],
    exhaustion_io: wp.array[int],
    hurt_io: wp.array[int],
    hurt_by_io: wp.array[int],
) -> int:
    """Takes damage; who was hurt a moment ago only takes what exceeds it. Returns what was taken.

    `effort` is the exhaustion that goes with this kind of damage.
    """
    taken = damage
    if hurt_io[world] > 0:
        taken = wp.max(damage - hurt_by_io[world], 0)
        hurt_by_io[world] = wp.max(damage, hurt_by_io[world])
    elif damage > 0:
        hurt_io[world] = IMMUNITY_TICKS
        hurt_by_io[world] = damage
    if taken > 0:
        health_io[world] = wp.max(health_io[world] - taken, 0)
        exhaustion_io[world] = tired(exhaustion_io[world], effort)
    return taken


@wp.func
def endure(
    rules: Rules,
    world: int,
    blocks_in: wp.array4d[wp.uint8],
    position_in: wp.array2d[float],
    health_io: wp.array[int],
    exhaustion_io: wp.array[int],
    air_io: wp.array[int],
    fire_io: wp.array[int],
    hurt_io: wp.array[int],
    hurt_by_io: wp.array[int],
) -> int:
    """What a tick of fire, lava, earth and water does to the body; returns the damage taken."""
    place = place_of_feet(world, position_in)
    medium = medium_at(world, place, blocks_in)
    at_eye = eye_block(world, place, blocks_in)
    taken = int(0)
    fire = fire_io[world]
    if medium == IN_WATER:
        fire = int(0)
    if fire > 0:
        if fire % BURNING_PERIOD == 0:
            taken += harm(world, OF_BURNING, 0, health_io, exhaustion_io, hurt_io, hurt_by_io)
        fire = fire - 1
    if medium == IN_LAVA:
        fire = BURNING_TICKS
        taken += harm(
            world, OF_LAVA, EXHAUSTION_OF_DAMAGE, health_io, exhaustion_io, hurt_io, hurt_by_io
        )
    fire_io[world] = fire
    if rules.solid[at_eye] > 0:
        taken += harm(world, OF_SUFFOCATION, 0, health_io, exhaustion_io, hurt_io, hurt_by_io)
    air = FULL_AIR
    if at_eye == Block.WATER:
        air = air_io[world] - 1
        if air <= AIR_OF_DAMAGE:
            air = int(0)
            taken += harm(world, OF_DROWNING, 0, health_io, exhaustion_io, hurt_io, hurt_by_io)
    air_io[world] = air
    hurt_io[world] = wp.max(hurt_io[world] - 1, 0)
    return taken


@wp.func
def eye_block(world: int, place: wp.vec3, blocks_in: wp.array4d[wp.uint8]) -> int:
    """The block in which the player's eyes are."""
    y = first_cell(place[1] + EYE_HEIGHT)
    return int(block_at(blocks_in, world, first_cell(place[0]), y, first_cell(place[2])))


@wp.func
def digest(
    world: int,
    health_io: wp.array[int],
    food_io: wp.array[int],
    saturation_io: wp.array[int],
    exhaustion_io: wp.array[int],
    body_timer_io: wp.array[int],
    hurt_io: wp.array[int],
    hurt_by_io: wp.array[int],
) -> int:
    """A tick of hunger, healing and starving; returns the damage taken."""
    if exhaustion_io[world] > EXHAUSTION_LIMIT:
        exhaustion_io[world] = exhaustion_io[world] - EXHAUSTION_LIMIT
        if saturation_io[world] > 0:
            saturation_io[world] = wp.max(saturation_io[world] - 1000, 0)
        else:
            food_io[world] = wp.max(food_io[world] - 1, 0)
    food = food_io[world]
    health = health_io[world]
    wounded = health < FULL_HEALTH
    timer = body_timer_io[world] + 1
    taken = int(0)
    if wounded and food == FULL_FOOD and saturation_io[world] > 0:
        if timer >= FAST_HEALING_TICKS:
            timer = int(0)
            cost = healing_cost(saturation_io[world])
            health_io[world] = wp.min(health + cost // 6, FULL_HEALTH)
            exhaustion_io[world] = tired(exhaustion_io[world], cost)
    elif wounded and food >= 18:
        if timer >= SLOW_TICKS:
            timer = int(0)
            health_io[world] = wp.min(health + 1000, FULL_HEALTH)
            exhaustion_io[world] = tired(exhaustion_io[world], 6000)
    elif food == 0:
        if timer >= SLOW_TICKS:
            timer = int(0)
            damage = wp.clamp(health - STARVING_STOPS, 0, OF_STARVING)
            taken = harm(world, damage, 0, health_io, exhaustion_io, hurt_io, hurt_by_io)
    else:
        timer = int(0)
    body_timer_io[world] = timer
    return taken


@wp.func
def eat(
    rules: Rules,
    world: int,
    inventory_io: wp.array2d[int],
    food_io: wp.array[int],
    saturation_io: wp.array[int],
):
    """Eats one apple."""
    item = rules.food_item
    inventory_io[world, item] = inventory_io[world, item] - 1
    food = wp.min(food_io[world] + rules.food_points, FULL_FOOD)
    food_io[world] = food
    saturation_io[world] = wp.min(saturation_io[world] + rules.food_saturation, food * 1000)
