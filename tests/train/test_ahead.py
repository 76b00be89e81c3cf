"""Playing the next rollout while learning: bits, errors and resumes."""

import _thread
import dataclasses
import os
import random
import signal
import threading
import time

import numpy as np
import pytest
import torch

from lapis.agent import ppo
from lapis.agent.player import Player
from lapis.recipes import probes, techtree
from lapis.running.options import RunOptions
from lapis.running.run import resume, start
from lapis.runs import RunFolder
from lapis.simonsays import SimonSaysConfig
from lapis.train.build import make_policy
from lapis.train.config import load_config, to_dict
from lapis.train.loop import Trainer
from lapis.worlds.remote import RemoteConfig
from tests.train.test_loop import assert_metrics_equal, assert_same, small

PATIENCE = 60.0
"""Seconds after which another thread is taken to be stuck; no test waits for them."""


pytestmark = pytest.mark.usefixtures("one_thread")


def ahead(recipe=probes.two_goals, **changes):
    settings = {"overlap": True, "checkpoint_worlds": False, "updates": 100, "threads": 1}
    return small(recipe, **{**settings, **changes})


def remote(**changes):
    """The toy world in two processes, of which one ends in every twentieth step."""
    config = ahead(**changes)
    world = RemoteConfig(
        factory="tests.worlds.remote.far_toy:Fails", options=("row=5", "step=20"), retries=100
    )
    rules = SimonSaysConfig(goals=("item_0", "item_1"), task_ticks=40, bonus="none")
    return dataclasses.replace(config, world=world, simonsays=rules)


def pairs(**changes):
    config = ahead(techtree, **changes)
    rules = dataclasses.replace(
        config.simonsays, goals=("dirt", "log", "sapling"), task_ticks=40, pairs=True
    )
    return dataclasses.replace(config, simonsays=rules)


def one_after_the_other(config, updates):
    """The same run in a single thread: what each update found, and the trainer afterwards.

    After its curriculum has moved, each update first plays the next rollout, then learns from its
    own: the policy that plays has not seen the last rollout yet.
    """
    trainer = Trainer(dataclasses.replace(config, overlap=False))
    game, teacher, exploration = trainer.game, trainer.curriculum, trainer.exploration
    player = Player(make_policy(config, game), game, seed=config.seed)
    now, following = trainer.rollout, trainer._make_rollout()

    def play(rollout):
        game.set_probabilities(teacher.probabilities())
        player.policy.load_state_dict(trainer.policy.state_dict())
        player.collect(rollout)

    play(now)
    found = []
    for update in range(updates):
        drawn_with = teacher.probabilities()
        successes, attempts = game.take_counts()
        teacher.update(successes, attempts)
        exploration.update(successes, attempts)
        if config.simonsays.bonus == "dynamic":
            game.set_exploration_set(exploration.members())
        play(following)
        order = ppo.sequence_order(
            now.sequence_count, config.ppo.sample_reuse, trainer.order_generator
        )
        value_fit, reward = now.finish(config.ppo).tolist()
        parts = ppo.minibatches(order, config.ppo.minibatch_sequences)
        coefficient = torch.tensor(config.ppo.entropy_coefficient.at(update))
        trainer._set_learning_rate(config.ppo.learning_rate.at(update))
        steps = ppo.update(
            trainer.policy,
            trainer.optimizer,
            (now.batch(part) for part in parts),
            config.ppo,
            coefficient,
        )
        means = dict(zip(ppo.STEP_METRICS, steps.mean(dim=0).tolist(), strict=True))
        found.append(
            {
                "attempts": attempts,
                "successes": successes,
                "success": exploration.success_.copy(),
                "probabilities": drawn_with,
                "losses": {name: means[name] for name in ("total", "policy", "value")},
                "kl": means["kl"],
                "value_fit": value_fit,
                "reward_per_step": reward,
            }
        )
        now, following = following, now
    trainer.player, trainer.update = player, updates
    return found, trainer


@pytest.mark.parametrize("make", [ahead, remote])
def test_it_is_bit_for_bit_a_run_whose_policy_plays_one_update_behind(make):
    trainer = Trainer(make())
    logged = [trainer.train_one_update() for _ in range(12)]
    expected, other = one_after_the_other(make(), 12)
    for update, found in enumerate(expected):
        shown = {name: logged[update][name] for name in found}
        np.testing.assert_equal(shown, found, f"update {update}")
    assert_same(trainer, other)
    assert sum(each["attempts"].sum() for each in logged) > 50


def test_it_differs_from_a_run_that_waits():
    """Otherwise the test above would show nothing."""
    config = ahead()
    waiting, other = Trainer(dataclasses.replace(config, overlap=False)), Trainer(config)
    for trainer in (waiting, other):
        logged = [trainer.train_one_update() for _ in range(3)]
        assert logged[-1]["update"] == 3
    assert not torch.equal(waiting.policy.layer.weight, other.policy.layer.weight)


@pytest.mark.parametrize("make", [ahead, pairs])
def test_two_runs_are_equal_however_long_worlds_and_learning_take(make):
    calm, slow = Trainer(make()), Trainer(make())
    dice = random.Random(0)
    step, learn = slow.game.step, slow._learn

    def slow_step(action):
        time.sleep(dice.choice([0.0, 0.001, 0.004]))
        step(action)

    def slow_learn():
        time.sleep(dice.choice([0.0, 0.03]))
        return learn()

    slow.game.step, slow._learn = slow_step, slow_learn
    for _ in range(8):
        assert_metrics_equal(calm.train_one_update(), slow.train_one_update())
        torch.rand(3)  # The global generator has no part in it.
    assert_same(calm, slow)


def test_the_worlds_play_while_the_policy_learns():
    trainer = Trainer(ahead())
    learning, played = threading.Event(), threading.Event()
    step, learn = trainer.game.step, trainer._learn
    places = []

    def waiting_step(action):
        if threading.current_thread() is not threading.main_thread():
            places.append((torch.get_num_threads(), torch.is_grad_enabled()))
            assert learning.wait(PATIENCE), "the worlds play before the policy learns"
            played.set()
        step(action)

    def waiting_learn():
        learning.set()
        assert played.wait(PATIENCE), "the worlds play after the policy has learned"
        return learn()

    trainer.game.step, trainer._learn = waiting_step, waiting_learn
    trainer.train_one_update()
    assert places == [(1, False)] * 8


def test_nothing_is_played_between_updates_and_the_last_one_plays_nothing_ahead():
    trainer = Trainer(ahead(updates=3))
    steps, played = [], trainer.game.step
    trainer.game.step = lambda action: (steps.append(0), played(action))
    counts = []
    for _ in range(4):
        trainer.train_one_update()
        counts.append(len(steps))
        time.sleep(0.02)
        assert len(steps) == counts[-1]
    # The one after the last plays its own.
    assert [count // 8 for count in counts] == [2, 3, 3, 4]


def test_the_seconds_tell_what_was_waited_for():
    trainer = Trainer(ahead(updates=3))
    parts = [set(trainer.train_one_update()["seconds"]) for _ in range(3)]
    assert parts[0] == {"world", "policy", "update", "curriculum", "waiting"}
    assert parts[1:] == [{"update", "curriculum", "waiting"}] * 2


def failing(trainer, at_step, fail):
    """Its worlds do so in a step, counted from 1."""
    steps, step = [], trainer.game.step

    def failing_step(action):
        steps.append(0)
        if len(steps) == at_step:
            fail()
        step(action)

    trainer.game.step = failing_step
    return steps


def test_an_error_of_the_worlds_reaches_the_caller():
    trainer = Trainer(ahead())

    def fail():
        raise RuntimeError("the sky has fallen")

    steps = failing(trainer, 8 + 8 + 3, fail)
    trainer.train_one_update()
    with pytest.raises(RuntimeError, match="the sky has fallen"):
        trainer.train_one_update()
    assert trainer.update == 2, "it had learned"
    assert len(steps) == 19
    metrics = trainer.train_one_update()  # With a rollout of its own.
    assert (metrics["update"], len(steps)) == (3, 19 + 8 + 8)


def test_an_interrupt_ends_the_play_with_the_step_under_way():
    trainer = Trainer(ahead())

    def interrupt():
        _thread.interrupt_main()
        deadline = time.monotonic() + PATIENCE
        while not trainer.player._is_unwanted and time.monotonic() < deadline:
            time.sleep(0.001)

    steps = failing(trainer, 8 + 3, interrupt)
    with pytest.raises(KeyboardInterrupt):
        trainer.train_one_update()
    assert len(steps) == 11


def test_what_is_not_finite_stops_the_play_and_is_told():
    trainer = Trainer(ahead())

    def wait():
        deadline = time.monotonic() + PATIENCE
        while not trainer.player._is_unwanted and time.monotonic() < deadline:
            time.sleep(0.001)

    steps = failing(trainer, 8 + 3, wait)
    collect = trainer.player.collect

    def spoilt(rollout):
        collect(rollout)
        rollout.reward_TW[0, 0] = float("nan")

    trainer.player.collect = spoilt
    with pytest.raises(FloatingPointError, match="update 0, minibatch 0: loss or gradient"):
        trainer.train_one_update()
    assert len(steps) == 11


@pytest.mark.parametrize("make", [ahead, pairs])
def test_a_trainer_that_has_played_ahead_loads_a_checkpoint_as_a_new_one_does(make):
    used, fresh = Trainer(make()), Trainer(make())
    for _ in range(3):
        used.train_one_update()
    saved = used.state_dict()
    used.train_one_update()
    for trainer in (used, fresh):
        trainer.load_state_dict(*saved)
    for _ in range(3):
        assert_metrics_equal(used.train_one_update(), fresh.train_one_update())
    assert_same(used, fresh)


class Counted(Trainer):
    """Counts the tasks that end in each rollout, and what the curriculum is told."""

    stop_at = -1

    def __init__(self, config, **given):
        super().__init__(config, **given)
        self.over, self.told = [], np.zeros(len(self.game.goals), int)
        step, learn = self.game.step, self.curriculum.update

        def counting_step(action):
            step(action)
            lost = getattr(self.game.world, "lost", torch.zeros_like(self.game.task_over))
            assert not (self.game.task_over & lost).any()
            self.over.append(int(self.game.task_over.sum()))

        def counting_update(successes, attempts):
            learn(successes, attempts)
            self.told += attempts

        self.game.step, self.curriculum.update = counting_step, counting_update

    @property
    def of_rollouts(self):
        return [sum(self.over[i : i + 8]) for i in range(0, len(self.over), 8)]

    def train_one_update(self):
        metrics = super().train_one_update()
        if self.update == self.stop_at:
            os.kill(os.getpid(), signal.SIGTERM)
        return metrics


class Stopped(Counted):
    stop_at = 4


@pytest.mark.parametrize("make", [ahead, remote])
def test_a_run_that_is_stopped_and_resumed_counts_every_attempt_once(tmp_path, make):
    made, path = [], tmp_path / "run"

    def keeping(kind):
        return lambda config: made.append(kind(config)) or made[-1]

    options = RunOptions(checkpoint_seconds=1e9, quiet=True)
    code = start(
        path,
        config=make(updates=9),
        recipe="test",
        command=["test"],
        options=options,
        make_trainer=keeping(Stopped),
    )
    assert code == 128 + signal.SIGTERM
    resume(path, command=["test"], options=options, make_trainer=keeping(Counted))
    log = RunFolder.open(path).read_metrics()
    assert log["update"].tolist() == list(range(1, 10))
    stopped, resumed = made
    # Stopped after 4 updates, with a fifth rollout in vain.
    assert (len(stopped.of_rollouts), len(resumed.of_rollouts)) == (5, 5)
    played = stopped.of_rollouts[:4] + resumed.of_rollouts
    assert log["attempts"].sum(axis=1).tolist() == played
    np.testing.assert_array_equal(log["attempts"].sum(axis=0), stopped.told + resumed.told)
    assert sum(played) > 20
    if make is remote:
        assert min(each.game.world.ends.losses for each in made) > 0


def test_configurations_from_before_have_no_overlap():
    values = to_dict(probes.bandit())
    del values["overlap"]
    assert load_config(values) == probes.bandit()


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
def test_on_a_gpu_it_is_a_run_whose_policy_plays_one_update_behind():
    config = ahead(device="cuda", cuda_graphs=False)
    trainer = Trainer(config)
    logged = [trainer.train_one_update() for _ in range(6)]
    expected, _ = one_after_the_other(config, 6)
    for shown, found in zip(logged, expected, strict=True):
        for name in ("attempts", "successes", "probabilities"):
            np.testing.assert_array_equal(shown[name], found[name], name)
