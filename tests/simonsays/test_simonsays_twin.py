"""Simon Says equals its plain-Python twin, step by step, in every number."""

import numpy as np
import pytest
import torch

from lapis.simonsays import SimonSays, SimonSaysConfig
from tests.simonsays.scenes import act
from tests.simonsays.scripted import ScriptedWorld
from tests.simonsays.twin import Twin

ITEMS = ("rock", "a", "b", "stick", "c", "d", "e")
STEPS, WORLDS, SEED, FIRST_WORLD = 1500, 12, 99, 1000


def wandering_script(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts that rise and fall by one or two, seldom deaths, steps of 1 to 30 ticks."""
    shape = (STEPS, WORLDS, len(ITEMS))
    change = rng.choice([-2, -1, 0, 1, 2], p=[0.04, 0.06, 0.8, 0.06, 0.04], size=shape)
    held = np.zeros(shape, dtype=np.int64)
    now = np.zeros(shape[1:], dtype=np.int64)
    for step in range(STEPS):
        # At most 9 of each: all bonuses are multiples of 2 ** -9, which float32 adds exactly.
        now = np.clip(now + change[step], 0, 9)
        held[step] = now
    return held, rng.random(shape[:2]) < 0.01, rng.integers(1, 31, size=shape[:2])


@pytest.mark.parametrize("goals", [("a", "b"), ("e", "a", "c", "b"), ("rock", "a", "b", "stick")])
@pytest.mark.parametrize(
    ("bonus", "coefficient"), [("none", 0.0), ("fixed", 0.05), ("dynamic", 0.5)]
)
def test_equals_the_twin(goals, bonus, coefficient, device):
    rng = np.random.default_rng(5)
    held, died, ticks = wandering_script(rng)
    config = SimonSaysConfig(
        goals=goals,
        task_ticks=200,
        episode_ticks=700,
        bonus=bonus,
        bonus_coefficient=coefficient,
    )
    world = ScriptedWorld(held, items=ITEMS, died_TW=died, ticks_TW=ticks, device=device)
    simon = SimonSays(world, config, seed=SEED, first_world=FIRST_WORLD)
    columns = [ITEMS.index(goal) for goal in goals]
    twins = [Twin(config, columns, SEED, FIRST_WORLD + row) for row in range(WORLDS)]
    seen = dict.fromkeys(["terminated", "truncated", "over", "succeeded", "restarted"], 0)
    for step in range(STEPS):
        if step % 97 == 0:
            change_settings(rng, simon, twins)
        last = world.inventory.tolist()
        act(simon)
        for row, twin in enumerate(twins):
            if twin.ended:
                first = twin.inherited(last[row])
                assert world.inventory[row].tolist() == first
                twin.begin(first)
            else:
                twin.step(held[step, row].tolist(), bool(died[step, row]), int(ticks[step, row]))
            for name, value in twin.flags.items():
                seen[name] += value
        assert_equal(simon, twins, coefficient)
    assert min(seen.values()) > 50, f"the script reaches too little: {seen}"
    successes, attempts = simon.take_counts()
    assert successes.tolist() == np.sum([twin.successes for twin in twins], axis=0).tolist()
    assert attempts.tolist() == np.sum([twin.attempts for twin in twins], axis=0).tolist()


def change_settings(rng: np.random.Generator, simon: SimonSays, twins: list[Twin]) -> None:
    probabilities = rng.dirichlet(np.full(len(simon.goals), 0.5))
    simon.set_probabilities(probabilities)
    for twin in twins:
        twin.set_probabilities(probabilities.tolist())
    if simon.config.bonus == "dynamic":
        members = rng.random(len(simon.goals)) < 0.5
        simon.set_exploration_set(members)
        for twin in twins:
            twin.exploration_set = members.tolist()


def assert_equal(simon: SimonSays, twins: list[Twin], coefficient: float) -> None:
    names = {"over": "task_over", "succeeded": "task_succeeded"}
    for name in twins[0].flags:
        expected = [twin.flags[name] for twin in twins]
        assert getattr(simon, names.get(name, name)).tolist() == expected, name
    assert simon.goal.tolist() == [twin.goal for twin in twins]
    goal_reward = np.array([twin.reward_parts[0] for twin in twins], dtype=np.float32)
    exact = np.array([float(twin.reward_parts[1]) for twin in twins], dtype=np.float32)
    bonus = exact * np.float32(coefficient)
    assert torch.equal(simon.goal_reward.cpu(), torch.from_numpy(goal_reward))
    assert torch.equal(simon.bonus.cpu(), torch.from_numpy(bonus))
    assert torch.equal(simon.reward.cpu(), torch.from_numpy(goal_reward + bonus))
