"""Masks against the toy game: what is allowed works, and what works is allowed."""

import numpy as np
import pytest

from lapis.worlds.minerl.tables import make_tables
from lapis.worlds.remote.far.minerl.game import Player
from lapis.worlds.remote.far.minerl.tables import Component, Tables
from tests.worlds.minerl.fake_env import FakeEnv
from tests.worlds.minerl.players import busy_choices, random_choices, rich
from tests.worlds.minerl.possible import differences, tried

TABLES = Tables(make_tables())


@pytest.mark.parametrize("seed", range(2))
def test_masks_of_special_actions_are_those_of_the_game(seed):
    player = Player(FakeEnv(), TABLES, channel_ticks=60)
    rng = np.random.default_rng(seed)
    game, seen = player.env.game, set()
    for episode in range(8):
        player.begin(seed * 100 + episode, rich(TABLES, rng) if episode else [0] * 128)
        choose = random_choices if episode % 3 == 0 else busy_choices
        for _ in range(40):
            mask = player.mask()
            assert differences(mask, game, TABLES) == []
            seen |= set(np.flatnonzero(mask).tolist())
            player.play(choose(mask, TABLES, rng))
            if player.died:
                break
    special = [n - TABLES.first_choice[Component.SPECIAL] for n in seen]
    kinds = {TABLES.specials[number].kind for number in special if number > 0}
    assert kinds == {"place", "equip", "smelt", "craft"}
    assert len([number for number in special if number > 0]) > 120


def test_what_is_allowed_changes_the_game_and_what_is_not_changes_nothing():
    player = Player(FakeEnv(), TABLES, channel_ticks=60)
    rng = np.random.default_rng(7)
    first, worked = TABLES.first_choice[Component.SPECIAL], set()
    for episode in range(4):
        player.begin(episode, rich(TABLES, rng))
        for _ in range(10):
            mask, game = player.mask(), player.env.game
            for number, special in enumerate(TABLES.specials):
                if special.command:
                    did = tried(game, special).stacks != game.stacks
                    assert did == mask[first + number], f"{special.kind} {special.item}"
                    worked |= {special.kind} if did else set()
            player.play(busy_choices(mask, TABLES, rng))
    assert worked == {"place", "equip", "smelt", "craft"}


def test_no_window_is_ever_opened():
    """It would swallow all keys."""
    player = Player(FakeEnv(), TABLES, channel_ticks=60)
    rng = np.random.default_rng(3)
    for episode in range(5):
        player.begin(episode, rich(TABLES, rng))
        for _ in range(100):
            choices = random_choices(player.mask(), TABLES, rng)
            choices[Component.USE] = 1
            player.play(choices)
            assert player.env.game.window is None
            if player.died:
                break
    assert player.env.game.used is not None
