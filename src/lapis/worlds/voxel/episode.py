"""The frame of an episode: how it begins, and which actions count."""

import warp as wp

from lapis.worlds.fault import Fault
from lapis.worlds.rng import stream
from lapis.worlds.techtree.body import FULL_FOOD, FULL_HEALTH, START_SATURATION
from lapis.worlds.voxel.body import FULL_AIR
from lapis.worlds.voxel.rules import Rules

wp.set_module_options({"enable_backward": False, "fuse_fp": False})

START_TIME = 6000  # noon, as in MineRL


@wp.kernel
def begin(
    # Rules:
    rules: Rules,
    # State in:
    episode_in: wp.array[int],
    died_in: wp.array[wp.bool],
    mask_in: wp.array2d[wp.bool],
    # In:
    action_in: wp.array2d[int],
    # State in/out:
    step_io: wp.array[int],
    fault_io: wp.array[int],
    # Out:
    chosen_out: wp.array2d[int],
    chance_out: wp.array[int],
):
    """Takes in the actions; a choice that is not allowed counts as choice 0 and sets a fault bit.

    Where masked choices wait, only those out of range do.
    """
    world = wp.tid()
    for component in range(rules.action_size.shape[0]):
        choice = action_in[world, component]
        if choice < 0 or choice >= rules.action_size[component]:
            fault_io[world] = fault_io[world] | Fault.OUT_OF_RANGE
            choice = int(0)
        elif not mask_in[world, rules.first_choice[component] + choice]:
            choice = int(0)
            if rules.masked_waits == 0:
                fault_io[world] = fault_io[world] | Fault.MASKED
        if died_in[world]:
            choice = int(0)
        chosen_out[world, component] = choice
    step = step_io[world] + 1
    step_io[world] = step
    chance_out[world] = int(stream(rules.seed, rules.first_world + world, episode_in[world], step))


@wp.kernel
def restart(
    # Rules:
    rules: Rules,
    # In:
    which_in: wp.array[wp.bool],
    first_items_in: wp.array2d[int],
    # State in/out:
    episode_io: wp.array[int],
    fault_io: wp.array[int],
    # Out:
    station_count_out: wp.array[int],
    inventory_out: wp.array2d[int],
    wear_out: wp.array2d[int],
    hand_out: wp.array[int],
    off_hand_out: wp.array[int],
    target_out: wp.array[int],
    dug_out: wp.array[float],
    burn_out: wp.array[int],
    health_out: wp.array[int],
    food_out: wp.array[int],
    saturation_out: wp.array[int],
    exhaustion_out: wp.array[int],
    body_timer_out: wp.array[int],
    air_out: wp.array[int],
    fire_out: wp.array[int],
    hurt_out: wp.array[int],
    hurt_by_out: wp.array[int],
    experience_out: wp.array[int],
    time_out: wp.array[int],
    step_out: wp.array[int],
    chance_out: wp.array[int],
    ticks_out: wp.array[int],
    died_out: wp.array[wp.bool],
):
    """Begins a new episode in the chosen worlds: the player's side of it."""
    world = wp.tid()
    if not which_in[world]:
        return
    episode = episode_io[world] + 1
    episode_io[world] = episode
    for item in range(inventory_out.shape[1]):
        count = first_items_in[world, item]
        if count < 0:
            fault_io[world] = fault_io[world] | Fault.NEGATIVE_INVENTORY
            count = int(0)
        inventory_out[world, item] = count
    for tool in range(wear_out.shape[1]):
        wear_out[world, tool] = 0
    station_count_out[world] = 0
    hand_out[world] = -1
    off_hand_out[world] = -1
    target_out[world] = -1
    dug_out[world] = 0.0
    burn_out[world] = 0
    health_out[world] = FULL_HEALTH
    food_out[world] = FULL_FOOD
    saturation_out[world] = START_SATURATION
    exhaustion_out[world] = 0
    body_timer_out[world] = 0
    air_out[world] = FULL_AIR
    fire_out[world] = 0
    hurt_out[world] = 0
    hurt_by_out[world] = 0
    experience_out[world] = 0
    time_out[world] = START_TIME
    step_out[world] = 0
    chance_out[world] = int(stream(rules.seed, rules.first_world + world, episode, 0))
    ticks_out[world] = 0
    died_out[world] = False
