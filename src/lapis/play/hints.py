"""How to get an item: its recipe, what is missing, and what to do next."""

from __future__ import annotations

from typing import NamedTuple

from lapis.minecraft.ores import VEINS
from lapis.minecraft.planner import Action, source_blocks
from lapis.minecraft.recipes import Recipe, Station, recipes_for
from lapis.minecraft.smelting import FUEL_ITEM, SMELTS
from lapis.worlds.planning import PICKAXES, Holdings, PlayStyle, Task, least_pickaxe, next_task
from lapis.worlds.words import plain

__all__ = ["Hint", "Part", "hint_for"]

PLAY_STYLE = PlayStyle(fuels=("planks", "coal", "log"), stokes_ahead=False, spares_pickaxe=False)
"""What the next step is when several would do: who needs fuel has wood."""

_STATION = {Station.TABLE: "crafting_table", Station.FURNACE: "furnace"}
_SMELT_INPUT = {smelt.output: smelt.input for smelt in SMELTS}


class Part(NamedTuple):
    """One thing that a goal takes or needs."""

    name: str
    need: int
    have: int
    """How many are held; for a station that stands nearby, how many are needed."""


class Hint(NamedTuple):
    """What a person needs to know to obtain an item."""

    how: str
    """One sentence: crafted, smelted or dug, and where."""
    parts: tuple[Part, ...]
    """Ingredients, then station, tool and fuel."""
    next: str
    """What to do now, as an instruction."""


def hint_for(goal: str, holdings: Holdings, hand: str = "") -> Hint:
    """How to get one more of `goal`; `hand` is the tool in hand, if any.

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
    return Hint(how, tuple(parts), _order(task, holdings, hand))


def _crafted(recipes: tuple[Recipe, ...], holdings: Holdings) -> tuple[str, list[Part]]:
    def missing(recipe: Recipe) -> bool:
        return any(holdings.count(name) < need for name, need in recipe.ingredients.items())

    recipe = min(recipes, key=missing)  # The first that can be paid, or the first.
    parts = [Part(name, need, holdings.count(name)) for name, need in recipe.ingredients.items()]
    makes = f" One craft makes {recipe.count}." if recipe.count > 1 else ""
    station = _STATION.get(recipe.station)
    if station is None:
        return f"Craft it anywhere.{makes}", parts
    return f"Craft it near {_a(station)}.{makes}", [*parts, _station(station, holdings)]


def _smelted(source: str, holdings: Holdings) -> tuple[str, list[Part]]:
    fuel = int(holdings.inventory[FUEL_ITEM].sum())
    parts = [
        Part(source, 1, holdings.count(source)),
        _station("furnace", holdings),
        Part("fuel", 1, max(fuel, int(holdings.burn > 0))),
    ]
    return "Smelt it near a furnace. Wood and coal burn.", parts


def _dug(goal: str, holdings: Holdings) -> tuple[str, list[Part]]:
    where = f"Dig {_sources(goal)}."
    good = _good_pickaxes(goal)
    if not good:
        return f"{where} Bare hands will do.", []
    have = sum(holdings.count(name) for name in good)
    return f"{where} It takes {_a(good[0])} or a better one.", [Part(good[0], 1, have)]


def _good_pickaxes(item: str) -> tuple[str, ...]:
    """Those that get an item, the least first; none where hands do."""
    least = least_pickaxe(item)
    return () if least is None else tuple(PICKAXES[PICKAXES.index(least) :])


def _station(name: str, holdings: Holdings) -> Part:
    return Part(name, 1, max(holdings.count(name), int(name in holdings.stations)))


def _order(task: Task, holdings: Holdings, hand: str) -> str:
    if task.action != Action.GATHER:
        return f"{task.action.name.capitalize()} {plain(task.item)}."
    order = f"Dig {_sources(task.item)}."
    good = _good_pickaxes(task.item)
    if not good or hand in good:
        return order
    held = next(name for name in good if holdings.count(name) > 0)
    return f"Equip {plain(held)}. {order}"


def _sources(item: str) -> str:
    """The blocks that give an item, and for an ore where it lies."""
    blocks = source_blocks(item)
    kinds = {block.name.rpartition("_")[2].lower() for block in blocks}
    if kinds == {"log"}:
        return "the trunk of any tree"
    if kinds == {"leaves"}:
        return "leaves, many of them"
    names = " or ".join(plain(block.name.lower()) for block in blocks)
    return f"{names}, below height {VEINS[blocks[0]].y_max}" if kinds == {"ore"} else names


def _a(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {plain(name)}"
