"""What is no plain cube: leaves and glass with holes, plants as crossed planes, small boxes."""

import warp as wp

from lapis.worlds.voxel.view.ray import Ray, face_at, greater, lesser
from lapis.worlds.voxel.view.rules import Shape, ViewRules
from lapis.worlds.voxel.view.texel import is_solid, level_of, surface, texel_at

wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})

LATTICE_TEXELS = 3.0
"""Texels in a pixel from which on the holes of leaves are too small to be seen."""


@wp.struct
class Meeting:
    """Where a ray ends in a cell."""

    depth: float
    """The ray's end if it goes on."""
    face: int
    """-1: no face of the cell."""
    u: float
    v: float


@wp.func
def spot_at(ray: Ray, depth: float, x: int, y: int, z: int) -> wp.vec3:
    """The place of a ray at a depth, relative to a cell."""
    return ray.start + ray.direction * depth - wp.vec3(float(x), float(y), float(z))


@wp.func
def meeting_at(depth: float, face: int, u: float, v: float) -> Meeting:
    """A meeting with these fields."""
    met = Meeting()
    met.depth = depth
    met.face = face
    met.u = u
    met.v = v
    return met


@wp.func
def meet_lattice(
    rules: ViewRules, ray: Ray, block: int, depth: float, x: int, y: int, z: int, going_on: Meeting
) -> Meeting:
    """Ends at a cube's face unless the texel there is a hole, near enough to be told from one."""
    face = face_at(ray, x, y, z, depth)
    if face < 0:
        return going_on
    place = surface(face, spot_at(ray, depth, x, y, z))
    texels = depth * rules.texels_per_depth
    if texels < LATTICE_TEXELS:
        first = rules.first_texel[block * 6 + face]
        if not is_solid(texel_at(rules, first, level_of(texels * texels), place[0], place[1])):
            return going_on
    return meeting_at(depth, face, place[0], place[1])


@wp.func
def meet_plane(
    rules: ViewRules, block: int, depth: float, spot: wp.vec3, mirrored: bool, going_on: Meeting
) -> Meeting:
    """Ends at one of a plant's planes if it is crossed in the cell where the plant has leaves."""
    aside = spot[0] < 0.0 or spot[0] >= 1.0 or spot[2] < 0.0 or spot[2] >= 1.0
    if aside or spot[1] < 0.0 or spot[1] >= 1.0 or depth <= 0.0 or depth >= going_on.depth:
        return going_on
    u = wp.where(mirrored, 1.0 - spot[0], spot[0])
    v = 1.0 - spot[1]
    texels = depth * rules.texels_per_depth
    level = wp.min(level_of(texels * texels), 2)
    if not is_solid(texel_at(rules, rules.first_texel[block * 6], level, u, v)):
        return going_on
    return meeting_at(depth, -1, u, v)


@wp.func
def meet_cross(
    rules: ViewRules, ray: Ray, block: int, x: int, y: int, z: int, going_on: Meeting
) -> Meeting:
    """Ends at the nearer of the planes x = z and x + z = 1 of the cell."""
    met = going_on
    dx = ray.direction[0]
    dz = ray.direction[2]
    start_x = ray.start[0] - float(x)
    start_z = ray.start[2] - float(z)
    if dx != dz:
        depth = (start_z - start_x) / (dx - dz)
        met = meet_plane(rules, block, depth, spot_at(ray, depth, x, y, z), False, met)
    if dx != -dz:
        depth = (1.0 - start_x - start_z) / (dx + dz)
        met = meet_plane(rules, block, depth, spot_at(ray, depth, x, y, z), True, met)
    return met


@wp.func
def meet_box(
    rules: ViewRules, ray: Ray, block: int, x: int, y: int, z: int, going_on: Meeting
) -> Meeting:
    """Ends at the box in the middle of the cell's floor."""
    half = rules.box_half[block]
    start_x = ray.start[0] - (float(x) + 0.5)
    start_y = ray.start[1] - float(y)
    start_z = ray.start[2] - (float(z) + 0.5)
    x_1 = (-half - start_x) * ray.inverse[0]
    x_2 = (half - start_x) * ray.inverse[0]
    y_1 = -start_y * ray.inverse[1]
    y_2 = (rules.box_height[block] - start_y) * ray.inverse[1]
    z_1 = (-half - start_z) * ray.inverse[2]
    z_2 = (half - start_z) * ray.inverse[2]
    near_x = lesser(x_1, x_2)
    near_y = lesser(y_1, y_2)
    near_z = lesser(z_1, z_2)
    near = greater(near_x, greater(near_y, near_z))
    far = lesser(greater(x_1, x_2), lesser(greater(y_1, y_2), greater(z_1, z_2)))
    if near > far or near <= 0.0 or near >= going_on.depth:
        return going_on
    face = 1 - ray.ahead[0]
    if near == near_y:
        face = 3 - ray.ahead[1]
    if near == near_z:
        face = 5 - ray.ahead[2]
    place = surface(face, spot_at(ray, near, x, y, z))
    return meeting_at(near, face, place[0], place[1])


@wp.func
def meet(
    rules: ViewRules, ray: Ray, block: int, shape: int, depth: float, x: int, y: int, z: int
) -> Meeting:
    """Ends in a block that is no plain cube, or goes on."""
    going_on = meeting_at(ray.furthest, -1, 0.0, 0.0)
    if shape == Shape.LATTICE:
        return meet_lattice(rules, ray, block, depth, x, y, z, going_on)
    if shape == Shape.CROSS:
        return meet_cross(rules, ray, block, x, y, z, going_on)
    return meet_box(rules, ray, block, x, y, z, going_on)
