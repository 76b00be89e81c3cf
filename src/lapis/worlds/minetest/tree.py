"""The tech tree of Minetest's game, derived from what the game has registered.

`data/game.json` is what the game's server says of itself (`mod/lapis/registry.lua`): natural
blocks with drops and dig times, recipes, fuels. What can be obtained from it and how is worked out
here; nothing is listed by hand but the mods whose items are goals.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["GAME_FILE", "Tree", "Way", "derive", "game_tree"]

GAME_FILE = Path(__file__).parent / "data" / "game.json"
GOAL_MODS = (
    "binoculars", "boats", "bucket", "carts", "default", "doors", "farming", "fire", "flowers",
    "map", "screwdriver", "tnt", "vessels", "xpanes",
)  # fmt: skip
"""Mods whose items are goals. The others have one thing in many shapes or colours, such as stairs
of every stone, or need what does not grow in an episode, such as wool."""
FURNACE = "default:furnace"
SURFACE, STONE = "surface", "stone"
"""Groups of what takes no ore: with bare hands, or with a tool."""


@dataclass(frozen=True)
class Way:
    """How an item is obtained."""

    how: str
    """`dig`, `craft` or `smelt`."""
    needs: tuple[str, ...]
    """What must be held: ingredients or a tool, the furnace and a fuel; sorted."""


@dataclass(frozen=True, eq=False)
class Tree:
    """What can be obtained from empty hands."""

    ways: dict[str, Way]
    """Of each item the way with the shortest chain of prerequisites."""
    depth: dict[str, int]
    """Length of that chain; 0 for what bare hands gather."""
    all_needs: dict[str, frozenset[str]]
    """Direct and indirect prerequisites."""
    group: dict[str, str]
    """The ore it takes that lies deepest; `stone` for what takes a tool and no ore, else
    `surface`."""
    groups: tuple[str, ...]
    """All groups, those that lie deeper later."""
    goals: tuple[str, ...]
    """What can be asked for: group by group, then by depth and name."""


@functools.cache
def load_game() -> dict[str, Any]:
    """What the game has registered, as the server wrote it."""
    return json.loads(GAME_FILE.read_text())


@functools.cache
def game_tree(lowest: int) -> Tree:
    """The tree of what lies above the height `lowest`."""
    return derive(load_game()["items"], lowest)


def derive(items: Mapping[str, Any], lowest: int) -> Tree:
    """The tree of registered items; ores that begin below the height `lowest` are left out."""
    natural = {
        name: each for name, each in items.items() if each.get("y_max", lowest - 1) >= lowest
    }
    parts = {part for item in items.values() for r in item["recipes"] or () for part in r["items"]}
    members = {part: matching(part, items) for part in parts if part}
    ways: dict[str, Way] = {}
    depth: dict[str, int] = {}
    while found := _one_step_away(items, natural, members, depth):
        # What was found in the same round is no deeper: it is not built on each other.
        ways |= found
        depth |= {name: _depth_of(way, depth) for name, way in found.items()}
    all_needs: dict[str, frozenset[str]] = {}
    for name in sorted(ways, key=lambda each: depth[each]):
        direct = ways[name].needs
        all_needs[name] = frozenset(direct).union(*(all_needs[each] for each in direct))
    heights = _heights(natural)
    group = {name: _group(name, ways, all_needs, heights) for name in ways}
    ores = sorted(set(group.values()) - {SURFACE, STONE}, key=lambda each: _order(each, heights))
    groups = (SURFACE, STONE, *ores)
    goals = sorted(
        (name for name in ways if name.partition(":")[0] in GOAL_MODS),
        key=lambda name: (groups.index(group[name]), depth[name], name),
    )
    return Tree(ways, depth, all_needs, group, groups, tuple(goals))


def _one_step_away(
    items: Mapping[str, Any],
    natural: Mapping[str, Any],
    members: Mapping[str, list[str]],
    depth: Mapping[str, int],
) -> dict[str, Way]:
    """What is not held yet and can be had by somebody who holds plenty of all in `depth`."""
    found: dict[str, Way] = {}

    def offer(name: str, how: str, needs: Iterable[str]) -> None:
        way = Way(how, tuple(sorted(set(needs))))
        if name not in depth and (
            name not in found or _rank(way, depth) < _rank(found[name], depth)
        ):
            found[name] = way

    for block in natural.values():
        tools = [tool for tool in block["dig_seconds"] or {} if tool == "" or tool in depth]
        for drop in block["drops"] or ():
            for tool in tools:
                if not drop.get("tools") or tool in drop["tools"]:
                    offer(drop["item"], "dig", [tool] if tool else [])
    fuels = [name for name in depth if items.get(name, {}).get("fuel_seconds")]
    for name, item in items.items():
        for recipe in item["recipes"] or () if name not in depth else ():
            cheapest = [_cheapest(members[part], depth) for part in recipe["items"] if part]
            parts = [part for part in cheapest if part is not None]
            if len(parts) < len(cheapest):
                continue
            if recipe["method"] == "normal":
                offer(name, "craft", parts)
            elif recipe["method"] == "cooking" and FURNACE in depth and fuels:
                fuel = min(fuels, key=lambda each: (depth[each], each))
                offer(name, "smelt", [*parts, FURNACE, fuel])
    return found


def matching(part: str, items: Mapping[str, Any]) -> list[str]:
    """The items that a recipe means by a name, or by `group:a,b`: all that are in each group."""
    if not part.startswith("group:"):
        return [part]
    groups = part.removeprefix("group:").split(",")
    return [
        name
        for name, item in items.items()
        if all((item["groups"] or {}).get(group, 0) for group in groups)
    ]


def _cheapest(names: Iterable[str], depth: Mapping[str, int]) -> str | None:
    known = [name for name in names if name in depth]
    return min(known, key=lambda name: (depth[name], name), default=None)


def _rank(way: Way, depth: Mapping[str, int]) -> tuple[int, int, tuple[str, ...]]:
    return _depth_of(way, depth), len(way.needs), way.needs


def _depth_of(way: Way, depth: Mapping[str, int]) -> int:
    return 1 + max((depth[name] for name in way.needs), default=-1)


def _heights(natural: Mapping[str, Any]) -> dict[str, float]:
    """The greatest height at which each item lies in the ground."""
    heights: dict[str, float] = {}
    for block in natural.values():
        for drop in block["drops"] or ():
            heights[drop["item"]] = max(heights.get(drop["item"], -1e9), block["y_max"])
    return heights


def _group(
    name: str,
    ways: Mapping[str, Way],
    all_needs: Mapping[str, frozenset[str]],
    heights: Mapping[str, float],
) -> str:
    parts = [each for each in (name, *all_needs[name]) if ways[each].how == "dig"]
    everywhere = max(heights.values())
    ores = [each for each in parts if heights[each] < everywhere]
    if ores:
        return _plain(min(ores, key=lambda each: (heights[each], each)))
    return STONE if any(ways[each].needs for each in parts) else SURFACE


def _order(group: str, heights: Mapping[str, float]) -> tuple[float, str]:
    return min((-height, group) for name, height in heights.items() if _plain(name) == group)


def _plain(name: str) -> str:
    """The name of an ore without its mod and form: `default:coal_lump` is coal."""
    return name.partition(":")[2].removesuffix("_lump").removesuffix("_crystal")
