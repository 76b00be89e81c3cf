"""An episode: its ends, and the step that starts the next (paper P11)."""

from tests.simonsays.scenes import act, counts, record, scene

ENDS = ("terminated", "truncated", "restarted")
NOTHING = (0, 0, 0)


def test_first_observation_is_marked_as_a_restart(device):
    simon = scene([NOTHING] * 2, device=device)
    assert simon.restarted.all()
    act(simon)
    assert not simon.restarted.any()


def test_two_failures_in_a_row_terminate(device):
    simon = scene([NOTHING] * 4, task_ticks=8, device=device)
    assert record(simon, 4, "task_over", *ENDS) == [
        (False, False, False, False),
        (True, False, False, False),
        (False, False, False, False),
        (True, True, False, False),
    ]
    assert counts(simon) == ([0, 0, 0], [2, 0, 0])


def test_success_between_two_failures_keeps_the_episode_alive(device):
    # Fails, succeeds, fails, fails: only the last two are in a row.
    simon = scene([NOTHING, (1, 0, 0), (1, 0, 0), (1, 0, 0)], task_ticks=4, device=device)
    assert record(simon, 4, "task_over", "task_succeeded", "terminated") == [
        (True, False, False),
        (True, True, False),
        (True, False, False),
        (True, False, True),
    ]


def test_failures_to_end_is_configurable(device):
    simon = scene([NOTHING] * 3, task_ticks=4, failures_to_end=3, device=device)
    assert record(simon, 3, "terminated") == [False, False, True]


def test_death_terminates_and_counts_as_failure(device):
    simon = scene([NOTHING] * 2, died=[False, True], device=device)
    assert record(simon, 2, "task_over", "task_succeeded", *ENDS) == [
        (False, False, False, False, False),
        (True, False, True, False, False),
    ]
    assert counts(simon) == ([0, 0, 0], [1, 0, 0])


def test_goal_reached_in_the_step_of_death_is_a_success_and_the_episode_ends(device):
    simon = scene([(1, 0, 0)], died=[True], device=device)
    assert record(simon, 1, "task_succeeded", "reward", "terminated") == [(True, 1.0, True)]
    assert counts(simon) == ([1, 0, 0], [1, 0, 0])


def test_episode_limit_truncates_and_is_no_attempt(device):
    simon = scene([NOTHING] * 3, task_ticks=100, episode_ticks=12, device=device)
    assert record(simon, 3, "task_over", *ENDS) == [
        (False, False, False, False),
        (False, False, False, False),
        (False, False, True, False),
    ]
    assert counts(simon) == ([0, 0, 0], [0, 0, 0])


def test_paper_limit_is_9000_steps_of_four_ticks(device):
    # One more unit every 1000 steps keeps the tasks successful.
    script = [(step // 1000, 0, 0) for step in range(9000)]
    truncated = record(scene(script, device=device), 9000, "truncated")
    assert truncated == [False] * 8999 + [True]


def test_task_that_ends_with_the_episode_limit_still_counts(device):
    simon = scene([NOTHING, (1, 0, 0)], episode_ticks=8, device=device)
    assert record(simon, 2, "task_succeeded", *ENDS)[-1] == (True, False, True, False)
    assert counts(simon) == ([1, 0, 0], [1, 0, 0])
    simon = scene([NOTHING] * 2, task_ticks=8, episode_ticks=8, device=device)
    assert record(simon, 2, "task_over", *ENDS)[-1] == (True, False, True, False)
    assert counts(simon) == ([0, 0, 0], [1, 0, 0])


def test_termination_wins_over_truncation(device):
    simon = scene([NOTHING] * 2, died=[False, True], episode_ticks=8, device=device)
    assert record(simon, 2, *ENDS)[-1] == (True, False, False)
    simon = scene([NOTHING] * 2, task_ticks=4, episode_ticks=8, device=device)
    assert record(simon, 2, *ENDS)[-1] == (True, False, False)


def test_step_after_the_end_only_restarts(device):
    # The script shows a goal item in the step that restarts: it belongs to no episode.
    script = [NOTHING, (9, 9, 9), (0, 0, 0), (1, 0, 0)]
    simon = scene(script, died=[True, False, False, False], bonus="fixed", device=device)
    names = ("reward", "bonus", "task_over", "task_succeeded", *ENDS)
    assert record(simon, 1, *names) == [(0.0, 0.0, True, False, True, False, False)]
    assert record(simon, 1, *names) == [(0.0, 0.0, False, False, False, False, True)]
    assert simon.world.inventory[0].tolist() == [0, 0, 0]
    assert record(simon, 1, *names) == [(0.0, 0.0, False, False, False, False, False)]
    assert record(simon, 1, "task_succeeded", "restarted") == [(True, False)]


def test_last_observation_stays_until_the_restart(device):
    simon = scene([(0, 5, 0), NOTHING], died=[True, False], device=device)
    act(simon)
    assert simon.observation["inventory"][0].tolist() == [0, 5, 0]
    act(simon)
    assert simon.observation["inventory"][0].tolist() == [0, 0, 0]


def test_restart_clears_clocks_and_failures(device):
    # Truncated with one failure on record and the second task under way.
    simon = scene([NOTHING] * 9, task_ticks=8, episode_ticks=12, device=device)
    assert record(simon, 4, "task_over", "truncated", "restarted") == [
        (False, False, False),
        (True, False, False),
        (False, True, False),
        (False, False, True),
    ]
    assert record(simon, 4, "task_over", "terminated", "truncated") == [
        (False, False, False),
        (True, False, False),
        (False, False, True),
        (False, False, False),
    ]


def test_ticks_of_the_restarting_step_belong_to_no_episode(device):
    simon = scene([NOTHING] * 4, ticks=[12, 11, 8, 4], episode_ticks=12, device=device)
    assert record(simon, 4, "truncated") == [True, False, False, True]


def test_goal_stays_when_a_task_is_cut(device):
    simon = scene([NOTHING] * 2, goal="b", episode_ticks=8, device=device)
    simon.set_probabilities([1.0, 0.0, 0.0])
    act(simon, 2)
    assert simon.truncated.all()
    assert simon.goal.tolist() == [1]
