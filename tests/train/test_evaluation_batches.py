"""Evaluations in batches of worlds, and what a signal does to one."""

import dataclasses
import os
import signal

import pytest
import torch

from lapis import recipes
from lapis.recipes import probes
from lapis.running.signals import Stopped, StopRequest
from lapis.train.evaluation import Evaluator, evaluate
from lapis.train.loop import Trainer
from tests.running.fake_trainer import FakeTrainer
from tests.running.test_run import resume_run, start_run
from tests.running.test_run_evaluation import evaluated
from tests.train.test_evaluation import Script, config_of


class Ranking(Script):
    """Takes the allowed choice that comes first in an order which depends on the step."""

    def __call__(self, observation, first_TW, state):
        _, _, state = super().__call__(observation, first_TW, state)
        step_W = state.hidden_SH[:, 0].long()
        rank_A = torch.arange(self.choice_count)
        rank_WA = (rank_A * 7 + step_W[:, None] * 5) % self.choice_count
        return 1e4 * rank_WA.float()[None], None, state


def techtree(**changes):
    config = recipes.techtree()
    game = dataclasses.replace(config.simonsays, task_ticks=1500)
    return dataclasses.replace(config, simonsays=game, evaluation_attempts=2, **changes)


def played(limit):
    """Successes of a policy without chance, worlds that were thought for, in batches of `limit`."""
    evaluator = Evaluator(techtree(evaluation_worlds=limit))
    script = Ranking(lambda goal, step: step * 0, choice_count=sum(evaluator.game.action_sizes))
    members = torch.zeros(len(evaluator.game.goals), dtype=torch.bool)
    counts = [evaluator.evaluate(script, update=0, exploration_set=members) for _ in range(2)]
    assert counts[0]["successes"].tolist() == counts[1]["successes"].tolist()
    assert counts[0]["attempts"].tolist() == [2] * 113
    return counts[0]["successes"].tolist(), script.rows


def test_worlds_play_the_same_in_batches_of_any_size():
    whole, rows = played(0)
    assert max(rows) == 226
    assert 2 < sum(whole) < 226
    for limit in (1000, 226, 100, 113):
        successes, rows = played(limit)
        assert successes == whole
        assert max(rows) == min(limit, 226)


def test_a_limit_that_holds_all_worlds_changes_nothing():
    trainer = Trainer(dataclasses.replace(probes.two_goals(), world_count=8))
    limited = dataclasses.replace(trainer.config, evaluation_worlds=10**6)
    first = evaluate(trainer)
    trainer.config = limited
    assert evaluate(trainer)["successes"].tolist() == first["successes"].tolist()


def test_a_negative_limit_is_refused():
    with pytest.raises(ValueError, match="evaluation_worlds is -1; it must be"):
        techtree(evaluation_worlds=-1)


def test_probe_worlds_have_no_numbers_and_are_refused_in_parts():
    config = dataclasses.replace(config_of(), evaluation_worlds=4)
    with pytest.raises(ValueError, match="first_world is 4; worlds of 'two_goals' start at 0"):
        Evaluator(config).evaluate(
            Script(lambda goal, step: goal), update=0, exploration_set=torch.zeros(2).bool()
        )


def test_evaluations_use_no_compiled_code_and_leave_the_policy_as_it_was():
    trainer = Trainer(dataclasses.replace(probes.two_goals(), world_count=8))
    seen = []
    trainer.policy.register_forward_pre_hook(
        lambda module, _: seen.append((module.training, torch.backends.cudnn.benchmark))
    )
    before = torch.backends.cudnn.benchmark
    torch.backends.cudnn.benchmark = True
    evaluate(trainer)
    assert torch.backends.cudnn.benchmark
    torch.backends.cudnn.benchmark = before
    assert set(seen) == {(False, False)}
    assert trainer.policy.training


def signaling_in_evaluation(update, *numbers, left):
    """Gets signals in the middle of an evaluation; `left` tells whether that went on."""

    class Trainer(FakeTrainer):
        def evaluate(self):
            if self.update == update:
                for number in numbers:
                    os.kill(os.getpid(), number)
                left.append(False)
            return super().evaluate()

    Trainer.__qualname__ = "FakeTrainer"
    return Trainer


@pytest.mark.parametrize("update", [2, 10, 12, 20])
def test_a_signal_leaves_an_evaluation_at_once_and_a_resume_makes_it(tmp_path, capfd, update):
    whole, broken, left = tmp_path / "whole", tmp_path / "broken", []
    assert start_run(whole, updates=20, evaluation_updates=2) == 0
    build = signaling_in_evaluation(update, signal.SIGTERM, left=left)
    assert start_run(broken, build=build, updates=20, evaluation_updates=2) == 143
    assert left == []
    assert evaluated(broken) == list(range(2, update, 2))
    told = "".join(capfd.readouterr())
    assert "SIGTERM: stopping the evaluation and saving" in told
    assert f"stopped by SIGTERM after update {update}, saved; continue with: lapis resume" in told
    assert resume_run(broken) == 0
    for name in ("evaluation.jsonl", "metrics.jsonl"):
        assert (broken / name).read_bytes() == (whole / name).read_bytes()
    assert resume_run(broken) == 0
    assert "is finished after 20 updates" in capfd.readouterr().out


def test_an_evaluation_that_is_left_again_is_still_to_come(tmp_path):
    path, left = tmp_path / "a", []
    build = signaling_in_evaluation(4, signal.SIGTERM, left=left)
    assert start_run(path, build=build, updates=8, evaluation_updates=4) == 143
    assert resume_run(path, build=build) == 143
    assert evaluated(path) == []
    assert resume_run(path) == 0
    assert evaluated(path) == [4, 8]


def test_a_signal_before_an_evaluation_leaves_it_out_too():
    notices = []
    with StopRequest(notices.append) as stop:
        os.kill(os.getpid(), signal.SIGTERM)
        with pytest.raises(Stopped), stop.interruptible():
            pytest.fail("the work began")
    assert notices == ["SIGTERM: finishing this update, then saving; Ctrl-C stops at once"]
