"""A person's game in the voxel world, without the page."""

import json

import numpy as np
import pytest

from lapis.minecraft.blocks import Block
from lapis.minecraft.items import ITEM
from lapis.play.voxel.session import Session


def make(**settings) -> Session:
    return Session(**{"size": 16, "pixels": 32} | settings)


def hold(session: Session, **items: int) -> None:
    for name, count in items.items():
        session.world.inventory[0, ITEM[name]] = count


def put_into_lava(session: Session) -> None:
    x, y, z = map(int, session.world.state.position[0])
    session.world.state.blocks[0, x, z, y : y + 2] = int(Block.LAVA)


def test_the_status_is_json_and_tells_of_a_fresh_game():
    status = make(goals=("dirt",)).status()
    assert json.loads(json.dumps(status)) == status
    expected = {
        "goal": "dirt",
        "seconds_left": 300.0,
        "reward": 0.0,
        "solved": 0,
        "ended": 0,
        "over": False,
        "messages": ["A new episode begins."],
        "gained": [],
        "hint": {
            "how": "Dig grass or dirt. Bare hands will do.",
            "parts": [],
            "next": "Dig grass or dirt.",
        },
        "step": 0,
        "health": 20.0,
        "food": 20,
        "air": 15.0,
        "hand": "",
        "inventory": [],
        "settled": True,
        "time": "12:00",
        "dug": 0.0,
    }
    assert {name: status[name] for name in expected} == expected


def test_walking_moves_the_player_and_takes_time():
    session = make()
    before = session.status()["position"]
    for _ in range(5):
        session.step(["forward", "jump"])
    status = session.status()
    assert np.linalg.norm(np.subtract(status["position"], before)) > 0.5
    assert status["seconds_left"] == 299.0
    assert status["time"] == "12:01"
    assert status["step"] == 5


def test_crafting_what_is_asked_for_is_told_and_counted():
    session = make(goals=("planks",))
    hold(session, log=2)
    session.step()
    assert "craft planks" in session.status()["actions"]
    session.step(special="craft planks")
    status = session.status()
    assert status["inventory"] == [["log", 1], ["planks", 4]]
    assert (status["reward"], status["solved"], status["ended"]) == (1.0, 1, 1)
    assert status["messages"] == ["Done: planks."]
    assert status["gained"] == ["+4 planks"]
    assert status["seconds_left"] == 300.0
    session.step()
    assert session.status()["messages"] == []
    assert session.status()["gained"] == []


def test_what_is_not_allowed_is_left_out():
    session = make()
    assert "craft planks" not in session.status()["actions"]
    session.step(["use"], special="craft planks")
    assert session.status()["inventory"] == []
    assert session.status()["step"] == 1


@pytest.mark.parametrize(
    "wrong", [{"held": ["fly"]}, {"special": "craft"}, {"turn": (float("inf"), 0.0)}]
)
def test_what_there_is_not_is_refused_and_changes_nothing(wrong):
    session = make()
    before = session.status()
    with pytest.raises(ValueError, match=next(iter(wrong))):
        session.step(**{"turn": (50.0, 0.0)} | wrong)
    assert session.status() == before


def test_death_ends_the_episode_and_the_next_step_begins_another():
    session = make(goals=("diamond",))
    hold(session, dirt=3)
    put_into_lava(session)
    session.world.state.health.fill_(1000)
    session.step(turn=(900.0, 0.0))
    status = session.status()
    assert status["over"]
    assert status["messages"] == ["You died.", "The episode is over."]
    assert (status["health"], status["ended"], status["actions"]) == (0.0, 1, [])
    session.step()
    status = session.status()
    assert not status["over"]
    assert status["messages"] == ["A new episode begins."]
    assert (status["health"], status["step"], status["settled"]) == (20.0, 0, True)


def test_who_jumps_is_not_settled_before_landing():
    session = make()
    height = session.status()["position"][1]
    session.step(["jump"])
    heights = []
    while not session.status()["settled"]:
        heights.append(session.status()["position"][1])
        session.step()
    assert len(heights) >= 2
    assert max(heights) > height + 1
    assert session.status()["position"][1] == height


def test_the_picture_shows_where_the_player_wants_to_look_before_the_camera_does():
    session = make()
    yaw = session.status()["yaw"]
    straight = session.picture()
    ahead = session.picture(turn=(450.0, 0.0))
    assert not np.array_equal(straight, ahead)
    status = session.status()
    assert (status["yaw"], status["settled"]) == (yaw, False)
    session.step()
    status = session.status()
    assert (status["yaw"], status["settled"]) == ((yaw + 450) % 3600, True)
    assert (ahead.shape, ahead.dtype) == ((32, 32, 3), np.uint8)


def test_the_picture_glides_along_the_way_of_the_last_step():
    session = make()
    state = session.world.state
    session.picture()
    session._before = state.position.clone()
    session._before[0, 0] = (session._before[0, 0] - 1.0) % 16
    session.picture(between=0.25)
    way = (state.position - session._seen.position)[0]
    assert float((way[0] + 8) % 16 - 8) == pytest.approx(0.75, abs=1e-5)
    assert way[1:].tolist() == [0.0, 0.0]
    session.picture(between=1.0)
    assert (session._seen.position == state.position).all()


def test_the_picture_does_not_glide_from_one_episode_to_another():
    session = make()
    session._before[0, 1] += 20.0
    session.picture(between=0.0)
    assert (session._seen.position == session.world.state.position).all()


def test_blocks_and_stations_nearby_are_named():
    session = make()
    hold(session, crafting_table=1)
    session.step(turn=(0.0, 900.0))
    session.step()
    status = session.status()
    x, y, z = map(int, status["position"])
    below = Block(int(session.world.state.blocks[0, x, z, y - 1]))
    assert status["pitch"] == 900
    assert status["looked_at"] == below.name.lower()
    state = session.world.state
    state.blocks[0, x, z, y + 2] = int(Block.CRAFTING_TABLE)
    state.station[0, 0] = (x * 16 + z) * 96 + y + 2
    state.station_count[0] = 1
    session.step()
    assert session.status()["near"] == ["crafting_table"]


def test_a_success_brings_the_next_goal_within_reach():
    session = make(goals=("log", "planks", "diamond_boots"))
    assert session.goal == "log"
    hold(session, log=1)
    session.step()
    assert session.status()["messages"] == ["Done: log."]
    # Not the same goal again, and diamond boots are far away.
    assert session.goal == "planks"
    assert session.status()["hint"]["parts"] == [["log", 1, 1]]
    session.step(special="craft planks")
    assert session.status()["solved"] == 2


def test_a_skipped_goal_takes_no_time_and_counts_for_the_curriculum_alone():
    session = make(goals=("dirt", "sapling"))
    asked = session.goal
    before = session._goals.probabilities()[session.game.goals.index(asked)]
    session.step()
    session.skip()
    status = session.status()
    assert status["goal"] == session.goal != asked
    assert status["messages"] == [f"Skipped: {asked}."]
    assert (status["solved"], status["ended"], status["step"]) == (0, 0, 1)
    assert status["seconds_left"] == 300.0
    assert session._goals.probabilities()[session.game.goals.index(asked)] < before
    # Skips in a row do not end the episode as failures do.
    for _ in range(5):
        session.skip()
    session.step()
    assert not session.is_over
    assert int(session.game.take_counts()[1].sum()) == 0


def test_nothing_can_be_skipped_when_the_episode_is_over():
    session = make()
    session.world.state.health.fill_(0)
    session.step()
    assert session.is_over
    with pytest.raises(ValueError, match="the episode is over"):
        session.skip()


def test_what_can_be_made_is_offered_before_what_can_be_placed():
    session = make()
    hold(session, log=1, planks=4, wooden_pickaxe=1)
    session.step()
    actions = session.status()["actions"]
    verbs = [name.partition(" ")[0] for name in actions]
    assert verbs == sorted(verbs, key=("craft", "smelt", "equip", "place").index)
    assert {"craft", "equip", "place"} <= set(verbs)
    assert [name for name in actions if "planks" in name] == ["craft planks", "place planks"]


def test_the_picture_is_as_large_as_it_is_quick(monkeypatch):
    session = make(pixels=None)
    side = session.picture().shape[0]
    clock = iter(range(100))
    monkeypatch.setattr("lapis.play.voxel.session.time.perf_counter", lambda: float(next(clock)))
    shapes = [session.picture().shape for _ in range(12)]
    assert shapes[0] == (side, side, 3)
    # A second for each is too long by far.
    assert shapes[-1] == (64, 64, 3)


def test_a_picture_that_is_refused_turns_nothing():
    session = make()
    before = session.status()
    with pytest.raises(TypeError):
        session.picture(turn=(450.0, 0.0), between="half")
    assert session.status() == before
