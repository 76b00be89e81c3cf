"""Caves: winding tunnels, some with a chamber, some open to the sky; long ways down; ravines.

DEVIATION: tunnels are balls along cubic curves, so that each ball is a function of its number
alone; there are no mine shafts, dungeons or springs. The long tunnels of the game, some hundred
blocks, are ways from the surface down that one can walk; the others are shorter.
"""

import warp as wp

from lapis.minecraft.blocks import Block
from lapis.minecraft.ores import LAVA_LEVEL
from lapis.worlds.rng import fold
from lapis.worlds.voxel.config import SEA_LEVEL
from lapis.worlds.voxel.generation.land import Plan, Plans
from lapis.worlds.voxel.generation.noise import signed_unit, torus_offset, unit, whole
from lapis.worlds.voxel.generation.rules import CHUNK, GenerationRules, Purpose
from lapis.worlds.voxel.grid import wrapped
from lapis.worlds.voxel.state import Grid

wp.set_module_options({"enable_backward": False, "fuse_fp": False})

_AIR = wp.uint8(Block.AIR)
_LAVA = wp.uint8(Block.LAVA)
_WATER = wp.uint8(Block.WATER)
_BEDROCK = wp.uint8(Block.BEDROCK)

_TUNNELS = 2
"""Tunnels that begin in a chunk."""
_NODES = 36
"""Balls that make up a tunnel."""
_SLOTS = 6
"""Curves of a chunk: tunnels, the pieces of a way down, a ravine."""
_PIECES = 3
"""Curves that make up a way down."""
_DESCENT_CHUNKS = 10
"""One way down begins in so many chunks."""
_DESCENT_LOW = 14.0
"""Where ways down end [blocks]."""
_RAVINE_CHUNKS = 50
"""One ravine begins in so many chunks, as in the game."""
_RAVINE_FLATNESS = 0.33
_LOW = 9.0
_HIGH = 52.0
"""Heights between which closed tunnels run [blocks]."""
_BEGIN_LOW = 12.0
"""Lowest height at which tunnels begin [blocks]."""
_OPENING_LOW = 34.0
"""Tunnels that begin above this height may reach the surface [blocks]."""
_FLATNESS = 1.35
"""How much wider than high chambers are."""
_ROOF = 5
"""Layers of ground that no cave opens around the start [blocks]."""


@wp.struct
class Ball:
    """One piece of a cave."""

    middle: wp.vec3
    radius: float
    flatness: float
    """How much wider than high it is; less than 1 for ravines."""


@wp.func
def stride(h: wp.uint32) -> float:
    """Draws how far a tunnel gets along one axis until its next control point [blocks]."""
    share = signed_unit(h)
    return 10.0 * share + wp.where(share < 0.0, -5.0, 5.0)


@wp.func
def turned(point: wp.vec3, h: wp.uint32, word: int) -> wp.vec3:
    """The next control point of a tunnel."""
    y = point[1] + 9.0 * signed_unit(fold(h, word + 1))
    return wp.vec3(
        point[0] + stride(fold(h, word)),
        wp.clamp(y, _LOW, _HIGH),
        point[2] + stride(fold(h, word + 2)),
    )


@wp.func
def on_curve(a: wp.vec3, b: wp.vec3, c: wp.vec3, d: wp.vec3, share: float) -> wp.vec3:
    """A point of the cubic Bezier curve from a to d."""
    rest = 1.0 - share
    weight_a = rest * rest * rest
    weight_b = 3.0 * rest * rest * share
    weight_c = 3.0 * rest * share * share
    weight_d = share * share * share
    return weight_a * a + weight_b * b + weight_c * c + weight_d * d


@wp.func
def ball_of(grid_in: Grid, world: int, h: wp.uint32, corner: wp.vec2, node: int) -> Ball:
    """One of the balls of a tunnel that begins in the chunk at `corner`."""
    size = grid_in.top.shape[1]
    begin = wp.vec3(
        corner[0] + float(CHUNK) * unit(fold(h, 1)),
        _HIGH - (_HIGH - _BEGIN_LOW) * unit(fold(h, 2)),
        corner[1] + float(CHUNK) * unit(fold(h, 3)),
    )
    second = turned(begin, h, 4)
    third = turned(second, h, 7)
    end = turned(third, h, 10)
    if begin[1] > _OPENING_LOW and whole(fold(h, 13), 3) > 0:
        end_x = wrapped(int(wp.floor(end[0])), size)
        end_z = wrapped(int(wp.floor(end[2])), size)
        outside = float(int(grid_in.top[world, end_x, end_z])) + 1.0
        end = wp.vec3(end[0], outside, end[2])
        third = wp.vec3(third[0], wp.max(third[1], outside - 9.0), third[2])
    share = float(node) / float(_NODES - 1)
    ball = Ball()
    ball.middle = on_curve(begin, second, third, end, share)
    ball.radius = (1.3 + 0.9 * unit(fold(h, 14))) * (0.8 + 0.4 * unit(fold(h, 32 + node)))
    ball.flatness = 1.0
    # Every sixth tunnel has a chamber in its middle.
    if whole(fold(h, 15), 6) == 0 and wp.abs(share - 0.5) < 0.07:
        ball.radius = 3.6 + 1.8 * unit(fold(h, 32 + node))
        ball.flatness = _FLATNESS
    return ball


@wp.func
def lowered(point: wp.vec3, h: wp.uint32, step: int) -> wp.vec3:
    """The next control point of a way down: no steeper than one can walk.

    It keeps its direction for a piece: who turned back would have to climb.
    """
    piece = step // 3
    right = 1.0 - 2.0 * float(whole(fold(h, 4 + piece), 2))
    ahead = 1.0 - 2.0 * float(whole(fold(h, 8 + piece), 2))
    word = 16 + 3 * step
    y = point[1] - 3.5 - 3.5 * unit(fold(h, word))
    return wp.vec3(
        point[0] + right * (6.0 + 8.0 * unit(fold(h, word + 1))),
        wp.max(y, _DESCENT_LOW),
        point[2] + ahead * (6.0 + 8.0 * unit(fold(h, word + 2))),
    )


@wp.func
def descent_ball(
    grid_in: Grid, world: int, h: wp.uint32, corner: wp.vec2, piece: int, node: int
) -> Ball:
    """One of the balls of a way from the surface down that begins in the chunk at `corner`."""
    size = grid_in.top.shape[1]
    x = corner[0] + float(CHUNK) * unit(fold(h, 1))
    z = corner[1] + float(CHUNK) * unit(fold(h, 2))
    top = grid_in.top[world, wrapped(int(wp.floor(x)), size), wrapped(int(wp.floor(z)), size)]
    begin = wp.vec3(x, float(int(top)) + 1.0, z)
    for step in range(3 * piece):
        begin = lowered(begin, h, step)
    second = lowered(begin, h, 3 * piece)
    third = lowered(second, h, 3 * piece + 1)
    end = lowered(third, h, 3 * piece + 2)
    ball = Ball()
    ball.middle = on_curve(begin, second, third, end, float(node) / float(_NODES - 1))
    ball.radius = 1.75 + 0.5 * unit(fold(h, 3)) + 0.3 * unit(fold(h, 64 + _NODES * piece + node))
    ball.flatness = 1.0
    return ball


@wp.func
def ravine_ball(h: wp.uint32, corner: wp.vec2, node: int) -> Ball:
    """One of the balls of a ravine: high, narrow and nearly straight."""
    # The game's heights: below a limit that is drawn itself.
    y = 20 + whole(fold(h, 4), 8 + whole(fold(h, 3), 40))
    begin = wp.vec3(
        corner[0] + float(CHUNK) * unit(fold(h, 1)),
        float(y),
        corner[1] + float(CHUNK) * unit(fold(h, 2)),
    )
    way = wp.vec3(30.0 * signed_unit(fold(h, 5)), 0.0, 30.0 * signed_unit(fold(h, 6)))
    way = way + wp.vec3(
        wp.where(way[0] < 0.0, -12.0, 12.0), 0.0, wp.where(way[2] < 0.0, -12.0, 12.0)
    )
    bend = wp.vec3(8.0 * signed_unit(fold(h, 7)), 0.0, 8.0 * signed_unit(fold(h, 8)))
    share = float(node) / float(_NODES - 1)
    ball = Ball()
    ball.middle = on_curve(
        begin, begin + way * 0.33 + bend, begin + way * 0.67 - bend, begin + way, share
    )
    width = 1.4 + 1.2 * unit(fold(h, 9)) + 0.4 * unit(fold(h, 64 + node))
    # Widest in the middle.
    ball.radius = width * (0.6 + 1.6 * share * (1.0 - share))
    ball.flatness = _RAVINE_FLATNESS
    return ball


@wp.func
def highest_carved(grid_in: Grid, plan: Plan, x: int, z: int) -> int:
    """The highest y that caves may open in a column: they stay clear of water and the start."""
    world = plan.world
    size = grid_in.top.shape[1]
    ground = int(grid_in.top[world, x, z]) - 1
    least = ground
    least = wp.min(least, int(grid_in.top[world, wrapped(x - 1, size), z]) - 1)
    least = wp.min(least, int(grid_in.top[world, wrapped(x + 1, size), z]) - 1)
    least = wp.min(least, int(grid_in.top[world, x, wrapped(z - 1, size)]) - 1)
    least = wp.min(least, int(grid_in.top[world, x, wrapped(z + 1, size)]) - 1)
    if least < SEA_LEVEL:
        return least - 2
    dx = torus_offset(x, plan.site_x[0], size)
    dz = torus_offset(z, plan.site_z[0], size)
    if wp.max(wp.abs(dx), wp.abs(dz)) <= 3:
        return ground - _ROOF
    return ground


@wp.kernel
def carve_caves(
    # Rules:
    rules: GenerationRules,
    # In:
    plans_in: Plans,
    # State in/out:
    grid_io: Grid,
):
    """Opens the caves of the planned worlds; `top` is the y above the ground, without water."""
    size = rules.size
    chunks = size // CHUNK
    per_world = chunks * chunks * _SLOTS * _NODES
    for item in range(wp.tid(), plans_in.count[0] * per_world, plans_in.thread_count):
        plan = plans_in.plan[item // per_world]
        number = (item % per_world) // _NODES
        node = item % _NODES
        chunk = number // _SLOTS
        slot = number % _SLOTS
        corner = wp.vec2(float((chunk // chunks) * CHUNK), float((chunk % chunks) * CHUNK))
        if slot < _TUNNELS:
            h = fold(fold(plan.chance, Purpose.CAVE), chunk * _TUNNELS + slot)
            carve_ball(grid_io, plan, ball_of(grid_io, plan.world, h, corner, node))
        elif slot < _TUNNELS + _PIECES:
            h = fold(fold(plan.chance, Purpose.DESCENT), chunk)
            if whole(h, _DESCENT_CHUNKS) == 0:
                piece = slot - _TUNNELS
                ball = descent_ball(grid_io, plan.world, h, corner, piece, node)
                carve_ball(grid_io, plan, ball)
        else:
            h = fold(fold(plan.chance, Purpose.RAVINE), chunk)
            if whole(h, _RAVINE_CHUNKS) == 0:
                carve_ball(grid_io, plan, ravine_ball(h, corner, node))


@wp.func
def carve_ball(grid_io: Grid, plan: Plan, ball: Ball):
    """Opens one ball; several threads may open one place: all write the same value."""
    size = grid_io.blocks.shape[1]
    middle = ball.middle
    radius = ball.radius
    square = radius * radius
    reach = radius / ball.flatness
    low_y = wp.max(int(wp.ceil(middle[1] - reach)), 1)
    high_y = wp.min(int(wp.floor(middle[1] + reach)), grid_io.blocks.shape[3] - 1)
    for ball_x in range(int(wp.ceil(middle[0] - radius)), int(wp.floor(middle[0] + radius)) + 1):
        dx = float(ball_x) - middle[0]
        x = wrapped(ball_x, size)
        for ball_z in range(
            int(wp.ceil(middle[2] - radius)), int(wp.floor(middle[2] + radius)) + 1
        ):
            dz = float(ball_z) - middle[2]
            flat = dx * dx + dz * dz
            if flat < square:
                z = wrapped(ball_z, size)
                highest = wp.min(high_y, highest_carved(grid_io, plan, x, z))
                for y in range(low_y, highest + 1):
                    dy = (float(y) - middle[1]) * ball.flatness
                    if flat + dy * dy < square:
                        block = grid_io.blocks[plan.world, x, z, y]
                        if block != _BEDROCK and block != _WATER:
                            block = wp.where(y < LAVA_LEVEL, _LAVA, _AIR)
                            grid_io.blocks[plan.world, x, z, y] = block
