"""A run as a small table: what reports draw, thinned in time, and all evaluations.

Goals are counted at every update, before anything is thinned, so curves of discovered goals,
areas, crossings and drops are those of the whole log. Only success, sampling and the other
scalars are thinned, to the 200 points that figures show.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from lapis.runs.durable import replace_durably
from lapis.runs.errors import RunError
from lapis.runs.folder import RunFolder
from lapis.runs.metrics import flat_items, read_rows
from lapis.runs.old_config import current_config
from lapis.runs.reading import parse_json, printable, reading

__all__ = [
    "DISCOVERED_AT",
    "MASTERED_AT",
    "POINT_COUNT",
    "THRESHOLDS",
    "EvaluationTable",
    "RunTable",
    "read_table",
    "thin_run",
    "time_grid",
    "write_table",
]

DISCOVERED_AT = 0.05
"""Success probability above which a goal counts as discovered (paper P23)."""
MASTERED_AT = 0.5
"""Success probability above which a goal is obtained more often than not."""
THRESHOLDS = (DISCOVERED_AT, MASTERED_AT)
"""Success probabilities above which goals are counted."""
POINT_COUNT = 200
"""Points in time that are kept of a run."""
FORMAT = 1

_TEXTS = ("recipe.txt", "git.txt", "env.txt")


@dataclass(frozen=True, kw_only=True)
class EvaluationTable:
    """Attempts apart from training. Shapes (evaluation,) and (evaluation, goal)."""

    updates: np.ndarray
    frames: np.ndarray
    successes: np.ndarray
    attempts: np.ndarray

    @property
    def success(self) -> np.ndarray:
        """Share of successful attempts, shape (evaluation, goal); not-a-number without attempts."""
        share = np.full(self.attempts.shape, np.nan)
        return np.divide(self.successes, self.attempts, out=share, where=self.attempts > 0)


@dataclass(frozen=True, kw_only=True)
class RunTable:
    """What is kept of a run."""

    config: dict[str, Any]
    texts: dict[str, str]
    """recipe.txt, git.txt and env.txt; git.txt without its diffs once the table was written."""
    goals: tuple[str, ...]
    updates: np.ndarray
    """Every update of the log, shape (update,)."""
    frames: np.ndarray
    """Policy steps of all worlds until each update, shape (update,)."""
    counts: np.ndarray
    """Goals above each of the `THRESHOLDS` by the averages, shape (threshold, update)."""
    first_above: np.ndarray
    """Update at which each goal first was above the first threshold, -1 for never."""
    points: np.ndarray
    """Updates at which success and sampling are kept, shape (point,)."""
    success: np.ndarray
    """Success average of each goal, float32, shape (point, goal)."""
    sampling: np.ndarray
    """Sampling probability of each goal, float32, shape (point, goal)."""
    scalars: dict[str, np.ndarray]
    """Metrics of one number per update: their mean since the point before, shape (point,)."""
    evaluation: EvaluationTable | None
    """None if there was none."""


def time_grid(last_update: int) -> np.ndarray:
    """The updates that are kept of a run with so many, 0 and the last among them."""
    return np.unique(np.linspace(0, last_update, POINT_COUNT + 1).round().astype(np.int64))


def thin_run(folder: RunFolder, *, ignored_goals: Collection[str] = ()) -> RunTable:
    """Reads a run's log line by line, also while the run is training; `ignored_goals` do not count.

    Raises:
        RunError: The run has no finished update, or its log lacks what a report draws.
    """
    with reading(folder.path / "metrics.jsonl"):
        return _thin(folder, ignored_goals)


def write_table(table: RunTable, path: str | Path) -> Path:
    """Writes the table to `path`, compressed; the same file for the same run.

    Success and sampling get half precision (three digits), other scalars single precision. Diffs
    in git.txt are left out; commit and changed files stay.
    """
    path = Path(path)
    known = {
        "config": table.config,
        "texts": {**table.texts, "git.txt": _without_diffs(table.texts.get("git.txt", ""))},
        "goals": table.goals,
        "scalars": list(table.scalars),
        "format": FORMAT,
    }
    arrays = {
        "facts": np.frombuffer(json.dumps(known).encode(), dtype=np.uint8),
        # Differences are nearly constant and so take next to no room.
        "update_steps": np.diff(table.updates, prepend=0),
        "frame_steps": np.diff(table.frames, prepend=0),
        "counts": _smallest(table.counts),
        "first_above": table.first_above.astype(np.int32),
        "points": table.points.astype(np.int32),
        "success": table.success.T.astype(np.float16),  # Neighbors in time compress best.
        "sampling": table.sampling.T.astype(np.float16),
        "scalars": np.array(list(table.scalars.values()), dtype=np.float32),
    }
    if table.evaluation is not None:
        for field in fields(EvaluationTable):
            arrays[f"evaluation_{field.name}"] = _smallest(getattr(table.evaluation, field.name))
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_durably(path, file.getvalue())
    return path


def read_table(path: str | Path) -> RunTable:
    """The table that `write_table` wrote to `path`; loading runs no code from it.

    Raises:
        FileNotFoundError: There is no such file.
        RunError: It is not a table of a run, or has another format.
    """
    with reading(f"{path} is neither a run folder nor a compact table: it"):
        arrays = _load_arrays(Path(path))
        text = arrays["facts"].tobytes()
        known = parse_json(text)
        if known["format"] != FORMAT:
            raise RunError(
                f"{path} has format {known['format']}; this version reads format {FORMAT}"
            )
        table = RunTable(
            config=current_config(known["config"]),
            texts=printable(json.loads(text)["texts"], keep="\n\t"),
            goals=tuple(known["goals"]),
            updates=np.cumsum(arrays["update_steps"]),
            frames=np.cumsum(arrays["frame_steps"]),
            counts=arrays["counts"].astype(np.int64),
            first_above=arrays["first_above"].astype(np.int64),
            points=arrays["points"].astype(np.int64),
            success=arrays["success"].T.astype(np.float32),
            sampling=arrays["sampling"].T.astype(np.float32),
            scalars=dict(zip(known["scalars"], arrays["scalars"].astype(np.float64), strict=True)),
            evaluation=_stored_evaluation(arrays),
        )
        _check_shapes(table)
    return table


def _thin(folder: RunFolder, ignored_goals: Collection[str]) -> RunTable:
    goals, _ = folder.read_goals()
    lists: dict[str, list[np.ndarray]] = {"success": [], "probabilities": []}
    scalars: dict[str, list[float]] = {}
    path = folder.path / "metrics.jsonl"
    for before, (_, row) in enumerate(read_rows(path)):
        for name, rows in lists.items():
            rows.append(_goal_values(path, name, row, len(goals)))
        _append_scalars(scalars, row, before)
    if not scalars:
        raise RunError(f"{folder.path} has no finished update yet; there is nothing to report")
    if "frames" not in scalars:
        raise RunError(f"{path} has no 'frames'; it was not made by Lapis")
    updates, frames = (np.array(scalars.pop(name), dtype=np.int64) for name in ("update", "frames"))
    if updates.shape != frames.shape:
        raise RunError(f"{path} has lines without 'frames'; restore it from a copy")
    _check_rising(updates, frames)
    success = np.array(lists["success"])
    counted = np.array([goal not in ignored_goals for goal in goals], dtype=bool)
    above = success > DISCOVERED_AT
    grid = time_grid(int(updates[-1]))
    kept = np.unique(np.searchsorted(updates, grid[grid >= updates[0]], side="right") - 1)
    return RunTable(
        config=folder.read_config(),
        texts={name: _read_text(folder.path / name) for name in _TEXTS},
        goals=goals,
        updates=updates,
        frames=frames,
        counts=np.stack([(success[:, counted] > each).sum(axis=1) for each in THRESHOLDS]),
        first_above=np.where(above.any(axis=0), updates[above.argmax(axis=0)], -1),
        points=updates[kept],
        success=success[kept],
        sampling=np.array(lists["probabilities"])[kept],
        scalars={name: _binned(updates, values, updates[kept]) for name, values in scalars.items()},
        evaluation=_read_evaluation(folder, len(goals)),
    )


def _check_shapes(table: RunTable) -> None:
    """Raises where a table that was read cannot be one that was written."""
    if not all(isinstance(goal, str) for goal in table.goals):
        raise TypeError("its goals are not all names")
    if not all(isinstance(name, str) for name in table.scalars):
        raise TypeError("its scalars do not all have names")
    for name in _TEXTS:
        if not isinstance(table.texts.get(name), str):
            raise TypeError(f"{name} is {table.texts.get(name)!r:.60}; it must be text")
    update, point, goal = table.updates.size, table.points.size, len(table.goals)
    shapes = {
        "updates": (update,),
        "frames": (update,),
        "counts": (len(THRESHOLDS), update),
        "first_above": (goal,),
        "points": (point,),
        "success": (point, goal),
        "sampling": (point, goal),
    }
    found = {name: getattr(table, name).shape for name in shapes}
    for name, values in table.scalars.items():
        shapes[name], found[name] = (point,), values.shape
    if table.evaluation is not None:
        evaluation = table.evaluation.updates.size
        for field in fields(EvaluationTable):
            name = f"evaluation_{field.name}"
            is_by_goal = field.name in ("successes", "attempts")
            shapes[name] = (evaluation, goal) if is_by_goal else (evaluation,)
            found[name] = getattr(table.evaluation, field.name).shape
    for name, shape in shapes.items():
        if found[name] != shape:
            raise ValueError(f"{name} has shape {found[name]} instead of {shape}")
    if not point or not update:
        raise ValueError("it has no updates")
    _check_rising(table.updates, table.frames)


def _check_rising(updates: np.ndarray, frames: np.ndarray) -> None:
    """Raises where time stands still or goes back; areas and curves need it to rise."""
    for name, values in (("updates", updates), ("frames", frames)):
        # Compared, because differences of huge numbers may not fit.
        if values[0] < 1 or not bool((values[1:] > values[:-1]).all()):
            raise ValueError(f"its {name} do not rise")


def _load_arrays(path: Path) -> dict[str, np.ndarray]:
    loaded = np.load(path, allow_pickle=False)
    if not isinstance(loaded, np.lib.npyio.NpzFile):
        raise ValueError("it holds a single array")
    with loaded:
        arrays = {name: loaded[name] for name in loaded.files}
    for name, array in arrays.items():
        if array.dtype.kind not in "biuf":
            raise ValueError(f"{name} holds {array.dtype} instead of real numbers")
    return arrays


def _goal_values(path: Path, name: str, row: Mapping[str, Any], goal_count: int) -> np.ndarray:
    if name not in row:
        raise RunError(f"{path} has no {name!r}; it was not made by Lapis")
    values = np.array(row[name], dtype=np.float32)
    if values.shape != (goal_count,):
        raise RunError(f"{path}: {name!r} does not have one value per goal of goals.json")
    return values


def _append_scalars(scalars: dict[str, list[float]], row: Mapping[str, Any], before: int) -> None:
    """Adds the row's numbers; a metric that a row does not have is not-a-number there."""
    for name, value in flat_items(row):
        if not isinstance(value, list):
            known = scalars.setdefault(name, [])
            known.extend([np.nan] * (before - len(known)))
            known.append(np.nan if value is None else value)


def _binned(updates: np.ndarray, values: Iterable[float], ends: np.ndarray) -> np.ndarray:
    """Mean of the finite values in (the end before, this end]; not-a-number without any."""
    numbers = np.array(list(values), dtype=np.float64)
    place = np.searchsorted(ends, updates[: len(numbers)], side="left")
    known = np.isfinite(numbers)
    count = np.bincount(place[known], minlength=len(ends))
    total = np.bincount(place[known], numbers[known], minlength=len(ends))
    return np.divide(total, count, out=np.full(len(ends), np.nan), where=count > 0)


def _read_evaluation(folder: RunFolder, goal_count: int) -> EvaluationTable | None:
    columns = folder.read_evaluations()
    if not columns:
        return None
    place = f"{folder.path}: an evaluation"
    for name in ("frames", "successes", "attempts"):
        if name not in columns:
            raise RunError(f"{place} has no {name!r}")
        if name != "frames" and columns[name].shape[1:] != (goal_count,):
            raise RunError(f"{place}'s {name!r} does not have one value per goal of goals.json")
        if columns[name].dtype != np.int64 or columns[name].min() < 0:
            raise RunError(f"{place}'s {name!r} must be whole numbers, at least 0")
    kept = {name: columns[name] for name in ("frames", "successes", "attempts")}
    return EvaluationTable(updates=columns["update"], **kept)


def _stored_evaluation(arrays: Mapping[str, np.ndarray]) -> EvaluationTable | None:
    if "evaluation_updates" not in arrays:
        return None
    names = [field.name for field in fields(EvaluationTable)]
    return EvaluationTable(
        **{name: arrays[f"evaluation_{name}"].astype(np.int64) for name in names}
    )


def _read_text(path: Path) -> str:
    """A file that describes the run; where an old folder lacks it, the report says so."""
    if not path.is_file():
        return ""
    return printable(path.read_text(encoding="utf-8", errors="replace"), keep="\n\t")


def _without_diffs(text: str) -> str:
    """git.txt without what stands between a line `diff:` and the next repository."""
    return re.sub(r"^(diff:[^\n]*\n).*?(?=^repository: |\Z)", r"\1", text, flags=re.M | re.S)


def _smallest(values: np.ndarray) -> np.ndarray:
    """Whole numbers from 0 on in the narrowest type that holds them."""
    return values.astype(np.min_scalar_type(int(np.max(values, initial=0))))
