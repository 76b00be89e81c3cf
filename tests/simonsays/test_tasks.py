"""A task: time to obtain the goal, success, failure, the next goal (paper P10)."""

from lapis.simonsays.rng import Purpose
from tests.simonsays.scenes import act, ask_for, counts, goal_name, record, scene
from tests.simonsays.twin import uniform


def test_goal_item_pays_one(device):
    simon = scene([(0, 0, 0), (1, 0, 0)], device=device)
    assert record(simon, 2, "reward", "task_over", "task_succeeded") == [
        (0.0, False, False),
        (1.0, True, True),
    ]
    assert counts(simon) == ([1, 0, 0], [1, 0, 0])


def test_other_items_pay_nothing_without_bonus(device):
    simon = scene([(0, 5, 0), (0, 5, 9)], device=device)
    assert record(simon, 2, "reward", "task_over") == [(0.0, False), (0.0, False)]


def test_several_units_at_once_are_one_success(device):
    simon = scene([(7, 0, 0)], device=device)
    assert record(simon, 1, "reward", "task_succeeded") == [(1.0, True)]
    assert counts(simon) == ([1, 0, 0], [1, 0, 0])


def test_an_item_in_hand_when_the_task_begins_is_no_success_when_it_is_picked_up_again(device):
    # One unit after the first task; it is put down and picked up again in the second.
    simon = scene([(1, 0, 0), (0, 0, 0), (1, 0, 0), (2, 0, 0)], device=device)
    assert record(simon, 4, "task_succeeded") == [True, False, False, True]


def test_an_own_item_that_stood_in_the_world_when_the_task_began_is_a_success(device):
    # The task is to collect the item (paper P10). It is put down while another one is asked for.
    simon = scene([(1, 0, 0), (0, 0, 0), (0, 1, 0), (1, 1, 0)], goal="b", device=device)
    act(simon, 2)
    ask_for(simon, "a")
    assert record(simon, 2, "task_succeeded", "reward") == [(True, 1.0), (True, 1.0)]
    assert counts(simon) == ([1, 1, 0], [1, 1, 0])


def test_units_held_when_the_task_begins_do_not_count(device):
    simon = scene([(0, 3, 0), (1, 3, 0), (1, 3, 0), (1, 4, 0)], device=device)
    ask_for(simon, "b")
    assert record(simon, 4, "task_succeeded") == [False, True, False, True]


def test_new_task_starts_without_reset(device):
    simon = scene([(1, 2, 0), (1, 2, 0)], device=device)
    ask_for(simon, "c")
    act(simon)
    assert goal_name(simon) == "c"
    assert simon.world.inventory[0].tolist() == [1, 2, 0]
    assert not simon.restarted.any()
    assert not simon.terminated.any()
    assert not simon.truncated.any()


def test_new_task_after_failure_starts_without_reset(device):
    simon = scene([(0, 2, 0)] * 2, task_ticks=4, device=device)
    ask_for(simon, "c")
    assert record(simon, 1, "task_over", "task_succeeded", "terminated") == [(True, False, False)]
    assert goal_name(simon) == "c"
    assert simon.world.inventory[0].tolist() == [0, 2, 0]
    assert counts(simon) == ([0, 0, 0], [1, 0, 0])


def test_time_limit_fails_the_task_at_its_last_step(device):
    simon = scene([(0, 0, 0)] * 3, task_ticks=12, device=device)
    assert record(simon, 3, "task_over") == [False, False, True]
    assert counts(simon) == ([0, 0, 0], [1, 0, 0])


def test_paper_limit_is_1500_steps_of_four_ticks(device):
    simon = scene([(0, 0, 0)] * 1500, device=device)
    over = record(simon, 1500, "task_over")
    assert over == [False] * 1499 + [True]


def test_success_at_the_last_step_is_a_success(device):
    simon = scene([(0, 0, 0), (0, 0, 0), (1, 0, 0)], task_ticks=12, device=device)
    assert record(simon, 3, "task_succeeded", "reward")[-1] == (True, 1.0)
    assert counts(simon) == ([1, 0, 0], [1, 0, 0])


def test_item_of_a_long_action_that_ends_after_the_limit_is_too_late(device):
    simon = scene([(0, 0, 0), (1, 0, 0)], ticks=[8, 5], task_ticks=12, device=device)
    assert record(simon, 2, "task_over", "task_succeeded", "reward") == [
        (False, False, 0.0),
        (True, False, 0.0),
    ]
    assert counts(simon) == ([0, 0, 0], [1, 0, 0])


def test_item_that_came_too_late_is_no_success_of_the_next_task(device):
    simon = scene([(1, 0, 0), (1, 0, 0), (2, 0, 0)], ticks=[13, 4, 4], task_ticks=12, device=device)
    assert record(simon, 3, "task_succeeded") == [False, False, True]


def test_each_task_has_its_own_clock(device):
    # Success after 8 ticks; the second task then has its whole 12.
    script = [(0, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0)]
    simon = scene(script, task_ticks=12, device=device)
    assert record(simon, 5, "task_over") == [False, True, False, False, True]


def test_clock_counts_game_ticks_not_steps(device):
    simon = scene([(0, 0, 0)] * 3, ticks=[100, 200, 300], task_ticks=600, device=device)
    assert record(simon, 3, "task_over") == [False, False, True]


def test_goal_of_probability_zero_is_never_asked_for(device):
    simon = scene([(step, 0, step) for step in range(1, 201)], device=device)
    simon.set_probabilities([0.5, 0.0, 0.5])
    goals = []
    for _ in range(200):
        act(simon)
        assert simon.task_succeeded.all()
        goals.append(goal_name(simon))
    assert set(goals) == {"a", "c"}


def test_number_on_the_border_of_two_goals_draws_the_second(device):
    # A goal owns the numbers from the sum before it up to, but not with, its own sum.
    simon = scene([(0, 0, 0)], device=device)
    for episode in (2, 3):
        number = uniform(0, 0, episode, 0, Purpose.GOAL)
        simon.set_probabilities([number, 1.0 - number, 0.0])
        simon.start()
        assert goal_name(simon) == "b"
        assert simon.state_dict()["tensors"]["episode"].tolist() == [episode]


def test_goals_are_drawn_with_the_given_probabilities(device):
    probabilities = [0.7, 0.05, 0.25]
    simon = scene([(step, step, step) for step in range(1, 3001)], device=device)
    simon.set_probabilities(probabilities)
    act(simon, 3000)
    _, attempts = counts(simon)
    assert sum(attempts) == 3000
    for drawn, probability in zip(attempts, probabilities, strict=True):
        deviation = (3000 * probability * (1 - probability)) ** 0.5
        assert abs(drawn - 3000 * probability) < 4 * deviation


def test_counts_are_cleared_when_taken(device):
    simon = scene([(1, 0, 0), (1, 0, 0)], device=device)
    act(simon)
    assert counts(simon) == ([1, 0, 0], [1, 0, 0])
    act(simon)
    assert counts(simon) == ([0, 0, 0], [0, 0, 0])
