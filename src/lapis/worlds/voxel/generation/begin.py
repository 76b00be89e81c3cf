"""Lists the worlds to generate, and puts their players at the start."""

import warp as wp

from lapis.worlds.rng import fold
from lapis.worlds.voxel.generation.land import Plans, ground_of, plan_of
from lapis.worlds.voxel.generation.noise import whole
from lapis.worlds.voxel.generation.rules import GenerationRules, Purpose
from lapis.worlds.voxel.state import Body, Game, Grid

# Sums and products are rounded one by one, so that CPU and GPU agree to the last bit.
wp.set_module_options({"enable_backward": False, "fuse_fp": False})


@wp.kernel
def forget_plans(
    # Out:
    plans_out: Plans,
):
    """Empties the list of worlds to generate."""
    plans_out.count[wp.tid()] = 0


@wp.kernel
def plan_worlds(
    # Rules:
    rules: GenerationRules,
    # State in:
    game_in: Game,
    # In:
    which_in: wp.array[wp.bool],
    # State in/out:
    plans_io: Plans,
    # Out:
    grid_out: Grid,
    body_out: Body,
):
    """Plans the chosen worlds, in any order, and puts their players at the start."""
    world = wp.tid()
    if not which_in[world]:
        return
    plan = plan_of(rules, world, game_in.episode[world])
    plans_io.plan[wp.atomic_add(plans_io.count, 0, 1)] = plan
    grid_out.ceiling[world] = 0
    for number in range(grid_out.torch.shape[1]):
        grid_out.torch[world, number] = -1
    grid_out.torch_count[world] = 0
    x = plan.site_x[0]
    z = plan.site_z[0]
    y = float(ground_of(rules, plan, x, z)[0] + 1)
    body_out.position[world] = wp.vec3(float(x) + 0.5, y, float(z) + 0.5)
    body_out.velocity[world] = wp.vec3(0.0, 0.0, 0.0)
    body_out.yaw[world] = whole(fold(plan.chance, Purpose.YAW), 3600)
    body_out.pitch[world] = 0
    body_out.on_ground[world] = 1
    body_out.fall_from[world] = y
