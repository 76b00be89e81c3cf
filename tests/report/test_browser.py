"""The page in a real browser: no errors, figures that are not empty, and a pointer that finds them.

A probe script is added to a copy of the page. It drives the pointer and tells what it sees to the
page around it, which the browser prints. A frame can be as narrow as a phone, a window cannot.
"""

import html
import json
import re
import shutil
import subprocess
import threading
import time
from importlib import resources
from urllib.parse import unquote

import pytest

from lapis.report import serve
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
  const plots = (name) => [...document.getElementById(name).querySelectorAll(".plot")];
  found.sizes = shown(".panels .plot svg").map(size);
  found.fonts = shown(".panels text").map((text) => text.getBoundingClientRect().height);
  found.parts = all(".panels svg").map((svg) => svg.querySelectorAll("path").length);
  found.maps = all("image").map((image) => size(image));
  found.boxes = shown("details[open] .tech-tree svg").map(
    (tree) => tree.querySelectorAll(".part").length);
  const inside = (plot, x, y) => {
    const [left, top, width, height] = JSON.parse(plot.querySelector("script").textContent).box;
    return point(plot, left + x * width, top + y * height);
  };
  found.evaluation = inside(plots("figure-1")[0], 1, 0.5);
  found.chart = inside(plots("figure-1")[1], 1, 0.5);
  found.outside = point(plots("figure-1")[1], 0.01, 0.01);
  found.map = inside(plots("figure-2")[0], 0.999, 0.001);
  found.goal = point(document.querySelector("details[open] .part"), 0.5, 0.5);
  found.variant = point(document.querySelector("#variants .part"), 0.5, 0.5);
  found.hidden = getComputedStyle(document.getElementById("tip")).display;
  found.titles = all(".plot title").length;
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
        make_run(folder / f"variant-{seed}", seed=seed, label="no_inheritance") for seed in range(2)
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


def test_figures_are_drawn_and_their_text_can_be_read(seen):
    found, _ = seen
    # Discovered goals, the variants, maps, forgetting, theory and health.
    assert len(found["sizes"]) == 2 + 1 + 10 + 5 + 5 + 9
    assert all(width > 200 and height > 80 for width, height in found["sizes"])
    assert min(found["parts"]) > 3
    assert min(found["fonts"]) > 8.0
    assert len(found["maps"]) == 10 + 2  # And two scales.
    assert sum(width > 100 and height > 300 for width, height in found["maps"]) == 10
    assert found["boxes"] == [113]


def test_pointer_shows_values_of_a_chart(seen):
    found, _ = seen
    head, *rows = found["chart"]
    assert head == "122,880 frames, 60 updates"
    assert len(rows) == 5
    assert re.fullmatch(r"bidirectional: 8\d(\.\d+)? \(8\d(\.\d+)? to 8\d(\.\d+)?\)", rows[4])
    head, *rows = found["evaluation"]
    assert len(rows) == 2
    assert rows[1].startswith("bidirectional at 122,880: 8")
    assert found["titles"] == 0  # The browser's own tips would cover these.


def test_pointer_shows_goal_and_value_of_a_map(seen):
    found, _ = seen
    assert found["map"] == ["dirt: 95 %", "update 60"]


def test_pointer_shows_a_goal_of_the_tree(seen):
    found, _ = seen
    assert found["goal"][0] == "dirt: depth 0, needs bare hands"
    assert re.fullmatch(r"success 85\.0 %", found["goal"][1])
    assert found["goal"][2].startswith("discovered at update 1 ")
    assert found["hidden"] == "none"


def test_pointer_shows_a_variant_with_its_interval(seen):
    found, _ = seen
    assert re.fullmatch(
        r"(no inheritance|bidirectional): [\d.]+ \([\d.]+ to [\d.]+\)", found["variant"][0]
    )


TALL = """<!DOCTYPE html><link rel="icon" href="data:,"><p>{version}</p>
<details><summary>closed at first</summary><p>a</p></details>
<details open><summary>open at first</summary><p>b</p></details>
<div style="height: 5000px"></div>
<script>{script}
watch("{version}");
const isOpen = [...document.querySelectorAll("details")].map((each) => each.open);
fetch(`/told?${{JSON.stringify(["{version}", window.scrollY, ...isOpen])}}`);
document.querySelectorAll("details").forEach((each) => {{ each.open = !each.open; }});
window.scrollTo(0, 1234);
</script>"""


class Versions:
    """A page with two versions: the second is there once the first has asked for it twice."""

    def __init__(self):
        self.asked = 0
        self.script = resources.files("lapis.report").joinpath("assets/refresh.js").read_text()

    def current(self):
        self.asked += 1
        version = "first" if self.asked < 4 else "second"
        return version, TALL.format(version=version, script=self.script)


def test_page_reloads_for_new_data_alone_and_stays_where_one_reads(tmp_path, monkeypatch):
    told = []
    plain = serve._Handler.do_GET

    def listen(self):
        if self.path.startswith("/told?"):
            told.append(json.loads(unquote(self.path.partition("?")[2])))
        plain(self)

    monkeypatch.setattr(serve._Handler, "do_GET", listen)
    assert BROWSER is not None
    with serve.ReportServer(Versions(), 0) as server:
        threading.Thread(target=server.serve_forever).start()
        browser = subprocess.Popen(
            [
                BROWSER,
                *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
                *("--remote-debugging-port=0", f"--user-data-dir={tmp_path / 'profile'}"),
                f"http://localhost:{server.server_port}/",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            deadline = time.monotonic() + 60.0
            while len(told) < 2 and time.monotonic() < deadline:
                time.sleep(0.1)
        finally:
            browser.terminate()
            browser.wait()
            server.shutdown()
    # One reload, and it comes back to where the page was left: scrolled, and the other one open.
    assert told == [["first", 0, False, True], ["second", 1234, True, False]]
