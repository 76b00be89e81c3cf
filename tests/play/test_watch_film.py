"""Captions and pictures of films."""

import numpy as np
import pytest
import torch

from lapis.minecraft.items import ITEM
from lapis.play.film import ask_for_any, ask_only_for, film
from lapis.play.overlay import GOLD, RED, Caption, Overlay
from lapis.play.scene import Scene, expert_scene, random_actor
from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.worlds.voxel.actions import ACTION_SIZES, SPECIAL, Component
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.world import VoxelWorld
from tests.simonsays.scripted import ScriptedWorld

CAPTION = Caption(
    goal="planks", seconds_left=299.6, reward=2.5, last_reward=0.0, health=20.0, food=20.0
)


class Scripted:
    """Plays special actions by name."""

    def __init__(self, *names: str) -> None:
        self.rest = list(names)

    def __call__(self, game: SimonSays) -> torch.Tensor:
        action = torch.zeros((1, len(ACTION_SIZES)), dtype=torch.int32)
        action[0, Component.SPECIAL] = SPECIAL[self.rest.pop(0)]
        return action


@pytest.fixture
def captions(monkeypatch) -> list[Caption]:
    """The captions of all films of the test."""
    seen = []
    draw = Overlay.draw

    def noted(self, picture, caption):
        seen.append(caption)
        return draw(self, picture, caption)

    monkeypatch.setattr(Overlay, "draw", noted)
    return seen


def a_game(goals=("planks", "dirt"), **settings) -> SimonSays:
    world = VoxelWorld(1, seed=1, config=VoxelConfig(size=16, view="fan"))
    return SimonSays(world, SimonSaysConfig(goals=goals, bonus="none", **settings), seed=1)


def test_a_film_has_a_picture_for_the_start_and_for_every_step():
    pictures = list(film(a_game(), random_actor(2), steps=5, pixels=64))
    assert len(pictures) == 6
    assert {(picture.shape, picture.dtype) for picture in pictures} == {
        ((64, 64, 3), np.dtype("uint8"))
    }
    assert not np.array_equal(pictures[0], pictures[-1])


def test_captions_tell_goal_clock_reward_and_what_came_and_went(captions):
    game = a_game()
    ask_only_for(game, ["planks"])
    game.world.inventory[0, ITEM["log"]] = 2
    actor = Scripted("none", "craft planks", *["none"] * 10)
    list(film(game, actor, steps=12, pixels=64))
    first, waited, crafted, *rest = captions
    assert (first.goal, first.seconds_left, first.reward, first.changes) == ("planks", 300.0, 0, ())
    assert (first.health, first.food, first.message) == (20.0, 20, "")
    assert waited.seconds_left == 299.8
    assert crafted.changes == (("log", -1), ("planks", 4))
    assert (crafted.reward, crafted.last_reward) == (1.0, 1.0)
    assert (crafted.message, crafted.seconds_left) == ("Done: planks.", 300.0)
    assert (rest[0].reward, rest[0].last_reward) == (1.0, 0.0)
    # Ten pictures show what happened, the one of the step itself among them.
    assert [bool(caption.changes) for caption in rest] == [True] * 9 + [False]
    assert [bool(caption.message) for caption in rest] == [True] * 9 + [False]


def test_captions_tell_of_failure_and_of_new_episodes(captions):
    game = a_game(task_ticks=8, failures_to_end=1)
    ask_only_for(game, ["dirt"])
    game.world.inventory[0, ITEM["log"]] = 2
    list(film(game, Scripted(*["none"] * 3), steps=3, pixels=64))
    assert [caption.message for caption in captions] == [
        "",
        "",
        "Failed: no dirt in time.\nThe episode is over.",
        "A new episode begins.",
    ]
    # What was lost with the old episode is not told as a change.
    assert captions[-1].changes == ()


def test_captions_tell_of_death(captions):
    game = a_game()
    game.world.state.health.fill_(0)
    list(film(game, Scripted("none"), steps=1, pixels=64))
    assert captions[-1].message == "You died.\nThe episode is over."
    assert captions[-1].health == 0


def test_a_film_asks_only_for_what_it_shall():
    game = a_game(goals=("log", "planks", "dirt"), task_ticks=4, failures_to_end=100)
    ask_only_for(game, ["dirt", "planks"])
    asked = [game.goals[int(game.goal)]]
    for _ in range(30):
        game.step(Scripted("none")(game))
        asked.append(game.goals[int(game.goal)])
    assert asked[0] == "dirt"
    assert set(asked) == {"dirt", "planks"}


def test_a_film_of_any_goals_asks_for_them_in_no_order():
    game = a_game(goals=("log", "planks", "dirt"), task_ticks=4, failures_to_end=100)
    asked = set()
    for _ in range(20):
        ask_for_any(game, ["dirt", "planks"])
        asked.add(game.goals[int(game.goal)])
    assert asked == {"dirt", "planks"}


def test_what_a_player_has_learned_is_what_it_had_discovered():
    scene = Scene(a_game(goals=("log", "planks", "dirt")), random_actor(0))
    assert scene.learned() == []
    assert scene._replace(recorded=(0.05, 0.9, 0.06)).learned() == ["planks", "dirt"]


def test_other_worlds_cannot_be_filmed():
    world = ScriptedWorld(torch.zeros(3, 1, 3))
    game = SimonSays(world, SimonSaysConfig(goals=("a",), bonus="none"))
    with pytest.raises(ValueError, match="ScriptedWorld has no pictures"):
        next(film(game, random_actor(), steps=1))


def test_the_overlay_leaves_the_picture_and_its_middle_alone():
    picture = np.full((256, 256, 3), 90, np.uint8)
    drawn = Overlay(256).draw(picture, CAPTION)
    assert (picture == 90).all()
    assert (drawn[110:200, 100:156] == 90).all()
    assert (drawn != 90).any()


def test_every_part_of_the_caption_is_drawn_in_its_place():
    picture = np.full((256, 256, 3), 90, np.uint8)
    overlay = Overlay(256)
    plain = overlay.draw(picture, CAPTION)

    def differs(**change) -> tuple[slice, slice]:
        """The box of what another caption changes."""
        other = overlay.draw(picture, Caption(**vars(CAPTION) | change))
        rows, columns = np.nonzero((other != plain).any(axis=2))
        return slice(rows.min(), rows.max()), slice(columns.min(), columns.max())

    rows, columns = differs(goal="stick")
    assert rows.stop < 30
    assert columns.stop < 128
    rows, columns = differs(reward=3.5)
    assert rows.stop < 60
    assert columns.start > 128
    rows, columns = differs(last_reward=1.0)
    assert rows.stop < 80
    assert columns.start > 128
    rows, columns = differs(changes=(("log", 1),))
    assert rows.start > 200
    assert columns.stop < 128
    rows, columns = differs(message="died")
    assert 60 < rows.start < rows.stop < 110


def test_bars_are_as_long_as_there_is_health_and_food():
    picture = np.zeros((256, 256, 3), np.uint8)
    caption = Caption(**vars(CAPTION) | {"health": 10.0, "food": 0.0})
    bar = Overlay(256).draw(picture, caption)[247]
    # A bar is (256 - 3 * 6) / 2 = 119 pixels wide.
    assert (bar == RED).all(axis=1).sum() == pytest.approx(119 / 2, abs=1)
    assert (bar == GOLD).all(axis=1).sum() == 0


def test_old_changes_give_way_to_new_ones():
    picture = np.zeros((256, 256, 3), np.uint8)
    overlay = Overlay(256)

    def drawn(*names: str) -> np.ndarray:
        changes = tuple((name, 1) for name in names)
        return overlay.draw(picture, Caption(**vars(CAPTION) | {"changes": changes}))

    many = ["dirt"] * 40
    assert np.array_equal(drawn("log", *many), drawn("sand", *many))
    assert not np.array_equal(drawn(*many, "log"), drawn(*many, "sand"))


def test_a_film_can_leave_out_steps_but_not_what_they_bring(captions):
    game = a_game()
    ask_only_for(game, ["planks"])
    game.world.inventory[0, ITEM["log"]] = 2
    actor = Scripted("none", "craft planks", *["none"] * 6)
    pictures = list(film(game, actor, steps=8, pixels=64, every=3))
    assert len(pictures) == 3
    assert [caption.message for caption in captions] == ["", "Done: planks.", "Done: planks."]
    assert captions[1].changes == (("log", -1), ("planks", 4))


def test_a_film_can_end_a_little_after_the_first_success(captions):
    game = a_game()
    ask_only_for(game, ["planks"])
    game.world.inventory[0, ITEM["log"]] = 2
    actor = Scripted("none", "craft planks", *["none"] * 100)
    pictures = list(film(game, actor, steps=100, pixels=64, until_success=True))
    # The start, two steps, and ten more.
    assert len(pictures) == 13
    assert captions[-2].message == "Done: planks."


def test_the_scripted_player_obtains_what_it_is_asked_for(captions):
    game, actor, _ = expert_scene("dirt", seed=1, size=16)
    list(film(game, actor, steps=200, pixels=64, until_success=True))
    assert captions[-1].reward == 1.0
    assert int(game.world.inventory[0, ITEM["dirt"]]) == 1


def test_the_scripted_player_stands_still_when_it_is_done_and_when_it_is_dead():
    game, actor, _ = expert_scene("dirt", seed=1, size=16)
    game.world.inventory[0, ITEM["dirt"]] = 1
    assert not actor(game).any()
    game.world.inventory.zero_()
    game.world.state.health.fill_(0)
    game.step(torch.zeros((1, len(ACTION_SIZES)), dtype=torch.int32))
    assert bool(game.terminated)
    assert not actor(game).any()


def test_what_nothing_gives_is_refused():
    with pytest.raises(ValueError, match="bone"):
        expert_scene("bone")
