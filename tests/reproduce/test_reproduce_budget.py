import dataclasses
import json
from pathlib import Path

import pytest

from lapis.reproduce import command
from lapis.reproduce.budget import (
    LAPTOP_FRAMES,
    Speed,
    agree_on_budget,
    load_budget,
    save_budget,
)
from lapis.reproduce.request import BASES, Request
from lapis.runs import RunError
from lapis.treatments import TREATMENTS
from tests.reproduce.driver import FRAMES_PER_UPDATE, tiny

SPEED = Speed(frames_per_second=100.0, evaluation_seconds=1.0, jobs=2, checkpoint_bytes=10)


@pytest.fixture(autouse=True)
def tiny_recipe(monkeypatch):
    monkeypatch.setitem(BASES, "techtree", tiny)


def unmeasured(config):
    raise AssertionError("the speed was measured without need")


def agree(folder, measure=unmeasured, **settings):
    return agree_on_budget(Request(folder=folder, **settings), load_budget(folder), measure)


def test_runs_go_seed_by_seed_at_one_budget_and_differ_in_curriculum_and_bonus(tmp_path):
    request = Request(seeds=2, first_seed=3, frames=1000, folder=tmp_path)
    _, jobs, _ = command._plan(request, command=())
    assert [(job.name, job.config.seed) for job in jobs] == [
        (each.name, seed)
        for seed in (3, 4)
        for each in TREATMENTS.values()
        if each.family == "paper"
    ]
    assert jobs[-1].path == tmp_path / "bidirectional" / "seed-4"
    assert {job.frame_total for job in jobs} == {16 * FRAMES_PER_UPDATE}  # 1000 / 64 = 15.6
    first = jobs[0].config
    for job in jobs:
        assert job.config.treatment == job.name
        names = ("curriculum", "simonsays", "treatment", "seed")
        same = {name: getattr(first, name) for name in names}
        assert dataclasses.replace(job.config, **same) == first


def test_the_default_budget_is_a_laptops(tmp_path):
    budget = agree(tmp_path)
    assert (budget.frames, budget.threads, budget.device) == (LAPTOP_FRAMES, 1, "cpu")
    assert budget.apply(tiny()).updates == LAPTOP_FRAMES / FRAMES_PER_UPDATE


def test_from_pixels_the_budget_is_the_recipes_on_a_gpu(tmp_path):
    budget = agree(tmp_path, recipe="voxel")
    assert (budget.device, budget.frames) == ("cuda", 3500 * 2560 * 32)
    request = Request(recipe="voxel", folder=tmp_path)
    assert {name: budget.apply(config).treatment for name, config in request.configs().items()} == {
        each: each for each in TREATMENTS if TREATMENTS[each].family == "paper"
    }
    assert agree(tmp_path, recipe="voxel", device="cpu", frames=1).device == "cpu"


def test_a_short_recipe_keeps_its_length(tmp_path):
    budget = agree(tmp_path, recipe="demo")
    assert (budget.device, budget.frames) == ("cpu", 1300 * 256 * 32)
    assert Request(recipe="demo").configs()["uniform"].policy.action_items


def test_evaluations_are_spread_evenly_whatever_the_length(tmp_path):
    config = agree(tmp_path, frames=101 * FRAMES_PER_UPDATE).apply(tiny())
    assert config.evaluation_updates == 13  # Eight of them.
    assert agree(tmp_path, frames=1).apply(tiny()).evaluation_updates == 1


def test_evaluations_belong_to_the_plan(tmp_path):
    budget = agree(tmp_path, frames=64 * 60, evaluations=30)
    assert budget.apply(tiny()).evaluation_updates == 2
    save_budget(tmp_path, budget)
    assert agree(tmp_path).evaluations == 30
    with pytest.raises(RunError, match="has evaluations 30, not 8"):
        agree(tmp_path, evaluations=8)


def test_minutes_become_frames_once(tmp_path):
    budget = agree(tmp_path, lambda config: SPEED, minutes=0.5)
    assert budget.frames == 47 * FRAMES_PER_UPDATE  # 30 s of 100 frames/s are 46.9 updates
    save_budget(tmp_path, budget)
    assert agree(tmp_path, minutes=0.5) == budget == load_budget(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["plan.json"]


def test_the_recorded_budget_is_kept_and_another_is_refused(tmp_path):
    budget = agree(tmp_path, frames=6400, threads=2)
    save_budget(tmp_path, budget)
    assert agree(tmp_path) == agree(tmp_path, frames=6400, threads=2) == budget
    for settings, message in (
        ({"frames": 1280}, "has frames 6,400, not 1280"),
        ({"minutes": 2.0}, r"has minutes None, not 2\.0"),
        ({"threads": 3}, "has threads 2, not 3"),
        ({"device": "cuda"}, "has device cpu, not cuda"),
    ):
        (name,) = settings
        with pytest.raises(
            RunError, match=rf"plan.json {message}\..*leave out --{name} .*--folder"
        ):
            agree(tmp_path, **settings)


def test_a_plan_of_another_recipe_says_which_to_give(tmp_path):
    save_budget(tmp_path, agree(tmp_path, recipe="xland", frames=6400))
    message = r"plan.json has recipe xland, not techtree\..*: give --recipe xland to keep"
    with pytest.raises(RunError, match=message):
        agree(tmp_path)


@pytest.mark.parametrize(
    ("name", "value"),
    [("frames", "many"), ("frames", 0), ("evaluations", 0), ("threads", 0), ("minutes", "1")],
)
def test_a_plan_with_numbers_that_no_request_has_is_damaged(tmp_path, name, value):
    save_budget(tmp_path, agree(tmp_path, frames=6400))
    values = json.loads((tmp_path / "plan.json").read_bytes())
    (tmp_path / "plan.json").write_text(json.dumps({**values, name: value}))
    with pytest.raises(RunError, match=rf"plan.json cannot be read \({name} is .*--folder"):
        load_budget(tmp_path)


def test_a_plan_of_the_first_format_is_read(tmp_path):
    old = {"format": 1, "world": "techtree", "frames": 640, "minutes": None, "speed": None}
    config = {"device": "cuda", "threads": 2, "world_count": 8}
    old["treatments"] = {"uniform": {"seeds": [0], "config": config}}
    (tmp_path / "plan.json").write_text(json.dumps(old))
    budget = load_budget(tmp_path)
    assert (budget.frames, budget.device, budget.threads) == (640, "cuda", 2)
    assert budget.recipe == "techtree"


def test_a_plan_that_names_a_world_has_the_recipe_of_that_name(tmp_path):
    save_budget(tmp_path, agree(tmp_path, recipe="xland", frames=640))
    plan = json.loads((tmp_path / "plan.json").read_text())
    plan |= {"format": 2, "world": plan.pop("recipe")}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    assert load_budget(tmp_path) == agree(tmp_path, recipe="xland")
    with pytest.raises(RunError, match="has recipe xland, not demo"):
        agree(tmp_path, recipe="demo")


def test_a_damaged_plan_is_an_error_that_names_the_way_on(tmp_path):
    assert load_budget(tmp_path) is None
    for text in ("{", "[]", "{}", '{"format": 99}', '{"format": 2, "speed": null}'):
        (tmp_path / "plan.json").write_text(text)
        with pytest.raises(RunError, match=r"plan.json cannot be read .*--folder"):
            load_budget(tmp_path)


def test_a_bad_request_is_refused():
    for settings, message in (
        ({"frames": 1, "minutes": 1.0}, "both given"),
        ({"frames": 0}, "frames is 0; it must be a whole number of at least 1"),
        ({"minutes": float("nan")}, "minutes is nan; it must be a finite number above 0"),
        ({"threads": -1}, "threads is -1; it must be a whole number of at least 1"),
        ({"seeds": 0}, "seeds is 0; it must be a whole number of at least 1"),
        ({"first_seed": -1}, "first_seed is -1; it must be a whole number of at least 0"),
        ({"treatments": "unifrom"}, "treatment is 'unifrom'.*did you mean 'uniform'"),
        ({"treatments": ""}, "treatments is empty; there are: uniform"),
    ):
        with pytest.raises(ValueError, match=message):
            Request(**settings)


def test_ten_seeds_from_100_on_and_settings_of_single_treatments(tmp_path):
    settings = tmp_path / "settings.json"
    changes = {
        "*": {"ppo.learning_rate": 1e-3, "ppo.discount": 0.5},
        "uniform": {"ppo.discount": 0.9},
    }
    settings.write_text(json.dumps(changes))
    request = Request(
        first_seed=100,
        seeds=10,
        treatments="uniform,no_floor",
        settings=settings,
        frames=64,
        folder=tmp_path / "runs",
    )
    _, jobs, _ = command._plan(request, command=())
    assert [job.config.seed for job in jobs] == [100 + index // 2 for index in range(20)]
    assert [job.config.ppo.discount for job in jobs[:2]] == [0.9, 0.5]
    assert {job.config.ppo.learning_rate.start for job in jobs} == {1e-3}
    assert {job.config.treatment for job in jobs} == {"uniform", "no_floor"}
    assert jobs[1].config.curriculum.floor == 0.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "settings cannot be read from .*settings.json"),
        ("[]", "must be a JSON object of objects"),
        ('{"uniform": 3}', "must be a JSON object of objects"),
        ('{"unifrm": {}}', "are for 'unifrm'; did you mean 'uniform'"),
        ('{"*": {"ppo.discont": 1}}', "unknown setting 'ppo.discont'; did you mean 'ppo.discount'"),
        ('{"*": {"ppo": 1}}', "ppo is 1; it must be a dict"),
        ('{"*": {"ppo.discount.x": 1}}', "unknown setting 'ppo.discount.x'"),
        ('{"*": {"ppo.discount": 2.0}}', "discount is 2.0"),
    ],
)
def test_bad_settings_are_refused(tmp_path, text, message):
    (tmp_path / "settings.json").write_text(text)
    with pytest.raises(ValueError, match=message):
        Request(settings=tmp_path / "settings.json")


def test_treatments_are_named_one_by_one_or_by_family():
    request = Request(treatments="uniform-fixed, bidirectional,uniform_fixed", folder=Path())
    assert list(request.configs()) == ["uniform_fixed", "bidirectional"]
    rivals = Request(treatments="bidirectional,rivals").configs()
    assert next(iter(rivals)) == "bidirectional"
    assert "learnability" in rivals
    assert all(TREATMENTS[name].family == "rival" for name in list(rivals)[1:])
    assert {config.treatment for config in rivals.values()} == set(rivals)
    every = Request(treatments="paper,rivals,ablations,floors")
    assert set(every.configs()) == set(TREATMENTS)
