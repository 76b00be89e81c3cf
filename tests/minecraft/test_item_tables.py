import json
import re
from importlib import resources

import numpy as np
import pytest

from lapis.minecraft.goals import ALL_GOALS
from lapis.minecraft.items import ITEM, ITEMS, NAMES_1_16, STACK_SIZE, item_index

DATA_FILES = ("biomes", "blocks", "foods", "goals", "items", "ores", "recipes", "tools")


def test_item_names_are_unique():
    assert len(set(ITEMS)) == len(ITEMS) == 128


def test_a_goal_has_the_index_of_its_item():
    assert ITEMS[:113] == ALL_GOALS
    assert [ITEM[goal] for goal in ALL_GOALS] == list(range(113))


def test_stack_sizes_of_known_items():
    sizes = {"log": 64, "iron_pickaxe": 1, "sign": 16, "bucket": 16, "shears": 1, "boat": 1}
    assert {name: int(STACK_SIZE[ITEM[name]]) for name in sizes} == sizes


def test_tables_cannot_be_written():
    with pytest.raises(ValueError, match="read-only"):
        STACK_SIZE[0] = 1


def test_an_unknown_item_is_named_in_the_error():
    with pytest.raises(ValueError, match=r"name='iron_plate' is not an item"):
        item_index("iron_plate")


def test_any_wood_of_1_16_counts_as_log():
    assert len(NAMES_1_16["log"]) == 6
    assert "dark_oak_log" in NAMES_1_16["log"]


def test_names_of_1_16_belong_to_one_item():
    names = [name for own in NAMES_1_16.values() for name in own]
    assert len(names) == len(set(names))


def cited(content):
    """Codes of sources in the descriptions of columns and in every field named source."""
    texts = list(content["columns"].values())
    stack = [content]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            texts += [text for key, text in value.items() if key.endswith("source")]
            stack += value.values()
        elif isinstance(value, list):
            stack += value
    return {code for text in texts for code in re.findall(r"\b[A-Z]{1,2}\b", text)}


def test_a_data_file_explains_exactly_the_sources_that_it_cites():
    for name in DATA_FILES:
        path = resources.files("lapis.minecraft").joinpath(f"data/{name}.json")
        content = json.loads(path.read_text())
        assert cited(content) == set(content["sources"])


def test_the_package_ships_exactly_the_listed_data_files():
    folder = resources.files("lapis.minecraft").joinpath("data")
    assert sorted(entry.name for entry in folder.iterdir()) == [f"{n}.json" for n in DATA_FILES]


def test_index_arrays_are_int32():
    assert STACK_SIZE.dtype == np.int32
