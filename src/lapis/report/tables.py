"""The tables of the HTML report."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from html import escape

import numpy as np

from lapis.report import statistics
from lapis.report.line_chart import short_number
from lapis.report.series import Group
from lapis.report.summary import (
    BOOTSTRAP_SEED,
    LEVELS,
    Measure,
    Summary,
    common_measure,
    group_counts,
    mean_and_interval,
)

__all__ = [
    "by_result",
    "drop_table",
    "frames_cell",
    "frames_table",
    "group_table",
    "improvement_table",
    "interval_cell",
    "order_table",
    "results_table",
    "variants_table",
]

_MEASURES: tuple[Measure, ...] = ("evaluation", "average")
_FIVE, _FIFTY = "above 5\u00a0%", "above 50\u00a0%"


def results_table(summaries: Sequence[Summary], *, with_paper: bool) -> str:
    """Each group against the paper, by evaluation first where any group has one."""
    measures = _measures(summaries)
    heads = ["treatment", "seeds", *(["paper"] if with_paper else [])]
    heads += [f"{_FIVE}, by {measure}" for measure in measures]
    heads += ["gap"] if "evaluation" in measures else []
    heads += [f"{_FIFTY}, by {measure}" for measure in measures]
    heads += [f"area, by {measure}" for measure in measures]
    rows = []
    for summary in summaries:
        rows.append(
            [
                _name(summary.group),
                str(len(summary.group.runs)),
                *([_paper(summary.group)] if with_paper else []),
                *(_value(summary, measure, "discovered") for measure in measures),
                *([_gap(summary)] if "evaluation" in measures else []),
                *(_value(summary, measure, "mastered") for measure in measures),
                *(_value(summary, measure, "area") for measure in measures),
            ]
        )
    return _table(heads, rows)


def frames_table(summaries: Sequence[Summary]) -> str:
    """Frames until each number of goals was discovered, by both measures."""
    measures = _measures(summaries)
    heads = ["treatment", *(f"{level}, by {each}" for level in LEVELS for each in measures)]
    rows = [
        [
            _name(summary.group),
            *(
                frames_cell(summary.by(measure).frames_to[level]) if _has(summary, measure) else "-"
                for level in LEVELS
                for measure in measures
            ),
        ]
        for summary in summaries
    ]
    return _table(heads, rows)


def improvement_table(summaries: Sequence[Summary]) -> str:
    """Chance that a run of the row's group discovers more than one of the column's."""
    measure = common_measure(summaries)
    heads = ["more discovered goals than ...", *(each.group.label for each in summaries)]
    rows = []
    for row in summaries:
        cells = [_name(row.group)]
        for column in summaries:
            own, other = row.by(measure).discovered, column.by(measure).discovered
            p_value = statistics.rank_sum_p_value(own, other)
            cells.append("" if row is column else _improvement(own, other, p_value))
        rows.append(cells)
    return _table(heads, rows)


def order_table(summaries: Sequence[Summary]) -> str:
    """Each step of the paper's order (paper P23): whether a treatment finds more than the last."""
    measure = common_measure(summaries)
    heads = ["step", "discovered", "difference", "95\u00a0% intervals", "p"]
    rows = []
    for before, after in itertools.pairwise(summaries):
        lower, upper = before.by(measure).discovered, after.by(measure).discovered
        (low_mean, _, low_end), (high_mean, high_start, _) = map(mean_and_interval, (lower, upper))
        if math.isnan(low_end) or math.isnan(high_start):
            verdict = "-"
        else:
            verdict = "apart" if low_end < high_start else "overlap"
        rows.append(
            [
                f"{_name(before.group)} &lt; {_name(after.group)}",
                f"{low_mean:.1f} to {high_mean:.1f}",
                _difference(upper, lower),
                verdict,
                f"{statistics.rank_sum_p_value(lower, upper):.2g}",
            ]
        )
    return _table(heads, rows)


def by_result(summaries: Sequence[Summary]) -> list[Summary]:
    """The most discovered goals first, by the measure that all of them have."""
    measure = common_measure(summaries)
    return sorted(summaries, key=lambda each: -float(each.by(measure).discovered.mean()))


def variants_table(variants: Sequence[Summary], reference: Summary) -> str:
    """Rivals and ablations against the reference, the most discovered goals first."""
    measure = common_measure([*variants, reference])
    base = reference.by(measure).discovered
    p_values = [statistics.rank_sum_p_value(v.by(measure).discovered, base) for v in variants]
    corrected = dict(
        zip(map(id, variants), statistics.holm_p_values(np.array(p_values)), strict=True)
    )
    heads = ["variant", "seeds", _FIVE, "difference", "probability of improvement", _FIFTY, "area"]
    heads += ["largest drop", "gap"]
    rows = []
    for summary in by_result([*variants, reference]):
        values = summary.by(measure)
        is_reference = summary is reference
        name = _name(summary.group)
        rows.append(
            [
                f"{name} <small>(the reference)</small>" if is_reference else name,
                str(len(summary.group.runs)),
                interval_cell(values.discovered),
                "" if is_reference else _difference(values.discovered, base),
                ""
                if is_reference
                else _improvement(values.discovered, base, corrected[id(summary)]),
                interval_cell(values.mastered),
                interval_cell(values.area),
                interval_cell(values.drop),
                _gap(summary),
            ]
        )
    return _table(heads, rows)


def drop_table(summaries: Sequence[Summary]) -> str:
    """How many goals each group lost at worst (paper P29), by both measures."""
    measures = _measures(summaries)
    heads = ["treatment"]
    heads += [f"{name}, by {each}" for each in measures for name in ("largest drop", "worst seed")]
    rows = []
    for summary in summaries:
        cells = [_name(summary.group)]
        for measure in measures:
            has = _has(summary, measure)
            cells.append(_value(summary, measure, "drop"))
            cells.append(f"{summary.by(measure).drop.max():.0f}" if has else "-")
        rows.append(cells)
    return _table(heads, rows)


def group_table(summaries: Sequence[Summary], frames: int) -> str:
    """Discovered goals per resource group, mean over seeds, by the measure that all have."""
    measure = common_measure(summaries)
    counts = [group_counts(summary.group, frames, measure) for summary in summaries]
    heads = ["treatment", *(f"{name} ({size})" for name, (_, size) in counts[0].items())]
    rows = [
        [_name(summary.group), *(f"{mean:.1f}".removesuffix(".0") for mean, _ in count.values())]
        for summary, count in zip(summaries, counts, strict=True)
    ]
    return _table(heads, rows)


def interval_cell(values: np.ndarray) -> str:
    """Mean and, with several seeds, its 95 % interval."""
    mean, low, high = mean_and_interval(values)
    digits = 0 if len(values) == 1 and float(mean).is_integer() else 1
    text = f"{mean:.{digits}f}"
    if math.isnan(low):
        return text
    return f"{text} <small>{low:.1f} to {high:.1f}</small>"


def frames_cell(frames: np.ndarray) -> str:
    """The median over all seeds, and how many seeds got there where not all did."""
    reached = int(np.isfinite(frames).sum())
    if reached == 0:
        return "never"
    # Of an even number the upper one: no mean of a number and infinity.
    median = float(np.sort(frames)[len(frames) // 2])
    text = short_number(median) if math.isfinite(median) else "never"
    return text if reached == len(frames) else f"{text} <small>{reached} of {len(frames)}</small>"


def _measures(summaries: Sequence[Summary]) -> list[Measure]:
    return [each for each in _MEASURES if any(_has(summary, each) for summary in summaries)]


def _has(summary: Summary, measure: Measure) -> bool:
    return measure == "average" or summary.evaluation is not None


def _value(summary: Summary, measure: Measure, name: str) -> str:
    return interval_cell(getattr(summary.by(measure), name)) if _has(summary, measure) else "-"


def _gap(summary: Summary) -> str:
    return interval_cell(summary.gap) if summary.gap.size else "-"


def _difference(values: np.ndarray, base: np.ndarray) -> str:
    text = f"{float(values.mean() - base.mean()):+.1f}"
    generator = np.random.default_rng(BOOTSTRAP_SEED)
    low, high = statistics.difference_interval(values, base, generator)
    return text if math.isnan(low) else f"{text} <small>{low:+.1f} to {high:+.1f}</small>"


def _improvement(better: np.ndarray, worse: np.ndarray, p_value: float) -> str:
    text = f"{statistics.probability_of_improvement(better, worse):.2f}"
    generator = np.random.default_rng(BOOTSTRAP_SEED)
    low, high = statistics.improvement_interval(better, worse, generator)
    if math.isnan(low):
        return text
    return f"{text} <small>{low:.2f} to {high:.2f}</small><small>p {p_value:.2g}</small>"


def _paper(group: Group) -> str:
    return "-" if group.treatment is None else str(group.treatment.paper_discovered)


def _name(group: Group) -> str:
    return escape(group.label)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Cells hold HTML, heads hold text; the first cell of a row names it."""
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    body = "".join(
        f'<tr><th scope="row">{row[0]}</th>{"".join(f"<td>{cell}</td>" for cell in row[1:])}</tr>'
        for row in rows
    )
    return (
        f'<div class="scroll"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'
        "</div>"
    )
