"""TensorBoard event files, written without TensorFlow."""

# Protocol buffers make their classes when they are imported, unseen by pyright.
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import os
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tensorboard.compat.proto import event_pb2, summary_pb2
from tensorboard.summary.writer.record_writer import RecordWriter

from lapis.runs.durable import explain_full_disk

__all__ = ["EventLog"]


class EventLog:
    """Writes numbers of updates; lists stay in metrics.jsonl, where reports find them.

    Args:
        folder: Directory of the event files; a new file is made in it.
        update: Updates finished so far. TensorBoard drops what older files say about later ones.
    """

    def __init__(self, folder: Path, *, update: int) -> None:
        self._folder = folder
        with explain_full_disk("TensorBoard events", folder.parent):
            folder.mkdir(exist_ok=True)
            moment = f"{time.time_ns() / 1e9:020.9f}"  # TensorBoard reads files in their order.
            name = f"events.out.tfevents.{moment}.{socket.gethostname()}.{os.getpid()}"
            self._file = (folder / name).open("xb", buffering=0)
        start = event_pb2.SessionLog(status=event_pb2.SessionLog.START)
        self._add(file_version="brain.Event:2")
        self._add(step=update + 1, session_log=start)

    def write(self, update: int, scalars: Mapping[str, float]) -> None:
        """Adds numbers of one update, by their tags."""
        values = [
            summary_pb2.Summary.Value(tag=tag, simple_value=number)
            for tag, number in scalars.items()
        ]
        self._add(step=update, summary=summary_pb2.Summary(value=values))

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _add(self, **content: Any) -> None:
        event = event_pb2.Event(wall_time=time.time(), **content)
        with explain_full_disk("TensorBoard events", self._folder):
            RecordWriter(self._file).write(event.SerializeToString())
