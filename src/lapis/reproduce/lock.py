"""One reproduction at a time per folder, and only after the last one's processes have ended."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lapis.runs import RunError

__all__ = ["hold_folder"]


@contextmanager
def hold_folder(folder: Path, say: Callable[[str], None] = print) -> Iterator[int]:
    """The right to run things in `folder`; gives a descriptor that every child must inherit.

    Two locks: one on the folder, which this process alone holds, and one on `FOLDER/.lock`, which
    it shares with its children. The system gives each back when the last process that holds it
    ends. So another reproduction is refused at once, and the children of one that was killed, who
    are about to save and end, are waited for. (Not the package filelock: children cannot inherit
    its locks.)

    Raises:
        RunError: Another reproduction runs in the folder.
    """
    import fcntl  # Not on Windows, where runs cannot be written.

    own = os.open(folder, os.O_RDONLY)
    shared = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    now = fcntl.LOCK_EX | fcntl.LOCK_NB
    try:
        try:
            fcntl.flock(own, now)
        except BlockingIOError as error:
            raise RunError(
                f"another `lapis reproduce` is running in {folder}; stop it first, "
                "or choose another folder with --folder"
            ) from error
        try:
            fcntl.flock(shared, now)
        except BlockingIOError:
            say("waiting for the processes of an earlier start to save and end")
            fcntl.flock(shared, fcntl.LOCK_EX)  # They end after a minute at the latest.
        yield shared
    finally:
        os.close(shared)
        os.close(own)
