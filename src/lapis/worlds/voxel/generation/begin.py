"""Lists the worlds to generate, and puts their players at the start."""

import warp as wp

from lapis.worlds.rng import fold
from lapis.worlds.voxel.generation.land import Plan, ground_of, plan_of
from lapis.worlds.voxel.generation.noise import whole
from lapis.worlds.voxel.generation.rules import GenerationRules, Purpose

# Sums and products are rounded one by one, so that CPU and GPU agree to the last bit.
wp.set_module_options({"enable_backward": False, "fuse_fp": False})


@wp.kernel
def forget_plans(
    # Out:
    plan_count_out: wp.array[int],
):
    """Empties the list of worlds to generate."""
    plan_count_out[wp.tid()] = 0


@wp.kernel
def plan_worlds(
    # Rules:
    rules: GenerationRules,
    # State in:
    episode_in: wp.array[int],
    # In:
    which_in: wp.array[wp.bool],
    # State in/out:
    plan_count_io: wp.array[int],
    # Out:
    plan_out: wp.array[Plan],
    ceiling_out: wp.array[int],
    torch_out: wp.array2d[int],
    torch_count_out: wp.array[int],
    position_out: wp.array2d[float],
    velocity_out: wp.array2d[float],
    yaw_out: wp.array[int],
    pitch_out: wp.array[int],
    on_ground_out: wp.array[int],
    fall_from_out: wp.array[float],
):
    """Plans the chosen worlds, in any order, and puts their players at the start."""
    world = wp.tid()
    if not which_in[world]:
        return
    plan = plan_of(rules, world, episode_in[world])
    plan_out[wp.atomic_add(plan_count_io, 0, 1)] = plan
    ceiling_out[world] = 0
    for number in range(torch_out.shape[1]):
        torch_out[world, number] = -1
    torch_count_out[world] = 0
    x = plan.site_x[0]
    z = plan.site_z[0]
    y = float(ground_of(rules, plan, x, z)[0] + 1)
    position_out[world, 0] = float(x) + 0.5
    position_out[world, 1] = y
    position_out[world, 2] = float(z) + 0.5
    for axis in range(velocity_out.shape[1]):
        velocity_out[world, axis] = 0.0
    yaw_out[world] = whole(fold(plan.chance, Purpose.YAW), 3600)
    pitch_out[world] = 0
    on_ground_out[world] = 1
    fall_from_out[world] = y
