"""Entry to and re-entry into the exploration set (paper P8)."""

import numpy as np

from lapis.curriculum import ExplorationSet


def test_every_task_starts_inside():
    members = ExplorationSet(3).members()
    assert members.dtype == bool
    assert members.tolist() == [True, True, True]


def test_the_papers_numbers_are_the_default():
    exploration = ExplorationSet(1)
    assert (exploration.threshold, exploration.time_scale) == (0.1, 1250.0)


def test_a_task_leaves_at_the_threshold_and_comes_back_below_it():
    exploration = ExplorationSet(2, threshold=0.25, time_scale=4)
    exploration.update([1, 0], [1, 1])  # success 1/4: no longer below the threshold
    assert exploration.success_.tolist() == [0.25, 0.0]
    assert exploration.members().tolist() == [False, True]
    exploration.update([0, 1], [1, 2])  # 3/16 and 1/8
    assert exploration.success_.tolist() == [0.1875, 0.125]
    assert exploration.members().tolist() == [True, True]
    exploration.update([1, 0], [1, 0])  # 25/64, and a task without attempts keeps its value
    assert exploration.success_.tolist() == [0.390625, 0.125]
    assert exploration.members().tolist() == [False, True]


def test_single_outcomes_count_too():
    exploration = ExplorationSet(2, time_scale=2)
    exploration.record(1, True)
    exploration.update()
    assert exploration.members().tolist() == [True, False]


def test_members_do_not_change_with_what_the_caller_does_to_them():
    exploration = ExplorationSet(2)
    exploration.members()[:] = False
    assert np.all(exploration.members())


def test_a_task_mastered_in_another_run_begins_outside():
    exploration = ExplorationSet(2, threshold=0.1)
    exploration.start_at([0.1, 0.05])
    np.testing.assert_array_equal(exploration.members(), [False, True])
