"""Gymnasium views of the voxel world: spaces, masks, pictures, and other people's checkers."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_checker import check_env as check_env_of_sb3

from lapis.minecraft.goals import GOALS
from lapis.minecraft.items import ITEM
from lapis.simonsays.gym import VOXEL_ID, SimonSaysEnv, SimonSaysVectorEnv, make_voxel
from lapis.worlds.voxel.actions import ACTION_SIZES, FIRST_CHOICE, SPECIAL, Component
from lapis.worlds.voxel.observe import Vital

ID = f"lapis.simonsays.gym:{VOXEL_ID}"
SMALL = {"size": 16, "frame_size": 36, "task_ticks": 80, "episode_ticks": 400, "bonus": "none"}
FAN = SMALL | {"view": "fan"}
NOTHING = np.zeros(len(ACTION_SIZES), np.int64)


def an_action(**choices: int) -> np.ndarray:
    action = NOTHING.copy()
    for name, choice in choices.items():
        action[Component[name.upper()]] = choice
    return action


def random_action(mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    parts = np.split(mask, FIRST_CHOICE[1:])
    return np.array([rng.choice(np.flatnonzero(part)) for part in parts])


@pytest.mark.parametrize("settings", [SMALL, FAN], ids=["frame", "fan"])
def test_gymnasium_finds_nothing_wrong(settings):
    env = gymnasium.make(ID, render_mode="rgb_array", **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # A registered id is made with its wrappers; the checker wants the environment itself.
        check_env(env.unwrapped)


@pytest.mark.parametrize("settings", [SMALL, FAN], ids=["frame", "fan"])
def test_stable_baselines_finds_nothing_wrong(settings):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env_of_sb3(make_voxel(render_mode="rgb_array", **settings))


def test_the_id_makes_one_game_or_many():
    one = gymnasium.make(ID, **SMALL).unwrapped
    many = gymnasium.make_vec(ID, num_envs=3, **SMALL).unwrapped
    assert isinstance(one, SimonSaysEnv)
    assert isinstance(many, SimonSaysVectorEnv)
    assert many.num_envs == 3
    assert many.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    assert one.game.goals == GOALS
    assert one.action_space == spaces.MultiDiscrete(list(ACTION_SIZES))


def test_spaces_are_those_of_the_views():
    frame = gymnasium.make(ID, **SMALL).observation_space
    fan = gymnasium.make(ID, **FAN).observation_space
    assert isinstance(frame, spaces.Dict)
    assert isinstance(fan, spaces.Dict)
    both = {"inventory", "vitals", "hand", "off_hand", "goal", "exploration_set"}
    assert set(frame.spaces) == both | {"frame"}
    assert set(fan.spaces) == both | {"fan_class", "fan_distance", "light"}
    assert frame["frame"] == spaces.Box(0, 255, (36, 36, 3), np.uint8)
    assert frame["vitals"] == spaces.Box(0.0, 1.0, (len(Vital),), np.float32)
    assert frame["goal"] == spaces.Discrete(len(GOALS))


@pytest.mark.parametrize("settings", [SMALL, FAN], ids=["frame", "fan"])
def test_vector_observations_lie_in_their_space_beyond_the_end_of_episodes(settings):
    envs = gymnasium.make_vec(ID, num_envs=4, **settings).unwrapped
    assert isinstance(envs, SimonSaysVectorEnv)
    rng = np.random.default_rng(0)
    observation, info = envs.reset(seed=1)
    restarts = 0
    for _ in range(60):
        action = np.stack([random_action(mask, rng) for mask in info["action_mask"]])
        observation, reward, terminated, truncated, info = envs.step(action)
        assert observation in envs.observation_space
        assert not info["invalid_action"].any()
        assert info["action_mask"].shape == (4, sum(ACTION_SIZES))
        assert reward.shape == terminated.shape == truncated.shape == (4,)
        restarts += int(info["restarted"].sum())
    assert restarts > 0
    assert info["goal_name"][0] == GOALS[observation["goal"][0]]


def test_one_view_plays_what_many_views_play():
    many = gymnasium.make_vec(ID, num_envs=1, **SMALL)
    one = make_voxel(**SMALL)
    seen_many, _ = many.reset(seed=5)
    seen_one, _ = one.reset(seed=5)
    rng = np.random.default_rng(0)
    for _ in range(20):
        assert all(np.array_equal(seen_many[name][0], seen_one[name]) for name in seen_one)
        action = random_action(one.action_masks(), rng)
        seen_many, *ends_many, _ = many.step(action[None])
        seen_one, *ends_one, _ = one.step(action)
        assert ends_one == [end[0] for end in ends_many]


def test_the_seed_decides_the_game():
    def played(env: SimonSaysEnv, **reset) -> np.ndarray:
        env.reset(**reset)
        walk = an_action(walk=1, yaw=3)
        return np.stack([env.step(walk)[0]["frame"] for _ in range(10)])

    reset = played(make_voxel(**SMALL), seed=7)
    made = played(make_voxel(seed=7, **SMALL))
    other = played(make_voxel(seed=8, **SMALL))
    assert np.array_equal(reset, made)
    assert not np.array_equal(reset, other)


def test_the_seed_of_the_first_reset_does_not_repeat_itself():
    env = make_voxel(seed=7, **SMALL)
    starts = {env.reset()[0]["frame"].tobytes() for _ in range(3)}
    assert len(starts) == 3


def test_a_masked_choice_counts_as_none_and_the_others_are_played():
    env = make_voxel(**SMALL)
    env.reset(seed=0)
    assert not env.action_masks()[FIRST_CHOICE[Component.SPECIAL] + SPECIAL["craft diamond_block"]]
    yaw = int(env.game.world.state.yaw)
    masked = an_action(special=SPECIAL["craft diamond_block"], yaw=4)
    *_, info = env.step(masked)
    assert info["invalid_action"]
    assert info["ticks"] == 4
    assert int(env.game.world.state.yaw) == (yaw + 50) % 3600
    assert not env.step(NOTHING)[-1]["invalid_action"]


def test_crafting_what_is_asked_for_pays():
    env = make_voxel(goals=("planks",), **SMALL)
    env.reset(seed=0)
    env.game.world.inventory[0, ITEM["log"]] = 1
    # The mask is of the step before; the next one sees the log.
    *_, info = env.step(NOTHING)
    assert info["action_mask"][FIRST_CHOICE[Component.SPECIAL] + SPECIAL["craft planks"]]
    observation, reward, *_, info = env.step(an_action(special=SPECIAL["craft planks"]))
    assert reward == 1.0
    assert info["task_succeeded"]
    assert observation["inventory"][ITEM["planks"]] > 0


@pytest.mark.parametrize("action", [NOTHING[:-1], NOTHING - 1, NOTHING + 200, NOTHING + 0.5])
def test_an_action_outside_the_space_is_refused(action):
    env = make_voxel(**FAN)
    env.reset(seed=0)
    with pytest.raises(ValueError, match="action must be in MultiDiscrete"):
        env.step(action)


def test_pictures_are_large_whatever_the_player_sees():
    env = make_voxel(render_mode="rgb_array", **FAN)
    env.reset(seed=0)
    before = env.render()
    assert before is not None
    assert (before.shape, before.dtype) == ((256, 256, 3), np.uint8)
    assert before.std() > 10
    env.step(an_action(yaw=8))
    assert not np.array_equal(before, env.render())
    env.reset(seed=0)
    assert np.array_equal(before, env.render())


def test_vector_views_give_a_picture_of_every_world():
    envs = gymnasium.make_vec(ID, num_envs=2, render_mode="rgb_array", **FAN)
    envs.reset(seed=0)
    pictures = envs.render()
    assert isinstance(pictures, tuple)
    assert len(pictures) == 2
    assert not np.array_equal(pictures[0], pictures[1])


def test_without_a_render_mode_there_is_no_picture():
    env = make_voxel(**FAN)
    env.reset(seed=0)
    assert env.render() is None
    with pytest.raises(ValueError, match="render_mode is 'human'"):
        make_voxel(render_mode="human", **FAN)


def test_settings_reach_world_and_game():
    env = make_voxel(goals=("log",), size=32, view="fan", day_cycle=False, task_ticks=77)
    assert env.game.goals == ("log",)
    assert env.game.config.task_ticks == 77
    world = env.game.world
    assert (world.config.size, world.config.view, world.config.day_cycle) == (32, "fan", False)
    with pytest.raises(ValueError, match="size is 17"):
        make_voxel(size=17)
    with pytest.raises(TypeError, match="color"):
        make_voxel(color=1)


def test_wrappers_of_gymnasium_work_on_the_vector_view():
    envs = DictInfoToList(RecordEpisodeStatistics(gymnasium.make_vec(ID, num_envs=2, **FAN)))
    envs.reset(seed=0)
    finished = 0
    for _ in range(50):
        *_, infos = envs.step(np.tile(NOTHING, (2, 1)))
        finished += sum("episode" in info for info in infos)
    assert finished > 0


def test_maskable_ppo_plays_what_the_masks_allow():
    class Judged(gymnasium.Wrapper):
        invalid = 0

        def step(self, action):
            result = super().step(action)
            self.invalid += result[-1]["invalid_action"]
            return result

        def action_masks(self):
            return self.env.unwrapped.action_masks()

    env = Judged(make_voxel(**FAN))
    model = MaskablePPO("MultiInputPolicy", env, n_steps=64, batch_size=64, n_epochs=1, seed=0)
    model.learn(64)
    assert model.num_timesteps == 64
    assert env.invalid == 0
