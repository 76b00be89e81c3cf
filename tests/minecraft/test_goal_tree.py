import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from lapis.minecraft.goals import ALL_GOALS, GOALS, PREREQUISITES, STEPPING_STONE_COUNT
from lapis.report import tech_tree
from lapis.report.goal_table import goal_table
from lapis.report.panel import page_panel, save
from lapis.report.tech_tree import goal_tree, place, tree_links

SVG = "{http://www.w3.org/2000/svg}"


def boxes(panel):
    """Goal name -> group element of its box."""
    root = ElementTree.fromstring(page_panel(panel, "tree")["svg"])
    groups = [g for g in root.iter(f"{SVG}g") if g.get("class") == "part"]
    names = [g.find(f"{SVG}title").text.split(":")[0] for g in groups]
    assert len(set(names)) == len(names)
    return dict(zip(names, groups, strict=True))


@pytest.fixture(scope="module")
def plain():
    return boxes(goal_tree())


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


def test_the_picture_has_a_box_for_every_goal(plain):
    assert set(plain) == set(ALL_GOALS)


def test_the_boxes_of_the_picture_do_not_overlap():
    places = [place(goal) for goal in ALL_GOALS]
    width, height = tech_tree.BOX_WIDTH, tech_tree.BOX_HEIGHT
    assert all(0 <= x <= tech_tree.WIDTH - width for x, y in places)
    assert all(y + height / 2 <= tech_tree.HEIGHT for _, y in places)
    for (x, y), (other_x, other_y) in combinations(places, 2):
        assert abs(x - other_x) >= width or abs(y - other_y) >= height


def test_a_box_has_a_hidden_line_for_each_prerequisite(plain):
    for goal, group in plain.items():
        lines = [path for path in group.iter(f"{SVG}path") if path.get("class") == "needs"]
        assert len(lines) == len(PREREQUISITES.get(goal, ()))


def test_stepping_stones_are_marked_in_the_picture(plain):
    marked = {goal for goal, group in plain.items() if "font-weight:700" in styles(group, "text")}
    assert marked == {goal for goal in GOALS if STEPPING_STONE_COUNT[goal]}


def styles(group, tag):
    return "|".join(element.get("style", "") for element in group.iter(f"{SVG}{tag}"))


def test_an_arrow_leads_to_every_resource_that_another_column_opens():
    # wooden pickaxe: cobblestone, coal; stone: iron_ore, dye; iron: redstone, gold_ore, diamond.
    assert sum(lane is not None for lane, _ in tree_links()) == 7


def test_success_colors_the_boxes():
    groups = boxes(goal_tree({"log": 1.0, "planks": 0.0, "diamond": 0.5}))
    for goal, color in {"log": "#00502d", "planks": "#ffffff", "diamond": "#80a896"}.items():
        assert f"fill:{color}" in styles(groups[goal], "path")
    texts = {goal: [text.text for text in groups[goal].iter(f"{SVG}text")] for goal in groups}
    assert texts["diamond"] == ["diamond", "50%"]
    assert texts["iron_pickaxe"] == ["iron pickaxe", "8"]  # Not scored: its depth.


def test_the_tree_is_written_as_a_file_that_shows_prerequisites_by_itself(tmp_path):
    (path,) = save([goal_tree()], tmp_path, "tree", formats=["svg"])
    text = path.read_text()
    assert ".part:hover .needs" in text
    assert "wooden_pickaxe: depth 3, needs planks, stick, crafting_table" in text
