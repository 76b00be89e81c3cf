"""Stable-Baselines3 and sb3-contrib with a curriculum, against the real libraries."""

import numpy as np
import pytest

pytest.importorskip("stable_baselines3", reason="not installed: pip install 'lapis-rl[sb3]'")

from stable_baselines3 import DQN, PPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv

from lapis.curriculum import LearningProgress
from lapis.integrations.sb3 import CurriculumCallback
from tests.integrations.journal import replay, sent_probabilities
from tests.teacher_contract import assert_same_state


def make_curriculum():
    return LearningProgress(10, time_scale=5, floor=0.2)


@pytest.mark.parametrize("kind", [DummyVecEnv, SubprocVecEnv])
def test_state_is_that_of_a_plain_loop(kind, make_journal, tmp_path):
    curriculum = make_curriculum()
    options = {"start_method": "fork"} if kind is SubprocVecEnv else {}  # quick to start
    envs = make_vec_env(make_journal, n_envs=3, seed=0, vec_env_cls=kind, vec_env_kwargs=options)
    model = PPO("MlpPolicy", envs, n_steps=32, batch_size=32, n_epochs=1, seed=0, device="cpu")
    model.learn(6 * 96, callback=CurriculumCallback(curriculum))
    envs.close()
    folder = tmp_path / "journal"
    plain = replay(folder, make_curriculum(), updates=6)
    assert plain.fast_.any()
    assert_same_state(curriculum.state_dict(), plain.state_dict())
    sent = [each for each in sent_probabilities(folder) if each]
    assert len(sent) == 3
    for each in sent:
        assert each[0] == make_curriculum().probabilities().tolist()
        assert each[-1] == plain.probabilities().tolist()
        assert len(each) == 7


@pytest.mark.parametrize("name", ["RecurrentPPO", "MaskablePPO"])
def test_state_is_that_of_a_plain_loop_in_contrib(name, make_journal, tmp_path):
    contrib = pytest.importorskip("sb3_contrib", reason="not installed: lapis-rl[sb3]")

    def make():
        env = make_journal()
        env.action_masks = lambda: np.ones(4, bool)
        return env

    policy = "MlpLstmPolicy" if name == "RecurrentPPO" else "MlpPolicy"
    curriculum = make_curriculum()
    model = getattr(contrib, name)(
        policy, DummyVecEnv([make] * 2), n_steps=32, batch_size=32, n_epochs=1, seed=0, device="cpu"
    )
    model.learn(3 * 64, callback=CurriculumCallback(curriculum))
    plain = replay(tmp_path / "journal", make_curriculum(), updates=3)
    assert plain.fast_.any()
    assert_same_state(curriculum.state_dict(), plain.state_dict())


def test_off_policy_algorithms_update_after_each_of_their_rollouts(make_journal, tmp_path):
    curriculum = make_curriculum()
    model = DQN("MlpPolicy", DummyVecEnv([make_journal]), train_freq=50, device="cpu", seed=0)
    model.learn(200, callback=CurriculumCallback(curriculum))
    assert_same_state(
        curriculum.state_dict(),
        replay(tmp_path / "journal", make_curriculum(), updates=4).state_dict(),
    )


def test_a_model_that_goes_on_learning_keeps_its_curriculum(make_journal, tmp_path):
    curriculum = make_curriculum()
    envs = make_vec_env(make_journal, n_envs=2, seed=0)
    model = PPO("MlpPolicy", envs, n_steps=32, batch_size=32, n_epochs=1, seed=0, device="cpu")
    model.learn(64, callback=CurriculumCallback(curriculum))
    before = curriculum.probabilities().tolist()
    model.learn(64, callback=CurriculumCallback(curriculum), reset_num_timesteps=False)
    for sent in sent_probabilities(tmp_path / "journal"):
        if sent:
            assert sent[1] == sent[2] == before  # after the first rollout, and as a new start


@pytest.mark.slow
def test_the_example_learns():
    import torch
    from sb3_curriculum import train

    torch.set_num_threads(1)
    curriculum = LearningProgress(10, time_scale=8, floor=0.2)
    train(curriculum, 15_000)
    assert curriculum.fast_[:3].min() > 0.5
