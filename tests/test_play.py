"""The terminal player, with scripted input."""

import io
import re

import pytest
from rich.console import Console

from lapis.play.techtree import NAMES, play_techtree
from lapis.play.terminal import understood
from lapis.worlds.techtree import ACTION


def played(*lines: str, goals=("dirt",), seed: int = 0) -> tuple[tuple[int, int], str]:
    return recorded(play_techtree, *lines, goals=goals, seed=seed)


def recorded(play, *lines: str, **options) -> tuple[tuple[int, int], str]:
    """Plays the lines, then ends the input; returns the result and what was shown."""
    rest = iter(lines)

    def read(prompt: str) -> str:
        try:
            return next(rest)
        except StopIteration:
            raise EOFError from None

    out = io.StringIO()
    console = Console(file=out, width=100)
    return play(**options, read=read, console=console), out.getvalue()


def test_gathering_dirt_solves_the_task():
    result, shown = played("gather dirt")
    assert result == (1, 1)
    assert "Simon says: dirt" in shown
    assert "Done: dirt." in shown
    assert "you hold: 1 dirt" in shown
    assert "You solved 1 of 1 tasks." in shown


def test_q_quits():
    result, shown = played("q", "gather dirt")
    assert result == (0, 0)
    assert "You solved 0 of 0 tasks." in shown


def test_the_screen_shows_clock_place_body_and_what_can_be_done():
    _, shown = played()
    for part in (
        "300 s left",
        "on the surface",
        "health 20.0/20",
        "food 20/20",
        "in hand: nothing",
        "in reach: 6 dirt",
        "you hold: nothing",
        "move on",
        "dig down",
        f"{ACTION['gather dirt']}  gather dirt",
    ):
        assert part in shown, part
    assert "climb up" not in shown


def test_time_runs():
    _, shown = played("dig down", goals=("diamond",))
    # By hand 4 blocks of dirt take 15 ticks each and 11 of stone 150: 1710 ticks.
    assert "\n85.5 s passed." in shown
    assert "214 s left" in shown
    assert "15 blocks deep" in shown


def test_numbers_and_beginnings_of_names_are_understood():
    allowed = [ACTION["move on"], ACTION["gather dirt"], ACTION["gather log"]]
    assert understood("0", NAMES, allowed) == 0
    assert understood("mov", NAMES, allowed) == ACTION["move on"]
    assert understood("gather l", NAMES, allowed) == ACTION["gather log"]


def test_an_exact_name_wins_over_longer_ones():
    allowed = [ACTION["craft stone_slab"], ACTION["gather stone"], ACTION["craft stonebrick"]]
    assert understood("gather stone", NAMES, allowed) == ACTION["gather stone"]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("", "Type a number"),
        ("gather", "Which one: gather dirt, gather log?"),
        ("climb", "You cannot climb now."),
        ("2", "You cannot climb up now."),
        ("999", "There is no action 999."),
        ("fly", "Nothing is called 'fly'."),
    ],
)
def test_what_cannot_be_done_is_said(line, answer):
    allowed = [ACTION["move on"], ACTION["gather dirt"], ACTION["gather log"]]
    assert str(understood(line, NAMES, allowed)).startswith(answer)


@pytest.mark.parametrize("line", ["", "climb", "2", "999", "fly", "GATHER D"])
def test_a_line_that_means_nothing_costs_no_time(line):
    result, shown = played(line, "q")
    assert shown.count(" passed.") == (line == "GATHER D"), shown


def test_the_screen_shows_how_far_a_block_is_dug():
    _, shown = played("gather log", "gather log", goals=("diamond",), seed=2)
    assert "(log 80% dug)" in shown  # 48 of 60 ticks


def test_failing_twice_ends_the_episode_and_the_next_begins():
    # By hand the first shaft takes 85.5 s and the next two 112.5 s each: 310.5 s. The last shaft
    # and a stair of 234 s are more than 300 s again.
    lines = ["dig down"] * 4 + ["climb up"]
    result, shown = played(*lines, "move on", goals=("diamond",), seed=3)
    passed = re.findall(r"^([0-9.]+) s passed", shown, re.M)
    assert passed == ["85.5", "112.5", "112.5", "112.5", "234.0"]
    assert result == (0, 2)
    assert shown.count("Failed: no diamond in time.") == 2
    assert "You died." not in shown
    assert "The episode is over.\nAny action begins the next.\n" in shown
    assert "A new episode begins." in shown


def test_the_goal_comes_with_its_recipe_and_the_next_step():
    _, shown = played(goals=("wooden_shovel",))
    assert "Craft it near a crafting table." in shown
    parts = "needs 1 planks (you have 0), 2 stick (you have 0), 1 crafting_table (you have 0)"
    assert parts in shown
    assert "next: Dig the trunk of any tree." in shown


def test_where_an_ore_lies_is_told_beside_the_players_own_height():
    _, shown = played("dig down", goals=("diamond",))
    assert "diamond: Dig diamond ore, below height 16." in shown
    # From 64 the shaft is 15 blocks deep.
    assert "You are at height 64." in shown
    assert "You are at height 49." in shown


def test_what_is_gained_is_told():
    _, shown = played("gather dirt")
    assert "\n+1 dirt\n" in shown


def test_n_asks_for_another_goal_and_costs_nothing():
    result, shown = played("n", "n", goals=("dirt", "sapling"))
    assert result == (0, 0)
    asked = re.findall(r"Simon says: (\w+)", shown)
    assert asked in (["dirt", "sapling", "dirt"], ["sapling", "dirt", "sapling"])
    assert "passed." not in shown


def test_goals_follow_each_other_by_what_was_obtained():
    result, shown = played("gather dirt", goals=("dirt", "diamond_boots"))
    assert result == (1, 1)
    assert re.findall(r"Simon says: (\w+)", shown) == ["dirt", "diamond_boots"]
