"""Places on textures, and the colors there."""

import warp as wp

from lapis.worlds.voxel.view.rules import ViewRules

wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})

_BYTE = wp.uint32(255)
_HALF_ALPHA = wp.uint32(128)


@wp.func
def surface(face: int, spot: wp.vec3) -> wp.vec2:
    """The place on a face's texture of a spot in the block's cell, seen from outside."""
    if face == 0:
        return wp.vec2(spot[2], 1.0 - spot[1])
    if face == 1:
        return wp.vec2(1.0 - spot[2], 1.0 - spot[1])
    if face == 4:
        return wp.vec2(1.0 - spot[0], 1.0 - spot[1])
    if face == 5:
        return wp.vec2(spot[0], 1.0 - spot[1])
    return wp.vec2(spot[0], spot[2])


@wp.func
def level_of(texels_squared: float) -> int:
    """The halvings of a texture of which so many texels, squared, fall on a pixel."""
    level = int(0)
    if texels_squared > 2.25:
        level = int(1)
        if texels_squared > 9.0:
            level = int(2)
            if texels_squared > 36.0:
                level = int(3)
                if texels_squared > 144.0:
                    level = int(4)
    return level


@wp.func
def texel_at(rules: ViewRules, first: int, level: int, u: float, v: float) -> wp.uint32:
    """The texel of a texture that starts at `first`, at the size 16 >> level."""
    side = 16 >> level
    column = wp.clamp(int(u * float(side)), 0, side - 1)
    row = wp.clamp(int(v * float(side)), 0, side - 1)
    # The sizes lie one behind another: 256 + 64 + 16 + 4 + 1 texels.
    start = (1024 - 4 * side * side) // 3
    return rules.texel[first + start + row * side + column]


@wp.func
def is_solid(texel: wp.uint32) -> bool:
    """Whether a texel stops a ray."""
    return (texel >> wp.uint32(24)) >= _HALF_ALPHA


@wp.func
def color_of(texel: wp.uint32) -> wp.vec3:
    """Red, green and blue, 0 ... 255."""
    return wp.vec3(
        float(texel & _BYTE),
        float((texel >> wp.uint32(8)) & _BYTE),
        float((texel >> wp.uint32(16)) & _BYTE),
    )
