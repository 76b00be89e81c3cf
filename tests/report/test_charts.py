"""The pieces of the figures: numbers, curves, maps, and their SVG."""

import base64
from xml.etree import ElementTree

import matplotlib
import matplotlib.image
import numpy as np
import pytest
from matplotlib.figure import Figure

from lapis.report.charts import Curve, Level, curves_panel, map_panel
from lapis.report.numbers import round_up, short_number, shorten, spread
from lapis.report.panel import COLORS, STYLE, THEME, Panel, Scale, page_panel, save

SVG = "{http://www.w3.org/2000/svg}"


def drawn(panel):
    """The axes of a panel after drawing."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=panel.size, layout="constrained")
        axes = figure.add_subplot()
        panel.draw(axes)
        figure.draw_without_rendering()
    return axes


def parts(svg):
    """Title -> group element of each part."""
    groups = [g for g in ElementTree.fromstring(svg).iter(f"{SVG}g") if g.get("class") == "part"]
    return {group.find(f"{SVG}title").text: group for group in groups}


def curve(y=(0.0, 5.0, 9.0), **settings):
    values = {"label": "a", "color": 4, "x": np.array([0, 50, 100]), "y": np.array(y)}
    return Curve(**{**values, **settings})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.025, "0.025"),
        (150, "150"),
        (1500, "1,500"),
        (20_000, "20k"),
        (1_228_800, "1.23M"),
        (859e6, "859M"),
        (2.5e9, "2.5B"),
        (-30_000, "-30k"),
    ],
)
def test_numbers_are_short(value, text):
    assert short_number(value) == text


@pytest.mark.parametrize(
    ("value", "rounded"), [(0.13, 0.2), (0.2, 0.2), (3.0, 5.0), (51.0, 100.0), (0.0, 1.0)]
)
def test_round_up(value, rounded):
    assert round_up(value) == pytest.approx(rounded)


def test_long_names_are_cut():
    assert shorten("heavy weighted pressure plate", 20) == "heavy weighted pr..."
    assert shorten("log", 3) == "log"


def test_labels_that_are_near_move_apart_around_their_middle():
    assert spread([10.0, 50.0], gap=5.0) == [10.0, 50.0]
    assert spread([20.0, 18.0], gap=4.0) == [21.0, 17.0]
    # 10 and 12 move to 8.5 and 13.5, where 15 is too near: all three around 37 / 3.
    middle = 37.0 / 3.0
    assert spread([10.0, 12.0, 15.0], gap=5.0) == pytest.approx([middle - 5, middle, middle + 5])
    assert spread([], gap=1.0) == []


def test_curves_are_named_at_their_ends_and_levels_are_marked_as_such():
    one = curve(label="uniform", y=(0.0, 5.0, 16.0))
    other = curve(label="short", color=2, x=np.array([0, 20, 40]), y=np.array([0.0, 1.0, np.nan]))
    level = Level(17.0, 0, "paper: 17")
    panel = curves_panel(
        [one, other], title="t", y_label="goals", y_limits=(0.0, 20.0), levels=[level]
    )
    texts = {text.get_text(): text for text in drawn(panel).texts}
    assert set(texts) == {"uniform 16", "short 1", "paper: 17"}
    assert texts["uniform 16"].xy == (100.0, 16.0)
    assert texts["short 1"].xy == (20.0, 1.0)  # The last value that is known.
    assert texts["uniform 16"].get_color() == COLORS[4]
    assert texts["paper: 17"].get_fontstyle() == "italic"
    # 9 of the 151.2 points of the plot are 1.19 of its 20 units: both move by 0.095.
    heights = [texts[name].xyann[1] for name in ("uniform 16", "paper: 17")]
    assert heights == pytest.approx([16.5 - 20 * 4.5 / 151.2, 16.5 + 20 * 4.5 / 151.2])


def test_curves_have_bands_single_runs_and_dots():
    panel = curves_panel(
        [
            curve(low=np.array([0.0, 4.0, 8.0]), high=np.array([1.0, 6.0, 9.5])),
            curve(color=3, singles=np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 3.0]]), has_dots=True),
        ],
        title="t",
        y_label="y",
        is_labeled=False,
    )
    axes = drawn(panel)
    assert len(axes.collections) == 1
    assert len(axes.lines) == 4  # Two means, two single runs.
    assert [line.get_marker() for line in axes.lines].count("o") == 1
    assert len(axes.texts) == 0


def test_frames_below_are_updates_above():
    panel = curves_panel([curve()], title="t", y_label="y", frames_per_update=10.0)
    (above,) = drawn(panel).child_axes
    assert above.get_xlim() == pytest.approx((0.0, 10.0))
    assert above.get_xlabel() == "updates"


def test_pointer_gets_the_numbers_of_curves():
    panel = curves_panel([curve(y=(1.23456, np.nan, 0.0))], title="t", y_label="y")
    (line,) = panel.pointer["lines"]
    assert line["x"] == [0, 50, 100]
    assert line["y"] == [1.235, None, 0.0]
    assert panel.pointer["end"] == 100.0
    box = page_panel(panel, "p")["pointer"]["box"]
    assert 0.0 < box[0] < box[0] + box[2] < 1.0
    assert 0.0 < box[1] < box[1] + box[3] < 1.0


def make_map(values, **settings):
    rows = [f"goal {number}" for number in range(values.shape[1])]
    return map_panel(
        values,
        **{
            "title": "m",
            "rows": rows,
            "named_rows": [0, 5],
            "end": 40,
            "scale": Scale(label="success"),
            "size": (3.0, 4.0),
            **settings,
        },
    )


def test_map_carries_names_and_values():
    values = np.zeros((2, 6))
    values[1, 5] = 1.0
    panel = make_map(values, frames_per_update=100.0)
    # Row by row: eleven zeros, then 255.
    assert base64.b64decode(panel.pointer["levels"]) == bytes([*[0] * 11, 255])
    axes = drawn(panel)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["goal 0", "goal 5"]
    assert axes.get_xlim() == (0.0, 4000.0)
    assert axes.images[0].get_array().tolist() == values.T.tolist()


def test_levels_of_a_map_follow_the_power_and_stop_at_the_end():
    values = np.array([[0.0, 0.05, 0.2, 0.9, np.nan]])
    for power, levels in ((1.0, [0, 64, 255, 255, 0]), (0.5, [0, 128, 255, 255, 0])):
        scale = Scale(label="sampling", high=0.2, power=power)
        panel = make_map(values, scale=scale, named_rows=[0])
        assert list(base64.b64decode(panel.pointer["levels"])) == levels
        assert (panel.pointer["high"], panel.pointer["power"]) == (0.2, power)


def test_map_is_a_picture_of_a_pixel_per_value_in_the_svg():
    panel = make_map(np.linspace(0.0, 1.0, 12).reshape(2, 6))
    (image,) = ElementTree.fromstring(page_panel(panel, "p")["svg"]).iter(f"{SVG}image")
    assert (image.get("width"), image.get("height")) == ("2", "6")
    assert image.get("href").startswith("data:image/png;base64,")
    assert "image-rendering:pixelated" in image.get("style")


def test_svg_of_a_page_has_titles_theme_and_ids_of_its_own():
    panel = curves_panel([curve(label='<b>"&')], title="t", y_label="y")
    svg = page_panel(panel, "own")["svg"]
    assert set(parts(svg)) == {'<b>"&'}
    assert "var(--s4)" in svg
    assert not any(color in svg for color in THEME)
    assert "font-family" not in svg
    root = ElementTree.fromstring(svg)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert ids
    assert len(set(ids)) == len(ids)
    assert not any(each in page_panel(panel, "other")["svg"] for each in ids)
    uses = [use.get("href") for use in root.iter(f"{SVG}use")]
    assert {f"#{each}" for each in ids} >= set(uses)


def test_a_part_of_another_class_is_inside_the_group_and_leaves_its_look_to_the_style_sheet():
    def draw(axes):
        axes.plot([0, 1], [0, 1], gid="one")
        axes.plot([0, 1], [1, 0], gid="one needs", alpha=0.0)
        axes.plot([0, 1], [1, 1], gid="other")

    panel = Panel(title="t", draw=draw, size=(2.0, 2.0), titles={"one": "first"})
    svg = page_panel(panel, "p")["svg"]
    (group,) = parts(svg).values()
    plain, needs = group.iter(f"{SVG}path")
    assert plain.get("class") is None
    assert needs.get("class") == "needs"
    assert needs.get("style") is None


def test_panels_are_saved_in_one_row_with_one_vertical_axis(tmp_path):
    panels = [make_map(np.zeros((4, 6))) for _ in range(3)]
    png, svg = save(panels, tmp_path / "new", "maps")
    height, width = matplotlib.image.imread(png).shape[:2]
    assert (width, height) == (1800, 800)  # Three times 3 inches, 4 inches, 200 dots each.
    texts = [text.text for text in ElementTree.parse(svg).getroot().iter(f"{SVG}text")]
    assert texts.count("goal 5") == 1
    assert texts.count("m") == 3
    assert "success" in texts  # The scale.


def test_dollar_signs_are_no_formulas():
    panel = curves_panel([curve(label="a $\\frac$ b")], title="t", y_label="y")
    assert "a $\\frac$ b 9" in page_panel(panel, "p")["svg"]
