"""The report as one HTML file that needs nothing else: no network, no other file."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from html import escape
from importlib import resources

from lapis.report import page_figures, tables
from lapis.report.grouping import reference_group, split_groups
from lapis.report.health import health_figures
from lapis.report.line_chart import short_number
from lapis.report.notices import notices
from lapis.report.provenance import runs_section
from lapis.report.series import Group, is_tech_tree
from lapis.report.summary import (
    Measure,
    Summary,
    common_frames,
    common_frames_per_update,
    common_measure,
    mean_and_interval,
    summarize,
)
from lapis.report.techtree_figure import final_measure, scoped_style
from lapis.report.theory import theory_panels

__all__ = ["report_html"]

Section = tuple[str, str, str]
"""Name, title and content of a part of the page."""


def report_html(groups: Sequence[Group]) -> str:
    """The whole page."""
    frames = common_frames(groups)
    treatments, variants = split_groups(groups)
    summaries = [summarize(group, frames) for group in treatments]
    others = [summarize(group, frames) for group in variants]
    assets = resources.files("lapis.report") / "assets"
    style = (assets / "report.css").read_text(encoding="utf-8")
    script = (assets / "report.js").read_text(encoding="utf-8")
    sections = [
        *_results(treatments, summaries, frames),
        *_variants(summaries, others),
        *_resources([*summaries, *others], frames),
        *_goals(treatments),
        _forgetting(treatments, summaries),
        _theory(),
        *_soundness(treatments, groups),
    ]
    body = "".join(
        f'<section id="{name}"><h2>{title}</h2>{content}</section>'
        for name, title, content in sections
    )
    head = f"<h1>Lapis report</h1>{_lead(summaries, frames)}{notices([*summaries, *others])}"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,">'
        f"<title>Lapis report</title><style>{style}{scoped_style()}</style></head>"
        f"<body><header>{head}</header>"
        f'<main>{body}</main><div id="tip" role="status"></div><script>{script}</script></body>'
        "</html>\n"
    )


def _lead(summaries: Sequence[Summary], frames: int) -> str:
    """What was found, in one sentence."""
    measure = common_measure(summaries)
    best = tables.by_result(summaries)[0]
    mean, low, high = mean_and_interval(best.by(measure).discovered)
    seeds = len(best.group.runs)
    possible = int(best.group.runs[0].possible.sum())
    spread = f" (95 % interval {low:.1f} to {high:.1f} over {seeds} seeds)" if seeds > 1 else ""
    run_count = sum(len(summary.group.runs) for summary in summaries)
    many = f", the most of {len(summaries)} treatments in {run_count} runs"
    number = f"{mean:.1f}".removesuffix(".0")
    return (
        f"<p><strong>{escape(best.group.label)}</strong> discovers <strong>{number}</strong> of "
        f"{possible} goals{spread} by {_MEASURE_WORDS[measure]} within {short_number(frames)} "
        f"frames{many * (len(summaries) > 1)}.</p>"
    )


_MEASURE_WORDS = {
    "evaluation": "evaluation from empty inventories",
    "average": "the success averages of training",
}


def _results(groups: Sequence[Group], summaries: Sequence[Summary], frames: int) -> list[Section]:
    has_paper = is_tech_tree(groups[0].runs[0].goals)
    has_evaluation = any(group.is_evaluated for group in groups)
    gap = (
        " Gap: how many more the averages told at the last evaluation; they stay as they were for "
        "goals that are no longer sampled."
        if has_evaluation
        else ""
    )
    results = (
        tables.results_table(summaries, with_paper=has_paper)
        + f"<p>At {frames:,} frames: mean over seeds, small: 95 % interval by bootstrap. Area: "
        f"mean of discovered goals over all frames until then.{gap}</p>"
    )
    crossing = tables.frames_table(summaries) + (
        "<p>Frames until so many goals were discovered: median over seeds; small: how many seeds "
        "got there, where not all did.</p>"
    )
    sections = [
        ("figure-1", "1. Discovered goals", _figure_1(groups, has_paper, has_evaluation)),
        ("results", "Results", results),
        ("frames", "Frames to reach 17, 43, 70 and 82 goals", crossing),
    ]
    if len(groups) > 1:
        improvement = (
            tables.improvement_table(summaries)
            + f"<p>By {common_measure(summaries)}. Chance that a run of the row discovers more "
            "goals than a run of the column, ties counted half (Mann and Whitney); small: 95 % "
            "interval by bootstrap, and the exact two-sided p-value of the rank-sum test.</p>"
        )
        sections.append(("improvement", "Probability of improvement", improvement))
    if len(groups) > 1 and all(group.treatment is not None for group in groups):
        order = (
            tables.order_table(summaries)
            + f"<p>By {common_measure(summaries)}. Apart: the upper end of the first interval lies "
            "below the lower end of the second. p: exact two-sided rank-sum test.</p>"
        )
        sections.append(("order", "Steps of the paper's order", order))
    return sections


def _figure_1(groups: Sequence[Group], has_paper: bool, has_evaluation: bool) -> str:
    colors = page_figures.assign_colors(groups)
    measures: list[Measure] = ["evaluation", "average"] if has_evaluation else ["average"]
    parts = [page_figures.legend(groups, colors)]
    parts += [page_figures.discovered_figure(groups, colors, measure) for measure in measures]
    parts.append(
        "<p>A goal is discovered while its success probability is above 5 %. Lines: mean over "
        "seeds; bands: 95 % bootstrap interval. By average: the success averages of training.</p>"
    )
    if has_evaluation:
        parts.append("<p>By evaluation: separate attempts at every goal, empty inventories.</p>")
    if has_paper:
        parts.append(
            "<p>Dotted levels, numbers at the right: what the paper's treatments found in "
            "Minecraft after 50,000 updates of about 17,180 frames (paper P23).</p>"
        )
    return "".join(parts)


def _variants(treatments: Sequence[Summary], variants: Sequence[Summary]) -> list[Section]:
    """Rivals and ablations beside the reference."""
    if not variants:
        return []
    base = reference_group([each.group for each in treatments])
    reference = next(each for each in treatments if each.group is base)
    rows = tables.by_result([*variants, reference])
    label = escape(base.label)
    content = (
        page_figures.variants_figure(rows, reference)
        + "<p>Dots: mean over seeds; bars: 95 % bootstrap interval; ticks: single seeds; dashed: "
        f"{label}.</p>"
        + tables.variants_table(variants, reference)
        + f"<p>By {common_measure(rows)}, sorted by goals above 5 %. Difference to {label} and "
        "probability that a run is better than one of it, with 95 % intervals by bootstrap; p: "
        f"exact rank-sum test, corrected for {len(variants)} comparisons after Holm.</p>"
    )
    return [("variants", "Rivals and ablations", content)]


def _resources(summaries: Sequence[Summary], frames: int) -> list[Section]:
    if not is_tech_tree(summaries[0].group.runs[0].goals):
        return []
    content = tables.group_table(summaries, frames)
    content += f"<p>By {common_measure(summaries)}, mean over seeds.</p>"
    return [("resources", "Discovered goals per resource", content)]


def _goals(groups: Sequence[Group]) -> list[Section]:
    """Figures that show single goals."""
    colors = page_figures.assign_colors(groups)
    reference = reference_group(groups)
    order = page_figures.goal_order(reference)
    rate = common_frames_per_update(groups)
    each = "" if rate is None else f", {rate:,.0f} frames each"
    note = (
        f"<p>One row per goal, in the order in which {escape(reference.label)} learns them; "
        f"updates to the right{each}; one run per treatment, the one with the median of "
        "discovered goals. Point at a map for goal and value.</p>"
    )
    brightest = "<p>The brightest color stands for the end of the scale or more.</p>"
    success = page_figures.success_figure(groups, colors, order)
    sampling = page_figures.sampling_figure(groups, colors, order)
    tree = page_figures.tree_figures(groups, reference) + (
        f"<p>Color and number: success by {final_measure(reference)} at the end, mean over seeds. "
        "Point at a goal for what it needs and when it was discovered.</p>"
    )
    names = json.dumps(page_figures.goal_names(groups, order)).replace("<", "\\u003c")
    success += f'<script type="application/json" id="goal-names">{names}</script>'
    return [
        ("figure-2", "2. Success probability of each goal", success + note),
        ("figure-3", "3. Sampling probability of each goal", sampling + note + brightest),
        ("figure-4", "4. Final success in the tech tree", tree),
    ]


def _forgetting(groups: Sequence[Group], summaries: Sequence[Summary]) -> Section:
    colors = page_figures.assign_colors(groups)
    content = (
        page_figures.legend(groups, colors)
        + page_figures.drop_figure(groups, colors)
        + "<p>How far the number of discovered goals lies below its maximum so far (paper P29), by "
        "the success averages: mean over seeds and 95 % interval; thin: single runs.</p>"
        + tables.drop_table(summaries)
        + "<p>The largest drop of each seed: mean over seeds, small: 95 % interval.</p>"
    )
    return "forgetting", "Forgetting", content


def _theory() -> Section:
    """Figures 5 to 7, which need no run (paper P28)."""
    panels = "".join(
        f'<figure><figcaption>{escape(title)}</figcaption><img alt="{escape(title)}" '
        f'src="data:image/png;base64,{base64.b64encode(image).decode()}"></figure>'
        for title, image in theory_panels()
    )
    content = (
        f'<div class="theory">{panels}</div>'
        "<p>Drawn from the functions of the curriculum, without any run: what the measured slope "
        "of a success curve errs by, how differences are reweighted, and how z-scored progress "
        "becomes a sampling weight.</p>"
    )
    return "figures-5-7", "5 to 7. Progress, reweighting and sampling", content


def _soundness(treatments: Sequence[Group], groups: Sequence[Group]) -> list[Section]:
    """The health of training, and where the runs came from."""
    colors = page_figures.assign_colors(treatments)
    health = (
        page_figures.legend(treatments, colors)
        + health_figures(treatments, colors)
        + "<p>Means over a hundredth of the run and over seeds. Spikes beyond 99 % of the values "
        "are cut.</p>"
    )
    return [
        ("health", "Health of training", health),
        ("runs", "Runs", runs_section(groups)),
    ]
