"""The study of the floor: what counts as a sample without use, and its tables."""

import numpy as np

from benchmarks import floor
from lapis.curriculum import LearningProgress
from lapis.curriculum.simulation import History


def test_idle_samples_by_hand():
    count = 2 * floor.SIGHT + 1  # One record has neighbors on both sides.
    success = np.zeros((count, 4))
    success[:, 0] = 0.5  # known and still
    success[:, 1] = np.linspace(0.5, 0.519, count)  # changes by less than what counts
    success[:, 2] = np.linspace(0.5, 0.53, count)  # changes by more
    success[:, 3] = 0.05  # still, but not known
    sampling = np.tile([0.1, 0.2, 0.3, 0.4], (count, 1))
    share = floor.idle_share(History(np.arange(count), success, sampling))
    assert np.flatnonzero(np.isfinite(share)).tolist() == [floor.SIGHT]
    assert share[floor.SIGHT] == 0.1 + 0.2


def test_a_table_comes_back_in_the_order_of_the_rows(tmp_path):
    known, idle = np.array([[3, 107], [0, 9]]), np.array([[0.5, np.nan], [0.25, 1.0]])
    names = list(floor.ROWS)[:3]
    floor.write_table(tmp_path / "table.npz", dict.fromkeys(reversed(names), (known, idle)))
    table = floor.read_table(tmp_path / "table.npz")
    assert list(table) == names
    for found in table.values():
        np.testing.assert_array_equal(found[0], known)
        np.testing.assert_array_equal(found[1], idle)


def test_every_row_is_a_curriculum():
    for name, options in floor.ROWS.items():
        given = {key: value for key, value in options.items() if key != "attempt_count"}
        assert LearningProgress(3, **given).probabilities().sum() == 1.0, name
