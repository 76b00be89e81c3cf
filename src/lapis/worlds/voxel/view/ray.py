"""Rays, and the arithmetic of planes that they cross."""

import warp as wp

wp.set_module_options({"enable_backward": False, "fuse_fp": False, "max_unroll": 1})

_SMALLEST = 1.0e-7


@wp.struct
class Ray:
    """A ray from the eye; depths along it count in lengths of its direction."""

    start: wp.vec3
    direction: wp.vec3
    inverse: wp.vec3
    """1 / direction."""
    step: wp.vec3i
    """Sign of the direction."""
    ahead: wp.vec3i
    """1 where the direction is positive: the next plane is at the cell + ahead."""
    furthest: float
    """Depth at which the ray ends."""


@wp.func
def lesser(a: float, b: float) -> float:
    """The lesser of two numbers; `wp.min` also looks for what is not a number, which costs."""
    return wp.where(a < b, a, b)


@wp.func
def greater(a: float, b: float) -> float:
    """The greater of two numbers, likewise."""
    return wp.where(a > b, a, b)


@wp.func
def away_from_zero(component: float) -> float:
    """A component of a direction by which one may divide."""
    if wp.abs(component) < _SMALLEST:
        return wp.where(component < 0.0, -_SMALLEST, _SMALLEST)
    return component


@wp.func
def make_ray(start: wp.vec3, direction: wp.vec3, furthest: float) -> Ray:
    """A ray; components of its direction that are too small to divide by are made larger."""
    ray = Ray()
    dx = away_from_zero(direction[0])
    dy = away_from_zero(direction[1])
    dz = away_from_zero(direction[2])
    ray.start = start
    ray.direction = wp.vec3(dx, dy, dz)
    ray.inverse = wp.vec3(1.0 / dx, 1.0 / dy, 1.0 / dz)
    ray.ahead = wp.vec3i(
        wp.where(dx > 0.0, 1, 0), wp.where(dy > 0.0, 1, 0), wp.where(dz > 0.0, 1, 0)
    )
    ray.step = ray.ahead * 2 - wp.vec3i(1, 1, 1)
    ray.furthest = furthest
    return ray


@wp.func
def cell_of(place: wp.vec3) -> wp.vec3i:
    """The cell in which a place lies."""
    return wp.vec3i(int(wp.floor(place[0])), int(wp.floor(place[1])), int(wp.floor(place[2])))


@wp.func
def plane_depth(plane: int, start: float, inverse: float) -> float:
    """Depth at which a ray crosses the plane at a whole coordinate.

    Blocks and bricks are both crossed by this one formula, so that they agree to the last bit on
    which of two planes comes first.
    """
    return (float(plane) - start) * inverse


@wp.func
def entered_cell(brick: int, depth: float, start: float, direction: float, inverse: float) -> int:
    """The cell of a brick, along one axis, in which a ray is that enters the brick at a depth.

    It has crossed the planes that lie at this depth or before, and no others. The guess by
    position can be off by one through rounding.
    """
    first = brick * 4
    last = first + 3
    cell = wp.clamp(int(wp.floor(start + depth * direction)), first, last)
    if direction > 0.0:
        if cell < last and plane_depth(cell + 1, start, inverse) <= depth:
            return cell + 1
        if cell > first and plane_depth(cell, start, inverse) > depth:
            return cell - 1
        return cell
    if cell > first and plane_depth(cell, start, inverse) <= depth:
        return cell - 1
    if cell < last and plane_depth(cell + 1, start, inverse) > depth:
        return cell + 1
    return cell


@wp.func
def face_at(ray: Ray, x: int, y: int, z: int, depth: float) -> int:
    """The face by which a ray enters a cell at a depth; -1 if it starts there."""
    if plane_depth(z + 1 - ray.ahead[2], ray.start[2], ray.inverse[2]) == depth:
        return 5 - ray.ahead[2]
    if plane_depth(y + 1 - ray.ahead[1], ray.start[1], ray.inverse[1]) == depth:
        return 3 - ray.ahead[1]
    if plane_depth(x + 1 - ray.ahead[0], ray.start[0], ray.inverse[0]) == depth:
        return 1 - ray.ahead[0]
    return -1
