"""The tables of the report, as plain cells; the page's template makes HTML of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lapis.report import statistics
from lapis.report.numbers import short_number
from lapis.report.summary import (
    LEVELS,
    Measure,
    Summary,
    by_result,
    common_measure,
    group_counts,
    mean_and_interval,
)

__all__ = [
    "Cell",
    "Table",
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

_FIVE, _FIFTY = "above 5\u00a0%", "above 50\u00a0%"


@dataclass(frozen=True)
class Cell:
    """A text and what stands below it in small print."""

    text: str
    small: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """Heads of the columns, and rows whose first cell names them."""

    heads: list[str]
    rows: list[list[Cell]]


_NOTHING, _UNKNOWN = Cell(""), Cell("-")


def results_table(summaries: Sequence[Summary], *, with_paper: bool) -> Table:
    """Each group against the paper, by evaluation first where any group has one."""
    measures = _measures(summaries)
    has_evaluation = "evaluation" in measures
    heads = ["treatment", "seeds", *(["paper"] if with_paper else [])]
    heads += [f"{_FIVE}, by {measure}" for measure in measures]
    heads += ["gap"] if has_evaluation else []
    heads += [f"{_FIFTY}, by {measure}" for measure in measures]
    heads += [f"area, by {measure}" for measure in measures]
    rows = []
    for summary in summaries:
        treatment = summary.group.treatment
        paper = "-" if treatment is None else str(treatment.paper_discovered)
        rows.append(
            [
                Cell(summary.group.label),
                Cell(str(len(summary.group.runs))),
                *([Cell(paper)] if with_paper else []),
                *(_value(summary, measure, "discovered") for measure in measures),
                *([_gap(summary)] if has_evaluation else []),
                *(_value(summary, measure, "mastered") for measure in measures),
                *(_value(summary, measure, "area") for measure in measures),
            ]
        )
    return Table(heads, rows)


def frames_table(summaries: Sequence[Summary]) -> Table:
    """Frames until each number of goals was discovered, by both measures."""
    columns = [(level, measure) for level in LEVELS for measure in _measures(summaries)]
    rows = [
        [
            Cell(summary.group.label),
            *(
                frames_cell(summary.by(measure).frames_to[level])
                if _has(summary, measure)
                else _UNKNOWN
                for level, measure in columns
            ),
        ]
        for summary in summaries
    ]
    return Table(["treatment", *(f"{level}, by {each}" for level, each in columns)], rows)


def improvement_table(summaries: Sequence[Summary]) -> Table:
    """Chance that a run of the row's group discovers more than one of the column's."""
    measure = common_measure(summaries)
    rows = []
    for row in summaries:
        cells = [Cell(row.group.label)]
        for column in summaries:
            own, other = row.by(measure).discovered, column.by(measure).discovered
            p_value = statistics.rank_sum_p_value(own, other)
            cells.append(_NOTHING if row is column else _improvement(own, other, p_value))
        rows.append(cells)
    return Table(["more discovered goals than ...", *(s.group.label for s in summaries)], rows)


def order_table(summaries: Sequence[Summary]) -> Table:
    """Each step of the paper's order (paper P23): whether a treatment finds more than the last."""
    measure = common_measure(summaries)
    rows = []
    for before, after in itertools.pairwise(summaries):
        lower, upper = before.by(measure).discovered, after.by(measure).discovered
        (low_mean, _, low_end), (high_mean, high_start, _) = map(mean_and_interval, (lower, upper))
        verdict = "apart" if low_end < high_start else "overlap"
        rows.append(
            [
                Cell(f"{before.group.label} < {after.group.label}"),
                Cell(f"{low_mean:.1f} to {high_mean:.1f}"),
                _difference(upper, lower),
                _UNKNOWN if math.isnan(low_end + high_start) else Cell(verdict),
                Cell(f"{statistics.rank_sum_p_value(lower, upper):.2g}"),
            ]
        )
    return Table(["step", "discovered", "difference", "95\u00a0% intervals", "p"], rows)


def variants_table(variants: Sequence[Summary], reference: Summary) -> Table:
    """Rivals and ablations against the reference, the most discovered goals first."""
    measure = common_measure([*variants, reference])
    base = reference.by(measure).discovered
    p_values = [statistics.rank_sum_p_value(v.by(measure).discovered, base) for v in variants]
    corrected = dict(
        zip(map(id, variants), statistics.holm_p_values(np.array(p_values)), strict=True)
    )
    heads = ["variant", "seeds", _FIVE, "difference", "probability of improvement", _FIFTY, "area"]
    rows = []
    for summary in by_result([*variants, reference]):
        values = summary.by(measure)
        if summary is reference:
            name = Cell(summary.group.label, ("(the reference)",))
            compared = [_NOTHING, _NOTHING]
        else:
            name = Cell(summary.group.label)
            p_value = corrected[id(summary)]
            compared = [
                _difference(values.discovered, base),
                _improvement(values.discovered, base, p_value),
            ]
        rows.append(
            [
                name,
                Cell(str(len(summary.group.runs))),
                interval_cell(values.discovered),
                *compared,
                *(interval_cell(each) for each in (values.mastered, values.area, values.drop)),
                _gap(summary),
            ]
        )
    return Table([*heads, "largest drop", "gap"], rows)


def drop_table(summaries: Sequence[Summary]) -> Table:
    """How many goals each group lost at worst (paper P29), by both measures."""
    measures = _measures(summaries)
    heads = [f"{name}, by {each}" for each in measures for name in ("largest drop", "worst seed")]
    rows = []
    for summary in summaries:
        cells = [Cell(summary.group.label)]
        for measure in measures:
            worst = f"{summary.by(measure).drop.max():.0f}" if _has(summary, measure) else "-"
            cells += [_value(summary, measure, "drop"), Cell(worst)]
        rows.append(cells)
    return Table(["treatment", *heads], rows)


def group_table(summaries: Sequence[Summary], frames: int) -> Table:
    """Discovered goals per resource group, mean over seeds, by the measure that all have."""
    measure = common_measure(summaries)
    counts = [group_counts(summary.group, frames, measure) for summary in summaries]
    heads = ["treatment", *(f"{name} ({size})" for name, (_, size) in counts[0].items())]
    rows = [
        [
            Cell(summary.group.label),
            *(Cell(f"{mean:.1f}".removesuffix(".0")) for mean, _ in count.values()),
        ]
        for summary, count in zip(summaries, counts, strict=True)
    ]
    return Table(heads, rows)


def interval_cell(values: np.ndarray) -> Cell:
    """Mean and, with several seeds, its 95 % interval."""
    mean, low, high = mean_and_interval(values)
    digits = 0 if len(values) == 1 and float(mean).is_integer() else 1
    return Cell(f"{mean:.{digits}f}", () if math.isnan(low) else (f"{low:.1f} to {high:.1f}",))


def frames_cell(frames: np.ndarray) -> Cell:
    """The median over all seeds, and how many seeds got there where not all did."""
    reached = int(np.isfinite(frames).sum())
    # Of an even number the upper one: no mean of a number and infinity.
    median = float(np.sort(frames)[len(frames) // 2])
    text = short_number(median) if math.isfinite(median) else "never"
    return Cell(text, () if reached in (0, len(frames)) else (f"{reached} of {len(frames)}",))


def _measures(summaries: Sequence[Summary]) -> list[Measure]:
    measures: tuple[Measure, ...] = ("evaluation", "average")
    return [each for each in measures if any(_has(summary, each) for summary in summaries)]


def _has(summary: Summary, measure: Measure) -> bool:
    return measure == "average" or summary.evaluation is not None


def _value(summary: Summary, measure: Measure, name: str) -> Cell:
    return interval_cell(getattr(summary.by(measure), name)) if _has(summary, measure) else _UNKNOWN


def _gap(summary: Summary) -> Cell:
    return interval_cell(summary.gap) if summary.gap.size else _UNKNOWN


def _difference(values: np.ndarray, base: np.ndarray) -> Cell:
    low, high = statistics.difference_interval(values, base)
    small = () if math.isnan(low) else (f"{low:+.1f} to {high:+.1f}",)
    return Cell(f"{float(values.mean() - base.mean()):+.1f}", small)


def _improvement(better: np.ndarray, worse: np.ndarray, p_value: float) -> Cell:
    low, high = statistics.improvement_interval(better, worse)
    small = () if math.isnan(low) else (f"{low:.2f} to {high:.2f}", f"p {p_value:.2g}")
    return Cell(f"{statistics.probability_of_improvement(better, worse):.2f}", small)
