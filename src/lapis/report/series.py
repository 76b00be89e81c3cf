"""Runs as a report sees them: read from their folders and grouped by treatment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lapis.minecraft.goals import ALL_GOALS, GOALS, IMPOSSIBLE
from lapis.report import statistics
from lapis.runs import RunError, RunFolder
from lapis.runs.metrics import read_columns

__all__ = [
    "DISCOVERED",
    "TREATMENTS",
    "Evaluation",
    "Group",
    "Run",
    "Treatment",
    "group_runs",
    "is_tech_tree",
    "load_run",
]

DISCOVERED = 0.05
"""Success probability above which a goal counts as discovered (paper P23)."""

EVALUATION_FILE = "evaluation.jsonl"
SEPARATE = ("seed", "updates", "device", "threads")
"""Settings in which the runs of a group may differ."""
CURVE_POINTS = 240


@dataclass(frozen=True, kw_only=True)
class Treatment:
    """One of the paper's five (paper P23)."""

    name: str
    """As `lapis train --treatment` has it."""
    label: str
    settings: tuple[str, str, str, float]
    """Curriculum, direction (where it means something), bonus, coefficient of the bonus."""
    paper_discovered: int
    """Of 107 goals after 50,000 updates."""


TREATMENTS = tuple(
    Treatment(name=name, label=label, settings=settings, paper_discovered=count)
    for name, label, settings, count in (
        ("uniform", "uniform", ("uniform", "", "none", 0.0), 17),
        ("uniform_fixed", "uniform + fixed bonus", ("uniform", "", "fixed", 0.05), 43),
        ("uniform_dynamic", "uniform + dynamic bonus", ("uniform", "", "dynamic", 0.5), 70),
        ("unidirectional", "unidirectional", ("learning_progress", "up", "dynamic", 0.5), 79),
        ("bidirectional", "bidirectional", ("learning_progress", "both", "dynamic", 0.5), 82),
    )
)


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """Success measured apart from training, every goal alike, with empty inventories."""

    updates: np.ndarray
    """Shape (evaluation,)."""
    frames: np.ndarray
    success: np.ndarray
    """Share of successful attempts, shape (evaluation, goal); not-a-number without attempts."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run. Its curves begin with update 0, where every success average is 0."""

    path: Path
    config: dict[str, Any]
    goals: tuple[str, ...]
    updates: np.ndarray
    """Finished updates, shape (point,)."""
    frames: np.ndarray
    """Policy steps of all worlds, shape (point,)."""
    success: np.ndarray
    """Success average of each goal, float32, shape (point, goal)."""
    sampling: np.ndarray
    """Sampling probability of each goal, float32, shape (point, goal)."""
    scalars: dict[str, np.ndarray]
    """Metrics that are one number per update, shape (point - 1,)."""
    evaluation: Evaluation | None
    """None where none was recorded."""

    @property
    def seed(self) -> int | None:
        """What chance was drawn from, None where the configuration has no seed."""
        return self.config.get("seed")

    @property
    def possible(self) -> np.ndarray:
        """Whether each goal can be obtained at all, shape (goal,)."""
        return np.array([goal not in IMPOSSIBLE for goal in self.goals])

    def discovered(self, threshold: float = DISCOVERED) -> np.ndarray:
        """Possible goals above the threshold, by the success averages, shape (point,)."""
        return statistics.discovered_count(self.success[:, self.possible], threshold)

    def evaluated(self, threshold: float = DISCOVERED) -> np.ndarray:
        """Possible goals above the threshold, by evaluation; empty where there is none."""
        if self.evaluation is None:
            return np.zeros(0, dtype=np.int64)
        return statistics.discovered_count(self.evaluation.success[:, self.possible], threshold)


@dataclass(frozen=True, kw_only=True)
class Group:
    """Runs that differ in nothing but chance."""

    label: str
    treatment: Treatment | None
    """One of the paper's five, or None."""
    runs: tuple[Run, ...]

    @property
    def grid(self) -> np.ndarray:
        """Updates at which curves are drawn, from 0 to the end of the shortest run."""
        end = min(int(run.updates[-1]) for run in self.runs)
        return np.unique(np.linspace(0, end, CURVE_POINTS + 1).round().astype(np.int64))

    @property
    def grid_frames(self) -> np.ndarray:
        """Policy steps at the updates of `grid`."""
        return statistics.value_at(self.runs[0].updates, self.runs[0].frames, self.grid)

    def on_grid(self, curves: Sequence[np.ndarray]) -> np.ndarray:
        """One curve per run, brought to the updates of `grid`: shape (seed, point, ...)."""
        grid = self.grid
        return np.stack(
            [
                statistics.value_at(run.updates, curve, grid)
                for run, curve in zip(self.runs, curves, strict=True)
            ]
        )

    def discovered(self, threshold: float = DISCOVERED) -> np.ndarray:
        """Discovered goals on the grid, shape (seed, point)."""
        return self.on_grid([run.discovered(threshold) for run in self.runs])

    def success(self) -> np.ndarray:
        """Success averages on the grid, shape (seed, point, goal)."""
        return self.on_grid([run.success for run in self.runs])

    def sampling(self) -> np.ndarray:
        """Sampling probabilities on the grid, shape (seed, point, goal)."""
        return self.on_grid([run.sampling for run in self.runs])


def load_run(path: str | Path) -> Run:
    """Reads a run, also while it goes on.

    Raises:
        FileNotFoundError: `path` is no run folder.
        RunError: The run has no finished update, or its log lacks what a report draws.
    """
    folder = RunFolder.open(path)
    columns = folder.read_metrics()
    if not columns:
        raise RunError(f"{path} has no finished update yet; there is nothing to report")
    goals, _ = folder.read_goals()
    for name in ("frames", "fast", "probabilities"):
        if name not in columns:
            raise RunError(f"{path}/metrics.jsonl has no {name!r}; it was not made by Lapis")
        if name != "frames" and columns[name].shape[1:] != (len(goals),):
            raise RunError(f"{path}: {name!r} does not have one value per goal of goals.json")
    success, sampling = (columns[name].astype(np.float32) for name in ("fast", "probabilities"))
    return Run(
        path=Path(path),
        config=folder.read_config(),
        goals=goals,
        updates=np.concatenate([[0], columns["update"]]),
        frames=np.concatenate([[0], columns["frames"]]),
        success=np.concatenate([np.zeros_like(success[:1]), success]),
        sampling=np.concatenate([sampling[:1], sampling]),
        scalars={name: column for name, column in columns.items() if column.ndim == 1},
        evaluation=_load_evaluation(folder.path / EVALUATION_FILE, len(goals)),
    )


def group_runs(runs: Sequence[Run]) -> tuple[Group, ...]:
    """Runs with the same settings but for chance together, the paper's treatments first.

    Groups that follow the same treatment are told apart by the settings in which they differ.

    Raises:
        RunError: There is no run, one is given twice, or their goals differ.
    """
    if not runs:
        raise RunError("there is no run to report")
    for index, run in enumerate(runs):
        if run.path.resolve() in [other.path.resolve() for other in runs[:index]]:
            raise RunError(f"{run.path} is given twice")
        if run.goals != runs[0].goals:
            raise RunError(f"{run.path} and {runs[0].path} have different goals; report them apart")
    together: dict[str, list[Run]] = {}
    for run in runs:
        together.setdefault(repr(sorted(_shared(run.config).items())), []).append(run)
    families: dict[str, list[list[Run]]] = {}
    for members in together.values():
        families.setdefault(_treatment_label(members[0].config), []).append(members)
    groups = [
        Group(label=label, treatment=_treatment(members[0].config), runs=tuple(members))
        for name, family in families.items()
        for label, members in zip(_labels(name, family), family, strict=True)
    ]
    paper_order = [*TREATMENTS, None]  # Groups that follow none of the five come last.
    return tuple(sorted(groups, key=lambda group: paper_order.index(group.treatment)))


def is_tech_tree(goals: Sequence[str]) -> bool:
    """Whether these are the goals of the paper's Simon Says, so that its numbers compare."""
    return set(GOALS) <= set(goals) <= set(ALL_GOALS)


def _load_evaluation(path: Path, goal_count: int) -> Evaluation | None:
    if not path.is_file():
        return None
    columns = read_columns(path)
    if not columns:
        return None
    for name in ("frames", "successes", "attempts"):
        if name not in columns:
            raise RunError(f"{path} has no {name!r}")
    attempts = columns["attempts"].astype(np.float64)
    if attempts.shape[1:] != (goal_count,):
        raise RunError(f"{path}: 'attempts' does not have one value per goal of goals.json")
    success = np.full(attempts.shape, np.nan)
    np.divide(columns["successes"], attempts, out=success, where=attempts > 0)
    return Evaluation(updates=columns["update"], frames=columns["frames"], success=success)


def _treatment(config: Mapping[str, Any]) -> Treatment | None:
    found = _settings(config)
    return next((each for each in TREATMENTS if each.settings == found), None)


def _treatment_label(config: Mapping[str, Any]) -> str:
    treatment = _treatment(config)
    if treatment is not None:
        return treatment.label
    kind, direction, bonus, coefficient = _settings(config)
    arrow = f" ({direction})" if direction else ""
    weight = f" {coefficient:g}" if coefficient else ""
    return f"{kind.replace('_', ' ')}{arrow}, {bonus} bonus{weight}"


def _settings(config: Mapping[str, Any]) -> tuple[str, str, str, float]:
    """What makes a treatment, in the form of `Treatment.settings`."""
    curriculum, game = config.get("curriculum", {}), config.get("simonsays", {})
    kind, bonus = curriculum.get("kind", "unknown"), game.get("bonus", "unknown")
    direction = curriculum.get("direction", "") if kind == "learning_progress" else ""
    return kind, direction, bonus, float(game.get("bonus_coefficient", 0.0))


def _shared(config: Mapping[str, Any]) -> dict[str, Any]:
    """All settings that runs of a group have in common, by their dotted names.

    The direction of progress says nothing about a curriculum that has none.
    """
    flat = dict(_flat(config))
    if flat.get("curriculum.kind") == "uniform":
        flat.pop("curriculum.direction", None)
    return {name: value for name, value in flat.items() if name not in SEPARATE}


def _flat(config: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in config.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _labels(name: str, family: Sequence[Sequence[Run]]) -> list[str]:
    """The treatment's name, with the settings in which groups of the same name differ."""
    settings = [_shared(members[0].config) for members in family]
    names = list(dict.fromkeys(key for each in settings for key in each))
    differing = [key for key in names if len({repr(each.get(key)) for each in settings}) > 1]
    return [
        ", ".join(
            [name, *(f"{key.rpartition('.')[2]} {_short(each.get(key))}" for key in differing)]
        )
        for each in settings
    ]


def _short(value: object) -> str:
    """A setting in a label; a long list by its length."""
    return f"({len(value)} entries)" if isinstance(value, list) and len(value) > 3 else str(value)
