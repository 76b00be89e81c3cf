"""The tables of the pages as Markdown. A marker in a page names a function and its arguments."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import get_args

import numpy as np

from benchmarks import floor
from experiments.evidence import RESULTS, simulation
from lapis.curriculum import LearningProgress
from lapis.curriculum.progress import Averaging
from lapis.curriculum.simulation import largest_cycle, largest_drop
from lapis.report import statistics
from lapis.report.command import load_groups
from lapis.report.grouping import reference_group
from lapis.report.series import Group
from lapis.report.summary import Summary, common_frames, summarize
from lapis.runs.compact import RunTable
from lapis.simulate import CYCLE, mean_and_interval

__all__ = ["TABLES", "final", "groups_of", "interval", "simulated"]


Pair = tuple[np.ndarray, np.ndarray]
"""Values of two treatments, one per seed."""


@functools.cache
def groups_of(folder: str) -> tuple[Group, ...]:
    """The runs of a folder of compact tables, the paper's treatments first."""
    return load_groups([RESULTS / folder])


@functools.cache
def simulated(seeds: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Known goals and idle shares of the study of the floor, by row."""
    return floor.read_table(floor.FOLDER / f"seeds-{seeds}.npz")


def treatments(folder: str, *names: str) -> str:
    """Treatments of a folder at the end: those of these names, or all."""
    heads = ["treatment", "seeds", "paper", "by evaluation", "above 50 %, by evaluation"]
    rows = []
    found = final(folder)
    for each in [found[name] for name in names] or found.values():
        known = each.group.treatment
        rows.append(
            [
                each.group.label,
                str(len(each.group.runs)),
                "" if known is None else str(known.paper_discovered),
                interval(each.discovered("evaluation")),
                interval(each.measured["evaluation"].mastered),
                interval(each.discovered("average")),
            ]
        )
    return _markdown([*heads, "by averages"], rows)


def other_worlds(folder: str) -> str:
    """Treatments of a folder at the end, in worlds that the paper did not play in."""
    rows = []
    for each in final(folder).values():
        evaluated = each.discovered("evaluation")
        rows.append(
            [
                each.group.label,
                ", ".join(f"{count:.0f}" for count in evaluated),
                interval(evaluated),
                interval(each.measured["evaluation"].mastered),
                interval(_mean_success(each.group)),
                interval(each.discovered("average")),
            ]
        )
    heads = ["treatment", "by evaluation, seed by seed", "by evaluation"]
    heads += ["above 50 %, by evaluation", "mean success by evaluation [%]", "by averages"]
    return _markdown(heads, rows)


def last_successes(folder: str, *goals: str) -> str:
    """Success of these goals in the last evaluation: mean, lowest and highest of the runs."""
    rows = []
    for group in groups_of(folder):
        shares = [
            _last_success(run)[[run.goals.index(goal) for goal in goals]] for run in group.runs
        ]
        parts = zip(*(part(shares, axis=0) for part in (np.mean, np.min, np.max)), strict=True)
        cells = [f"{mean:.2f} ({low:.2f} to {high:.2f})" for mean, low, high in parts]
        rows.append([group.label, *cells])
    return _markdown(["treatment", *(f"`{goal}`" for goal in goals)], rows)


def overview(folder: str) -> str:
    """The paper's treatments side by side, as the first page has them."""
    found = [each for each in final(folder).values() if each.group.treatment is not None]
    labels = [each.group.label.replace("uniform +", "+") for each in found]
    rows = []
    for title, measure in (
        ("**by evaluation**: 20 attempts per goal, from empty hands", "evaluation"),
        ("**by training averages**, as in the paper", "average"),
    ):
        values = [statistics.interquartile_mean(each.discovered(measure)) for each in found]
        rows.append([title, *(f"{value:.1f}" for value in values)])
    title = "the paper: training averages in Minecraft, one run each of 21 days on 32 GPUs"
    known = [each.group.treatment for each in found]
    rows.append([title, *(str(each.paper_discovered) for each in known if each is not None)])
    return _markdown(["", *labels], rows)


def single_runs(folder: str, goal: str) -> str:
    """One row per run of the curriculum: evaluations, averages at the end, and one goal."""
    group = reference_group(groups_of(folder))
    rows = []
    for run in sorted(group.runs, key=lambda run: run.seed or 0):
        assert run.evaluation is not None
        _, counts, mastered = run.curves("evaluation")
        place = run.goals.index(goal)
        wins, tries = (
            getattr(run.evaluation, name)[-1, place] for name in ("successes", "attempts")
        )
        rows.append(
            [
                str(run.seed),
                ", ".join(map(str, counts[1:-1])) + f", **{counts[-1]}**",
                str(run.discovered[-1]),
                str(mastered[-1]),
                f"{wins} of {tries}",
            ]
        )
    heads = ["seed", "by evaluation, one after another", "by averages"]
    return _markdown([*heads, "above 50 %, by evaluation", f"{goal}, by evaluation"], rows)


def steps(folder: str) -> str:
    """Each of the paper's treatments against the one before it, corrected for their number."""
    found = [each for each in final(folder).values() if each.group.treatment is not None]
    pairs = list(itertools.pairwise(found))
    return _comparison(
        [f"{after.group.label} against {before.group.label}" for before, after in pairs],
        [_evaluated(after, before) for before, after in pairs],
    )


def against(folder: str, *names: str) -> str:
    """Treatments against the bidirectional one of the folder, or the first of `names`."""
    found = final(folder)
    first, rest = (names[0], names[1:]) if names else (_reference(folder), ())
    others = [found[name] for name in rest] or [
        each for name, each in found.items() if name != first
    ]
    return _comparison(
        [each.group.label for each in others], [_evaluated(each, found[first]) for each in others]
    )


def success_against(folder: str, first: str, *names: str) -> str:
    """As `against`, by the mean success of all goals in the last evaluation, in points of 100."""
    found = {group.name: group for group in groups_of(folder)}
    base = _mean_success(found[first])
    return _comparison(
        [found[name].label for name in names],
        [(_mean_success(found[name]), base) for name in names],
    )


def variants(folder: str) -> str:
    """Rivals and ablations, the most discovered goals by evaluation first."""
    found = final(folder)
    base = found[_reference(folder)]
    others = [each for each in found.values() if each is not base]
    others.sort(key=lambda each: -float(each.discovered("evaluation").mean()))
    p_values = _corrected([_evaluated(each, base) for each in others])
    rows = []
    for each, p_value in zip([base, *others], [None, *p_values], strict=True):
        row = [
            f"**{each.group.label}**" if each is base else each.group.label,
            interval(each.discovered("evaluation")),
            interval(each.measured["evaluation"].mastered),
            interval(each.discovered("average")),
        ]
        chance = ["", ""]
        if p_value is not None:
            better = statistics.improvement(*_evaluated(each, base))
            chance = [f"{better:.2f}", f"{p_value:.2g}"]
        rows.append([*row, *chance])
    heads = ["variant", "by evaluation", "above 50 %, by evaluation", "by averages"]
    return _markdown([*heads, "probability of improvement", "p"], rows)


def drops(*cases: str) -> str:
    """Goals lost at worst since the maximum: `folder` or `folder:treatment` each."""
    rows = []
    for case in cases:
        folder, _, name = case.partition(":")
        for each in final(folder).values():
            if name in ("", each.group.name):
                million = common_frames(groups_of(folder)) / 1e6
                by = [each.measured[measure].drop for measure in ("evaluation", "average")]
                cells = [f"{interval(drop)}, at worst {drop.max():.0f}" for drop in by]
                rows.append([f"{each.group.label}, {million:.0f} million steps", *cells])
    return _markdown(["runs", "by evaluation", "by averages"], rows)


def cycles(folder: str, *names: str) -> str:
    """Whether treatments of a folder lose goals and find them again, by evaluation (paper P29)."""
    found = final(folder)
    rows = []
    for each in [found[name] for name in names] or found.values():
        counts = [run.curves("evaluation")[1] for run in each.group.runs]
        lost = [largest_drop(known) for known in counts]
        regained = [largest_cycle(known) for known in counts]
        rows.append(
            [
                each.group.label,
                interval(100.0 * np.array(lost)) + " %",
                f"{100 * max(lost):.0f} %",
                f"{sum(drop >= CYCLE for drop in lost)} of {len(lost)}",
                str(sum(drop >= CYCLE for drop in regained)),
            ]
        )
    heads = ["treatment", "largest drop", "worst seed", "lost a fifth", "and regained it"]
    return _markdown(heads, rows)


def early(last_update: str, *cases: str) -> str:
    """Goals by evaluation up to an update, seed by seed, for treatments `folder:treatment`."""
    rows = []
    for case in cases:
        folder, name = case.split(":")
        group = next(each for each in groups_of(folder) if each.name == name)
        courses = []
        for run in sorted(group.runs, key=lambda run: run.seed or 0):
            assert run.evaluation is not None
            counts = run.curves("evaluation")[1][1:]
            courses.append(counts[run.evaluation.updates <= int(last_update)])
        lost = sum(largest_drop(each) >= CYCLE for each in courses)
        listed = "; ".join(", ".join(map(str, each)) for each in courses)
        rows.append([group.label, listed, f"{lost} of {len(courses)}"])
    return _markdown(["treatment", "successive evaluations, seed by seed", "lost a fifth"], rows)


def course(folder: str, name: str, *millions: str) -> str:
    """One treatment of a folder after so many million steps."""
    group = next(each for each in groups_of(folder) if each.name == name)
    rows = []
    for million in millions:
        found = summarize(group, min(int(float(million) * 1e6), common_frames([group])))
        rows.append(
            [
                f"{million} M",
                interval(found.discovered("evaluation")),
                interval(found.measured["evaluation"].mastered),
                interval(found.discovered("average")),
            ]
        )
    heads = ["steps", "by evaluation", "above 50 %, by evaluation", "by averages"]
    return _markdown(heads, rows)


def simulated_teachers(*blocks: str) -> str:
    """What `lapis simulate` prints, for blocks of seeds."""
    rows = []
    for seeds in blocks:
        for teacher, histories in simulation.load(seeds).items():
            known = np.array([history.known for history in histories])
            mean, half = mean_and_interval(known[:, -1])
            drop = [largest_drop(each) for each in known]
            rows.append(
                [
                    seeds,
                    teacher,
                    f"{mean:.1f} ({mean - half:.1f} to {mean + half:.1f})",
                    f"{100 * max(drop):.0f} %",
                    str(sum(each >= CYCLE for each in drop)),
                    str(sum(largest_cycle(each) >= CYCLE for each in known)),
                ]
            )
    heads = ["seeds", "teacher", "known at the end", "largest drop", "lost a fifth"]
    return _markdown([*heads, "and regained it"], rows)


def floors(seeds: str) -> str:
    """All rows of the study in the simulated learner that were run with these seeds."""
    table = simulated(seeds)
    rows = []
    for name, (known, _) in table.items():
        drop = [largest_drop(each) for each in known]
        rows.append(
            [
                name,
                interval(known[:, -1]),
                interval(known.mean(axis=1)),
                f"{100 * max(drop):.0f} %",
            ]
        )
    return _markdown(["curriculum", "known at the end", "known on average", "largest drop"], rows)


def floors_against(seeds: str, base: str, *names: str) -> str:
    """Rows of the study against one of them; in their names `_` stands for a space."""
    table = simulated(seeds)
    labels, pairs = [], []
    for name in (each.replace("_", " ") for each in names):
        (own, _), (other, _) = table[name], table[base.replace("_", " ")]
        labels += [f"{name}: at the end", f"{name}: on average"]
        pairs += [(own[:, -1], other[:, -1]), (own.mean(axis=1), other.mean(axis=1))]
    return _comparison(labels, pairs)


def time_scales() -> str:
    """Updates until goals that always succeed have fast averages of 63 %, by attempts."""
    rows = []
    for rate in (0.1, 1.0, 10.0, 1000.0):
        cells = []
        for averaging in get_args(Averaging):
            rng, goal_count = np.random.default_rng(0), 200
            curriculum = LearningProgress(goal_count, averaging=averaging)
            update = 0
            while curriculum.fast_.mean() < 1.0 - math.exp(-1.0):
                attempts = rng.poisson(rate, goal_count)
                curriculum.update(attempts, attempts)
                update += 1
            cells.append(f"{update:,}")
        rows.append([f"{rate:g}", *cells])
    return _markdown(
        ["attempts per goal and update", *(f"`{name}`" for name in get_args(Averaging))], rows
    )


TABLES: dict[str, Callable[..., str]] = {
    each.__name__: each
    for each in (
        treatments,
        other_worlds,
        last_successes,
        overview,
        single_runs,
        steps,
        against,
        success_against,
        variants,
        drops,
        cycles,
        early,
        course,
        simulated_teachers,
        floors,
        floors_against,
        time_scales,
    )
}


def interval(values: np.ndarray) -> str:
    """Interquartile mean and its 95 % interval."""
    mean = statistics.interquartile_mean(values)
    low, high = statistics.bootstrap_interval(values, statistic=statistics.interquartile_mean)
    return f"{mean:.1f}" if np.isnan(low) else f"{mean:.1f} ({low:.1f} to {high:.1f})"


def final(folder: str) -> dict[str, Summary]:
    """Each treatment of a folder at the number of frames that all runs have, by its name."""
    frames = common_frames(groups_of(folder))
    return {group.name: summarize(group, frames) for group in groups_of(folder)}


def _mean_success(group: Group) -> np.ndarray:
    """Mean success of all goals in the last evaluation of each run [percent]."""
    return np.array([100.0 * _last_success(run).mean() for run in group.runs])


def _last_success(run: RunTable) -> np.ndarray:
    """Success of each goal in the last evaluation of a run, shape (goal,)."""
    assert run.evaluation is not None
    return np.divide(run.evaluation.successes[-1], run.evaluation.attempts[-1])


def _reference(folder: str) -> str:
    return reference_group(groups_of(folder)).name


def _comparison(labels: Sequence[str], pairs: Sequence[Pair]) -> str:
    rows = []
    for label, values, p_value in zip(labels, pairs, _corrected(pairs), strict=True):
        difference = statistics.interquartile_difference(*values)
        low, high = statistics.bootstrap_interval(
            *values, statistic=statistics.interquartile_difference
        )
        chance = statistics.improvement(*values)
        least, most = statistics.bootstrap_interval(*values, statistic=statistics.improvement)
        rows.append(
            [
                label,
                f"{difference:+.1f} ({low:+.1f} to {high:+.1f})",
                f"{chance:.2f} ({least:.2f} to {most:.2f})",
                f"{p_value:.2g}",
            ]
        )
    return _markdown(["comparison", "difference", "probability of improvement", "p"], rows)


def _evaluated(own: Summary, other: Summary) -> Pair:
    return own.discovered("evaluation"), other.discovered("evaluation")


def _corrected(pairs: Sequence[Pair]) -> list[float]:
    """P-values of the comparisons, corrected for their number after Holm."""
    p_values = [statistics.rank_sum_p_value(own, other) for own, other in pairs]
    return statistics.holm_p_values(p_values).tolist()


def _markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
