"""Death, restarts, faults, bad arguments and the numbers of worlds."""

import subprocess
import sys

import pytest
import torch

from lapis.minecraft.items import ITEM
from lapis.worlds import batch
from lapis.worlds.techtree import ACTION, ACTIONS, TechTreeConfig, TechTreeWorld
from tests.worlds.techtree.scenes import Scene, quiet


def random_action(world: TechTreeWorld, generator: torch.Generator) -> torch.Tensor:
    mask = world.action_mask.cpu().float()
    return torch.multinomial(mask, 1, generator=generator).int().to(world.device)


def dead_scene(device: str = "cpu") -> Scene:
    scene = Scene(
        height=4,
        health=1000,
        food=17,
        inventory={"log": 5},
        config=quiet(lava=1.0),
        device=device,
    )
    scene.play("move on")
    return scene


def test_who_has_no_health_left_is_dead(device):
    scene = dead_scene(device)
    assert bool(scene.world.died[0])
    assert scene.get("health") == 0


def test_the_dead_can_only_go_through_the_motion(device):
    scene = dead_scene(device)
    assert scene.allowed() == {"move on"}
    before = scene.world.state_dict()
    assert scene.play("move on") == 0
    after = scene.world.state_dict()
    moving = {"step", "chance", "chosen", "arrived", "damage", "ticks"}
    for name, value in before.items():
        if isinstance(value, torch.Tensor) and name not in moving:
            assert torch.equal(value, after[name]), name


def test_the_dead_keep_their_items_until_the_reset(device):
    scene = dead_scene(device)
    assert scene.count("log") == 5
    scene.world.reset(scene.world.died.clone())
    assert scene.held() == {}


def test_a_restart_makes_everything_new(device):
    scene = dead_scene(device)
    scene.set(burn=50, dug=3, target=2, exhaustion=7, body_timer=8, wear={"iron_axe": 4}, food=3)
    scene.world.reset(scene.world.died.clone())
    new = {
        "health": 20_000,
        "food": 20,
        "saturation": 5000,
        "exhaustion": 0,
        "body_timer": 0,
        "hand": -1,
        "height": 64,
        "in_cave": 0,
        "target": -1,
        "dug": 0,
        "burn": 0,
        "died": 0,
        "ticks": 0,
        "step": 0,
        "episode": 2,
    }
    assert {name: scene.get(name) for name in new} == new
    assert not scene.world.state.wear.any()


def test_a_restart_gives_the_inventory_it_is_told(device):
    world = TechTreeWorld(2, device=device)
    given = torch.zeros_like(world.inventory)
    given[:, ITEM["iron_pickaxe"]] = 1
    world.reset(torch.tensor([False, True], device=device), given)
    assert world.inventory[:, ITEM["iron_pickaxe"]].tolist() == [0, 1]
    assert bool(world.action_mask[1, ACTION["equip iron_pickaxe"]])


def test_episodes_of_a_world_differ():
    world = TechTreeWorld(200)
    first = torch.cat([world.state.biome[:, None], world.state.reach], dim=1).clone()
    world.reset(torch.ones_like(world.died))
    second = torch.cat([world.state.biome[:, None], world.state.reach], dim=1)
    assert (first != second).any(dim=1).float().mean() > 0.5


def test_a_masked_action_has_no_effect_but_a_fault(device):
    scene = Scene(device=device)
    before = scene.world.state_dict()
    assert not scene.allows("craft diamond_block")
    scene.world.step(scene.action("craft diamond_block"))
    assert scene.get("ticks") == 0
    after = scene.world.state_dict()
    for name in ("inventory", "reach", "height", "biome", "health", "food", "hand", "mask"):
        assert torch.equal(before[name], after[name]), name
    with pytest.raises(RuntimeError, match="world 0: an action was played that the action mask"):
        scene.world.check()


def test_a_masked_action_does_not_lose_the_progress_of_digging(device):
    scene = Scene(reach={"log": 1}, device=device)
    scene.play("gather log")
    scene.world.step(scene.action("craft diamond_block"))
    assert scene.get("dug") == 16


# The timer stands at 6: 4 ticks later 5 points of saturation heal 5 / 6 of a point and tire by 5,
# which costs one; 10 ticks later the other 4 heal 4 / 6; the last 6 ticks of 20 heal nothing.
@pytest.mark.parametrize(("ticks", "health"), [(4, 10_833), (20, 11_499)])
def test_where_masked_actions_wait_they_take_the_time_of_handling(ticks, health, device):
    config = quiet(handling_ticks=ticks)
    world = TechTreeWorld(1, masked_waits=True, device=device, config=config)
    world.state.health.fill_(10_000)
    world.state.body_timer.fill_(6)
    before = world.state_dict()
    world.step(torch.full((1, 1), ACTION["craft diamond_block"]).int().to(device))
    world.check()
    assert world.ticks.tolist() == [ticks]
    for name in ("inventory", "reach", "height", "biome", "hand", "mask"):
        assert torch.equal(before[name], world.state_dict()[name]), name
    assert int(world.state.health[0]) == health, "time heals while one waits"
    world.step(torch.full((1, 1), len(ACTIONS)).int().to(device))
    with pytest.raises(RuntimeError, match="outside its range"):
        world.check()


@pytest.mark.parametrize("number", [-1, len(ACTIONS), 2**31 - 1, -(2**31)])
def test_an_action_out_of_range_has_no_effect_but_a_fault(number, device):
    world = TechTreeWorld(3, device=device)
    action = torch.zeros((3, 1), dtype=torch.int32, device=device)
    action[1] = number
    world.step(action)
    assert world.ticks.tolist()[1] == 0
    assert world.ticks[0] > 0
    with pytest.raises(RuntimeError, match=r"world 1: .* outside its range; sizes: \(151,\)"):
        world.check()


@pytest.mark.parametrize(
    ("count", "cause"),
    [(-1, "a negative number of items"), (2**31 - 1, "more than 2\\^30 of an item")],
)
def test_kernels_take_a_count_out_of_range_for_nothing_and_set_a_fault(
    count, cause, device, monkeypatch
):
    # As on a GPU, where nobody looks at the numbers beforehand.
    monkeypatch.setattr(batch, "check_values", lambda *_: None)
    world = TechTreeWorld(3, device=device)
    given = torch.zeros_like(world.inventory)
    given[2, ITEM["log"]] = count
    world.reset(torch.ones_like(world.died), given)
    assert not world.inventory.any()
    with pytest.raises(RuntimeError, match=f"world 2: an episode was started with {cause}"):
        world.check()


def test_faults_are_named_by_the_number_of_the_world():
    world = TechTreeWorld(2, first_world=100)
    action = torch.tensor([[0], [-5]], dtype=torch.int32)
    world.step(action)
    world.step(torch.tensor([[0], [ACTION["craft diamond_block"]]], dtype=torch.int32))
    with pytest.raises(RuntimeError, match=r"world 101: an action had.*; an action was played"):
        world.check()


@pytest.mark.parametrize(
    "action",
    [
        torch.zeros((3, 1), dtype=torch.int64),
        torch.zeros((3, 1)),
        torch.zeros((3,), dtype=torch.int32),
        torch.zeros((2, 1), dtype=torch.int32),
    ],
)
def test_actions_of_the_wrong_kind_are_refused_and_change_nothing(action):
    world = TechTreeWorld(3)
    before = world.state_dict()
    with pytest.raises(ValueError, match=r"action must be torch.int32 of shape \(3, 1\)"):
        world.step(action)
    assert torch.equal(before["step"], world.state.step)


def test_inventories_and_rows_of_the_wrong_kind_are_refused_and_change_nothing():
    world = TechTreeWorld(3)
    every = torch.ones_like(world.died)
    with pytest.raises(ValueError, match=r"which must be torch.bool of shape \(3,\)"):
        world.reset(every.int())
    for bad in (world.inventory[:2], world.inventory.long(), world.inventory.float()):
        with pytest.raises(ValueError, match=r"inventory must be torch\.int32 of shape"):
            world.reset(every, bad)
    assert world.state.episode.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"world_count": 0}, "world_count is 0; it must be a whole number of at least 1"),
        ({"world_count": 1, "seed": -1}, "seed is -1; it must be a whole number"),
        ({"world_count": 1, "seed": 2**31}, "seed is 2147483648; it must be"),
        ({"world_count": 1, "first_world": -3}, "first_world is -3; it must be"),
    ],
)
def test_a_batch_of_the_wrong_size_seed_or_number_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        TechTreeWorld(**arguments)


def test_world_i_of_a_batch_is_the_world_of_a_batch_of_one(device):
    batch = TechTreeWorld(5, seed=7, device=device)
    alone = [TechTreeWorld(1, seed=7, device=device, first_world=i) for i in range(5)]
    generator = torch.Generator().manual_seed(0)
    for _ in range(300):
        action = random_action(batch, generator)
        batch.step(action)
        over = batch.died.clone()
        batch.reset(over)
        for row, one in enumerate(alone):
            one.step(action[row : row + 1])
            one.reset(over[row : row + 1])
    for name, tensor in batch.state.tensors().items():
        rows = torch.cat([getattr(one.state, name) for one in alone])
        assert torch.equal(tensor, rows), name
    seen = torch.cat([one.observation["vector"] for one in alone])
    assert torch.equal(batch.observation["vector"], seen)


def test_a_state_of_another_world_is_refused():
    world = TechTreeWorld(2, seed=1)
    state = world.state_dict()
    for other, name in (
        (TechTreeWorld(2, seed=2), "seed"),
        (TechTreeWorld(3, seed=1), "world_count"),
        (TechTreeWorld(2, seed=1, first_world=9), "first_world"),
        (TechTreeWorld(2, seed=1, config=TechTreeConfig(lava=0.5)), "config"),
    ):
        with pytest.raises(ValueError, match=f"state has {name} ="):
            other.load_state_dict(state)
    del state["wear"]
    with pytest.raises(ValueError, match="state lacks 'wear'"):
        world.load_state_dict(state)


def test_playing_stage_by_stage_is_playing_a_step(device):
    one, other = TechTreeWorld(20, device=device), TechTreeWorld(20, device=device)
    generator = torch.Generator().manual_seed(0)
    for _ in range(50):
        action = random_action(one, generator)
        one.step(action)
        names = list(other.stages(action))
        assert (names[0], names[-1]) == ("begin", "allow")
    for name, tensor in one.state.tensors().items():
        assert torch.equal(tensor, getattr(other.state, name)), name


def test_making_a_world_prints_nothing():
    code = "from lapis.worlds.techtree import TechTreeWorld; TechTreeWorld(2)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("", "")
