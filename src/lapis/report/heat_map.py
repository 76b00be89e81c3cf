"""Heat maps as HTML: one PNG of a pixel per value, its labels, and the values for the pointer."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import matplotlib
import numpy as np

from lapis.report.line_chart import nice_ticks, short_number

__all__ = ["Scale", "color_bar", "heat_map", "palette_png", "round_up"]

_LEVELS = 255
_ROWS_PER_NAME = 5


@dataclass(frozen=True, kw_only=True)
class Scale:
    """How values become colors: `(value / high) ** power` runs through the palette."""

    high: float
    power: float = 1.0
    """0.5 makes small values visible."""
    palette: str = "viridis"
    """One of matplotlib's."""
    percent_digits: int = 0
    """Digits after the point in percent."""

    def levels(self, values: np.ndarray) -> np.ndarray:
        """Colors' indices, uint8; not-a-number counts as 0."""
        share = np.clip(np.nan_to_num(values) / self.high, 0.0, 1.0) ** self.power
        return np.rint(share * _LEVELS).astype(np.uint8)

    def colors(self) -> np.ndarray:
        """Red, green, blue of all levels, uint8, shape (256, 3)."""
        mapped = matplotlib.colormaps[self.palette](np.arange(_LEVELS + 1) / _LEVELS)
        return np.rint(255 * np.asarray(mapped)[:, :3]).astype(np.uint8)


def heat_map(
    values: np.ndarray, *, scale: Scale, title: str, rows: Sequence[str], end: int, color: int
) -> str:
    """The map as an HTML fragment.

    Args:
        values: Shape (column, row); columns are spread evenly from update 0 to `end`.
        scale: Colors.
        title: What stands above.
        rows: Names of the rows, from the top.
        end: Update of the last column.
        color: Index of the title's color in the page's style sheet.
    """
    levels = scale.levels(values).T
    image = base64.b64encode(palette_png(levels, scale.colors())).decode()
    numbers = base64.b64encode(np.ascontiguousarray(levels).tobytes()).decode()
    names = "".join(
        f'<span style="top:{100 * (row + 0.5) / len(rows):.2f}%">{escape(rows[row])}</span>'
        for row in range(0, len(rows), _ROWS_PER_NAME)
    )
    ticks = "".join(
        f'<span class="x-tick" style="left:{100 * tick / end:.2f}%">{short_number(tick)}</span>'
        for tick in nice_ticks(0.0, end, 3)
    )
    return (
        f'<figure class="heat"><figcaption><i class="key s{color}"></i>{escape(title)}</figcaption>'
        f'<div class="names">{names}</div>'
        f'<div class="map" style="--rows:{len(rows)}" data-values="{numbers}" data-end="{end}" '
        f'data-columns="{levels.shape[1]}" data-high="{scale.high:g}" data-power="{scale.power:g}" '
        f'data-digits="{scale.percent_digits}">'
        f'<img alt="{escape(title)}: {len(rows)} goals over {end} updates" '
        f'src="data:image/png;base64,{image}">{ticks}<div class="crosshair"></div></div></figure>'
    )


def color_bar(scale: Scale, label: str) -> str:
    """A legend of the scale."""
    image = palette_png(np.arange(_LEVELS + 1, dtype=np.uint8)[None, :], scale.colors())
    data = base64.b64encode(image).decode()
    ticks = "".join(
        f'<span style="left:{100 * share**scale.power:.1f}%">'
        f"{100 * share * scale.high:.{_digits(scale, share)}f}</span>"
        for share in (0.0, 0.25, 0.5, 1.0)
    )
    return (
        f'<div class="color-bar"><div>{escape(label)} [%]</div>'
        f'<img alt="color scale" src="data:image/png;base64,{data}"><div>{ticks}</div></div>'
    )


def palette_png(levels: np.ndarray, colors: np.ndarray) -> bytes:
    """A PNG file of indexed colors.

    Args:
        levels: Index of each pixel's color, uint8, shape (row, column).
        colors: Red, green and blue, uint8, shape (color, 3), at most 256.
    """
    row_count, column_count = levels.shape
    header = struct.pack(">IIBBBBB", column_count, row_count, 8, 3, 0, 0, 0)
    rows = np.zeros((row_count, column_count + 1), dtype=np.uint8)  # Byte 0: not filtered.
    rows[:, 1:] = levels
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        [
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", np.ascontiguousarray(colors, dtype=np.uint8).tobytes()),
            _chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)),
            _chunk(b"IEND", b""),
        ]
    )


def round_up(value: float) -> float:
    """The next of 1, 2, 5 times a power of ten; 1 for what is not above 0."""
    if not value > 0.0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(value))
    return float(next(power * each for each in (1, 2, 5, 10) if value <= power * each * 1.000001))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _digits(scale: Scale, share: float) -> int:
    return 0 if share == 0.0 else scale.percent_digits
