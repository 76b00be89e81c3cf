"""The inventory: between stacks of the game and counts of our items."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Dict, Iterable, List, Sequence

import numpy as np

from lapis.worlds.remote.far.minerl.env import Stack
from lapis.worlds.remote.far.minerl.tables import Kind, Special, Tables

SLOTS = 36
"""Slots of hotbar and bag; armour and off hand have others."""
OFF_HAND_SLOT = 40

Held = Dict[Kind, int]
"""Counts of each kind; a type with the variant None has those of all its variants."""


def in_bag(stacks: Iterable[Stack]) -> List[Stack]:
    """Those that commands can take: all but what is in the off hand."""
    return [stack for stack in stacks if stack.slot != OFF_HAND_SLOT]


def held(stacks: Iterable[Stack]) -> Held:
    """How many of each kind there are."""
    counts: Held = defaultdict(int)
    for stack in stacks:
        counts[stack.type, stack.variant] += stack.quantity
        counts[stack.type, None] += stack.quantity
    return counts


def item_counts(counts: Held, tables: Tables) -> np.ndarray:
    """How many of each of our items there are, int32, shape (item,)."""
    items = np.zeros(len(tables.items), np.int32)
    for kind, item in tables.kind_items.items():
        items[item] += counts.get(kind, 0)
    return items


def pays(special: Special, counts: Held) -> bool:
    """Whether one of the alternatives is held whole."""
    return any(
        all(counts.get((type_name, variant), 0) >= count for type_name, variant, count in need)
        for need in special.needs
    )


def has_fire(special: Special, counts: Held, fire: int, tables: Tables) -> bool:
    """Whether fire and fuel last for one item, when what is to be smelted has been taken out.

    `fire` is left over from what was burnt before [ticks].
    """
    ticks = fire + sum(counts.get(kind, 0) * burns for kind, burns in tables.fuels.items())
    return any(
        pays(special._replace(needs=[need]), counts)
        and ticks - tables.fuels.get((type_name, variant), 0) >= tables.smelt_ticks
        for need in special.needs
        for type_name, variant, _ in need
    )


def fire_after(special: Special, before: Held, after: Held, fire: int, tables: Tables) -> int:
    """What is left of the fire after something was smelted, judged by what is gone [ticks]."""
    burns, (smelted, variant, _) = tables.fuels, special.needs[0][0]
    gone = sum((before.get(kind, 0) - after.get(kind, 0)) * burns[kind] for kind in burns)
    made, used = burns.get((special.argument, 0), 0), burns.get((smelted, variant), 0)
    return fire + gone + made - used - tables.smelt_ticks


def slots_for(items: Sequence[int], tables: Tables) -> Dict[int, Dict[str, Any]]:
    """Slots with so many of each item, as MineRL's `InventoryAgentStart` takes them.

    Furnaces burn what lies in the first slots, so the best fuel lies there.
    """
    # DEVIATION: an inherited inventory has 36 slots; wood is oak there, and tools are new.
    rank = {kind: place for place, kind in enumerate(tables.fuels)}
    given = np.flatnonzero(items).tolist()
    given.sort(key=lambda item: rank.get(tables.first_kind[item], len(rank)))
    stacks: List[Dict[str, Any]] = []
    for item in given:
        type_name, variant = tables.first_kind[item]
        left = int(items[item])
        while left > 0:
            count = min(left, tables.stack_sizes[item])
            stacks.append({"type": type_name, "metadata": variant or 0, "quantity": count})
            left -= count
    return dict(enumerate(stacks[:SLOTS]))
