"""Sentences of the pages that hold numbers of the tables, with the numbers as they are now."""

from __future__ import annotations

from collections.abc import Iterator

from experiments.evidence.tables import final, groups_of
from lapis.report import statistics
from lapis.report.series import Measure

__all__ = ["sentences"]


def sentences() -> Iterator[tuple[str, str]]:
    """Pages, and what must stand in them word by word (line ends are spaces)."""
    five, long, demo = "techtree_h200", "techtree_h200_long", "demo"
    best, later = _middle(five, "bidirectional"), _middle(long, "bidirectional")
    best_average = _middle(five, "bidirectional", "average")
    later_average = _middle(long, "bidirectional", "average")
    yield (
        "docs/results.md",
        f"The bidirectional curriculum gets furthest: {best:.0f} of the 107 goals after 20 million "
        f"policy steps and {later:.0f} after 41 million",
    )
    gap = statistics.interquartile_mean(final(five)["bidirectional"].gap)
    yield "docs/results.md", f"**Averages run ahead of evaluations**, by {gap:.0f} goals"
    ends = final(long)["bidirectional"]
    yield (
        "docs/results.md",
        f"Seeds 0 to 4 end with {_list(ends.discovered('average'))} goals by averages, and with "
        f"{_list(ends.discovered('evaluation'))} by evaluation.",
    )
    yield (
        "docs/README.md",
        f"the bidirectional curriculum has {best:.0f} of 107 goals by evaluation after 20 million "
        f"policy steps, and {best_average:.0f} by training averages; uniform sampling has "
        f"{_middle(five, 'uniform'):.0f} by both",
    )
    yield (
        "docs/techtree.md",
        f"an agent has {best:.0f} of the 107 goals after 20 million decisions, and {later:.0f} "
        "after 41 million",
    )
    yield "docs/techtree.md", f"training say {best_average:.0f} and {later_average:.0f}."
    yield (
        "README.md",
        f"after 41 million steps the bidirectional curriculum has {later:.1f} goals by evaluation "
        f"and {later_average:.1f} by training averages",
    )
    yield (
        "README.md",
        f"`make demo` reaches {_middle(demo, 'bidirectional'):.1f} by evaluation and "
        f"{_middle(demo, 'bidirectional', 'average'):.1f} by training averages",
    )
    rivals = "techtree_variants"
    yield (
        "README.md",
        f"no inheritance, {_middle(rivals, 'no_inheritance'):.1f} against "
        f"{_middle(rivals, 'bidirectional'):.1f}",
    )
    stuck = [run for group in groups_of(rivals) for run in group.runs if run.discovered[-1] == 41]
    count = sum(len(group.runs) for group in groups_of(rivals))
    assert len(stuck) == 9, len(stuck)
    yield "docs/results.md", f"**Nine of the {count} runs get stuck at 41 goals**"


def _middle(folder: str, name: str, measure: Measure = "evaluation") -> float:
    return float(statistics.interquartile_mean(final(folder)[name].discovered(measure)))


def _list(values: object) -> str:
    *most, last = (str(int(each)) for each in values)  # type: ignore[attr-defined]
    return f"{', '.join(most)} and {last}"
