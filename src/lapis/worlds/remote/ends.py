"""Far ends: all are asked at the same time, and lost ones are replaced."""

from __future__ import annotations

import logging
import time
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from lapis.bounds import shown
from lapis.worlds.remote.far.messages import PROTOCOL, Message
from lapis.worlds.remote.lines import Line, LostError

__all__ = ["Ends"]

_LOG = logging.getLogger(__name__)
_SLOW = ("hello", "reset")
"""Questions that make worlds."""


class Ends:
    """Far ends with worlds, by their index; each holds a range of the rows."""

    def __init__(
        self,
        rows: list[slice],
        *,
        open_line: Callable[[], Line],
        hello: Mapping[str, Any],
        first_world: int,
        start_seconds: float,
        step_seconds: float,
        retries: int,
    ) -> None:
        """Starts all of them side by side.

        Raises:
            ValueError: A far end refuses to make its worlds; the message says why.
            RuntimeError: It is lost before it has made them.
        """
        self.rows = rows
        self.losses = 0
        """Far ends that were lost and replaced."""
        self._open_line = open_line
        self._hello = dict(hello)
        self._first_world = first_world
        self._seconds = (step_seconds, start_seconds)
        self._retries = retries
        self._failures = [0] * len(rows)
        """Losses of each since its last step."""
        self._is_starting = [True] * len(rows)
        self._lines: dict[int, Line] = {}
        self.close = weakref.finalize(self, _end_all, self._lines)
        self.welcome: dict[str, Any] = {}
        """What each of them says of its worlds."""
        end = 0
        try:
            for end in range(len(rows)):
                self._start(end)
            for end in range(len(rows)):
                self._await_welcome(end)
        except LostError as error:
            raise RuntimeError(f"{self._name(end)} could not be started: {error}") from error

    def ask(
        self, questions: Mapping[int, Message], lose: Callable[[int], None]
    ) -> dict[int, Message]:
        """The answers of all that are not lost; the others are told to `lose` and replaced.

        Raises:
            RuntimeError: One was lost too often.
        """
        asked, answers = [], {}
        for end, question in questions.items():
            try:
                if self._is_starting[end]:
                    self._await_welcome(end)
                self._lines[end].send(question, self._time_for(question))
                asked.append(end)
            except LostError as error:
                self._replace(end, error, lose)
        start = time.monotonic()
        for end in asked:
            left = start + self._time_for(questions[end]) - time.monotonic()
            try:
                # Another may have used up the time; what lies ready must still be read.
                answers[end] = self._lines[end].receive(max(left, 1.0))
            except LostError as error:
                self._replace(end, error, lose)
                continue
            if questions[end].kind == "step":
                self._failures[end] = 0
        return answers

    def insist(
        self, questions: Mapping[int, Message], lose: Callable[[int], None]
    ) -> dict[int, Message]:
        """Answers to all questions, if need be of replacements."""
        answers: dict[int, Message] = {}
        while len(answers) < len(questions):
            open_questions = {end: each for end, each in questions.items() if end not in answers}
            answers |= self.ask(open_questions, lose)
        return answers

    def _start(self, end: int) -> None:
        """Opens a line and says hello; the answer is read when it is needed."""
        rows = self.rows[end]
        self._lines[end] = self._open_line()
        self._is_starting[end] = True
        hello = {
            "protocol": PROTOCOL,
            "world_count": rows.stop - rows.start,
            "first_world": self._first_world + rows.start,
            **self._hello,
        }
        self._lines[end].send(Message("hello", hello), self._seconds[1])

    def _await_welcome(self, end: int) -> None:
        """The far end has made its worlds, which are like those of all others."""
        answer = self._lines[end].receive(self._seconds[1])
        if answer.kind != "welcome":
            reason = answer.values.get("reason", answer.kind)
            raise ValueError(f"{self._name(end)} cannot be made elsewhere: {reason}")
        if answer.values.get("protocol") != PROTOCOL:
            raise ValueError(
                f"the far side uses protocol {shown(answer.values.get('protocol'))}, not "
                f"{PROTOCOL}; run the same version of Lapis on both sides"
            )
        if self.welcome and answer.values != self.welcome:
            raise ValueError(f"{self._name(end)} differ from the others: {shown(answer.values)}")
        self.welcome = answer.values
        self._is_starting[end] = False

    def _replace(self, end: int, cause: LostError, lose: Callable[[int], None]) -> None:
        self.losses += 1
        self._failures[end] += 1
        lose(end)
        self._lines.pop(end).end(at_once=True)
        if self._failures[end] > self._retries:
            raise RuntimeError(
                f"{self._name(end)} were lost {self._failures[end]} times in a row: {cause}"
            ) from cause
        _LOG.warning("%s are lost and start new episodes: %s", self._name(end), cause)
        try:
            self._start(end)
        except LostError as error:
            self._replace(end, error, lose)

    def _time_for(self, question: Message) -> float:
        return self._seconds[question.kind in _SLOW]

    def _name(self, end: int) -> str:
        rows = self.rows[end]
        first, last = self._first_world + rows.start, self._first_world + rows.stop - 1
        return f"worlds {first} to {last}"


def _end_all(lines: dict[int, Line]) -> None:
    for line in lines.values():
        line.end(at_once=False)
    lines.clear()
