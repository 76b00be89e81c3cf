"""Runs as a report sees them, read from their folders or from compact tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from lapis.minecraft.goals import ALL_GOALS, GOALS, IMPOSSIBLE
from lapis.report import statistics
from lapis.runs import RunError, RunFolder
from lapis.runs.compact import THRESHOLDS, RunTable, read_table, thin_run, time_grid
from lapis.treatments import TREATMENTS, Treatment

__all__ = [
    "DISCOVERED",
    "PAPER",
    "Group",
    "Measure",
    "Run",
    "is_tech_tree",
    "load_run",
    "load_table",
]

DISCOVERED, MASTERED = THRESHOLDS
"""Success probability above which a goal counts as discovered (paper P23), and the second
threshold: a goal that is obtained more often than not."""

Measure = Literal["evaluation", "average"]
"""How success is known: from attempts apart from training, or by the averages of training."""


PAPER = tuple(each for each in TREATMENTS.values() if each.family == "paper")
"""The paper's five treatments."""


@dataclass(frozen=True, kw_only=True)
class Run(RunTable):
    """The table of a run with a first row for update 0, where every success average is 0.

    Scalars have no such row.
    """

    path: Path

    @property
    def seed(self) -> int | None:
        """The seed of the run; None if the configuration has none."""
        seed = self.config.get("seed")
        if seed is not None and type(seed) is not int:
            raise RunError(f"{self.path}: seed is {seed!r}; it must be a whole number")
        return seed

    @property
    def possible(self) -> np.ndarray:
        """Whether each goal can be obtained at all, shape (goal,)."""
        return np.array([goal not in IMPOSSIBLE for goal in self.goals])

    @property
    def discovered(self) -> np.ndarray:
        """Possible goals above 5 % by the averages, shape (update,)."""
        return self.counts[0]

    def curves(self, measure: Measure) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Frames from 0 on, and possible goals above 5 % and above 50 % there.

        Not for a run without evaluations by that measure.
        """
        if measure == "average":
            return self.frames, self.counts[0], self.counts[1]
        assert self.evaluation is not None
        success = self.evaluation.success[:, self.possible]
        counts = [statistics.discovered_count(success, each) for each in THRESHOLDS]
        return (
            np.append(0, self.evaluation.frames),
            np.append(0, counts[0]),
            np.append(0, counts[1]),
        )

    def success_at(self, frames: float, measure: Measure) -> np.ndarray:
        """Success of each goal at the last evaluation, or point in time, until then."""
        if measure == "average":
            point_frames = statistics.value_at(self.updates, self.frames, self.points)
            return statistics.value_at(point_frames, self.success, frames)
        assert self.evaluation is not None
        return statistics.value_at(self.evaluation.frames, self.evaluation.success, frames)


@dataclass(frozen=True, kw_only=True)
class Group:
    """Runs that differ only by chance."""

    label: str
    """For people."""
    name: str
    """For files."""
    treatment: Treatment | None
    """One of the paper's five; None for a rival or an ablation."""
    runs: tuple[Run, ...]

    @property
    def goals(self) -> tuple[str, ...]:
        """Names of the goals, the same in all runs."""
        return self.runs[0].goals

    @property
    def grid(self) -> np.ndarray:
        """Updates at which curves are drawn, from 0 to the end of the shortest run."""
        return time_grid(min(int(run.updates[-1]) for run in self.runs))

    @property
    def grid_frames(self) -> np.ndarray:
        """Policy steps at the updates of `grid`."""
        return statistics.value_at(self.runs[0].updates, self.runs[0].frames, self.grid)

    @property
    def frames_per_update(self) -> float:
        """Policy steps of all worlds in an update, on average."""
        return float(self.grid_frames[-1] / self.grid[-1])

    @property
    def measure(self) -> Measure:
        """Evaluation if every run has one, otherwise averages."""
        is_evaluated = all(run.evaluation is not None for run in self.runs)
        return "evaluation" if is_evaluated else "average"

    @property
    def typical(self) -> Run:
        """The run with the median of discovered goals over all its updates, by the averages.

        With an even number, the lower of the two in the middle. Whatever happens at different times
        in different runs, such as forgetting, is only visible in a single run.
        """
        ranked = sorted(self.runs, key=lambda run: float(np.mean(run.discovered)))
        return ranked[(len(ranked) - 1) // 2]

    def discovered(self) -> np.ndarray:
        """Discovered goals on the grid, by the averages, shape (seed, point)."""
        return self._on_grid(lambda run: (run.updates, run.discovered))

    def drops(self) -> np.ndarray:
        """Goals lost since the maximum of discovered ones, shape (seed, point) (paper P29)."""
        return self._on_grid(
            lambda run: (run.updates, statistics.drop_from_maximum(run.discovered))
        )

    def success(self) -> np.ndarray:
        """Success averages on the grid, shape (seed, point, goal)."""
        return self._on_grid(lambda run: (run.points, run.success))

    def final_success(self) -> dict[str, float]:
        """Success of each goal at the end by the group's measure, mean over seeds."""
        ends = [np.nan_to_num(run.success_at(np.inf, self.measure)) for run in self.runs]
        return dict(zip(self.goals, np.mean(ends, axis=0).clip(0.0, 1.0).tolist(), strict=True))

    def _on_grid(self, curve: Callable[[Run], tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
        return np.stack([statistics.value_at(*curve(run), self.grid) for run in self.runs])


def load_run(path: str | Path) -> Run:
    """Reads a run folder, also while the run is training, or a compact table of a run.

    Raises:
        FileNotFoundError: `path` is neither.
        RunError: The run has no finished update, or its log lacks what a report draws.
    """
    table = load_table(path)
    first_rows = {
        "updates": np.append(0, table.updates),
        "frames": np.append(0, table.frames),
        "counts": np.pad(table.counts, ((0, 0), (1, 0))),
        "points": np.append(0, table.points),
        "success": np.pad(table.success, ((1, 0), (0, 0))),
        "sampling": np.concatenate([table.sampling[:1], table.sampling]),
    }
    return Run(path=Path(path), **{**vars(table), **first_rows})


def load_table(path: str | Path) -> RunTable:
    """A run folder thinned, or a compact table as it is; errors as of `load_run`."""
    if Path(path).is_file():
        return read_table(path)
    return thin_run(RunFolder.open(path), ignored_goals=IMPOSSIBLE)


def is_tech_tree(goals: Sequence[str]) -> bool:
    """Whether these are the goals of the paper's Simon Says, so that its numbers compare."""
    return set(GOALS) <= set(goals) <= set(ALL_GOALS)
