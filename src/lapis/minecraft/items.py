"""The columns of an inventory: goals first, in the order of `goals`, then all other items.

Items are types: every wood gives the same `log`, every plank is `planks`. The list only ever
grows at its end, so that an index keeps its meaning.
"""

from __future__ import annotations

from lapis.minecraft.data_files import load, read_only

_ENTRIES = load("items")["items"]

ITEMS: tuple[str, ...] = tuple(entry["name"] for entry in _ENTRIES)
"""Registry names of 1.11.2. Index = inventory column; a goal has its item's index."""

ITEM: dict[str, int] = {name: index for index, name in enumerate(ITEMS)}
"""Index of each item."""

STACK_SIZE = read_only([entry["stack_size"] for entry in _ENTRIES])
"""Items in one slot, int32, shape (item,)."""

NAMES_1_16: dict[str, tuple[str, ...]] = {
    entry["name"]: tuple(entry["names_1_16"]) for entry in _ENTRIES
}
"""Names in Minecraft 1.16 that count as the item."""


def item_index(name: str) -> int:
    """The index of an item.

    Raises:
        ValueError: `name` is not an item.
    """
    if name not in ITEM:
        raise ValueError(f"name={name!r} is not an item; lapis.minecraft.items.ITEMS lists all")
    return ITEM[name]
