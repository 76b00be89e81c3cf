"""Plain ids, render modes and settings of the Gymnasium views, in both worlds."""

import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import lapis.simonsays.gym
from lapis.minecraft.items import ITEM
from lapis.simonsays.gym import TECH_TREE_ID, VOXEL_ID
from lapis.worlds.techtree.actions import ACTION

SMALL = {TECH_TREE_ID: {}, VOXEL_ID: {"size": 16, "frame_size": 16}}
IDS = pytest.mark.parametrize("id", [TECH_TREE_ID, VOXEL_ID], ids=["techtree", "voxel"])


def make(id, **settings):
    return gymnasium.make(id, **SMALL[id], **settings)


def test_the_ids_are_the_documented_ones():
    assert TECH_TREE_ID == "lapis/SimonSaysTechTree-v0"
    assert VOXEL_ID == "lapis/SimonSaysVoxel-v0"


def test_registering_loads_no_framework():
    code = (
        "import sys, gymnasium, lapis.simonsays.gym\n"
        "ids = [id for id in gymnasium.registry if id.startswith('lapis/')]\n"
        "print(len(ids), 'torch' in sys.modules, 'warp' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout == "5 False False\n", result.stderr


@IDS
def test_no_render_mode_renders_nothing(id):
    env = make(id, render_mode=None)
    env.reset(seed=0)
    assert env.render_mode is None
    assert env.render() is None
    envs = gymnasium.make_vec(id, num_envs=2, render_mode=None, **SMALL[id])
    envs.reset(seed=0)
    assert envs.render() is None


@IDS
def test_words_tell_the_goal_the_time_left_and_what_is_held(id):
    env = make(id, render_mode="ansi", goals=("log", "planks"), task_ticks=400)
    env.reset(seed=0)
    game = env.unwrapped.game
    game.world.state.inventory[0, ITEM["stick"]] = 3
    text = env.render()
    goal = game.goals[int(game.goal)]
    first, *others = text.splitlines()
    assert first == f"Simon says: {goal}   20 s left"
    assert others[0] == "health 20.0/20   food 20/20   in hand: nothing"
    assert others[-1] == "you hold: 3 stick"


def test_the_clock_in_words_goes_down():
    env = make(TECH_TREE_ID, render_mode="ansi", goals=("diamond",))
    env.reset(seed=0)
    _, _, _, _, info = env.step(ACTION["move on"])
    assert info["ticks"] > 0
    seconds = round((6000 - info["ticks"]) / 20)
    assert env.render().splitlines()[0] == f"Simon says: diamond   {seconds} s left"


@IDS
def test_words_of_many_worlds_are_those_of_each(id):
    envs = gymnasium.make_vec(id, num_envs=2, render_mode="ansi", **SMALL[id])
    envs.reset(seed=0)
    state = envs.unwrapped.game.world.state
    state.inventory[1, ITEM["log"]] = 2
    first, second = envs.render()
    assert first.splitlines()[-1] == "you hold: nothing"
    assert second.splitlines()[-1] == "you hold: 2 log"


def test_the_voxel_world_has_pictures():
    env = make(VOXEL_ID, render_mode="rgb_array")
    env.reset(seed=0)
    assert env.render().shape == (256, 256, 3)
    envs = gymnasium.make_vec(VOXEL_ID, num_envs=2, render_mode="rgb_array", **SMALL[VOXEL_ID])
    envs.reset(seed=0)
    pictures = envs.render()
    assert [picture.dtype for picture in pictures] == [np.uint8] * 2


@pytest.mark.parametrize(
    ("id", "mode", "known"),
    [
        (TECH_TREE_ID, "rgb_array", "None, 'ansi'"),
        (TECH_TREE_ID, "human", "None, 'ansi'"),
        (VOXEL_ID, "human", "None, 'rgb_array', 'ansi'"),
    ],
)
def test_other_modes_are_refused_with_those_there_are(id, mode, known):
    message = f"render_mode is {mode!r}; in this world it must be one of: {known}"
    with pytest.raises(ValueError, match=message):
        make(id, render_mode=mode)
    with pytest.raises(ValueError, match=message):
        gymnasium.make_vec(id, num_envs=2, render_mode=mode, **SMALL[id])


@IDS
def test_gymnasiums_checker_accepts_words(id):
    check_env(make(id, render_mode="ansi").unwrapped)


@IDS
def test_a_misspelled_setting_gives_the_nearest(id):
    with pytest.raises(TypeError, match=r"'task_tics'; did you mean 'task_ticks'\?"):
        make(id, task_tics=3)


def test_a_seed_makes_the_first_reset_repeatable_in_the_tech_tree():
    one, other = (make(TECH_TREE_ID, seed=5) for _ in range(2))
    first, second = one.reset()[0], other.reset()[0]
    assert all(np.array_equal(first[name], second[name]) for name in first)


@pytest.mark.parametrize(
    ("package", "code"),
    [
        ("gymnasium", "import lapis.simonsays.gym"),
        ("warp", "from lapis.simonsays.gym import make_voxel"),
    ],
)
def test_a_missing_package_is_named_with_the_command(package, code):
    absent = f"import sys; sys.modules[{package!r}] = None\n"
    result = subprocess.run([sys.executable, "-c", absent + code], capture_output=True, text=True)
    last = result.stderr.splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: lapis.simonsays.gym")
    assert last.endswith(
        f"needs {package}, which is not installed; get it with: pip install 'lapis-rl[gym]'"
    )


def test_the_documented_module_is_the_one_that_registers():
    spec = gymnasium.spec(TECH_TREE_ID)
    assert spec.entry_point == f"{lapis.simonsays.gym.__name__}:make_tech_tree"
