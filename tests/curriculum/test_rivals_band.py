"""The fixed success band, by hand."""

import numpy as np
import pytest

from lapis.curriculum import SuccessBand, band_probabilities


def test_band_is_uniform_over_the_tasks_inside_it():
    success = [0.05, 0.1, 0.5, 0.9, 0.95]
    np.testing.assert_array_equal(
        band_probabilities(success, 0.1, 0.9), [0, 1 / 3, 1 / 3, 1 / 3, 0]
    )


def test_band_without_a_task_inside_is_uniform_over_all():
    np.testing.assert_array_equal(band_probabilities([0.0, 1.0], 0.1, 0.9), [0.5, 0.5])


def test_success_average_moves_tasks_into_the_band_and_out_of_it():
    band = SuccessBand(2, low=0.1, high=0.8, time_scale=2.0, floor=0.0)
    band.update([1, 0], [1, 1])  # success 0 -> 1/2 and 0 -> 0
    np.testing.assert_array_equal(band.success_, [0.5, 0.0])
    np.testing.assert_array_equal(band.probabilities(), [1.0, 0.0])
    band.update([1, 1], [1, 4])  # 1/2 -> 3/4 and 0 -> 1/8
    np.testing.assert_array_equal(band.success_, [0.75, 0.125])
    np.testing.assert_array_equal(band.probabilities(), [0.5, 0.5])
    band.update([1, 0], [1, 0])  # 3/4 -> 7/8, too easy now; the other one waits
    np.testing.assert_array_equal(band.success_, [0.875, 0.125])
    np.testing.assert_array_equal(band.probabilities(), [0.0, 1.0])


def test_floor_spreads_its_share_over_all_tasks():
    band = SuccessBand(4, time_scale=1.0, floor=0.2)
    band.update([1, 0, 0, 0], [2, 1, 1, 0])
    np.testing.assert_allclose(band.probabilities(), [0.85, 0.05, 0.05, 0.05], rtol=1e-15)


def test_a_task_capped_at_a_middling_success_stays_in_the_band_forever():
    # The paper's argument against bands: jungle planks succeed in a fifth of the worlds at most.
    band = SuccessBand(2, time_scale=10.0, floor=0.0)
    for _ in range(1000):
        band.update([1, 0], [5, 5])
    np.testing.assert_array_equal(band.probabilities(), [1.0, 0.0])


@pytest.mark.parametrize(
    ("option", "value"),
    [("low", -0.1), ("high", 1.1), ("low", 0.9), ("low", 0.95), ("time_scale", 0.5), ("floor", 2)],
)
def test_bad_options_are_named(option: str, value: float):
    with pytest.raises(ValueError, match=option):
        SuccessBand(3, **{option: value})
