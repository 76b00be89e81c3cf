"""Line charts as HTML: an SVG that stretches with the page, and labels that do not.

All text is HTML placed in percent of the plot, so that it keeps its size on a phone; lines keep
their width by `non-scaling-stroke`. The numbers travel along as JSON for the pointer.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

__all__ = ["Chart", "Line", "Mark", "line_chart", "nice_ticks", "short_number", "spread"]

_UNITS = 1000
"""Width and height of the plot in its own units."""
_LABEL_PIXELS = 13
"""Height of a line of small text."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """A curve with its band."""

    label: str
    color: int
    """Index of a color of the page's style sheet."""
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray | None = None
    """Ends of the band; None draws none."""
    high: np.ndarray | None = None
    singles: np.ndarray | None = None
    """Curves of the single runs behind it, drawn thin, shape (run, point)."""
    is_dotted: bool = False
    """Drawn with a dot at each value: few, separate measurements."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A labeled height at the right edge, for comparison."""

    value: float
    color: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Chart:
    """Everything on one plot."""

    title: str
    """Says to a screen reader what is drawn."""
    x_label: str
    y_label: str
    lines: Sequence[Line]
    marks: Sequence[Mark] = ()
    y_limits: tuple[float, float] | None = None
    """Lowest and highest y; None fits the lines."""
    height: int = 340
    """Height of the plot [pixels]."""
    tick_count: int = 6
    """Ticks per axis, about."""


def line_chart(chart: Chart) -> str:
    """The chart as an HTML fragment; needs the report's style sheet, gets hover from its script."""
    x_high = max((float(line.x[-1]) for line in chart.lines), default=1.0) or 1.0
    low, high = chart.y_limits or _limits(chart.lines)
    plane = _Plane(x_high=x_high, low=low, high=high)
    x_ticks = nice_ticks(0.0, x_high, min(chart.tick_count, 5))
    y_ticks = nice_ticks(low, high, chart.tick_count)
    return (
        f'<div class="chart" role="img" aria-label="{escape(chart.title)}">'
        f'<div class="y-label">{escape(chart.y_label)}</div>'
        f'<div class="plot{" marked" if chart.marks else ""}" style="height:{chart.height}px" '
        f'data-end="{x_high:g}">'
        f'<svg viewBox="0 0 {_UNITS} {_UNITS}" preserveAspectRatio="none" aria-hidden="true">'
        f"{_grid(plane, x_ticks, y_ticks)}"
        f"{''.join(_mark_line(plane, mark) for mark in chart.marks)}"
        f"{''.join(_band(plane, line) for line in chart.lines)}"
        f"{''.join(_single_runs(plane, line) for line in chart.lines)}"
        f"{''.join(_curve(plane, line) for line in chart.lines)}</svg>"
        f"{_labels(plane, x_ticks, y_ticks)}{_mark_labels(plane, chart)}"
        '<div class="cursor"></div></div>'
        f'<div class="x-label">{escape(chart.x_label)}</div>'
        f'<script type="application/json">{_data(chart)}</script></div>'
    )


def nice_ticks(low: float, high: float, count: int) -> list[float]:
    """About `count` round numbers (steps of 1, 2 or 5 times a power of ten) in [low, high].

    Raises:
        ValueError: `high` is not above `low`, or `count` is less than 1.
    """
    if not high > low or count < 1:
        raise ValueError(f"low={low}, high={high}, count={count}: need low < high and count >= 1")
    raw = (high - low) / count
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if raw <= power * factor * 1.000001)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def short_number(value: float) -> str:
    """A number in few characters: 0.025, 1,500, 20k or 3.52M."""
    for limit, divisor, suffix in ((1e9, 1e9, "B"), (1e6, 1e6, "M"), (1e4, 1e3, "k")):
        if abs(value) >= limit:
            return f"{value / divisor:.3g}{suffix}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def spread(positions: Sequence[float], gap: float) -> list[float]:
    """Positions moved apart until neighbors are at least `gap` apart, in the order given.

    Those that are too near form clusters, each around the mean of where its members want to be.
    """
    order = sorted(range(len(positions)), key=lambda index: positions[index])
    clusters: list[list[int]] = []
    for index in order:
        clusters.append([index])
        while len(clusters) > 1 and _start(clusters[-1], positions, gap) < (
            _start(clusters[-2], positions, gap) + gap * len(clusters[-2])
        ):
            clusters[-2:] = [clusters[-2] + clusters[-1]]
    moved = [0.0] * len(positions)
    for cluster in clusters:
        start = _start(cluster, positions, gap)
        for rank, index in enumerate(cluster):
            moved[index] = start + gap * rank
    return moved


def _start(cluster: Sequence[int], positions: Sequence[float], gap: float) -> float:
    center = sum(positions[index] for index in cluster) / len(cluster)
    return center - gap * (len(cluster) - 1) / 2.0


@dataclass(frozen=True, kw_only=True)
class _Plane:
    """From numbers to shares of the plot, from its top left corner."""

    x_high: float
    low: float
    high: float

    def x(self, value: float) -> float:
        return value / self.x_high

    def y(self, value: float) -> float:
        return (self.high - value) / (self.high - self.low)

    def points(self, x: np.ndarray, y: np.ndarray) -> list[str]:
        left = np.asarray(x, dtype=np.float64) / self.x_high * _UNITS
        top = np.clip((self.high - y) / (self.high - self.low), 0.0, 1.0) * _UNITS
        return [f"{a:.0f},{b:.0f}" for a, b in zip(left, top, strict=True)]


def _limits(lines: Sequence[Line]) -> tuple[float, float]:
    """A range that holds all lines and bands, a little wider; never empty."""
    parts = [part for line in lines for part in (line.y, line.low, line.high) if part is not None]
    values = np.concatenate([np.ravel(part) for part in parts]) if parts else np.zeros(0)
    values = values[np.isfinite(values)]
    if values.size == 0:
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    margin = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
    return low if low == 0.0 else low - margin, high + margin


def _grid(plane: _Plane, x_ticks: Sequence[float], y_ticks: Sequence[float]) -> str:
    vertical = "".join(f"M{plane.x(tick) * _UNITS:.0f},0V{_UNITS}" for tick in x_ticks)
    level = "".join(f"M0,{plane.y(tick) * _UNITS:.0f}H{_UNITS}" for tick in y_ticks)
    return f'<path class="grid" d="{vertical}{level}"/>'


def _band(plane: _Plane, line: Line) -> str:
    if line.low is None or line.high is None:
        return ""
    upper = plane.points(line.x, line.high)
    lower = plane.points(line.x, line.low)[::-1]
    return f'<path class="band s{line.color}" d="M{"L".join(upper + lower)}Z"/>'


def _single_runs(plane: _Plane, line: Line) -> str:
    if line.singles is None:
        return ""
    paths = "".join(f"M{'L'.join(plane.points(line.x, each))}" for each in line.singles)
    return f'<path class="single-run s{line.color}" d="{paths}"/>'


def _curve(plane: _Plane, line: Line) -> str:
    known = np.isfinite(line.y)
    points = plane.points(line.x[known], line.y[known])
    if not points:
        return ""
    path = f'<path class="line s{line.color}" d="M{"L".join(points)}"/>'
    if not line.is_dotted:
        return path
    # A stroke of no length with round ends is a dot that keeps its shape when the SVG stretches.
    dots = "".join(f"M{point}h0" for point in points)
    path = path.replace('class="line', 'class="line thin')
    return f'{path}<path class="dots s{line.color}" d="{dots}"/>'


def _mark_line(plane: _Plane, mark: Mark) -> str:
    top = plane.y(mark.value) * _UNITS
    return f'<path class="mark s{mark.color}" d="M0,{top:.0f}H{_UNITS}"/>'


def _mark_labels(plane: _Plane, chart: Chart) -> str:
    tops = [plane.y(mark.value) * chart.height for mark in chart.marks]
    return "".join(
        f'<span class="mark-label s{mark.color}" style="top:{top:.1f}px">{escape(mark.text)}</span>'
        for mark, top in zip(chart.marks, spread(tops, _LABEL_PIXELS), strict=True)
    )


def _labels(plane: _Plane, x_ticks: Sequence[float], y_ticks: Sequence[float]) -> str:
    below = "".join(
        f'<span class="x-tick" style="left:{100 * plane.x(tick):.2f}%">{short_number(tick)}</span>'
        for tick in x_ticks
    )
    beside = "".join(
        f'<span class="y-tick" style="top:{100 * plane.y(tick):.2f}%">{short_number(tick)}</span>'
        for tick in y_ticks
    )
    return below + beside


def _data(chart: Chart) -> str:
    """What the pointer shows, with four significant digits."""
    lines = [
        {
            "label": line.label,
            "color": line.color,
            "dotted": line.is_dotted,
            "x": [int(value) for value in line.x],
            "y": _short_list(line.y),
            "low": None if line.low is None else _short_list(line.low),
            "high": None if line.high is None else _short_list(line.high),
        }
        for line in chart.lines
    ]
    text = json.dumps({"x": chart.x_label, "lines": lines}, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")


def _short_list(values: np.ndarray) -> list[float | None]:
    return [float(f"{value:.4g}") if math.isfinite(value) else None for value in np.ravel(values)]
