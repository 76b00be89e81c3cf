import dataclasses

import numpy as np
import pytest
import torch

from lapis import recipes
from lapis.agent.lstm import LSTMState
from lapis.recipes import probes
from lapis.train.config import with_treatment
from lapis.train.evaluation import Evaluator, evaluate, evaluation_config
from lapis.train.loop import Trainer
from lapis.treatments import TREATMENTS
from lapis.worlds.probes import ProbeWorld
from tests.train.test_loop import assert_metrics_equal, assert_same, small

CERTAIN = 1e4
"""A logit that no draw overcomes."""


pytestmark = pytest.mark.usefixtures("one_thread")


class Script:
    """Plays what `choose(goal, step)` says; its memory counts the steps of the episode."""

    is_compiled = False

    def __init__(self, choose, choice_count=8):
        self.choose = choose
        self.choice_count = choice_count
        self.rows = []
        """Worlds that were thought for in each step."""
        self.seen = None
        """The exploration set of the last step."""

    def initial_state(self, world_count):
        return LSTMState(torch.zeros(world_count, 1), torch.zeros(world_count, 1))

    def __call__(self, observation, first_TW, state):
        goal_W = observation["goal"][0]
        step_W = state.hidden_SH[:, 0] * ~first_TW[0]
        self.rows.append(len(goal_W))
        self.seen = observation["exploration_set"].clone()
        choice_W = self.choose(goal_W, step_W).long()
        logits_WA = CERTAIN * torch.nn.functional.one_hot(choice_W, self.choice_count)
        return logits_WA.float()[None], step_W[None], LSTMState(step_W[:, None] + 1, state.cell_SH)


def right(goal_W, step_W):
    """A log by choice 1; planks by choice 2 and then 3."""
    return torch.where(goal_W == 0, 1, 2 + step_W)


def config_of(recipe=probes.two_goals, attempts=5, **game):
    config = recipe()
    return dataclasses.replace(
        config,
        evaluation_attempts=attempts,
        simonsays=dataclasses.replace(config.simonsays, **game),
    )


def count(evaluator, policy, update=0, exploration_set=None):
    members = (
        np.zeros(len(evaluator.game.goals), bool) if exploration_set is None else exploration_set
    )
    counts = evaluator.evaluate(policy, update=update, exploration_set=torch.as_tensor(members))
    return counts["successes"].tolist(), counts["attempts"].tolist()


@pytest.mark.parametrize(
    ("choose", "successes"),
    [
        (right, [5, 5]),
        (lambda goal, step: torch.zeros_like(goal), [0, 0]),
        (lambda goal, step: torch.ones_like(goal), [5, 0]),
        (lambda goal, step: 3 - right(goal, step), [0, 0]),
    ],
)
def test_each_goal_has_its_attempts_and_those_that_succeed_are_counted(choose, successes):
    assert count(Evaluator(config_of()), Script(choose)) == (successes, [5, 5])


def test_some_goals_can_be_played_alone():
    logs = Script(lambda goal, step: torch.ones_like(goal))
    assert count(Evaluator(config_of(), goals=[1]), logs) == ([0], [5])
    logs = Script(lambda goal, step: torch.ones_like(goal))
    assert count(Evaluator(config_of(), goals=[1, 0]), logs) == ([0, 5], [5, 5])


def test_only_the_first_task_of_each_world_counts():
    # The time is over after two steps; from the third on, everybody gets a log in every step.
    late = Script(lambda goal, step: torch.where(step < 2, 0, 1))
    assert count(Evaluator(config_of(task_ticks=2)), late) == ([0, 0], [5, 5])
    # Three ticks leave room for the log that comes third, but not for planks.
    late = Script(lambda goal, step: torch.where(step < 2, 0, 1))
    assert count(Evaluator(config_of(task_ticks=3)), late) == ([5, 0], [5, 5])


def test_death_ends_an_attempt():
    # In this world the right choice is 1 in the first step and 0 later, and death comes by chance.
    never = Script(lambda goal, step: torch.where(step == 0, 0, 1), choice_count=2)
    config = config_of(probes.first_step, attempts=64, task_ticks=1000)
    assert count(Evaluator(config), never) == ([0], [64])
    # The rows of all worlds are played at first, then those alone that live: 64 * (3/4)^16 = 0.6.
    assert never.rows[:16] == [64] * 16
    assert len(never.rows) < 1000
    assert all(rows < 10 for rows in never.rows[16:])


def test_what_a_world_does_in_its_next_episode_counts_for_nothing():
    evaluator = Evaluator(config_of(probes.first_step, attempts=64, task_ticks=1000))
    dead = []

    def wrong_then_right(goal_W, step_W):
        dead.append(int(evaluator.game.terminated.sum()))
        return (step_W == 0) == (len(dead) > 1)

    successes, _ = count(evaluator, Script(wrong_then_right, choice_count=2))
    assert 0 < dead[1] < 64
    assert successes == [64 - dead[1]]


def test_what_a_world_has_lost_is_no_attempt(monkeypatch):
    lost_W = torch.zeros(10, dtype=torch.bool)
    monkeypatch.setattr(ProbeWorld, "lost", lost_W, raising=False)

    def right_if_not_lost(goal_W, step_W):
        # The second log is lost before it is there; the last planks are lost too late to matter.
        lost_W[1] = step_W[1] == 0
        lost_W[9] = step_W[9] == 2
        return right(goal_W, step_W)

    evaluator = Evaluator(config_of())
    assert count(evaluator, Script(right_if_not_lost)) == ([4, 5], [4, 5])


def test_memory_stays_with_its_world_when_others_are_done():
    class Rememberer(Script):
        """Wins logs at once, and planks late, in worlds whose memory says that they are asked for.

        It looks at the goal in the first step only.
        """

        def __call__(self, observation, first_TW, state):
            goal_W1 = observation["goal"][0][:, None].float()
            first_W1 = first_TW[0][:, None]
            memory = LSTMState(*(torch.where(first_W1, goal_W1, part) for part in state))
            is_planks_W = (memory.hidden_SH + memory.cell_SH)[:, 0] == 2
            log, planks = {0: (1, 0), 20: (0, 2), 21: (0, 3)}.get(len(self.rows), (0, 0))
            self.choose = lambda goal_W, step_W: torch.where(is_planks_W, planks, log)
            logits_1WA, value_1W, _ = super().__call__(observation, first_TW, memory)
            return logits_1WA, value_1W, memory

    script = Rememberer(right)
    assert count(Evaluator(config_of(task_ticks=40)), script) == ([5, 5], [5, 5])
    assert script.rows == [10] * 16 + [5] * 16


def test_an_attempt_has_the_whole_time_of_a_task_even_in_shorter_episodes():
    log_at_ten = Script(lambda goal, step: torch.where(step == 9, 1, 0))
    evaluator = Evaluator(config_of(task_ticks=20, episode_ticks=8))
    assert count(evaluator, log_at_ten) == ([5, 0], [5, 5])


def test_all_attempts_start_with_nothing_whatever_was_gathered_and_inherited_before():
    config = dataclasses.replace(recipes.techtree(), evaluation_attempts=2)
    config = dataclasses.replace(
        config, simonsays=dataclasses.replace(config.simonsays, inherit_probability=1.0)
    )
    trainer = Trainer(config)
    evaluator = Evaluator(config)
    goal_count = len(config.simonsays.goals)
    assert goal_count == 113
    firsts = []

    def watch(module, inputs):
        observation, first_TW, _ = inputs
        # Later a few worlds are left, and all of them may begin anew at once.
        if first_TW.all() and first_TW.shape[1] == 2 * goal_count:
            firsts.append(observation["vector"].clone())
            assert not evaluator.game.world.inventory.any()
            goals = torch.arange(goal_count).repeat_interleave(2)
            assert torch.equal(observation["goal"][0], goals)

    trainer.policy.register_forward_pre_hook(watch)
    members = trainer.game.exploration_set
    for update in range(2):
        evaluator.evaluate(trainer.policy, update=update, exploration_set=members)
        assert evaluator.game.world.inventory.any()
    assert len(firsts) == 2
    assert torch.equal(*firsts)


def test_the_worlds_are_apart_from_those_of_the_training_and_the_same_in_every_evaluation():
    config = config_of()
    other = evaluation_config(config)
    assert other.world_count == 2 * 5
    assert other.seed == config.seed + 2**30
    assert evaluation_config(dataclasses.replace(config, seed=2**31 - 1)).seed == 2**30 - 1
    assert other.simonsays.bonus == "none"


def test_actions_are_drawn_by_seed_and_update():
    config = config_of(probes.bandit, attempts=400)
    trainer = Trainer(config)
    none = torch.zeros(1, dtype=torch.bool)

    def successes(evaluator, update):
        return evaluator.evaluate(trainer.policy, update=update, exploration_set=none)["successes"]

    first, again = Evaluator(config), Evaluator(config)
    other = Evaluator(dataclasses.replace(config, seed=1))
    drawn = [int(successes(first, update)[0]) for update in range(4)]
    # An untrained policy takes each of the eight choices alike: 50 of 400, deviation 6.6.
    assert all(20 < number < 80 for number in drawn)
    assert len(set(drawn)) > 1
    assert [int(successes(again, update)[0]) for update in (3, 0, 1, 2)] == [
        drawn[update] for update in (3, 0, 1, 2)
    ]
    assert [int(successes(other, update)[0]) for update in range(4)] != drawn


def test_the_policy_sees_the_exploration_set_of_the_training_and_no_bonus_is_paid():
    script = Script(right)
    evaluator = Evaluator(config_of(bonus="fixed", bonus_coefficient=0.5))
    count(evaluator, script, exploration_set=np.array([True, False]))
    assert script.seen.tolist() == [True, False]
    assert not evaluator.game.bonus.any()


@pytest.mark.parametrize("recipe", [probes.two_goals, recipes.techtree])
def test_training_with_evaluations_is_bit_for_bit_the_same(recipe):
    with_evaluation, without = Trainer(small(recipe)), Trainer(small(recipe))
    for _ in range(4):
        assert_metrics_equal(with_evaluation.train_one_update(), without.train_one_update())
        with_evaluation.evaluate()
        assert_same(with_evaluation, without)


def test_an_evaluation_after_a_resume_gives_the_same_counts():
    config = small(recipes.techtree, evaluation_attempts=3)
    trainer, resumed = Trainer(config), Trainer(config)
    for _ in range(3):
        trainer.train_one_update()
    resumed.load_state_dict(*trainer.state_dict())
    first, second = trainer.evaluate(), resumed.evaluate()
    assert first["successes"].sum() > 0
    assert (first["update"], first["frames"]) == (3, 3 * 8 * 8)
    np.testing.assert_equal(first, second)
    np.testing.assert_equal(first, trainer.evaluate())


def test_the_number_of_attempts_can_be_chosen():
    counts = evaluate(Trainer(small()), attempts=7)
    assert counts["attempts"].tolist() == [7, 7]
    with pytest.raises(ValueError, match="evaluation_attempts is 0; it must be"):
        evaluate(Trainer(small()), attempts=0)


def test_runs_of_all_treatments_are_evaluated_by_the_same_rules():
    for name in TREATMENTS:
        run = with_treatment(recipes.techtree(), name)
        config = evaluation_config(run)
        assert (config.simonsays.bonus, config.simonsays.inherit_probability) == ("none", 0.0)
        assert config.policy == run.policy
