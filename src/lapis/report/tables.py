"""The tables of the report, as plain cells; the page's template makes HTML of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from lapis.report import statistics
from lapis.report.numbers import short_number
from lapis.report.series import Measure
from lapis.report.summary import (
    LEVELS,
    Measured,
    Summary,
    by_result,
    common_measure,
    group_counts,
    middle_and_interval,
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


Columns = dict[str, Callable[[Summary], Cell]]
"""What a table says of a group, by the heads of its columns."""

_UNKNOWN = Cell("-")


def results_table(summaries: Sequence[Summary], *, with_paper: bool) -> Table:
    """Each group against the paper, by evaluation first where any group has one."""
    measures = _measures(summaries)
    columns: Columns = {"seeds": _seeds}
    if with_paper:
        columns["paper"] = _paper
    for title, name in ((_FIVE, "discovered"), (_FIFTY, "mastered"), ("area", "area")):
        columns |= {f"{title}, by {each}": _interval_of(name, each) for each in measures}
        if name == "discovered" and "evaluation" in measures:
            columns["gap"] = _gap
    return _by_group("treatment", columns, summaries)


def frames_table(summaries: Sequence[Summary]) -> Table:
    """Frames until each number of goals was discovered, by both measures."""

    def column(level: int, measure: Measure) -> Callable[[Summary], Cell]:
        return partial(_cell, measure, lambda found: frames_cell(found.frames_to[level]))

    measures = _measures(summaries)
    columns = {f"{n}, by {each}": column(n, each) for n in LEVELS for each in measures}
    return _by_group("treatment", columns, summaries)


def improvement_table(summaries: Sequence[Summary]) -> Table:
    """Chance that a run of the row's group discovers more than one of the column's."""
    measure = common_measure(summaries)
    rows = []
    for row in summaries:
        cells = [Cell(row.group.label)]
        for column in summaries:
            own, other = row.discovered(measure), column.discovered(measure)
            p_value = statistics.rank_sum_p_value(own, other)
            cells.append(Cell("") if row is column else _improvement(own, other, p_value))
        rows.append(cells)
    return Table(["more discovered goals than ...", *(s.group.label for s in summaries)], rows)


def order_table(summaries: Sequence[Summary]) -> Table:
    """Each step of the paper's order (paper P23): whether a treatment finds more than the last."""
    measure = common_measure(summaries)
    rows = []
    for before, after in itertools.pairwise(summaries):
        lower, upper = before.discovered(measure), after.discovered(measure)
        low_middle, _, low_end = middle_and_interval(lower)
        high_middle, high_start, _ = middle_and_interval(upper)
        verdict = "apart" if low_end < high_start else "overlap"
        rows.append(
            [
                Cell(f"{before.group.label} < {after.group.label}"),
                Cell(f"{low_middle:.1f} to {high_middle:.1f}"),
                _difference(upper, lower),
                _UNKNOWN if math.isnan(low_end + high_start) else Cell(verdict),
                Cell(f"{statistics.rank_sum_p_value(lower, upper):.2g}"),
            ]
        )
    return Table(["step", "discovered", "difference", "95\u00a0% intervals", "p"], rows)


def variants_table(variants: Sequence[Summary], reference: Summary) -> Table:
    """Rivals and ablations against the reference, the most discovered goals first."""
    measure = common_measure([*variants, reference])
    base = reference.discovered(measure)
    p_values = [statistics.rank_sum_p_value(each.discovered(measure), base) for each in variants]
    corrected = dict(zip(map(id, variants), statistics.holm_p_values(p_values), strict=True))

    def difference(summary: Summary) -> Cell:
        if summary is reference:
            return Cell("", ("the reference",))
        return _difference(summary.discovered(measure), base)

    def improvement(summary: Summary) -> Cell:
        if summary is reference:
            return Cell("")
        return _improvement(summary.discovered(measure), base, corrected[id(summary)])

    columns: Columns = {
        "seeds": _seeds,
        _FIVE: _interval_of("discovered", measure),
        "difference": difference,
        "probability of improvement": improvement,
        _FIFTY: _interval_of("mastered", measure),
        "area": _interval_of("area", measure),
        "largest drop": _interval_of("drop", measure),
        "gap": _gap,
    }
    return _by_group("variant", columns, by_result([*variants, reference]))


def drop_table(summaries: Sequence[Summary]) -> Table:
    """How many goals each group lost at worst (paper P29), by both measures."""
    columns: Columns = {}
    for measure in _measures(summaries):
        columns[f"largest drop, by {measure}"] = _interval_of("drop", measure)
        columns[f"worst seed, by {measure}"] = partial(
            _cell, measure, lambda found: Cell(f"{found.drop.max():.0f}")
        )
    return _by_group("treatment", columns, summaries)


def group_table(summaries: Sequence[Summary], frames: int) -> Table:
    """Discovered goals per resource group, mean over seeds, by the measure that all have."""
    measure = common_measure(summaries)
    counts = [group_counts(summary.group, frames, measure) for summary in summaries]
    heads = [f"{name} ({size})" for name, (_, size) in counts[0].items()]
    rows = [
        [Cell(s.group.label), *(Cell(f"{mean:.1f}".removesuffix(".0")) for mean, _ in c.values())]
        for s, c in zip(summaries, counts, strict=True)
    ]
    return Table(["treatment", *heads], rows)


def interval_cell(values: np.ndarray) -> Cell:
    """Interquartile mean and, with several seeds, its 95 % interval."""
    middle, low, high = middle_and_interval(values)
    digits = 0 if len(values) == 1 and float(middle).is_integer() else 1
    return Cell(f"{middle:.{digits}f}", () if math.isnan(low) else (f"{low:.1f} to {high:.1f}",))


def frames_cell(frames: np.ndarray) -> Cell:
    """The median over all seeds, and how many seeds got there where not all did."""
    reached = int(np.isfinite(frames).sum())
    # Of an even number the upper one: no mean of a number and infinity.
    median = float(np.sort(frames)[len(frames) // 2])
    text = short_number(median) if math.isfinite(median) else "never"
    return Cell(text, () if reached in (0, len(frames)) else (f"{reached} of {len(frames)}",))


def _by_group(name: str, columns: Columns, summaries: Sequence[Summary]) -> Table:
    rows = [[Cell(s.group.label), *(column(s) for column in columns.values())] for s in summaries]
    return Table([name, *columns], rows)


def _measures(summaries: Sequence[Summary]) -> list[Measure]:
    measures: tuple[Measure, ...] = ("evaluation", "average")
    return [each for each in measures if any(each in summary.measured for summary in summaries)]


def _cell(measure: Measure, say: Callable[[Measured], Cell], summary: Summary) -> Cell:
    """What `say` makes of the numbers by this measure, which a group may lack."""
    return say(summary.measured[measure]) if measure in summary.measured else _UNKNOWN


def _interval_of(name: str, measure: Measure) -> Callable[[Summary], Cell]:
    return partial(_cell, measure, lambda found: interval_cell(getattr(found, name)))


def _seeds(summary: Summary) -> Cell:
    return Cell(str(len(summary.group.runs)))


def _paper(summary: Summary) -> Cell:
    treatment = summary.group.treatment
    return _UNKNOWN if treatment is None else Cell(str(treatment.paper_discovered))


def _gap(summary: Summary) -> Cell:
    return interval_cell(summary.gap) if summary.gap.size else _UNKNOWN


def _difference(values: np.ndarray, base: np.ndarray) -> Cell:
    low, high = statistics.bootstrap_interval(
        values, base, statistic=statistics.interquartile_difference
    )
    small = () if np.isnan(low) else (f"{low:+.1f} to {high:+.1f}",)
    return Cell(f"{statistics.interquartile_difference(values, base):+.1f}", small)


def _improvement(better: np.ndarray, worse: np.ndarray, p_value: float) -> Cell:
    low, high = statistics.bootstrap_interval(better, worse, statistic=statistics.improvement)
    small = () if np.isnan(low) else (f"{low:.2f} to {high:.2f}", f"p {p_value:.2g}")
    return Cell(f"{statistics.improvement(better, worse):.2f}", small)
