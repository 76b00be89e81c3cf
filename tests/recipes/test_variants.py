"""The variants: each differs from the bidirectional run in what it names, and trains."""

import dataclasses
import json
import re
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import torch

from lapis import recipes
from lapis.recipes import probes
from lapis.recipes.variants import VARIANTS, techtree_variant
from lapis.train.config import (
    TREATMENTS,
    CurriculumConfig,
    TrainConfig,
    from_dict,
    to_dict,
    with_treatment,
    with_variant,
)
from lapis.train.loop import Trainer
from lapis.train.variants import CHANGES, VariantName

PAGE = Path(__file__).parents[2] / "docs" / "variants.md"

# What each is to differ in from the bidirectional recipe, whose time scale is given.
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
    "success_band": {"curriculum.kind": "success_band"},
    "learnability": {"curriculum.kind": "learnability"},
    "regression_slope": {"curriculum.kind": "regression_slope"},
    "rank_staleness": {"curriculum.kind": "rank_staleness"},
    "half_window": {"curriculum.kind": "half_window"},
    "noise_aware": {"curriculum.noise_shrinkage": 1.0},
    "no_reweighting": {"curriculum.reweight_threshold": 0.5},
    "no_saturation": {"curriculum.weighting": "proportional"},
    "time_scale_short": {"curriculum.time_scale": 10.0},
    "time_scale_long": {"curriculum.time_scale": 160.0},
    "exploration_threshold_low": {"curriculum.exploration_threshold": 0.03},
    "exploration_threshold_high": {"curriculum.exploration_threshold": 0.3},
    "no_inheritance": {"simonsays.inherit_probability": 0.0},
    "hidden_exploration_set": {"policy.observe_exploration_set": False},
    "no_floor": {"curriculum.floor": 0.0},
}  # fmt: skip


def paper_like(**changes) -> TrainConfig:
    """The tech-tree recipe with the paper's rules, a floor, and a time scale of 40."""
    base = recipes.techtree_bidirectional()
    return dataclasses.replace(
        base, curriculum=CurriculumConfig(time_scale=40.0, floor=0.25), **changes
    )


def flat(config, prefix=""):
    for name, value in to_dict(config).items() if not isinstance(config, dict) else config.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def test_the_variants_are_those_of_the_table():
    assert list(VARIANTS) == list(DIFFERENCES)
    assert all(name == variant.name for name, variant in VARIANTS.items())
    assert [name for name in VARIANTS if VARIANTS[name].family == "treatment"] == list(TREATMENTS)
    assert [name for name in VARIANTS if VARIANTS[name].family != "treatment"] == list(CHANGES)
    assert get_args(VariantName) == tuple(CHANGES)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_differs_from_the_base_in_what_it_names(name):
    base = dict(flat(paper_like()))
    found = dict(flat(VARIANTS[name].apply(paper_like())))
    differing = {place: value for place, value in found.items() if value != base[place]}
    own_name = {"variant": name} if name in CHANGES else {}
    assert differing == DIFFERENCES[name] | own_name


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_survives_json_under_its_name(name):
    config = techtree_variant(name)
    assert config.treatment == name
    assert from_dict(TrainConfig, json.loads(json.dumps(to_dict(config)))) == config


@pytest.mark.parametrize("name", VARIANTS)
def test_settings_that_are_no_part_of_it_do_not_change_the_name(name):
    config = techtree_variant(name)
    curriculum = dataclasses.replace(config.curriculum, time_scale=77.0)
    other = dataclasses.replace(config, seed=5, updates=3, threads=2, curriculum=curriculum)
    assert other.treatment == name


@pytest.mark.parametrize("name", CHANGES)
def test_a_variant_of_any_treatment_is_that_of_the_bidirectional_one(name):
    base = recipes.techtree_bidirectional()
    assert with_variant(with_treatment(base, "uniform_fixed"), name) == with_variant(base, name)


@pytest.mark.parametrize(
    ("name", "part", "changes", "message"),
    [
        ("learnability", "curriculum", {"kind": "uniform"},
         "curriculum.kind is 'uniform'; it must be 'learnability' in the variant 'learnability'"),
        ("no_floor", "curriculum", {"floor": 0.1}, "curriculum.floor is 0.1; it must be 0.0"),
        ("no_inheritance", "curriculum", {"direction": "up"}, "curriculum.direction is 'up'"),
        ("half_window", "simonsays", {"bonus_coefficient": 0.1}, "bonus_coefficient is 0.1"),
    ],
)  # fmt: skip
def test_a_variant_whose_settings_were_changed_is_refused(name, part, changes, message):
    config = techtree_variant(name)
    changed = dataclasses.replace(getattr(config, part), **changes)
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(config, **{part: changed})
    assert dataclasses.replace(config, variant=None, **{part: changed}).variant is None


@pytest.mark.parametrize("vary", [with_treatment, with_variant])
def test_a_variant_is_not_varied_again(vary):
    name = "bidirectional" if vary is with_treatment else "no_floor"
    with pytest.raises(ValueError, match="variant is 'time_scale_long'; it must be None"):
        vary(techtree_variant("time_scale_long"), name)


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="name is 'learning'; it must be one of uniform"):
        techtree_variant("learning")
    with pytest.raises(ValueError, match="variant is 'learnabilty'; did you mean 'learnability'"):
        with_variant(probes.bandit(), "learnabilty")
    values = to_dict(probes.bandit()) | {"variant": "learnabilty"}
    with pytest.raises(ValueError, match="variant is 'learnabilty'; did you mean 'learnability'"):
        from_dict(TrainConfig, values)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_trains_two_updates(name):
    threads = torch.get_num_threads()
    config = VARIANTS[name].apply(
        paper_like(world_count=8, threads=1, policy=recipes.demo().policy)
    )
    try:
        trainer = Trainer(config)
        rows = [trainer.train_one_update() for _ in range(2)]
    finally:
        torch.set_num_threads(threads)
    for row in rows:
        assert row["probabilities"].sum() == pytest.approx(1.0)
        # The floor holds for every curriculum; the uniform one is above it.
        least = config.curriculum.floor / row["probabilities"].size
        assert row["probabilities"].min() >= least * (1 - 1e-12)
        assert np.isfinite([row["losses"][part] for part in ("total", "policy", "value")]).all()
    sees = "exploration_set" in trainer.policy.encoders
    assert sees == (name != "hidden_exploration_set")


def test_the_page_has_a_row_for_each_variant():
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE)
    assert rows == list(VARIANTS)


def test_recipes_are_evaluated_so_often_that_one_lucky_attempt_is_no_discovery():
    assert recipes.demo().updates % recipes.demo().evaluation_updates == 0
    for config in (recipes.demo(), *map(techtree_variant, VARIANTS)):
        assert config.evaluation_updates > 0
        assert 1 / config.evaluation_attempts <= 0.05
