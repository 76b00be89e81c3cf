import dataclasses
import json

import pytest

from lapis import recipes
from lapis.agent.config import PolicyConfig
from lapis.recipes import probes
from lapis.simonsays import SimonSaysConfig
from lapis.train.config import (
    TREATMENTS,
    CurriculumConfig,
    TrainConfig,
    from_dict,
    to_dict,
    with_treatment,
)

ALL_RECIPES = [getattr(recipes, name) for name in recipes.__all__] + [
    probes.bandit, probes.memory, probes.first_step, probes.masked, probes.two_goals,
]  # fmt: skip


@pytest.mark.parametrize("recipe", ALL_RECIPES, ids=lambda recipe: recipe.__name__)
def test_every_recipe_survives_json(recipe):
    config = recipe()
    text = json.dumps(to_dict(config))
    assert from_dict(TrainConfig, json.loads(text)) == config


def test_treatments_are_the_papers_five():
    rows = [
        (name, each.kind, each.direction, each.bonus, each.bonus_coefficient)
        for name, each in TREATMENTS.items()
    ]
    assert rows == [
        ("uniform", "uniform", "both", "none", 0.0),
        ("uniform_fixed", "uniform", "both", "fixed", 0.05),
        ("uniform_dynamic", "uniform", "both", "dynamic", 0.5),
        ("unidirectional", "learning_progress", "up", "dynamic", 0.5),
        ("bidirectional", "learning_progress", "both", "dynamic", 0.5),
    ]


@pytest.mark.parametrize("name", TREATMENTS)
def test_a_treatment_changes_curriculum_and_bonus_alone(name):
    base = recipes.techtree_bidirectional()
    config = with_treatment(base, name)
    assert config.treatment == name
    assert config == getattr(recipes, f"techtree_{name}")()
    same = dataclasses.replace(config, curriculum=base.curriculum, simonsays=base.simonsays)
    assert same == base


def test_other_settings_are_a_custom_treatment():
    base = recipes.techtree_bidirectional()
    custom = dataclasses.replace(base.simonsays, bonus_coefficient=0.123)
    assert dataclasses.replace(base, simonsays=custom).treatment == "custom"


def test_unknown_settings_are_named_with_the_nearest():
    values = to_dict(probes.bandit())
    values["ppo"]["lerning_rate"] = 1.0
    with pytest.raises(ValueError, match=r"'ppo\.lerning_rate'; did you mean 'learning_rate'"):
        from_dict(TrainConfig, values)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("seed",), "one", "seed is 'one'; it must be of type int"),
        (("seed",), True, "seed is True; it must be of type int"),
        (("ppo", "clip"), None, "ppo.clip is None"),
        (("world",), "techtre", "world is 'techtre'; did you mean 'techtree'"),
        (("ppo",), 3, "ppo is 3; it must be a dict"),
        (("simonsays", "goals"), "prize", "simonsays.goals is 'prize'; it must be a list"),
        (("curriculum", "kind"), "random", "curriculum.kind is 'random'"),
    ],
)
def test_wrong_values_are_named(path, value, message):
    values = to_dict(probes.bandit())
    place = values
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(ValueError, match=message):
        from_dict(TrainConfig, values)


def test_whole_numbers_are_accepted_for_real_ones():
    values = to_dict(probes.bandit())
    values["curriculum"]["time_scale"] = 20
    assert from_dict(TrainConfig, values).curriculum.time_scale == 20.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"world_count": 0}, "world_count is 0"),
        ({"updates": 0}, "updates is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"threads": -1}, "threads is -1"),
        (
            {"policy": PolicyConfig(habits=True), "world": "bandit"},
            r"world is 'bandit'; it must be one of \('techtree', 'voxel'\) for policy.habits",
        ),
        ({"rollout_steps": 17}, "rollout_steps is 17; it must be a multiple of ppo.sequence_steps"),
    ],
)
def test_runs_out_of_range_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        TrainConfig(simonsays=SimonSaysConfig(goals=("log",)), **changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"time_scale": 0.5}, "time_scale is 0.5"),
        ({"floor": 1.5}, "floor is 1.5"),
        ({"exploration_threshold": 0.0}, "exploration_threshold is 0.0"),
        ({"noise_shrinkage": -1.0}, "noise_shrinkage is -1.0"),
        ({"direction": "upp"}, "direction is 'upp'; did you mean 'up'"),
        ({"weighting": "sigmoids"}, "weighting is 'sigmoids'; did you mean 'sigmoid'"),
        ({"kind": "learnabilty"}, "kind is 'learnabilty'; did you mean 'learnability'"),
    ],
)
def test_curricula_out_of_range_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        CurriculumConfig(**changes)
