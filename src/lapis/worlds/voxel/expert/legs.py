"""Following a way: each move is cleared, then made, and seen to have succeeded."""

from __future__ import annotations

from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.expert.geometry import Vector
from lapis.worlds.voxel.expert.hands import MOST_STEPS, Hands, Skill, StuckError
from lapis.worlds.voxel.expert.path import Kind, Move
from lapis.worlds.voxel.expert.senses import IS_SOLID
from lapis.worlds.voxel.expert.steering import GLIDE, steer, toward

SCAFFOLD: tuple[str, ...] = ("dirt", "cobblestone")
"""What may be put under one's feet."""
_EXACT = 0.195
"""Distance from a cell's middle at which the body is inside of its column [blocks].

The shortest push moves a walker by 0.26, so it can always come as near as 0.18.
"""
_ROUGH = 0.3
_EDGE = 0.5
"""Distance from the middle of a lower cell at which the last step off the edge is due [blocks]."""
_AIR_TICKS = 5.0
"""How far ahead one looks while falling [ticks]."""
_FALLING_BLOCKS = 24
_LOOKS_DOWN = 900


def follow(hands: Hands, moves: list[Move]) -> Skill:
    """Makes all moves of a way.

    Raises:
        StuckError: The world is not as the way expected it.
    """
    if moves and hands.senses.feet != moves[0].start:
        yield from go(hands, moves[0].start, _ROUGH)
    for index, move in enumerate(moves):
        nxt = moves[index + 1] if index + 1 < len(moves) else None
        flows = nxt is not None and nxt.kind == Kind.WALK and not _blocked(hands, nxt)
        yield from _make(hands, move, _ROUGH if flows else _EXACT)


def _blocked(hands: Hands, move: Move) -> bool:
    return any(IS_SOLID[hands.senses.cells[place]] for place in move.clear)


def _make(hands: Hands, move: Move, tolerance: float) -> Skill:
    cells = hands.senses.cells
    if move.kind == Kind.SINK:
        yield from go(hands, move.start, _EXACT)
        if not _safe_below(hands, move):
            raise StuckError
    for place in move.clear:
        for _ in range(_FALLING_BLOCKS):
            if not IS_SOLID[cells[place]]:
                break
            yield from hands.dig(place)
        else:
            raise StuckError
    if move.kind == Kind.PILLAR:
        yield from go(hands, move.start, _EXACT)
        yield from _pillar(hands, move.start)
        return
    floor = cells[move.end - 1]
    if move.kind in (Kind.WALK, Kind.CLIMB) and not IS_SOLID[floor]:
        raise StuckError
    if Block.LAVA in (cells[move.end], floor):
        raise StuckError
    yield from go(hands, move.end, tolerance)


def _safe_below(hands: Hands, move: Move) -> bool:
    """Whether what is below the floor still lets one fall no further than planned."""
    cells = hands.senses.cells
    between = range(move.end, move.start - 1)
    landing = cells[move.end - 1]
    return (IS_SOLID[landing] or cells[move.end] == Block.WATER) and not any(
        cells[place] == Block.LAVA for place in between
    )


def go(hands: Hands, end: int, tolerance: float) -> Skill:
    """Walks, jumps, falls or swims to the middle of a cell at most one column away."""
    senses = hands.senses
    x, y, z = senses.torus.cell(end)
    goal = (x + 0.5, float(y), z + 0.5)
    for _ in range(MOST_STEPS):
        way = senses.torus.way(senses.position, goal)
        off = max(abs(way[0]), abs(way[2]))
        if hands.swims():
            if off < _ROUGH + 0.1 and senses.feet == end:
                return
            walk, strafe = toward(senses.yaw, way) if off > 0.1 else (0, 0)
            yield from hands.act(walk=walk, strafe=strafe, jump=int(way[1] > -0.6))
        elif not senses.on_ground:
            yield from _fall(hands, way)
        elif senses.feet == end and off < tolerance and _stays(senses.velocity, way, tolerance):
            return
        elif (way[1] > 0.5 and off < 1.4) or (way[1] < -0.5 and off < _EDGE):
            # Up by a jump, or down over an edge, where sneaking would hold one back.
            walk, strafe = toward(senses.yaw, way)
            yield from hands.act(walk=walk, strafe=strafe, jump=int(way[1] > 0.5))
        else:
            walk, strafe, gait = steer(senses.yaw, way, senses.velocity, careful=_near_lava(hands))
            yield from hands.act(walk=walk, strafe=strafe, gait=gait)
    raise StuckError


def _stays(velocity: Vector, way: Vector, tolerance: float) -> bool:
    """Whether a walker comes to rest near enough too; on the way through it need not."""
    rest = max(abs(way[axis] - velocity[axis] * GLIDE) for axis in (0, 2))
    return tolerance > _EXACT or rest < tolerance


def _fall(hands: Hands, way: Vector) -> Skill:
    """Steers in the air, where speed is lost slowly."""
    velocity = hands.senses.velocity
    rest = (way[0] - velocity[0] * _AIR_TICKS, 0.0, way[2] - velocity[2] * _AIR_TICKS)
    walk, strafe = (0, 0)
    if max(abs(rest[0]), abs(rest[2])) > 0.15:
        walk, strafe = toward(hands.senses.yaw, rest)
    yield from hands.act(walk=walk, strafe=strafe)


def _near_lava(hands: Hands) -> bool:
    senses = hands.senses
    x, y, z = senses.torus.cell(senses.feet)
    if not 1 < y < 14:
        return False
    return any(
        senses.cells[senses.torus.place(x + dx, y + dy, z + dz)] == Block.LAVA
        for dx in (-1, 0, 1)
        for dz in (-1, 0, 1)
        for dy in (-2, -1, 0)
    )


def _pillar(hands: Hands, start: int) -> Skill:
    senses = hands.senses
    for _ in range(MOST_STEPS):
        if IS_SOLID[senses.cells[start]] and senses.on_ground:
            return
        item = next((name for name in SCAFFOLD if senses.count(name) > 0), None)
        if item is None:
            raise StuckError
        high = senses.position[1] > start % senses.torus.height + 1.0
        if senses.pitch < _LOOKS_DOWN:
            yield from hands.act(pitch=8 if senses.pitch < 450 else 6)
        elif high and not IS_SOLID[senses.cells[start]]:
            yield from hands.act(f"place {item}")
        else:
            yield from hands.act(jump=int(senses.on_ground))
    raise StuckError
