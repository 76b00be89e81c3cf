"""Runs as a report sees them, read from their folders or from compact tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lapis import treatments
from lapis.minecraft.goals import ALL_GOALS, GOALS, IMPOSSIBLE
from lapis.report import statistics
from lapis.runs import RunFolder
from lapis.runs.compact import (
    THRESHOLDS,
    EvaluationTable,
    RunTable,
    read_table,
    thin_run,
    time_grid,
)
from lapis.treatments import Treatment

__all__ = [
    "DISCOVERED",
    "MASTERED",
    "TREATMENTS",
    "Curves",
    "Group",
    "Run",
    "Treatment",
    "is_tech_tree",
    "load_run",
    "load_table",
]

DISCOVERED, MASTERED = THRESHOLDS
"""Success probability above which a goal counts as discovered (paper P23), and the second
threshold: a goal that is obtained more often than not."""


Curves = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Frames, and goals above the first and the second threshold there."""


TREATMENTS = tuple(each for each in treatments.TREATMENTS.values() if each.family == "paper")
"""The paper's five."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run. Its curves begin with update 0, where every success average is 0."""

    path: Path
    config: dict[str, Any]
    texts: dict[str, str]
    """recipe.txt, git.txt and env.txt."""
    goals: tuple[str, ...]
    updates: np.ndarray
    """Finished updates, all of them, shape (update,)."""
    frames: np.ndarray
    """Policy steps of all worlds, shape (update,)."""
    counts: dict[float, np.ndarray]
    """Possible goals above each threshold, by the success averages, shape (update,)."""
    first_discovered: np.ndarray
    """Update at which each goal was discovered, -1 for never, shape (goal,)."""
    points: np.ndarray
    """Updates of what is thinned in time, shape (point,)."""
    success: np.ndarray
    """Success average of each goal, float32, shape (point, goal)."""
    sampling: np.ndarray
    """Sampling probability of each goal, float32, shape (point, goal)."""
    scalars: dict[str, np.ndarray]
    """Other metrics, mean since the point before, shape (point - 1,)."""
    evaluation: EvaluationTable | None
    """None where none was recorded."""

    @property
    def seed(self) -> int | None:
        """What chance was drawn from, None where the configuration has no seed."""
        return self.config.get("seed")

    @property
    def possible(self) -> np.ndarray:
        """Whether each goal can be obtained at all, shape (goal,)."""
        return np.array([goal not in IMPOSSIBLE for goal in self.goals])

    @property
    def point_frames(self) -> np.ndarray:
        """Policy steps at `points`."""
        return statistics.value_at(self.updates, self.frames, self.points)

    def discovered(self, threshold: float = DISCOVERED) -> np.ndarray:
        """Possible goals above one of the thresholds, by the averages, shape (update,)."""
        return self.counts[threshold]

    def evaluation_curves(self) -> Curves | None:
        """Frames from 0 on, and goals above both thresholds by evaluation; None without any."""
        if self.evaluation is None:
            return None
        success = self.evaluation.success[:, self.possible]
        discovered = statistics.discovered_count(success, DISCOVERED)
        mastered = statistics.discovered_count(success, MASTERED)
        frames = self.evaluation.frames
        return np.append(0, frames), np.append(0, discovered), np.append(0, mastered)


@dataclass(frozen=True, kw_only=True)
class Group:
    """Runs that differ in nothing but chance."""

    label: str
    """For people."""
    name: str
    """For files."""
    treatment: Treatment | None
    """One of the paper's five, or None for a rival or an ablation."""
    runs: tuple[Run, ...]

    @property
    def grid(self) -> np.ndarray:
        """Updates at which curves are drawn, from 0 to the end of the shortest run."""
        return time_grid(min(int(run.updates[-1]) for run in self.runs))

    @property
    def grid_frames(self) -> np.ndarray:
        """Policy steps at the updates of `grid`."""
        return statistics.value_at(self.runs[0].updates, self.runs[0].frames, self.grid)

    @property
    def is_evaluated(self) -> bool:
        """Whether every run has an evaluation."""
        return all(run.evaluation is not None for run in self.runs)

    @property
    def typical(self) -> Run:
        """The run with the median of discovered goals over all its updates, by the averages.

        Of an even number the lower one of the two in the middle. What comes and goes at different
        times in different runs, such as forgetting, is seen in a single one alone.
        """
        ranked = sorted(self.runs, key=lambda run: float(np.mean(run.discovered())))
        return ranked[(len(ranked) - 1) // 2]

    def discovered(self, threshold: float = DISCOVERED) -> np.ndarray:
        """Discovered goals on the grid, shape (seed, point)."""
        return self._on_grid(lambda run: (run.updates, run.discovered(threshold)))

    def drops(self) -> np.ndarray:
        """Goals lost since the maximum of discovered ones, shape (seed, point) (paper P29)."""
        return self._on_grid(
            lambda run: (run.updates, statistics.drop_from_maximum(run.discovered()))
        )

    def success(self) -> np.ndarray:
        """Success averages on the grid, shape (seed, point, goal)."""
        return self._on_grid(lambda run: (run.points, run.success))

    def _on_grid(self, curve: Callable[[Run], tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
        grid = self.grid
        return np.stack([statistics.value_at(*curve(run), grid) for run in self.runs])


def load_run(path: str | Path) -> Run:
    """Reads a run folder, also while the run goes on, or a compact table of a run.

    Raises:
        FileNotFoundError: `path` is neither.
        RunError: The run has no finished update, or its log lacks what a report draws.
    """
    table = load_table(path)
    success, sampling = table.success, table.sampling
    return Run(
        path=Path(path),
        config=table.config,
        texts=table.texts,
        goals=table.goals,
        updates=np.concatenate([[0], table.updates]),
        frames=np.concatenate([[0], table.frames]),
        counts={
            threshold: np.concatenate([[0], count])
            for threshold, count in zip(THRESHOLDS, table.counts, strict=True)
        },
        first_discovered=table.first_above,
        points=np.concatenate([[0], table.points]),
        success=np.concatenate([np.zeros_like(success[:1]), success]),
        sampling=np.concatenate([sampling[:1], sampling]),
        scalars=table.scalars,
        evaluation=table.evaluation,
    )


def load_table(path: str | Path) -> RunTable:
    """A run folder thinned, or a compact table as it is; errors as of `load_run`."""
    if Path(path).is_file():
        return read_table(path)
    return thin_run(RunFolder.open(path), ignored_goals=IMPOSSIBLE)


def is_tech_tree(goals: Sequence[str]) -> bool:
    """Whether these are the goals of the paper's Simon Says, so that its numbers compare."""
    return set(GOALS) <= set(goals) <= set(ALL_GOALS)
