"""Dots with intervals as HTML: one row per name, in percent of the width, readable on a phone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from lapis.report.line_chart import nice_ticks, short_number

__all__ = ["Dot", "dot_chart", "dot_limits"]


@dataclass(frozen=True, kw_only=True)
class Dot:
    """A value, the interval around it and the single measurements behind it."""

    label: str
    color: int
    """Index of a color of the page's style sheet."""
    value: float
    low: float
    """Ends of the interval; not-a-number draws none."""
    high: float
    singles: tuple[float, ...]


def dot_limits(dots: Sequence[Dot]) -> tuple[float, float]:
    """A range that holds everything, a little wider."""
    values = [value for dot in dots for value in (dot.value, dot.low, dot.high, *dot.singles)]
    known = [value for value in values if not math.isnan(value)]
    margin = 0.06 * (max(known) - min(known)) or 1.0
    return min(known) - margin, max(known) + margin


def dot_chart(dots: Sequence[Dot], *, title: str, x_label: str, reference: float) -> str:
    """The chart as an HTML fragment; a vertical line marks `reference`."""
    low, high = dot_limits(dots)

    def share(value: float) -> float:
        return 100.0 * (value - low) / (high - low)

    rows = "".join(
        f'<div class="dot-name">{escape(dot.label).replace("_", "_<wbr>")}</div>'
        f'<div class="dot-track s{dot.color}" title="{escape(_words(dot))}">'
        f'<i class="dot-reference" style="left:{share(reference):.2f}%"></i>'
        f"{_marks(dot, share(dot.low), share(dot.high))}"
        + "".join(f'<i class="single" style="left:{share(one):.2f}%"></i>' for one in dot.singles)
        + f'<i class="dot" style="left:{share(dot.value):.2f}%"></i></div>'
        for dot in dots
    )
    ticks = "".join(
        f'<span class="x-tick" style="left:{share(tick):.2f}%">{short_number(tick)}</span>'
        for tick in nice_ticks(low, high, 4)
    )
    return (
        f'<div class="dot-chart" role="img" aria-label="{escape(title)}">{rows}'
        f'<div></div><div class="dot-axis">{ticks}</div></div>'
        f'<div class="x-label">{escape(x_label)}</div>'
    )


def _marks(dot: Dot, low: float, high: float) -> str:
    if math.isnan(low):
        return ""
    return f'<i class="interval" style="left:{low:.2f}%;width:{high - low:.2f}%"></i>'


def _words(dot: Dot) -> str:
    spread = "" if math.isnan(dot.low) else f" ({dot.low:.1f} to {dot.high:.1f})"
    return f"{dot.label}: {dot.value:.1f}{spread}"
