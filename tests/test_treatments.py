"""Treatments: each differs from the bidirectional run in what it names, has a label, and trains."""

import dataclasses
import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch

from lapis import recipes
from lapis.cli import UsageError, main
from lapis.cli.train import parse, recipe_start
from lapis.curriculum import LearnabilityConfig
from lapis.recipes import probes
from lapis.runs.metrics import flat_items
from lapis.train.config import TrainConfig, from_dict, to_dict, with_treatment
from lapis.train.loop import Trainer
from lapis.treatments import TREATMENTS, label_of

PAGE = Path(__file__).parents[1] / "docs" / "variants.md"
TIME_SCALE, FLOOR = 40.0, 0.25  # Of the recipe `techtree`.

# What each is to differ in from the bidirectional recipe; settings of other teachers come on top.
DIFFERENCES = {
    "uniform": {
        "curriculum.kind": "uniform", "simonsays.bonus": "none", "simonsays.bonus_coefficient": 0.0
    },
    "uniform_fixed": {
        "curriculum.kind": "uniform", "simonsays.bonus": "fixed",
        "simonsays.bonus_coefficient": 0.05,
    },
    "uniform_dynamic": {"curriculum.kind": "uniform"},
    "unidirectional": {"curriculum.direction": "up"},
    "bidirectional": {},
    "success_band": {"curriculum.kind": "success_band", "curriculum.low": 0.1,
                     "curriculum.high": 0.9},
    "learnability": {"curriculum.kind": "learnability", "curriculum.top_count": None},
    "regression_slope": {"curriculum.kind": "regression_slope", "curriculum.window": 160,
                         "curriculum.temperature": 0.0},
    "rank_staleness": {"curriculum.kind": "rank_staleness", "curriculum.temperature": 0.1,
                       "curriculum.staleness": 0.1, "curriculum.error": "mean"},
    "half_window": {"curriculum.kind": "half_window", "curriculum.half_window": 80},
    "noise_aware": {"curriculum.noise_shrinkage": 1.0},
    "no_reweighting": {"curriculum.reweight_threshold": 0.5},
    "no_saturation": {"curriculum.weighting": "proportional"},
    "time_scale_short": {"curriculum.time_scale": 10.0, "exploration.time_scale": 10.0},
    "time_scale_long": {"curriculum.time_scale": 160.0, "exploration.time_scale": 160.0},
    "exploration_threshold_low": {"exploration.threshold": 0.03},
    "exploration_threshold_high": {"exploration.threshold": 0.3},
    "no_inheritance": {"simonsays.inherit_probability": 0.0},
    "hidden_exploration_set": {"policy.observe_exploration_set": False},
    "no_floor": {"curriculum.floor": 0.0},
    "all_updates": {"curriculum.averaging": "all_updates"},
    "unidirectional_no_floor": {"curriculum.direction": "up", "curriculum.floor": 0.0},
    "noise_aware_no_floor": {"curriculum.noise_shrinkage": 1.0, "curriculum.floor": 0.0},
    "all_updates_no_floor": {"curriculum.averaging": "all_updates", "curriculum.floor": 0.0},
    "optimism_no_floor": {"curriculum.averaging": "all_updates", "curriculum.optimism": 1.0,
                          "curriculum.floor": 0.0},
    "more_optimism_no_floor": {"curriculum.averaging": "all_updates", "curriculum.optimism": 3.0,
                               "curriculum.floor": 0.0},
}  # fmt: skip


def parsed(*rest: str) -> TrainConfig:
    return parse(recipe_start("techtree"), list(rest), "lapis train techtree").config


def test_a_treatment_differs_from_the_bidirectional_run_in_what_it_names():
    assert list(TREATMENTS) == list(DIFFERENCES)
    base = dict(flat_items(to_dict(recipes.techtree())))
    for name, expected in DIFFERENCES.items():
        config = with_treatment(recipes.techtree(), name)
        found = dict(flat_items(to_dict(config)))
        differing = {key: value for key, value in found.items() if value != base.get(key, "none")}
        label = {} if name == "bidirectional" else {"treatment": name}
        assert differing == expected | label, name
        gone = {key for key in base if key not in found}
        assert ("curriculum.direction" in gone) == ("curriculum.kind" in expected), name
        assert all(key.startswith("curriculum.") for key in gone), name


def test_families_and_the_papers_numbers():
    families = [each.family for each in TREATMENTS.values()]
    assert families == ["paper"] * 5 + ["rival"] * 6 + ["ablation"] * 9 + ["floor"] * 6
    assert [each.paper_discovered for each in TREATMENTS.values()][:6] == [17, 43, 70, 79, 82, None]
    assert len({each.label for each in TREATMENTS.values()}) == len(TREATMENTS)


def test_every_treatment_applies_to_every_recipe_and_survives_json_under_its_name():
    for recipe in (recipes.demo, recipes.techtree, recipes.voxel, recipes.paper):
        for name in TREATMENTS:
            config = with_treatment(recipe(), name)
            assert config.treatment == name
            assert from_dict(TrainConfig, json.loads(json.dumps(to_dict(config)))) == config
            other = dataclasses.replace(config, seed=5, updates=3, threads=2)
            assert other.treatment == name


def test_a_treatment_of_any_of_the_papers_is_that_of_the_bidirectional_one():
    unidirectional = with_treatment(recipes.techtree(), "unidirectional")
    for name in TREATMENTS:
        assert with_treatment(unidirectional, name) == with_treatment(recipes.techtree(), name)


def test_a_run_whose_settings_were_changed_has_the_name_that_they_agree_with():
    base = recipes.techtree()

    def changed(config, part, **changes):
        inner = dataclasses.replace(getattr(config, part), **changes)
        return dataclasses.replace(config, **{part: inner}).treatment

    assert changed(base, "simonsays", bonus_coefficient=0.123) == "custom"
    assert changed(base, "curriculum", direction="up") == "unidirectional"
    assert changed(base, "curriculum", floor=0.0) == "bidirectional"  # No part of the treatment.
    no_floor = with_treatment(base, "no_floor")
    assert changed(no_floor, "curriculum", floor=0.1) == "bidirectional"
    assert changed(no_floor, "curriculum", time_scale=7.0) == "no_floor"
    rival = dataclasses.replace(base, curriculum=LearnabilityConfig(top_count=3))
    assert rival.treatment == "learnability"
    assert probes.bandit().treatment == "custom"


def test_a_label_needs_no_more_than_the_settings():
    assert label_of({}) == "custom"
    bonus = {"bonus": "none", "bonus_coefficient": 0.0}
    assert label_of({"curriculum": {"kind": "uniform"}, "simonsays": bonus}) == "uniform"


def test_a_rival_or_ablation_is_not_treated_again():
    config = with_treatment(recipes.techtree(), "time_scale_long")
    assert with_treatment(config, "time_scale_long") is config
    for name in ("bidirectional", "no_floor"):
        with pytest.raises(ValueError, match="treatment is 'time_scale_long'; it must be one of"):
            with_treatment(config, name)


def test_unknown_names_are_refused_with_the_nearest():
    with pytest.raises(ValueError, match="treatment is 'learnabilty'; did you mean 'learnability'"):
        with_treatment(probes.bandit(), "learnabilty")
    with pytest.raises(ValueError, match="treatment is 'learnabilty'; did you mean 'learnability'"):
        from_dict(TrainConfig, to_dict(probes.bandit()) | {"treatment": "learnabilty"})


def test_every_treatment_trains_two_updates():
    threads = torch.get_num_threads()
    base = dataclasses.replace(recipes.techtree(), world_count=8, threads=1)
    for name in TREATMENTS:
        config = with_treatment(base, name)
        try:
            trainer = Trainer(config)
            rows = [trainer.train_one_update() for _ in range(2)]
        finally:
            torch.set_num_threads(threads)
        for row in rows:
            assert row["probabilities"].sum() == pytest.approx(1.0)
            # The floor holds for every curriculum; the uniform one is above it.
            least = getattr(config.curriculum, "floor", 1.0) / row["probabilities"].size
            assert row["probabilities"].min() >= least * (1 - 1e-12), name
            assert np.isfinite([row["losses"][part] for part in ("total", "policy", "value")]).all()
        sees = "exploration_set" in trainer.policy.encoders
        assert sees == (name != "hidden_exploration_set")


def test_the_page_has_a_row_for_each_treatment():
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE)
    assert rows == list(TREATMENTS)


def test_flags_apply_on_top_of_a_treatment():
    for form in (["--treatment", "half_window"], ["--treatment=half_window"]):
        assert parsed(*form) == with_treatment(recipes.techtree(), "half_window")
    config = parsed("--treatment", "time_scale_long", "--seed", "7", "--curriculum.floor", "0.5")
    assert (config.treatment, config.seed, config.curriculum.floor) == ("time_scale_long", 7, 0.5)
    assert config.curriculum.time_scale == 4 * TIME_SCALE
    tuned = parsed("--treatment", "learnability", "--curriculum.top-count", "3")
    assert tuned.curriculum == LearnabilityConfig(top_count=3, time_scale=TIME_SCALE, floor=FLOOR)
    assert tuned.treatment == "learnability"


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        (["--treatment", "learnabilty"], "unknown treatment `learnabilty`; did you mean `learnab"),
        (["--treatment"], "unknown treatment ``; there are: uniform, uniform_fixed"),
    ],
)
def test_errors_say_what_to_do(rest, message):
    with pytest.raises(UsageError, match=message):
        parsed(*rest)


def test_the_run_is_named_after_the_treatment(monkeypatch, tmp_path):
    calls = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "lapis.running.run.start", lambda path, **settings: calls.append((path, settings)) or 0
    )
    assert main(["train", "demo", "--treatment", "no_floor"]) == 0
    ((path, settings),) = calls
    assert str(path) == "runs/demo-no_floor"
    assert settings["recipe"] == "demo-no_floor"
    assert settings["config"].treatment == "no_floor"


def test_help_lists_every_treatment(capsys):
    assert main(["train"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for each in TREATMENTS.values():
        row = [line for line in lines if line.split()[:1] == [each.name]]
        assert [line.endswith(each.description) for line in row] == [True], each.name


def test_recipes_are_evaluated_so_often_that_one_lucky_attempt_is_no_discovery():
    assert recipes.demo().updates % recipes.demo().evaluation_updates == 0
    for config in (recipes.demo(), recipes.techtree()):
        assert config.evaluation_updates > 0
        assert 1 / config.evaluation_attempts <= 0.05
