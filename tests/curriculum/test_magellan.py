"""The rival of the large-space benchmark: MAGELLAN's estimator in NumPy."""

import numpy as np
import pytest

from benchmarks.magellan import CANDIDATES, Magellan, Network


def test_gradients_are_those_of_the_cross_entropy():
    rng = np.random.default_rng(0)
    network = Network(3, rng)
    network.weights = [each.astype(np.float64) for each in network.weights]
    rows, won = rng.normal(size=(5, 3)), np.array([0.0, 1.0, 1.0, 0.0, 0.5])

    def loss() -> float:
        success = network.success(rows)
        return float(-(won * np.log(success) + (1 - won) * np.log(1 - success)).mean())

    for weight, gradient in zip(network.weights, network.gradients(rows, won), strict=True):
        weight.flat[0] += 1e-6
        above = loss()
        weight.flat[0] -= 2e-6
        below = loss()
        weight.flat[0] += 1e-6
        assert gradient.flat[0] == pytest.approx((above - below) / 2e-6, abs=1e-7)


def test_what_improves_is_sampled_more_than_what_stays():
    rng = np.random.default_rng(0)
    features = np.linspace(-1.0, 1.0, 2000)[:, None]
    teacher = Magellan(2000, features)
    for update in range(400):
        chance = np.where(features[:, 0] > 0.0, max(0.0, update - 370) / 30, 0.2)
        attempts = np.bincount(rng.integers(0, 2000, 256), minlength=2000)
        teacher.update(rng.binomial(attempts, chance), attempts)
    probabilities = teacher.probabilities()
    assert probabilities.sum() == pytest.approx(1.0)
    assert probabilities[1000:].sum() > 2 * probabilities[:1000].sum()
    assert np.count_nonzero(probabilities > 0.2 / 2000 + 1e-12) <= CANDIDATES
