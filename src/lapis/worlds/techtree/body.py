"""Health and food: damage, hunger, healing and death by Minecraft 1.11's rules."""

import warp as wp

from lapis.worlds.techtree.state import Body, Game

wp.set_module_options({"enable_backward": False})

FULL_HEALTH = 20000  # [1/1000 points]
FULL_FOOD = 20
START_SATURATION = 5000

# Exhaustion [1/1000 points]
EXHAUSTION_LIMIT = 4000
EXHAUSTION_OF_BLOCK = 5
EXHAUSTION_OF_SPRINT = 100  # per block
EXHAUSTION_OF_JUMP = 50
EXHAUSTION_OF_DAMAGE = 100
SPRINT_FOOD = 6  # sprinting needs more than that

FAST_HEALING_TICKS = 10
SLOW_TICKS = 80  # of slow healing and of starving
STARVING_STOPS = 1000  # normal difficulty leaves one point


@wp.func
def healing_cost(saturation: int) -> int:
    """Saturation that one fast healing burns; it heals a sixth of that [1/1000 points]."""
    return wp.min(saturation, 6000)


@wp.func
def tire(exhaustion: int, saturation: int, food: int) -> wp.vec3i:
    """Exhaustion beyond its limit turned into lost saturation, then food; returns all three."""
    while exhaustion > EXHAUSTION_LIMIT:
        exhaustion = exhaustion - EXHAUSTION_LIMIT
        if saturation > 0:
            saturation = wp.max(saturation - 1000, 0)
        else:
            food = wp.max(food - 1, 0)
    return wp.vec3i(exhaustion, saturation, food)


@wp.kernel
def live(
    # State in/out:
    game_io: Game,
    body_io: Body,
):
    """Lets the time of the step pass over the body, then harms it."""
    world = wp.tid()
    if game_io.died[world]:
        return
    health = body_io.health[world]
    food = body_io.food[world]
    saturation = body_io.saturation[world]
    exhaustion = body_io.exhaustion[world]
    timer = body_io.body_timer[world]
    left = game_io.ticks[world]
    damage = game_io.damage[world]

    while left > 0 and (health < FULL_HEALTH or food == 0):
        period = SLOW_TICKS
        if food == FULL_FOOD and saturation > 0:
            period = FAST_HEALING_TICKS
        elif food > 0 and food < 18:
            break
        wait = wp.max(period - timer, 1)
        if left < wait:
            timer = timer + left
            left = int(0)
            break
        left = left - wait
        timer = int(0)
        if food == 0:
            health = wp.max(health - 1000, wp.min(health, STARVING_STOPS))
        elif period == FAST_HEALING_TICKS:
            cost = healing_cost(saturation)
            health = wp.min(health + cost // 6, FULL_HEALTH)
            exhaustion = exhaustion + cost
        else:
            health = wp.min(health + 1000, FULL_HEALTH)
            exhaustion = exhaustion + 6000
        tired = tire(exhaustion, saturation, food)
        exhaustion = tired[0]
        saturation = tired[1]
        food = tired[2]
    if left > 0:
        timer = int(0)

    if damage > 0:
        health = health - damage
        exhaustion = exhaustion + EXHAUSTION_OF_DAMAGE
    if health <= 0:
        health = int(0)
        game_io.died[world] = True
    rest = tire(exhaustion, saturation, food)
    body_io.health[world] = health
    body_io.exhaustion[world] = rest[0]
    body_io.saturation[world] = rest[1]
    body_io.food[world] = rest[2]
    body_io.body_timer[world] = timer
