"""What a player of Minetest can do, as one list of actions."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lapis.worlds.minetest.tree import FURNACE, Tree, load_game, matching

__all__ = [
    "Action",
    "action_items",
    "action_prior",
    "actions_of",
    "fuels_of",
    "recipes_from",
    "smelted_from",
]

PITCHES = (60, 30, 0, -30, -60, -90)
"""Where the player can look, up or down [degrees]."""
PLACED = ("default:furnace", "default:cobble", "default:dirt", "default:torch")
"""Items that can be placed: the station, two to build with, and light."""
EATEN = ("default:apple",)
MAKING_WEIGHT = 0.2
"""How often a player that knows nothing makes, places or equips something; other actions: 1."""
WALKING_WEIGHT = 2.0
DIGGING_WEIGHT = 4.0
TURNING_WEIGHT = 0.5


@dataclass(frozen=True)
class Action:
    """One choice."""

    kind: str
    """`wait`, `walk`, `turn`, `look`, `dig`, `place`, `equip`, `eat`, `craft` or `smelt`."""
    item: str = ""
    """What it is about; empty if it is about nothing."""
    value: int = 0
    """Nodes to walk, quarter turns to the left, or the angle to look up to [degrees]."""

    @property
    def name(self) -> str:
        """In words, as one types it."""
        item = self.item.partition(":")[2].replace("_", " ")
        if self.kind == "turn":
            return {1: "turn left", 3: "turn right", 2: "turn back"}[self.value]
        if self.kind in ("walk", "look"):
            return f"{self.kind} {self.value}"
        return f"{self.kind} {item}".strip()


@functools.cache
def actions_of(tree: Tree) -> tuple[Action, ...]:
    """All actions; an action's number is its place here, and the first does nothing."""
    items = load_game()["items"]
    known = _known(tree)
    crafted = [name for name in tree.goals if recipes_from(name, known)]
    smelted = [name for name in tree.goals if smelted_from(name, known)]
    tools = [name for name in tree.goals if items[name]["type"] == "tool" and _is_digger(name)]
    return (
        Action("wait"),
        Action("walk", value=1),
        Action("walk", value=4),
        *(Action("turn", value=value) for value in (1, 3, 2)),
        *(Action("look", value=value) for value in PITCHES),
        Action("dig"),
        *(Action("eat", name) for name in EATEN),
        *(Action("place", name) for name in PLACED if name in tree.ways),
        *(Action("equip", name) for name in tools),
        *(Action("smelt", name) for name in smelted),
        *(Action("craft", name) for name in crafted),
    )


def told(action: Action, tree: Tree) -> dict[str, Any]:
    """An action with all that the server needs to know of it."""
    more: dict[str, Any] = {}
    if action.kind == "craft":
        more["recipes"] = recipes_from(action.item, _known(tree))
    if action.kind == "smelt":
        more["inputs"] = smelted_from(action.item, _known(tree))
    if action.item == "default:torch":
        more["on_walkable"] = True  # A torch holds to nothing that one walks through.
    return {"kind": action.kind, "item": action.item, "value": action.value, **more}


def fuels_of(tree: Tree) -> list[dict[str, Any]]:
    """What is burnt, in this order: coal, then what lies about, the best of it first."""
    items = load_game()["items"]
    fuels = [name for name in tree.goals if items[name]["fuel_seconds"] and tree.depth[name] <= 1]
    fuels.sort(key=lambda name: (tree.depth[name], -items[name]["fuel_seconds"], name))
    coal = ["default:coal_lump"] if "default:coal_lump" in tree.ways else []
    return [{"name": name, "seconds": items[name]["fuel_seconds"]} for name in [*coal, *fuels]]


def action_items(tree: Tree) -> tuple[tuple[str, str] | None, ...]:
    """What each action does with which item."""
    kinds = ("place", "equip", "craft", "smelt")
    return tuple((a.kind, a.item) if a.kind in kinds else None for a in actions_of(tree))


def action_prior(tree: Tree) -> tuple[float, ...]:
    """Scores of all actions for a player that knows nothing: it walks and digs, and saves."""
    weights = {"walk": WALKING_WEIGHT, "dig": DIGGING_WEIGHT, "turn": TURNING_WEIGHT}
    weights |= {"look": TURNING_WEIGHT, "wait": MAKING_WEIGHT, "eat": MAKING_WEIGHT}
    return tuple(math.log(weights.get(each.kind, MAKING_WEIGHT)) for each in actions_of(tree))


def _is_digger(name: str) -> bool:
    """Whether a tool serves to dig or fight: a pick, an axe, a shovel or a sword."""
    return name.partition(":")[2].partition("_")[0] in ("pick", "axe", "shovel", "sword")


@functools.cache
def _known(tree: Tree) -> tuple[str, ...]:
    """What can be held; plain things before rare ones."""
    return tuple(sorted(tree.goals, key=lambda name: (tree.depth[name], name)))


def recipes_from(name: str, known: Sequence[str]) -> list[dict[str, Any]]:
    """The recipes that can be followed, in the game's order, with the candidates of each place.

    `known` is what can be held; of several candidates the one that is named first is used up.
    """
    found = []
    for recipe in load_game()["items"][name]["recipes"] or ():
        laid = {place: part for place, part in enumerate(recipe["items"], 1) if part}
        parts = [{"place": place, "names": _held(part, known)} for place, part in laid.items()]
        if recipe["method"] != "normal" or not all(part["names"] for part in parts):
            continue
        parts.sort(key=lambda part: (len(part["names"]), part["place"]))
        width = int(recipe["width"])
        # A recipe without a shape fits into a grid of any width.
        places = max(laid) if width else len(laid)
        found.append({"width": width or 3, "places": places, "parts": parts})
    return found


def smelted_from(name: str, known: Sequence[str]) -> list[dict[str, Any]]:
    """What can be smelted to it, with the time; `known` as for `recipes_from`."""
    if FURNACE not in known:
        return []
    return [
        {"name": part, "seconds": recipe["seconds"]}
        for recipe in load_game()["items"][name]["recipes"] or ()
        if recipe["method"] == "cooking"
        for part in _held(recipe["items"][0], known)
    ]


def _held(part: str, known: Sequence[str]) -> list[str]:
    """The items that serve as a recipe's part and can be held."""
    names = set(matching(part, load_game()["items"]))
    return [name for name in known if name in names]
