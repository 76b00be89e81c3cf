"""Goals for a person: easy ones first, then what the last successes bring within reach."""

import numpy as np
import pytest

from lapis.minecraft.goals import ALL_PREREQUISITES, DEPTH, GOALS
from lapis.play.goals import PersonalGoals


def chances(goals: PersonalGoals) -> dict[str, float]:
    return dict(zip(goals.goals, goals.probabilities().tolist(), strict=True))


def test_progress_and_reach_decide_as_computed_by_hand():
    goals = PersonalGoals(("log", "planks"))
    # 104 goals need a log, 103 planks, and planks need a log, which was never held:
    # sqrt(105) = 10.2470 and 0.1 sqrt(104) = 1.0198.
    assert chances(goals) == pytest.approx({"log": 0.90948, "planks": 0.09052}, abs=1e-5)
    goals.record("log", True)
    # fast 0.1 -> 0.55 and slow 0 -> 0.275, reweighted 0.91667 and 0.77344: progress 0.14323, while
    # planks have 0.5. Times 10.2470 and 10.1980: 0.22350 to 0.77650. A tenth goes by interest.
    log = 0.9 * 0.22350 + 0.1 * 0.50120
    assert chances(goals) == pytest.approx({"log": log, "planks": 1 - log}, abs=1e-4)


def test_a_goal_that_fails_comes_more_seldom_and_never_goes_away():
    goals = PersonalGoals(("dirt", "sapling"))
    assert chances(goals)["dirt"] == pytest.approx(0.5)
    goals.record("dirt", False)
    # fast 0.05 and slow 0.025, reweighted 0.32143 and 0.1875: progress 0.13393 to 0.5.
    once = 0.9 * 0.13393 / 0.63393 + 0.05
    assert chances(goals)["dirt"] == pytest.approx(once, abs=1e-4)
    goals.record("dirt", False)
    assert chances(goals)["dirt"] == pytest.approx(0.05)


def test_a_person_starts_with_what_bare_hands_and_a_log_give():
    start = chances(PersonalGoals(GOALS))
    assert sum(start[goal] for goal in GOALS if DEPTH[goal] <= 1) > 0.85
    assert max(start, key=start.__getitem__) == "log"
    assert sum(start[goal] for goal in GOALS if DEPTH[goal] > 3) < 0.01


def test_after_a_wooden_shovel_nobody_is_asked_for_diamond_boots():
    goals = PersonalGoals(GOALS)
    goals.see(ALL_PREREQUISITES["wooden_shovel"])
    goals.record("wooden_shovel", True)
    now = chances(goals)
    assert now["diamond_boots"] < 1e-9
    assert sum(now[goal] for goal in GOALS if DEPTH[goal] <= 4) > 0.98
    assert max(now, key=now.__getitem__) == "wooden_pickaxe"


def test_what_is_obtained_unasked_counts_as_one_success():
    asked, unasked = PersonalGoals(("log", "planks")), PersonalGoals(("log", "planks"))
    asked.record("log", True)
    asked.see(["log"])
    for _ in range(3):
        unasked.see(["log", "apple"])
    assert unasked.probabilities().tolist() == asked.probabilities().tolist()


def test_goals_that_are_all_far_away_are_drawn_all_the_same():
    goals = PersonalGoals(("diamond", "gold_ore"))
    assert goals.probabilities().sum() == pytest.approx(1.0)
    assert chances(goals)["diamond"] > 0.4


def test_the_same_goal_does_not_come_twice_in_a_row_unless_it_is_the_only_one():
    goals = PersonalGoals(("log", "dirt"))
    assert {goals.draw(after="log") for _ in range(20)} == {"dirt"}
    assert PersonalGoals(("log",)).draw(after="log") == "log"


def test_the_seed_decides_the_draws():
    draws = [[PersonalGoals(GOALS, seed).draw() for _ in range(1)] for seed in (1, 1, 2)]
    assert draws[0] == draws[1]
    first = {PersonalGoals(GOALS, seed).draw() for seed in range(20)}
    assert len(first) > 1


def test_draws_follow_the_probabilities():
    goals = PersonalGoals(("log", "planks", "dirt"))
    drawn = [goals.draw() for _ in range(4000)]
    share = [drawn.count(goal) / 4000 for goal in goals.goals]
    # Four standard deviations of a share are at most 4 * 0.5 / sqrt(4000) = 0.032.
    assert np.abs(share - goals.probabilities()).max() < 0.032
