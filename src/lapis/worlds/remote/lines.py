"""Lines to far ends: how questions get to a process with worlds, and answers back."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from lapis.worlds.remote.far import messages
from lapis.worlds.remote.far.messages import Message, MessageError

__all__ = ["GOODBYE_SECONDS", "Line", "LostError", "ProcessLine"]

_START = Path(__file__).parent / "far" / "start.py"
GOODBYE_SECONDS = 5.0
"""Time for games to end by themselves."""


class LostError(Exception):
    """The far end is gone, or did not answer in time."""


class Line(Protocol):
    """A far end that answers one question at a time."""

    def send(self, question: Message, seconds: float) -> None:
        """Asks, and does not wait for the answer; raises LostError if nobody is there."""
        ...

    def receive(self, seconds: float) -> Message:
        """The answer to the last question; raises LostError if there is none after `seconds`."""
        ...

    def end(self, *, at_once: bool) -> None:
        """Ends the far end; unless `at_once`, its games may end by themselves."""
        ...


class ProcessLine:
    """A process of this machine, also of another Python environment.

    It is asked over its standard input, which is a socket, because sockets know timeouts. A
    process whose trainer is gone reads the end of its input, and ends.
    """

    def __init__(self, python: str = "") -> None:
        """Starts it with an interpreter, by default that of this process.

        Raises:
            ValueError: There is no such interpreter.
        """
        self._socket, theirs = socket.socketpair()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                [python or sys.executable, str(_START)],
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=self._errors,
                # Ctrl-C lets a run finish its update: until then it needs its worlds.
                start_new_session=True,
                env={"OMP_NUM_THREADS": "1", **os.environ},
            )
        except OSError as error:
            self._socket.close()
            raise ValueError(
                f"python is {python!r}, which cannot be run: {error.strerror}"
            ) from error
        finally:
            theirs.close()
        self._stream = self._socket.makefile("rwb")

    @property
    def process_id(self) -> int:
        """Of the far end."""
        return self._process.pid

    def send(self, question: Message, seconds: float) -> None:
        """Asks, and does not wait for the answer."""
        self._socket.settimeout(seconds)
        with self._naming_the_cause(seconds):
            messages.write(self._stream, question)

    def receive(self, seconds: float) -> Message:
        """The answer to the last question."""
        self._socket.settimeout(max(seconds, 1e-3))
        with self._naming_the_cause(seconds):
            return messages.read(self._stream)

    def end(self, *, at_once: bool) -> None:
        """Ends the process and everything that it has started."""
        if not at_once:
            with contextlib.suppress(LostError):
                self.send(Message("close"), GOODBYE_SECONDS)
                self.receive(GOODBYE_SECONDS)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        with contextlib.suppress(OSError):  # What was not sent yet has nowhere to go.
            self._stream.close()
        self._socket.close()
        self._errors.close()

    @contextlib.contextmanager
    def _naming_the_cause(self, seconds: float) -> Iterator[None]:
        try:
            yield
        except TimeoutError as error:
            raise LostError(f"no answer after {seconds:.0f} s") from error
        except (EOFError, OSError, MessageError) as error:
            raise LostError(self._last_words() or str(error)) from error

    def _last_words(self) -> str:
        """The last line of the errors that the process has printed, if it has ended."""
        deadline = time.monotonic() + 1.0
        while self._process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        if self._process.returncode is None:
            return ""
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        code = f"exit status {self._process.returncode}"
        return f"{code}: {lines[-1]}" if lines else code
