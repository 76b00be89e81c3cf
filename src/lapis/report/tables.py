"""The tables of the HTML report."""

from __future__ import annotations

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
    Summary,
    group_counts,
    mean_and_interval,
)

__all__ = [
    "drop_table",
    "frames_cell",
    "group_table",
    "improvement_table",
    "interval_cell",
    "results_table",
]


def results_table(summaries: Sequence[Summary], *, with_paper: bool) -> str:
    """Each group against the paper."""
    heads = ["treatment", "seeds", "paper", "above 5\u00a0%", "by evaluation", "above 50\u00a0%"]
    heads += ["area", *(f"frames to {level}" for level in LEVELS)]
    rows = [
        [
            _name(summary.group),
            str(len(summary.group.runs)),
            _paper(summary.group) if with_paper else "-",
            interval_cell(summary.discovered),
            interval_cell(summary.evaluated) if summary.evaluated.size else "-",
            interval_cell(summary.mastered),
            interval_cell(summary.area),
            *(frames_cell(summary.frames_to[level]) for level in LEVELS),
        ]
        for summary in summaries
    ]
    return _table(heads, rows)


def improvement_table(summaries: Sequence[Summary]) -> str:
    """Chance that a run of the row's group discovers more than one of the column's."""
    heads = ["more discovered goals than ...", *(each.group.label for each in summaries)]
    rows = []
    for row in summaries:
        cells = [_name(row.group)]
        for column in summaries:
            cells.append("" if row is column else _improvement(row.discovered, column.discovered))
        rows.append(cells)
    return _table(heads, rows)


def drop_table(summaries: Sequence[Summary]) -> str:
    """How many goals each group lost at worst (paper P29)."""
    heads = ["treatment", "largest drop", "worst seed", "by evaluation"]
    rows = [
        [
            _name(summary.group),
            interval_cell(summary.drop),
            f"{summary.drop.max():.0f}",
            interval_cell(summary.evaluated_drop) if summary.evaluated_drop.size else "-",
        ]
        for summary in summaries
    ]
    return _table(heads, rows)


def group_table(groups: Sequence[Group], frames: int) -> str:
    """Discovered goals per resource group, mean over seeds."""
    counts = [group_counts(group, frames) for group in groups]
    heads = ["treatment", *(f"{name} ({size})" for name, (_, size) in counts[0].items())]
    rows = [
        [_name(group), *(f"{mean:.1f}".removesuffix(".0") for mean, _ in count.values())]
        for group, count in zip(groups, counts, strict=True)
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
    text = short_number(median) if math.isfinite(median) else "-"
    return text if reached == len(frames) else f"{text} <small>{reached} of {len(frames)}</small>"


def _improvement(better: np.ndarray, worse: np.ndarray) -> str:
    text = f"{statistics.probability_of_improvement(better, worse):.2f}"
    generator = np.random.default_rng(BOOTSTRAP_SEED)
    low, high = statistics.improvement_interval(better, worse, generator)
    if math.isnan(low):
        return text
    p_value = statistics.rank_sum_p_value(better, worse)
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
