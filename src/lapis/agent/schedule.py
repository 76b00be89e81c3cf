"""A number that changes during a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lapis.bounds import require

__all__ = ["Schedule"]


@dataclass(frozen=True)
class Schedule:
    """Goes from `start`, before the first update, to `end` within `updates`, and stays there.

    With `later` it continues to each further value, which it reaches at the update given with it.
    Without an end it stays at `start`.
    """

    start: float
    end: float | None = None
    updates: int = 0
    later: tuple[tuple[float, int], ...] = ()

    def __post_init__(self) -> None:
        if self.end is None:
            require(self.updates == 0, "updates", self.updates, "0 for a number without an end")
            require(not self.later, "later", self.later, "empty for a number without an end")
            return
        require(self.updates >= 1, "updates", self.updates, "at least 1 on the way to an end")
        by = self.updates
        for _, updates in self.later:
            require(updates > by, "updates", updates, f"more than the {by} before")
            by = updates

    def at(self, update: int) -> float:
        """The value after this number of updates."""
        if self.end is None:
            return self.start
        value = start = self.start
        since = 0
        for end, by in ((self.end, self.updates), *self.later):
            value = start + min(1.0, (update - since) / (by - since)) * (end - start)
            if update <= by:
                return value
            start, since = end, by
        return value

    @property
    def numbers(self) -> tuple[float, ...]:
        """The numbers to which a bound on the schedule applies."""
        ends = () if self.end is None else (self.end, *(value for value, _ in self.later))
        return (self.start, *ends)

    def to_json(self) -> float | list[float]:
        """A number, or start, end and updates, and whatever comes later."""
        parts = self._parts()
        return parts[0] if len(parts) == 1 else parts

    def _parts(self) -> list[float]:
        if self.end is None:
            return [self.start]
        later = (part for knot in self.later for part in knot)
        return [self.start, self.end, self.updates, *later]

    @classmethod
    def from_json(cls, value: object, name: str) -> Schedule:
        """What `to_json` gave; `name` is for the message of the ValueError on anything else."""
        parts: list[Any] = list(value) if isinstance(value, list | tuple) else [value]
        are_numbers = all(type(part) in (int, float) for part in parts)
        is_whole = len(parts) % 2 == 1 and all(type(part) is int for part in parts[2::2])
        allowed = "a number, or start, end and whole updates"
        require(are_numbers and is_whole, name, value, allowed)
        return cls._of(parts)

    @classmethod
    def _of(cls, parts: list[Any]) -> Schedule:
        start, *rest = parts
        knots = [(float(end), int(by)) for end, by in zip(rest[::2], rest[1::2], strict=True)]
        if not knots:
            return cls(float(start))
        return cls(float(start), *knots[0], tuple(knots[1:]))

    def __str__(self) -> str:
        return ":".join(f"{part}" for part in self._parts())

    @classmethod
    def from_text(cls, text: str) -> Schedule:
        """`4e-4`, or `4e-4:2e-4:1400` for a start, an end and the updates between them.

        `0.03:0.004:400:0.001:1000` goes on to 0.001 by update 1000.
        """
        parts = text.split(":")
        if len(parts) % 2 == 0:
            raise ValueError(
                f"{text!r} is not a schedule; give a number, START:END:UPDATES, or more pairs of "
                "END and UPDATES after that"
            )
        return cls._of(
            [float(part) if i % 2 or not i else int(part) for i, part in enumerate(parts)]
        )
