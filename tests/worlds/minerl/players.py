"""Players that reach what is rare, and what they begin with."""

import numpy as np

from lapis.worlds.remote.far.minerl.tables import Component

STATIONS = ("place crafting_table", "place furnace")


def random_choices(mask, tables, rng):
    """An allowed choice of each component; half of the special choices are none."""
    choices = []
    for first, size in zip(tables.first_choice, tables.action_sizes, strict=True):
        allowed = np.flatnonzero(mask[first : first + size])
        weight = np.where((allowed == 0) & (size > 100), max(len(allowed) - 1, 1), 1)
        choices.append(int(rng.choice(allowed, p=weight / weight.sum())))
    return choices


def busy_choices(mask, tables, rng):
    """A player that works at tables and furnaces: it stays where it is and looks down a little."""
    choices = random_choices(mask, tables, rng)
    first, last = tables.first_choice[Component.PITCH], tables.first_choice[Component.YAW]
    levels = len(tables.camera_angles) + np.arange(3, 5)  # 30 and 60 degrees down.
    for component in (Component.WALK, Component.STRAFE, Component.JUMP, Component.YAW):
        choices[component] = choices[component] if rng.random() < 0.1 else 0
    choices[Component.PITCH] = int(rng.choice(levels)) if rng.random() < 0.2 else 0
    if not mask[first:last][choices[Component.PITCH]]:
        choices[Component.PITCH] = 0
    special = tables.first_choice[Component.SPECIAL]
    for number, each in enumerate(tables.specials):
        is_station = f"{each.kind} {each.item}" in STATIONS
        if is_station and mask[special + number] and rng.random() < 0.1:
            choices[Component.SPECIAL] = number
    return choices


def rich(tables, rng):
    """Things for a start in at most 36 slots, with tables, furnaces and fuel."""
    items = np.zeros(len(tables.items), int)
    for name in rng.choice(tables.items, 14, replace=False):
        items[tables.items.index(name)] = rng.integers(1, 12)
    for name in rng.choice(["cobblestone", "sand", "log", "iron_ore", "gold_ore"], 3):
        items[tables.items.index(name)] = 9
    for name in rng.choice(["iron_ingot", "gold_ingot", "diamond", "redstone", "stone"], 3):
        items[tables.items.index(name)] = 30
    items = np.minimum(items, tables.stack_sizes)
    for name, count in (("crafting_table", 5), ("furnace", 5), ("planks", 30), ("stick", 20)):
        items[tables.items.index(name)] = count
    return items.tolist()
