"""Simon Says in words: what is asked for, and what a step led to. Every screen uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lapis.worlds.words import plain

if TYPE_CHECKING:
    from lapis.simonsays.protocol import SimonSays

__all__ = ["TICKS_PER_SECOND", "asked", "change", "seconds_left", "skipped", "task", "told"]

TICKS_PER_SECOND = 20


def asked(game: SimonSays, row: int = 0) -> str:
    """The name of the goal, or of both goals of a pair."""
    return game.tasks[int(game.task[row])]


def seconds_left(game: SimonSays, row: int = 0) -> float:
    """Of the task, in the game's time."""
    return int(game.task_ticks_left[row]) / TICKS_PER_SECOND


def task(game: SimonSays, row: int = 0) -> str:
    """The goal and the time left."""
    return f"Simon says: {asked(game, row)}   {seconds_left(game, row):.0f} s left"


def told(game: SimonSays, goal: str, row: int = 0) -> list[str]:
    """What the last step led to, one sentence each; nothing if the task just continues.

    `goal` is what was asked for before the step.
    """
    if game.restarted[row]:
        return ["A new episode begins."]
    sentences = []
    if game.task_succeeded[row]:
        sentences.append(f"Done: {plain(goal)}.")
    elif game.task_over[row] and not game.world.died[row]:
        sentences.append(f"Failed: no {plain(goal)} in time.")
    if game.world.died[row]:
        sentences.append("You died.")
    if game.terminated[row] or game.truncated[row]:
        sentences.append("The episode is over.")
    return sentences


def skipped(goal: str) -> str:
    """A player would rather do something else."""
    return f"Skipped: {plain(goal)}."


def change(item: str, count: int) -> str:
    """How many of an item came (above 0) or went (below 0): "+1 log"."""
    return f"{count:+d} {plain(item)}"
