"""TorchRL's environments and collectors with a curriculum, against the real library."""

import pytest

pytest.importorskip("torchrl", reason="not installed: pip install 'lapis-rl[torchrl]'")

import torch
from torchrl.collectors import Collector
from torchrl.envs import GymWrapper, ParallelEnv, SerialEnv, StepCounter, TransformedEnv

from lapis.curriculum import LearningProgress
from lapis.integrations.torchrl import CollectorCurriculum, with_tasks
from tests.integrations.journal import replay, sent_probabilities
from tests.teacher_contract import assert_same_state

pytestmark = pytest.mark.slow


def make_curriculum():
    return LearningProgress(10, time_scale=5, floor=0.2)


def single(count, make):
    return make()


def transformed(count, make):
    return TransformedEnv(SerialEnv(count, make), StepCounter())


@pytest.mark.parametrize("kind", [single, SerialEnv, ParallelEnv, transformed])
def test_state_is_that_of_a_plain_loop(kind, make_journal, tmp_path):
    env = kind(3, lambda: with_tasks(GymWrapper(make_journal())))
    curriculum = make_curriculum()
    teaching = CollectorCurriculum(curriculum, env)
    env.set_seed(0)
    torch.manual_seed(0)
    for data in Collector(env, frames_per_batch=120, total_frames=600):
        before = curriculum.probabilities()
        teaching.update(data)
    folder = tmp_path / "journal"
    plain = replay(folder, make_curriculum(), updates=5)
    assert plain.fast_.any()
    assert_same_state(curriculum.state_dict(), plain.state_dict())
    sent = [each for each in sent_probabilities(folder) if each]
    assert len(sent) == (1 if kind is single else 3)
    for each in sent:
        # At the start and after each update but the last, when the collector has closed them.
        assert len(each) in (5, 6)
        assert each[4] == before.tolist()


def test_steps_that_report_nothing_are_nan_not_failures(make_journal):
    env = with_tasks(GymWrapper(make_journal()))
    CollectorCurriculum(make_curriculum(), env)
    data = env.rollout(30, break_when_any_done=False)
    ended = data["next", "done"].flatten()
    assert torch.isnan(data["next", "task_succeeded"]).flatten().tolist() == (~ended).tolist()
    assert not ended.all()
    assert data["next", "task"].dtype == torch.float64


def test_the_example_learns():
    from torchrl_curriculum import train

    torch.set_num_threads(1)
    curriculum = LearningProgress(10, time_scale=8, floor=0.2)
    train(curriculum, updates=40)
    assert curriculum.fast_[:3].min() > 0.5
