import math
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from lapis.minecraft.goals import ALL_GOALS, GOALS, PREREQUISITES, STEPPING_STONE_COUNT
from lapis.report.goal_tree import goal_table, goal_tree_svg

SVG = "{http://www.w3.org/2000/svg}"


def boxes(svg):
    """Goal name -> group element of its box."""
    groups = [g for g in ElementTree.fromstring(svg).iter(f"{SVG}g") if "goal" in g.get("class")]
    names = [g.find(f"{SVG}title").text.split(":")[0] for g in groups]
    assert len(set(names)) == len(names)
    return dict(zip(names, groups, strict=True))


@pytest.mark.parametrize("width", [60, 80, 120, 240])
def test_the_table_keeps_to_its_width_and_names_every_goal_twice(width):
    lines = goal_table(width).splitlines()
    assert max(map(len, lines[1:])) <= width
    text = "\n".join(line.replace("*", " ") for line in lines)
    for goal in ALL_GOALS:
        # Once in the columns and once with its needs; more often as somebody's prerequisite.
        assert len(re.findall(rf"(?:\d|-) {goal}(?: |$)", text, re.MULTILINE)) == 2, goal


def test_the_table_gives_depth_and_prerequisites():
    lines = goal_table(200).splitlines()
    (line,) = [line for line in lines if line.startswith(" 8 iron_pickaxe ")]
    assert line.split() == ["8", "iron_pickaxe", "iron_ingot,", "stick,", "crafting_table"]


def test_all_groups_stand_side_by_side_on_a_wide_terminal():
    (heading,) = [line for line in goal_table(240).splitlines() if "surface (24)" in line]
    assert "impossible (6)" in heading


def test_stepping_stones_are_marked_in_the_table():
    text = goal_table()
    marked = set(re.findall(r"(\w+)\*", text))
    assert marked == {goal for goal in GOALS if STEPPING_STONE_COUNT[goal]}


def test_a_narrow_table_is_refused():
    with pytest.raises(ValueError, match="width=30 is too narrow"):
        goal_table(30)


def test_the_picture_has_a_box_for_every_goal():
    assert set(boxes(goal_tree_svg())) == set(ALL_GOALS)


def test_the_boxes_of_the_picture_do_not_overlap():
    rectangles = []
    for group in boxes(goal_tree_svg()).values():
        box = group.find(f"{SVG}rect")
        rectangles.append([float(box.get(key)) for key in ("x", "y", "width", "height")])
    assert all(x >= 0 and x + width <= 1200 for x, _, width, _ in rectangles)
    for (x, y, w, h), (other_x, other_y, _, _) in combinations(rectangles, 2):
        assert abs(x - other_x) >= w or abs(y - other_y) >= h


def test_a_box_has_a_hidden_line_for_each_prerequisite():
    for goal, group in boxes(goal_tree_svg()).items():
        assert len(group.findall(f"{SVG}path")) == len(PREREQUISITES.get(goal, ()))


def test_stepping_stones_are_marked_in_the_picture():
    marked = {n for n, g in boxes(goal_tree_svg()).items() if "stone" in g.get("class").split()}
    assert marked == {goal for goal in GOALS if STEPPING_STONE_COUNT[goal]}


def test_an_arrow_leads_to_every_resource_that_another_column_opens():
    root = ElementTree.fromstring(goal_tree_svg())
    arrows = [path for path in root.iter(f"{SVG}path") if path.get("class") == "lane"]
    # wooden pickaxe: cobblestone, coal; stone: iron_ore, dye; iron: redstone, gold_ore, diamond.
    assert len(arrows) == 7


def test_success_colors_the_boxes():
    groups = boxes(goal_tree_svg({"log": 1.0, "planks": 0.0, "diamond": 0.5}))
    style = {name: group.find(f"{SVG}rect").get("style") for name, group in groups.items()}
    assert style["log"] == "fill: #00502d"
    assert style["planks"] == "fill: #ffffff"
    assert style["diamond"] == "fill: #80a896"
    assert style["stick"] is None
    assert "50%" in [text.text for text in groups["diamond"].iter(f"{SVG}text")]


@pytest.mark.parametrize("value", [-0.1, 1.5, math.nan])
def test_a_success_that_is_no_probability_is_refused(value):
    with pytest.raises(ValueError, match=r"success\['log'\]=.* must lie in \[0, 1\]"):
        goal_tree_svg({"log": value})


def test_success_of_an_unknown_goal_is_refused():
    with pytest.raises(ValueError, match="success names 'emerald', which is no goal"):
        goal_tree_svg({"emerald": 0.5})
