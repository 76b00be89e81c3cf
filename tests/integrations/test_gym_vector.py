"""Gymnasium's vector environments with a curriculum."""
# ruff: noqa: E402  (what needs a library is imported after asking for it)

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="not installed: pip install gymnasium")

from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

from lapis.curriculum import LearningProgress
from lapis.integrations.gym_vector import VectorCurriculum
from lapis.integrations.tasks import TaskChoice
from tests.integrations.journal import replay, sent_probabilities
from tests.teacher_contract import assert_same_state


def make_curriculum():
    return LearningProgress(10, time_scale=5, floor=0.2)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("kind", [SyncVectorEnv, AsyncVectorEnv])
def test_state_is_that_of_a_plain_loop(kind, mode, make_journal, tmp_path):
    curriculum = make_curriculum()
    envs = kind([make_journal] * 3, autoreset_mode=mode)
    teaching = VectorCurriculum(curriculum, envs)
    envs.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(5):
        for _ in range(40):
            *_, info = envs.step(rng.integers(4, size=3))
            teaching.count(info)
        probabilities = teaching.update()
    envs.close()
    folder = tmp_path / "journal"
    plain = replay(folder, make_curriculum(), updates=5)
    assert plain.fast_.any()
    assert_same_state(curriculum.state_dict(), plain.state_dict())
    np.testing.assert_array_equal(probabilities, plain.probabilities())
    sent = [each for each in sent_probabilities(folder) if each]
    assert [len(each) for each in sent] == [6, 6, 6]
    assert all(each[-1] == probabilities.tolist() for each in sent)


def test_rows_that_report_nothing_are_no_attempts(make_journal):
    teaching = VectorCurriculum(make_curriculum(), SyncVectorEnv([make_journal] * 3))
    yes, no = np.array([True, False, True]), np.array([False, False, False])
    task, won = np.array([4, 0, 2]), np.array([True, False, False])
    teaching.count({"task": task, "_task": yes})
    teaching.count({"task": task, "_task": yes, "task_succeeded": won, "_task_succeeded": no})
    assert teaching.counts.totals()[1].sum() == 0
    info = {"task": task, "_task": yes, "task_succeeded": won, "_task_succeeded": yes}
    teaching.count(info)
    teaching.count({"final_info": info, "_final_info": yes})
    successes, attempts, _ = teaching.counts.totals()
    assert successes.tolist() == [0, 0, 0, 0, 2, 0, 0, 0, 0, 0]
    assert attempts.tolist() == [0, 0, 2, 0, 2, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("outcomes", "won", "tried"),
    [
        ((True, None), 1.0, 1),
        ((True, 0.25), 1.25, 2),
        ((1, 0.25), 1.25, 2),
        ((0, None), 0.0, 1),
        ((0.25, None), 0.25, 1),
    ],
)
def test_outcomes_of_a_step_keep_their_values_side_by_side(outcomes, won, tried):
    def ending(outcome):
        env = gymnasium.make("CartPole-v1", max_episode_steps=1)
        return TaskChoice(env, ["any"], set_task=lambda *_: None, outcome=lambda end: outcome)

    envs = SyncVectorEnv([lambda outcome=each: ending(outcome) for each in outcomes])
    teaching = VectorCurriculum(LearningProgress(1), envs)
    envs.reset(seed=0)
    *_, info = envs.step(np.zeros(2, int))
    teaching.count(info)
    successes, attempts, _ = teaching.counts.totals()
    assert (successes.tolist(), attempts.tolist()) == ([won], [tried])


@pytest.mark.slow
def test_the_example_learns():
    pytest.importorskip("torch", reason="PyTorch is not installed")
    from gym_vector_curriculum import train

    curriculum = LearningProgress(10, time_scale=8, floor=0.2)
    train(curriculum, updates=60)
    assert curriculum.fast_[:3].min() > 0.5
