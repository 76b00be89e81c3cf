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
from lapis.play.goals import PersonalGoals
from lapis.play.techtree_hint import gained, held, hint
from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.worlds.techtree import ACTIONS, TechTreeWorld
from lapis.worlds.techtree.actions import Kind
from lapis.worlds.techtree.words import facts

__all__ = ["play_techtree"]

TICKS_PER_SECOND = 20
HELP = "a number or the beginning of a name; n asks for another goal, q quits"
SKIP = -1
"""In place of an action's number."""
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
    """Plays until the player quits or the input ends; returns tasks solved and tasks ended.

    Args:
        seed: Decides the world and the goals.
        goals: Items that can be asked for.
        read: Asks for one line; EOFError and KeyboardInterrupt quit.
        console: Where to draw.
    """
    console = console or Console()
    config = SimonSaysConfig(goals=tuple(goals), bonus="none")
    world = TechTreeWorld(1, seed=seed)
    game = SimonSays(world, config, seed=seed)
    personal = PersonalGoals(game.goals, seed)
    _ask_for(game, personal.draw())
    solved = ended = clock = 0
    console.print(f"Simon asks for an item: obtain it before the time is up. Type {HELP}.")
    while True:
        console.print(_screen(game, world, config.task_ticks - clock))
        asked = game.goals[int(game.goal)]
        console.print(hint(asked, world))
        number = _ask(read, console, world)
        if number is None:
            break
        if number == SKIP:
            if _is_over(game):
                console.print("The episode is over: move on to the next.", style="cyan")
                continue
            # As in the voxel world: a failure for the curriculum, but not for the score.
            personal.record(asked, False)
            _ask_for(game, personal.draw(after=asked))
            clock = 0
            continue
        before = world.inventory[0].clone()
        game.step(torch.tensor([[number]], dtype=torch.int32))
        world.check()
        solved += int(game.task_succeeded)
        ended += int(game.task_over)
        clock = 0 if game.task_over or game.restarted else clock + int(world.ticks)
        if bool(game.task_over):
            personal.record(asked, bool(game.task_succeeded))
        personal.see(held(world))
        _tell(console, game, world, asked)
        if (more := gained(world, before)) and not bool(game.restarted):
            console.print(more, style="green")
        if bool(game.task_over | game.restarted) and not _is_over(game):
            _ask_for(game, personal.draw(after=asked))
    console.print(f"You solved {solved} of {ended} tasks.")
    return solved, ended


def _ask_for(game: SimonSays, goal: str) -> None:
    game.ask_for(torch.full_like(game.goal, game.goals.index(goal)))


def _is_over(game: SimonSays) -> bool:
    return bool(game.terminated | game.truncated)


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


def _tell(console: Console, game: SimonSays, world: TechTreeWorld, asked: str) -> None:
    """Says what came of the step."""
    ticks = int(world.ticks)
    if bool(game.restarted):
        console.print("A new episode begins.", style="cyan")
        return
    console.print(f"{ticks / TICKS_PER_SECOND:.1f} s passed.", style="dim")
    if bool(game.task_succeeded):
        console.print(f"Well done: you have got {asked}.", style="bold green")
    elif bool(game.task_over):
        console.print(f"Failed: no {asked} in time.", style="bold red")
    if bool(world.died):
        console.print("You died.", style="bold red")
    if _is_over(game):
        console.print("The episode is over: move on to the next.", style="cyan")


def _screen(game: SimonSays, world: TechTreeWorld, ticks_left: int) -> RenderableType:
    goal = Text.assemble("Simon says: ", (game.goals[int(game.goal)], "bold magenta"))
    goal.append(f"   {ticks_left / TICKS_PER_SECOND:.0f} s left", style="cyan")
    return Group(Panel(Group(goal, *map(Text, facts(world))), expand=False), _actions(world))


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
