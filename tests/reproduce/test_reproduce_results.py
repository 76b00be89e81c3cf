import numpy as np

from lapis.report.summary import Measured
from lapis.reproduce.results import interval


def measured(*discovered):
    values = np.array(discovered)
    return Measured(discovered=values, mastered=values, area=values, frames_to={}, drop=values)


def test_results_are_a_mean_and_its_interval():
    # Two seeds: a quarter of the resamples are 10, 10 and a quarter 12, 12.
    assert interval(measured(10, 12)) == "11.0 (10.0 to 12.0)"


def test_one_seed_has_no_interval_and_no_evaluation_no_number():
    assert interval(measured(7)) == "7.0"
    assert interval(None) == "-"
