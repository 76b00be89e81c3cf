"""A number that changes in the course of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lapis.bounds import require

__all__ = ["Schedule"]


@dataclass(frozen=True)
class Schedule:
    """Goes from `start`, before the first update, to `end` in so many updates, and stays there.

    Without an end it stays what it is at the start.
    """

    start: float
    end: float | None = None
    updates: int = 0

    def __post_init__(self) -> None:
        if self.end is None:
            require(self.updates == 0, "updates", self.updates, "0 for a number without an end")
        else:
            require(self.updates >= 1, "updates", self.updates, "at least 1 on the way to an end")

    def at(self, update: int) -> float:
        """The value after so many updates."""
        if self.end is None:
            return self.start
        return self.start + min(1.0, update / self.updates) * (self.end - self.start)

    @property
    def numbers(self) -> tuple[float, ...]:
        """What a bound on the schedule holds for."""
        return (self.start,) if self.end is None else (self.start, self.end)

    def to_json(self) -> float | list[float]:
        """A number, or start, end and updates."""
        return self.start if self.end is None else [self.start, self.end, self.updates]

    @classmethod
    def from_json(cls, value: object, name: str) -> Schedule:
        """What `to_json` gave; `name` is for the message of the ValueError on anything else."""
        parts: list[Any] = list(value) if isinstance(value, list | tuple) else [value]
        are_numbers = all(type(part) in (int, float) for part in parts)
        is_whole = len(parts) == 1 or (len(parts) == 3 and type(parts[2]) is int)
        allowed = "a number, or start, end and whole updates"
        require(are_numbers and is_whole, name, value, allowed)
        if len(parts) == 1:
            return cls(float(parts[0]))
        return cls(float(parts[0]), float(parts[1]), parts[2])

    def __str__(self) -> str:
        parts = self.numbers if self.end is None else (*self.numbers, self.updates)
        return ":".join(f"{part}" for part in parts)

    @classmethod
    def from_text(cls, text: str) -> Schedule:
        """`4e-4`, or `4e-4:2e-4:1400` for a start, an end and the updates between them."""
        parts = text.split(":")
        if len(parts) == 1:
            return cls(float(text))
        if len(parts) != 3:
            raise ValueError(f"{text!r} is no schedule; give a number or START:END:UPDATES")
        return cls(float(parts[0]), float(parts[1]), int(parts[2]))
