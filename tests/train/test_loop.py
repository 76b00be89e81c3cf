import dataclasses

import numpy as np
import pytest
import torch

from lapis import recipes
from lapis.agent import Schedule
from lapis.recipes import probes
from lapis.train.loop import Trainer
from lapis.train.state import flatten, unflatten

pytestmark = pytest.mark.usefixtures("one_thread")


def small(recipe=probes.two_goals, **changes):
    """A short run with several sequences per rollout and the dynamic bonus."""
    config = recipe()
    return dataclasses.replace(
        config,
        world_count=8,
        rollout_steps=8,
        ppo=dataclasses.replace(
            config.ppo, sequence_steps=4, minibatch_sequences=5, sample_reuse=1.9
        ),
        simonsays=dataclasses.replace(config.simonsays, bonus="dynamic", bonus_coefficient=0.5),
        **changes,
    )


def bare(metrics):
    """Metrics without wall-clock times."""
    return {
        name: value
        for name, value in metrics.items()
        if name not in ("seconds", "frames_per_second")
    }


def assert_same(first, second):
    tensors, state = first.state_dict()
    other_tensors, other_state = second.state_dict()
    assert state == other_state
    assert tensors.keys() == other_tensors.keys()
    for name, tensor in tensors.items():
        assert torch.equal(tensor, other_tensors[name]), name


def assert_metrics_equal(first, second):
    np.testing.assert_equal(bare(first), bare(second))


def test_same_seed_gives_identical_weights_after_20_updates():
    first, second = Trainer(small()), Trainer(small())
    for _ in range(20):
        assert_metrics_equal(first.train_one_update(), second.train_one_update())
        torch.rand(3)  # The global generator has no part in it.
    assert_same(first, second)


def test_another_seed_gives_other_weights():
    first, second = Trainer(small()), Trainer(small(seed=1))
    for trainer in (first, second):
        trainer.train_one_update()
    assert not torch.equal(first.policy.layer.weight, second.policy.layer.weight)


@pytest.mark.parametrize(
    "recipe", [probes.two_goals, probes.memory, probes.masked, recipes.techtree]
)
def test_10_updates_then_resumed_for_10_equal_20_bit_for_bit(recipe):
    whole = Trainer(small(recipe))
    logged = [whole.train_one_update() for _ in range(20)]
    half = Trainer(small(recipe))
    for _ in range(10):
        half.train_one_update()
    saved = half.state_dict()
    resumed = Trainer(small(recipe))
    resumed.load_state_dict(*saved)
    for metrics in logged[10:]:
        assert_metrics_equal(resumed.train_one_update(), metrics)
    assert_same(whole, resumed)


def test_steps_become_smaller_from_update_to_update():
    """Adam's first step is the learning rate itself, in every weight that has a gradient."""
    config = small()
    ppo = dataclasses.replace(config.ppo, learning_rate=Schedule(1e-3, 1e-9, 2))
    trainer = Trainer(dataclasses.replace(config, ppo=ppo))
    moved = []
    for _ in range(4):
        before = trainer.policy.layer.weight.detach().clone()
        trainer.train_one_update()
        moved.append(float((trainer.policy.layer.weight.detach() - before).abs().max()))
    assert moved[0] > moved[1] > 1e-5
    assert moved[3] < 1e-7


def test_the_entropy_counts_less_from_update_to_update():
    constant = small()
    schedule = Schedule(constant.ppo.entropy_coefficient.start, 0.0, 2)
    ppo = dataclasses.replace(constant.ppo, entropy_coefficient=schedule)
    falling = dataclasses.replace(constant, ppo=ppo)
    first, second = Trainer(constant), Trainer(falling)
    for trainer in (first, second):
        trainer.train_one_update()
    assert_same(first, second)  # The first update has the weight of the start.
    logged = [trainer.train_one_update() for trainer in (first, second)]
    assert logged[0]["losses"]["total"] != logged[1]["losses"]["total"]


def test_resume_before_the_first_update_equals_a_fresh_start():
    fresh, resumed = Trainer(small()), Trainer(small())
    resumed.load_state_dict(*Trainer(small()).state_dict())
    assert_metrics_equal(fresh.train_one_update(), resumed.train_one_update())
    assert_same(fresh, resumed)


def test_saved_state_does_not_change_with_the_trainer():
    trainer = Trainer(small())
    trainer.train_one_update()
    tensors, _ = trainer.state_dict()
    before = {name: tensor.clone() for name, tensor in tensors.items()}
    trainer.train_one_update()
    assert all(torch.equal(tensors[name], before[name]) for name in tensors)


def test_metrics_name_everything_a_report_needs():
    metrics = Trainer(small()).train_one_update()
    for name in ("attempts", "successes", "success", "probabilities"):
        assert metrics[name].shape == (2,)
    assert (metrics["update"], metrics["frames"]) == (1, 64)
    assert set(metrics["losses"]) == {"total", "policy", "value"}
    assert set(metrics["seconds"]) == {"world", "policy", "update", "curriculum"}
    scalars = ("discovered", "entropy", "kl", "clip_share", "value_fit", "gradient_norm")
    assert all(np.isfinite(metrics[name]) for name in scalars)
    assert metrics["frames_per_second"] > 0


def test_curriculum_and_exploration_set_follow_the_counts():
    trainer = Trainer(small())
    for _ in range(3):
        trainer.train_one_update()
    before = trainer.exploration.success_.copy()
    metrics = trainer.train_one_update()
    tried = metrics["attempts"] > 0
    mean = metrics["successes"] / np.maximum(metrics["attempts"], 1)
    expected = before + np.where(tried, (mean - before) / 10.0, 0.0)
    np.testing.assert_allclose(metrics["success"], expected, rtol=1e-12)
    np.testing.assert_allclose(trainer.curriculum.fast_, expected, rtol=1e-12)
    assert metrics["discovered"] == np.count_nonzero(expected > 0.05)
    members = trainer.game.observation["exploration_set"].numpy()
    np.testing.assert_array_equal(members, expected < 0.1)


def test_state_survives_flattening():
    nested = {
        "a": {"tensor": torch.arange(3), "array": np.array([1.5, 2.5]), "number": 2**80},
        "text": "x",
        "list": [1, None, True],
    }
    tensors, state = flatten(nested)
    assert set(tensors) == {"a/tensor", "a/array"}
    back = unflatten(tensors, state)
    assert torch.equal(back["a"]["tensor"], nested["a"]["tensor"])
    assert isinstance(back["a"]["array"], np.ndarray)
    np.testing.assert_array_equal(back["a"]["array"], nested["a"]["array"])
    assert (back["a"]["number"], back["text"], back["list"]) == (2**80, "x", [1, None, True])


@pytest.mark.parametrize("bad", [{"a": object()}, {"a/b": 1}, {1: 2}, {"a": np.float32(1)}])
def test_state_that_cannot_be_saved_is_refused(bad):
    with pytest.raises(ValueError, match="state"):
        flatten(bad)
