import json

import pytest

from lapis import recipes
from lapis.agent.config import PolicyConfig
from lapis.curriculum import LearningProgressConfig, SuccessBandConfig
from lapis.recipes import probes
from lapis.simonsays import SimonSaysConfig
from lapis.train.config import TrainConfig, from_dict, to_dict, with_curriculum
from lapis.worlds.probe_config import ProbeConfig

ALL_RECIPES = [getattr(recipes, name) for name in recipes.__all__] + [
    probes.bandit, probes.memory, probes.first_step, probes.masked, probes.two_goals,
]  # fmt: skip


@pytest.mark.parametrize("recipe", ALL_RECIPES, ids=lambda recipe: recipe.__name__)
def test_every_recipe_survives_json(recipe):
    config = recipe()
    text = json.dumps(to_dict(config))
    assert from_dict(TrainConfig, json.loads(text)) == config


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
        (("world",), "techtree", "world is 'techtree'; it must be a dict with a `kind`"),
        (("world", "kind"), "techtre", "world is 'techtre'; did you mean 'techtree'"),
        (("world", "name"), "bandt", "world.name is 'bandt'; did you mean 'bandit'"),
        (("curriculum", "top_count"), 3, "unknown setting 'curriculum.top_count'"),
        (("ppo", "learning_rate"), [1, 2], "ppo.learning_rate is .1, 2.; it must be a number, or"),
        (("ppo",), 3, "ppo is 3; it must be a dict"),
        (("simonsays", "goals"), "prize", "simonsays.goals is 'prize'; it must be a list"),
        (("curriculum", "kind"), "random", "curriculum is 'random'; Known: uniform"),
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
            {"policy": PolicyConfig(action_prior=True), "world": ProbeConfig()},
            "policy.action_prior is True; it must be False in worlds without action_prior, such",
        ),
        ({"rollout_steps": 17}, "rollout_steps is 17; it must be a multiple of ppo.sequence_steps"),
        (
            {"overlap": True},
            "overlap is True; it must be False with checkpoint_worlds; to keep it, add "
            "--no-checkpoint-worlds",
        ),
        (
            {"overlap": True, "checkpoint_worlds": False, "device": "cuda:0"},
            "False with cuda_graphs on a GPU; to keep it, add --no-cuda-graphs",
        ),
        (
            {
                "overlap": True,
                "checkpoint_worlds": False,
                "device": "cuda",
                "cuda_graphs": False,
                "policy": PolicyConfig(compile=True),
            },
            "False with policy.compile on a GPU; to keep it, add --policy.no-compile",
        ),
    ],
)
def test_runs_out_of_range_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        TrainConfig(simonsays=SimonSaysConfig(goals=("log",)), **changes)


def test_kinds_are_tagged_in_json():
    values = to_dict(recipes.voxel())
    assert values["world"]["kind"] == "voxel"
    assert values["curriculum"]["kind"] == "learning_progress"
    assert values["policy"]["frames"]["kind"] == "impala"
    assert values["ppo"]["learning_rate"] == [4e-4, 1.5e-4, 3000]
    assert values["treatment"] == "bidirectional"
    assert to_dict(recipes.demo())["policy"]["frames"] is None


def test_another_curriculum_has_the_runs_time_scale_and_floor():
    config = with_curriculum(recipes.techtree(), "success_band")
    assert config.curriculum == SuccessBandConfig(time_scale=40.0, floor=0.25)
    assert with_curriculum(config, "success_band") is config
    # The uniform one has no floor to pass on; its time scale is that of the exploration set.
    back = with_curriculum(with_curriculum(config, "uniform"), "learning_progress")
    assert back.curriculum == LearningProgressConfig(time_scale=40.0, floor=0.0)
