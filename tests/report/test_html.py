"""The page as a whole and its tables."""

import math
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from lapis.minecraft.goals import ALL_GOALS
from lapis.report import page_figures, provenance, tables, techtree_figure
from lapis.report.command import load_groups, write_compact, write_report
from lapis.report.grouping import reference_group
from lapis.report.health import HEALTH
from lapis.report.html import report_html
from lapis.report.series import DISCOVERED
from lapis.runs import RunFolder
from tests.report.synthetic import FRAMES_PER_UPDATE, make_config, make_run, make_success


class Outline(HTMLParser):
    """Elements by name, addresses that a browser would load, and whether every tag is closed."""

    VOID = {"meta", "link", "img", "input", "br", "path", "rect", "wbr"}

    def __init__(self, text):
        super().__init__()
        self.names, self.loaded, self.open = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.names.append(tag)
        self.loaded += [value for name, value in attributes if name in ("src", "href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.names.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag


@pytest.fixture(scope="module")
def page(groups):
    return report_html(groups)


@pytest.fixture(scope="module")
def single(tmp_path_factory):
    """A page of one run."""
    path = tmp_path_factory.mktemp("single")
    return write_report([make_run(path / "run", updates=8)], path / "out" / "report.html")


def section(page, name):
    return re.search(rf'<section id="{name}">(.*?)</section>', page, re.DOTALL)[1]


def test_page_is_whole_and_loads_nothing(page):
    outline = Outline(page)
    assert outline.open == []
    assert outline.loaded
    assert all(address.startswith("data:") for address in outline.loaded)
    assert "url(" not in page
    assert "@import" not in page


def test_page_is_small(page):
    assert len(page) < 1_500_000


def test_page_has_every_figure_and_table(page):
    names = re.findall(r'<section id="([^"]+)"', page)
    assert names == [
        *("figure-1", "results", "frames", "improvement", "order", "resources"),
        *("figure-2", "figure-3", "figure-4", "forgetting", "figures-5-7", "health", "runs"),
    ]
    assert section(page, "figure-2").count("<img") == 6  # Five maps and a scale.
    assert section(page, "figure-4").count('class="tech-tree"') == 5
    assert section(page, "health").count('class="chart"') == 9


def test_maps_say_how_many_frames_an_update_is(page):
    for name in ("figure-2", "figure-3"):
        assert f"updates to the right, {FRAMES_PER_UPDATE:,} frames each;" in section(page, name)


def test_figure_1_marks_the_numbers_of_the_paper(page):
    marks = re.findall(r'mark-label s(\d)"[^>]*>(\d+)<', section(page, "figure-1"))
    assert marks == [("0", "17"), ("1", "43"), ("2", "70"), ("3", "79"), ("4", "82")] * 4


def test_figure_1_has_bands_and_evaluation(page):
    figure = section(page, "figure-1")
    evaluated, averaged = re.findall(r'class="in-updates">(.*?)class="in-frames"', figure)
    assert evaluated.count('class="band') == evaluated.count('class="dots') == 2
    assert averaged.count('class="band') == 5
    assert averaged.count('class="dots') == 0
    assert "No evaluation recorded" not in page


def test_single_run_says_what_is_missing(single):
    text = single.read_text(encoding="utf-8")
    assert "No evaluation recorded" in text
    assert "less than five seeds" not in text
    assert "One run per treatment" in text
    assert 'class="band' not in section(text, "figure-1")
    assert 'id="improvement"' not in text
    assert "NaN" not in re.sub(r'base64,[^"]*"', "", text)
    assert "nan" not in section(text, "results")


def test_unequal_lengths_are_told(tmp_path):
    paths = [make_run(tmp_path / "a", updates=4), make_run(tmp_path / "b", "uniform", updates=9)]
    text = report_html(load_groups(paths))
    assert "The runs differ in length" in text
    assert "8,192 frames, the end of the shortest run" in text


def test_shared_seeds_and_missing_evaluations_are_told(tmp_path):
    paths = [
        make_run(tmp_path / "a", updates=4, evaluation=True),
        make_run(tmp_path / "b", updates=4),
    ]
    text = report_html(load_groups(paths))
    assert "Runs of bidirectional share a seed" in text
    assert "Of the 2 runs of bidirectional only 1 were evaluated" in text


def test_goals_of_another_game_have_no_tree_and_no_paper(tmp_path):
    config = make_config("bidirectional")
    folder = RunFolder.create(
        tmp_path / "run", config=config, recipe="r", command=["c"], goals=("prize", "other")
    )
    with folder.writing() as log:
        log.append({"update": 1, "frames": 4, "fast": [0.5, 0.0], "probabilities": [0.5, 0.5]})
    text = report_html(load_groups([folder.path]))
    assert "not those of Minecraft" in text
    assert "mark-label s" not in text
    assert "discovered goals (of 2)" in text
    assert 'id="resources"' not in text


def test_names_cannot_break_out_of_the_page(tmp_path):
    evil = "</script><script>alert(1)</script>"
    folder = RunFolder.create(
        tmp_path / "run",
        config={"curriculum": {"kind": evil}},
        recipe="r",
        command=[evil],
        goals=(evil,),
    )
    with folder.writing() as log:
        log.append({"update": 1, "frames": 4, "fast": [0.5], "probabilities": [1.0]})
    assert evil not in report_html(load_groups([folder.path]))


def test_order_is_that_of_the_bidirectional_group(groups):
    reference = reference_group(groups)
    assert reference.label == "bidirectional"
    assert reference_group(groups[:2]) is groups[0]
    order = page_figures.goal_order(reference)
    assert sorted(order) == list(range(113))
    first = [
        np.flatnonzero(make_success("bidirectional", 0, 60)[:, goal] > DISCOVERED)[:1].tolist()
        for goal in order
    ]
    learned = [updates[0] for updates in first if updates]
    assert learned == sorted(learned)
    assert first[-1] == []


def test_treatments_keep_their_colors(groups, tmp_path):
    assert page_figures.assign_colors(groups) == [0, 1, 2, 3, 4]
    assert page_figures.assign_colors(groups[3:]) == [3, 4]
    same = [groups[4]] * 3
    assert page_figures.assign_colors(same) == [4, 5, 6]


def test_interval_cells():
    assert tables.interval_cell(np.array([82])) == "82"
    assert tables.interval_cell(np.array([2.75])) == "2.8"
    assert tables.interval_cell(np.array([4, 4])) == "4.0 <small>4.0 to 4.0</small>"


def test_frames_cells_count_seeds_that_never_got_there():
    assert tables.frames_cell(np.array([math.inf, math.inf])) == "never"
    assert tables.frames_cell(np.array([30e3, 10e3, 20e3])) == "20k"
    assert tables.frames_cell(np.array([math.inf, 10e3, 20e3])) == "20k <small>2 of 3</small>"
    assert tables.frames_cell(np.array([10e3, math.inf])) == "never <small>1 of 2</small>"


def test_improvement_table_compares_every_pair(page):
    rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", section(page, "improvement"))
    assert len(rows) == 5
    assert rows[4].count("<small>p 0.1</small>") >= 3  # The least that 3 against 3 can have.
    assert "less than five seeds" in page
    assert re.findall(r"<td>([\d.]*)", rows[4]) == ["1.00", "1.00", "1.00", "1.00", ""]
    assert re.findall(r"<td>([\d.]*)", rows[0]) == ["", "0.00", "0.00", "0.00", "0.00"]


def test_tree_tells_prerequisites_success_and_discovery(groups):
    html = techtree_figure.tree_html(groups[4])
    titles = dict(re.findall(r"<title>([^:]+):([^<]*)</title>", html))
    assert len(titles) == len(ALL_GOALS)
    assert "needs log" in titles["planks"]
    assert re.search(
        r"success \d+\.\d %; discovered at update \d+ \(.*frames\) in 3 of 3 seeds",
        titles["planks"],
    )
    assert titles["quartz_block"].endswith("; never discovered")
    assert "<style" not in html


def test_style_of_the_tree_stays_inside_it():
    rules = re.findall(r"^([^{]+)\{", techtree_figure.scoped_style(), re.MULTILINE)
    assert len(rules) > 10
    assert all(rule.startswith(".tech-tree ") for rule in rules)


def test_compact_tables_give_the_same_numbers(tmp_path):
    # More updates than are kept, so that the curves are thinned.
    folders = [
        make_run(tmp_path / f"{name}-{seed}", name, seed, 333, evaluation=True)
        for name in ("unidirectional", "bidirectional")
        for seed in range(2)
    ]
    groups = load_groups(folders)
    tables_of = write_compact(groups, tmp_path / "tables")
    pages = [report_html(groups), report_html(load_groups(tables_of))]
    for name in ("results", "frames", "improvement", "order", "resources"):
        first, second = (section(page, name) for page in pages)
        assert first == second
    # Folders' paths differ; the rest of what is told of each run does not.
    first, second = (re.findall(r"<dd>.*?</dd>", section(page, "runs")) for page in pages)
    assert first == second
    drops = [re.findall(r"<td>.*?</td>", section(page, "forgetting")) for page in pages]
    assert drops[0] == drops[1]


def test_provenance_is_read_from_the_folder(page, run_paths):
    runs = section(page, "runs")
    for path in run_paths:
        assert str(path) in runs
    assert "lapis train demo --seed 2" in runs
    assert "cpu (made up)" in runs
    assert "time_scale: 50.0" in runs
    assert runs.count("<dt>commit</dt>") == len(run_paths)


def test_commit_and_changes_are_told():
    text = "repository: /r\ncommit: abc\nchanged files (...):\n M a.py\n?? b.py\ndiff:\nx\n"
    assert provenance.read_code(text) == "abc and changes in 2 files"
    clean = "repository: /r\ncommit: abc\nchanged files (...):\ndiff:\n"
    assert provenance.read_code(clean) == "abc"
    assert provenance.read_code("git is not installed: unknown\n").startswith("git is not")
    assert provenance.read_code("") == "unknown"


def test_resumes_are_told():
    text = "recipe: demo\ncommand: lapis train demo\nresumed after update 5: lapis resume r\n"
    assert provenance.read_commands(text) == [
        "lapis train demo",
        "resumed after update 5: lapis resume r",
    ]


def test_environment_names_what_computes():
    found = provenance.read_environment(
        "python: 3\ndevice: cpu: x\n\nnumpy==2.1\ntorch==2.13\nzz==1\n"
    )
    assert found == {"python": "3", "device": "cpu: x", "packages": "numpy 2.1, torch 2.13"}


def test_trainer_logs_all_that_a_report_draws(tmp_path):
    from lapis.recipes.probes import bandit
    from lapis.train.config import to_dict
    from lapis.train.loop import Trainer

    trainer = Trainer(bandit())
    folder = RunFolder.create(
        tmp_path / "run",
        config=to_dict(trainer.config),
        recipe="bandit",
        command=["c"],
        goals=trainer.game.goals,
    )
    with folder.writing() as log:
        log.append(trainer.train_one_update())
    groups = load_groups([folder.path])
    assert set(HEALTH) <= set(groups[0].runs[0].scalars)
    assert section(report_html(groups), "health").count('class="chart"') == 9
