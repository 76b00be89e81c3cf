"""Whether the learning itself is sound: losses, entropy, value fit and speed over updates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lapis.report.line_chart import Chart, Line, line_chart
from lapis.report.series import Group

__all__ = ["HEALTH", "health_figures"]

HEALTH = {
    "losses.policy": "policy loss",
    "losses.value": "value loss",
    "entropy": "entropy [nats]",
    "kl": "KL divergence of an update",
    "clip_share": "share of clipped steps",
    "value_fit": "value fit (explained variance)",
    "gradient_norm": "gradient norm",
    "reward_per_step": "reward per step",
    "frames_per_second": "speed [policy steps per second]",
}
"""Metrics that tell whether the learning itself is sound, and what they are called."""


def health_figures(groups: Sequence[Group], colors: Sequence[int]) -> str:
    """Small charts of losses, entropy, KL, value fit and speed over updates."""
    charts = []
    for name, label in HEALTH.items():
        lines = [
            _binned(group, name, color)
            for group, color in zip(groups, colors, strict=True)
            if all(name in run.scalars for run in group.runs)
        ]
        if lines:
            charts.append(
                line_chart(
                    Chart(
                        title=f"{label} over updates",
                        x_label="updates",
                        y_label=label,
                        lines=lines,
                        y_limits=_robust_limits(lines),
                        height=130,
                        tick_count=3,
                    )
                )
            )
    return f'<div class="small-charts">{"".join(charts)}</div>'


def _binned(group: Group, name: str, color: int) -> Line:
    """Mean over the updates between two points of a coarse grid, then over seeds."""
    edges = np.unique(np.linspace(0, group.grid[-1], 101).round().astype(np.int64))
    rows = []
    for run in group.runs:
        values = np.asarray(run.scalars[name], dtype=np.float64)
        place = np.searchsorted(edges, run.points[1:], side="left") - 1  # (edge, next edge]
        inside = (place < len(edges) - 1) & np.isfinite(values)
        count = np.bincount(place[inside], minlength=len(edges) - 1)
        total = np.bincount(place[inside], values[inside], minlength=len(edges) - 1)
        rows.append(np.divide(total, count, out=np.full(len(count), np.nan), where=count > 0))
    return Line(label=group.label, color=color, x=edges[1:], y=np.mean(rows, axis=0))


def _robust_limits(lines: Sequence[Line]) -> tuple[float, float] | None:
    """The range of all but the most extreme hundredths, so that one spike hides nothing."""
    values = np.concatenate([line.y[np.isfinite(line.y)] for line in lines])
    if values.size == 0:
        return None
    low, high = np.quantile(values, [0.01, 0.99])
    margin = 0.15 * (high - low) or 0.1 * abs(high) or 1.0
    return float(low - margin), float(high + margin)
