import dataclasses

import numpy as np
import pytest

from lapis.curriculum import LearningProgress, Uniform
from lapis.curriculum.simulation import (
    Frontier,
    History,
    LearnerModel,
    SimulatedLearner,
    Simulation,
    TaskGraph,
    chain,
    largest_cycle,
    largest_drop,
    tree,
)

# Two places: 0 and 1 on the surface; 2 and 3 underground, behind 1.
PLACES = TaskGraph(((), (), (1,), (1,)), (0, 0, 1, 1))


def learner(graph, **changes):
    model = dataclasses.replace(LearnerModel(), **changes)
    return SimulatedLearner(graph, model, np.ones(graph.task_count))


def knows_all(graph, **changes):
    """A learner with full skill everywhere, after one update that computes its success."""
    one = learner(graph, **changes)
    one.skill_[:] = 1.0
    one.success_[:] = 1.0
    one.practice(np.zeros(graph.task_count, np.int64), np.random.default_rng(0))
    return one


def test_first_update_learns_from_the_bonus_alone_as_computed_by_hand():
    one = learner(chain(2), learning_rate=0.1, bonus=0.02)
    successes = one.practice(np.array([30, 20]), np.random.default_rng(0))
    assert successes.tolist() == [0, 0]
    # All 50 attempts are occasions for the first task: 0.1 * 0.02 * 50. The second is locked.
    np.testing.assert_allclose(one.skill_, [0.1, 0.0], rtol=1e-14)


def test_without_a_bonus_for_any_goal_only_attempts_at_the_task_itself_find_it():
    one = learner(chain(2), learning_rate=0.1, bonus=0.02, bonus_for_any_goal=False)
    one.practice(np.array([0, 50]), np.random.default_rng(0))
    np.testing.assert_array_equal(one.skill_, [0.0, 0.0])
    one.practice(np.array([30, 20]), np.random.default_rng(0))
    np.testing.assert_allclose(one.skill_, [0.1 * 0.02 * 30, 0.0], rtol=1e-14)


def test_a_young_skill_without_signal_is_washed_out_and_a_mature_one_stays():
    one = learner(chain(1), learning_rate=0.1, least_signal=0.5, bonus=0.0)
    one.skill_[:] = 0.2
    one.practice(np.array([0]), np.random.default_rng(0))
    # 0.2 - 0.1 * 0.8 * 0.5 * 0.2 * 0.8.
    np.testing.assert_allclose(one.skill_, [0.2 - 0.1 * 0.8 * 0.08], rtol=1e-14)
    one.skill_[:] = 1.0
    one.practice(np.array([0]), np.random.default_rng(0))
    assert one.skill_[0] == 1.0


def test_success_is_ceiling_times_gate_times_recall_times_skill():
    graph = chain(2)
    model = LearnerModel(gate_success=0.1, forgetting_rate=0.5)
    one = SimulatedLearner(graph, model, np.array([0.4, 0.5]))
    one.skill_[:] = 1.0
    one.success_[:] = 0.4
    one.practice(np.array([0, 0]), np.random.default_rng(0))
    # No practice at all: recall falls from 1 to 0.5. The prerequisite is at hand 0.4 / 0.5.
    np.testing.assert_allclose(one.success_, [0.4 * 0.5, 0.5 * 0.8 * 0.5], rtol=1e-14)


def test_practice_at_the_surface_lets_the_underground_be_forgotten_but_not_its_skill():
    one = knows_all(PLACES)
    rng = np.random.default_rng(0)
    before = one.success_.copy()
    for _ in range(3000):
        one.practice(np.array([25, 25, 0, 0]), rng)
    assert (one.success_[2:] < 0.1 * before[2:]).all()
    assert (one.success_[:2] > 0.9 * before[:2]).all()
    assert (one.skill_ > 0.99).all()


def test_practice_underground_keeps_the_surface_tasks_on_the_way_alive():
    one = knows_all(PLACES)
    rng = np.random.default_rng(0)
    for _ in range(3000):
        one.practice(np.array([0, 0, 25, 25]), rng)
    assert one.success_[1] > 0.9
    assert (one.success_[2:] > 0.7).all()


def test_what_was_forgotten_comes_back_quicker_than_it_was_lost():
    one = knows_all(PLACES)
    rng = np.random.default_rng(0)
    for _ in range(3000):
        one.practice(np.array([25, 25, 0, 0]), rng)
    for _ in range(300):
        one.practice(np.array([0, 10, 20, 20]), rng)
    assert (one.success_[2:] > 0.5).all()


@pytest.mark.parametrize(
    "make_teacher",
    [Uniform, LearningProgress, lambda count: LearningProgress(count, direction="up")],
)
def test_a_run_repeats_bit_for_bit_and_its_history_is_consistent(make_teacher):
    graph = tree(3, 2)
    first, second = (Simulation(graph, 5).run(make_teacher(13), 400, 50) for _ in range(2))
    np.testing.assert_array_equal(first.success, second.success)
    np.testing.assert_array_equal(first.sampling, second.sampling)
    assert first.update.tolist() == list(range(50, 401, 50))
    assert first.success.shape == first.sampling.shape == (8, 13)
    np.testing.assert_allclose(first.sampling.sum(axis=1), 1.0, rtol=1e-12)
    assert ((first.success >= 0.0) & (first.success <= 1.0)).all()


def test_seeds_differ_and_nothing_is_known_before_its_prerequisite():
    graph = chain(6)
    histories = [Simulation(graph, seed).run(Uniform(6), 1500, 50) for seed in (0, 1)]
    assert (histories[0].success != histories[1].success).any()
    for history in histories:
        known = history.success > 0.05
        assert known[-1, 0]
        first = np.where(known.any(axis=0), known.argmax(axis=0), len(known))
        assert (np.diff(first) >= 0).all()


def test_frontier_samples_what_is_next_and_only_that():
    teacher = Frontier(chain(3), mastered=0.5, time_scale=1.0)
    np.testing.assert_array_equal(teacher.probabilities(), [1.0, 0.0, 0.0])
    teacher.update([1, 0, 0], [1, 0, 0])
    np.testing.assert_array_equal(teacher.probabilities(), [0.0, 1.0, 0.0])
    teacher.update([1, 1, 1], [1, 1, 1])
    np.testing.assert_array_equal(teacher.probabilities(), np.full(3, 1 / 3))


def test_known_counts_true_success_above_five_percent():
    success = np.array([[0.05, 0.051, 0.9], [0.0, 0.2, 0.04]])
    history = History(np.array([1, 2]), success, success)
    assert history.known.tolist() == [2, 1]


def test_a_drop_counts_as_a_cycle_only_if_it_is_regained():
    lost = np.array([10, 20, 14, 12])
    assert largest_drop(lost) == pytest.approx(0.4)
    assert largest_cycle(lost) == 0.0
    regained = np.array([10, 20, 14, 12, 18, 5])
    assert largest_cycle(regained) == pytest.approx(0.4)
    assert largest_drop(regained) == pytest.approx(0.75)


def test_drops_from_few_tasks_do_not_count():
    assert largest_drop(np.array([1, 4, 1, 4])) == 0.0
    assert largest_cycle(np.array([1, 4, 1, 4]), least_known=4) == pytest.approx(0.75)


def test_wrong_arguments_are_refused_by_name():
    with pytest.raises(ValueError, match="teacher has 4 tasks; the graph has 3"):
        Simulation(chain(3), 0).run(Uniform(4), 10)
    with pytest.raises(ValueError, match="update_count"):
        Simulation(chain(3), 0).run(Uniform(3), 0)
    with pytest.raises(ValueError, match="seed"):
        Simulation(chain(3), -1)
    with pytest.raises(ValueError, match="forgetting_rate"):
        LearnerModel(forgetting_rate=0.0)
    with pytest.raises(ValueError, match="ceiling must have shape"):
        SimulatedLearner(chain(3), LearnerModel(), np.ones(2))


def test_the_ceilings_and_the_chance_of_a_run_are_independent_streams(monkeypatch):
    seeds = []
    make = np.random.default_rng
    monkeypatch.setattr(np.random, "default_rng", lambda seed: seeds.append(seed) or make(seed))
    Simulation(chain(2), 7).run(Uniform(2), 1, 1)
    first, second = (make(seed).random(4) for seed in seeds)
    assert (first != second).all()
