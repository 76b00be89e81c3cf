"""The log of a run: one JSON object per update, appended; a half-written last line is dropped.

A value is a number, a list of numbers (one per goal) or a dict of such values. Numbers keep every
digit; floats in lists keep four, which is what figures need and a quarter of the bytes.
Numbers that are not finite are written as null and read as not-a-number.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from lapis.runs.durable import explain_full_disk
from lapis.runs.errors import RunError

__all__ = ["MetricsLog", "encode", "flat_items", "read_columns", "read_rows"]

LIST_DIGITS = 4
"""Significant digits of a float inside a list."""


class MetricsLog:
    """Appends to a metrics file; `update` rises from line to line.

    Each line is one write, so a killed process leaves at most half a line at the end; the first
    change to the file drops it. `sync` flushes all lines to the disk.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO = path.open("ab", buffering=0)
        self.last_update = -1
        """The `update` of the last line, -1 where there is none."""
        self._end = 0
        """Where the whole lines end [bytes]."""
        self._find_end(None)

    def append(self, metrics: Mapping[str, Any]) -> None:
        """Adds one line. A line that does not fit on the disk leaves the file as it was."""
        update = metrics.get("update")
        if not isinstance(update, int) or update <= self.last_update:
            raise ValueError(
                f"metrics['update'] is {update!r}; it must be an integer above {self.last_update}"
            )
        line = encode(metrics)
        self._file.truncate(self._end)
        with explain_full_disk("metrics", self._path.parent):
            try:
                _write_all(self._file, line)
            except OSError:
                self._file.truncate(self._end)
                raise
        self._end += len(line)
        self.last_update = update

    def rewind(self, update: int) -> int:
        """Drops the lines after `update` and returns how many there were.

        They are the end of the file, so cutting it is atomic and needs no space on the disk.
        """
        dropped = self._find_end(update)
        self._file.truncate(self._end)
        self.sync()
        return dropped

    def sync(self) -> None:
        """Flushes all lines to the disk."""
        with explain_full_disk("metrics", self._path.parent):
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Closes the file; the log cannot be used after it."""
        self._file.close()

    def _find_end(self, update: int | None) -> int:
        """Finds the last whole line, or that of `update`; returns how many come after it."""
        self._end = 0
        self.last_update = -1
        dropped = 0
        for line_end, row in read_rows(self._path):
            if update is not None and row["update"] > update:
                dropped += 1
                continue
            self._end = line_end
            self.last_update = row["update"]
        return dropped


def encode(metrics: Mapping[str, Any]) -> bytes:
    """One line of the log, newline included."""
    plain = {name: _plain(value) for name, value in metrics.items()}
    return json.dumps(plain, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def read_columns(path: Path) -> dict[str, np.ndarray]:
    """The whole log as columns.

    Returns:
        Per scalar an array of shape (update,), per list a matrix of shape (update, goal). Nested
        names are joined with dots, `losses.policy`. Columns that hold integers alone are int64,
        others float64 with not-a-number where a line has no value. A metric must keep its kind
        and its length for the whole run.
    """
    rows = [dict(flat_items(row)) for _, row in read_rows(path)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: _column(name, [row.get(name) for row in rows]) for name in names}


def _write_all(file: BinaryIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _plain(value: Any) -> Any:
    """The value as JSON types, lists shortened to four digits."""
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [_short(number) for number in np.asarray(value).tolist()]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _short(number: Any) -> Any:
    if not isinstance(number, float):
        return number
    if not math.isfinite(number):
        return None
    return float(f"{number:.{LIST_DIGITS}g}")


def read_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The whole lines: where each ends [bytes from the start], and what it says."""
    end, last = 0, -1
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return  # A process was killed while it wrote this.
            end += len(line)
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                row = {}
            row = row if isinstance(row, dict) else {}
            update = row.get("update")
            if type(update) is not int or not last < update < 2**63:
                raise RunError(
                    f"{path}, line {number} is not a line of metrics, whose updates rise: "
                    f"{line[:60]!r}; restore the file from a copy"
                )
            last = update
            if "fast" in row:  # What older versions called it.
                row["success"] = row.pop("fast")
            yield end, row


def flat_items(row: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Names and values of a row; nested names are joined with dots."""
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from flat_items(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _column(name: str, values: list[Any]) -> np.ndarray:
    widths = {len(value) for value in values if isinstance(value, list)}
    if len(widths) > 1:
        raise ValueError(f"metric {name!r} changes its length within one run: {sorted(widths)}")
    if widths:
        blank = [None] * widths.pop()
        values = [blank if value is None else value for value in values]
    column = np.array(values, dtype=np.float64)
    is_whole = all(
        isinstance(number, int)
        for value in values
        for number in (value if isinstance(value, list) else [value])
    )
    return np.array(values, dtype=np.int64) if is_whole and values else column
