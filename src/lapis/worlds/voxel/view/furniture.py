"""Textures of doors, stairs, rails and all the small things that players place."""

from __future__ import annotations

import numpy as np

from lapis.worlds.voxel.view import paint
from lapis.worlds.voxel.view.natural import Faces
from lapis.worlds.voxel.view.paint import SIDE, Color, Palette

_DARK_IRON: Palette = ((58, 58, 62), (68, 68, 72), (80, 80, 84))
_STEEL: Palette = ((196, 196, 198), (212, 212, 214), (226, 226, 228))


def furniture(planks: np.ndarray, cobble: np.ndarray, smooth: np.ndarray, bricks: np.ndarray):
    """Everything that is no cube in the game, by name; as `built` has it."""
    return {
        **_of_wood(planks),
        **_of_stone(cobble, smooth, bricks),
        **_of_iron(),
        **_flat(planks, smooth),
        **_pictures(),
    }


def _of_wood(planks: np.ndarray) -> dict[str, Faces]:
    dark = paint.scaled(planks, 0.55)
    post = paint.box(0, 6, 15, 9)
    rails = paint.box(3, 0, 5, 15) | paint.box(9, 0, 11, 15)
    ends = paint.box(0, 0, 15, 1) | paint.box(0, 14, 15, 15)
    fence = paint.stenciled(dark, post | rails, planks)
    gate = paint.stenciled(dark, rails | ends | paint.box(3, 7, 11, 8), paint.scaled(planks, 1.08))
    end = paint.stenciled(dark, post, planks)
    hatch = paint.stenciled(planks, paint.frame(2), paint.scaled(planks, 0.72))
    slots = (paint.box(4, 4, 6, 11) | paint.box(9, 4, 11, 11)) & ~paint.box(0, 7, 15, 8)
    hatch = paint.stenciled(hatch, slots, (60, 44, 24))
    door = _door(paint.scaled(planks, 0.86), (70, 48, 24), (150, 190, 206))
    rungs = np.isin(np.arange(SIDE) % 4, (1, 2))[:, None] & paint.box(0, 2, 15, 13)
    uprights = paint.box(0, 2, 15, 3) | paint.box(0, 12, 15, 13)
    ladder = _cut(paint.scaled(planks, 0.9), rungs | uprights)
    return {
        "wooden_slab": _slab(planks),
        "oak_stairs": _stairs(planks),
        "fence": (end, fence, end),
        "fence_gate": gate,
        "open_fence_gate": _cut(gate, ends),
        "trapdoor": hatch,
        "open_trapdoor": _cut(hatch, paint.frame(1)),
        "wooden_door": (planks, door, planks),
        "open_wooden_door": _cut(paint.scaled(planks, 0.8), paint.frame(2)),
        "ladder": ladder,
    }


def _of_stone(cobble: np.ndarray, smooth: np.ndarray, bricks: np.ndarray) -> dict[str, Faces]:
    wall = paint.stenciled(paint.scaled(cobble, 0.62), paint.box(0, 4, 15, 11), cobble)
    top = paint.stenciled(paint.scaled(cobble, 0.62), paint.box(4, 4, 11, 11), cobble)
    return {
        "stone_slab": _slab(paint.scaled(smooth, 1.16)),
        "stone_stairs": _stairs(cobble),
        "stone_brick_stairs": _stairs(bricks),
        "cobblestone_wall": (top, wall, top),
    }


def _of_iron() -> dict[str, Faces]:
    steel = paint.speckled(111, *_STEEL, smooth=0.7)
    dark = paint.speckled(112, *_DARK_IRON, smooth=0.7)
    hollow = paint.stenciled(dark, paint.box(2, 2, 13, 13), (24, 24, 26))
    legs = paint.box(13, 4, 15, 11)
    cauldron = paint.stenciled(dark, legs, (34, 34, 36))
    cauldron = paint.stenciled(cauldron, paint.box(0, 0, 1, 15), (96, 96, 100))
    funnel = paint.box(6, 0, 15, 3) | paint.box(6, 12, 15, 15) | paint.box(11, 4, 15, 5)
    hopper = paint.stenciled(dark, funnel | paint.box(11, 10, 15, 11), (28, 28, 30))
    waist = paint.box(6, 0, 12, 4) | paint.box(6, 11, 12, 15)
    anvil = paint.stenciled(dark, waist, (26, 26, 28))
    grid = paint.box(3, 3, 12, 12) & ((np.arange(SIDE) - 3) % 4 < 2)[:, None]
    grid = grid & ((np.arange(SIDE) - 3) % 4 < 2)[None, :]
    hatch = paint.stenciled(steel, paint.frame(2), paint.scaled(steel, 0.72))
    hatch = paint.stenciled(hatch, grid, (92, 92, 96))
    door = _door(steel, (120, 120, 124), (88, 92, 96))
    bars = (np.arange(SIDE) % 4 == 1)[None, :] | np.isin(np.arange(SIDE), (0, 15))[:, None]
    return {
        "cauldron": (hollow, cauldron, dark),
        "hopper": (hollow, hopper, dark),
        "anvil": (paint.stenciled(dark, paint.frame(2), (50, 50, 54)), anvil, dark),
        "iron_trapdoor": hatch,
        "iron_door": (steel, door, steel),
        "iron_bars": _cut(paint.scaled(steel, 0.62), np.broadcast_to(bars, (SIDE, SIDE))),
    }


def _flat(planks: np.ndarray, smooth: np.ndarray) -> dict[str, Faces]:
    """Plates, buttons, rails and wires: their tops are seen."""
    gold = paint.speckled(110, (246, 212, 64), (250, 220, 84), (255, 238, 120), smooth=0.8)
    steel = paint.speckled(111, *_STEEL, smooth=0.7)
    red = paint.speckled(117, (120, 4, 2), (170, 8, 4), (220, 20, 10), smooth=0.3)
    repeater = paint.stenciled(paint.scaled(smooth, 1.2), paint.box(7, 3, 8, 12), (120, 20, 14))
    lamps = paint.box(6, 2, 9, 4) | paint.box(6, 11, 9, 13)
    made = {
        "wooden_button": paint.scaled(planks, 0.8),
        "stone_button": paint.scaled(smooth, 0.85),
        "wooden_pressure_plate": _plate(planks),
        "stone_pressure_plate": _plate(paint.scaled(smooth, 1.1)),
        "heavy_weighted_pressure_plate": _plate(steel),
        "light_weighted_pressure_plate": _plate(gold),
        "redstone_wire": red,
        "repeater": (paint.stenciled(repeater, lamps, (240, 40, 24)), smooth, smooth),
    }
    for name, color in (
        ("rail", (170, 170, 172)),
        ("detector_rail", (150, 60, 54)),
        ("activator_rail", (214, 44, 30)),
        ("golden_rail", (246, 206, 64)),
    ):
        made[name] = _track(planks, color)
    return made


def _pictures() -> dict[str, Faces]:
    """What is drawn on crossed planes."""
    wood: dict[str, Color] = {"W": (150, 118, 72), "D": (96, 72, 40)}
    stone: dict[str, Color] = {"W": (140, 108, 64), "S": (132, 132, 134), "D": (88, 88, 90)}
    return {
        "lever": paint.drawn("lever", stone),
        "tripwire_hook": paint.drawn("tripwire hook", {**wood, "G": (200, 200, 204)}),
        "sign": paint.drawn("sign", {**wood, "T": (40, 30, 20)}),
    }


def _cut(texture: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """The texture with holes wherever it is not kept; they keep their color for views from afar."""
    cut = texture.copy()
    cut[..., 3] = np.where(kept, 255, 0)
    return cut


def _slab(body: np.ndarray) -> Faces:
    """Two layers with a seam between them."""
    side = paint.stenciled(body, paint.box(7, 0, 8, 15), paint.scaled(body, 0.55))
    return paint.stenciled(body, paint.frame(), paint.scaled(body, 0.8)), side, body


def _stairs(body: np.ndarray) -> Faces:
    """Two steps, the free quarter in the dark."""
    side = paint.stenciled(body, paint.box(0, 0, 7, 7), paint.scaled(body, 0.42))
    top = paint.stenciled(body, paint.box(0, 0, 15, 7), paint.scaled(body, 0.7))
    return top, side, body


def _door(body: np.ndarray, line: Color, pane: Color) -> np.ndarray:
    """Two panes above, two panels below, and a knob."""
    door = paint.stenciled(body, paint.frame(), line)
    for left in (2, 9):
        door = paint.stenciled(door, paint.box(2, left, 6, left + 4), pane)
        panel = paint.box(9, left, 13, left + 4)
        door = paint.stenciled(door, panel, line)
        inner = paint.box(10, left + 1, 12, left + 3)
        door = paint.stenciled(door, inner, body)
    return paint.stenciled(door, paint.box(8, 13, 8, 14), (36, 30, 26))


def _plate(body: np.ndarray) -> Faces:
    return paint.stenciled(body, ~paint.box(3, 3, 12, 12), paint.scaled(body, 0.82))


def _track(planks: np.ndarray, color: Color) -> np.ndarray:
    """Two rails across ties."""
    bed = paint.scaled(planks, 0.45)
    ties = paint.stenciled(
        bed, (np.arange(SIDE)[:, None] % 4 < 2) & paint.box(0, 1, 15, 14), planks
    )
    rails = paint.box(0, 3, 15, 4) | paint.box(0, 11, 15, 12)
    return paint.stenciled(ties, rails, color)
