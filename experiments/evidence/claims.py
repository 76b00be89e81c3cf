"""Sentences of the pages that hold numbers of the tables, with the numbers as they are now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from experiments.evidence.tables import final, groups_of
from lapis.report import statistics
from lapis.report.series import Measure
from lapis.treatments import TREATMENTS

__all__ = ["sentences"]

PAPER = [name for name, each in TREATMENTS.items() if each.family == "paper"]


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
        f"After 41 million steps the bidirectional curriculum has {later:.1f} goals by evaluation "
        f"and {later_average:.1f} by training averages",
    )
    middles = [f"{_middle(five, name):.1f}" for name in PAPER]
    yield (
        "README.md",
        f"the order is the same: {_joined(middles)} goals by evaluation",
    )
    gained = _middle(demo, "bidirectional") - _middle(demo, "uniform_dynamic")
    yield "docs/results.md", f"On top of the dynamic bonus, the curriculum adds {gained:.0f} goals"
    low, *_, high = sorted(final(demo)["uniform_dynamic"].discovered("evaluation"))
    yield "docs/results.md", f"end anywhere between {low:.0f} and {high:.0f}"
    for name, count in {
        "unidirectional": 2,
        "bidirectional": 0,
        "no_floor": 3,
        "unidirectional_no_floor": 6,
        "uniform_dynamic": 1,
    }.items():
        stuck_at_stone = int((final(demo)[name].discovered("evaluation") <= 41).sum())
        assert stuck_at_stone == count, (name, stuck_at_stone)
    yield "README.md", "two unidirectional runs of ten stay at 41 goals, and no bidirectional one"
    yield (
        "README.md",
        "six of ten unidirectional and three of five bidirectional runs end at 41 goals or fewer",
    )
    yield "docs/floor.md", "Uniform sampling with the same bonus gets past 41 goals in nine of ten"
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


def _list(values: Iterable[float]) -> str:
    return _joined([str(int(each)) for each in values])


def _joined(texts: list[str]) -> str:
    *most, last = texts
    return f"{', '.join(most)} and {last}"
