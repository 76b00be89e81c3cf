"""The frame of a step: which action counts, and how an episode begins."""

import warp as wp

from lapis.worlds.fault import Fault
from lapis.worlds.rng import draw, stream
from lapis.worlds.techtree.actions import ACTIONS
from lapis.worlds.techtree.body import FULL_FOOD, FULL_HEALTH, START_SATURATION
from lapis.worlds.techtree.config import SURFACE
from lapis.worlds.techtree.rules import Purpose, Rules
from lapis.worlds.techtree.spot import pick

wp.set_module_options({"enable_backward": False})

_ACTION_COUNT = len(ACTIONS)


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
    chosen_out: wp.array[int],
    chance_out: wp.array[int],
    arrived_out: wp.array[int],
    damage_out: wp.array[int],
    ticks_out: wp.array[int],
):
    """Takes in the actions; one that is not allowed has no effect but a fault bit, or waits."""
    world = wp.tid()
    action = action_in[world, 0]
    arrived_out[world] = 0
    damage_out[world] = 0
    ticks_out[world] = 0
    if action < 0 or action >= _ACTION_COUNT:
        fault_io[world] = fault_io[world] | Fault.OUT_OF_RANGE
        action = int(-1)
    elif not mask_in[world, action]:
        action = int(-1)
        if rules.masked_waits > 0:
            ticks_out[world] = rules.handling_ticks
        else:
            fault_io[world] = fault_io[world] | Fault.MASKED
    if died_in[world]:
        action = int(-1)
        ticks_out[world] = 0
    step = step_io[world] + 1
    step_io[world] = step
    chosen_out[world] = action
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
    inventory_out: wp.array2d[int],
    wear_out: wp.array2d[int],
    hand_out: wp.array[int],
    biome_out: wp.array[int],
    height_out: wp.array[int],
    in_cave_out: wp.array[int],
    target_out: wp.array[int],
    dug_out: wp.array[int],
    burn_out: wp.array[int],
    health_out: wp.array[int],
    food_out: wp.array[int],
    saturation_out: wp.array[int],
    exhaustion_out: wp.array[int],
    body_timer_out: wp.array[int],
    step_out: wp.array[int],
    chance_out: wp.array[int],
    chosen_out: wp.array[int],
    arrived_out: wp.array[int],
    damage_out: wp.array[int],
    ticks_out: wp.array[int],
    died_out: wp.array[wp.bool],
):
    """Begins a new episode in the chosen worlds, on the surface of a biome where players start."""
    world = wp.tid()
    if not which_in[world]:
        arrived_out[world] = 0
        return
    episode = episode_io[world] + 1
    chance = stream(rules.seed, rules.first_world + world, episode, 0)
    for item in range(inventory_out.shape[1]):
        count = first_items_in[world, item]
        if count < 0:
            fault_io[world] = fault_io[world] | Fault.NEGATIVE_INVENTORY
            count = int(0)
        inventory_out[world, item] = count
    for tool in range(wear_out.shape[1]):
        wear_out[world, tool] = 0
    episode_io[world] = episode
    chance_out[world] = int(chance)
    biome_out[world] = pick(draw(chance, Purpose.BIOME), rules.spawn_chance)
    hand_out[world] = -1
    height_out[world] = SURFACE
    in_cave_out[world] = 0
    target_out[world] = -1
    dug_out[world] = 0
    burn_out[world] = 0
    health_out[world] = FULL_HEALTH
    food_out[world] = FULL_FOOD
    saturation_out[world] = START_SATURATION
    exhaustion_out[world] = 0
    body_timer_out[world] = 0
    step_out[world] = 0
    chosen_out[world] = -1
    arrived_out[world] = 1
    damage_out[world] = 0
    ticks_out[world] = 0
    died_out[world] = False
