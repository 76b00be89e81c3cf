"""The report as one HTML file that needs nothing else: no network, no other file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from importlib import resources

from lapis.report import page_figures, tables
from lapis.report.line_chart import short_number
from lapis.report.provenance import runs_section
from lapis.report.series import Group, is_tech_tree
from lapis.report.summary import (
    Summary,
    common_frames,
    mean_and_interval,
    summarize,
    unequal_lengths,
)
from lapis.report.techtree_figure import scoped_style

__all__ = ["report_html"]


def report_html(groups: Sequence[Group]) -> str:
    """The whole page."""
    frames = common_frames(groups)
    summaries = [summarize(group, frames) for group in groups]
    assets = resources.files("lapis.report") / "assets"
    style = (assets / "report.css").read_text(encoding="utf-8")
    script = (assets / "report.js").read_text(encoding="utf-8")
    sections = [
        *_results(groups, summaries, frames),
        *_goals(groups),
        _forgetting(groups, summaries),
        *_soundness(groups),
    ]
    body = "".join(
        f'<section id="{name}"><h2>{title}</h2>{content}</section>'
        for name, title, content in sections
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,">'
        f"<title>Lapis report</title><style>{style}{scoped_style()}</style></head>"
        f"<body><header><h1>Lapis report</h1>{_lead(summaries, frames)}{_notices(groups)}</header>"
        f'<main>{body}</main><div id="tip" role="status"></div><script>{script}</script></body>'
        "</html>\n"
    )


def _lead(summaries: Sequence[Summary], frames: int) -> str:
    """What was found, in one sentence."""
    best = max(summaries, key=lambda summary: float(summary.discovered.mean()))
    mean, low, high = mean_and_interval(best.discovered)
    seeds = len(best.group.runs)
    possible = int(best.group.runs[0].possible.sum())
    spread = f" (95 % interval {low:.1f} to {high:.1f} over {seeds} seeds)" if seeds > 1 else ""
    run_count = sum(len(summary.group.runs) for summary in summaries)
    return (
        f"<p><strong>{escape(best.group.label)}</strong> discovers <strong>{mean:.1f}".removesuffix(
            ".0"
        )
        + f"</strong> of {possible} goals{spread} within {short_number(frames)} frames"
        + (f", the most of {len(summaries)} treatments in {run_count} runs" * (len(summaries) > 1))
        + ".</p>"
    )


def _notices(groups: Sequence[Group]) -> str:
    """What a reader must know before believing the numbers."""
    notices = []
    if unequal_lengths(groups):
        notices.append(
            "The runs differ in length. Every number in the tables is taken at "
            f"{common_frames(groups):,} frames, the end of the shortest run."
        )
    if all(run.evaluation is None for group in groups for run in group.runs):
        notices.append(
            "No evaluation recorded: success is the average over training attempts, which stays "
            "as it was for goals that are no longer sampled and so can hide forgetting."
        )
    for group in groups:
        evaluated = sum(run.evaluation is not None for run in group.runs)
        if 0 < evaluated < len(group.runs):
            notices.append(
                f"Of the {len(group.runs)} runs of {group.label} only {evaluated} were evaluated: "
                "figure 1 leaves their evaluation out."
            )
        seeds = [run.seed for run in group.runs]
        if len(set(seeds)) < len(seeds):
            notices.append(f"Runs of {group.label} share a seed; their spread says little.")
    if any(1 < len(group.runs) < 5 for group in groups):
        notices.append(
            "With less than five seeds bootstrap intervals are narrower than they should be."
        )
    if all(len(group.runs) == 1 for group in groups):
        notices.append("One run per treatment: there are no intervals.")
    return "".join(f'<p class="notice">{escape(notice)}</p>' for notice in notices)


def _results(
    groups: Sequence[Group], summaries: Sequence[Summary], frames: int
) -> list[tuple[str, str, str]]:
    colors = page_figures.assign_colors(groups)
    has_paper = is_tech_tree(groups[0].runs[0].goals)
    paper = (
        "<p>Dotted levels, numbers at the right: what the paper's treatments found in Minecraft "
        "after 50,000 updates of about 17,180 frames (paper P23).</p>"
        if has_paper
        else ""
    )
    has_evaluation = any(run.evaluation is not None for group in groups for run in group.runs)
    evaluated = "Dots: by evaluation, with empty inventories." if has_evaluation else ""
    figure = (
        page_figures.legend(groups, colors)
        + page_figures.discovered_figure(groups, colors)
        + "<p>A goal is discovered while its success probability is above 5 %. Lines: mean over "
        f"seeds by the success averages of training; bands: 95 % bootstrap interval. {evaluated}"
        + "</p>"
        + paper
    )
    results = (
        tables.results_table(summaries, with_paper=has_paper)
        + f"<p>At {frames:,} frames: mean over seeds, small: 95 % interval by bootstrap. Area: "
        "mean of discovered goals over all frames until then. Frames to: median over seeds until "
        "so many goals were discovered.</p>"
    )
    sections = [("figure-1", "1. Discovered goals", figure), ("results", "Results", results)]
    if len(groups) > 1:
        improvement = (
            tables.improvement_table(summaries)
            + "<p>Chance that a run of the row discovers more goals than a run of the column, ties "
            "counted half (Mann and Whitney); small: 95 % interval by bootstrap, and the exact "
            "two-sided p-value of the rank-sum test.</p>"
        )
        sections.append(("improvement", "Probability of improvement", improvement))
    if has_paper:
        sections.append(
            ("resources", "Discovered goals per resource", tables.group_table(groups, frames))
        )
    return sections


def _goals(groups: Sequence[Group]) -> list[tuple[str, str, str]]:
    """Figures that show single goals."""
    colors = page_figures.assign_colors(groups)
    reference = page_figures.reference_group(groups)
    order = page_figures.goal_order(reference)
    note = (
        f"<p>One row per goal, in the order in which {escape(reference.label)} learns them; "
        "updates to the right; mean over seeds. Point at a map for goal and value.</p>"
    )
    brightest = "<p>The brightest color stands for the end of the scale or more.</p>"
    success = page_figures.success_figure(groups, colors, order)
    sampling = page_figures.sampling_figure(groups, colors, order)
    tree = page_figures.tree_figures(groups, reference)
    names = json.dumps(page_figures.goal_names(groups, order)).replace("<", "\\u003c")
    success += f'<script type="application/json" id="goal-names">{names}</script>'
    return [
        ("figure-2", "2. Success probability of each goal", success + note),
        ("figure-3", "3. Sampling probability of each goal", sampling + note + brightest),
        ("figure-4", "4. Final success in the tech tree", tree),
    ]


def _forgetting(groups: Sequence[Group], summaries: Sequence[Summary]) -> tuple[str, str, str]:
    colors = page_figures.assign_colors(groups)
    content = (
        page_figures.legend(groups, colors)
        + page_figures.drop_figure(groups, colors)
        + "<p>How far the number of discovered goals lies below its maximum so far (paper P29), by "
        "the success averages: mean over seeds and 95 % interval.</p>"
        + tables.drop_table(summaries)
        + "<p>The largest drop of each seed: mean over seeds, small: 95 % interval.</p>"
    )
    return "forgetting", "Forgetting", content


def _soundness(groups: Sequence[Group]) -> list[tuple[str, str, str]]:
    """The health of training, and where the runs came from."""
    colors = page_figures.assign_colors(groups)
    health = (
        page_figures.legend(groups, colors)
        + page_figures.health_figures(groups, colors)
        + "<p>Means over a hundredth of the run and over seeds. Spikes beyond 99 % of the values "
        "are cut.</p>"
    )
    return [
        ("health", "Health of training", health),
        ("runs", "Runs", runs_section(groups)),
    ]
