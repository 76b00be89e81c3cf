"""The page in a real browser: no errors, figures that are not empty, and a pointer that finds them.

A probe script is added to a copy of the page. It drives the pointer and tells what it sees to the
page around it, which the browser prints. A frame can be as narrow as a phone, a window cannot.
"""

import html
import json
import re
import shutil
import subprocess

import pytest

from lapis.report.command import write_report
from tests.report.synthetic import make_run

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium to open the report with")

CATCH_ERRORS = """<script>
window.found = { errors: [] };
window.addEventListener("error", (event) => window.found.errors.push(event.message));
</script>"""

PROBE = """<script>
window.addEventListener("load", () => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const size = (element) => {
    const box = element.getBoundingClientRect();
    return [Math.round(box.width), Math.round(box.height)];
  };
  const point = (element, x, y) => {
    const box = element.getBoundingClientRect();
    const place = { clientX: box.left + x * box.width, clientY: box.top + y * box.height };
    element.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, ...place }));
    const text = [...document.getElementById("tip").children].map((row) => row.textContent);
    element.dispatchEvent(new PointerEvent("pointerleave"));
    return text;
  };
  const shown = (selector) => all(selector).filter((each) => size(each)[0] > 0);
  found.width = [document.documentElement.scrollWidth, window.innerWidth];
  found.plots = shown(".plot svg").map(size);
  found.curves = shown(".plot").map((plot) => plot.querySelectorAll(".line").length);
  found.maps = all(".map img").map((image) => [...size(image), image.naturalHeight]);
  const parts = [".dot", ".interval", ".single"];
  found.dots = all(".dot-track").map((track) => [
    size(track)[0], ...parts.map((name) => size(track.querySelector(name))[0])]);
  found.theory = all(".theory img").map((image) => [...size(image), image.naturalWidth]);
  found.boxes = shown("details[open] .tech-tree svg").map(
    (tree) => tree.querySelectorAll(".goal").length);
  found.chart = point(shown(".in-updates .plot")[1], 1, 0.5);
  found.evaluation = point(shown(".in-updates .plot")[0], 1, 0.5);
  found.map = point(document.querySelector(".map"), 0.999, 0.001);
  found.goal = point(document.querySelector("details[open] .tech-tree .goal"), 0.5, 0.5);
  found.hidden = getComputedStyle(document.getElementById("tip")).display;
  document.getElementById("discovered-average-frames").click();
  found.frames = shown("#figure-1 .x-label").map((label) => label.textContent);
  found.loaded = performance.getEntriesByType("resource").map((entry) => entry.name)
    .filter((name) => !name.startsWith("data:"));
  parent.postMessage(JSON.stringify(found), "*");
});
</script>"""


OUTSIDE = """<!DOCTYPE html><title>probe</title><link rel="icon" href="data:,">
<iframe src="{page}" width="{width}" height="900" style="border: 0"></iframe><pre id="probe"></pre>
<script>
window.addEventListener("message", (event) => {{
  document.getElementById("probe").textContent = event.data;
}});
</script>"""


def look(page, folder, width):
    """What the probe found in the page, and what the browser logged about it."""
    text = page.read_text(encoding="utf-8")
    text = text.replace("<head>", "<head>" + CATCH_ERRORS).replace("</body>", PROBE + "</body>")
    (folder / "inside.html").write_text(text, encoding="utf-8")
    outside = folder / "outside.html"
    outside.write_text(OUTSIDE.format(page="inside.html", width=width), encoding="utf-8")
    assert BROWSER is not None
    result = subprocess.run(
        [
            BROWSER,
            *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
            *("--enable-logging=stderr", "--virtual-time-budget=5000", "--dump-dom"),
            f"--user-data-dir={folder / 'profile'}",
            "--window-size=1400,1000",
            outside.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    probe = re.search(r'<pre id="probe">(.+?)</pre>', result.stdout, re.DOTALL)
    assert probe is not None, result.stderr[-2000:]
    logged = [line for line in result.stderr.splitlines() if "CONSOLE" in line]
    return json.loads(html.unescape(probe[1])), logged


@pytest.fixture(scope="module", params=[1200, 390], ids=["wide", "phone"])
def seen(request, run_paths, tmp_path_factory):
    folder = tmp_path_factory.mktemp("browser")
    variants = [
        make_run(folder / f"variant-{seed}", seed=seed, variant="no_inheritance")
        for seed in range(2)
    ]
    page = write_report([*run_paths, *variants], folder / "report.html")
    found, logged = look(page, folder, request.param)
    assert found["width"][1] == request.param
    return found, logged


def test_page_opens_without_errors_and_loads_nothing(seen):
    found, logged = seen
    assert found["errors"] == []
    assert logged == []
    assert found["loaded"] == []


def test_page_is_not_wider_than_the_window(seen):
    found, _ = seen
    page, window = found["width"]
    assert page <= window


def test_figures_are_drawn(seen):
    found, _ = seen
    assert len(found["plots"]) == 12  # Discovered by two measures, drops, and nine of health.
    assert all(width > 150 and height > 100 for width, height in found["plots"])
    assert found["curves"] == [2, *[5] * 11]
    assert len(found["maps"]) == 10
    assert all(width > 150 and height > 400 for width, height, _ in found["maps"])
    assert {rows for _, _, rows in found["maps"]} == {113}
    assert found["boxes"] == [113]


def test_variants_are_dots_with_intervals(seen):
    found, _ = seen
    assert len(found["dots"]) == 2  # The variant and bidirectional.
    for track, dot, interval, single in found["dots"]:
        assert track > 150
        assert dot == 11
        assert 0 < interval < track
        assert single == 1


def test_theory_is_shown(seen):
    found, _ = seen
    assert len(found["theory"]) == 5
    assert all(w > 250 and h > 200 and natural > 500 for w, h, natural in found["theory"])


def test_pointer_shows_values_of_a_chart(seen):
    found, _ = seen
    head, *rows = found["chart"]
    assert head == "60 updates"
    assert len(rows) == 5
    assert re.fullmatch(r"bidirectional: 8\d(\.\d+)? \(8\d(\.\d+)? to 8\d(\.\d+)?\)", rows[4])
    head, *rows = found["evaluation"]
    assert len(rows) == 2
    assert rows[1].startswith("bidirectional at 60: 8")


def test_pointer_shows_goal_and_value_of_a_map(seen):
    found, _ = seen
    assert found["map"] == ["dirt: 95 %", "update 60"]


def test_pointer_shows_a_goal_of_the_tree(seen):
    found, _ = seen
    assert found["goal"][0] == "dirt: depth 0, needs bare hands"
    assert re.fullmatch(r"success 85\.0 %", found["goal"][1])
    assert found["goal"][2].startswith("discovered at update 1 ")
    assert found["hidden"] == "none"


def test_switch_shows_frames(seen):
    found, _ = seen
    assert found["frames"] == ["updates", "frames"]  # By evaluation, and by average.
