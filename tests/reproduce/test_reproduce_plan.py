import dataclasses
import json

import pytest
from lapis.recipes.variants import VARIANTS

from lapis.reproduce.plan import (
    EVALUATION_COUNT,
    LAPTOP_FRAMES,
    PlanError,
    Speed,
    load_plan,
    save_plan,
    with_budget,
)
from lapis.reproduce.request import Request, agree
from lapis.reproduce.treatments import BASES, configs
from lapis.train.config import TREATMENTS
from tests.reproduce.driver import FRAMES_PER_UPDATE, tiny


@pytest.fixture(autouse=True)
def tiny_recipe(monkeypatch):
    monkeypatch.setitem(BASES, "techtree", tiny)


def request(*names, seeds=(0, 1), **settings):
    return Request(
        world="techtree", configs=configs("techtree", names or TREATMENTS), seeds=seeds, **settings
    )


def unmeasured(config):
    raise AssertionError("the speed was measured without need")


def made(folder, *names, **settings):
    """A plan that is in the folder already."""
    plan = agree(request(*names, **settings), None, folder, unmeasured).plan
    save_plan(folder, plan)
    return plan


def test_runs_go_seed_by_seed_over_all_treatments(tmp_path):
    agreement = agree(request("uniform", "bidirectional"), None, tmp_path, unmeasured)
    assert [(run.name, run.seed) for run in agreement.runs] == [
        ("uniform", 0),
        ("bidirectional", 0),
        ("uniform", 1),
        ("bidirectional", 1),
    ]
    assert agreement.runs[3].path(tmp_path) == tmp_path / "bidirectional" / "seed-1"
    assert agreement.notes == []


def test_every_treatment_has_the_same_budget_and_only_its_own_curriculum_and_bonus(tmp_path):
    runs = agree(request(seeds=(3,), frames=1000), None, tmp_path, unmeasured).runs
    assert [run.name for run in runs] == list(TREATMENTS)
    assert [run.config.treatment for run in runs] == list(TREATMENTS)
    assert {run.frames for run in runs} == {16 * FRAMES_PER_UPDATE}  # 1000 / 64 = 15.6
    first = runs[0].config
    for run in runs:
        same = dataclasses.replace(
            run.config, curriculum=first.curriculum, simonsays=first.simonsays
        )
        assert same == first
        assert run.config.seed == 3


def test_the_default_budget_is_a_laptops(tmp_path):
    runs = agree(request("uniform"), None, tmp_path, unmeasured).runs
    assert runs[0].config.updates == LAPTOP_FRAMES / FRAMES_PER_UPDATE
    assert runs[0].config.threads == 1


def test_evaluations_are_spread_evenly_whatever_the_length():
    config = with_budget(tiny(), frames=101 * FRAMES_PER_UPDATE, device=None, threads=1)
    assert EVALUATION_COUNT == 8
    assert config.evaluation_updates == 13
    assert with_budget(tiny(), frames=1, device=None, threads=1).evaluation_updates == 1


def test_minutes_become_frames_once(tmp_path):
    speeds = [Speed(frames_per_second=100.0, evaluation_seconds=1.0, jobs=2, checkpoint_bytes=10)]
    asked = request("uniform", minutes=0.5)
    plan = agree(asked, None, tmp_path, lambda config: speeds.pop()).plan
    assert plan.frames == 47 * FRAMES_PER_UPDATE  # 30 s of 100 frames/s are 46.9 updates
    save_plan(tmp_path, plan)
    again = agree(asked, load_plan(tmp_path), tmp_path, unmeasured)
    assert again.plan == plan
    assert again.runs[0].config.updates == 47


def test_a_plan_survives_its_file(tmp_path):
    plan = made(tmp_path, frames=640, threads=2)
    assert load_plan(tmp_path) == plan
    assert [path.name for path in tmp_path.iterdir()] == ["plan.json"]
    assert load_plan(tmp_path / "elsewhere") is None


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"format": 99}'])
def test_a_damaged_plan_is_an_error_that_names_the_way_on(tmp_path, text):
    (tmp_path / "plan.json").write_text(text)
    with pytest.raises(PlanError, match=r"plan.json cannot be read .*--folder"):
        load_plan(tmp_path)


def test_the_recorded_budget_is_kept_where_none_is_asked_for(tmp_path):
    plan = made(tmp_path, "uniform", frames=640)
    again = agree(request("uniform"), load_plan(tmp_path), tmp_path, unmeasured)
    assert again.plan == plan
    assert again.notes == []


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"frames": 1280}, r"640 frames a run, not for --frames 1280\. .* leave out --frames .*"),
        ({"minutes": 2.0}, r"640 frames a run, not for --minutes 2\. .* leave out --minutes .*"),
        ({"threads": 2}, r"other settings for uniform: threads 1 in the plan, 2 now\. .*"),
        ({"device": "cuda"}, r"other settings for uniform: device cpu in the plan, cuda now\. .*"),
    ],
)
def test_another_budget_or_machine_is_an_error_that_names_the_fix(tmp_path, settings, message):
    plan = made(tmp_path, "uniform", frames=640)
    with pytest.raises(PlanError, match=message + "--folder"):
        agree(request("uniform", **settings), load_plan(tmp_path), tmp_path, unmeasured)
    assert load_plan(tmp_path) == plan


def test_frames_that_round_to_the_same_updates_are_the_same_budget(tmp_path):
    plan = made(tmp_path, "uniform", frames=640)
    asked = request("uniform", frames=650)
    assert agree(asked, load_plan(tmp_path), tmp_path, unmeasured).plan == plan


def test_a_changed_recipe_is_an_error_that_names_the_settings(tmp_path, monkeypatch):
    made(tmp_path, "uniform", frames=640)
    monkeypatch.setitem(BASES, "techtree", lambda: dataclasses.replace(tiny(), world_count=4))
    with pytest.raises(PlanError, match=r"uniform: world_count 8 in the plan, 4 now"):
        agree(request("uniform"), load_plan(tmp_path), tmp_path, unmeasured)


def test_seeds_and_treatments_can_be_added(tmp_path):
    made(tmp_path, "uniform", seeds=(0, 1), frames=640)
    asked = request("bidirectional", "uniform", seeds=(1, 2))
    agreement = agree(asked, load_plan(tmp_path), tmp_path, unmeasured)
    assert agreement.plan.seeds == {"uniform": (0, 1, 2), "bidirectional": (1, 2)}
    assert [(run.name, run.seed) for run in agreement.runs] == [
        ("uniform", 1),
        ("bidirectional", 1),
        ("uniform", 2),
        ("bidirectional", 2),
    ]
    assert {run.config.updates for run in agreement.runs} == {10}
    assert agreement.notes == [
        "adding to the plan: bidirectional",
        "adding to the plan: seeds 2",
        "left alone, not requested now: 1 of the plan's runs",
    ]


def test_a_plan_of_another_world_is_refused(tmp_path):
    made(tmp_path, "uniform", frames=640)
    values = json.loads((tmp_path / "plan.json").read_bytes())
    (tmp_path / "plan.json").write_text(json.dumps({**values, "world": "voxel"}))
    with pytest.raises(PlanError, match="for --world voxel, not techtree"):
        agree(request("uniform"), load_plan(tmp_path), tmp_path, unmeasured)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"frames": 1, "minutes": 1.0}, "both given"),
        ({"frames": 0}, "frames is 0; it must be above 0"),
        ({"minutes": float("nan")}, "minutes is nan; it must be above 0"),
        ({"threads": -1}, "threads is -1; it must be above 0"),
        ({"seeds": ()}, "seeds is 0; it must be at least 1"),
        ({"seeds": (-1, 0)}, "first_seed is -1; it must be 0 or more"),
    ],
)
def test_a_bad_request_is_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        request("uniform", **settings)


def test_names_of_treatments_are_checked():
    assert list(configs("techtree", ["uniform-fixed", " bidirectional", "uniform_fixed"])) == [
        "uniform_fixed",
        "bidirectional",
    ]
    with pytest.raises(ValueError, match="unknown treatment 'unifrom'; did you mean 'uniform'"):
        configs("techtree", ["unifrom"])
    with pytest.raises(ValueError, match="treatments is empty; there are: uniform"):
        configs("techtree", [])
    with pytest.raises(ValueError, match="unknown world 'moon'"):
        configs("moon", ["uniform"])


def test_families_stand_for_all_their_variants():
    rivals = configs("techtree", ["bidirectional", "rivals"])
    assert next(iter(rivals)) == "bidirectional"
    assert "learnability" in rivals
    assert all(VARIANTS[name].family == "rival" for name in list(rivals)[1:])
    assert {config.treatment for config in rivals.values()} == set(rivals)
    assert set(configs("techtree", ["treatments", "rivals", "ablations"])) == set(VARIANTS)
