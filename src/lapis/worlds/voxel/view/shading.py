"""The color of a pixel from what its ray met: blocks in their light, water, haze and the sky."""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.view.cast import Hit
from lapis.worlds.voxel.view.light import AMBIENT_LIGHT, dim_light, sky_light, torches_light
from lapis.worlds.voxel.view.meeting import Meeting, meeting_at, spot_at
from lapis.worlds.voxel.view.ray import Ray, cell_of, face_at, greater
from lapis.worlds.voxel.view.rules import Shape, ViewRules
from lapis.worlds.voxel.view.scene import Eye, Eyes, FlatGrid
from lapis.worlds.voxel.view.texel import color_of, level_of, surface, texel_at

wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})

_IN_LAVA = 2
_SMALLEST = 340
"""Where a texture's mean color lies behind its first texel."""

_TORCH_COLOR = wp.vec3(1.0, 0.88, 0.66)
_CRACK = 0.3
"""What cracks leave of a color."""
_OUTLINE = 0.25
"""What the outline of the block that is looked at leaves of a color."""
_THINNEST_OUTLINE = 0.012
"""Its width [blocks]; never less than two thirds of a pixel."""

HAZE_START = 0.5
"""Share of the view distance from which on things fade."""

_ZENITH = wp.vec3(108.0, 158.0, 248.0)
_HORIZON = wp.vec3(188.0, 214.0, 250.0)
_SUN = wp.vec3(255.0, 250.0, 214.0)
_MOON = wp.vec3(206.0, 212.0, 226.0)
_SUN_SIZE = 0.09
"""Half of the sun's side, at distance 1."""


@wp.func
def mixed(a: wp.vec3, b: wp.vec3, share: float) -> wp.vec3:
    """A color between `a` (share 0) and `b` (share 1)."""
    return a + (b - a) * share


@wp.func
def haze_color(day: float) -> wp.vec3:
    """The sky's color at the horizon; nights are darker than the ground's light says."""
    return _HORIZON * (day * day)


@wp.func
def sky_color(direction: wp.vec3, length: float, sun: wp.vec3, day: float) -> wp.vec3:
    """The sky's color where a ray goes."""
    rise = wp.clamp(2.0 * direction[1] / length, 0.0, 1.0)
    color = mixed(_HORIZON, _ZENITH, rise) * (day * day)
    toward = direction[0] * sun[0] + direction[1] * sun[1]
    across = direction[0] * sun[1] - direction[1] * sun[0]
    half = _SUN_SIZE * wp.abs(toward)
    if wp.abs(across) < half and wp.abs(direction[2]) < half:
        return wp.where(toward > 0.0, _SUN, _MOON)
    return color


@wp.func
def haze_share(distance: float, view_distance: float) -> float:
    """How much of a color is haze at a distance: 0 up to `HAZE_START`, 1 where the view ends."""
    share = wp.clamp((distance / view_distance - HAZE_START) / (1.0 - HAZE_START), 0.0, 1.0)
    return share * share


@wp.func
def face_shade(face: int) -> float:
    """Brightness of a face by where it points; -1 is a plane of a plant."""
    if face == 3:
        return 1.0
    if face == 2:
        return 0.5
    if face >= 4:
        return 0.8
    if face >= 0:
        return 0.6
    return 0.9


@wp.func
def light_color(gray: float, torches: float) -> wp.vec3:
    """Gray light and the light of torches, whichever is brighter, per color."""
    return wp.vec3(
        greater(gray, torches * _TORCH_COLOR[0]),
        greater(gray, torches * _TORCH_COLOR[1]),
        greater(gray, torches * _TORCH_COLOR[2]),
    )


@wp.func
def marked(rules: ViewRules, color: wp.vec3, met: Meeting, dug: float, outlined: bool) -> wp.vec3:
    """The color under the cracks of digging and the outline of what is looked at."""
    column = wp.clamp(int(met.u * 16.0), 0, 15)
    row = wp.clamp(int(met.v * 16.0), 0, 15)
    if float(rules.crack[row * 16 + column]) < dug * 255.0:
        color = color * _CRACK
    if outlined:
        width = greater(_THINNEST_OUTLINE, 0.67 * met.depth * rules.blocks_per_depth)
        inner = 1.0 - width
        if met.face < 0:
            color = mixed(color, wp.vec3(255.0, 255.0, 255.0), 0.25)
        elif met.u < width or met.u > inner or met.v < width or met.v > inner:
            color = color * _OUTLINE
    return color


@wp.func
def ending(ray: Ray, hit: Hit) -> Meeting:
    """Where a ray ends in the block that it hit."""
    if hit.shape != Shape.CUBE:
        return hit.met
    face = face_at(ray, hit.x, hit.y, hit.z, hit.depth)
    place = surface(face, spot_at(ray, hit.depth, hit.x, hit.y, hit.z))
    return meeting_at(hit.depth, face, place[0], place[1])


@wp.func
def block_color(rules: ViewRules, ray: Ray, hit: Hit, met: Meeting, length: float) -> wp.vec3:
    """The texture's color, in the size in which a texel is about as large as a pixel."""
    texels = met.depth * rules.texels_per_depth
    squared = texels * texels
    slant = float(1.0)
    if met.face == 0 or met.face == 1:
        slant = wp.abs(ray.direction[0])
    elif met.face == 2 or met.face == 3:
        slant = wp.abs(ray.direction[1])
    elif met.face >= 0:
        slant = wp.abs(ray.direction[2])
    level = level_of(squared * length / greater(slant, 0.1 * length))
    first = rules.first_texel[hit.block * 6 + wp.max(met.face, 0)]
    return color_of(texel_at(rules, first, level, met.u, met.v))


@wp.func
def behind_liquid(
    rules: ViewRules, ray: Ray, hit: Hit, color: wp.vec3, medium: int, light: float
) -> wp.vec3:
    """The color behind the water that a ray passed, or the lava that the eye is in."""
    if medium == _IN_LAVA:
        return mixed(
            color, color_of(rules.texel[rules.first_texel[Block.LAVA * 6] + _SMALLEST]), 0.9
        )
    if hit.water == 0.0:
        return color
    share = wp.min(0.4 + 0.075 * hit.water, 1.0)
    tint = color_of(rules.texel[rules.first_texel[Block.WATER * 6] + _SMALLEST])
    if hit.water_face >= 0:
        spot = ray.start + ray.direction * hit.water_depth
        cell = cell_of(spot)
        inside = spot - wp.vec3(float(cell[0]), float(cell[1]), float(cell[2]))
        place = surface(hit.water_face, inside)
        texels = hit.water_depth * rules.texels_per_depth
        level = level_of(2.0 * texels * texels)
        first = rules.first_texel[Block.WATER * 6 + hit.water_face]
        tint = color_of(texel_at(rules, first, level, place[0], place[1]))
    return mixed(color, tint * light, share)


@wp.func
def empty_color(
    rules: ViewRules, grid_in: FlatGrid, world: int, eye: Eye, ray: Ray, hit: Hit, length: float
) -> wp.vec3:
    """What is seen where a ray meets nothing: the sky, or the dark of a long cave."""
    color = sky_color(ray.direction, length, eye.sun, eye.day)
    end = cell_of(ray.start + ray.direction * ray.furthest)
    light = sky_light(rules, grid_in, world, end[0], end[1], end[2])
    return behind_liquid(rules, ray, hit, color * light, eye.medium, eye.day)


@wp.func
def hit_color(
    rules: ViewRules,
    grid_in: FlatGrid,
    eyes_in: Eyes,
    world: int,
    eye: Eye,
    ray: Ray,
    hit: Hit,
    length: float,
    dug: float,
    outlined: bool,
) -> wp.vec3:
    """The color of the block that a ray hit, in its light, behind haze and water."""
    met = ending(ray, hit)
    color = block_color(rules, ray, hit, met, length)
    x = hit.x
    y = hit.y
    z = hit.z
    if hit.shape == Shape.CUBE or hit.shape == Shape.LATTICE:
        toward = 2 * (met.face & 1) - 1
        axis = met.face >> 1
        x = x + wp.where(axis == 0, toward, 0)
        y = y + wp.where(axis == 1, toward, 0)
        z = z + wp.where(axis == 2, toward, 0)
    sky = sky_light(rules, grid_in, world, x, y, z) * eye.day
    torches = float(0.0)
    if eye.torch_count > 0:
        spot = ray.direction * met.depth
        torches = torches_light(eyes_in, world, eye.torch_count, spot)
    if dug > 0.0 or outlined:
        color = marked(rules, color, met, dug, outlined)
    if hit.block != Block.LAVA and hit.shape != Shape.STICK:
        gray = greater(sky, dim_light(met.depth * length))
        color = wp.cw_mul(color, light_color(gray, torches)) * face_shade(met.face)
    color = behind_liquid(rules, ray, hit, color, eye.medium, greater(sky, AMBIENT_LIGHT))
    haze = haze_share(met.depth * length, rules.view_distance)
    if haze > 0.0:
        color = mixed(color, haze_color(eye.day) * greater(sky, AMBIENT_LIGHT), haze)
    return color
