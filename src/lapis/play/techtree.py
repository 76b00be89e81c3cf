"""A person plays Simon Says in the tech-tree world, in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from lapis.minecraft.goals import GOALS
from lapis.minecraft.items import ITEMS
from lapis.play.hints import hint_for
from lapis.play.story import PersonalGame
from lapis.simonsays import words
from lapis.worlds.techtree import ACTIONS, TechTreeWorld
from lapis.worlds.techtree.actions import TOOL_ITEMS, Kind
from lapis.worlds.techtree.expert import Senses
from lapis.worlds.techtree.words import facts

__all__ = ["play_techtree"]

HELP = "a number or the beginning of a name; n asks for another goal, q quits"
SKIP = -1
"""In place of an action's number."""
OVER = "Any action begins the next."
STYLES = {"Done:": "bold green", "Failed:": "bold red", "You": "bold red"}
"""Of messages, by their first word."""
GROUPS = {
    "go": (Kind.MOVE, Kind.DIG_DOWN, Kind.CLIMB),
    "gather": (Kind.GATHER,),
    "use": (Kind.EAT, Kind.PLACE, Kind.EQUIP),
    "make": (Kind.SMELT, Kind.CRAFT),
}


def play_techtree(
    *,
    seed: int = 0,
    goals: Sequence[str] = GOALS,
    read: Callable[[str], str] = input,
    console: Console | None = None,
) -> tuple[int, int]:
    """Plays until the player quits; returns tasks solved and tasks ended.

    `read` asks for one line; EOFError and KeyboardInterrupt quit.
    """
    console = console or Console()
    world = TechTreeWorld(1, seed=seed)
    play = PersonalGame(world, goals, seed)
    console.print(f"Simon asks for an item: obtain it before the time is up. Type {HELP}.")
    while True:
        console.print(_screen(play, world))
        number = _ask(read, console, world)
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


def _ask(read: Callable[[str], str], console: Console, world: TechTreeWorld) -> int | None:
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
        found = _understood(line, _allowed(world))
        if isinstance(found, int):
            return found
        console.print(found, style="yellow", markup=False)


def _understood(line: str, allowed: list[int]) -> int | str:
    """The action that a line means, or what is wrong with it."""
    if not line:
        return f"Type {HELP}."
    if line.isdecimal():
        number = int(line)
        if number in allowed:
            return number
        if number < len(ACTIONS):
            return f"You cannot {ACTIONS[number].name} now."
        return f"There is no action {number}."
    matches = [number for number in allowed if ACTIONS[number].name.startswith(line)]
    exact = [number for number in matches if ACTIONS[number].name == line]
    if len(exact) == 1 or len(matches) == 1:
        return (exact or matches)[0]
    if matches:
        names = ", ".join(ACTIONS[number].name for number in matches)
        return f"Which one: {names}?"
    if any(action.name.startswith(line) for action in ACTIONS):
        return f"You cannot {line} now."
    return f"Nothing is called {line!r}. Type {HELP}."


def _allowed(world: TechTreeWorld) -> list[int]:
    return world.action_mask[0].nonzero()[:, 0].tolist()


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


def _screen(play: PersonalGame, world: TechTreeWorld) -> RenderableType:
    around = [Text(fact) for fact in facts(world)]
    if play.is_over:  # Nothing is asked for.
        return Group(Panel(Group(*around), expand=False), _actions(world))
    task = Text(words.task(play.game))
    task.highlight_words([play.goal], "bold magenta")
    panel = Panel(Group(task, *around), expand=False)
    return Group(panel, _actions(world), _hint(play.goal, world))


def _hint(goal: str, world: TechTreeWorld) -> Text:
    senses = Senses(world, 0)
    hand = ITEMS[TOOL_ITEMS[senses.hand]] if senses.hand >= 0 else ""
    hint = hint_for(goal, senses.holdings(), hand)
    text = Text(f"{goal}: {hint.how}")
    for place, part in enumerate(hint.parts):
        text.append(", " if place else "\nneeds ")
        text.append(f"{part.need} {part.name}", "green" if part.have >= part.need else "red")
        text.append(f" (you have {part.have})", "dim")
    if not hint.how.startswith(hint.next):
        text.append("\nnext: ").append(hint.next, "bold")
    if "height" in hint.how + hint.next:
        text.append(f" You are at height {senses.height}.")
    return text


def _actions(world: TechTreeWorld) -> RenderableType:
    allowed = _allowed(world)
    tables = []
    for title, kinds in GROUPS.items():
        rows = [number for number in allowed if ACTIONS[number].kind in kinds]
        if rows:
            table = Table(title=title, show_header=False, box=None, title_justify="left")
            for number in rows:
                table.add_row(f"[bold]{number}[/]", ACTIONS[number].name)
            tables.append(table)
    return Columns(tables, padding=(0, 3))
