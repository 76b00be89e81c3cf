"""The page as a whole and its tables."""

import math
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from lapis.minecraft.goals import ALL_GOALS
from lapis.report import figures, provenance, summary, tables, tech_tree
from lapis.report.command import load_groups, write_compact, write_report
from lapis.report.grouping import reference_group
from lapis.report.notices import notices
from lapis.report.page import report_html
from lapis.report.series import DISCOVERED
from lapis.report.tables import Cell
from lapis.runs import RunFolder
from tests.report.synthetic import FRAMES_PER_UPDATE, make_config, make_run, make_success


class Outline(HTMLParser):
    """Elements by name, addresses that a browser would load, and whether every tag is closed."""

    VOID = {"meta", "link"}

    def __init__(self, text):
        super().__init__()
        self.names, self.loaded, self.open, self.scripts = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.names.append(tag)
        self.is_code = "type" not in dict(attributes)
        self.loaded += [value for name, value in attributes if name in ("src", "href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_data(self, data):
        if self.open and self.open[-1] == "script" and self.is_code:
            self.scripts.append(data)

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
    assert all(address.startswith(("data:", "#")) for address in outline.loaded)
    assert page.count("url(") == page.count("url(#")
    assert "@import" not in page


def test_page_is_small(page):
    assert len(page) < 1_700_000


def test_page_has_every_figure_and_table(page):
    names = re.findall(r'<section id="([^"]+)"', page)
    assert names == [
        *("figure-1", "results", "frames", "improvement", "order", "resources"),
        *("figure-2", "figure-3", "figure-4", "forgetting", "figures-5-7", "health", "runs"),
    ]
    panels = {name: section(page, name).count("<figure>") for name in names}
    assert {name: count for name, count in panels.items() if count} == {
        "figure-1": 2,
        "figure-2": 5,
        "figure-3": 5,
        "forgetting": 5,
        "figures-5-7": 5,
        "health": 9,
    }
    assert section(page, "figure-4").count('class="tech-tree"') == 5
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(set(ids)) == len(ids)


def test_figure_1_marks_the_numbers_of_the_paper_as_such(page):
    marks = re.findall(r">paper: (\d+)<", section(page, "figure-1"))
    assert sorted(marks) == sorted(["17", "43", "70", "79", "82"] * 2)


def test_figure_1_has_bands_and_evaluation(groups, page):
    evaluated, averaged = figures.discovered(groups)
    assert (evaluated.title, averaged.title) == ("by evaluation", "by average")
    assert [line["dots"] for line in evaluated.pointer["lines"]] == [True, True]
    assert [line["dots"] for line in averaged.pointer["lines"]] == [False] * 5
    assert all(line["low"] for line in averaged.pointer["lines"])
    # An update is the same number of frames for all: one axis above tells updates.
    assert averaged.pointer["rate"] == FRAMES_PER_UPDATE
    assert "No evaluation recorded" not in page


def test_figure_1_tells_updates_apart_where_frames_per_update_differ(tmp_path):
    paths = [make_run(tmp_path / "a", updates=4), make_run(tmp_path / "b", "uniform", updates=4)]
    log = (paths[1] / "metrics.jsonl").read_text()
    (paths[1] / "metrics.jsonl").write_text(log.replace('"frames":', '"frames":1'))
    panels = figures.discovered(load_groups(paths))
    assert [panel.pointer["x"] for panel in panels] == ["frames", "updates"]


def test_single_run_says_what_is_missing(single):
    text = single.read_text(encoding="utf-8")
    assert "No evaluation recorded" in text
    assert "fewer than five seeds" not in text
    assert "One run per treatment" in text
    assert '"low": null' in section(text, "figure-1")
    assert 'id="improvement"' not in text
    assert "NaN" not in re.sub(r'base64,[^"]*"', "", text)
    assert "nan" not in section(text, "results")


def told(groups):
    """The notices of a page."""
    return " ".join(notices(summaries(groups)))


def summaries(groups):
    return [summary.summarize(group, summary.common_frames(groups)) for group in groups]


def test_unequal_lengths_are_told(tmp_path):
    paths = [make_run(tmp_path / "a", updates=4), make_run(tmp_path / "b", "uniform", updates=9)]
    text = told(load_groups(paths))
    assert "The runs differ in length" in text
    assert "8,192 frames, the end of the shortest run" in text


def test_runs_that_were_asked_for_pairs_are_told(tmp_path):
    game = {"bonus": "dynamic", "bonus_coefficient": 0.5, "pairs": True}
    paths = [make_run(tmp_path / "a", updates=4), make_run(tmp_path / "b", "uniform", updates=4)]
    assert "pairs" not in told(load_groups(paths))
    paths.append(make_run(tmp_path / "c", seed=1, updates=4, simonsays=game))
    text = told(load_groups(paths))
    assert "Runs of bidirectional, pairs True were also asked for pairs of goals." in text
    assert "Runs of uniform were" not in text


def test_shared_seeds_and_missing_evaluations_are_told(tmp_path):
    paths = [
        make_run(tmp_path / "a", updates=4, evaluation=True),
        make_run(tmp_path / "b", updates=4),
    ]
    text = told(load_groups(paths))
    assert "Runs of bidirectional share a seed" in text
    assert "Of the 2 runs of bidirectional only 1 were evaluated" in text


def test_goals_of_another_game_have_no_tree_and_no_paper(tmp_path):
    config = make_config("bidirectional")
    folder = RunFolder.create(
        tmp_path / "run", config=config, recipe="r", command=["c"], goals=("prize", "other")
    )
    with folder.writing() as log:
        log.append({"update": 1, "frames": 4, "success": [0.5, 0.0], "probabilities": [0.5, 0.5]})
    text = report_html(load_groups([folder.path]))
    assert "not those of Minecraft" in text
    assert "paper:" not in text
    assert "discovered goals (of 2)" in text
    assert 'id="resources"' not in text


def test_names_cannot_break_out_of_the_page(tmp_path):
    evil = "</script><script>alert(1)</script>"
    folder = RunFolder.create(
        tmp_path / "run",
        config={"curriculum": {"kind": evil + "\x01 $x"}},
        recipe="r",
        command=[evil],
        goals=(evil + "\x02",),
    )
    with folder.writing() as log:
        log.append({"update": 1, "frames": 4, "success": [0.5], "probabilities": [1.0]})
    text = report_html(load_groups([folder.path]))
    assert evil not in text
    assert "alert(1)" in text  # It is shown, as text.
    outline = Outline(text)
    assert outline.open == []
    assert outline.names.count("script") == text.count("<script")
    assert "alert(1)" not in "".join(outline.scripts)


def test_order_is_that_of_the_bidirectional_group(groups):
    reference = reference_group(groups)
    assert reference.label == "bidirectional"
    assert reference_group(groups[:2]) is groups[0]
    order = figures.goal_order(reference)
    assert sorted(order) == list(range(113))
    first = [
        np.flatnonzero(make_success("bidirectional", 0, 60)[:, goal] > DISCOVERED)[:1].tolist()
        for goal in order
    ]
    learned = [updates[0] for updates in first if updates]
    assert learned == sorted(learned)
    assert first[-1] == []


def test_treatments_keep_their_colors(groups, tmp_path):
    assert figures.assign_colors(groups) == [0, 1, 2, 3, 4]
    assert figures.assign_colors(groups[3:]) == [3, 4]
    same = [groups[4]] * 3
    assert figures.assign_colors(same) == [4, 5, 6]


def test_interval_cells():
    assert tables.interval_cell(np.array([82])) == Cell("82")
    assert tables.interval_cell(np.array([2.75])) == Cell("2.8")
    assert tables.interval_cell(np.array([4, 4])) == Cell("4.0", ("4.0 to 4.0",))


def test_frames_cells_count_seeds_that_never_got_there():
    assert tables.frames_cell(np.array([math.inf, math.inf])) == Cell("never")
    assert tables.frames_cell(np.array([30e3, 10e3, 20e3])) == Cell("20k")
    assert tables.frames_cell(np.array([math.inf, 10e3, 20e3])) == Cell("20k", ("2 of 3",))
    assert tables.frames_cell(np.array([10e3, math.inf])) == Cell("never", ("1 of 2",))


def test_improvement_table_compares_every_pair(groups, page):
    table = tables.improvement_table(summaries(groups))
    texts = [[cell.text for cell in row[1:]] for row in table.rows]
    assert texts[4] == ["1.00", "1.00", "1.00", "1.00", ""]
    assert texts[0] == ["", "0.00", "0.00", "0.00", "0.00"]
    # 0.1 is the least that three against three can have.
    assert [cell.small[1] for cell in table.rows[4][1:4]] == ["p 0.1"] * 3
    assert len(re.findall(r'<th scope="row">', section(page, "improvement"))) == 5
    assert "fewer than five seeds" in page


def test_tree_tells_prerequisites_success_and_discovery(groups):
    panel = tech_tree.group_tree(groups[4])
    titles = dict(text.split(":", 1) for text in panel.titles.values())
    assert len(titles) == len(ALL_GOALS)
    assert "needs log" in titles["planks"]
    assert re.search(
        r"success \d+\.\d %; discovered at update \d+ \(.*frames\) in 3 of 3 seeds",
        titles["planks"],
    )
    assert titles["quartz_block"].endswith("; never discovered")


def test_compact_tables_give_the_same_numbers(tmp_path):
    # More updates than are kept, so that the curves are thinned.
    folders = [
        make_run(tmp_path / f"{name}-{seed}", name, seed, 333, evaluation=True)
        for name in ("unidirectional", "bidirectional")
        for seed in range(2)
    ]
    groups = load_groups(folders)
    tables_of = write_compact(groups, tmp_path / "tables")
    again = load_groups(tables_of)
    assert all_tables(groups) == all_tables(again)
    # Folders' paths differ; the rest of what is told of each run does not.
    first, second = (
        [provenance.describe_run(run) for group in each for run in group.runs]
        for each in (groups, again)
    )
    assert first == second


def all_tables(groups):
    rows, frames = summaries(groups), summary.common_frames(groups)
    return [
        tables.results_table(rows, with_paper=True),
        tables.frames_table(rows),
        tables.improvement_table(rows),
        tables.order_table(rows),
        tables.drop_table(rows),
        tables.group_table(rows, frames),
    ]


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
    assert set(figures.HEALTH) <= set(groups[0].runs[0].scalars)
    assert len(figures.health(groups)) == 9
