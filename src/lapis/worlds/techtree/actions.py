"""The actions of the tech-tree world: one list, ordered by kind."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from lapis.minecraft.blocks import Block
from lapis.minecraft.foods import FOOD_ITEM
from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.recipes import CRAFT_ITEM
from lapis.minecraft.smelting import SMELT_ITEM
from lapis.minecraft.tools import TOOLS
from lapis.worlds.words import action_item


class Reach(IntEnum):
    """Kinds of blocks that can be in reach at a spot."""

    DIRT = 0
    SAND = 1
    GRAVEL = 2
    LOG = 3
    LEAVES = 4
    STONE = 5
    COAL_ORE = 6
    IRON_ORE = 7
    LAPIS_ORE = 8
    REDSTONE_ORE = 9
    GOLD_ORE = 10
    DIAMOND_ORE = 11
    CRAFTING_TABLE = 12
    FURNACE = 13


REACH_BLOCK: tuple[Block, ...] = tuple(
    # DEVIATION: all woods are oak, whose leaves may drop an apple.
    {"LOG": Block.OAK_LOG, "LEAVES": Block.OAK_LEAVES}.get(kind.name) or Block[kind.name]
    for kind in Reach
)
"""The block that each kind of reach stands for."""

TOOL_ITEMS: tuple[int, ...] = tuple(ITEM[name] for name in TOOLS)
"""Items that can be taken in hand, by tool index."""

STATION_ITEMS: tuple[int, ...] = (ITEM["crafting_table"], ITEM["furnace"])
"""Items that can be placed."""


class Kind(IntEnum):
    """What an action does."""

    MOVE = 0
    DIG_DOWN = 1
    CLIMB = 2
    GATHER = 3
    EAT = 4
    PLACE = 5
    SMELT = 6
    CRAFT = 7
    EQUIP = 8


@dataclass(frozen=True)
class Action:
    """One choice of the player."""

    kind: Kind
    argument: int
    """Reach for gathering, place in the table of foods, stations, smelts, crafts or tools."""
    name: str


def _actions() -> tuple[Action, ...]:
    actions = [
        Action(Kind.MOVE, 0, "move on"),
        Action(Kind.DIG_DOWN, 0, "dig down"),
        Action(Kind.CLIMB, 0, "climb up"),
    ]
    arguments = {
        Kind.GATHER: [f"gather {kind.name.lower()}" for kind in Reach],
        Kind.EAT: [f"eat {ITEMS[item]}" for item in FOOD_ITEM],
        Kind.PLACE: [f"place {ITEMS[item]}" for item in STATION_ITEMS],
        Kind.SMELT: [f"smelt {ITEMS[item]}" for item in SMELT_ITEM],
        Kind.CRAFT: [f"craft {ITEMS[item]}" for item in CRAFT_ITEM],
        Kind.EQUIP: [f"equip {ITEMS[item]}" for item in TOOL_ITEMS],
    }
    for kind, names in arguments.items():
        actions += [Action(kind, argument, name) for argument, name in enumerate(names)]
    return tuple(actions)


ACTIONS: tuple[Action, ...] = _actions()
"""All actions; an action's number is its place here."""

ACTION: dict[str, int] = {action.name: number for number, action in enumerate(ACTIONS)}
"""Number of each action by name."""

FIRST: dict[Kind, int] = {
    kind: next(number for number, action in enumerate(ACTIONS) if action.kind == kind)
    for kind in Kind
}
"""Number of the first action of each kind."""

MOVE, DIG_DOWN, CLIMB, GATHER, EAT, PLACE, SMELT, CRAFT, EQUIP = (FIRST[kind] for kind in Kind)

ACTION_ITEMS: tuple[tuple[str, str] | None, ...] = tuple(
    action_item(action.name) for action in ACTIONS
)
"""What each action does with which item."""
