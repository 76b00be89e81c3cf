"""Gymnasium views: spaces, protocol, masks, seeds, and other people's checkers."""

import warnings

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from stable_baselines3.common.env_checker import check_env as check_env_of_sb3

from lapis.curriculum import Uniform
from lapis.integrations import TaskEnvironment
from lapis.integrations.gym_vector import VectorCurriculum
from lapis.minecraft.goals import GOALS
from lapis.minecraft.items import ITEM
from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.simonsays.gym import (
    TECH_TREE_ID,
    SimonSaysEnv,
    SimonSaysVectorEnv,
    make_tech_tree,
    make_tech_tree_vector,
)
from lapis.worlds.techtree import ACTION, TechTreeConfig
from tests.simonsays.scripted import ScriptedWorld

SHORT = {"task_ticks": 200, "episode_ticks": 1000, "bonus": "none"}


def scripted_env(inventory_TWI, **settings) -> SimonSaysEnv:
    settings = {"goals": ("a",), "bonus": "none", "inherit_probability": 0.0} | settings

    def make_game(seed: int) -> SimonSays:
        return SimonSays(ScriptedWorld(inventory_TWI), SimonSaysConfig(**settings), seed=seed)

    return SimonSaysEnv(SimonSaysVectorEnv(make_game))


def test_gymnasium_finds_nothing_wrong():
    env = gymnasium.make(TECH_TREE_ID, **SHORT)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # A registered id is made with its wrappers; the checker wants the environment itself.
        check_env(env.unwrapped, skip_render_check=True)


def test_stable_baselines_finds_nothing_wrong():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env_of_sb3(make_tech_tree(**SHORT))


def test_both_ids_are_registered():
    one = gymnasium.make(TECH_TREE_ID)
    many = gymnasium.make_vec(TECH_TREE_ID, num_envs=3)
    assert isinstance(one.unwrapped, SimonSaysEnv)
    assert isinstance(many.unwrapped, SimonSaysVectorEnv)
    assert many.num_envs == 3
    assert many.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    assert one.unwrapped.game.goals == GOALS


def test_observations_of_the_vector_view_lie_in_its_space():
    envs = make_tech_tree_vector(16, **SHORT)
    envs.action_space.seed(0)
    observation, info = envs.reset(seed=1)
    assert observation in envs.observation_space
    assert envs.single_observation_space["vector"].high.max() == 1.0
    for _ in range(100):
        action = envs.action_space.sample()
        observation, reward, terminated, truncated, info = envs.step(action)
        assert observation in envs.observation_space
        for value in (reward, terminated, truncated, info["invalid_action"]):
            assert value.shape == (16,)
        assert info["action_mask"].shape == (16, len(ACTION))
    assert info["goal_name"][0] == GOALS[observation["goal"][0]]


def test_one_view_plays_what_many_views_play():
    many = make_tech_tree_vector(1, **SHORT)
    one = make_tech_tree(**SHORT)
    seen_many, _ = many.reset(seed=5)
    seen_one, _ = one.reset(seed=5)
    rng = np.random.default_rng(0)
    for _ in range(60):
        assert all(np.array_equal(seen_many[name][0], seen_one[name]) for name in seen_one)
        action = int(rng.choice(np.flatnonzero(one.action_masks())))
        seen_many, reward_many, end_many, cut_many, _ = many.step(np.array([action]))
        seen_one, reward_one, end_one, cut_one, _ = one.step(action)
        ends = (end_one, cut_one, reward_one)
        assert ends == (end_many[0], cut_many[0], reward_many[0])
        if end_one or cut_one:
            break


def test_the_seed_alone_decides_the_game_beyond_the_end_of_its_episodes():
    def play(env: SimonSaysEnv, seed: int) -> tuple[list, int]:
        observation, info = env.reset(seed=seed)
        rng = np.random.default_rng(0)
        rows = [observation["vector"], info["goal_name"]]
        ended = 0
        for _ in range(60):
            action = int(rng.choice(np.flatnonzero(env.action_masks())))
            observation, reward, terminated, truncated, info = env.step(action)
            rows += [observation["vector"], reward, terminated, truncated, info["goal_name"]]
            if terminated or truncated:
                observation, info = env.reset()
                rows += [observation["vector"], info["goal_name"]]
                ended += 1
        return rows, ended

    used = make_tech_tree(bonus="none", task_ticks=600)
    fresh = make_tech_tree(bonus="none", task_ticks=600)
    play(used, 8)
    (first, ended), (second, _), (other, _) = play(used, 3), play(fresh, 3), play(used, 4)
    assert ended > 0
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(first, other, strict=False))


def test_resets_without_a_seed_differ_from_each_other():
    env = make_tech_tree(bonus="none")
    env.reset(seed=1)
    starts = {env.reset()[0]["vector"].tobytes() for _ in range(20)}
    assert len(starts) > 1


@pytest.mark.parametrize("ticks", [4, 20])
def test_a_masked_action_takes_the_time_of_handling_and_does_nothing(ticks):
    env = make_tech_tree(bonus="none", world=TechTreeConfig(handling_ticks=ticks))
    before, _ = env.reset(seed=0)
    assert not env.action_masks()[ACTION["craft diamond_block"]]
    after, reward, terminated, truncated, info = env.step(ACTION["craft diamond_block"])
    assert info["invalid_action"]
    assert info["ticks"] == ticks
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert np.array_equal(before["vector"], after["vector"])
    assert not env.step(ACTION["move on"])[-1]["invalid_action"]


def test_masked_actions_use_up_the_time_of_the_task():
    world = TechTreeConfig(handling_ticks=20)
    env = make_tech_tree(task_ticks=40, failures_to_end=1, bonus="none", world=world)
    env.reset(seed=0)
    first = env.step(ACTION["craft diamond_block"])
    second = env.step(ACTION["craft diamond_block"])
    assert (first[2], first[-1]["task_over"]) == (False, False)
    assert (second[2], second[-1]["task_over"], second[-1]["task_succeeded"]) == (True, True, False)


@pytest.mark.parametrize("action", [-1, 151, 0.5, "move on", None, [1, 2]])
def test_an_action_outside_the_space_is_refused_and_changes_nothing(action):
    env = make_tech_tree(bonus="none")
    env.reset(seed=0)
    with pytest.raises(ValueError, match="action must be in Discrete"):
        env.step(action)
    assert int(env.game.world.state.step[0]) == 0


def test_a_batch_of_actions_of_the_wrong_shape_is_refused():
    envs = make_tech_tree_vector(3, bonus="none")
    envs.reset(seed=0)
    with pytest.raises(ValueError, match="action must be in MultiDiscrete"):
        envs.step(np.zeros(2, np.int64))


def test_two_failures_terminate_and_one_does_not():
    env = scripted_env([[[0, 0, 0]]] * 9, task_ticks=8)
    env.reset()
    ends = [env.step([0, 0])[2:4] for _ in range(4)]
    assert ends == [(False, False), (False, False), (False, False), (True, False)]


def test_the_time_limit_truncates():
    env = scripted_env([[[0, 0, 0]]] * 9, task_ticks=100, episode_ticks=12)
    env.reset()
    ends = [env.step([0, 0])[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]


def test_a_step_after_the_end_needs_a_reset():
    env = scripted_env([[[0, 0, 0]]] * 9, episode_ticks=4)
    env.reset()
    env.step([0, 0])
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.step([0, 0])
    env.reset()
    env.step([0, 0])


def test_a_task_that_ends_does_not_end_the_episode():
    env = scripted_env([[[0, 0, 0]], [[1, 0, 0]], [[1, 0, 0]]])
    env.reset()
    env.step([0, 0])
    _, reward, terminated, truncated, info = env.step([0, 0])
    assert (reward, terminated, truncated) == (1.0, False, False)
    assert info["task_succeeded"]
    assert info["goal_name"] == "a"


def test_a_reset_after_the_end_inherits_by_the_protocol():
    held = []
    for keeps in (0.0, 1.0):
        env = make_tech_tree(
            task_ticks=4, failures_to_end=1, inherit_probability=keeps, bonus="none"
        )
        env.reset(seed=0)
        env.game.world.inventory[0, ITEM["log"]] = 7
        *_, info = env.step(ACTION["move on"])
        assert info["task_over"]
        env.reset()
        held.append(int(env.game.world.inventory[0, ITEM["log"]]))
    assert held == [0, 7]


def test_a_reset_before_the_end_starts_with_nothing():
    env = make_tech_tree(inherit_probability=1.0, bonus="none")
    env.reset(seed=0)
    env.game.world.inventory[0, ITEM["log"]] = 7
    env.step(ACTION["move on"])
    env.reset()
    assert not env.game.world.inventory.any()


def test_the_vector_view_restarts_a_row_in_the_step_after_its_end():
    # A move takes 29 ticks, a masked action 4: after two the first row's time is up.
    world = TechTreeConfig(handling_ticks=4)
    envs = make_tech_tree_vector(2, task_ticks=30, failures_to_end=1, bonus="none", world=world)
    envs.reset(seed=0)
    move = np.array([ACTION["move on"]] * 2)
    masked = np.array([ACTION["move on"], ACTION["craft diamond_block"]])
    envs.step(masked)
    _, _, terminated, _, info = envs.step(masked)
    assert terminated.tolist() == [True, False]
    _, reward, terminated, _, info = envs.step(move)
    assert info["restarted"].tolist() == [True, False]
    assert info["ticks"].tolist()[0] == 0
    assert reward[0] == 0.0
    assert not terminated[0]


def test_the_action_of_a_row_that_restarts_need_not_be_allowed():
    envs = make_tech_tree_vector(1, task_ticks=4, failures_to_end=1, bonus="none")
    envs.reset(seed=0)
    envs.step(np.array([ACTION["move on"]]))
    *_, info = envs.step(np.array([ACTION["craft diamond_block"]]))
    assert info["restarted"].tolist() == [True]
    assert info["invalid_action"].tolist() == [False]


def test_wrappers_of_gymnasium_work_on_the_vector_view():
    envs = DictInfoToList(RecordEpisodeStatistics(make_tech_tree_vector(4, **SHORT)))
    envs.reset(seed=0)
    finished = 0
    for _ in range(60):
        *_, infos = envs.step(np.zeros(4, np.int64))
        finished += sum("episode" in info for info in infos)
    assert len(infos) == 4
    assert finished > 0


def test_worlds_with_several_components_get_a_factorial_action_space():
    env = scripted_env([[[0, 0, 0]]] * 3)
    assert env.action_space == gymnasium.spaces.MultiDiscrete([2, 3])
    assert env.action_masks().shape == (5,)
    env.reset()
    assert env.step(np.array([1, 2]))[-1]["invalid_action"]
    assert not env.step(np.array([1, 1]))[-1]["invalid_action"]


def test_a_single_view_of_several_worlds_is_refused():
    def make_game(seed: int) -> SimonSays:
        world = ScriptedWorld(torch.zeros(2, 3, 3))
        return SimonSays(world, SimonSaysConfig(goals=("a",), bonus="none"), seed=seed)

    with pytest.raises(ValueError, match="games must have one world, not 3"):
        SimonSaysEnv(SimonSaysVectorEnv(make_game))


def test_settings_reach_the_game():
    env = make_tech_tree(goals=("log", "planks"), world=TechTreeConfig(lava=0.0), task_ticks=77)
    assert env.game.goals == ("log", "planks")
    assert env.game.config.task_ticks == 77
    assert env.game.world.config.lava == 0.0
    with pytest.raises(ValueError, match="nonsense"):
        make_tech_tree(goals=("nonsense",))


@pytest.mark.parametrize("make", [make_tech_tree, make_tech_tree_vector])
def test_a_step_before_the_first_reset_needs_one(make):
    env = make(bonus="none")
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.step(env.action_space.sample())
    env.reset(seed=0)
    env.step(env.action_space.sample())


@pytest.mark.parametrize("make", [make_tech_tree, make_tech_tree_vector])
def test_a_closed_environment_plays_no_more(make):
    env = make(bonus="none", render_mode="ansi")
    env.reset(seed=0)
    env.close()
    for play in (lambda: env.step(env.action_space.sample()), env.reset, env.render):
        with pytest.raises(gymnasium.error.ClosedEnvironmentError, match="is closed"):
            play()


@pytest.mark.parametrize("make", [make_tech_tree, make_tech_tree_vector])
@pytest.mark.parametrize("options", [{"reset_mask": np.array([True])}, {"x": 1}, [1], np.ones(2)])
def test_options_of_reset_are_refused_and_change_nothing(make, options):
    env = make(bonus="none")
    env.reset(seed=0, options={})
    env.step(env.action_space.sample())
    before = env.game.state_dict()["tensors"]
    with pytest.raises(ValueError, match="options of reset must be empty or None"):
        env.reset(options=options)
    after = env.game.state_dict()["tensors"]
    assert all(torch.equal(after[name], value) for name, value in before.items())


@pytest.mark.parametrize("seed", [1.5, -1, "1", [1]])
def test_a_seed_that_is_no_whole_number_is_refused(seed):
    with pytest.raises(ValueError, match=r"seed is .*; it must be a whole number of at least 0"):
        make_tech_tree(seed=seed)
    env = make_tech_tree()
    with pytest.raises(ValueError, match=r"seed is .*; it must be a whole number of at least 0"):
        env.reset(seed=seed)


def test_masked_arrays_are_no_actions():
    envs = make_tech_tree_vector(2, bonus="none")
    envs.reset(seed=0)
    with pytest.raises(ValueError, match="action must be in MultiDiscrete"):
        envs.step(np.ma.masked_array([0, 0], [False, True]))
    assert int(envs.game.world.state.step[0]) == 0


def test_reported_attempts_are_those_that_the_game_counts():
    envs = make_tech_tree_vector(8, goals=("dirt", "log", "planks"), **SHORT)
    assert isinstance(envs, TaskEnvironment)
    teaching = VectorCurriculum(Uniform(3), envs)
    envs.reset(seed=0)
    envs.game.take_counts()
    rng = np.random.default_rng(0)
    for _ in range(150):
        allowed = envs.action_masks()
        actions = np.array([rng.choice(np.flatnonzero(row)) for row in allowed])
        *_, info = envs.step(actions.reshape(envs.action_space.shape))
        teaching.count(info)
    successes, attempts, _ = teaching.counts.totals()
    counted = envs.game.take_counts()
    assert successes.sum() > 0
    assert attempts.min() > 0
    assert successes.tolist() == counted[0].tolist()
    assert attempts.tolist() == counted[1].tolist()


def test_goals_follow_the_probabilities_also_in_a_new_game():
    env = make_tech_tree(goals=("dirt", "log", "planks"), **SHORT)
    env.set_task_probabilities(np.array([0.0, 0.0, 1.0]))
    for seed in (1, 2, None):
        assert env.reset(seed=seed)[1]["goal_name"] == "planks"


def test_a_single_game_names_its_task_only_when_it_is_over():
    env = make_tech_tree(goals=("dirt", "planks"), **SHORT)
    env.set_task_probabilities(np.array([0.0, 1.0]))
    _, info = env.reset(seed=0)
    assert "task" not in info
    seen = []
    for _ in range(60):
        action = np.flatnonzero(env.action_masks())[0]
        _, _, terminated, truncated, info = env.step(action)
        assert ("task" in info) == info["task_over"]
        seen += [info["task"]] if info["task_over"] else []
        if terminated or truncated:
            env.reset()
    assert seen
    assert set(seen) == {1}
