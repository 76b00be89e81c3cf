"""Two kinds of panels: curves over time, labeled at their ends, and heat maps."""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from lapis.report.numbers import short_number, shorten, spread
from lapis.report.panel import COLORS, RULE, Panel, Scale

__all__ = ["Curve", "Level", "curves_panel", "map_panel"]

LINES = (":", "--", "-.", (0, (5, 1.5)), "-")
"""Line styles by which the first groups differ even in gray; all others have the last one."""
LABEL_HEIGHT = 9.0
"""Height of a line of text [points]."""
LEADER = {"arrowstyle": "-", "lw": 0.5, "ls": ":", "relpos": (0.0, 0.5)}
"""From a curve's end to the left end of its name, so that it crosses no other name."""
LEVEL_COUNT = 255
"""Steps of a map's values under the pointer."""


@dataclass(frozen=True, kw_only=True)
class Curve:
    """A line with its band."""

    label: str
    color: int
    """Index of one of `COLORS`."""
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray | None = None
    """Ends of the band; None draws none."""
    high: np.ndarray | None = None
    singles: np.ndarray | None = None
    """Curves of single runs, drawn thin, shape (run, point)."""
    has_dots: bool = False
    """Whether each value has a dot: few, separate measurements."""


class Level(NamedTuple):
    """A level for comparison, which comes from outside the plot."""

    value: float
    color: int
    label: str


def curves_panel(
    curves: Sequence[Curve],
    *,
    y_label: str,
    x_label: str = "frames",
    y_limits: tuple[float, float] | None = None,
    levels: Sequence[Level] = (),
    frames_per_update: float | None = None,
    is_labeled: bool = True,
    size: tuple[float, float] = (4.2, 3.0),
    **panel: Any,
) -> Panel:
    """Curves over time, labeled with their names and last values where `is_labeled`.

    Where the axis below counts frames and `frames_per_update` is known, one above counts updates.
    `size` is in inches, `panel` the title and other fields of the panel.
    """
    end = max((float(curve.x[-1]) for curve in curves), default=1.0) or 1.0

    def draw(axes: Axes) -> None:
        for index, curve in enumerate(curves):
            _draw_curve(axes, curve, f"part-{index}")
        axes.set_xlim(0.0, end)
        if y_limits is not None:
            axes.set_ylim(y_limits)
        for level in levels:
            axes.axhline(level.value, color=COLORS[level.color], lw=0.7, ls=(0, (1, 4)))
        if is_labeled:
            _label_ends(axes, curves, levels, points=size[1] * 72.0 * 0.7)
        axes.set_ylabel(y_label)
        axes.grid(color=RULE, lw=0.5)
        axes.set_axisbelow(True)
        _label_time(axes, x_label, frames_per_update)

    return Panel(
        draw=draw,
        size=size,
        titles={f"part-{index}": curve.label for index, curve in enumerate(curves)},
        pointer={
            "x": x_label,
            "end": end,
            "rate": frames_per_update,
            "lines": [_pointer_values(curve) for curve in curves],
        },
        **panel,
    )


def map_panel(
    values: np.ndarray,
    *,
    rows: Sequence[str],
    named_rows: Sequence[int],
    end: int,
    scale: Scale,
    frames_per_update: float | None = None,
    y_label: str = "",
    size: tuple[float, float],
    **panel: Any,
) -> Panel:
    """A heat map of values, shape (column, row), over time up to the update `end`.

    Columns are spread evenly, rows come from the top; those of the indices `named_rows` are named
    beside the map. With `frames_per_update` the axis below counts frames and one above updates.
    `size` is in inches, `panel` the title and other fields of the panel.
    """

    def draw(axes: Axes) -> None:
        axes.imshow(
            values.T,
            aspect="auto",
            interpolation="none",
            extent=(0.0, end * (frames_per_update or 1.0), len(rows) - 0.5, -0.5),
            norm=scale.norm,
            cmap=scale.palette,
        )
        font = min(6.5, 0.75 * 72.0 * size[1] / max(1, len(named_rows)))
        room = int(0.4 * 72.0 * size[0] / (0.55 * font))  # Letters in 40 % of the width.
        names = [shorten(rows[row], room) for row in named_rows]
        axes.set_yticks(named_rows, names, fontsize=font)
        axes.tick_params(axis="y", length=1, pad=1)
        axes.set_ylabel(y_label)
        axes.spines[:].set_visible(False)
        _label_time(axes, "frames" if frames_per_update else "updates", frames_per_update)

    levels = np.asarray(scale.norm(np.clip(np.nan_to_num(values), 0.0, scale.high)))
    return Panel(
        draw=draw,
        size=size,
        scale=scale,
        shares_y=True,
        **panel,
        pointer={
            "rows": list(rows),
            "levels": base64.b64encode(
                np.rint(LEVEL_COUNT * levels.T).astype(np.uint8).tobytes()
            ).decode(),
            "high": scale.high,
            "power": scale.power,
            "end": end,
        },
    )


def _label_time(axes: Axes, x_label: str, frames_per_update: float | None) -> None:
    """Round numbers below and, where frames and updates go together, updates above."""
    labeled: list[tuple[Any, str]] = [(axes, x_label)]
    if frames_per_update is not None:
        rate = frames_per_update
        scaling = (lambda x: np.divide(x, rate), lambda x: np.multiply(x, rate))
        labeled.append((axes.secondary_xaxis("top", functions=scaling), "updates"))
    for each, label in labeled:
        each.set_xlabel(label)
        each.xaxis.set_major_locator(MaxNLocator(4, integer=True))
        each.xaxis.set_major_formatter(lambda value, _: short_number(value))


def _draw_curve(axes: Axes, curve: Curve, gid: str) -> None:
    ink, style = COLORS[curve.color], LINES[min(curve.color, len(LINES) - 1)]
    known = np.isfinite(curve.y)
    x, y = curve.x[known], curve.y[known]
    if curve.low is not None and curve.high is not None:
        axes.fill_between(curve.x, curve.low, curve.high, color=ink, alpha=0.18, lw=0, gid=gid)
    if curve.singles is not None:
        axes.plot(curve.x, curve.singles.T, color=ink, lw=0.5, alpha=0.6, gid=gid)
    marker = "o" if curve.has_dots else ""
    axes.plot(x, y, color=ink, ls=style, lw=1.5, marker=marker, ms=3, gid=gid)


def _label_ends(
    axes: Axes, curves: Sequence[Curve], levels: Sequence[Level], *, points: float
) -> None:
    """The name and the last value of each curve at the right, in its color; levels in italics."""
    low, high = axes.get_ylim()
    ends = []
    for curve in curves:
        known = np.flatnonzero(np.isfinite(curve.y))
        if known.size:
            x, y = float(curve.x[known[-1]]), float(curve.y[known[-1]])
            ends.append((x, y, curve.color, f"{shorten(curve.label)} {y:.3g}", "normal"))
    ends += [(axes.get_xlim()[1], *level, "italic") for level in levels]
    heights = [min(max(y, low), high) for _, y, *_ in ends]
    places = spread(heights, (high - low) * LABEL_HEIGHT / points)
    for (x, y, color, text, style), place in zip(ends, places, strict=True):
        axes.annotate(
            text,
            (x, y),
            (1.03, place),
            textcoords=axes.get_yaxis_transform(),
            color=COLORS[color],
            fontsize=7,
            fontstyle=style,
            va="center",
            arrowprops={"color": COLORS[color], **LEADER},
            annotation_clip=False,
        )


def _pointer_values(curve: Curve) -> dict[str, Any]:
    return {
        "label": curve.label,
        "color": curve.color,
        "dots": curve.has_dots,
        "x": [int(value) for value in curve.x],
        **{name: _short_list(getattr(curve, name)) for name in ("y", "low", "high")},
    }


def _short_list(values: np.ndarray | None) -> list[float | None] | None:
    if values is None:
        return None
    return [float(f"{value:.4g}") if math.isfinite(value) else None for value in np.ravel(values)]
