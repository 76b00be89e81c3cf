import math

from lapis.worlds.techtree import ACTION, ACTIONS
from lapis.worlds.techtree.action_prior import ACTION_PRIOR
from lapis.worlds.techtree.actions import Kind


def test_there_is_a_score_for_every_action():
    assert len(ACTION_PRIOR) == len(ACTIONS)
    assert all(math.isfinite(score) for score in ACTION_PRIOR)


def test_what_uses_things_up_is_done_a_fifth_as_often():
    weight = {name: math.exp(ACTION_PRIOR[number]) for name, number in ACTION.items()}
    for rare in ("craft stick", "place furnace", "smelt stone", "equip stone_pickaxe"):
        assert math.isclose(weight[rare], 0.2)
    for usual in ("move on", "dig down", "climb up", "gather log", "eat apple"):
        assert weight[usual] == 1.0


def test_the_prior_favours_no_item():
    for kind in Kind:
        scores = {
            ACTION_PRIOR[number] for number, action in enumerate(ACTIONS) if action.kind == kind
        }
        assert len(scores) == 1
