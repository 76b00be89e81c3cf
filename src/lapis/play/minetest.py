"""A person plays Simon Says in Minetest's own game, in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from lapis.play.story import PersonalGame
from lapis.play.terminal import action_columns, play_out
from lapis.simonsays import words
from lapis.worlds.minetest.actions import actions_of
from lapis.worlds.minetest.config import MinetestConfig
from lapis.worlds.minetest.words import facts

__all__ = ["play_minetest"]

GROUPS = {
    "go": ("wait", "walk", "turn", "look"),
    "use": ("dig", "eat", "place", "equip"),
    "make": ("smelt", "craft"),
}


def play_minetest(
    *,
    seed: int = 0,
    goals: Sequence[str] = (),
    read: Callable[[str], str] = input,
    console: Console | None = None,
) -> tuple[int, int]:
    """Plays until the player quits; returns tasks solved and tasks ended.

    `read` asks for one line; EOFError and KeyboardInterrupt quit. Without `goals` all can be asked
    for.
    """
    config = MinetestConfig(servers=1)
    actions = actions_of(config.tree)
    world = config.build(1, seed=seed, device="cpu", first_world=0)
    play = PersonalGame(world, goals or config.tree.goals, seed, prerequisites=config.prerequisites)

    def screen() -> RenderableType:
        allowed = world.action_mask[0].nonzero()[:, 0].tolist()
        choices = {
            title: [(n, actions[n].name) for n in allowed if actions[n].kind in kinds]
            for title, kinds in GROUPS.items()
        }
        around = [Text(fact) for fact in facts(world)]
        task = [] if play.is_over else [Text(words.task(play.game), style="bold magenta")]
        hint = [] if play.is_over else [Text(_hint(config, play.goal))]
        return Group(Panel(Group(*task, *around), expand=False), action_columns(choices), *hint)

    try:
        names = [each.name for each in actions]
        return play_out(play, screen, names, read=read, console=console or Console())
    finally:
        world.close()


def _hint(config: MinetestConfig, goal: str) -> str:
    way = config.tree.ways[goal]
    return f"{goal}: {way.how}, needs {', '.join(way.needs) or 'bare hands'}"
