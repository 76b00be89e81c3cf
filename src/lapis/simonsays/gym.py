"""Gymnasium views of Simon Says, for other people's trainers.

Importing this module registers `lapis/SimonSaysTechTree-v0`, single and vectorized:

    gymnasium.make("lapis.simonsays.gym:lapis/SimonSaysTechTree-v0")
    gymnasium.make_vec("lapis.simonsays.gym:lapis/SimonSaysTechTree-v0", num_envs=64)

Both follow the protocol: a task that ends inside an episode ends neither `terminated` nor
`truncated`, only death and failures in a row terminate, the time limit truncates.

In the tech tree an action that the mask does not allow has no effect and takes `handling_ticks` of
its config; `info["invalid_action"]` tells. An action outside the action space is a ValueError.
"""

# W = worlds, A = choices of all components of an action

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from torch import Tensor

from lapis.minecraft.goals import GOALS
from lapis.simonsays.config import SimonSaysConfig
from lapis.simonsays.protocol import SimonSays
from lapis.worlds.techtree import TechTreeConfig, TechTreeWorld

__all__ = [
    "TECH_TREE_ID",
    "SimonSaysEnv",
    "SimonSaysVectorEnv",
    "make_tech_tree",
    "make_tech_tree_vector",
]

TECH_TREE_ID = "lapis/SimonSaysTechTree-v0"

MakeGame = Callable[[int], SimonSays]
"""Returns a new game for a seed; always of the same goals and worlds."""


class SimonSaysVectorEnv(VectorEnv):
    """Many games as one vector environment, with next-step autoreset.

    `reset(seed=...)` starts new games that depend on the seed alone; `reset()` starts new episodes
    with empty inventories. Arrays are copies.

    Args:
        make_game: Makes the games for a seed.
        float_bounds: Least and greatest value of the observation's real numbers.
    """

    def __init__(
        self, make_game: MakeGame, *, float_bounds: tuple[float, float] = (-np.inf, np.inf)
    ):
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}
        self._make_game = make_game
        self.game = make_game(0)
        self.num_envs = self.game.world_count
        self.single_observation_space = _observation_space(self.game, float_bounds)
        self.single_action_space = _action_space(self.game)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._is_new = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Starts all games anew."""
        super().reset(seed=seed)
        self._start(seed)
        return self._observation(), self._info(np.zeros(self.num_envs, bool))

    def step(
        self, actions: np.ndarray
    ) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Plays one action in each game; the row of an episode that was over starts the next."""
        action_WC = _checked(actions, self.action_space).reshape(self.num_envs, -1)
        game = self.game
        over = (game.terminated | game.truncated).cpu().numpy()
        invalid = ~_allowed(action_WC, self.action_masks(), game.action_sizes) & ~over
        action_WC = np.where(over[:, None], _any_allowed(game), action_WC)
        game.step(torch.from_numpy(action_WC).to(game.device, torch.int32))
        game.world.check()
        return (
            self._observation(),
            _array(game.reward).astype(np.float64),
            _array(game.terminated),
            _array(game.truncated),
            self._info(invalid),
        )

    def action_masks(self) -> np.ndarray:
        """What can be done now, bool, shape (game, choice)."""
        return _array(self.game.action_mask)

    def _start(self, seed: int | None) -> None:
        if seed is not None or not self._is_new:
            self.game = self._make_game(int(self.np_random.integers(2**31)))
            self._is_new = True
        else:
            self.game.start()

    def _observation(self) -> dict[str, np.ndarray]:
        observation = {name: _array(value) for name, value in self.game.observation.items()}
        members = observation["exploration_set"].astype(np.int8)
        observation["exploration_set"] = np.tile(members, (self.num_envs, 1))
        return observation

    def _info(self, invalid_W: np.ndarray) -> dict[str, Any]:
        game = self.game
        names = np.array(game.goals, dtype=object)
        info: dict[str, Any] = {
            "action_mask": self.action_masks(),
            "goal_name": names[_array(game.goal)],
            "task_over": _array(game.task_over),
            "task_succeeded": _array(game.task_succeeded),
            "restarted": _array(game.restarted),
            "invalid_action": invalid_W,
            "ticks": _array(game.world.ticks),
        }
        # Gymnasium's convention: `_name` says which rows have an entry. Here all have.
        everywhere = np.ones(self.num_envs, bool)
        return info | {f"_{name}": everywhere for name in info}


class SimonSaysEnv(gymnasium.Env):
    """One game.

    `reset` after the end of an episode starts the next one by the protocol: with the same world
    and, half of the time, with the last inventory (paper P12). `reset` at any other time starts an
    episode with an empty inventory, and `reset(seed=...)` a new game that depends on the seed.

    `info` holds `action_mask`, `goal_name`, `task_over`, `task_succeeded`, `invalid_action` and
    `ticks`, the game ticks that the action took.
    """

    def __init__(
        self, make_game: MakeGame, *, float_bounds: tuple[float, float] = (-np.inf, np.inf)
    ):
        self.metadata = {"render_modes": []}
        self.render_mode = None
        self._games = SimonSaysVectorEnv(make_game, float_bounds=float_bounds)
        if self._games.num_envs != 1:
            raise ValueError(f"make_game must make one world, not {self._games.num_envs}")
        self.observation_space = self._games.single_observation_space
        self.action_space = self._games.single_action_space
        self._is_over = False

    @property
    def game(self) -> SimonSays:
        """The game that is being played."""
        return self._games.game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts an episode."""
        super().reset(seed=seed)
        if self._is_over and seed is None:
            observation, _, _, _, info = self._games.step(_batched(_any_allowed(self.game)))
        else:
            observation, info = self._games.reset(seed=seed)
        self._is_over = False
        return _first(observation), _first_info(info)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Plays one action."""
        if self._is_over:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset() first")
        own = _checked(action, self.action_space)
        observation, reward, terminated, truncated, info = self._games.step(own[None])
        self._is_over = bool(terminated[0] or truncated[0])
        return (
            _first(observation),
            float(reward[0]),
            bool(terminated[0]),
            bool(truncated[0]),
            _first_info(info),
        )

    def action_masks(self) -> np.ndarray:
        """What can be done now, bool, shape (choice,), as sb3-contrib's MaskablePPO asks for it."""
        return self._games.action_masks()[0]


def make_tech_tree_vector(
    num_envs: int = 1,
    *,
    goals: Sequence[str] = GOALS,
    device: str = "cpu",
    world: TechTreeConfig | None = None,
    **settings: Any,
) -> SimonSaysVectorEnv:
    """Simon Says over `num_envs` tech-tree worlds; `settings` are fields of `SimonSaysConfig`."""
    make_game = _tech_tree_games(num_envs, goals, device, world, settings)
    return SimonSaysVectorEnv(make_game, float_bounds=(0.0, 1.0))


def make_tech_tree(
    *,
    goals: Sequence[str] = GOALS,
    world: TechTreeConfig | None = None,
    **settings: Any,
) -> SimonSaysEnv:
    """Simon Says over one tech-tree world; `settings` are fields of `SimonSaysConfig`."""
    return SimonSaysEnv(_tech_tree_games(1, goals, "cpu", world, settings), float_bounds=(0.0, 1.0))


def _tech_tree_games(
    world_count: int,
    goals: Sequence[str],
    device: str,
    world: TechTreeConfig | None,
    settings: dict[str, Any],
) -> MakeGame:
    config = SimonSaysConfig(goals=tuple(goals), **settings)

    def make_game(seed: int) -> SimonSays:
        worlds = TechTreeWorld(
            world_count, seed=seed, device=device, config=world, masked_waits=True
        )
        return SimonSays(worlds, config, seed=seed)

    return make_game


def _observation_space(game: SimonSays, float_bounds: tuple[float, float]) -> spaces.Dict:
    parts: dict[str, spaces.Space] = {
        "goal": spaces.Discrete(len(game.goals)),
        "exploration_set": spaces.MultiBinary(len(game.goals)),
    }
    for name, value in game.world.observation.items():
        dtype = _array(value[:1]).dtype
        low, high = float_bounds
        if dtype.kind != "f":
            low, high = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        parts[name] = spaces.Box(low, high, tuple(value.shape[1:]), dtype.type)
    return spaces.Dict(parts)


def _action_space(game: SimonSays) -> spaces.Space:
    if len(game.action_sizes) == 1:
        return spaces.Discrete(game.action_sizes[0])
    return spaces.MultiDiscrete(list(game.action_sizes))


def _checked(action: Any, space: spaces.Space) -> np.ndarray:
    values = np.asarray(action)
    if values.dtype.kind not in "iu" or not space.contains(values.astype(np.int64)):
        raise ValueError(f"action must be in {space}, not {action!r}")
    return values.astype(np.int64)


def _allowed(action_WC: np.ndarray, mask_WA: np.ndarray, sizes: tuple[int, ...]) -> np.ndarray:
    """Whether every component of a row's action is allowed, bool, shape (world,)."""
    first_C = np.cumsum([0, *sizes[:-1]])
    allowed_WC = np.take_along_axis(mask_WA, action_WC + first_C, axis=1)
    return np.logical_and.reduce(allowed_WC, axis=1)


def _any_allowed(game: SimonSays) -> np.ndarray:
    """The first allowed choice of each component, int64, shape (world, component)."""
    parts = game.action_mask.split(game.action_sizes, dim=1)
    return np.stack([_array(part).argmax(axis=1) for part in parts], axis=1)


def _batched(action_WC: np.ndarray) -> np.ndarray:
    """In the shape of the batched action space: a single component has no axis of its own."""
    return action_WC[:, 0] if action_WC.shape[1] == 1 else action_WC


def _array(tensor: Tensor) -> np.ndarray:
    return tensor.cpu().numpy().copy()


def _first(observation: dict[str, np.ndarray]) -> dict[str, Any]:
    return {name: value[0] for name, value in observation.items()}


def _first_info(info: dict[str, Any]) -> dict[str, Any]:
    plain = ("task_over", "task_succeeded", "invalid_action")
    chosen = {name: bool(info[name][0]) for name in plain}
    return chosen | {
        "action_mask": info["action_mask"][0],
        "goal_name": info["goal_name"][0],
        "ticks": int(info["ticks"][0]),
    }


gymnasium.register(
    TECH_TREE_ID,
    entry_point="lapis.simonsays.gym:make_tech_tree",
    vector_entry_point="lapis.simonsays.gym:make_tech_tree_vector",
)
