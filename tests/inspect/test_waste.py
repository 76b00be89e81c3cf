"""Attacks and things that come to nothing."""

import numpy as np

from lapis.inspect.activity import dug_up_again, gains, pays_off
from tests.inspect.recordings import column

NEVER = column(*[False] * 6)


def test_a_gain_is_more_of_any_item():
    inventory = np.array([[[0, 5]], [[1, 5]], [[1, 4]], [[0, 5]], [[3, 9]]])
    restarted = column(False, False, False, True)
    # More of the first; less of the second; one goes, one comes; an episode begins with things.
    assert gains(inventory, restarted)[:, 0].tolist() == [True, False, True, False]


def test_an_attack_pays_off_if_it_gains():
    attack, gain = column(True, True, False), column(True, False, True)
    found = pays_off(attack, gain, column(-1, -1, -1))
    assert found[:, 0].tolist() == [True, False, False]


def test_attacks_pay_off_if_the_same_block_is_dug_to_its_end():
    attack = column(True, True, True)
    gain = column(False, False, True)
    assert pays_off(attack, gain, column(8, 8, -1))[:, 0].tolist() == [True, True, True]
    # The first one was on another block.
    assert pays_off(attack, gain, column(7, 8, -1))[:, 0].tolist() == [False, True, True]
    # A pause loses what was dug.
    pause = column(True, False, True)
    assert pays_off(pause, gain, column(8, -1, -1))[:, 0].tolist() == [False, False, True]


def test_attacks_that_end_with_nothing_do_not_pay_off():
    attack = column(True, True)
    assert not pays_off(attack, column(False, False), column(8, -1)).any()


def test_a_thing_that_is_back_within_some_steps_was_dug_up_again():
    placed = column(True, False, False, False, False, False)
    count = column(1, 0, 0, 1, 1, 1, 1)
    assert dug_up_again(placed, NEVER, count, NEVER, within=2) == (1, 1)
    assert dug_up_again(placed, NEVER, count, NEVER, within=1) == (1, 0)


def test_a_thing_may_be_back_in_the_step_that_placed_it():
    placed = column(True, False, False, False, False, False)
    assert dug_up_again(placed, NEVER, column(1, 1, 1, 1, 1, 1, 1), NEVER) == (1, 1)


def test_making_another_one_is_no_digging():
    placed = column(True, False, False, False, False, False)
    made = column(False, True, False, False, False, False)
    assert dug_up_again(placed, made, column(1, 0, 1, 1, 1, 1, 1), NEVER) == (1, 0)


def test_each_placing_is_matched_with_one_dig_at_most():
    placed = column(True, False, False, False, False, False)
    assert dug_up_again(placed, NEVER, column(1, 0, 1, 2, 2, 2, 2), NEVER) == (1, 1)
    twice = column(True, False, True, False, False, False)
    assert dug_up_again(twice, NEVER, column(1, 0, 1, 0, 1, 1, 1), NEVER) == (2, 2)
    in_a_row = column(True, True, False, False, False, False)
    count = column(2, 1, 0, 1, 2, 2, 2)
    assert dug_up_again(in_a_row, NEVER, count, NEVER) == (2, 2)
    # The second dig, three steps after the first placing, is too late for it.
    assert dug_up_again(in_a_row, NEVER, count, NEVER, within=2) == (2, 1)


def test_a_new_episode_forgets_what_was_placed():
    placed = column(True, False, False, False, False, False)
    restarted = column(False, True, False, False, False, False)
    assert dug_up_again(placed, NEVER, column(1, 0, 1, 2, 2, 2, 2), restarted) == (1, 0)
    # The action of a step that only begins an episode places nothing.
    assert dug_up_again(placed, NEVER, column(1, 0, 0, 0, 0, 0, 0), placed) == (0, 0)
