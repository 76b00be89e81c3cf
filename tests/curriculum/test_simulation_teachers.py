"""The simulated learner as the regression test of the teachers."""

import numpy as np
import pytest

from lapis.curriculum import (
    HalfWindow,
    Learnability,
    LearningProgress,
    RankStaleness,
    RegressionSlope,
    SuccessBand,
    Uniform,
)
from lapis.curriculum.simulation import Frontier, LearnerModel, Simulation, chain, tree

# No bonus whatever the goal, no loss of young skills, every task equally possible: the assumptions
# of paper section 2.1.
PLAIN = LearnerModel(
    learning_rate=0.0005,
    least_signal=0.0,
    bonus=0.02,
    bonus_for_any_goal=False,
    least_ceiling=1.0,
)


def updates_until_all_known(graph, teacher, update_count):
    history = Simulation(graph, 0, PLAIN).run(teacher, update_count, record_every=20)
    all_known = history.known == graph.task_count
    assert all_known.any()
    return int(history.update[all_known.argmax()])


def test_uniform_falls_behind_the_best_curriculum_in_proportion_to_the_chain():
    ratios = []
    for length in (4, 8, 16):
        graph = chain(length)
        best = updates_until_all_known(graph, Frontier(graph), 250 * length)
        uniform = updates_until_all_known(graph, Uniform(length), 110 * length**2)
        ratios.append(uniform / best)
    # Gates open gradually, so that about two tasks are learnable at a time: N / 2 rather than N.
    np.testing.assert_allclose(ratios, [2.0, 4.0, 8.0], rtol=0.25)


@pytest.mark.parametrize(
    "make_teacher",
    [
        Uniform,
        LearningProgress,
        lambda count: LearningProgress(count, direction="up"),
        lambda count: LearningProgress(count, noise_shrinkage=2.0),
        HalfWindow,
        Learnability,
        RankStaleness,
        RegressionSlope,
        SuccessBand,
    ],
)
def test_every_teacher_gets_the_learner_started(make_teacher):
    graph = tree(3, 2)
    history = Simulation(graph, 0).run(make_teacher(graph.task_count), 1000, record_every=100)
    assert history.known[-1] >= 1
    assert (history.sampling >= 0.0).all()
