"""The paper's figures 5 to 7, drawn from the functions of the curriculum (paper P28)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import NullFormatter
from scipy.special import expit
from scipy.stats import norm

from lapis.curriculum import (
    LearningProgress,
    learning_progress,
    optimal_interval,
    reweight,
    sigmoid_slope,
    snapshot_error,
)
from lapis.curriculum.theory import measured_snapshot_error
from lapis.report.panel import Panel, save

__all__ = ["theory_figures", "write_theory_figures"]

SAMPLE_COUNT = 200
"""Samples per measurement in figure 5, as in the paper."""

# Okabe and Ito's colors, told apart by color-blind readers; line styles tell them apart in gray.
BLACK, GRAY, RED, BLUE = "black", "0.72", "#D55E00", "#0072B2"
YELLOW, SKY, GREEN, ORANGE = "#B8860B", "#56B4E9", "#009E73", "#E69F00"


def theory_figures() -> dict[str, list[Panel]]:
    """Figures 5, 6 and 7 by the names of their files."""
    figures: dict[str, list[Panel]] = {}
    for title, draw in (
        ("5. Two snapshots of a success curve", draw_snapshots),
        ("5. Error of the slope", draw_error),
        ("5. Two averages", draw_averages),
        ("6. Reweighting", draw_reweighting),
        ("7. Sampling", draw_sampling),
    ):
        panel = Panel(title=title, draw=draw, size=(4.2, 3.4), has_theme=False)
        figures.setdefault(f"theory_{title[0]}", []).append(panel)
    return figures


def write_theory_figures(folder: Path) -> list[Path]:
    """Draws figures 5, 6 and 7 into `folder` as PNG and SVG, and returns their paths."""
    return [p for name, panels in theory_figures().items() for p in save(panels, folder, name)]


def success_curve(time: np.ndarray | float) -> np.ndarray:
    """The fictional task of figure 5: success rises from 0 to 0.9, half of it at time 0.6."""
    return 0.9 * expit((np.asarray(time) - 0.6) / 0.5)


def success_slope(time: float) -> float:
    """Derivative of `success_curve`."""
    part = float(success_curve(time)) / 0.9
    return 0.9 * part * (1.0 - part) / 0.5


def success_curvature(time: float) -> float:
    """Second derivative of `success_curve`."""
    part = float(success_curve(time)) / 0.9
    return 0.9 * part * (1.0 - part) * (1.0 - 2.0 * part) / 0.25


def draw_reweighting(axes: Axes) -> None:
    """Figure 6: equal differences count more where success is low."""
    p = np.linspace(0.0, 1.0, 501)
    axes.plot(p, p, color=GRAY, linestyle="--", label="no reweighting")
    axes.plot(p, reweight(p), color=BLACK, label="f(p), p\u03b8 = 0.1")
    for low, high, color, style in [(0.1, 0.2, RED, ":"), (0.6, 0.7, BLUE, "-.")]:
        for success in (low, high):
            height = float(reweight(success))
            axes.plot([success, success, 0.0], [0.0, height, height], color=color, linestyle=style)
        difference = float(reweight(high) - reweight(low))
        height = float(reweight(low)) if low < 0.5 else 0.5
        label = f"{low} to {high}\ncounts {difference:.2f}"
        axes.text(high + 0.03, height, label, color=color)
    axes.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0))
    axes.set(xlabel="success probability p", ylabel="reweighted f(p)")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False)


def draw_sampling(axes: Axes) -> None:
    """Figure 7: the sampling weight of z-scored progress."""
    center = float(norm.ppf(0.9))
    z = np.linspace(-3.0, 4.0, 701)
    weight = expit(sigmoid_slope() * (z - center))
    density = norm.pdf(z)
    axes.fill_between(z, density, color="0.9")
    axes.plot(z, density, color="0.5", linestyle="--", label="normal density")
    axes.plot(z, weight, color=BLACK, label=f"sampling weight, slope {sigmoid_slope():.2f}")
    axes.axvline(center, color=RED, linestyle=":", label=f"90 % quantile, {center:.2f}")
    axes.set(xlim=(-3.0, 4.0), ylim=(0.0, 1.05))
    axes.set(xlabel="z-scored reweighted progress", ylabel="sampling weight (not normalized)")
    axes.legend(loc="upper left", frameon=False)


def draw_snapshots(axes: Axes) -> None:
    """The true curve, its measurement, and difference quotients over three intervals."""
    rng = np.random.default_rng(0)
    time = np.linspace(-2.0, 1.5, 351)
    past = time[time <= 0.0]
    measured = rng.binomial(SAMPLE_COUNT, success_curve(past)) / SAMPLE_COUNT
    axes.plot(past, measured, color=GRAY, linewidth=0.8, label=f"measured, n = {SAMPLE_COUNT}")
    axes.plot(time, success_curve(time), color=BLACK, label="true success")
    now = float(success_curve(0.0))
    around = np.array([-0.9, 0.6])
    slope = success_slope(0.0)
    axes.plot(around, now + slope * around, color=RED, label=f"true slope {slope:.2f}")
    best = optimal_interval(_variance(0.0), SAMPLE_COUNT, success_curvature(0.0))
    intervals = [(0.04, YELLOW, ":"), (round(best, 2), BLUE, "--"), (1.9, SKY, "-.")]
    for interval, color, style in intervals:
        before = measured[np.abs(past + interval).argmin()]
        slope = (measured[-1] - before) / interval
        # Beyond the snapshots by a little, so that the direction of a short one can be seen.
        span = np.array([-max(interval, 0.25), 0.25])
        label = f"\u0394t = {interval:.2f}: slope {slope:.2f}"
        axes.plot(span, measured[-1] + slope * span, color=color, linestyle=style, label=label)
    axes.axvline(0.0, color=BLACK, linestyle=":", linewidth=0.8)
    axes.set(xlabel="time t", ylabel="success probability", ylim=(-0.05, 1.0))
    axes.legend(loc="upper left", frameon=False, fontsize=7)


def draw_error(axes: Axes) -> None:
    """Expected square error over the interval: measured by resampling, and the formula."""
    interval = np.geomspace(0.04, 2.0, 40)
    measured = measured_snapshot_error(
        success_curve, success_slope(0.0), interval, SAMPLE_COUNT, np.random.default_rng(0)
    )
    curvature = success_curvature(0.0)
    variance = [0.5 * (_variance(0.0) + _variance(-one)) for one in interval]
    formula = [
        float(snapshot_error(one, spread, SAMPLE_COUNT, curvature))
        for one, spread in zip(interval, variance, strict=True)
    ]
    best = optimal_interval(_variance(0.0), SAMPLE_COUNT, curvature)
    axes.loglog(interval, measured, color=BLUE, marker=".", linestyle="", label="resampled")
    axes.loglog(interval, formula, color=ORANGE, label="formula, short intervals")
    axes.axvline(best, color=BLACK, linestyle=":", label=f"best interval {best:.2f}")
    axes.set(xlabel="interval \u0394t", ylabel="expected square error")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter(NullFormatter())
    axes.legend(loc="upper right", framealpha=1.0, edgecolor="white", fontsize=7)


def draw_averages(axes: Axes) -> None:
    """The curriculum's fast and slow average of the same curve, and their difference."""
    updates = 3000
    rng = np.random.default_rng(0)
    time = np.linspace(-3.0, 4.0, updates)
    curriculum = LearningProgress(1, time_scale=130.0)
    averages = np.zeros((updates, 2))
    for update, successes in enumerate(rng.binomial(SAMPLE_COUNT, success_curve(time))):
        curriculum.update([successes], [SAMPLE_COUNT])
        averages[update] = curriculum.fast_[0], curriculum.slow_[0]
    fast, slow = averages.T
    axes.plot(time, success_curve(time), color=BLACK, linewidth=0.8, label="true success")
    axes.plot(time, fast, color=RED, label="fast")
    axes.plot(time, slow, color=GREEN, linestyle="--", label="slow")
    axes.plot(time, learning_progress(fast, slow), color=YELLOW, linestyle=":", label="progress")
    reweighted = learning_progress(reweight(fast), reweight(slow))
    axes.plot(time, reweighted, color=BLUE, linestyle="-.", label="reweighted progress")
    axes.set(xlabel="time t", ylabel="success probability, progress", ylim=(0.0, 1.0))
    axes.legend(loc="upper left", frameon=False, fontsize=7)


def _variance(time: float) -> float:
    success = float(success_curve(time))
    return success * (1.0 - success)
