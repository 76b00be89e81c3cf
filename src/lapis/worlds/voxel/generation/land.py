"""The plan of a world - its biomes, its lake and the start - and the height of its ground.

DEVIATION: a world is a torus with two or three biomes and one lake at least; around the start the
ground is dry, whole and free of trees, so that no search for a safe place is needed.
"""

import warp as wp

from lapis.worlds.rng import draw, fold, stream
from lapis.worlds.voxel.config import SEA_LEVEL
from lapis.worlds.voxel.generation.noise import noise, torus_distance, unit, whole
from lapis.worlds.voxel.generation.rules import GENERATION_STEP, SKY, GenerationRules, Purpose
from lapis.worlds.voxel.state import Body, Game, Grid

wp.set_module_options({"enable_backward": False, "fuse_fp": False})

_SEA = float(SEA_LEVEL)
_BLEND = 12.0
"""Distance over which the height of one biome passes into that of another [blocks]."""
_FAR = 1.0e9
_SUMMIT = 8.0
"""Height below the ceiling from which on the ground rises less [blocks]."""
_HOME_RADIUS = 4.0
"""The ground is dry within this distance of the start [blocks]."""


@wp.struct
class Plan:
    """What holds for a whole world while it is generated."""

    world: int
    chance: wp.uint32
    biome_count: int
    biome: wp.vec3i
    site_x: wp.vec3i
    """Columns around which the biomes lie; the first one is the start."""
    site_z: wp.vec3i
    lake_x: int
    lake_z: int
    lake_radius: float


@wp.struct
class Plans:
    """The worlds to generate, and the number of threads that share the work."""

    plan: wp.array[Plan]
    count: wp.array[int]
    thread_count: int


@wp.func
def picked(number: int, totals: wp.array[int]) -> int:
    """The first entry whose running total exceeds a draw."""
    entry = int(0)
    while entry < totals.shape[0] - 1 and number >= totals[entry]:
        entry = entry + 1
    return entry


@wp.func
def picked_other(h: wp.uint32, weights: wp.array[int], first: int, second: int) -> int:
    """A biome by weight, neither `first` nor `second`."""
    total = int(0)
    for entry in range(weights.shape[0]):
        if entry != first and entry != second:
            total = total + weights[entry]
    rest = whole(h, total)
    chosen = int(-1)
    for entry in range(weights.shape[0]):
        if entry != first and entry != second and chosen < 0:
            rest = rest - weights[entry]
            if rest < 0:
                chosen = entry
    return chosen


@wp.func
def plan_of(rules: GenerationRules, world: int, episode: int) -> Plan:
    """Draws the plan of one world's episode."""
    size = rules.size
    h = stream(rules.seed, rules.first_world + world, episode, GENERATION_STEP)
    plan = Plan()
    plan.world = world
    plan.chance = h
    plan.biome_count = 2 + whole(fold(h, Purpose.BIOME_COUNT), 2)
    first = picked(draw(h, Purpose.BIOME), rules.home_total)
    second = picked_other(fold(h, Purpose.BIOME + 1), rules.area_weight, first, first)
    if rules.is_wooded[first] == 0:
        second = picked_other(fold(h, Purpose.BIOME + 1), rules.wooded_weight, first, first)
    third = picked_other(fold(h, Purpose.BIOME + 2), rules.area_weight, first, second)
    plan.biome = wp.vec3i(first, second, third)
    home_x = whole(fold(h, Purpose.HOME), size)
    home_z = whole(fold(h, Purpose.HOME + 1), size)
    # The sites lie evenly along one axis and anywhere along the other.
    along_1 = size // plan.biome_count + whole(fold(h, Purpose.SITE), size // 8) - size // 16
    along_2 = 2 * size // 3 + whole(fold(h, Purpose.SITE + 1), size // 8) - size // 16
    across_1 = whole(fold(h, Purpose.SITE + 2), size)
    across_2 = whole(fold(h, Purpose.SITE + 3), size)
    if whole(fold(h, Purpose.SITE + 4), 2) == 0:
        plan.site_x = wp.vec3i(home_x, home_x + along_1, home_x + along_2)
        plan.site_z = wp.vec3i(home_z, home_z + across_1, home_z + across_2)
    else:
        plan.site_x = wp.vec3i(home_x, home_x + across_1, home_x + across_2)
        plan.site_z = wp.vec3i(home_z, home_z + along_1, home_z + along_2)
    plan.lake_x = home_x + size // 4 + whole(fold(h, Purpose.LAKE), size // 2)
    plan.lake_z = home_z + whole(fold(h, Purpose.LAKE + 1), size)
    plan.lake_radius = float(size) * (0.1 + 0.07 * unit(fold(h, Purpose.LAKE + 2)))
    return plan


@wp.func
def border_distance(rules: GenerationRules, plan: Plan, x: int, z: int, place: int) -> float:
    """Distance to one of the biomes' sites, bent so that borders wind [blocks]."""
    size = rules.size
    bend = noise(fold(plan.chance, Purpose.BORDER + place), x, z, 4, size) * float(size) / 12.0
    return bend + torus_distance(x, z, plan.site_x[place], plan.site_z[place], size)


@wp.func
def hills(h: wp.uint32, x: int, z: int, size: int) -> float:
    """The shape of the ground, mostly within -1/2 ... 1/2."""
    broad = 0.5 * noise(fold(h, Purpose.HEIGHT), x, z, 5, size)
    broad = broad + 0.35 * noise(fold(h, Purpose.HEIGHT + 1), x, z, 4, size)
    fine = 0.12 * noise(fold(h, Purpose.HEIGHT + 2), x, z, 3, size)
    fine = fine + 0.05 * noise(fold(h, Purpose.HEIGHT + 3), x, z, 2, size)
    return broad + fine


@wp.func
def raised(rise: float, relief: float, hill: float) -> float:
    """The height of the ground; valleys are shallower than hills are high [blocks]."""
    if hill < 0.0:
        return _SEA + rise + wp.min(relief, 1.4 * rise + 2.5) * hill
    return _SEA + rise + relief * hill


@wp.func
def flattened(ground: float, ceiling: float) -> float:
    """The ground with its summits lowered, so that they stay below the ceiling [blocks]."""
    summit = wp.min(_SUMMIT, 0.5 * (ceiling - _SEA))
    above = ground - (ceiling - summit)
    if above <= 0.0:
        return ground
    return ceiling - summit + above / (1.0 + above / summit)


@wp.func
def bank(beyond: float) -> float:
    """The highest ground at a distance from the lake's shore, less than 0 in the lake [blocks]."""
    if beyond < 0.0:
        return wp.max(_SEA - 0.5 + 0.6 * beyond, _SEA - 6.0)
    return _SEA - 0.5 + 0.4 * beyond + 0.08 * beyond * beyond


@wp.func
def hollowed(plan: Plan, ground: float, x: int, z: int, size: int) -> float:
    """The ground with the lake and its banks taken out [blocks]."""
    bend = 3.0 * noise(fold(plan.chance, Purpose.SHORE), x, z, 3, size)
    distance = bend + torus_distance(x, z, plan.lake_x, plan.lake_z, size)
    return wp.min(ground, bank(distance - plan.lake_radius))


@wp.func
def ground_of(rules: GenerationRules, plan: Plan, x: int, z: int) -> wp.vec2i:
    """The y of a column's highest block of ground, and its biome."""
    third = float(_FAR)
    if plan.biome_count > 2:
        third = border_distance(rules, plan, x, z, 2)
    distance = wp.vec3(
        border_distance(rules, plan, x, z, 0), border_distance(rules, plan, x, z, 1), third
    )
    nearest = int(0)
    for place in range(1, plan.biome_count):
        if distance[place] < distance[nearest]:
            nearest = place
    rise = float(0.0)
    relief = float(0.0)
    total = float(0.0)
    for place in range(plan.biome_count):
        weight = wp.max(0.0, 1.0 - (distance[place] - distance[nearest]) / _BLEND)
        weight = weight * weight
        rise = rise + weight * rules.rise[plan.biome[place]]
        relief = relief + weight * rules.relief[plan.biome[place]]
        total = total + weight
    rise = rise / total
    ground = raised(rise, relief / total, hills(plan.chance, x, z, rules.size))
    ground = flattened(ground, float(rules.height - SKY))
    ground = hollowed(plan, ground, x, z, rules.size)
    away = torus_distance(x, z, plan.site_x[0], plan.site_z[0], rules.size) - _HOME_RADIUS
    ground = wp.max(ground, _SEA + 2.5 - 0.6 * wp.max(away, 0.0))
    return wp.vec2i(int(wp.floor(ground)), plan.biome[nearest])


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
