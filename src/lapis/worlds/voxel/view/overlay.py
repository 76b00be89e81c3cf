"""What lies over the picture: the item in hand and the crosshair."""

import warp as wp

from lapis.worlds.voxel.view.rules import ViewRules
from lapis.worlds.voxel.view.texel import is_solid

wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})

_NOTHING = wp.uint32(0)
_CONTRAST = 100.0


@wp.func
def texel_in_hand(rules: ViewRules, item: int, row: int, column: int) -> wp.uint32:
    """The texel of the item in hand at a pixel, 0 where there is none.

    The icon covers 7/16 of the picture's sides, in the lower right corner.
    """
    side = rules.frame_size * 7 // 16
    down = row - (rules.frame_size - side)
    right = column - (rules.frame_size - side)
    if item < 0 or down < 0 or right < 0:
        return _NOTHING
    texel = rules.icon[item * 256 + (down * 16 // side) * 16 + right * 16 // side]
    if is_solid(texel):
        return texel
    return _NOTHING


@wp.func
def on_crosshair(rules: ViewRules, row: int, column: int) -> bool:
    """Whether a pixel belongs to the cross in the middle."""
    down = wp.abs(row - rules.frame_size // 2)
    right = wp.abs(column - rules.frame_size // 2)
    arm = wp.max(rules.frame_size // 32, 1)
    width = rules.frame_size // 200
    return (down <= arm and right <= width) or (right <= arm and down <= width)


@wp.func
def contrasting(color: wp.vec3) -> wp.vec3:
    """A lighter or darker color that stands out."""
    if color[0] + color[1] + color[2] < 384.0:
        return color + wp.vec3(_CONTRAST, _CONTRAST, _CONTRAST)
    return color - wp.vec3(_CONTRAST, _CONTRAST, _CONTRAST)
