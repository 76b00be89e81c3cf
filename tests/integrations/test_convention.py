"""The convention, and the wrapper that adds it to any environment."""
# ruff: noqa: E402  (what needs a library is imported after asking for it)

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="not installed: pip install gymnasium")

from lapis.integrations import TaskEnvironment, check_task_probabilities
from lapis.integrations.tasks import TaskChoice


class Counting(gymnasium.Env):
    """Ends after `length` steps; pays the length."""

    observation_space = gymnasium.spaces.Box(0, 1, (1,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)
    length = 0
    tick = 0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.tick = 0
        return np.zeros(1, np.float32), {"own": self.np_random.random()}

    def step(self, action):
        self.tick += 1
        over = self.tick == self.length
        return np.zeros(1, np.float32), 0.5, over and action == 1, over and action == 0, {"own": 7}


def make(outcome=lambda end: end.terminated, tasks=(1, 2, 3)):
    def set_task(env, length):
        env.length = length

    return TaskChoice(Counting(), tasks, set_task=set_task, outcome=outcome)


def play(env, action, **options):
    """The infos of an episode."""
    infos = [env.reset(**options)[1]]
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(action)
        over = terminated or truncated
        infos.append(info)
    return infos


def test_the_wrapper_follows_the_convention():
    assert isinstance(make(), TaskEnvironment)
    assert not isinstance(Counting(), TaskEnvironment)


def test_only_the_last_step_reports_an_outcome():
    env = make()
    env.set_task_probabilities([0, 0, 1])
    infos = play(env, 1)
    assert [info["task"] for info in infos] == [2, 2, 2, 2]
    assert [info.get("task_succeeded") for info in infos] == [None, None, None, True]
    assert infos[-1]["own"] == 7
    last = play(env, 0)[-1]["task_succeeded"]
    assert (last, type(last)) == (0.0, float)
    env = make(outcome=lambda end: None)
    assert all("task_succeeded" not in info for info in play(env, 0))


def test_the_outcome_sees_the_whole_episode():
    seen = []
    env = make(outcome=lambda end: seen.append(end) or 0.25)
    env.set_task_probabilities([0, 0, 1])
    assert play(env, 0)[-1]["task_succeeded"] == 0.25
    (end,) = seen
    assert (end.total_reward, end.reward, end.terminated, end.truncated) == (1.5, 0.5, False, True)


def test_tasks_are_drawn_with_the_probabilities_and_the_seed():
    env = make()
    env.set_task_probabilities([0.1, 0.7, 0.2])

    def draw():
        return [play(env, 1, seed=5 if i == 0 else None)[0]["task"] for i in range(2000)]

    first = draw()
    np.testing.assert_allclose(np.bincount(first) / 2000, [0.1, 0.7, 0.2], atol=0.04)
    assert draw() == first


def test_the_environment_keeps_its_own_chance():
    bare = Counting()
    bare.length = 1
    env = make(tasks=(1,))
    assert play(env, 1, seed=3)[0]["own"] == play(bare, 1, seed=3)[0]["own"]
    assert play(env, 1)[0]["own"] == play(bare, 1)[0]["own"]


@pytest.mark.parametrize("bad", [[0.5, 0.5], [0.5, 0.6, 0.1], [-0.1, 0.6, 0.5], [np.nan, 0.5, 0.5]])
def test_bad_probabilities_are_refused(bad):
    with pytest.raises(ValueError, match="probabilities must"):
        make().set_task_probabilities(bad)
    assert check_task_probabilities([0.5, 0.5], 2).tolist() == [0.5, 0.5]


def test_no_tasks_are_refused():
    with pytest.raises(ValueError, match="at least one task"):
        make(tasks=())
