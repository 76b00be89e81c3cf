"""Simon Says as an environment of Gymnasium, one game or many."""

# W = worlds, C = components of an action

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from lapis.bounds import WHOLE, check, shown
from lapis.simonsays.gym.spaces import (
    action_space,
    allowed,
    any_allowed,
    array,
    checked,
    observation_space,
)
from lapis.simonsays.protocol import SimonSays
from lapis.simonsays.words import task

MakeGame = Callable[[int], SimonSays]
"""Returns a new game for a seed; always of the same goals and worlds."""
Draw = Callable[[], np.ndarray]
"""Draws a world as it is then: red, green and blue, uint8, shape (side, side, 3)."""
MakePicture = Callable[[SimonSays, int], Draw]
"""Returns what draws one world of a game, given its number."""
Describe = Callable[[SimonSays, int], list[str]]
"""Says how one world of a game is now, given its number: a line for each fact."""

RENDER_RATE = 5
"""Policy steps of 4 ticks in a second of the game."""


class SimonSaysVectorEnv(VectorEnv):
    """Many games as one vector environment, with next-step autoreset.

    `reset(seed=...)` starts new games that depend on the seed alone; `reset()` starts new episodes
    with empty inventories. Arrays are copies.

    Args:
        make_game: Makes the games for a seed.
        float_bounds: Least and greatest value of the observation's real numbers.
        seed: Used if the first reset gives none; None: a random one.
        render_mode: What `render` returns: None, "rgb_array" (if the world has pictures) or "ansi"
            (if it has words).
        make_picture: Makes the pictures; None for worlds that have none.
        describe: Finds the words; None for worlds that have none.

    Raises:
        ValueError: The worlds cannot be rendered in this mode.
    """

    def __init__(
        self,
        make_game: MakeGame,
        *,
        float_bounds: tuple[float, float] = (-np.inf, np.inf),
        seed: int | None = None,
        render_mode: str | None = None,
        make_picture: MakePicture | None = None,
        describe: Describe | None = None,
    ):
        modes = ["rgb_array"] * (make_picture is not None) + ["ansi"] * (describe is not None)
        if not isinstance(render_mode, str | None) or render_mode not in (None, *modes):
            known = ", ".join(map(repr, modes))
            raise ValueError(
                f"render_mode is {shown(render_mode)}; "
                f"in this world it must be one of: None, {known}"
            )
        self.metadata = {
            "render_modes": modes,
            "render_fps": RENDER_RATE,
            "autoreset_mode": AutoresetMode.NEXT_STEP,
        }
        self.render_mode = render_mode
        self._make_game = make_game
        self._make_picture = make_picture
        self._describe = describe
        self._pictures: list[Draw] = []
        self._first_seed = _checked(seed, None)
        self.game = make_game(0)
        if self.game.config.pairs:
            raise ValueError("pairs is True; Gymnasium's view of Simon Says has single goals only")
        self.num_envs = self.game.world_count
        self.single_observation_space = observation_space(self.game, float_bounds)
        self.single_action_space = action_space(self.game)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._is_new = False
        self._probabilities: np.ndarray | None = None

    def set_task_probabilities(self, probabilities: np.ndarray) -> None:
        """Asks for goals with these probabilities, shape (goal,), from the next task on."""
        self.game.set_probabilities(probabilities)
        self._probabilities = np.array(probabilities)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Starts new games if there is a seed, otherwise new episodes in all games.

        Raises:
            ValueError: The seed is not a whole number, or there are options, which are not
                supported. Single rows cannot be reset; each restarts in the step after its end.
        """
        self._check_open()
        seed = _checked(seed, options)
        if seed is None and not self._is_new:
            seed = self._first_seed
        super().reset(seed=seed)
        if seed is not None or not self._is_new:
            self.game = self._make_game(int(self.np_random.integers(2**31)))
            self._pictures = []
            self._is_new = True
            if self._probabilities is not None:
                self.game.set_probabilities(self._probabilities)
                self.game.start()  # with goals that are drawn by them
        else:
            self.game.start()
        return self._observation(), self._info(np.zeros(self.num_envs, bool), array(self.game.goal))

    def step(
        self, actions: np.ndarray
    ) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Plays one action in each game; a row whose episode was over starts the next one."""
        self._check_open()
        if not self._is_new:
            raise gymnasium.error.ResetNeeded("the first episodes have not begun: call reset()")
        action_WC = checked(actions, self.action_space).reshape(self.num_envs, -1)
        game = self.game
        over = (game.terminated | game.truncated).cpu().numpy()
        invalid = ~allowed(action_WC, self.action_masks(), game.action_sizes) & ~over
        action_WC = np.where(over[:, None], any_allowed(game), action_WC)
        attempted = array(game.goal)
        game.step(torch.from_numpy(action_WC).to(game.device, torch.int32))
        game.world.check()
        return (
            self._observation(),
            array(game.reward).astype(np.float64),
            array(game.terminated),
            array(game.truncated),
            self._info(invalid, attempted),
        )

    def action_masks(self) -> np.ndarray:
        """What can be done now, bool, shape (game, choice)."""
        return array(self.game.action_mask)

    def render(self) -> tuple[Any, ...] | None:
        """A picture or a text of every world; None without a render mode."""
        self._check_open()
        rows = range(self.num_envs)
        if self.render_mode == "rgb_array":
            assert self._make_picture is not None
            if not self._pictures:
                self._pictures = [self._make_picture(self.game, row) for row in rows]
            return tuple(draw() for draw in self._pictures)
        if self.render_mode == "ansi":
            assert self._describe is not None
            game, describe = self.game, self._describe
            return tuple("\n".join([task(game, row), *describe(game, row), ""]) for row in rows)
        return None

    def _check_open(self) -> None:
        if self.closed:
            raise gymnasium.error.ClosedEnvironmentError(
                "the environment is closed: make a new one"
            )

    def _observation(self) -> dict[str, np.ndarray]:
        observation = {name: array(value) for name, value in self.game.observation.items()}
        members = observation["exploration_set"].astype(np.int8)
        observation["exploration_set"] = np.tile(members, (self.num_envs, 1))
        return observation

    def _info(self, invalid_W: np.ndarray, attempted_W: np.ndarray) -> dict[str, Any]:
        game = self.game
        names = np.array(game.goals, dtype=object)
        info: dict[str, Any] = {
            "action_mask": self.action_masks(),
            "goal_name": names[array(game.goal)],
            "task_over": array(game.task_over),
            "task_succeeded": array(game.task_succeeded),
            "restarted": array(game.restarted),
            "invalid_action": invalid_W,
            "ticks": array(game.world.ticks),
        }
        # Gymnasium's convention: `_name` says which rows have an entry. Here all have.
        everywhere = np.ones(self.num_envs, bool)
        info |= {f"_{name}": everywhere for name in info}
        # Only tasks that ended have been attempted (`lapis.integrations.TaskEnvironment`).
        return info | {"task": attempted_W, "_task": info["task_over"]}


class SimonSaysEnv(gymnasium.Env):
    """One game.

    `reset` after the end of an episode starts the next one by the protocol: with the same world
    and, half of the time, with the last inventory (paper P12). `reset` at any other time starts an
    episode with an empty inventory, and `reset(seed=...)` a new game that depends on the seed.

    `info` holds `action_mask`, `goal_name`, `task_over`, `task_succeeded`, `invalid_action` and
    `ticks`, the game ticks that the action took; and `task`, the number of the goal that was asked
    for, if the task is over.

    Args:
        games: A vector of one game, which is seen without its first axis.
    """

    def __init__(self, games: SimonSaysVectorEnv):
        if games.num_envs != 1:
            raise ValueError(f"games must have one world, not {games.num_envs}")
        self._games = games
        self.metadata = {name: games.metadata[name] for name in ("render_modes", "render_fps")}
        self.render_mode = games.render_mode
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
        seed = _checked(seed, options)
        super().reset(seed=seed)
        if self._is_over and seed is None:
            action = any_allowed(self.game).reshape(self._games.action_space.shape)
            observation, _, _, _, info = self._games.step(action)
        else:
            observation, info = self._games.reset(seed=seed)
        self._is_over = False
        return _first(observation), _first_info(info)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Plays one action."""
        if self._is_over:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset() first")
        own = checked(action, self.action_space)
        observation, reward, terminated, truncated, info = self._games.step(own[None])
        self._is_over = bool(terminated[0] or truncated[0])
        ends = bool(terminated[0]), bool(truncated[0])
        return _first(observation), float(reward[0]), *ends, _first_info(info)

    def render(self) -> Any:
        """A picture or a text of the world; None without a render mode."""
        rendered = self._games.render()
        return None if rendered is None else rendered[0]

    def close(self) -> None:
        """Ends all play."""
        self._games.close()

    def set_task_probabilities(self, probabilities: np.ndarray) -> None:
        """Asks for goals with these probabilities, shape (goal,), from the next task on."""
        self._games.set_task_probabilities(probabilities)

    def action_masks(self) -> np.ndarray:
        """What can be done now, bool, shape (choice,), as sb3-contrib's MaskablePPO asks for it."""
        return self._games.action_masks()[0]


def _checked(seed: int | None, options: dict[str, Any] | None) -> int | None:
    """The seed; options are not supported."""
    if options is not None and (not isinstance(options, dict) or options):
        raise ValueError(f"options of reset must be empty or None, not {shown(options)}")
    return None if seed is None else check("seed", seed, WHOLE)


def _first(observation: dict[str, np.ndarray]) -> dict[str, Any]:
    return {name: value[0] for name, value in observation.items()}


def _first_info(info: dict[str, Any]) -> dict[str, Any]:
    names = ("task_over", "task_succeeded", "invalid_action", "ticks")
    chosen = {name: info[name][0].item() for name in names}
    if chosen["task_over"]:
        chosen["task"] = info["task"][0].item()
    return chosen | {name: info[name][0] for name in ("action_mask", "goal_name")}
