"""What a film writes over its pictures: goal, clock, reward, what was gained, health and food."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from lapis.simonsays import words
from lapis.worlds.words import plain

WHITE = (255, 255, 255)
GOLD = (250, 205, 90)
GREEN = (150, 230, 110)
RED = (255, 110, 90)
BLACK = (0, 0, 0)
BAR_BACK = (50, 50, 50)
MESSAGE_WIDTH = 28
"""Letters of a line that fit into the picture."""


@dataclass(frozen=True, kw_only=True)
class Caption:
    """The words and numbers of one picture."""

    goal: str
    seconds_left: float
    """To obtain it, in the game's time."""
    reward: float
    """In all."""
    last_reward: float
    changes: tuple[tuple[str, int], ...] = ()
    """Items that came (above 0) or went (below 0), the oldest first."""
    health: float
    food: float
    """Both 0 ... 20."""
    message: str = ""
    """What happened, a line each, in the middle of the picture."""


class Overlay:
    """Writes captions over pictures with so many pixels along each side."""

    def __init__(self, pixels: int) -> None:
        self._pixels = pixels
        self._margin = max(2, pixels // 40)
        self._large = _font(pixels / 15)
        self._small = _font(pixels / 21)

    def draw(self, picture: np.ndarray, caption: Caption) -> np.ndarray:
        """A copy of the picture with the caption, uint8, shape (pixels, pixels, 3)."""
        image = Image.fromarray(picture)
        draw = ImageDraw.Draw(image)
        self._task(draw, caption)
        self._changes(draw, caption.changes)
        self._body(draw, caption)
        lines = caption.message.splitlines()
        wrapped = "\n".join(textwrap.fill(line, MESSAGE_WIDTH) for line in lines)
        middle = (self._pixels / 2, self._pixels / 3)
        self._text(draw, middle, wrapped, self._large, GOLD, anchor="mm")
        return np.asarray(image)

    def _task(self, draw: ImageDraw.ImageDraw, caption: Caption) -> None:
        left, right = self._margin, self._pixels - self._margin
        below = self._margin + 1.3 * self._large.size
        seconds = max(0, round(caption.seconds_left))
        self._text(draw, (left, self._margin), plain(caption.goal), self._large, GOLD)
        self._text(draw, (left, below), f"{seconds} s left", self._small, WHITE)
        total = f"reward {caption.reward:.2f}"
        self._text(draw, (right, below), total, self._small, WHITE, anchor="ra")
        if caption.last_reward:
            paid = f"{caption.last_reward:+.2f}"
            place = (right, below + 1.3 * self._small.size)
            self._text(draw, place, paid, self._small, GREEN, anchor="ra")

    def _changes(self, draw: ImageDraw.ImageDraw, changes: tuple[tuple[str, int], ...]) -> None:
        """The newest change at the bottom, older ones above it as far as there is room."""
        y = self._pixels - 3 * self._margin - 1.3 * self._small.size
        for name, count in reversed(changes):
            if y < self._pixels / 3:
                break
            color = GREEN if count > 0 else RED
            self._text(draw, (self._margin, y), words.change(name, count), self._small, color)
            y -= 1.3 * self._small.size

    def _body(self, draw: ImageDraw.ImageDraw, caption: Caption) -> None:
        margin = self._margin
        width = (self._pixels - 3 * margin) / 2
        bottom = self._pixels - margin
        top = bottom - margin
        bars = ((margin, caption.health, RED), (2 * margin + width, caption.food, GOLD))
        for left, value, color in bars:
            draw.rectangle((left, top, left + width, bottom), fill=BAR_BACK)
            if value > 0:
                draw.rectangle((left, top, left + width * value / 20, bottom), fill=color)

    def _text(
        self,
        draw: ImageDraw.ImageDraw,
        place: tuple[float, float],
        text: str,
        font: ImageFont.FreeTypeFont,
        color: tuple[int, int, int],
        anchor: str = "la",
    ) -> None:
        # The dark rim can be read on anything.
        rim = {"stroke_width": max(1, round(font.size / 12)), "stroke_fill": BLACK}
        draw.text(place, text, color, font, anchor=anchor, align="center", **rim)


def _font(size: float) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont), "this Pillow was built without FreeType"
    return font
