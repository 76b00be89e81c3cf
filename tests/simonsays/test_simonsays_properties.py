"""What holds for every script: sums of bonuses, counts of outcomes, names of goals."""

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

from lapis.simonsays import SimonSays, SimonSaysConfig
from tests.simonsays.scenes import ITEMS, act
from tests.simonsays.scripted import ScriptedWorld

STEPS = 25


@st.composite
def scripts(draw) -> dict[str, np.ndarray]:
    worlds = draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    high = draw(st.sampled_from([2, 4, 9]))
    return {
        "inventory": rng.integers(0, high, size=(STEPS, worlds, 3)),
        "died": rng.random((STEPS, worlds)) < draw(st.sampled_from([0.0, 0.1])),
        "ticks": rng.integers(1, 9, size=(STEPS, worlds)),
    }


def play(script, *, goals=ITEMS, **settings) -> SimonSays:
    world = ScriptedWorld(script["inventory"], died_TW=script["died"], ticks_TW=script["ticks"])
    settings = {"task_ticks": 20, "episode_ticks": 80, "bonus": "fixed"} | settings
    return SimonSays(world, SimonSaysConfig(goals=goals, **settings), seed=2)


@hypothesis.given(script=scripts(), coefficient=st.sampled_from([0.05, 0.5, 1.0]))
@hypothesis.settings(max_examples=60, deadline=None)
def test_episode_pays_the_closed_form_of_its_highest_counts(script, coefficient):
    simon = play(script, bonus_coefficient=coefficient)
    world_count = simon.world_count
    paid = np.zeros(world_count)
    first = np.zeros((world_count, 3))
    most = np.zeros((world_count, 3))
    for _ in range(STEPS):
        act(simon)
        held = simon.world.inventory.numpy().astype(float)
        restarted = simon.restarted.numpy()
        first[restarted] = most[restarted] = held[restarted]
        paid[restarted] = 0.0
        most = np.maximum(most, held)
        paid += simon.bonus.numpy()
        expected = coefficient * (0.5**first - 0.5**most).sum(axis=1)
        # float32 rounds each of at most 25 payments to about 1e-7.
        np.testing.assert_allclose(paid, expected, atol=5e-6)
        assert (paid <= coefficient * len(ITEMS) + 1e-5).all()


@hypothesis.given(script=scripts())
@hypothesis.settings(max_examples=60, deadline=None)
def test_attempts_are_successes_and_failures(script):
    simon = play(script)
    over, succeeded, reward = np.zeros(3, int), np.zeros(3, int), 0.0
    for _ in range(STEPS):
        goal = simon.goal.numpy().copy()
        act(simon)
        np.add.at(over, goal, simon.task_over.numpy())
        np.add.at(succeeded, goal, simon.task_succeeded.numpy())
        reward += simon.goal_reward.sum().item()
        assert not (simon.task_succeeded & ~simon.task_over).any()
        assert not (simon.terminated & simon.truncated).any()
        ends = simon.terminated | simon.truncated
        assert not (simon.restarted & (ends | simon.task_over)).any()
    successes, attempts = simon.take_counts()
    np.testing.assert_array_equal(attempts, over)
    np.testing.assert_array_equal(successes, succeeded)
    assert successes.sum() == reward


@hypothesis.given(
    script=scripts(),
    order=st.permutations(range(3)),
    only=st.integers(0, 2),
)
@hypothesis.settings(max_examples=60, deadline=None)
def test_renaming_goals_renames_the_counts(script, order, only):
    """The same goal is asked for under two orders of the goals: signals agree, counts permute."""
    goals = tuple(ITEMS[index] for index in order)
    simon, renamed = play(script), play(script, goals=goals)
    probabilities = np.eye(3)[only]
    for one, values in ((simon, probabilities), (renamed, probabilities[list(order)])):
        one.set_probabilities(values)
        one.start()
    for _ in range(STEPS):
        act(simon)
        act(renamed)
        for name in ("reward", "terminated", "truncated", "restarted", "task_over"):
            assert getattr(simon, name).tolist() == getattr(renamed, name).tolist()
    for counts, renamed_counts in zip(simon.take_counts(), renamed.take_counts(), strict=True):
        assert counts[list(order)].tolist() == renamed_counts.tolist()


@pytest.mark.parametrize("goals", [ITEMS, ("c", "a", "b")])
def test_goals_are_drawn_by_position(goals):
    """Which position is drawn depends on seed, world, episode and step, not on the names."""
    world = ScriptedWorld(np.zeros((1, 64, 3)))
    simon = SimonSays(world, SimonSaysConfig(goals=goals), seed=8)
    plain = SimonSays(ScriptedWorld(np.zeros((1, 64, 3))), SimonSaysConfig(goals=ITEMS), seed=8)
    assert simon.goal.tolist() == plain.goal.tolist()
    assert len(set(simon.goal.tolist())) == 3
