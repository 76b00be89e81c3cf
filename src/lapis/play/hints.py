"""How to get what is asked for: its recipe, what is missing, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass

from lapis.minecraft.ores import VEINS
from lapis.minecraft.planner import Action, source_blocks
from lapis.minecraft.recipes import Recipe, Station, recipes_for
from lapis.minecraft.smelting import FUEL_ITEM, SMELTS
from lapis.worlds.planning import (
    PICKAXES,
    Holdings,
    PlayStyle,
    Task,
    least_pickaxe,
    next_task,
)

__all__ = ["Hint", "Part", "hint_for"]

PLAY_STYLE = PlayStyle(fuels=("planks", "coal", "log"), stokes_ahead=False, spares_pickaxe=False)
"""What the next step is when several would do: who needs fuel has wood."""

_STATION = {Station.TABLE: "crafting_table", Station.FURNACE: "furnace"}
_SMELT_INPUT = {smelt.output: smelt.input for smelt in SMELTS}


@dataclass(frozen=True, kw_only=True)
class Part:
    """One thing that a goal takes or needs."""

    name: str
    need: int
    have: int
    """How many are held; for a station that stands nearby, how many are needed."""


@dataclass(frozen=True, kw_only=True)
class Hint:
    """What a person needs to know to obtain an item."""

    how: str
    """One sentence: crafted, smelted or dug, and where."""
    parts: tuple[Part, ...]
    """Ingredients, then station, tool and fuel."""
    next: str
    """What to do now, as an order."""


def hint_for(goal: str, holdings: Holdings, hand: str = "") -> Hint:
    """How to get one more of `goal`.

    Args:
        goal: An item that can be obtained.
        holdings: What the player holds, and which stations are near.
        hand: The tool in hand, "" for none.

    Raises:
        ValueError: Nothing gives `goal`.
    """
    recipes = recipes_for(goal)
    if recipes:
        how, parts = _crafted(recipes, holdings)
    elif goal in _SMELT_INPUT:
        how, parts = _smelted(_SMELT_INPUT[goal], holdings)
    else:
        how, parts = _dug(goal, holdings)
    task = next_task(goal, holdings, PLAY_STYLE)
    return Hint(how=how, parts=tuple(parts), next=_order(task, holdings, hand))


def _crafted(recipes: tuple[Recipe, ...], holdings: Holdings) -> tuple[str, list[Part]]:
    recipe = next((recipe for recipe in recipes if _can_pay(recipe, holdings)), recipes[0])
    parts = [
        Part(name=name, need=count, have=holdings.count(name))
        for name, count in recipe.ingredients.items()
    ]
    makes = f" One craft makes {recipe.count}." if recipe.count > 1 else ""
    station = _STATION.get(recipe.station)
    if station is None:
        return f"Craft it anywhere.{makes}", parts
    return f"Craft it near {_a(station)}.{makes}", [*parts, _station(station, holdings)]


def _can_pay(recipe: Recipe, holdings: Holdings) -> bool:
    return all(holdings.count(name) >= count for name, count in recipe.ingredients.items())


def _smelted(source: str, holdings: Holdings) -> tuple[str, list[Part]]:
    fuel = int(holdings.inventory[FUEL_ITEM].sum())
    parts = [
        Part(name=source, need=1, have=holdings.count(source)),
        _station("furnace", holdings),
        Part(name="fuel", need=1, have=max(fuel, int(holdings.burn > 0))),
    ]
    return "Smelt it near a furnace. Wood and coal burn.", parts


def _dug(goal: str, holdings: Holdings) -> tuple[str, list[Part]]:
    tool = least_pickaxe(goal)
    where = f"Dig {_sources(goal)}."
    if tool is None:
        return f"{where} Bare hands will do.", []
    have = sum(holdings.count(name) for name in PICKAXES[PICKAXES.index(tool) :])
    return f"{where} It takes {_a(tool)} or a better one.", [Part(name=tool, need=1, have=have)]


def _station(name: str, holdings: Holdings) -> Part:
    near = name in holdings.stations
    return Part(name=name, need=1, have=max(holdings.count(name), int(near)))


def _order(task: Task, holdings: Holdings, hand: str) -> str:
    """A task in words."""
    if task.action != Action.GATHER:
        return f"{task.action.name.capitalize()} {_plain(task.item)}."
    tool = least_pickaxe(task.item)
    order = f"Dig {_sources(task.item)}."
    if tool is None:
        return order
    good = PICKAXES[PICKAXES.index(tool) :]
    if hand in good:
        return order
    held = next(name for name in good if holdings.count(name) > 0)
    return f"Equip {_plain(held)}. {order}"


def _sources(item: str) -> str:
    """The blocks that give an item, and for an ore where it lies."""
    blocks = source_blocks(item)
    kinds = {block.name.rpartition("_")[2].lower() for block in blocks}
    if kinds == {"log"}:
        return "the trunk of any tree"
    if kinds == {"leaves"}:
        return "leaves, many of them"
    names = " or ".join(_plain(block.name.lower()) for block in blocks)
    ore = blocks[0]
    if kinds == {"ore"}:
        return f"{names}, below height {VEINS[ore].y_max}"
    return names


def _a(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {_plain(name)}"


def _plain(name: str) -> str:
    return name.replace("_", " ")
