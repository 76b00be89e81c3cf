"""A person plays Simon Says in the tech-tree world, in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from lapis.minecraft.goals import GOALS
from lapis.minecraft.items import ITEMS
from lapis.play.hints import hint_for
from lapis.play.story import PersonalGame
from lapis.play.terminal import action_columns, play_out
from lapis.simonsays import words
from lapis.worlds.techtree import ACTIONS, TechTreeWorld
from lapis.worlds.techtree.actions import TOOL_ITEMS, Kind
from lapis.worlds.techtree.expert import Senses
from lapis.worlds.techtree.words import facts

__all__ = ["play_techtree"]

NAMES = tuple(action.name for action in ACTIONS)
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
    return play_out(play, lambda: _screen(play, world), NAMES, read=read, console=console)


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
    allowed = world.action_mask[0].nonzero()[:, 0].tolist()
    return action_columns(
        {
            title: [(n, NAMES[n]) for n in allowed if ACTIONS[n].kind in kinds]
            for title, kinds in GROUPS.items()
        }
    )
