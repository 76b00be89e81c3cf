"""The pieces of the page: ticks, labels, lines, heat maps and their pictures."""

import io
import json
import math
import re

import matplotlib.image
import numpy as np
import pytest

from lapis.report.dot_chart import Dot, dot_chart, dot_limits
from lapis.report.heat_map import Scale, color_bar, heat_map, palette_png, round_up
from lapis.report.line_chart import Chart, Line, Mark, line_chart, nice_ticks, short_number, spread


@pytest.mark.parametrize(
    ("low", "high", "count", "ticks"),
    [
        (0, 107, 6, [0, 20, 40, 60, 80, 100]),
        (0, 600, 5, [0, 200, 400, 600]),
        (-0.3, 0.3, 3, [-0.2, 0, 0.2]),
        (0, 30, 3, [0, 10, 20, 30]),
        (7990, 8060, 3, [8000, 8050]),
    ],
)
def test_ticks_are_round_numbers_inside(low, high, count, ticks):
    assert nice_ticks(low, high, count) == pytest.approx(ticks)


@pytest.mark.parametrize(("low", "high", "count"), [(1, 1, 5), (2, 1, 5), (0, 1, 0)])
def test_ticks_refuse_an_empty_range(low, high, count):
    with pytest.raises(ValueError, match="need low < high and count >= 1"):
        nice_ticks(low, high, count)


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


def test_labels_that_are_near_move_apart_around_their_middle():
    assert spread([10.0, 50.0], gap=5.0) == [10.0, 50.0]
    assert spread([20.0, 18.0], gap=4.0) == [21.0, 17.0]
    # 10 and 12 move to 8.5 and 13.5, where 15 is too near: all three around 37 / 3.
    middle = 37.0 / 3.0
    assert spread([10.0, 12.0, 15.0], gap=5.0) == pytest.approx([middle - 5, middle, middle + 5])
    assert spread([], gap=1.0) == []


def test_chart_places_lines_in_thousandths_of_the_plot():
    line = Line(
        label="a <b>",
        color=4,
        x=np.array([0, 50, 100]),
        y=np.array([0.0, 5.0, 20.0]),
        low=np.array([0.0, 4.0, 10.0]),
        high=np.array([1.0, 6.0, 10.0]),
    )
    html = line_chart(
        Chart(title="t", x_label="updates", y_label="y", lines=[line], y_limits=(0.0, 10.0))
    )
    assert 'class="line s4" d="M0,1000L500,500L1000,0"' in html  # 20 is cut at the top.
    assert 'class="band s4" d="M0,900L500,400L1000,0L1000,0L500,600L0,1000Z"' in html
    data = json.loads(re.search(r"<script[^>]*>(.*)</script>", html)[1])
    assert data["lines"][0]["y"] == [0.0, 5.0, 20.0]
    assert data["lines"][0]["label"] == "a <b>"
    assert "<b>" not in html


def test_gaps_are_left_out_of_lines_and_null_in_the_numbers():
    line = Line(label="a", color=0, x=np.array([0, 1, 2]), y=np.array([1.0, np.nan, 0.0]))
    chart = Chart(title="t", x_label="x", y_label="y", lines=[line], y_limits=(0.0, 1.0))
    html = line_chart(chart)
    assert 'd="M0,0L1000,1000"' in html
    assert '"y":[1.0,null,0.0]' in html
    assert "band" not in html


def test_single_runs_are_drawn_thin():
    line = Line(
        label="a",
        color=3,
        x=np.array([0, 1]),
        y=np.array([0.5, 0.5]),
        singles=np.array([[0.0, 1.0], [1.0, 0.0]]),
    )
    chart = Chart(title="t", x_label="x", y_label="y", lines=[line], y_limits=(0.0, 1.0))
    html = line_chart(chart)
    assert 'class="single-run s3" d="M0,1000L1000,0M0,0L1000,1000"' in html


def test_dots_stand_in_percent_of_a_range_that_holds_all():
    dots = [
        Dot(label="a_b <i>", color=5, value=50.0, low=0.0, high=100.0, singles=(0.0, 100.0)),
        Dot(label="alone", color=4, value=25.0, low=math.nan, high=math.nan, singles=(25.0,)),
    ]
    assert dot_limits(dots) == pytest.approx((-6.0, 106.0))  # 6 % of 100 at either side.
    html = dot_chart(dots, title="t", x_label="goals", reference=25.0)
    # 56 of 112 is the middle; 6 / 112 is 5.36 %, 31 / 112 is 27.68 %, 100 / 112 is 89.29 %.
    assert '<i class="dot" style="left:50.00%">' in html
    assert '<i class="interval" style="left:5.36%;width:89.29%">' in html
    assert html.count('<i class="dot-reference" style="left:27.68%">') == 2
    assert html.count('class="interval"') == 1
    assert "a_<wbr>b &lt;i&gt;" in html
    assert 'title="alone: 25.0"' in html
    assert dot_limits([dots[1]]) == (24.0, 26.0)


def test_chart_of_equal_values_has_room_around_them():
    line = Line(label="a", color=0, x=np.array([0, 1]), y=np.array([2.0, 2.0]))
    html = line_chart(Chart(title="t", x_label="x", y_label="y", lines=[line]))
    assert 'd="M0,500L1000,500"' in html


def test_marks_stand_at_their_height():
    line = Line(label="a", color=0, x=np.array([0, 1]), y=np.array([0.0, 1.0]))
    marks = [Mark(value=82, color=4, text="82"), Mark(value=79, color=3, text="79")]
    html = line_chart(
        Chart(title="t", x_label="x", y_label="y", lines=[line], marks=marks, y_limits=(0.0, 100.0))
    )
    assert 'class="mark s4" d="M0,180H1000"' in html
    # At 340 pixels: 61.2 and 71.4 are 10.2 apart, they need 13: 66.3 - 6.5 and 66.3 + 6.5.
    assert 'class="mark-label s4" style="top:59.8px">82' in html
    assert 'class="mark-label s3" style="top:72.8px">79' in html


def test_png_has_the_colors_of_its_levels():
    levels = np.array([[0, 1, 2], [2, 1, 0]], dtype=np.uint8)
    colors = np.array([[0, 0, 0], [255, 0, 0], [10, 20, 30]], dtype=np.uint8)
    image = matplotlib.image.imread(io.BytesIO(palette_png(levels, colors)), format="png")
    pixels = np.rint(255 * np.asarray(image))[:, :, :3].astype(int)
    assert pixels.tolist() == colors[levels].tolist()


def test_levels_follow_the_power_and_stop_at_the_end():
    values = np.array([0.0, 0.05, 0.2, 0.9, np.nan])
    assert Scale(high=0.2).levels(values).tolist() == [0, 64, 255, 255, 0]
    assert Scale(high=0.2, power=0.5).levels(values).tolist() == [0, 128, 255, 255, 0]
    assert Scale(high=1.0).colors().shape == (256, 3)


@pytest.mark.parametrize(
    ("value", "rounded"), [(0.13, 0.2), (0.2, 0.2), (3.0, 5.0), (51.0, 100.0), (0.0, 1.0)]
)
def test_round_up(value, rounded):
    assert round_up(value) == pytest.approx(rounded)


def test_heat_map_carries_names_and_values():
    values = np.zeros((2, 6))
    values[1, 5] = 1.0
    rows = [f"goal {number}" for number in range(5)] + ["<last>"]
    html = heat_map(values, scale=Scale(high=1.0), title="a", rows=rows, end=40, color=1)
    assert "goal 0" in html
    assert "&lt;last&gt;" in html  # Rows 0 and 5 are named.
    assert "goal 1" not in html
    assert 'data-end="40" data-columns="2"' in html
    # Row by row: eleven zeros, then 255.
    assert 'data-values="AAAAAAAAAAAAAAD/"' in html


def test_color_bar_tells_the_ends_of_the_scale():
    html = color_bar(Scale(high=0.2, power=0.5, percent_digits=1), "sampling probability")
    assert 'left:50.0%">5.0<' in html  # A quarter of 20 %, at the root of a quarter.
    assert 'left:100.0%">20.0<' in html
