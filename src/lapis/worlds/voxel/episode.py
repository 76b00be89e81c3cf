"""The frame of an episode: how it begins, and which actions count."""

import warp as wp

from lapis.worlds.fault import Fault
from lapis.worlds.making import take_items
from lapis.worlds.rng import stream
from lapis.worlds.techtree.body import FULL_FOOD, FULL_HEALTH, START_SATURATION
from lapis.worlds.voxel.body import FULL_AIR
from lapis.worlds.voxel.rules import Rules
from lapis.worlds.voxel.state import Body, Game, Grid, Pack, Sight

wp.set_module_options({"enable_backward": False, "fuse_fp": False})

START_TIME = 6000  # noon, as in MineRL


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
    # Out:
    chosen_out: wp.array2d[int],
):
    """Takes in the actions; a choice that is not allowed counts as choice 0 and sets a fault bit.

    Where masked choices wait, only those out of range do.
    """
    world = wp.tid()
    for component in range(rules.action_size.shape[0]):
        choice = action_in[world, component]
        if choice < 0 or choice >= rules.action_size[component]:
            game_io.fault[world] = game_io.fault[world] | Fault.OUT_OF_RANGE
            choice = int(0)
        elif not mask_in[world, rules.first_choice[component] + choice]:
            choice = int(0)
            if rules.masked_waits == 0:
                game_io.fault[world] = game_io.fault[world] | Fault.MASKED
        if game_io.died[world]:
            choice = int(0)
        chosen_out[world, component] = choice
    step = game_io.step[world] + 1
    game_io.step[world] = step
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
    grid_out: Grid,
    body_out: Body,
    pack_out: Pack,
    sight_out: Sight,
):
    """Begins a new episode in the chosen worlds: the player's side of it."""
    world = wp.tid()
    if not which_in[world]:
        return
    episode = game_io.episode[world] + 1
    game_io.episode[world] = episode
    take_items(world, first_items_in, game_io.fault, pack_out.inventory)
    for tool in range(pack_out.wear.shape[1]):
        pack_out.wear[world, tool] = 0
    grid_out.station_count[world] = 0
    pack_out.hand[world] = -1
    pack_out.off_hand[world] = -1
    sight_out.target[world] = -1
    sight_out.dug[world] = 0.0
    pack_out.burn[world] = 0
    body_out.health[world] = FULL_HEALTH
    body_out.food[world] = FULL_FOOD
    body_out.saturation[world] = START_SATURATION
    body_out.exhaustion[world] = 0
    body_out.body_timer[world] = 0
    body_out.air[world] = FULL_AIR
    body_out.fire[world] = 0
    body_out.hurt[world] = 0
    body_out.hurt_by[world] = 0
    pack_out.experience[world] = 0
    game_io.time[world] = START_TIME
    game_io.step[world] = 0
    game_io.chance[world] = int(stream(rules.seed, rules.first_world + world, episode, 0))
    game_io.ticks[world] = 0
    game_io.died[world] = False
