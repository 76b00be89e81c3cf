"""Descriptions of tasks: draws, mutations, recombination, features, refusals."""

import numpy as np
import pytest

from lapis.curriculum import Choice, Descriptions, Range

RNG = np.random.default_rng(0)
SPACE = Descriptions([Range(low=-2.0, high=2.0), Choice(count=3)])


def test_draws_are_even_over_ranges_and_choices():
    rows = SPACE.draw(30_000, np.random.default_rng(1))
    assert rows.shape == (30_000, 2)
    assert (rows[:, 0] >= -2.0).all()
    assert (rows[:, 0] <= 2.0).all()
    shares, _ = np.histogram(rows[:, 0], bins=4, range=(-2.0, 2.0))
    # Of 30,000 draws the standard deviation of a quarter is 0.25 %.
    np.testing.assert_allclose(shares / len(rows), 0.25, atol=0.015)
    np.testing.assert_allclose(np.bincount(rows[:, 1].astype(int)) / len(rows), 1 / 3, atol=0.015)


def test_a_mutation_changes_one_number_at_least_and_stays_within_bounds():
    rows = SPACE.draw(5_000, RNG)
    mutated = SPACE.mutate(rows, np.random.default_rng(2), 0.5)
    changed = mutated != rows
    assert changed.any(axis=1).all()
    # Each number is the certain one half of the time, and changes half of the time anyway.
    np.testing.assert_allclose(changed.mean(axis=0), 0.75, atol=0.03)
    SPACE.checked(mutated)
    others = (mutated[changed[:, 1], 1] - rows[changed[:, 1], 1]) % 3
    assert set(others.tolist()) == {1.0, 2.0}


def test_numbers_move_by_the_step_and_are_reflected():
    line = Descriptions([Range(low=0.0, high=10.0)])
    middle = np.full((20_000, 1), 5.0)
    moved = line.mutate(middle, np.random.default_rng(3), 0.1)
    assert moved.mean() == pytest.approx(5.0, abs=0.03)
    assert moved.std() == pytest.approx(1.0, abs=0.02)
    # From the bound all go inwards; the mean of |normal| is sqrt(2 / pi).
    edge = line.mutate(np.zeros((20_000, 1)), np.random.default_rng(4), 0.1)
    assert edge.min() >= 0.0
    assert edge.mean() == pytest.approx(np.sqrt(2.0 / np.pi), abs=0.03)


def test_a_reflection_by_hand():
    class Steps:
        """Normal draws of 1.5 and -0.3 ranges."""

        def random(self, shape):
            return np.zeros(shape)

        def integers(self, high, size):
            return np.zeros(size, int)

        def normal(self, size):
            return np.array([[1.5], [-0.3]])

    line = Descriptions([Range(low=2.0, high=4.0)])
    # 3 + 3 = 6, two above the bound of 4: 2. And 2.2 - 0.6 = 1.6, 0.4 below the bound of 2: 2.4.
    moved = line.mutate(np.array([[3.0], [2.2]]), Steps(), 1.0)  # pyright: ignore
    np.testing.assert_allclose(moved, [[2.0], [2.4]])


def test_each_number_of_a_child_comes_from_either_parent():
    first, second = np.zeros((10_000, 2)), np.ones((10_000, 2))
    child = SPACE.recombine(first, second, np.random.default_rng(5))
    assert set(child.ravel().tolist()) == {0.0, 1.0}
    np.testing.assert_allclose(child.mean(axis=0), 0.5, atol=0.02)
    assert abs(np.corrcoef(child.T)[0, 1]) < 0.05


def test_features_are_shares_of_ranges_and_one_hot_choices():
    assert SPACE.features(np.array([[-2.0, 0], [1.0, 2]])).tolist() == [
        [0.0, 1.0, 0.0, 0.0],
        [0.75, 0.0, 0.0, 1.0],
    ]


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        ([[0.0]], r"tasks must have shape \(task, 2\), not \(1, 1\)"),
        ([[2.5, 0.0]], r"tasks\[0, 0\] is 2.5; allowed is Range\(low=-2.0, high=2.0\)"),
        ([[0.0, 3.0]], r"tasks\[0, 1\] is 3.0; allowed is Choice\(count=3\)"),
        ([[0.0, 0.5]], r"tasks\[0, 1\] is 0.5"),
        ([[np.nan, 0.0]], "tasks"),
    ],
)
def test_what_describes_no_task_is_refused(tasks, message):
    with pytest.raises(ValueError, match=message):
        SPACE.checked(tasks)


def test_parts_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match=r"low is 1.0; it must be below high, which is 1.0"):
        Range(low=1.0, high=1.0)
    with pytest.raises(ValueError, match="count is 1"):
        Choice(count=1)
    with pytest.raises(ValueError, match="parts must be at least one Range or Choice"):
        Descriptions([])
