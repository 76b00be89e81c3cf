"""What a reader must know before trusting the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from lapis.report.series import DISCOVERED
from lapis.report.summary import Summary, common_frames
from lapis.runs.metrics import flat_items

__all__ = ["notices"]


def notices(summaries: Sequence[Summary]) -> list[str]:
    """Warnings about tasks, lengths, evaluations and seeds; none if all is well."""
    parts = (_about_pairs, _about_lengths, _about_evaluation, _about_seeds)
    return [notice for part in parts for notice in part(summaries)]


def _about_pairs(summaries: Sequence[Summary]) -> Iterator[str]:
    for summary in summaries:
        group = summary.group
        if any(dict(flat_items(run.config)).get("simonsays.pairs") for run in group.runs):
            yield (
                f"Runs of {group.label} were also asked for pairs of goals. Everything here is "
                "about single goals, and does not compare with the paper's numbers."
            )


def _about_lengths(summaries: Sequence[Summary]) -> Iterator[str]:
    groups = [summary.group for summary in summaries]
    shortest = common_frames(groups)
    if max(int(run.frames[-1]) for group in groups for run in group.runs) > 1.01 * shortest:
        yield (
            "The runs differ in length. Every number in the tables is taken at "
            f"{shortest:,} frames, the end of the shortest run."
        )


def _about_evaluation(summaries: Sequence[Summary]) -> Iterator[str]:
    runs = [run for summary in summaries for run in summary.group.runs]
    if all(run.evaluation is None for run in runs):
        yield (
            "No evaluation recorded: success is the average over training attempts, which does not "
            "change for goals that are no longer sampled and so can hide forgetting."
        )
        return
    for summary in summaries:
        group = summary.group
        evaluated = sum(run.evaluation is not None for run in group.runs)
        if evaluated < len(group.runs):
            yield (
                f"Of the {len(group.runs)} runs of {group.label} only {evaluated} were evaluated: "
                "their numbers by evaluation are left out, and groups are compared with them by "
                "averages."
            )
        elif "evaluation" not in summary.measured:
            yield f"Runs of {group.label} were first evaluated after the end of the shortest run."
    ends = np.concatenate([summary.evaluation_frames for summary in summaries])
    if ends.size and ends.max() > 1.01 * ends.min():
        yield (
            f"The last evaluations range from {ends.min():,.0f} to {ends.max():,.0f} frames: "
            "numbers by evaluation are not from the same time."
        )
    attempts = np.concatenate([run.evaluation.attempts.ravel() for run in runs if run.evaluation])
    fewest = int(attempts[attempts > 0].min(initial=np.iinfo(np.int64).max))
    if fewest * DISCOVERED < 1.0:
        yield (
            f"Evaluations have {fewest} attempts per goal: one success is enough to count as above "
            "5 %, so goals with a lower probability are sometimes counted."
        )


def _about_seeds(summaries: Sequence[Summary]) -> Iterator[str]:
    groups = [summary.group for summary in summaries]
    for group in groups:
        seeds = [run.seed for run in group.runs]
        if len(set(seeds)) < len(seeds):
            yield f"Runs of {group.label} share a seed; their spread says little."
    if any(1 < len(group.runs) < 5 for group in groups):
        yield "With fewer than five seeds, bootstrap intervals are narrower than they should be."
    if all(len(group.runs) == 1 for group in groups):
        yield "One run per treatment: there are no intervals."
