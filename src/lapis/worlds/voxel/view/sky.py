"""The sky: a gradient with the sun and the moon, and the haze in which far things fade."""

import warp as wp

wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})

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
