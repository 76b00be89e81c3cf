"""Items, actions and recipes in MineRL's names; the layout is the voxel world's."""

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lapis.minecraft.items import ITEMS
from lapis.minecraft.recipes import RECIPES
from lapis.worlds.making import MOST_COUNTED, count_features
from lapis.worlds.minerl import tables as sent_tables
from lapis.worlds.minerl.tables import make_tables
from lapis.worlds.remote.far import minerl as far
from lapis.worlds.remote.far.minerl import features, stations
from lapis.worlds.remote.far.minerl.tables import Component, Tables
from lapis.worlds.voxel import looking, rules
from lapis.worlds.voxel.actions import ACTION_SIZES, SPECIALS
from lapis.worlds.voxel.actions import Component as VoxelComponent
from lapis.worlds.voxel.observe import Vital

TABLES = Tables(make_tables())
BY_NAME = {f"{special.kind} {special.item}": special for special in TABLES.specials}


def test_the_layout_is_that_of_the_voxel_world():
    assert TABLES.items == ITEMS
    assert TABLES.action_sizes == ACTION_SIZES
    assert {name: int(VoxelComponent[name]) for name in VoxelComponent.__members__} == {
        name: value for name, value in vars(Component).items() if name.isupper()
    }
    assert [f"{each.kind} {each.item}".strip() for each in TABLES.specials] == [
        action.name for action in SPECIALS
    ]
    assert list(features.VITALS) == [vital.name for vital in Vital]
    assert features.MOST_EXPERIENCE == rules.MOST_EXPERIENCE
    assert sent_tables.MOST_COUNTED == MOST_COUNTED
    np.testing.assert_array_equal(TABLES.count_features, count_features())
    assert (stations.NEAR, stations.CAMERA) == (looking.NEAR, looking.EYE_HEIGHT)


@pytest.mark.parametrize(
    ("name", "command", "argument", "needs"),
    [
        ("craft planks", "craft", "planks", [[("log", None, 1)], [("log2", None, 1)]]),
        ("craft stick", "craft", "stick", [[("planks", None, 2)]]),
        ("craft fence", "nearbyCraft", "fence", [[("planks", 0, 4), ("stick", None, 2)]]),
        ("craft boat", "nearbyCraft", "boat", [[("planks", 0, 5)]]),
        ("craft wooden_slab", "nearbyCraft", "wooden_slab", [[("planks", w, 3)] for w in range(6)]),
        ("craft stone_button", "craft", "stone_button", [[("stone", 0, 1)]]),
        (
            "craft torch",
            "craft",
            "torch",
            [[("coal", 0, 1), ("stick", None, 1)], [("coal", 1, 1), ("stick", None, 1)]],
        ),
        ("craft lapis_block", "nearbyCraft", "lapis_block", [[("dye", 4, 9)]]),
        ("smelt iron_ingot", "nearbySmelt", "iron_ingot", [[("iron_ore", None, 1)]]),
        ("smelt charcoal", "nearbySmelt", "coal", [[("log", None, 1)], [("log2", None, 1)]]),
        ("place log", "place", "log", [[("log", None, 1)]]),
        ("equip iron_axe", "equip", "iron_axe", [[("iron_axe", None, 1)]]),
    ],
)
def test_special_actions_in_the_words_of_minerl(name, command, argument, needs):
    special = BY_NAME[name]
    assert (special.command, special.argument) == (command, argument)
    assert [[tuple(each) for each in need] for need in special.needs] == needs


def test_every_special_action_has_a_command_but_for_what_is_no_block_in_the_hand():
    without = {name for name, special in BY_NAME.items() if not special.command}
    assert without == {
        "none ",
        "place wooden_door",
        "place sign",
        "place iron_door",
        "place cauldron",
        "place redstone",
        "place repeater",
    }


def test_crafts_that_need_a_table_are_asked_for_nearby():
    without = {s.item for s in TABLES.specials if s.kind == "craft" and s.command == "craft"}
    assert without == {recipe.output for recipe in RECIPES if fits_two_by_two(recipe)}


def fits_two_by_two(recipe):
    return len(recipe.shape) <= 2 and max(map(len, recipe.shape)) <= 2


def test_the_far_side_needs_neither_minerl_nor_lapis_until_a_game_is_made():
    folder = Path(far.__file__).parent
    script = (
        "import runpy, sys; sys.argv = ['start.py'];"
        f"runpy.run_path({str(folder.parent / 'start.py')!r});"
        "import lapis.worlds.remote.far.minerl.worlds;"
        "bad = {'torch', 'warp', 'minerl', 'lapis.bounds', 'lapis.minecraft'} & set(sys.modules);"
        "sys.exit(str(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    files = list(folder.glob("*.py"))
    assert len(files) > 8
    for file in files:
        ast.parse(file.read_text(), feature_version=(3, 8))
