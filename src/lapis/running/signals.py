"""Stopping a run by signal without losing work."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Self

__all__ = ["StopRequest", "Stopped"]


class Stopped(BaseException):
    """A signal asked for a stop during work that can be dropped and repeated.

    Not an Exception, so that it is never mistaken for an error of that work.
    """


class StopRequest:
    """While entered, the first SIGINT, SIGTERM or SIGHUP asks for a stop; a second SIGINT aborts.

    The loop checks `signal` after each update, saves, and ends. The abort raises KeyboardInterrupt,
    so that the terminal is left in order.

    Args:
        notice: Gets a sentence when the first signal arrives.
    """

    def __init__(self, notice: Callable[[str], None]) -> None:
        self.signal: signal.Signals | None = None
        self._notice = notice
        self._previous = {}
        self._is_interruptible = False

    @property
    def exit_code(self) -> int:
        """128 and the signal's number, as shells count it; 0 without a signal."""
        return 0 if self.signal is None else 128 + self.signal

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number == signal.SIGHUP and signal.getsignal(number) == signal.SIG_IGN:
                continue  # Under nohup a run goes on when its terminal is closed.
            self._previous[number] = signal.signal(number, self._receive)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    @contextlib.contextmanager
    def interruptible(self) -> Iterator[None]:
        """Work that may be interrupted anywhere; a signal, even an earlier one, raises Stopped."""
        self._is_interruptible = True
        try:
            if self.signal is not None:
                raise Stopped
            yield
        finally:
            self._is_interruptible = False

    def _receive(self, number: int, frame: FrameType | None) -> None:
        if self.signal is None:
            self.signal = signal.Signals(number)
            if self._is_interruptible:
                self._notice(f"{self.signal.name}: stopping the evaluation and saving")
                raise Stopped
            self._notice(
                f"{self.signal.name}: finishing this update, then saving; Ctrl-C stops at once"
            )
        elif number == signal.SIGINT:
            raise KeyboardInterrupt
