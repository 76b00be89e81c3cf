"""Steps and episodes in the toy game."""

import numpy as np
import pytest

from lapis.worlds.minerl.tables import make_tables
from lapis.worlds.remote.far.minerl.env import LostGame
from lapis.worlds.remote.far.minerl.features import VITALS
from lapis.worlds.remote.far.minerl.game import SETTLE_TICKS, Player
from lapis.worlds.remote.far.minerl.tables import Component, Tables
from lapis.worlds.remote.far.minerl.worlds import MineRLWorlds
from lapis.worlds.voxel.actions import SPECIAL
from tests.worlds.minerl.fake_env import FakeEnv
from tests.worlds.minerl.fake_game import BREAK_TICKS

TABLES = Tables(make_tables())
DOWN_60 = 13
"""Choice of pitch."""


def counts(**given):
    return [given.get(name, 0) for name in TABLES.items]


def begun(*, channel_ticks=60, ground=("stone",), **items):
    player = Player(FakeEnv(ground=ground), TABLES, channel_ticks=channel_ticks)
    player.begin(0, counts(**items))
    return player


def play(player, special=None, **chosen):
    choices = [chosen.get(name, 0) for name in vars(Component) if name.isupper()]
    choices[Component.SPECIAL] = SPECIAL[special] if special else 0
    player.play(choices)
    return player


def has(player, *names):
    return [int(player.items[TABLES.items.index(name)]) for name in names]


def allowed(player, special):
    return bool(player.mask()[TABLES.first_choice[Component.SPECIAL] + SPECIAL[special]])


def test_a_step_is_four_ticks_and_attack_goes_on_from_step_to_step():
    player = play(begun(), PITCH=DOWN_60)
    assert (player.ticks, player.env.game.ticks) == (4, 4)
    play(player, ATTACK=1)
    assert has(player, "cobblestone") == [0]
    play(player, ATTACK=1)
    assert has(player, "cobblestone") == [1]
    assert player.ticks == 4


def test_a_channel_attack_lasts_until_the_block_breaks():
    player = begun()
    table = play(play(begun(crafting_table=1), PITCH=DOWN_60), "place crafting_table")
    play(table, ATTACK=2)
    assert table.ticks == BREAK_TICKS
    assert has(table, "crafting_table") == [1]
    play(player, ATTACK=2)  # Into the sky.
    assert player.ticks == 4
    assert player.env.game.told[-1].count("attack 0") == 1


def test_a_channel_attack_on_what_does_not_break_ends_after_its_longest_time():
    player = play(begun(channel_ticks=23), PITCH=DOWN_60)  # This floor grows back.
    play(player, ATTACK=2)
    assert player.ticks == 23
    assert has(player, "cobblestone") == [23 // BREAK_TICKS]


def test_from_wood_to_a_stone_pickaxe():
    player = play(begun(ground=("log",)), PITCH=DOWN_60)
    for _ in range(6):
        play(player, ATTACK=2)
    assert not allowed(player, "craft stick")
    for _ in range(4):
        play(player, "craft planks")
    play(play(player, "craft crafting_table"), "craft stick")
    assert not allowed(player, "craft wooden_pickaxe"), "no table stands there"
    play(player, "place crafting_table")
    assert has(player, "planks", "stick", "crafting_table") == [10, 4, 0]
    play(player, "craft wooden_pickaxe")
    assert has(player, "planks", "stick", "wooden_pickaxe") == [7, 2, 1]
    play(player, "equip wooden_pickaxe")
    assert player.seen.hand == "wooden_pickaxe"
    assert not allowed(player, "equip wooden_pickaxe")
    hand = player.observation()["hand"]
    assert hand.argmax() == 1 + TABLES.tools.index("wooden_pickaxe")
    play(player, YAW=8)
    play(player, YAW=8)
    assert not allowed(player, "craft wooden_axe"), "the table is out of view"
    for _ in range(6):
        play(player, YAW=8)
    assert allowed(player, "craft wooden_axe")


def test_a_furnace_keeps_its_fire():
    player = play(begun(furnace=1, cobblestone=9, coal=1), PITCH=DOWN_60)
    assert not allowed(player, "smelt stone")
    play(player, "place furnace")
    for left in range(8, 0, -1):
        play(player, "smelt stone")
        assert has(player, "cobblestone", "stone", "coal") == [left, 9 - left, 0]
        assert player.env.game.fire == player._fire == 200 * (left - 1)
    assert not allowed(player, "smelt stone")


def test_a_table_that_is_gone_is_tried_once_in_vain():
    player = play(begun(crafting_table=1, planks=9, stick=9), PITCH=DOWN_60)
    play(player, "place crafting_table")
    player.env.game.stations["crafting_table"].clear()  # The block stays, the game has forgotten.
    assert allowed(player, "craft wooden_pickaxe")
    play(player, "craft wooden_pickaxe")
    assert has(player, "wooden_pickaxe") == [0]
    assert not allowed(player, "craft wooden_pickaxe")


def test_the_shield_shows_in_the_off_hand():
    player = begun(shield=1, iron_sword=1)
    play(player, "equip iron_sword")
    assert player.observation()["off_hand"].tolist() == [1.0, 0.0]
    play(player, "equip shield")
    assert player.observation()["off_hand"].tolist() == [0.0, 1.0]
    assert player.seen.hand == "iron_sword"
    assert has(player, "shield", "iron_sword") == [1, 1]
    assert not allowed(player, "equip shield")


def test_vitals_are_between_0_and_1_in_the_order_of_the_voxel_world():
    player = begun(ground=("iron_ore",), iron_pickaxe=1)
    play(player, "equip iron_pickaxe")
    play(player, PITCH=DOWN_60)
    for _ in range(2):
        play(player, ATTACK=2, JUMP=0)
    game = player.env.game
    game.health, game.food = 13.0, 7
    play(player)
    vitals = dict(zip(VITALS, player.observation()["vitals"].tolist(), strict=True))
    breaks = 2 * (60 // BREAK_TICKS)
    expected = {
        "HEALTH": 13 / 20,
        "FOOD": 7 / 20,
        "SATURATION": 5 / 20,
        "AIR": 1.0,
        "EXPERIENCE": np.log2(1 + breaks) / np.log2(1396),
        "ON_GROUND": 1.0,
        "UNDER_WATER": 0.0,
        "BURNING": 0.0,
        "DUG": 0.0,
        "TOOL_LEFT": 1 - breaks / 250,
    }
    assert vitals == pytest.approx(expected, abs=1e-6)
    play(player, JUMP=1)
    assert player.mask()[TABLES.first_choice[Component.GAIT] + 2], "food 7 is enough to sprint"
    game.food = 6
    play(player)
    assert not player.mask()[TABLES.first_choice[Component.GAIT] + 2]


def test_the_dead_can_only_do_nothing():
    player = begun(ground=("magma",))
    for _ in range(2):
        play(player, WALK=1)
    assert (player.died, player.ticks) == (True, 1), "the step ends with the player"
    mask = player.mask()
    assert mask[TABLES.first_choice].all()
    assert mask.sum() == len(TABLES.first_choice)


def test_an_episode_begins_when_its_things_are_there():
    class Slow(FakeEnv):
        late = 0

        def reset(self, seed, slots):
            self.slots, self.left = slots, self.late
            super().reset(seed, {} if self.late else slots)
            return self._read()

        def step(self, action):
            self.left -= 1
            if self.left == 0:
                given = {
                    i: [s["type"], s["metadata"], s["quantity"]] for i, s in self.slots.items()
                }
                for slot, stack in given.items():
                    self.game.stacks[slot] = stack
            return super().step(action)

    player = Player(Slow(), TABLES, channel_ticks=60)
    player.env.late = 3
    player.begin(0, counts(stick=7))
    assert has(player, "stick") == [7]
    assert (player.env.game.ticks, player.ticks) == (3, 0)
    player.env.late = SETTLE_TICKS + 1
    with pytest.raises(RuntimeError, match="begin with 7 of stick, but the game shows 0"):
        player.begin(0, counts(stick=7))


def test_a_game_that_is_gone_loses_its_row_alone_and_is_replaced():
    made = []

    def make_env(row):
        made.append(FakeEnv(8, fails_after=6 if not made else None))
        return made[-1]

    worlds = MineRLWorlds(2, tables=make_tables(), frame_size=8, make_env=make_env)
    both, items = np.ones(2, bool), np.zeros_like(worlds.inventory)
    worlds.reset(both, items, np.zeros(2, int))
    idle = np.zeros((2, 9), np.int32)
    worlds.step(both, idle)
    assert worlds.lost.tolist() == [False, False]
    worlds.step(both, idle)
    assert worlds.lost.tolist() == [True, False]
    assert worlds.ticks.tolist() == [0, 4]
    assert made[0].closed
    worlds.step(both, idle)
    assert made[1].game.ticks == 12
    worlds.reset(worlds.lost.copy(), items, np.ones(2, int))
    worlds.step(both, idle)
    assert worlds.lost.tolist() == [False, False]
    assert len(made) == 3
    assert made[1].game.ticks == 16
    worlds.close()
    assert [env.closed for env in made] == [True] * 3


def test_a_reset_that_fails_says_so():
    class Dead(FakeEnv):
        def reset(self, seed, slots):
            raise LostGame("no mission was started")

    player = Player(Dead(), TABLES, channel_ticks=60)
    with pytest.raises(LostGame, match="no mission"):
        player.begin(0, counts())
