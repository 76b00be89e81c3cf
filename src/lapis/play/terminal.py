"""A person plays in the terminal: what is typed, as actions, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch
from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.table import Table

from lapis.play.story import PersonalGame
from lapis.simonsays import words

__all__ = ["action_columns", "play_out", "understood"]

HELP = "a number or the beginning of a name; n asks for another goal, q quits"
SKIP = -1
"""In place of an action's number."""
OVER = "Any action begins the next."
STYLES = {"Done:": "bold green", "Failed:": "bold red", "You": "bold red"}
"""Of messages, by their first word."""


def play_out(
    play: PersonalGame,
    screen: Callable[[], RenderableType],
    names: Sequence[str],
    *,
    read: Callable[[str], str],
    console: Console,
) -> tuple[int, int]:
    """Plays until the player quits; returns tasks solved and tasks ended.

    Args:
        play: A game of one world, whose actions are one component.
        screen: Draws it as it is then.
        names: Of the actions.
        read: Asks for one line; EOFError and KeyboardInterrupt quit.
        console: Where all of it is shown.
    """
    console.print(f"Simon asks for an item: obtain it before the time is up. Type {HELP}.")
    while True:
        console.print(screen())
        allowed = play.game.world.action_mask[0].nonzero()[:, 0].tolist()
        number = _ask(read, console, names, allowed)
        if number is None:
            break
        if number == SKIP:
            if play.is_over:
                console.print(OVER, style="cyan")
            else:
                play.skip()
            continue
        play.take(torch.tensor([[number]], dtype=torch.int32))
        _tell(console, play)
    console.print(f"You solved {play.solved} of {play.ended} tasks.")
    return play.solved, play.ended


def action_columns(groups: Mapping[str, Sequence[tuple[int, str]]]) -> RenderableType:
    """Actions with their numbers, a column for each group that has any."""
    tables = []
    for title, rows in groups.items():
        if rows:
            table = Table(title=title, show_header=False, box=None, title_justify="left")
            for number, name in rows:
                table.add_row(f"[bold]{number}[/]", name)
            tables.append(table)
    return Columns(tables, padding=(0, 3))


def _tell(console: Console, play: PersonalGame) -> None:
    game = play.game
    if not game.restarted:
        console.print(f"{int(game.ticks) / words.TICKS_PER_SECOND:.1f} s passed.", style="dim")
    for message in play.messages:
        console.print(message, style=STYLES.get(message.split()[0], "cyan"))
    if play.is_over:
        console.print(OVER, style="cyan")
    if gained := play.gained():
        console.print(", ".join(gained), style="green")


def _ask(
    read: Callable[[str], str], console: Console, names: Sequence[str], allowed: Sequence[int]
) -> int | None:
    """The number of an allowed action, or `SKIP`; None: quit."""
    while True:
        try:
            line = read("> ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            return None
        if line in ("q", "quit"):
            return None
        if line in ("n", "next"):
            return SKIP
        found = understood(line, names, allowed)
        if isinstance(found, int):
            return found
        console.print(found, style="yellow", markup=False)


def understood(line: str, names: Sequence[str], allowed: Sequence[int]) -> int | str:
    """The action that a line means, or what is wrong with it."""
    if not line:
        return f"Type {HELP}."
    if line.isdecimal():
        number = int(line)
        if number in allowed:
            return number
        if number < len(names):
            return f"You cannot {names[number]} now."
        return f"There is no action {number}."
    matches = [number for number in allowed if names[number].startswith(line)]
    exact = [number for number in matches if names[number] == line]
    if len(exact) == 1 or len(matches) == 1:
        return (exact or matches)[0]
    if matches:
        return f"Which one: {', '.join(names[number] for number in matches)}?"
    if any(name.startswith(line) for name in names):
        return f"You cannot {line} now."
    return f"Nothing is called {line!r}. Type {HELP}."
