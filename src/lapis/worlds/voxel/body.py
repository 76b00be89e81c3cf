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
from lapis.worlds.voxel.collision import IN_LAVA, IN_WATER, first_cell, medium_at
from lapis.worlds.voxel.grid import block_at
from lapis.worlds.voxel.looking import EYE_HEIGHT
from lapis.worlds.voxel.rules import Rules
from lapis.worlds.voxel.state import Body, Grid, Pack

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
def harm(world: int, damage: int, effort: int, body_io: Body) -> int:
    """Takes damage; who was hurt a moment ago only takes what exceeds it. Returns what was taken.

    `effort` is the exhaustion that goes with this kind of damage.
    """
    taken = damage
    if body_io.hurt[world] > 0:
        taken = wp.max(damage - body_io.hurt_by[world], 0)
        body_io.hurt_by[world] = wp.max(damage, body_io.hurt_by[world])
    elif damage > 0:
        body_io.hurt[world] = IMMUNITY_TICKS
        body_io.hurt_by[world] = damage
    if taken > 0:
        body_io.health[world] = wp.max(body_io.health[world] - taken, 0)
        body_io.exhaustion[world] = tired(body_io.exhaustion[world], effort)
    return taken


@wp.func
def endure(rules: Rules, world: int, grid_in: Grid, body_io: Body) -> int:
    """What a tick of fire, lava, earth and water does to the body; returns the damage taken."""
    place = body_io.position[world]
    medium = medium_at(world, place, grid_in)
    at_eye = eye_block(world, place, grid_in)
    taken = int(0)
    fire = body_io.fire[world]
    if medium == IN_WATER:
        fire = int(0)
    if fire > 0:
        if fire % BURNING_PERIOD == 0:
            taken += harm(world, OF_BURNING, 0, body_io)
        fire = fire - 1
    if medium == IN_LAVA:
        fire = BURNING_TICKS
        taken += harm(world, OF_LAVA, EXHAUSTION_OF_DAMAGE, body_io)
    body_io.fire[world] = fire
    if rules.solid[at_eye] > 0:
        taken += harm(world, OF_SUFFOCATION, 0, body_io)
    air = FULL_AIR
    if at_eye == Block.WATER:
        air = body_io.air[world] - 1
        if air <= AIR_OF_DAMAGE:
            air = int(0)
            taken += harm(world, OF_DROWNING, 0, body_io)
    body_io.air[world] = air
    body_io.hurt[world] = wp.max(body_io.hurt[world] - 1, 0)
    return taken


@wp.func
def eye_block(world: int, place: wp.vec3, grid_in: Grid) -> int:
    """The block in which the player's eyes are."""
    y = first_cell(place[1] + EYE_HEIGHT)
    return block_at(grid_in, world, first_cell(place[0]), y, first_cell(place[2]))


@wp.func
def digest(world: int, body_io: Body) -> int:
    """A tick of hunger, healing and starving; returns the damage taken."""
    if body_io.exhaustion[world] > EXHAUSTION_LIMIT:
        body_io.exhaustion[world] = body_io.exhaustion[world] - EXHAUSTION_LIMIT
        if body_io.saturation[world] > 0:
            body_io.saturation[world] = wp.max(body_io.saturation[world] - 1000, 0)
        else:
            body_io.food[world] = wp.max(body_io.food[world] - 1, 0)
    food = body_io.food[world]
    health = body_io.health[world]
    wounded = health < FULL_HEALTH
    timer = body_io.body_timer[world] + 1
    taken = int(0)
    if wounded and food == FULL_FOOD and body_io.saturation[world] > 0:
        if timer >= FAST_HEALING_TICKS:
            timer = int(0)
            cost = healing_cost(body_io.saturation[world])
            body_io.health[world] = wp.min(health + cost // 6, FULL_HEALTH)
            body_io.exhaustion[world] = tired(body_io.exhaustion[world], cost)
    elif wounded and food >= 18:
        if timer >= SLOW_TICKS:
            timer = int(0)
            body_io.health[world] = wp.min(health + 1000, FULL_HEALTH)
            body_io.exhaustion[world] = tired(body_io.exhaustion[world], 6000)
    elif food == 0:
        if timer >= SLOW_TICKS:
            timer = int(0)
            damage = wp.clamp(health - STARVING_STOPS, 0, OF_STARVING)
            taken = harm(world, damage, 0, body_io)
    else:
        timer = int(0)
    body_io.body_timer[world] = timer
    return taken


@wp.func
def eat(rules: Rules, world: int, body_io: Body, pack_io: Pack):
    """Eats one apple."""
    item = rules.food_item
    pack_io.inventory[world, item] = pack_io.inventory[world, item] - 1
    food = wp.min(body_io.food[world] + rules.food_points, FULL_FOOD)
    body_io.food[world] = food
    saturation = body_io.saturation[world] + rules.food_saturation
    body_io.saturation[world] = wp.min(saturation, food * 1000)
