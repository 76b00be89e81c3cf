"""Plots that are drawn once and shown twice: in the page and in files for papers.

A figure is a function that returns panels. The page shows each panel as an SVG of its own, so that
they stand side by side on a desk and below each other on a phone; a file shows them in one row.

matplotlib draws both. A charting script for browsers would make a livelier page, but it would add
megabytes to every report, draw nothing without JavaScript, and need a second way to draw for
papers.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import matplotlib
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, PowerNorm
from matplotlib.figure import Figure

from lapis.report.svg import inline_svg, standalone_svg
from lapis.runs.durable import replace_durably

__all__ = ["COLORS", "INK", "RULE", "SOFT", "Panel", "Scale", "page_panel", "save"]

COLORS = (
    *("#6b7280", "#b7791f", "#00875f", "#3b9bd8", "#0b4f9e", "#c2410c"),
    *("#9d2b86", "#5b21b6", "#b91c1c", "#4d7c0f", "#0f766e", "#7c5c2b"),
)
"""Colors of the groups. The page has a second set for dark screens, by the same index."""
INK, SOFT, RULE = "#1b2530", "#5a6672", "#dde3e9"

THEME = {
    **{color: f"var(--s{index})" for index, color in enumerate(COLORS)},
    INK: "var(--ink)",
    SOFT: "var(--soft)",
    RULE: "var(--rule)",
}
"""Which variable of the page's style sheet stands for a color."""

STYLE: dict[Any, Any] = {
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": SOFT,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "text.color": INK,
    "text.parse_math": False,  # Names may hold dollar signs.
    "svg.fonttype": "none",
    "svg.hashsalt": "lapis",  # The same file every time.
}


@dataclass(frozen=True, kw_only=True)
class Scale:
    """What the colors of a heat map stand for: values from 0 to `high`."""

    label: str
    high: float = 1.0
    power: float = 1.0
    """0.5 makes small values visible."""
    palette: str = "viridis"
    """One of matplotlib's."""

    @property
    def norm(self) -> Normalize:
        """Values as shares of the palette."""
        straight = Normalize(0.0, self.high)
        return straight if self.power == 1.0 else PowerNorm(self.power, 0.0, self.high)


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One plot."""

    title: str
    draw: Callable[[Axes], None]
    size: tuple[float, float]
    """Width and height [inches]."""
    color: int | None = None
    """Index of the color of what the title names."""
    scale: Scale | None = None
    shares_y: bool = False
    """Whether one vertical axis serves all panels of its figure."""
    has_theme: bool = True
    """Whether it follows a dark page; otherwise it stands on white."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Text under the pointer for parts of the drawing, by their gid: see `lapis.report.svg`."""
    pointer: Mapping[str, Any] | None = None
    """What the page's script shows under the pointer, as JSON types."""


def save(
    panels: Sequence[Panel], folder: Path, name: str, formats: Sequence[str] = ("png", "svg")
) -> list[Path]:
    """Draws panels in one row into `folder`, made if it does not exist; returns the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    widths = [panel.size[0] for panel in panels]
    height = max(panel.size[1] for panel in panels)
    shares_y = all(panel.shares_y for panel in panels)
    paths = [folder / f"{name}.{suffix}" for suffix in formats]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(sum(widths), height), layout="constrained")
        row = figure.subplots(1, len(panels), sharey=shares_y, squeeze=False, width_ratios=widths)
        for axes, panel in zip(row[0], panels, strict=True):
            panel.draw(axes)
            if len(panels) > 1:
                axes.set_title(panel.title)
            if shares_y:
                axes.label_outer()
        if panels[0].scale is not None:
            _draw_scale(figure, panels[0].scale, ax=list(row[0]), shrink=0.5, fraction=0.05)
        for path in paths:
            if path.suffix == ".svg":
                titles = {key: text for panel in panels for key, text in panel.titles.items()}
                data = standalone_svg(figure, titles).encode()
            else:
                file = io.BytesIO()
                figure.savefig(file, format=path.suffix[1:], dpi=200, metadata={"Software": None})
                data = file.getvalue()
            replace_durably(path, data)
    return paths


def page_panel(panel: Panel, name: str, *, with_scale: bool = False) -> dict[str, Any]:
    """What the page's template needs of a panel; `name` must be its own on the page."""
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": name}):
        figure = Figure(figsize=panel.size, layout="constrained")
        axes = figure.add_subplot()
        panel.draw(axes)
        svg = inline_svg(figure, panel.titles, THEME if panel.has_theme else {})
        scale = None
        if with_scale and panel.scale is not None:
            matplotlib.rcParams["svg.hashsalt"] = f"{name}-scale"
            bar = Figure(figsize=(3.2, 0.5), layout="constrained")
            _draw_scale(bar, panel.scale, cax=bar.add_subplot(), orientation="horizontal")
            scale = Markup(inline_svg(bar, {}, THEME))
    box = axes.get_position()  # As the layout has it, which drawing has made.
    place = [round(each, 5) for each in (box.x0, 1.0 - box.y1, box.width, box.height)]
    return {
        "title": panel.title,
        "color": panel.color,
        "svg": Markup(svg),
        "scale": scale,
        "pointer": panel.pointer and {**panel.pointer, "box": place},
    }


def _draw_scale(figure: Figure, scale: Scale, **where: Any) -> None:
    bar = figure.colorbar(ScalarMappable(scale.norm, scale.palette), label=scale.label, **where)
    bar.outline.set_visible(False)  # pyright: ignore[reportCallIssue]
