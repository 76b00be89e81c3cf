import numpy as np
import pytest

from lapis.curriculum.simulation import TaskGraph, chain, tree


def test_chain_links_each_task_to_the_one_before():
    assert chain(3).prerequisites == ((), (0,), (1,))
    assert chain(1).prerequisites == ((),)
    assert chain(5, group_size=2).groups == (0, 0, 1, 1, 2)


def test_tree_has_a_group_per_branch_below_the_root():
    graph = tree(2, 2)
    assert graph.prerequisites == ((), (0,), (0,), (1,), (1,), (2,), (2,))
    assert graph.groups == (0, 0, 1, 0, 0, 1, 1)


def test_closure_holds_the_task_and_all_its_prerequisites():
    diamond = TaskGraph(((1, 2), (3,), (3,), ()), (0, 0, 0, 0))
    expected = [[1, 1, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 0, 1]]
    np.testing.assert_array_equal(diamond.closure(), np.array(expected, dtype=bool))


def test_prerequisites_are_padded_with_the_task_count():
    graph = TaskGraph(((), (0,), (0, 1)), (0, 0, 1))
    np.testing.assert_array_equal(graph.padded_prerequisites(), [[3, 0, 0], [3, 3, 1]])


def test_graph_from_names_keeps_the_order_of_the_names():
    graph = TaskGraph.from_names(
        {"plank": ["log"], "log": [], "stone": ["plank"]},
        {"plank": "surface", "log": "surface", "stone": "underground"},
    )
    assert graph == TaskGraph(((1,), (), (0,)), (0, 0, 1))


@pytest.mark.parametrize(
    ("prerequisites", "groups", "message"),
    [
        (((1,), (0,)), (0, 0), "no cycle"),
        (((0,),), (0,), "no cycle"),
        (((5,), ()), (0, 0), r"prerequisites\[0\] is 5; it must be"),
        (((), ()), (0,), "groups must have one entry per task"),
        ((), (), "task_count"),
    ],
)
def test_graphs_that_make_no_sense_are_refused(prerequisites, groups, message):
    with pytest.raises(ValueError, match=message):
        TaskGraph(prerequisites, groups)


def test_names_without_group_are_refused():
    with pytest.raises(ValueError, match="'b' has no group"):
        TaskGraph.from_names({"a": [], "b": ["a"]}, {"a": "x"})
