"""The task sampler of prime-rl, against its published interface (`TaskSampler`, August 2026)."""

from types import SimpleNamespace

import numpy as np
import pytest

from lapis.curriculum import LearningProgress
from lapis.integrations.prime_rl import CurriculumTaskSampler
from tests.teacher_contract import assert_same_state

TASKS = [SimpleNamespace(key=f"k{i}", level="easy" if i < 4 else "hard") for i in range(6)]


def make(**options):
    curriculum = LearningProgress(2, time_scale=2, floor=0.1)
    return CurriculumTaskSampler(curriculum, TASKS, group_of=lambda task: task.level, **options)


def rollouts(task, *rewards, error=False, trainable=True):
    """A group of episodes with one trace each, as prime-rl reports it."""
    agent = SimpleNamespace(trainable=trainable)
    return [
        SimpleNamespace(
            task=task, traces=[SimpleNamespace(reward=reward, has_error=error, agent=agent)]
        )
        for reward in rewards
    ]


def test_tasks_are_drawn_by_group():
    sampler = make()
    sampler.curriculum.probabilities = lambda: np.array([0.0, 1.0])  # "easy" is 0, "hard" is 1
    assert {next(sampler).key for _ in range(40)} == {"k4", "k5"}


def test_state_is_that_of_a_plain_loop():
    sampler, plain = make(groups_per_update=2), LearningProgress(2, time_scale=2, floor=0.1)
    sampler.observe(rollouts(TASKS[0], 1.0, 0.0, 0.5))
    assert not sampler.curriculum.fast_.any()  # one more group until an update
    sampler.observe(rollouts(TASKS[5], 1.0))
    plain.update([1.5, 1], [3, 1], [1.25, 1])
    assert_same_state(sampler.curriculum.state_dict(), plain.state_dict())
    assert list(sampler.metrics()) == ["probability/easy", "probability/hard"]
    assert list(sampler.metrics().values()) == plain.probabilities().tolist()


def test_errors_and_agents_that_do_not_train_are_no_attempts():
    sampler = make()
    sampler.observe(rollouts(TASKS[0], 1.0, error=True))
    sampler.observe(rollouts(TASKS[0], 1.0, trainable=False))
    assert not sampler.curriculum.fast_.any()


def test_a_restored_sampler_draws_the_same():
    sampler, restored = make(), make(seed=9)
    sampler.observe(rollouts(TASKS[1], 1.0, 1.0))
    next(sampler)
    restored.load_state_dict(sampler.state_dict())
    assert [next(sampler).key for _ in range(30)] == [next(restored).key for _ in range(30)]


def test_rewards_of_another_scale_need_a_score():
    with pytest.raises(ValueError, match="outcome must be"):
        make().observe(rollouts(TASKS[0], 3.0))
    sampler = make(score=lambda reward: reward / 4)
    sampler.observe(rollouts(TASKS[0], 3.0))
    assert sampler.curriculum.fast_.tolist() == [0.375, 0.0]


def test_keys_must_differ():
    with pytest.raises(ValueError, match="must have different keys"):
        CurriculumTaskSampler(LearningProgress(1), [TASKS[0]] * 2, group_of=lambda task: 0)
