"""LearningProgress against a second implementation: plain Python floats and loops.

It is written from the points of the paper (P1-P4) alone and shares no code with the library.
"""

import math
import statistics

import numpy as np
import pytest

from lapis.curriculum import LearningProgress

# Both sides do the same few hundred roundings in another order; float64 leaves 1e-12 of room.
TOLERANCE = 1e-12


class Reference:
    def __init__(self, task_count, direction, time_scale, threshold, center, slope, floor):
        self.fast = [0.0] * task_count
        self.slow = [0.0] * task_count
        self.direction, self.time_scale, self.threshold = direction, time_scale, threshold
        self.center, self.slope, self.floor = center, slope, floor

    def update(self, successes, attempts):
        for task, tried in enumerate(attempts):
            if tried == 0:
                continue
            mean = successes[task] / tried
            self.fast[task] = self.fast[task] + (mean - self.fast[task]) / self.time_scale
            self.slow[task] += (self.fast[task] - self.slow[task]) / self.time_scale

    def progress(self):
        def lifted(p):
            t = self.threshold
            return (1 - t) * p / (p + t * (1 - 2 * p))

        changes = [lifted(f) - lifted(s) for f, s in zip(self.fast, self.slow, strict=True)]
        if self.direction == "both":
            return [abs(change) for change in changes]
        return [max(0.0, change) for change in changes]

    def probabilities(self):
        progress = self.progress()
        count = len(progress)
        spread = statistics.pstdev(progress)
        if spread == 0.0:
            return [1.0 / count] * count
        mean = statistics.fmean(progress)
        weights = [
            1.0 / (1.0 + math.exp(-self.slope * ((value - mean) / spread - self.center)))
            for value in progress
        ]
        total = math.fsum(weights)
        return [(1.0 - self.floor) * weight / total + self.floor / count for weight in weights]


def random_stream(seed, task_count, update_count):
    """Outcomes of tasks whose success rises, falls or stays, about a third of them untried."""
    rng = np.random.default_rng(seed)
    start, end = rng.random(task_count), rng.random(task_count)
    end[::3] = start[::3]
    for update in range(update_count):
        attempts = rng.integers(1, 9, task_count) * (rng.random(task_count) < 0.65)
        attempts[-1] = 0  # one task is never tried at all
        success = start + (end - start) * update / update_count
        yield rng.binomial(attempts, success), attempts


@pytest.mark.parametrize("direction", ["both", "up"])
@pytest.mark.parametrize(
    ("time_scale", "threshold", "floor"),
    [(1250.0, 0.1, 0.0), (20.0, 0.1, 0.0), (7.5, 0.4, 0.25), (1.0, 0.01, 0.0), (90.0, 0.9, 1.0)],
)
def test_same_as_the_reference_on_random_streams(direction, time_scale, threshold, floor):
    task_count = 23
    curriculum = LearningProgress(
        task_count,
        direction=direction,
        time_scale=time_scale,
        reweight_threshold=threshold,
        floor=floor,
    )
    center = statistics.NormalDist().inv_cdf(0.9)
    reference = Reference(
        task_count, direction, time_scale, threshold, center, curriculum.slope, floor
    )
    for successes, attempts in random_stream(5, task_count, 300):
        curriculum.update(successes, attempts)
        reference.update(successes.tolist(), attempts.tolist())
        np.testing.assert_allclose(curriculum.fast_, reference.fast, rtol=0, atol=TOLERANCE)
        np.testing.assert_allclose(curriculum.slow_, reference.slow, rtol=0, atol=TOLERANCE)
        np.testing.assert_allclose(
            curriculum.probabilities(), reference.probabilities(), rtol=0, atol=TOLERANCE
        )
    assert curriculum.fast_[-1] == 0.0  # the untried one
    assert np.abs(curriculum.fast_ - curriculum.slow_)[:-1].max() >= 0.01 or time_scale == 1.0


@pytest.mark.parametrize(
    ("share", "of", "center_quantile"), [(0.9, 0.2, 0.9), (0.6, 0.4, 0.5), (0.95, 0.1, 0.95)]
)
def test_same_as_the_reference_with_other_sampling_functions(share, of, center_quantile):
    curriculum = LearningProgress(
        31, time_scale=40, share=share, of=of, center_quantile=center_quantile
    )
    center = statistics.NormalDist().inv_cdf(center_quantile)
    reference = Reference(31, "both", 40, 0.1, center, curriculum.slope, 0.0)
    for successes, attempts in random_stream(6, 31, 100):
        curriculum.update(successes, attempts)
        reference.update(successes.tolist(), attempts.tolist())
    np.testing.assert_allclose(
        curriculum.probabilities(), reference.probabilities(), rtol=0, atol=TOLERANCE
    )
