"""Child processes that never outlive their parent, on any system with pipes.

A parent keeps the writing end of each child's standard input. It writes one line, the task, and
nothing more. However the parent ends, the system closes that end, and the child reads the end of
the file.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from typing import IO, Any

__all__ = ["receive_task", "start_child"]

GRACE_SECONDS = 60.0
"""Time for a child without a parent to save before it ends anyway."""


def start_child(
    command: Sequence[str],
    task: Mapping[str, Any],
    *,
    environment: Mapping[str, str],
    output: int | IO[bytes],
    inherited: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """In a parent: starts a child that reads the task, of JSON types, with `receive_task`.

    `environment` is added to the parent's; `output` is for standard error, too; the child keeps
    the `inherited` descriptors open.
    """
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=subprocess.STDOUT,
        env={**os.environ, **environment},
        pass_fds=inherited,
        # Ctrl-C in a terminal goes to its whole group; the parent tells its children itself.
        start_new_session=True,
    )
    assert process.stdin is not None
    try:
        process.stdin.write(json.dumps(task).encode() + b"\n")
        process.stdin.flush()
    except BrokenPipeError:  # It is gone already; its exit code says why.
        with contextlib.suppress(BrokenPipeError):  # Closing tries once more to send the rest.
            process.stdin.close()
    return process


def receive_task() -> dict[str, Any]:
    """In a child: reads the task; if the parent ends, this process gets SIGTERM and then ends."""
    # Unbuffered: a thread that waits in a buffered reader holds a lock that the exit needs.
    stream = open(0, "rb", buffering=0, closefd=False)  # noqa: SIM115
    task = json.loads(stream.readline())

    def wait() -> None:
        while stream.read(1):
            pass
        os.kill(os.getpid(), signal.SIGTERM)
        threading.Event().wait(GRACE_SECONDS)
        os._exit(128 + signal.SIGTERM)

    threading.Thread(target=wait, name="parent", daemon=True).start()
    return task
