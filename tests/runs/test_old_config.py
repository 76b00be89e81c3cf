"""Configurations of earlier versions: `old_configs` and the stored tables hold real ones."""

import dataclasses
import json
import shutil
from pathlib import Path

import pytest

from lapis import recipes
from lapis.agent import ImpalaConfig, Schedule
from lapis.curriculum import HalfWindowConfig, LearnabilityConfig, RegressionSlopeConfig
from lapis.minecraft.goals import GOALS, IMPOSSIBLE
from lapis.runs import RunFolder
from lapis.runs.compact import read_table
from lapis.runs.old_config import current_config
from lapis.train.config import load_config, to_dict, with_treatment

HERE = Path(__file__).parent / "old_configs"
RESULTS = Path(__file__).parents[2] / "experiments" / "results"
OF_THE_RUN = ("seed", "updates", "threads", "device", "world_count", "evaluation_attempts",
              "evaluation_updates", "checkpoint_worlds", "policy", "ppo")  # fmt: skip


def old(name):
    return json.loads((HERE / f"{name}.json").read_text())


def former_demo():
    """The recipe as it was when the stored runs were made."""
    config = recipes.demo()
    policy = dataclasses.replace(config.policy, action_items=False)
    entropy = Schedule(0.015, 0.006, 1000)
    ppo = dataclasses.replace(config.ppo, entropy_coefficient=entropy)
    return dataclasses.replace(config, policy=policy, ppo=ppo)


def former_voxel():
    config = recipes.voxel()
    policy = dataclasses.replace(config.policy, action_items=False)
    rate, entropy = Schedule(4e-4, 2e-4, 1400), Schedule(0.02, 0.002, 250)
    ppo = dataclasses.replace(config.ppo, learning_rate=rate, entropy_coefficient=entropy)
    return dataclasses.replace(config, policy=policy, ppo=ppo)


@pytest.mark.parametrize(
    ("name", "recipe", "treatment"),
    [
        ("demo", former_demo, "bidirectional"),
        ("techtree-uniform", recipes.techtree, "uniform"),
        ("demo-time_scale_short", former_demo, "time_scale_short"),
        ("demo-learnability", former_demo, "learnability"),
        ("voxel", former_voxel, "bidirectional"),
    ],
)
def test_an_old_run_is_the_same_run_now(name, recipe, treatment):
    found, expected = load_config(old(name)), with_treatment(recipe(), treatment)
    assert found.treatment == treatment
    left, right = to_dict(found), to_dict(expected)
    for key in OF_THE_RUN[:8]:
        left.pop(key), right.pop(key)
    # The run was made with fewer sequences, and on a CPU nothing is compiled.
    for config in (left, right):
        config["policy"].pop("compile")
        config["ppo"].pop("minibatch_sequences")
    assert left == right
    assert load_config(to_dict(found)) == found


def test_numbers_that_change_become_schedules():
    config = load_config(old("voxel"))
    assert config.ppo.learning_rate == Schedule(4e-4, 2e-4, 1400)
    assert config.ppo.entropy_coefficient == Schedule(0.02, 0.002, 250)
    assert load_config(old("techtree-uniform")).ppo.learning_rate == Schedule(7e-4)
    assert config.policy.frames == ImpalaConfig(
        filters=(64, 64), stem="strided", blocks=1, precision="bfloat16"
    )
    assert config.policy.action_prior
    assert load_config(old("demo")).policy.frames is None


def test_a_change_by_hand_shows_in_the_label():
    values = old("demo")
    values["simonsays"]["bonus_coefficient"] = 0.2
    assert load_config(values).treatment == "custom"


def test_windows_are_those_that_the_time_scale_made():
    values = old("demo-learnability")  # Its time scale is 40.
    assert load_config(values).curriculum == LearnabilityConfig(time_scale=40.0, floor=0.25)
    values |= {
        "variant": "half_window",
        "curriculum": values["curriculum"] | {"kind": "half_window"},
    }
    assert load_config(values).curriculum == HalfWindowConfig(half_window=80, floor=0.25)
    values["curriculum"]["kind"], values["variant"] = "regression_slope", "regression_slope"
    assert load_config(values).curriculum == RegressionSlopeConfig(window=160, floor=0.25)


def test_probes_have_one_kind():
    values = old("demo") | {"world": "two_goals"}
    values["policy"]["habits"] = False
    assert to_dict(load_config(values))["world"] == {"kind": "probe", "name": "two_goals"}


def test_what_pays_has_one_spelling():
    values = to_dict(recipes.demo())
    assert values["simonsays"]["bonus_goals"] is None
    for names in (list(GOALS), list(reversed(GOALS))):
        values["simonsays"]["bonus_goals"] = names
        assert current_config(values) == to_dict(recipes.demo())
    for names in ([*GOALS, IMPOSSIBLE[0]], ["log"]):
        values["simonsays"]["bonus_goals"] = names
        assert current_config(values)["simonsays"]["bonus_goals"] == names
    values["simonsays"]["bonus"] = "none"
    assert current_config(values)["simonsays"]["bonus_goals"] is None


def test_every_stored_run_has_the_label_in_its_name_and_all_settings_of_today():
    tables = [each for each in sorted(RESULTS.glob("*/*.npz")) if "simulated" not in str(each)]
    assert len(tables) > 100
    for path in tables:
        config = load_config(read_table(path).config)
        assert path.name.startswith(f"{config.treatment}-seed-"), path
        # So that stored runs and new ones of the same settings are one group in a report.
        assert json.loads(json.dumps(to_dict(config))) == read_table(path).config, path


def test_a_run_folder_is_read_in_todays_form(tmp_path):
    for name in ("recipe.txt", "metrics.jsonl"):
        (tmp_path / name).touch()
    shutil.copy(HERE / "demo.json", tmp_path / "config.json")
    config = RunFolder.open(tmp_path).read_config()
    assert config["treatment"] == "bidirectional"
    assert config == json.loads(json.dumps(to_dict(load_config(old("demo")))))
