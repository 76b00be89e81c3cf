"""What the terminal tells a player of the tech tree about the goal, and about what was gained."""

from __future__ import annotations

import torch
from rich.text import Text

from lapis.minecraft.items import ITEMS
from lapis.play.hints import hint_for
from lapis.worlds.planning import Holdings
from lapis.worlds.techtree import TechTreeWorld
from lapis.worlds.techtree.actions import STATION_ITEMS, TOOL_ITEMS, Reach

__all__ = ["gained", "held", "hint"]


def hint(goal: str, world: TechTreeWorld) -> Text:
    """How to get what is asked for, what is missing, and what to do next."""
    state = world.state
    stations = [ITEMS[item] for item in STATION_ITEMS]
    holdings = Holdings(
        inventory=state.inventory[0].numpy(),
        stations=frozenset(name for name in stations if state.reach[0, Reach[name.upper()]] > 0),
        burn=int(state.burn),
    )
    hand = int(state.hand)
    found = hint_for(goal, holdings, ITEMS[TOOL_ITEMS[hand]] if hand >= 0 else "")
    text = Text(f"{goal}: {found.how}")
    for place, part in enumerate(found.parts):
        text.append(", " if place else "\nneeds ")
        text.append(f"{part.need} {part.name}", "green" if part.have >= part.need else "red")
        text.append(f" (you have {part.have})", "dim")
    if not found.how.startswith(found.next):
        text.append("\nnext: ").append(found.next, "bold")
    if "height" in found.how + found.next:
        text.append(f" You are at height {int(state.height)}.")
    return text


def held(world: TechTreeWorld) -> list[str]:
    """Names of the items that the player holds."""
    return [ITEMS[item] for item in world.inventory[0].nonzero()[:, 0].tolist()]


def gained(world: TechTreeWorld, before: torch.Tensor) -> str:
    """What there is more of than `before`, a row of the inventory: "+1 log"."""
    more = zip(ITEMS, (world.inventory[0] - before).tolist(), strict=True)
    return ", ".join(f"+{count} {name}" for name, count in more if count > 0)
