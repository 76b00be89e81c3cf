"""Textures of what grows and lies in the land."""

from __future__ import annotations

import numpy as np

from lapis.worlds.voxel.view import paint
from lapis.worlds.voxel.view.paint import SIDE, Color, Palette

Faces = np.ndarray | tuple[np.ndarray, np.ndarray, np.ndarray]
"""One texture for all faces; or top, sides, bottom."""

STONE: Palette = ((108, 108, 110), (122, 122, 124), (130, 130, 132), (142, 142, 143))
DIRT: Palette = ((95, 66, 44), (118, 84, 57), (136, 98, 68), (153, 113, 80))
GRASS: Palette = ((68, 116, 44), (82, 136, 52), (96, 154, 62), (112, 172, 74))
SAND: Palette = ((204, 192, 142), (216, 204, 154), (224, 213, 166), (232, 222, 178))
_GRAVEL: Palette = ((106, 100, 98), (132, 126, 124), (152, 140, 134), (176, 172, 170))
_CLAY: Palette = ((152, 158, 172), (160, 166, 180), (168, 174, 187))
_BEDROCK: Palette = ((30, 30, 30), (58, 58, 58), (96, 96, 96), (148, 148, 148))
_WATER: Palette = ((34, 66, 176), (44, 84, 200), (58, 104, 220), (92, 138, 240))
_LAVA: Palette = ((176, 44, 4), (216, 82, 8), (240, 128, 18), (252, 176, 40), (255, 232, 120))
_OBSIDIAN: Palette = ((14, 10, 22), (20, 15, 32), (30, 22, 48), (60, 44, 92))

_ORE_COLORS: dict[str, Palette] = {
    "coal_ore": ((22, 22, 24), (40, 40, 43), (62, 62, 66)),
    "iron_ore": ((176, 128, 98), (214, 170, 138), (235, 200, 174)),
    "lapis_ore": ((18, 48, 150), (32, 74, 196), (84, 126, 236)),
    "redstone_ore": ((140, 0, 0), (206, 10, 10), (255, 66, 60)),
    "gold_ore": ((204, 150, 16), (246, 208, 52), (255, 242, 140)),
    "diamond_ore": ((36, 170, 180), (84, 226, 230), (196, 252, 250)),
}

_WOODS: dict[str, tuple[Palette, Palette]] = {
    "oak": (((84, 66, 40), (104, 82, 50), (124, 99, 62)), ((184, 150, 94), (150, 118, 70))),
    "spruce": (((44, 30, 18), (58, 40, 24), (76, 53, 32)), ((130, 98, 60), (100, 74, 44))),
    "birch": (
        ((212, 212, 208), (226, 226, 222), (240, 240, 236)),
        ((214, 200, 146), (184, 170, 99)),
    ),
    "jungle": (((82, 66, 28), (102, 82, 36), (86, 98, 40)), ((190, 140, 98), (158, 112, 76))),
    "acacia": (((92, 86, 80), (110, 104, 97), (128, 121, 113)), ((186, 100, 56), (156, 80, 42))),
    "dark_oak": (((44, 34, 20), (58, 45, 27), (70, 55, 34)), ((84, 56, 30), (62, 40, 20))),
}
"""Colors of bark from dark to light, and of rings."""

_LEAVES: dict[str, tuple[float, Palette]] = {
    "oak": (0.24, ((38, 84, 22), (52, 108, 30), (68, 130, 40), (86, 150, 52))),
    "spruce": (0.2, ((28, 56, 38), (38, 72, 48), (50, 88, 60), (62, 102, 70))),
    "birch": (0.26, ((84, 116, 50), (104, 138, 62), (122, 158, 76), (144, 178, 94))),
    "jungle": (0.16, ((22, 92, 12), (34, 122, 18), (50, 152, 26), (74, 182, 40))),
    "acacia": (0.28, ((88, 104, 30), (108, 124, 38), (126, 142, 48), (146, 162, 62))),
    "dark_oak": (0.14, ((26, 62, 16), (36, 80, 22), (48, 98, 30), (60, 114, 38))),
}
"""Share of holes, and colors."""

_SAPLING_COLORS: dict[str, Palette] = {
    "oak": ((70, 134, 40), (48, 100, 26), (110, 84, 50)),
    "spruce": ((46, 84, 56), (30, 60, 38), (66, 46, 28)),
    "birch": ((122, 160, 76), (92, 126, 54), (214, 212, 204)),
    "jungle": ((46, 150, 24), (28, 110, 14), (106, 84, 36)),
    "acacia": ((128, 146, 48), (96, 112, 34), (132, 90, 70)),
    "dark_oak": ((44, 94, 28), (28, 66, 18), (60, 46, 28)),
}

_BLADE = np.array((86, 156, 52))


def ground() -> dict[str, Faces]:
    """Soil, stone, liquids and ores."""
    stone = paint.speckled(11, *STONE, smooth=0.6, knots=(8, 4))
    dirt = paint.speckled(21, *DIRT, smooth=0.35)
    grass = paint.speckled(31, *GRASS, smooth=0.3)
    sand = paint.speckled(51, *SAND, smooth=0.4)
    sandstone = paint.speckled(61, (206, 194, 146), (216, 205, 158), (224, 214, 170), knots=(8, 2))
    layers = np.array([1, 1, 1, 0.98, 0.86, 1.04, 1, 1, 0.98, 0.84, 1.04, 1, 1, 1, 0.9, 0.8])
    layered = paint.opaque(sandstone[..., :3] * layers[:, None, None])
    waves = paint.clouds(71, 8, 2) * 0.75 + paint.grain(72) * 0.25
    glow = paint.clouds(81, 4, 4) * 0.8 + paint.grain(82) * 0.2
    natural: dict[str, Faces] = {
        "stone": stone,
        "dirt": dirt,
        "grass": (grass, _fringed(dirt, grass), dirt),
        "farmland": (_furrowed(dirt), dirt, dirt),
        "sand": sand,
        "gravel": paint.pebbles(41, 5, (76, 71, 69), *_GRAVEL),
        "clay": paint.speckled(45, *_CLAY, smooth=0.7),
        "sandstone": (sandstone, layered, paint.scaled(sandstone, 0.9)),
        "bedrock": paint.speckled(55, *_BEDROCK, smooth=0.7),
        "water": paint.toned(waves, *_WATER),
        "lava": paint.toned(glow, *_LAVA),
        "obsidian": paint.speckled(65, *_OBSIDIAN, smooth=0.6),
    }
    for number, (name, colors) in enumerate(_ORE_COLORS.items()):
        natural[name] = _ore(stone, 300 + 10 * number, colors)
    return natural


def growth() -> dict[str, Faces]:
    """Logs, leaves, cactus."""
    grown: dict[str, Faces] = {}
    for number, (wood, (bark, ring)) in enumerate(_WOODS.items()):
        side = _bark(wood, 400 + 10 * number, bark)
        end = paint.stenciled(_rings(500 + number, ring), paint.frame(), paint.scaled(side, 0.9))
        grown[f"{wood}_log"] = (end, side, end)
    for number, (wood, (holes, colors)) in enumerate(_LEAVES.items()):
        grown[f"{wood}_leaves"] = _foliage(600 + 10 * number, holes, colors)
    ribs = np.where(np.arange(SIDE) % 4 == 1, 0.68, 1.0)[None, :, None]
    green = paint.speckled(91, (62, 116, 38), (74, 134, 46), (84, 148, 54), smooth=0.4)
    side = paint.opaque(green[..., :3] * ribs)
    spines = (np.add.outer(np.arange(SIDE) * 5, np.arange(SIDE)) % 16 == 3) & (ribs[..., 0] == 1.0)
    side = paint.stenciled(side, spines, (222, 226, 178))
    top = paint.stenciled(green, paint.frame(2), (48, 96, 30))
    grown["cactus"] = (top, side, top)
    return grown


def plants() -> dict[str, Faces]:
    """What grows on crossed planes, and torches."""
    green = {"S": (52, 110, 36), "L": (70, 134, 44)}
    red = {"P": (208, 24, 24), "C": (70, 16, 20), **green}
    yellow = {"P": (250, 216, 40), "C": (226, 158, 20), **green}
    grown: dict[str, Faces] = {
        "torch": _torch((255, 244, 176), (255, 190, 70)),
        "redstone_torch": _torch((255, 90, 70), (200, 20, 10)),
        "tall_grass": _blades(),
        "red_flower": paint.drawn("flower", red),
        "yellow_flower": paint.drawn("flower", yellow),
    }
    for wood, (leaf, shade, trunk) in _SAPLING_COLORS.items():
        colors = {"L": leaf, "M": shade, "T": trunk}
        grown[f"{wood}_sapling"] = paint.drawn("sapling", colors)
    return grown


def _fringed(dirt: np.ndarray, grass: np.ndarray) -> np.ndarray:
    """Dirt with grass that hangs over its upper edge."""
    hang = 3 + (paint.grain(33)[0] * 3).astype(int)
    rows = np.arange(SIDE)[:, None]
    side = paint.stenciled(dirt, rows == hang, paint.scaled(dirt, 0.75))
    return paint.stenciled(side, rows < hang, grass)


def _furrowed(dirt: np.ndarray) -> np.ndarray:
    """Dark dirt in rows."""
    rows = np.array([0.5, 0.72, 0.8, 0.62])[np.arange(SIDE) % 4]
    return paint.opaque(dirt[..., :3] * rows[:, None, None])


def _ore(stone: np.ndarray, seed: int, colors: Palette) -> np.ndarray:
    """Stone with about seven clusters of specks: a dark rim, the color, a glint."""
    rows, columns = np.mgrid[0:SIDE, 0:SIDE] + 0.5
    ore = stone
    places = [(3, 4), (2, 11), (7, 8), (8, 14), (11, 3), (13, 9), (12, 13)]
    wobble = paint.grain(seed, 2, len(places)) * 2 - 1
    for spot, (row, column) in enumerate(places):
        distance = np.hypot(rows - row - wobble[0, spot], columns - column - wobble[1, spot])
        size = 1.35 + 0.7 * paint.grain(seed + 1, 1, len(places))[0, spot]
        ragged = distance + 0.7 * paint.grain(seed + 2 + spot)
        ore = paint.stenciled(ore, ragged < size + 1.05, colors[0])
        ore = paint.stenciled(ore, ragged < size + 0.35, colors[1])
        ore = paint.stenciled(ore, ragged < size - 0.75, colors[2])
    return ore


def _bark(wood: str, seed: int, colors: Palette) -> np.ndarray:
    """Furrows from top to bottom; a birch is white with dark dashes across."""
    values = 0.65 * paint.clouds(seed, 2, SIDE) + 0.35 * paint.grain(seed + 1)
    bark = paint.toned(np.clip((values - 0.2) / 0.6, 0, 0.99), *colors)
    if wood == "birch":
        dashes = paint.grain(seed + 2, SIDE, 4).repeat(4, axis=1) > 0.84
        dashes &= (np.arange(SIDE) % 2 == 0)[:, None]
        bark = paint.stenciled(bark, dashes, (50, 48, 44))
    return bark


def _rings(seed: int, colors: Palette) -> np.ndarray:
    light, dark = np.array(colors)
    lines = (paint.rings() % 2)[..., None]
    wood = np.where(lines == 0, light, dark) * (0.93 + 0.14 * paint.grain(seed))[..., None]
    return paint.opaque(wood)


def _foliage(seed: int, holes: float, colors: Palette) -> np.ndarray:
    """Leaves in tufts; the holes keep a dark color for views from afar."""
    values = 0.5 * paint.clouds(seed, 8, 8) + 0.5 * paint.grain(seed + 1)
    rank = np.argsort(np.argsort(values.ravel())).reshape(SIDE, SIDE) / SIDE**2
    leaves = paint.toned(np.clip((rank - holes) / (1 - holes), 0, 0.99), *colors)
    leaves[rank < holes] = [*(np.array(colors[0]) * 0.55).astype(int), 0]
    return leaves


def _torch(flame: Color, glow: Color) -> Faces:
    """Top, sides and bottom of the stick; only the two middle columns are ever seen."""
    wood = paint.speckled(95, (96, 70, 40), (120, 90, 54), (140, 106, 64), smooth=0.2)
    side = paint.stenciled(wood, paint.box(0, 0, 7, 15), flame)
    side = paint.stenciled(side, paint.box(8, 0, 8, 15), glow)
    return paint.opaque(np.array(flame)), side, wood


def _blades() -> np.ndarray:
    """Blades of grass of different heights that lean to either side."""
    texture = np.zeros((SIDE, SIDE, 4), np.uint8)
    heights = 7 + (paint.grain(97, 1, 9)[0] * 8).astype(int)
    lean = paint.grain(98, 1, 9)[0] * 0.7 - 0.35
    for blade in range(9):
        for up in range(heights[blade]):
            column = int(np.clip(blade * 1.75 + 1 + lean[blade] * up, 0, SIDE - 1))
            light = 0.62 + 0.5 * up / 14
            wide = 2 if up < heights[blade] // 2 else 1
            texture[SIDE - 1 - up, column : column + wide, :3] = light * _BLADE
            texture[SIDE - 1 - up, column : column + wide, 3] = 255
    return texture
