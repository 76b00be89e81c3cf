"""What a run has reached, read from the ends of its logs while another process writes them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lapis.terminal.progress import DISCOVERED_AT

__all__ = ["RunWatch", "last_row"]

BLOCK_BYTES = 1 << 16
"""What is read from the end of a log at first; about thirty lines."""


class RunWatch:
    """The newest numbers of one run.

    Args:
        path: The run folder, which need not exist yet.
        clock: Seconds, from any start.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.update = 0
        self.frames = 0
        self.discovered: int | None = None
        """Goals above 5 % by the averages of training."""
        self.evaluated: int | None = None
        """Goals above 5 % in the last evaluation."""
        self.trained_frames = 0
        """Policy steps since the first line that `begin` waited for."""
        self.trained_seconds = 0.0
        """The time they took, evaluations and checkpoints included."""
        self._metrics = path / "metrics.jsonl"
        self._evaluation = path / "evaluation.jsonl"
        self._clock = clock
        self._stamps: dict[Path, tuple[int, int]] = {}
        self._is_begun = False
        self._mark: tuple[float, int] | None = None

    def begin(self) -> None:
        """A process starts to write; what it trains from its first line on is timed."""
        self.poll()
        self._is_begun, self._mark = True, None

    def poll(self) -> None:
        """Looks for new lines; costs two `stat` calls where there are none."""
        row = self._newest(self._metrics)
        if row is not None:
            self.update, self.frames = int(row["update"]), int(row["frames"])
            self.discovered = int(row["discovered"])
            self._time()
        row = self._newest(self._evaluation)
        if row is not None:
            pairs = zip(row["successes"], row["attempts"], strict=True)
            self.evaluated = sum(wins > DISCOVERED_AT * tries for wins, tries in pairs)

    @property
    def frames_per_second(self) -> float | None:
        """Policy steps per second since the process began; None before there is a rate."""
        return self.trained_frames / self.trained_seconds if self.trained_seconds else None

    def _time(self) -> None:
        if not self._is_begun:
            return
        now = self._clock()
        # A resumed run first drops lines that are newer than its checkpoint.
        if self._mark is None or self.frames < self._mark[1]:
            self._mark = (now, self.frames)
        self.trained_seconds = now - self._mark[0]
        self.trained_frames = self.frames - self._mark[1]

    def _newest(self, path: Path) -> dict[str, Any] | None:
        """The last whole line, if the file has changed since the last call."""
        if not path.is_file():
            return None
        status = path.stat()
        stamp = (status.st_mtime_ns, status.st_size)
        if self._stamps.get(path) == stamp:
            return None
        self._stamps[path] = stamp
        return last_row(path)


def last_row(path: Path, *, block_bytes: int = BLOCK_BYTES) -> dict[str, Any] | None:
    """The last whole line of a log, None where there is none; reads only the end of the file."""
    with path.open("rb", buffering=0) as file:
        size = file.seek(0, 2)
        while True:
            start = max(0, size - block_bytes)
            file.seek(start)
            lines = file.read(size - start).split(b"\n")
            # After the last newline is a half line or nothing; before the first may be a half one.
            whole = lines[:-1] if start == 0 else lines[1:-1]
            if whole:
                return json.loads(whole[-1])
            if start == 0:
                return None
            block_bytes *= 4
