"""Child processes that never outlive their parent, on any system with pipes.

A parent keeps the writing end of each child's standard input. It writes one line, the task, and
nothing more. However the parent ends, the system closes that end, and the child reads the end of
the file.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from typing import Any

__all__ = ["GRACE_SECONDS", "receive_task"]

GRACE_SECONDS = 60.0
"""Time for a child without a parent to save before it ends anyway."""


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
