"""`lapis inspect` on a run, on an exported policy, and on what it cannot inspect."""

import dataclasses
import json
import subprocess
import sys

import numpy as np
import pytest
import torch
from rich.console import Console

from lapis.cli import main
from lapis.cli.inspect import FUNNEL_GOALS, InspectArguments, make_setup
from lapis.inspect.page import inspection_page, inspection_section
from lapis.inspect.tables import Share, Table, tables
from lapis.inspect.terminal import print_tables
from lapis.minecraft.goals import GROUPS
from lapis.play.scene import SHIPPED
from lapis.recipes import combinations, demo, probes
from lapis.running.export import export
from lapis.running.run import RunOptions, start
from lapis.running.trained import load_run
from lapis.runs import RunFolder
from tests.shipped import needs_shipped_policy

SHORT = ["--worlds", "6", "--steps", "48"]


def a_run(path, config):
    start(
        path,
        config=dataclasses.replace(config, world_count=8, updates=2, threads=1),
        recipe="tiny",
        command=["lapis"],
        options=RunOptions(quiet=True),
    )
    return path


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    config = dataclasses.replace(demo(), evaluation_updates=0)
    return a_run(tmp_path_factory.mktemp("inspect") / "run", config)


@pytest.fixture(scope="module")
def inspected(run, tmp_path_factory):
    """The files of an inspection of the run."""
    folder = tmp_path_factory.mktemp("inspected")
    files = ["--json", str(folder / "a.json"), "--html", str(folder / "a.html")]
    assert main(["inspect", str(run), *SHORT, *files]) == 0
    return json.loads((folder / "a.json").read_text()), (folder / "a.html").read_text()


def test_the_numbers_say_who_played_what(inspected):
    result, _ = inspected
    assert (result["format"], result["version"]) == ("lapis-inspect", 1)
    assert (result["world"], result["update"]) == ("techtree", 2)
    assert (result["worlds"], result["steps"]) == (6, 48)
    assert tuple(result["funnels"]) == FUNNEL_GOALS
    # Six worlds are dealt out to four goals.
    assert [each["worlds"] for each in result["funnels"].values()] == [2, 2, 1, 1]


def test_the_numbers_add_up(inspected):
    result, _ = inspected
    for name in ("time_by_depth", "time_by_hand"):
        assert sum(result[name].values()) == pytest.approx(1.0)
    assert sum(each["time"] for each in result["time_by_group"]) == pytest.approx(1.0)
    all_goals, *groups = result["value_fit"]
    assert all_goals["steps"] == sum(each["steps"] for each in groups)
    assert 0 < all_goals["steps"] <= 6 * 48
    moves = result["moves"]
    assert moves["entropy"]["whole"] == pytest.approx(moves["entropy"]["action"])
    assert 0 <= result["waste"]["in_vain"] <= result["waste"]["attacks"] <= 1
    paper = result["on_paper"]
    held = paper["taken"]["moments"] if paper["taken"] else 0
    assert paper["given"]["moments"] + held == paper["swapped"]["moments"] > 0
    assert {"vector", "goal", "exploration_set", "sum"} == set(result["embeddings"])


def test_the_page_has_every_table(inspected):
    result, page = inspected
    assert page.startswith("<!DOCTYPE html>")
    assert "http" not in page
    for table in tables(result):
        assert f'id="inspection-{table.name}"' in page
        assert f"<h3>{table.title}</h3>" in page
    assert inspection_section(result) in page


def test_the_page_needs_no_pytorch():
    code = "import sys, lapis.inspect.page; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_names_are_escaped_on_the_page(inspected):
    result, _ = inspected
    page = inspection_page(result, name="<b>runs & more</b>")
    assert "&lt;b&gt;runs &amp; more&lt;/b&gt;" in page
    assert "<b>runs" not in page


def test_the_terminal_shows_every_table(run, capsys):
    assert main(["inspect", str(run), *SHORT, "--goals", "log", "planks"]) == 0
    printed = capsys.readouterr().out
    assert "6 worlds x 48 steps" in " ".join(printed.split())
    for title in ("From empty hands to planks", "Fit of the values", "How strong each input is"):
        assert title in printed
    assert "to iron_ore" not in printed


def test_a_policy_as_a_file_can_be_inspected(run, tmp_path, capsys):
    path = tmp_path / "policy.safetensors"
    export(load_run(run), path)
    flags = ["--goal", "coal", "--given", "torch", "--json", str(tmp_path / "a.json")]
    assert main(["inspect", str(path), *SHORT, *flags]) == 0
    assert f"numbers: {tmp_path}" in "".join(capsys.readouterr().out.splitlines())
    result = json.loads((tmp_path / "a.json").read_text())
    assert (result["on_paper"]["item"], result["on_paper"]["goal"]) == ("torch", "coal")


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU here")
@pytest.mark.parametrize("world", ["techtree", pytest.param("voxel", marks=needs_shipped_policy)])
def test_a_gpu_plays_too(world, run, tmp_path):
    path = run if world == "techtree" else SHIPPED
    flags = ["--device", "cuda", "--json", str(tmp_path / "a.json")]
    assert main(["inspect", str(path), *SHORT, *flags]) == 0
    result = json.loads((tmp_path / "a.json").read_text())
    assert (result["world"], result["device"]) == (world, "cuda")
    assert sum(result["time_by_depth"].values()) == pytest.approx(1.0)


def test_later_tasks_are_drawn_as_at_the_end_of_the_run(run, monkeypatch):
    trained = load_run(run)
    goals = trained.config.simonsays.goals
    log, planks = goals.index("log"), goals.index("planks")
    logged = np.zeros((2, len(goals)))
    logged[0, 0] = 1.0
    # The log is rounded, and need not add up to one.
    logged[1, [log, planks]] = [0.75 * 0.999, 0.25 * 0.999]
    monkeypatch.setattr(RunFolder, "read_metrics", lambda _: {"probabilities": logged})
    setup = make_setup(InspectArguments(run=run), trained)
    assert setup.later_G[[log, planks]].tolist() == pytest.approx([0.75, 0.25])
    assert setup.later_G.sum() == pytest.approx(1.0)


def test_goals_that_are_named_are_the_only_ones(run):
    trained = load_run(run)
    goals = trained.config.simonsays.goals
    setup = make_setup(InspectArguments(run=run, goals=("planks", "log")), trained)
    assert setup.goals == ("planks", "log")
    assert setup.later_G[[goals.index("planks"), goals.index("log")]].tolist() == [0.5, 0.5]
    assert setup.later_G.sum() == 1.0


def test_later_tasks_of_a_file_are_those_that_it_has_learned(run):
    trained = load_run(run)
    goals = trained.config.simonsays.goals
    average = tuple(0.5 if goal in ("log", "dirt") else 0.05 for goal in goals)
    success = dataclasses.replace(trained.success, average=average)
    learned = dataclasses.replace(trained, success=success)
    arguments = InspectArguments(run=run / "policy.safetensors")
    setup = make_setup(arguments, learned)
    assert setup.later == "the 2 goals that it has learned, equally often"
    assert setup.later_G[goals.index("log")] == 0.5
    beginner = dataclasses.replace(
        trained, success=dataclasses.replace(success, average=(0,) * 113)
    )
    assert make_setup(arguments, beginner).later == "all goals equally often"


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--goals", "iron_pikaxe"], "unknown goal `iron_pikaxe`; did you mean `iron_pickaxe`?"),
        (["--instead", "lgo"], "unknown goal `lgo`; did you mean `log`?"),
        (["--given", "stone_pikaxe"], "unknown item `stone_pikaxe`; did you mean `stone_pickaxe`?"),
        (["--worlds", "0"], "--worlds is 0; it must be at least 1"),
        (["--steps", "-3"], "--steps is -3; it must be at least 1"),
        (["--html", "nowhere/at/all.html"], "there is no folder nowhere/at for all.html"),
    ],
)
def test_wrong_input_is_named(run, capsys, flags, message):
    assert main(["inspect", str(run), *flags]) == 2
    assert message in capsys.readouterr().err


def test_worlds_of_other_kinds_are_refused(tmp_path, capsys):
    path = a_run(tmp_path / "run", probes.two_goals())
    assert main(["inspect", str(path)]) == 2
    assert "inspect knows `techtree` and `voxel`" in capsys.readouterr().err


def printed_at(width, *printed):
    console = Console(width=width)
    with console.capture() as captured:
        print_tables(console, printed)
    return captured.get()


@pytest.mark.parametrize("width", [70, 80, 200])
def test_names_and_headers_are_whole_at_any_width(inspected, width):
    result, _ = inspected
    time = {"time": 0.125, "ended": 1234, "solved": 1234, "no_pickaxe": 1.0, "bare_hand": 1.0}
    groups = [{"group": group, "underground": 1.0, **time} for group in GROUPS]
    fit = {"bootstrapped": -1234.5, "real": -1234.5, "real_steps": 76800}
    fits = [
        {"group": group, "mean_value": -0.123, "mean_return": 12.345, **fit} for group in GROUPS
    ]
    for table in tables(result | {"time_by_group": groups, "value_fit": fits}):
        # Without title and note, whose words may be the same.
        text = printed_at(width, dataclasses.replace(table, title="", note=""))
        assert "…" not in text
        lines = [line.strip() for line in text.splitlines()]
        for name, *_ in table.rows:
            assert any(line.startswith(str(name)) for line in lines), (table.title, name)
        for word in " ".join(table.columns).split():
            assert word in text, (table.title, word)


def test_bars_give_way_to_numbers():
    rows = (("half", *[Share(0.5)] * 4),)
    table = Table(name="t", title="T", note="n", columns=tuple("abcde"), rows=rows)
    assert printed_at(80, table).count("━") == 4 * 4  # 8 characters stand for the whole
    assert printed_at(50, table).count("━") == 4 * 3
    assert printed_at(36, table).count("━") == 0
    assert printed_at(36, table).count("50%") == 4


def test_bars_are_as_long_as_their_share():
    rows = (("half", Share(0.5)), ("none", Share(None)), ("[x]", Share(0.0)))
    table = Table(name="t", title="T", note="n", columns=("a", "b"), rows=rows)
    lines = printed_at(80, table).splitlines()
    (half,) = (line for line in lines if "half" in line)
    assert "50%" in half
    assert half.count("━") == 4
    (none,) = (line for line in lines if "none" in line)
    assert none.split() == ["none", "-"]
    (bracket,) = (line for line in lines if "[x]" in line)
    assert bracket.split() == ["[x]", "0%"]


def test_runs_that_were_asked_for_pairs_are_refused(tmp_path, capsys):
    config = dataclasses.replace(combinations(), evaluation_updates=0)
    path = a_run(tmp_path / "run", config)
    assert main(["inspect", str(path)]) == 2
    assert (
        "was trained on pairs of goals; inspect supports only single goals"
        in capsys.readouterr().err
    )
