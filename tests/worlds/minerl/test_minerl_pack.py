"""Stacks of the game and counts of our items."""

import pytest

from lapis.worlds.minerl.tables import make_tables
from lapis.worlds.remote.far.minerl.env import Stack
from lapis.worlds.remote.far.minerl.pack import (
    fire_after,
    has_fire,
    held,
    item_counts,
    pays,
    slots_for,
)
from lapis.worlds.remote.far.minerl.tables import Tables

TABLES = Tables(make_tables())
BY_NAME = {f"{special.kind} {special.item}": special for special in TABLES.specials}


def kinds(*stacks):
    return held([Stack(*stack, slot) for slot, stack in enumerate(stacks)])


def counted(*stacks):
    counts = item_counts(kinds(*stacks), TABLES)
    return {TABLES.items[item]: int(counts[item]) for item in counts.nonzero()[0]}


def items(**counts):
    return [counts.get(name, 0) for name in TABLES.items]


def test_variants_count_as_what_they_are_called_here():
    assert counted(("log", 3, 5), ("log2", 1, 2), ("planks", 0, 1), ("planks", 4, 1)) == {
        "log": 7,
        "planks": 2,
    }
    assert counted(("coal", 0, 3), ("coal", 1, 2)) == {"coal": 3, "charcoal": 2}
    assert counted(("dye", 4, 6), ("dye", 0, 9)) == {"dye": 6}
    assert counted(("dirt", 0, 1), ("dirt", 2, 1), ("stone", 1, 4)) == {"dirt": 1, "stone": 4}
    assert counted(("bone", 0, 7)) == {}


def test_a_fence_needs_planks_of_oak_and_a_slab_planks_of_one_wood():
    fence, slab = BY_NAME["craft fence"], BY_NAME["craft wooden_slab"]
    sticks = ("stick", 0, 2)
    assert pays(fence, kinds(("planks", 0, 4), sticks))
    assert not pays(fence, kinds(("planks", 0, 3), ("planks", 2, 9), sticks))
    assert pays(slab, kinds(("planks", 0, 2), ("planks", 5, 3)))
    assert not pays(slab, kinds(("planks", 0, 2), ("planks", 5, 2)))


@pytest.mark.parametrize(
    ("stacks", "fire", "burns"),
    [
        ([("log", 0, 1), ("coal", 0, 1)], 0, True),
        ([("log", 0, 1)], 0, False),
        ([("log", 0, 2)], 0, True),
        ([("log", 0, 1)], 200, True),
        ([("log", 0, 1), ("stick", 0, 1)], 0, False),
        ([("log", 0, 1), ("stick", 0, 1)], 100, True),
        ([("stick", 0, 2)], 0, False),
    ],
)
def test_a_log_does_not_burn_itself(stacks, fire, burns):
    assert has_fire(BY_NAME["smelt charcoal"], kinds(*stacks), fire, TABLES) == burns


@pytest.mark.parametrize(
    ("name", "before", "after", "fire", "left"),
    [
        ("smelt stone", [("cobblestone", 0, 2), ("coal", 0, 1)], [("stone", 0, 1)], 0, 1400),
        (
            "smelt stone",
            [("cobblestone", 0, 2)],
            [("cobblestone", 0, 1), ("stone", 0, 1)],
            1400,
            1200,
        ),
        ("smelt charcoal", [("log", 0, 2)], [("coal", 0, 1)], 0, 100),
        ("smelt charcoal", [("log", 0, 1), ("coal", 0, 1)], [("coal", 0, 1)], 0, 1400),
        ("smelt glass", [("sand", 0, 1), ("stick", 0, 2)], [("glass", 0, 1)], 0, 0),
    ],
)
def test_what_is_left_of_a_fire(name, before, after, fire, left):
    assert fire_after(BY_NAME[name], kinds(*before), kinds(*after), fire, TABLES) == left


def test_inherited_things_are_split_into_stacks_with_the_best_fuel_first():
    slots = slots_for(items(cobblestone=70, stick=3, coal=1, charcoal=2, bucket=17, dye=1), TABLES)
    assert slots == {
        0: {"type": "coal", "metadata": 0, "quantity": 1},
        1: {"type": "coal", "metadata": 1, "quantity": 2},
        2: {"type": "stick", "metadata": 0, "quantity": 3},
        3: {"type": "cobblestone", "metadata": 0, "quantity": 64},
        4: {"type": "cobblestone", "metadata": 0, "quantity": 6},
        5: {"type": "bucket", "metadata": 0, "quantity": 16},
        6: {"type": "bucket", "metadata": 0, "quantity": 1},
        7: {"type": "dye", "metadata": 4, "quantity": 1},
    }


def test_what_has_no_room_is_left_out():
    slots = slots_for(items(iron_sword=40, coal=1), TABLES)
    assert sorted(slots) == list(range(36))
    assert [slot["type"] for slot in slots.values()] == ["coal"] + ["iron_sword"] * 35
