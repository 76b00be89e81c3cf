"""Runs the contract of `contract.py`, which pytest does not collect by its name."""

import pytest

pytest.register_assert_rewrite("contract")

from teacher_contract import (  # noqa: E402, F401
    test_a_bad_record_raises_and_leaves_the_state_untouched,
    test_a_bad_state_raises_and_leaves_the_state_untouched,
    test_a_bad_update_raises_and_leaves_the_state_untouched,
    test_a_loaded_curriculum_continues_bit_for_bit,
    test_a_saved_state_does_not_change_with_its_curriculum,
    test_an_update_without_attempts_changes_only_what_ages,
    test_one_task_has_probability_one,
    test_probabilities_are_a_distribution_for_any_valid_input,
    test_probabilities_are_uniform_when_nothing_is_known,
    test_probabilities_do_not_change_by_looking,
    test_recorded_outcomes_equal_counts,
    test_renaming_tasks_renames_the_output,
)
