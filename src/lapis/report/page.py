"""The report as one HTML file that needs nothing else: no network, no other file."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from lapis.report import figures, tables
from lapis.report.grouping import reference_group, split_groups
from lapis.report.notices import notices
from lapis.report.numbers import short_number
from lapis.report.panel import Panel, page_panel
from lapis.report.provenance import describe_run, settings_text
from lapis.report.series import Group, is_tech_tree
from lapis.report.summary import (
    Summary,
    by_result,
    common_frames,
    common_measure,
    middle_and_interval,
    summarize,
)
from lapis.report.svg import STYLE_SHEET
from lapis.report.tech_tree import group_tree
from lapis.report.theory import theory_figures

__all__ = ["report_html", "waiting_html"]


def report_html(groups: Sequence[Group], *, version: str = "") -> str:
    """The whole page; with a `version` it asks its server for newer ones and reloads."""
    frames = common_frames(groups)
    treatments, variants = split_groups(groups)
    summaries = [summarize(group, frames) for group in treatments]
    others = [summarize(group, frames) for group in variants]
    reference = summaries[treatments.index(reference_group(treatments))]
    has_tree = is_tech_tree(groups[0].goals)
    return _render(
        "report.html",
        version=version,
        lead=_lead(summaries, frames),
        notices=notices([*summaries, *others]),
        frames=frames,
        has_paper=has_tree,
        has_evaluation=any(group.measure == "evaluation" for group in treatments),
        reference=reference.group,
        treatments=list(zip(treatments, figures.assign_colors(treatments), strict=True)),
        groups=groups,
        variant_count=len(variants),
        common_measure=common_measure(summaries),
        measure_of_all=common_measure([*summaries, *others]),
        figures=_figures(treatments, others, reference, has_tree),
        tables=_tables(summaries, others, reference, frames, has_tree),
        describe_run=describe_run,
        settings_text=settings_text,
    )


def waiting_html(message: str, *, version: str) -> str:
    """A page that says why there is no report yet, and reloads when there is one."""
    return _render("waiting.html", message=message, version=version)


def _render(name: str, **context: Any) -> str:
    environment = Environment(
        loader=PackageLoader("lapis.report", "assets"),
        autoescape=True,  # Run folders may come from strangers.
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    loader = environment.loader
    assert loader is not None

    def asset(path: str) -> Markup:
        return Markup(loader.get_source(environment, path)[0])

    return environment.get_template(name).render(
        asset=asset, svg_style=Markup(STYLE_SHEET), **context
    )


def _lead(summaries: Sequence[Summary], frames: int) -> dict[str, Any]:
    """What was found, for one sentence."""
    measure = common_measure(summaries)
    best = by_result(summaries)[0]
    middle, low, high = middle_and_interval(best.discovered(measure))
    return {
        "label": best.group.label,
        "middle": f"{middle:.1f}".removesuffix(".0"),
        "interval": f"{low:.1f} to {high:.1f}",
        "seeds": len(best.group.runs),
        "possible": int(best.group.runs[0].possible.sum()),
        "frames": short_number(frames),
        "run_count": sum(len(summary.group.runs) for summary in summaries),
    }


def _figures(
    treatments: Sequence[Group], others: Sequence[Summary], reference: Summary, has_tree: bool
) -> dict[str, list[dict[str, Any]]]:
    """The panels of each figure as the template needs them."""
    trees = sorted(treatments, key=lambda group: group is not reference.group) if has_tree else []
    drawn: dict[str, list[Panel]] = {
        "discovered": figures.discovered(treatments),
        "variants": figures.variants([*others, reference], reference.group) if others else [],
        "success": figures.success_maps(treatments),
        "sampling": figures.sampling_maps(treatments),
        "trees": [group_tree(group) for group in trees],
        "forgetting": figures.forgetting(treatments),
        "health": figures.health(treatments),
    }
    shown = {name: _shown(name, panels) for name, panels in drawn.items()}
    return {**shown, "theory": _theory()}


@functools.cache
def _theory() -> list[dict[str, Any]]:
    """Figures 5 to 7, which are always the same."""
    return _shown("theory", [panel for panels in theory_figures().values() for panel in panels])


def _shown(name: str, panels: Sequence[Panel]) -> list[dict[str, Any]]:
    return [
        page_panel(panel, f"{name}-{index}", with_scale=index == 0)
        for index, panel in enumerate(panels)
    ]


def _tables(
    summaries: Sequence[Summary],
    others: Sequence[Summary],
    reference: Summary,
    frames: int,
    has_tree: bool,
) -> dict[str, tables.Table]:
    """The tables that these groups allow, by name."""
    found = {
        "results": tables.results_table(summaries, with_paper=has_tree),
        "frames": tables.frames_table(summaries),
        "drops": tables.drop_table(summaries),
    }
    if len(summaries) > 1:
        found["improvement"] = tables.improvement_table(summaries)
        if all(summary.group.treatment is not None for summary in summaries):
            found["order"] = tables.order_table(summaries)
    if others:
        found["variants"] = tables.variants_table(others, reference)
    if has_tree:
        found["resources"] = tables.group_table([*summaries, *others], frames)
    return found
