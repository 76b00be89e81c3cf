"""Runs whose tasks are goals and pairs of goals: features, evaluation, curricula, resuming."""

import dataclasses

import numpy as np
import pytest
import torch

from lapis import recipes
from lapis.curriculum import ClusteredProgress, FunctionProgress
from lapis.minecraft.goals import DEPTH, GOALS
from lapis.recipes import probes
from lapis.simonsays import SimonSaysConfig
from lapis.train.build import make_game, make_policy
from lapis.train.config import TrainConfig, with_curriculum
from lapis.train.evaluation import Evaluator, evaluate
from lapis.train.loop import Trainer
from lapis.train.tasks import depths, evaluated_tasks, members, share_by_goal, task_features
from tests.train.test_evaluation import Script
from tests.train.test_loop import assert_metrics_equal, assert_same, small

pytestmark = pytest.mark.usefixtures("one_thread")


def in_pairs(recipe=probes.two_goals, **changes):
    config = small(recipe)
    game = dataclasses.replace(config.simonsays, pairs=True)
    return dataclasses.replace(config, simonsays=game, **changes)


def tree(*goals, pairs=True):
    return TrainConfig(simonsays=SimonSaysConfig(goals=goals, pairs=pairs))


def test_the_recipe_has_more_than_five_thousand_tasks():
    config = recipes.combinations()
    assert len(members(config)) == 5778
    assert len(members(recipes.demo())) == 113


def test_features_are_depths_and_what_is_asked_and_needed_of_each_group():
    # A log is gathered; planks are made of logs; cobblestone needs a wooden pickaxe, which is
    # made of planks and sticks at a crafting table: of the goals here, log and planks.
    features = task_features(tree("log", "planks", "cobblestone"))
    low, deep = DEPTH["planks"], DEPTH["cobblestone"]
    assert features.tolist() == [  # Depths; stone, surface asked; stone, surface needed.
        [0, 0, 0, 1, 0, 1],
        [low, low, 0, 1, 0, 2],
        [deep, deep, 1, 0, 1, 2],
        [0, low, 0, 2, 0, 2],
        [0, deep, 1, 1, 1, 2],
        [low, deep, 1, 1, 1, 2],
    ]


def test_single_goals_are_described_in_the_same_way():
    alone = task_features(tree("log", "planks", "cobblestone", pairs=False))
    pairs = task_features(tree("log", "planks", "cobblestone"))
    assert alone.tolist() == pairs[:3].tolist()


def test_goals_of_which_nothing_is_known_are_told_apart_by_their_names():
    features = task_features(
        dataclasses.replace(
            probes.bandit(), simonsays=SimonSaysConfig(goals=("prize", "x"), pairs=True)
        )
    )
    assert features.tolist() == [[1, 0], [0, 1], [1, 1]]


def test_goals_of_another_game_with_names_of_minecraft_are_one_group():
    features = task_features(tree("log", "planks", "prize", pairs=False))
    low = DEPTH["planks"]
    assert features.tolist() == [[0, 0, 1, 1], [low, low, 1, 2], [0, 0, 1, 1]]


def test_depths_are_minecrafts():
    from lapis.minecraft.goals import ALL_PREREQUISITES

    assert depths(GOALS, ALL_PREREQUISITES) == [DEPTH[goal] for goal in GOALS]
    assert depths(("b", "?"), {"b": frozenset({"a"})}) == [1, 0]


def test_goals_that_are_needed_for_themselves_are_refused():
    needs = {"egg": frozenset({"hen"}), "hen": frozenset({"egg"}), "nest": frozenset({"egg"})}
    with pytest.raises(ValueError, match="themselves: 'egg' needs 'hen' needs 'egg'"):
        depths(["straw", "nest"], needs)


def test_a_goal_has_half_of_its_pairs_chances():
    shares = share_by_goal(np.array([0.1, 0.2, 0.7]), np.array([[0, 0], [1, 1], [0, 1]]))
    np.testing.assert_allclose(shares, [0.1 + 0.35, 0.2 + 0.35], rtol=1e-12)


def test_an_evaluation_plays_all_goals_and_the_same_pairs_for_every_seed():
    config = dataclasses.replace(recipes.combinations(), evaluation_pairs=50)
    tasks = evaluated_tasks(config)
    assert tasks[:107].tolist() == list(range(107))
    pairs = tasks[107:]
    assert len(pairs) == len(set(pairs.tolist())) == 50
    assert pairs.min() >= 107
    assert pairs.max() < 5778
    assert (np.diff(pairs) > 0).all()
    again = evaluated_tasks(dataclasses.replace(config, seed=5))
    assert again.tolist() == tasks.tolist()


def test_more_pairs_than_there_are_cannot_be_evaluated():
    for config, most in ((in_pairs(), 1), (small(), 0)):
        with pytest.raises(ValueError, match=f"evaluation_pairs is 2; it must be at most {most}"):
            dataclasses.replace(config, evaluation_pairs=2)


def test_outcomes_of_evaluated_pairs_are_counted_apart():
    # Choice 1 gives a log, which is the first goal of the pair: planks never come.
    config = in_pairs(evaluation_attempts=3, evaluation_pairs=1)
    counts = Evaluator(config).evaluate(
        Script(lambda goal_W, step_W: torch.ones_like(step_W)),
        update=0,
        exploration_set=torch.zeros(2, dtype=torch.bool),
    )
    assert counts["successes"].tolist() == [3, 0]
    assert counts["attempts"].tolist() == [3, 3]
    assert counts["pair_successes"].tolist() == [0]
    assert counts["pairs"].tolist() == [2]
    assert counts["pair_attempts"].tolist() == [3]


@pytest.mark.parametrize("kind", ["learning_progress", "clusters", "function", "learnability"])
def test_5_updates_then_resumed_for_5_equal_10_bit_for_bit(kind):
    config = with_curriculum(in_pairs(recipes.techtree), kind)
    whole = Trainer(config)
    logged = [whole.train_one_update() for _ in range(10)]
    half = Trainer(config)
    for _ in range(5):
        half.train_one_update()
    resumed = Trainer(config)
    resumed.load_state_dict(*half.state_dict())
    for metrics in logged[5:]:
        assert_metrics_equal(resumed.train_one_update(), metrics)
    assert_same(resumed, whole)


def test_what_is_logged_is_about_goals_and_pairs_have_totals_of_their_own():
    trainer = Trainer(in_pairs())
    metrics = [trainer.train_one_update() for _ in range(10)]
    for each in metrics:
        assert len(each["attempts"]) == len(each["successes"]) == len(each["success"]) == 2
        np.testing.assert_allclose(each["probabilities"].sum(), 1.0, rtol=1e-12)
    assert trainer.curriculum.task_count == 3
    pairs = sum(each["pairs"]["attempts"] for each in metrics)
    assert pairs > 0
    # Each task tries one goal or two.
    tried = sum(int(each["attempts"].sum()) for each in metrics)
    assert tried > 2 * pairs


def test_curricula_are_given_what_is_known_of_the_tasks():
    for kind, teacher in (("clusters", ClusteredProgress), ("function", FunctionProgress)):
        config = with_curriculum(recipes.combinations(), kind)
        made = Trainer(dataclasses.replace(config, world_count=2)).curriculum
        assert isinstance(made, teacher)
        assert made.task_count == 5778


def test_the_policy_sees_the_other_goal():
    config = in_pairs()
    game = make_game(config)
    policy = make_policy(config, game)
    encoder = policy.encoders["other_goal"]
    assert encoder(torch.tensor([0, 2])).shape == (2, config.policy.width)
    with pytest.raises(IndexError):
        encoder(torch.tensor([3]))
    assert "other_goal" not in make_policy(small(), make_game(small())).encoders


def test_evaluating_does_not_change_the_training():
    config = in_pairs(evaluation_attempts=2, evaluation_pairs=1)
    first, second = Trainer(config), Trainer(config)
    line = evaluate(first)
    assert line["pairs"].tolist() == [2]
    assert_metrics_equal(first.train_one_update(), second.train_one_update())
