"""The numbers in the pages are those of the kept tables."""

import json
import re
import subprocess
from types import SimpleNamespace

import numpy as np
import pytest

from experiments.evidence import RESULTS, search, simulation, tables
from experiments.evidence.claims import sentences
from experiments.evidence.figures import FIGURES, cycles, draw_all
from experiments.evidence.pages import DOCS, ROOT, filled, pages
from experiments.evidence.studies import FROZEN, STUDIES
from experiments.evidence.tables import _mean_success, groups_of, interval, treatments
from experiments.evidence.tables import cycles as cycles_table
from lapis.reproduce.request import Request
from lapis.treatments import TREATMENTS


@pytest.mark.parametrize("path", list(pages()), ids=lambda path: path.name)
def test_tables_in_pages_are_those_of_the_kept_runs(path):
    text = path.read_text(encoding="utf-8")
    assert filled(text) == text, "run `make evidence`"


def test_sentences_with_numbers_of_the_tables_hold():
    for page, sentence in sentences():
        text = re.sub(r"\s+", " ", (ROOT / page).read_text(encoding="utf-8"))
        assert re.sub(r"\s+", " ", sentence) in text, f"{page} must say: {sentence}"


def test_a_wrong_number_is_noticed():
    text = (DOCS / "results.md").read_text(encoding="utf-8")
    cell = interval_of_bidirectional()
    assert cell in text
    assert filled(text.replace(cell, "99.9 (99.8 to 100.0)")) == text


def interval_of_bidirectional():
    row = treatments("techtree_h200").splitlines()[-1]
    return row.split(" | ")[3]


def test_a_marker_without_a_table_is_refused():
    with pytest.raises(ValueError, match="`evidence: treatmens x` names none of treatments"):
        filled("<!-- evidence: treatmens x -->\n\nold\n\n<!-- end -->")


def test_an_interval_by_hand():
    assert interval([3.0]) == "3.0"
    assert interval([4.0, 4.0, 4.0, 4.0]) == "4.0 (4.0 to 4.0)"


def test_the_mean_success_of_a_group_by_hand():
    # The last evaluations: 1 and 3 of 4 attempts, 0 and 10 of 10.
    runs = [
        SimpleNamespace(evaluation=SimpleNamespace(successes=np.array(won), attempts=np.array(n)))
        for won, n in (([[4, 4], [1, 3]], [[4, 4], [4, 4]]), ([[0, 10]], [[10, 10]]))
    ]
    np.testing.assert_allclose(_mean_success(SimpleNamespace(runs=runs)), [50.0, 50.0])
    runs[1].evaluation.successes[-1, 0] = 5
    np.testing.assert_allclose(_mean_success(SimpleNamespace(runs=runs)), [50.0, 75.0])


def test_cycles_are_counted_by_evaluation_and_drawn_per_treatment():
    table = cycles_table("techtree_variants", "no_floor", "bidirectional").splitlines()
    # By hand: evaluations of the three seeds without a floor fall from 41 to 16 and from 58 to 43.
    assert table[2].startswith("| no floor |")
    assert "61 %" in table[2]
    assert "2 of 3" in table[2]
    panels = cycles(groups_of("techtree_variants")[:2])
    assert [panel.title for panel in panels] == ["bidirectional", "exploration threshold high"]


def test_early_evaluations_are_listed_seed_by_seed(monkeypatch):
    def run(seed, updates, counts):
        curves = lambda measure: (None, np.array([0, *counts]), None)  # noqa: E731
        evaluation = SimpleNamespace(updates=np.array(updates))
        return SimpleNamespace(seed=seed, evaluation=evaluation, curves=curves)

    runs = [run(4, [10, 20, 30], [20, 15, 30]), run(3, [10, 20, 30], [20, 30, 5])]
    group = SimpleNamespace(name="up", label="upwards", runs=runs)
    monkeypatch.setattr(tables, "groups_of", lambda folder: (group,))
    # A quarter is lost with seed 4; what happens after update 20 with seed 3 does not count.
    row = "| upwards | 20, 30; 20, 15 | 1 of 2 |"
    assert tables.early("20", "any:up").splitlines()[-1] == row


def test_every_figure_has_a_page_and_its_tables():
    text = "".join(path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md"))
    for name, (_, source) in FIGURES.items():
        assert f"figures/{name}.png" in text, name
        assert (RESULTS / source).is_dir()


def test_kept_simulations_have_the_known_goals_that_they_had():
    for histories in simulation.load("0-9").values():
        # The first seed is kept in half precision; what was known is kept apart, as bits.
        assert len(histories) == 10
        first = histories[0]
        assert first.known.max() >= 3
        np.testing.assert_allclose(first.sampling.sum(axis=1), 1.0, atol=0.02)
        assert all(set(np.unique(other.success)) <= {0.0, 1.0} for other in histories[1:])


@pytest.mark.slow
def test_all_figures_are_drawn(tmp_path):
    drawn = {path.name for path in draw_all(tmp_path)}
    assert drawn <= {path.name for path in (DOCS / "figures").iterdir()}
    assert {f"{name}.png" for name in ("floor", "simulation_1", "theory_5", *FIGURES)} <= drawn


def test_every_study_is_a_command_that_lapis_reproduce_takes():
    flags = dict.fromkeys(("--seeds", "--first-seed", "--frames", "--evaluations"), int)
    flags["--treatments"] = flags["--recipe"] = str
    for arguments in STUDIES.values():
        given = dict(zip(arguments[::2], arguments[1::2], strict=True))
        given.pop("--settings", None)
        settings = {key[2:].replace("-", "_"): flags[key](each) for key, each in given.items()}
        assert Request(**settings).configs()


def test_the_frozen_settings_are_known():
    assert Request(treatments="paper,floors,rivals,ablations", settings=FROZEN).configs()
    assert all(isinstance(each, dict) for each in json.loads(FROZEN.read_text()).values())


def test_every_trial_of_every_treatment_is_a_configuration_under_its_name(tmp_path):
    for number in range(search.TRIAL_COUNT):
        settings = {name: search.trial(name, number) for name in TREATMENTS}
        (tmp_path / "settings.json").write_text(json.dumps(settings))
        names = "paper,rivals,ablations,floors"
        configs = Request(treatments=names, settings=tmp_path / "settings.json").configs()
        assert {name: config.treatment for name, config in configs.items()} == {
            name: name for name in TREATMENTS
        }
    assert all(len(trials) == search.TRIAL_COUNT for trials in search.OWN.values())
    assert len(search.LEARNING) == search.TRIAL_COUNT


def test_the_best_trial_has_the_greatest_interquartile_mean():
    found = {
        "uniform": {"0": [1, 2, 3, 4, 5], "1": [0, 3, 3, 4, 4], "2": [3, 3, 3, 3, 90]},
        "half_window": {"0": [5, 5, 5], "3": [5, 5, 5]},
    }
    # Middle three: 3, 10/3 and 3; then a tie, which the first trial wins.
    assert search.best(found) == {"uniform": {"ppo.learning_rate": 3.5e-4}, "half_window": {}}


def test_the_search_keeps_what_its_runs_reached_and_freezes_the_best(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(search, "KEPT", tmp_path / "search.json")
    monkeypatch.setattr(search, "FROZEN", tmp_path / "settings.json")
    commands = []

    def finish(command, check):
        commands.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(search.subprocess, "run", finish)
    monkeypatch.setattr(search, "RUNS", tmp_path)
    for number in range(search.TRIAL_COUNT):
        source = RESULTS / ("techtree_laptop" if number != 3 else "techtree_h200")
        (tmp_path / f"trial-{number}").mkdir()
        (tmp_path / f"trial-{number}" / "tables").symlink_to(source)
    monkeypatch.setattr(search.sys, "argv", ["search", "--treatments", "paper", "--jobs", "7"])
    assert search.main() == 0
    assert len(commands) == search.TRIAL_COUNT
    assert Request(settings=tmp_path / "trial-3" / "settings.json").configs()
    assert commands[3][-2:] == ["--jobs", "7"]
    monkeypatch.setattr(search.sys, "argv", ["search", "--choose"])
    assert search.main() == 0
    frozen = json.loads((tmp_path / "settings.json").read_text())
    assert frozen["bidirectional"] == {"ppo.entropy_coefficient": 0.0075}  # The better tables.
    assert "uniform: {'ppo.entropy_coefficient': 0.0075}" in capsys.readouterr().out
