"""The frame of a step: which action counts, and how an episode begins."""

import warp as wp

from lapis.worlds.fault import Fault
from lapis.worlds.making import take_items
from lapis.worlds.rng import draw, stream
from lapis.worlds.techtree.actions import ACTIONS
from lapis.worlds.techtree.body import FULL_FOOD, FULL_HEALTH, START_SATURATION
from lapis.worlds.techtree.config import SURFACE
from lapis.worlds.techtree.rules import Purpose, Rules
from lapis.worlds.techtree.spot import pick
from lapis.worlds.techtree.state import Body, Game, Pack, Spot

wp.set_module_options({"enable_backward": False})

_ACTION_COUNT = len(ACTIONS)


@wp.kernel
def begin(
    # Rules:
    rules: Rules,
    # State in:
    mask_in: wp.array2d[wp.bool],
    # In:
    action_in: wp.array2d[int],
    # State in/out:
    game_io: Game,
):
    """Takes in the actions; one that is not allowed has no effect but a fault bit, or waits."""
    world = wp.tid()
    action = action_in[world, 0]
    game_io.arrived[world] = 0
    game_io.damage[world] = 0
    game_io.ticks[world] = 0
    if action < 0 or action >= _ACTION_COUNT:
        game_io.fault[world] = game_io.fault[world] | Fault.OUT_OF_RANGE
        action = int(-1)
    elif not mask_in[world, action]:
        action = int(-1)
        if rules.masked_waits > 0:
            game_io.ticks[world] = rules.handling_ticks
        else:
            game_io.fault[world] = game_io.fault[world] | Fault.MASKED
    if game_io.died[world]:
        action = int(-1)
        game_io.ticks[world] = 0
    step = game_io.step[world] + 1
    game_io.step[world] = step
    game_io.chosen[world] = action
    chance = stream(rules.seed, rules.first_world + world, game_io.episode[world], step)
    game_io.chance[world] = int(chance)


@wp.kernel
def restart(
    # Rules:
    rules: Rules,
    # In:
    which_in: wp.array[wp.bool],
    first_items_in: wp.array2d[int],
    # State in/out:
    game_io: Game,
    # Out:
    pack_out: Pack,
    spot_out: Spot,
    body_out: Body,
):
    """Begins a new episode in the chosen worlds, on the surface of a biome where players start."""
    world = wp.tid()
    if not which_in[world]:
        game_io.arrived[world] = 0
        return
    episode = game_io.episode[world] + 1
    chance = stream(rules.seed, rules.first_world + world, episode, 0)
    take_items(world, first_items_in, game_io.fault, pack_out.inventory)
    for tool in range(pack_out.wear.shape[1]):
        pack_out.wear[world, tool] = 0
    game_io.episode[world] = episode
    game_io.chance[world] = int(chance)
    spot_out.biome[world] = pick(draw(chance, Purpose.BIOME), rules.spawn_chance)
    pack_out.hand[world] = -1
    spot_out.height[world] = SURFACE
    spot_out.in_cave[world] = 0
    spot_out.target[world] = -1
    spot_out.dug[world] = 0
    spot_out.burn[world] = 0
    body_out.health[world] = FULL_HEALTH
    body_out.food[world] = FULL_FOOD
    body_out.saturation[world] = START_SATURATION
    body_out.exhaustion[world] = 0
    body_out.body_timer[world] = 0
    game_io.step[world] = 0
    game_io.chosen[world] = -1
    game_io.arrived[world] = 1
    game_io.damage[world] = 0
    game_io.ticks[world] = 0
    game_io.died[world] = False
