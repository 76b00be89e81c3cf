"""Death, restarts, faults, bad arguments and saved states."""

import dataclasses

import pytest
import torch

from lapis.minecraft.blocks import Block
from lapis.minecraft.items import ITEM
from lapis.worlds.voxel.actions import ACTION_SIZES, Component
from lapis.worlds.voxel.observe import Vital
from lapis.worlds.voxel.world import VoxelWorld
from tests.worlds.voxel.play_scenes import GROUND, SMALL, Scene


def dead_scene() -> Scene:
    scene = Scene(health=4000, food=17, inventory={"log": 5})
    scene.fill(slice(None), slice(GROUND, GROUND + 1), slice(None), Block.LAVA)
    scene.play("forward")
    assert bool(scene.world.died[0])
    return scene


def test_death_ends_the_step():
    scene = dead_scene()
    assert scene.get("health") == 0
    assert scene.get("ticks") == 1


def test_the_dead_can_only_do_nothing():
    scene = dead_scene()
    row = scene.world.action_mask[0].split(ACTION_SIZES)
    assert all(part.nonzero().tolist() == [[0]] for part in row)
    before = scene.world.state_dict()
    assert scene.play() == 0
    for name, value in scene.world.state.tensors().items():
        if name not in ("step", "chance", "ticks"):
            assert torch.equal(value, before[name]), name


def test_a_restart_makes_everything_new():
    scene = dead_scene()
    scene.set(burn=50, dug=0.5, target=2, exhaustion=7, body_timer=8, food=3, fire=9, hurt=3)
    scene.set(air=20, experience=9, time=77, station_count=1, wear={"iron_axe": 4})
    scene.world.reset(scene.world.died.clone())
    new = {
        "health": 20_000,
        "food": 20,
        "saturation": 5000,
        "exhaustion": 0,
        "body_timer": 0,
        "air": 300,
        "fire": 0,
        "hurt": 0,
        "experience": 0,
        "hand": -1,
        "target": -1,
        "dug": 0.0,
        "burn": 0,
        "near": 0,
        "station_count": 0,
        "torch_count": 0,
        "time": 6000,
        "died": False,
        "ticks": 0,
        "step": 0,
        "episode": 2,
        "on_ground": 1,
        "pitch": 0,
    }
    assert {name: scene.get(name) for name in new} == new
    assert scene.held() == {}
    assert not scene.world.state.wear.any()


def test_a_restart_gives_the_inventory_it_is_told():
    world = VoxelWorld(2, config=SMALL)
    given = torch.zeros_like(world.inventory)
    given[:, ITEM["iron_pickaxe"]] = 1
    world.reset(torch.tensor([False, True]), given)
    assert world.inventory[:, ITEM["iron_pickaxe"]].tolist() == [0, 1]


def test_a_masked_choice_has_no_effect_but_a_fault():
    scene = Scene()
    action = scene.action("forward", "craft diamond_block")
    scene.world.step(action)
    assert scene.z > 8.5, "the other components have their effect"
    assert scene.held() == {}
    with pytest.raises(RuntimeError, match="world 0: an action was played that the action mask"):
        scene.world.check()


def test_masked_choices_can_be_told_to_wait():
    world = VoxelWorld(1, config=SMALL, masked_waits=True)
    action = torch.zeros((1, len(Component)), dtype=torch.int32)
    action[0, Component.SPECIAL] = 100
    world.step(action)
    world.check()
    assert world.ticks.tolist() == [4]
    action[0, Component.SPECIAL] = ACTION_SIZES[Component.SPECIAL]
    world.step(action)
    with pytest.raises(RuntimeError, match="outside its range"):
        world.check()


@pytest.mark.parametrize("component", list(Component))
@pytest.mark.parametrize("above", [False, True])
def test_a_component_out_of_range_sets_a_fault(component, above):
    scene = Scene()
    action = torch.zeros((1, len(Component)), dtype=torch.int32)
    action[0, component] = ACTION_SIZES[component] if above else -1
    before = scene.world.state_dict()
    scene.world.step(action)
    assert torch.equal(scene.world.state.blocks, before["blocks"])
    assert (scene.x, scene.y, scene.z) == (8.5, GROUND, 8.5)
    with pytest.raises(RuntimeError, match="outside its range"):
        scene.world.check()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("world_count", {"world_count": 0}),
        ("seed", {"world_count": 1, "seed": -1}),
        ("seed", {"world_count": 1, "seed": 2**31}),
        ("first_world", {"world_count": 1, "first_world": -1}),
    ],
)
def test_bad_arguments_are_refused(name, arguments):
    with pytest.raises(ValueError, match=name):
        VoxelWorld(**arguments, config=SMALL)


@pytest.mark.parametrize(
    "change", [{"seed": 1}, {"first_world": 4}, {"config": dataclasses.replace(SMALL, height=84)}]
)
def test_the_state_of_another_world_is_refused(change):
    world = VoxelWorld(1, **({"config": SMALL} | change))
    other = VoxelWorld(1, config=SMALL)
    before = world.state.position.clone()
    with pytest.raises(ValueError, match=next(iter(change))):
        world.load_state_dict(other.state_dict())
    assert torch.equal(world.state.position, before)


def test_a_state_that_lacks_something_is_refused():
    world = VoxelWorld(1, config=SMALL)
    state = world.state_dict()
    del state["fall_from"]
    with pytest.raises(ValueError, match="fall_from"):
        world.load_state_dict(state)


def test_first_world_numbers_the_worlds():
    many, last = VoxelWorld(3, config=SMALL), VoxelWorld(1, config=SMALL, first_world=2)
    assert torch.equal(many.state.blocks[2], last.state.blocks[0])
    assert torch.equal(many.state.position[2], last.state.position[0])


def test_vitals_are_shown_as_shares():
    scene = Scene(health=5000, food=10, saturation=4000, air=150, experience=1395, fire=7)
    scene.set(hand="wooden_axe", wear={"wooden_axe": 59 - 20}, dug=0.25)
    vitals = scene.world.observation["vitals"][0].tolist()
    shown = {vital.name.lower(): vitals[vital] for vital in Vital}
    assert shown == pytest.approx(
        {
            "health": 0.25,
            "food": 0.5,
            "saturation": 0.2,
            "air": 0.5,
            "experience": 1.0,
            "on_ground": 1.0,
            "under_water": 0.0,
            "burning": 1.0,
            "dug": 0.25,
            "tool_left": 20 / 59,
        }
    )


def test_counts_are_shown_by_their_logarithm():
    scene = Scene(inventory={"log": 1, "dirt": 63, "sand": 500})
    shown = scene.world.observation["inventory"][0]
    assert shown[ITEM["log"]] == pytest.approx(1 / 6)
    assert (shown[ITEM["dirt"]], shown[ITEM["sand"]]) == (1.0, 1.0)
    assert shown.sum() == pytest.approx(2 + 1 / 6)
