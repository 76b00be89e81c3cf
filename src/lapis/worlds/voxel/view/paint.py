"""Brushes for 16 x 16 textures: noise that tiles, palettes, stones, strokes and stencils."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np

SIDE = 16
Color = tuple[int, int, int]
Palette = tuple[Color, ...]
_ROWS, _COLUMNS = np.mgrid[0:SIDE, 0:SIDE]


def grain(seed: int, rows: int = SIDE, columns: int = SIDE) -> np.ndarray:
    """Uniform numbers in [0, 1) by a hash of place and seed; the same on every machine."""
    row, column = np.mgrid[0:rows, 0:columns].astype(np.uint32)
    word = row * np.uint32(0x8DA6B343) + column * np.uint32(0xD8163841)
    word = word + np.uint32(seed * 2654435761 % 2**32)
    for factor, shift in ((0x7FEB352D, 15), (0x846CA68B, 16)):
        word = (word ^ (word >> np.uint32(shift))) * np.uint32(factor)
    return (word ^ (word >> np.uint32(16))) / 2.0**32


def clouds(seed: int, rows: int = 4, columns: int = 4) -> np.ndarray:
    """Smooth noise in [0, 1) with so many knots along each side; it tiles."""
    knots = grain(seed, rows, columns)
    y = _ROWS * rows / SIDE
    x = _COLUMNS * columns / SIDE
    top, left = y.astype(int), x.astype(int)
    down, right = (top + 1) % rows, (left + 1) % columns
    fy, fx = y - top, x - left
    above = knots[top, left] * (1 - fx) + knots[top, right] * fx
    below = knots[down, left] * (1 - fx) + knots[down, right] * fx
    return above * (1 - fy) + below * fy


def toned(values: np.ndarray, *palette: Color) -> np.ndarray:
    """Numbers in [0, 1) as colors from the first of the palette to the last, opaque."""
    place = np.clip((values * len(palette)).astype(int), 0, len(palette) - 1)
    return opaque(np.array(palette)[place])


def opaque(colors: np.ndarray) -> np.ndarray:
    """Colors (16, 16, 3) with full alpha, as whole numbers of 0 to 255."""
    alpha = np.full((SIDE, SIDE, 1), 255)
    colors = np.broadcast_to(colors, (SIDE, SIDE, 3))
    return np.concatenate([np.clip(np.rint(colors), 0, 255), alpha], -1).astype(np.uint8)


def speckled(seed: int, *palette: Color, smooth: float = 0.5, knots: tuple = (4, 4)) -> np.ndarray:
    """Grain over clouds in the colors of a palette."""
    mixed = (1 - smooth) * grain(seed) + smooth * clouds(seed + 1, *knots)
    ranked = np.argsort(np.argsort(mixed.ravel())).reshape(SIDE, SIDE) / SIDE**2
    return toned(ranked, *palette)


def pebbles(seed: int, across: int, mortar: Color, *palette: Color) -> np.ndarray:
    """Stones of random shades with mortar between them; it tiles."""
    jitter = 0.15 + 0.7 * np.stack([grain(seed, across, across), grain(seed + 1, across, across)])
    base = np.array(np.mgrid[0:across, 0:across])
    centers = ((base + jitter) * SIDE / across).reshape(2, -1)
    spot = np.stack([_ROWS, _COLUMNS]) + 0.5
    offset = spot[..., None] - centers[:, None, None, :]
    offset -= SIDE * np.round(offset / SIDE)
    distance = np.sqrt((offset**2).sum(0))
    nearest = distance.argmin(-1)
    first, second = np.sort(distance, -1)[..., :2].transpose(2, 0, 1)
    shade = grain(seed + 2, across, across).ravel()[nearest] * 0.8 + 0.2 * grain(seed + 3)
    stones = toned(shade, *palette)
    stones[second - first < 0.17 * SIDE / across] = (*mortar, 255)
    return stones


def scaled(texture: np.ndarray, factor: float) -> np.ndarray:
    """A lighter or darker copy."""
    return np.concatenate([opaque(texture[..., :3] * factor)[..., :3], texture[..., 3:]], -1)


def stenciled(texture: np.ndarray, where: np.ndarray, color: Color | np.ndarray) -> np.ndarray:
    """A copy with a color, or another texture, where the mask is true."""
    over = np.broadcast_to((*color, 255) if isinstance(color, tuple) else color, texture.shape)
    return np.where(where[..., None], over, texture).astype(np.uint8)


def drawn(name: str, colors: dict[str, Color]) -> np.ndarray:
    """A drawing of drawings.txt, by the colors of its letters; a dot is see-through."""
    letters = _drawings()[name]
    assert letters.shape == (SIDE, SIDE), name
    texture = np.zeros((SIDE, SIDE, 4), np.uint8)
    for letter in np.unique(letters[letters != "."]):
        texture[letters == letter] = (*colors[letter], 255)
    return texture


@functools.cache
def _drawings() -> dict[str, np.ndarray]:
    parts = Path(__file__).with_name("drawings.txt").read_text(encoding="ascii").split("\n\n")
    drawings = (part.splitlines() for part in parts)
    return {name: np.array([list(row) for row in rows]) for name, *rows in drawings}


def box(top: int, left: int, bottom: int, right: int) -> np.ndarray:
    """A mask: rows top ... bottom and columns left ... right, both ends included."""
    return (top <= _ROWS) & (bottom >= _ROWS) & (left <= _COLUMNS) & (right >= _COLUMNS)


def frame(width: int = 1) -> np.ndarray:
    """A mask: the border."""
    return ~box(width, width, SIDE - 1 - width, SIDE - 1 - width)


def rings() -> np.ndarray:
    """Distance from the middle along the farther axis, 0 ... 7."""
    return np.maximum(abs(2 * _ROWS - 15), abs(2 * _COLUMNS - 15)) // 2
