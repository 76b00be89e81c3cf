"""Files that survive a crash: written whole, flushed to the disk, then given their name."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lapis.runs.errors import DiskFullError

__all__ = ["explain_full_disk", "replace_durably", "sync_directory", "write_durably"]


def write_durably(path: Path, data: bytes) -> None:
    """Writes `data` to `path`, flushed from the system's cache to the disk."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def replace_durably(path: Path, data: bytes) -> None:
    """Writes `data` to `path`, complete and on the disk, or leaves `path` unchanged.

    The data is written beside it and renamed: neither a full disk nor a crash leaves half a file.
    """
    draft = path.parent / f".lapis-{os.getpid()}-{secrets.token_hex(4)}"
    with explain_full_disk(path.name, path.parent):
        try:
            write_durably(draft, data)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
        sync_directory(path.parent)


def sync_directory(path: Path) -> None:
    """Flushes names created, renamed or removed in the directory `path` to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def explain_full_disk(what: str, place: Path) -> Iterator[None]:
    """Turns the system's "no space left" into an error that says what to do."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        free_megabytes = shutil.disk_usage(place).free / 1e6
        raise DiskFullError(
            f"no space left to write {what} in {place} ({free_megabytes:.1f} MB free); "
            "make room and try again; continue the run with `lapis resume`",
        ) from error
