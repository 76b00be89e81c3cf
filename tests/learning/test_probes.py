"""PPO with memory reaches a stated score in every probe world, for three seeds.

Each run takes seconds on one core. Where a part of the agent is broken on purpose, the score falls:
the probes measure what they claim to.
"""

import dataclasses

import numpy as np
import pytest
import torch

from lapis.agent.lstm import LSTMState
from lapis.agent.player import Player
from lapis.recipes import probes
from lapis.train.loop import Trainer

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]
SEEDS = (0, 1, 2)


class ForgetsAtTaskEnds(Player):
    """Acts as if a new task were a new episode."""

    def act(self, rollout, step):
        keep = (~self.game.task_over).unsqueeze(1)
        self.state = LSTMState(self.state.hidden_SH * keep, self.state.cell_SH * keep)
        return super().act(rollout, step)


def last_updates(trainer, count=10):
    """Trains to the end; returns the metrics of the last updates."""
    return [trainer.train_one_update() for _ in range(trainer.config.updates)][-count:]


def success(metrics):
    """Share of attempts that succeeded, per goal."""
    attempts = sum(each["attempts"] for each in metrics)
    return sum(each["successes"] for each in metrics) / np.maximum(attempts, 1)


def right_answers(metrics):
    """Share of the memory world's questions that were answered: three in the 22 steps of a life."""
    return float(np.mean([each["reward_per_step"] for each in metrics])) / (3 / 22)


def never_clear(lstm):
    """Lets memories run on from one episode into the next."""
    forward = lstm.forward
    lstm.forward = lambda input_LSI, first_LS, state: forward(
        input_LSI, torch.zeros_like(first_LS), state
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_bandit_finds_the_arm_that_pays(seed):
    assert success(last_updates(Trainer(probes.bandit(seed))))[0] > 0.98


@pytest.mark.parametrize("seed", SEEDS)
def test_memory_is_kept_through_steps_and_tasks(seed):
    assert right_answers(last_updates(Trainer(probes.memory(seed)))) > 0.9


def test_memory_fails_if_a_new_task_clears_it():
    trainer = Trainer(probes.memory(0))
    trainer.player = ForgetsAtTaskEnds(trainer.policy, trainer.game, seed=0)
    # The first question can be answered, the other two guessed: 1/3 + 2/3 * 1/4 = 0.5.
    assert right_answers(last_updates(trainer)) < 0.6


@pytest.mark.parametrize("seed", SEEDS)
def test_memory_is_cleared_where_an_episode_starts(seed):
    assert success_per_step(last_updates(Trainer(probes.first_step(seed)))) > 0.95


def test_first_steps_fail_if_memories_run_on_into_the_next_episode():
    trainer = Trainer(probes.first_step(0))
    never_clear(trainer.policy.lstm)
    # Three of four steps are not the first: always 0 is the best that can be done.
    assert success_per_step(last_updates(trainer)) < 0.8


@pytest.mark.parametrize("seed", SEEDS)
def test_masked_choices_are_never_taken_and_the_right_one_is_found(seed):
    trainer = Trainer(probes.masked(seed))
    trainer.game.validate_actions = True  # Raises at the first action that is not allowed.
    assert success(last_updates(trainer))[0] > 0.95


@pytest.mark.parametrize("seed", SEEDS)
def test_two_goals_are_both_learned_under_the_curriculum(seed):
    trainer = Trainer(probes.two_goals(seed))
    metrics = last_updates(trainer)
    assert success(metrics).min() > 0.95
    assert metrics[-1]["discovered"] == 2


def ahead(config):
    """The same run, in which each rollout is played while the policy learns from the last one."""
    return dataclasses.replace(config, overlap=True, checkpoint_worlds=False)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_policy_that_plays_one_update_behind_learns_both_goals(seed):
    assert success(last_updates(Trainer(ahead(probes.two_goals(seed))))).min() > 0.95


@pytest.mark.parametrize("seed", SEEDS)
def test_a_policy_that_plays_one_update_behind_learns_to_remember(seed):
    assert right_answers(last_updates(Trainer(ahead(probes.memory(seed))))) > 0.9


def success_per_step(metrics):
    return float(np.mean([each["reward_per_step"] for each in metrics]))
