"""Textures of what players place."""

from __future__ import annotations

import numpy as np

from lapis.worlds.voxel.view import paint
from lapis.worlds.voxel.view.furniture import furniture
from lapis.worlds.voxel.view.natural import Faces
from lapis.worlds.voxel.view.paint import SIDE, Color, Palette

WOOD: Palette = ((158, 126, 76), (170, 138, 86), (182, 150, 96))
_METALS: dict[str, Palette] = {
    "coal_block": ((16, 16, 18), (26, 26, 28), (44, 44, 48)),
    "iron_block": ((190, 190, 190), (214, 214, 214), (236, 236, 236)),
    "lapis_block": ((24, 52, 150), (34, 70, 186), (64, 104, 216)),
    "redstone_block": ((138, 8, 4), (178, 18, 10), (216, 42, 28)),
    "gold_block": ((220, 176, 40), (246, 212, 64), (255, 238, 120)),
    "diamond_block": ((74, 196, 196), (104, 226, 222), (164, 246, 242)),
}


def built() -> dict[str, Faces]:
    """All blocks that are no part of the land."""
    planks = _planks()
    cobble = paint.pebbles(
        101, 4, (78, 78, 80), (104, 104, 106), (124, 124, 126), (142, 142, 144), (160, 160, 161)
    )
    smooth = paint.speckled(105, (118, 118, 118), (128, 128, 128), (136, 136, 136), smooth=0.7)
    bricks = _bricks()
    made: dict[str, Faces] = {
        "planks": planks,
        "cobblestone": cobble,
        "stonebrick": bricks,
        "crafting_table": _crafting_table(planks),
        "furnace": _furnace(smooth),
        "chest": _chest((122, 86, 38)),
        "trapped_chest": _chest((136, 78, 40)),
        "glass": _glass(),
        **furniture(planks, cobble, smooth, bricks),
    }
    for name, (dark, middle, light) in _METALS.items():
        body = paint.speckled(110, middle, middle, light, smooth=0.8)
        made[name] = paint.stenciled(body, paint.frame(), dark)
    for name, spot in (("noteblock", (60, 40, 26)), ("jukebox", (30, 30, 34))):
        made[name] = paint.stenciled(paint.scaled(planks, 0.6), paint.box(5, 5, 10, 10), spot)
    made["dropper"] = smooth, paint.stenciled(smooth, paint.box(6, 6, 9, 9), (30, 28, 28)), smooth
    made["piston"] = (planks, paint.stenciled(smooth, paint.box(0, 0, 3, 15), planks), smooth)
    return made


def _planks() -> np.ndarray:
    """Four boards; each has its own shade, a seam below and one joint."""
    board = np.arange(SIDE) // 4
    shade = 0.92 + 0.14 * paint.grain(103, 1, 4)[0][board]
    wood = paint.toned(0.7 * paint.clouds(104, SIDE, 2) + 0.3 * paint.grain(105), *WOOD)
    wood = paint.opaque(wood[..., :3] * shade[:, None, None])
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    joint = columns == np.array([3, 11, 6, 14])[board][:, None]
    seam = (rows % 4 == 3) | (joint & (rows % 4 < 3))
    return paint.stenciled(wood, seam, (112, 86, 48))


def _bricks() -> np.ndarray:
    stone = paint.speckled(107, (116, 116, 118), (126, 126, 128), (136, 136, 138), smooth=0.6)
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    shift = np.where(rows // 8 == 0, 0, 8)
    seam = (rows % 8 == 7) | ((columns + shift) % 16 == 15)
    return paint.stenciled(stone, seam, (78, 78, 80))


def _crafting_table(planks: np.ndarray) -> Faces:
    """A grid of three by three on top, tools hung up on the sides."""
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    dark = (74, 48, 24)
    inside = paint.box(2, 2, 13, 13)
    top = paint.stenciled(planks, paint.frame(1), dark)
    top = paint.stenciled(top, inside, (196, 160, 104))
    lines = inside & (((rows - 2) % 4 == 3) | ((columns - 2) % 4 == 3))
    top = paint.stenciled(top, lines | (paint.frame(2) & ~paint.frame(1)), (98, 66, 34))
    side = paint.stenciled(paint.scaled(planks, 0.86), paint.box(0, 0, 1, 15), dark)
    side = paint.stenciled(side, paint.box(2, 0, 15, 0) | paint.box(2, 15, 15, 15), dark)
    tools = paint.drawn("tools on a wall", {"g": (176, 176, 182), "w": (84, 54, 26)})
    side = paint.stenciled(side, tools[..., 3] > 0, tools)
    return top, side, planks


def _furnace(stone: np.ndarray) -> Faces:
    """A dark mouth with embers below a slit, on all four sides.

    DEVIATION: a furnace has a mouth on each side, since blocks face no way.
    """
    body = paint.stenciled(stone, paint.frame(), (84, 84, 86))
    front = paint.stenciled(body, paint.box(2, 3, 4, 12), (54, 54, 56))
    mouth = paint.box(8, 3, 13, 12) | paint.box(7, 4, 7, 11)
    front = paint.stenciled(front, mouth, (24, 20, 20))
    embers = paint.box(11, 4, 13, 11) & (paint.grain(109) > 0.35)
    front = paint.stenciled(front, embers, (232, 112, 24))
    front = paint.stenciled(front, embers & (paint.grain(110) > 0.7), (255, 204, 72))
    front = paint.stenciled(front, paint.box(14, 3, 14, 12), (150, 150, 152))
    return body, front, body


def _chest(color: Color) -> Faces:
    wood = paint.toned(0.6 * paint.clouds(113, SIDE, 2) + 0.4 * paint.grain(114), color)
    wood = paint.opaque(wood[..., :3] * (0.9 + 0.2 * paint.grain(115))[..., None])
    rim = paint.stenciled(wood, paint.frame(), (52, 36, 18))
    side = paint.stenciled(rim, paint.box(5, 0, 5, 15), (52, 36, 18))
    side = paint.stenciled(side, paint.box(4, 7, 8, 8), (196, 196, 200))
    return rim, side, rim


def _glass() -> np.ndarray:
    """A pale rim and three glints; the rest is a hole."""
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    pane = paint.opaque(np.array((206, 232, 238)))
    glint = np.isin(rows + columns, (7, 8, 20)) & paint.box(3, 3, 12, 12)
    pane[..., 3] = np.where(paint.frame() | glint, 255, 0)
    return pane
