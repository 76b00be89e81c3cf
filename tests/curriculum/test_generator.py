"""Generators of tasks: what they propose, what they learn, and that their state is exact."""

import numpy as np
import pytest

from lapis.curriculum import Choice, Descriptions, Range
from lapis.curriculum.large.generator import (
    DomainRandomization,
    ProgressGenerator,
    ReplayGenerator,
    score,
)
from lapis.curriculum.simulation.places import SkillPlaces
from lapis.curriculum.simulation.spaces import Kind

LINE = Descriptions([Range(low=0.0, high=1.0)])
MIXED = Descriptions([Range(low=0.0, high=1.0), Range(low=5.0, high=6.0), Choice(count=4)])
SMALL = {"anchor_count": 200, "cluster_count": 20, "population": 50}
MAKERS = {
    "random": DomainRandomization,
    "replay": lambda space: ReplayGenerator(space, capacity=40),
    "progress": lambda space: ProgressGenerator(space, **SMALL),
}


@pytest.fixture(params=MAKERS)
def make(request):
    return MAKERS[request.param]


def taught(generator, rounds, rng):
    """Lets it propose, with success where the first number is below 0.3."""
    for _ in range(rounds):
        tasks = generator.propose(16, rng)
        won = rng.binomial(4, np.where(tasks[:, 0] < 0.3, 0.5, 0.0))
        generator.update(tasks, won, np.full(16, 4))
    return generator


def test_proposals_are_descriptions_of_the_space(make):
    generator = taught(make(MIXED), 10, np.random.default_rng(0))
    tasks = generator.propose(33, np.random.default_rng(1))
    assert tasks.shape == (33, 3)
    MIXED.checked(tasks)


def test_a_loaded_state_continues_bit_for_bit(make):
    generator = taught(make(MIXED), 12, np.random.default_rng(0))
    state = generator.state_dict()
    taught(generator, 5, np.random.default_rng(1))
    other = make(MIXED)
    other.load_state_dict(state)
    taught(other, 5, np.random.default_rng(1))
    np.testing.assert_array_equal(
        generator.propose(50, np.random.default_rng(2)), other.propose(50, np.random.default_rng(2))
    )
    np.testing.assert_equal(generator.state_dict(), other.state_dict())


def test_a_state_is_a_copy(make):
    generator = taught(make(MIXED), 3, np.random.default_rng(0))
    before = make(MIXED)
    state = generator.state_dict()
    before.load_state_dict(state)
    expected = before.propose(20, np.random.default_rng(3))
    taught(generator, 3, np.random.default_rng(1))
    after = make(MIXED)
    after.load_state_dict(state)
    np.testing.assert_array_equal(after.propose(20, np.random.default_rng(3)), expected)


@pytest.mark.parametrize(
    ("tasks", "successes", "attempts", "message"),
    [
        ([[0.5]], [2], [1], r"successes\[0\] is 2; there were 1 attempts"),
        ([[0.5]], [0, 0], [1], "successes"),
        ([[0.5]], [0.5], [1], r"successes\[0\] is 0.5"),
        ([[1.5]], [0], [1], r"tasks\[0, 0\] is 1.5"),
    ],
)
def test_outcomes_of_no_tasks_are_refused_and_nothing_changes(
    make, tasks, successes, attempts, message
):
    generator = make(LINE)
    before = generator.state_dict()
    with pytest.raises(ValueError, match=message):
        generator.update(tasks, successes, attempts)
    np.testing.assert_equal(generator.state_dict(), before)


def test_no_outcomes_at_all_change_nothing_that_is_learned(make):
    generator = make(LINE)
    generator.update(np.zeros((0, 1)), [], [])
    generator.update([[0.2], [0.7]], [1, 0], [2, 2])
    before = generator.propose(20, np.random.default_rng(0))
    generator.update(np.zeros((0, 1)), np.zeros(0, int), np.zeros(0, int))
    np.testing.assert_array_equal(generator.propose(20, np.random.default_rng(0)), before)


def test_states_of_other_generators_are_refused():
    with pytest.raises(ValueError, match="state is of class 'DomainRandomization'; this is a R"):
        ReplayGenerator(LINE).load_state_dict(DomainRandomization(LINE).state_dict())
    with pytest.raises(ValueError, match="state is of class None"):
        DomainRandomization(LINE).load_state_dict({})
    many = ReplayGenerator(LINE)
    many.update([[0.1], [0.2]], [1, 1], [2, 2])
    with pytest.raises(ValueError, match="no buffer of at most 1 tasks"):
        ReplayGenerator(LINE, capacity=1).load_state_dict(many.state_dict())


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("tasks_", None, "state lacks 'tasks_'"),
        ("outcomes_", None, "state lacks 'outcomes_'"),
        ("outcomes_", [[1, 2], [np.nan, 2]], r"state\['outcomes_'\]\[1, 0\] is nan"),
        ("outcomes_", [[1, 2], [3, 2]], "a task with more successes than attempts"),
        ("tried_", [1, -1], r"state\['tried_'\]\[1\] is -1"),
        ("tried_", [1, 9], "a task that was tried after the last update"),
        ("updates_", "many", r"state\['updates_'\] is 'many'"),
        ("updates_", None, r"state\['updates_'\] is None"),
    ],
)
def test_states_to_which_no_learning_leads_are_refused_and_nothing_changes(name, value, message):
    replay = ReplayGenerator(LINE)
    replay.update([[0.1], [0.2]], [1, 1], [2, 2])
    state = replay.state_dict()
    bad = {**state, name: value}
    if value is None:
        del bad[name]
    with pytest.raises(ValueError, match=message):
        replay.load_state_dict(bad)
    np.testing.assert_equal(replay.state_dict(), state)


def test_a_state_without_its_judge_is_refused():
    generator = ProgressGenerator(LINE, anchor_count=8, cluster_count=4)
    state = generator.state_dict()
    del state["judge"]
    with pytest.raises(ValueError, match="state is of class None; this is a ClusteredProgress"):
        generator.load_state_dict(state)


def test_scores_by_hand():
    # (s + 1) / (n + 2): 1/2, 1/6, 3/6.
    outcomes = np.array([[0.0, 0.0], [0.0, 4.0], [2.0, 4.0]])
    np.testing.assert_allclose(score(outcomes), [1 / 4, 5 / 36, 1 / 4])


def test_the_buffer_keeps_what_is_solved_now_and_then():
    replay = ReplayGenerator(LINE, capacity=2)
    replay.update([[0.1], [0.2], [0.3], [0.4]], [0, 2, 4, 1], [4, 4, 4, 4])
    assert replay.tasks_.ravel().tolist() == [0.2, 0.4]
    assert replay.outcomes_.tolist() == [[2.0, 4.0], [1.0, 4.0]]


def test_earlier_outcomes_of_a_replayed_task_count_half_and_tasks_not_tried_do_not_enter():
    replay = ReplayGenerator(LINE)
    replay.update([[0.2]], [2], [4])
    replay.update([[0.2], [0.7], [0.2]], [4, 0, 3], [4, 0, 4])
    assert replay.tasks_.ravel().tolist() == [0.2]
    assert replay.outcomes_.tolist() == [[8.0, 10.0]]  # 2/2 + 4 + 3 of 4/2 + 4 + 4.
    assert replay.tried_.tolist() == [2]


def test_replays_go_by_rank_and_by_age():
    replay = ReplayGenerator(LINE, temperature=1.0, staleness=0.5)
    replay.update([[0.1], [0.2]], [0, 0], [4, 4])
    replay.update([[0.3]], [2], [4])
    # Ranks 1, 2, 3 weigh 6, 3 and 2 of 11; ages 1, 2 and 2 of 5.
    assert replay.tasks_.ravel().tolist() == [0.3, 0.1, 0.2]
    np.testing.assert_allclose(
        replay._chances(), [0.5 * 6 / 11 + 0.1, 0.5 * 3 / 11 + 0.2, 0.5 * 2 / 11 + 0.2]
    )


def test_shares_of_new_replayed_and_edited_tasks():
    rng = np.random.default_rng(0)
    replay = ReplayGenerator(LINE, replay=0.75, edited=0.5, step=0.01)
    replay.update([[0.5]], [2], [4])
    rows = replay.propose(20_000, rng).ravel()
    near = np.abs(rows - 0.5) < 0.05
    assert (rows == 0.5).mean() == pytest.approx(0.375, abs=0.02)
    # A tenth of the new ones lies as near by chance.
    assert (near & (rows != 0.5)).mean() == pytest.approx(0.375 + 0.025, abs=0.02)


def test_outcomes_count_for_the_nearest_anchor(monkeypatch):
    generator = ProgressGenerator(LINE, anchor_count=3, cluster_count=3)
    places = generator._anchors.ravel()
    tasks = places[[2, 0, 2]][:, None]
    assert generator.nearest(tasks).tolist() == [2, 0, 2]
    seen = []
    monkeypatch.setattr(
        generator.judge, "update", lambda *counts: seen.extend(each.tolist() for each in counts)
    )
    generator.update(tasks, [1, 2, 3], [4, 4, 4])
    assert seen == [[2, 0, 4], [4, 0, 8]]


def test_the_population_is_what_was_proposed_lately():
    generator = ProgressGenerator(LINE, anchor_count=8, cluster_count=4, population=3)
    generator.update([[0.1], [0.2]], [0, 0], [1, 0])
    generator.update([[0.3], [0.4], [0.5]], [0, 0, 0], [1, 1, 1])
    assert generator.tasks_.ravel().tolist() == [0.3, 0.4, 0.5]


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_the_share_of_even_draws_holds_however_few_are_proposed(count):
    rng = np.random.default_rng(0)
    generator = ProgressGenerator(LINE, anchor_count=8, cluster_count=4, fresh=0.2, step=1e-6)
    generator.update([[0.5]], [1], [2])
    rows = np.concatenate([generator.propose(count, rng) for _ in range(2000)])
    # One of 2000 even draws lies as near by chance; five standard deviations of the mean.
    assert (np.abs(rows - 0.5) > 1e-3).mean() == pytest.approx(0.2, abs=5 * 0.4 / 2000**0.5)


def test_it_breeds_where_success_rises():
    rng = np.random.default_rng(0)
    generator = ProgressGenerator(MIXED, anchor_count=500, cluster_count=20)
    shares = []
    for update in range(40):
        tasks = generator.propose(64, rng)
        improves = tasks[:, 0] > 0.8
        won = rng.binomial(4, np.where(improves, 0.01 * update, 0.0))
        generator.update(tasks, won, np.full(64, 4))
        shares.append(improves.mean())
    # A fifth of all tasks lies there.
    assert np.mean(shares[10:]) > 0.3


def test_places_of_a_cell_take_one_skill():
    places = SkillPlaces(0, side=4)
    rows = np.array([[0.0, 0.0, 0.9, 0.1], [0.24, 0.2, 0, 0], [0.26, 0.0, 0, 0], [1.0, 1.0, 0, 0]])
    assert places.skill(rows).tolist() == [0, 0, 4, 15]
    kinds = places.space.kind
    assert places.junk(rows) == pytest.approx(
        np.mean([kinds[skill] != Kind.LEARNABLE for skill in (0, 0, 4, 15)])
    )


def test_practice_at_a_place_is_practice_of_its_skill():
    places, rng = SkillPlaces(0, side=4), np.random.default_rng(0)
    ceiling = places.space.ceiling[0]
    won = places.practice(np.zeros((2000, 4)), 5, rng)
    assert won.shape == (2000,)
    # An open skill starts with 5 % of its ceiling, and one batch is played before it is learned.
    assert won.mean() == pytest.approx(5 * 0.05 * ceiling, rel=0.2)
    assert places.learner.success_[0] > 0.9
    assert places.reached() == pytest.approx(1 / np.count_nonzero(places.space.kind == 0))
