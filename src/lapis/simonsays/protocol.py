"""Simon Says over any world: asks for items, keeps the clocks, rewards, and counts outcomes."""

# W = worlds, G = goals, T = tasks, I = items, C = components of an action

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from lapis.bounds import Bound, check, check_flag, require
from lapis.simonsays import checks
from lapis.simonsays.bonus import ExplorationBonus
from lapis.simonsays.config import SimonSaysConfig
from lapis.simonsays.rng import Chance
from lapis.simonsays.tasks import GoalPairs, SingleGoals, pair_names
from lapis.worlds.world import World, check_like


class SimonSays:
    """A batch of worlds that asks for one item after another (paper P7, P8, P10-P12).

    All tensors live on the world's device, are written in place and keep their addresses; `step`
    reads nothing back to the host, so that it can be captured in a CUDA graph.

    Ends of episodes: the step that ends an episode leaves its last observation in place. The next
    call of `step` starts a new episode in that row: the row's action, which must still be allowed,
    has no effect, the reward is 0, `restarted` is true, and the observation is the new episode's
    first.

    Attributes:
        reward: `goal_reward + bonus`, float32, shape (world,), as all that follow.
        goal_reward: 1 where the goal was reached in the last step, float32.
        bonus: Exploration bonus of the last step, coefficient included, float32.
        ticks: Game ticks of 50 ms that the last step took, int32; the world's.
        terminated: Whether the episode ended by death or by failures in a row, bool.
        truncated: Whether the episode was cut by its time limit or lost by the world, bool.
        restarted: Whether the last step only started a new episode, bool.
        task_over: Whether the task ended in the last step, in success or failure, bool.
        task_succeeded: Whether the task ended in success in the last step, bool.
        tasks: Names of the tasks: the goals, and with `config.pairs` then their pairs.
        task: Index into `tasks` of the current task, int64.
        goal: Index into `goals` of the first goal of the task that is missing, int64.
        exploration_set: Whether a goal can pay a bonus now, bool, shape (goal,).
        observation: The world's tensors, `goal` and `exploration_set`; with `config.pairs` also
            `other_goal`, the second missing goal, or the number of goals if there is none.
    """

    def __init__(
        self,
        world: World,
        config: SimonSaysConfig,
        *,
        seed: int = 0,
        first_world: int = 0,
        validate_actions: bool = False,
    ):
        """Starts the first episode in every world, goals drawn uniformly.

        Args:
            world: The worlds to play in.
            config: Goals, limits and bonus.
            seed: Decides goals and inheritance, together with world, episode and step.
            first_world: Number of the first row's world, where several batches share a seed.
            validate_actions: Checks the range and mask of every action, at the cost of one host
                read per step.
        """
        require(isinstance(world, World), "world", world, "a world as lapis.worlds.world has it")
        require(isinstance(config, SimonSaysConfig), "config", config, "a SimonSaysConfig")
        self.world = world
        self.config = config
        self.seed = check("seed", seed, Bound(least=0, below=2**32, whole=True))
        numbers = Bound(least=0, most=2**31 - world.world_count, whole=True)
        self.first_world = check("first_world", first_world, numbers)
        self.validate_actions = check_flag("validate_actions", validate_actions)
        self.goals = config.goals
        self.tasks = pair_names(config.goals) if config.pairs else config.goals
        self.world_count = world.world_count
        self.device = world.device
        self.action_sizes = world.action_sizes
        self.ticks = world.ticks
        self._lost_W: Tensor | None = getattr(world, "lost", None)
        if self._lost_W is not None:
            check_like("world.lost", self._lost_W, world.died)
        columns = checks.goal_columns(config.goals, world.items)
        self._asked = (GoalPairs if config.pairs else SingleGoals)(world, columns)
        self.task, self.goal = self._asked.task, self._asked.goal
        self._chance = Chance(
            seed=self.seed,
            first_world=self.first_world,
            world_count=self.world_count,
            device=self.device,
        )
        self._payer = None
        if config.bonus != "none":
            self._payer = ExplorationBonus(world.inventory, columns, config.bonus_decay)
        self._allocate()
        paying = [goal in config.paying_goals for goal in config.goals]
        self._can_pay_G = torch.tensor(paying, device=self.device)
        self._show_exploration_set(self._can_pay_G)
        self.set_probabilities(np.full(len(self.tasks), 1.0 / len(self.tasks)))
        self.observation: dict[str, Tensor] = checks.joined(
            world.observation, {**self._asked.shown, "exploration_set": self.exploration_set}
        )
        self.start()

    def _allocate(self) -> None:
        def zeros(dtype: torch.dtype, *shape: int) -> Tensor:
            return torch.zeros(shape, dtype=dtype, device=self.device)

        count, task_count = self.world_count, len(self.tasks)
        self.reward = zeros(torch.float32, count)
        self.goal_reward = zeros(torch.float32, count)
        self.bonus = zeros(torch.float32, count)
        self.terminated = zeros(torch.bool, count)
        self.truncated = zeros(torch.bool, count)
        self.restarted = zeros(torch.bool, count)
        self._outcome_2W = zeros(torch.bool, 2, count)
        self.task_succeeded, self.task_over = self._outcome_2W
        self.exploration_set = zeros(torch.bool, len(self.goals))
        self._task_ticks_W = zeros(torch.int32, count)
        self._episode_ticks_W = zeros(torch.int32, count)
        self._failures_W = zeros(torch.int64, count)
        self._counts_2T = zeros(torch.int64, 2, task_count)
        self._cumulative_T = zeros(torch.float64, task_count)
        # Overwritten in every step:
        self._increment_2W = zeros(torch.int64, 2, count)
        self._mask_W = zeros(torch.bool, count)
        self._old_W = zeros(torch.bool, count)
        self._drawn_W = zeros(torch.int64, count)
        self._keep_W = zeros(torch.int32, count)
        self._keep_W1 = self._keep_W.view(count, 1)
        self._inherited_WI = zeros(torch.int32, count, len(self.world.items))

    @property
    def action_mask(self) -> Tensor:
        """What can be done now, bool, shape (world, sum of action_sizes)."""
        return self.world.action_mask

    @property
    def task_ticks_left(self) -> Tensor:
        """Time left for the goal [ticks], shape (world,)."""
        return self.config.task_ticks - self._task_ticks_W

    def start(self) -> None:
        """Starts a new episode with nothing in every world; unfinished tasks do not count."""
        self.restarted.fill_(True)
        self._chance.advance(self.restarted)
        self.world.reset(self.restarted)
        self._judge()
        self._reward()
        self._ask()

    def step(self, action: Tensor) -> None:
        """Plays `action`, int32 of shape (world, component), and moves tasks and episodes on."""
        checks.check_action(action, self.world, by_value=self.validate_actions)
        torch.logical_or(self.terminated, self.truncated, out=self.restarted)
        self._chance.advance(self.restarted)
        self._bequeath()
        self.world.step(action)
        self.world.reset(self.restarted, self._inherited_WI)
        self._judge()
        self._reward()
        self._ask()

    def _bequeath(self) -> None:
        """Sets aside what the next episodes inherit, before the worlds move on (paper P12)."""
        torch.lt(self._chance.inherit_W, self.config.inherit_probability, out=self._mask_W)
        self._keep_W.copy_(self._mask_W)
        torch.mul(self.world.inventory, self._keep_W1, out=self._inherited_WI)

    def _judge(self) -> None:
        """Decides which tasks and episodes ended in this step (paper P10, P11)."""
        world, limit, playing_W = self.world, self.config.task_ticks, self._mask_W
        torch.logical_not(self.restarted, out=playing_W)
        if self._lost_W is not None:  # Nobody knows how the task would have ended.
            playing_W.logical_and_(self._lost_W.logical_not())
        self._task_ticks_W.add_(world.ticks)
        self._episode_ticks_W.add_(world.ticks).masked_fill_(self.restarted, 0)

        # DEVIATION: an item that a long action brings after the limit comes too late.
        in_time_W = torch.le(self._task_ticks_W, limit, out=self.task_over)
        self._asked.judge(in_time_W, out=self.task_succeeded)
        # DEVIATION: an item that comes in the step of death is a success; the episode still ends.
        torch.ge(self._task_ticks_W, limit, out=self.task_over)
        self.task_over.logical_or_(world.died).logical_or_(self.task_succeeded)
        self._outcome_2W.logical_and_(playing_W)

        self._increment_2W.copy_(self._outcome_2W)
        self._counts_2T.index_add_(1, self.task, self._increment_2W)
        if isinstance(self._asked, GoalPairs):
            self._asked.count(self.task_over)

        self._failures_W.add_(self._increment_2W[1]).masked_fill_(self.task_succeeded, 0)
        self._failures_W.masked_fill_(self.restarted, 0)
        torch.ge(self._failures_W, self.config.failures_to_end, out=self.terminated)
        self.terminated.logical_or_(world.died)
        torch.ge(self._episode_ticks_W, self.config.episode_ticks, out=self.truncated)
        if self._lost_W is not None:
            self.truncated.logical_or_(self._lost_W)
        self.truncated.masked_fill_(self.terminated, False)

    def _reward(self) -> None:
        """Pays for goals reached and for new items (paper P7, P8, P10)."""
        self.goal_reward.copy_(self.task_succeeded)
        if self._payer is not None:
            self._payer.pay(self.restarted, out=self.bonus)
            self.bonus.mul_(self.config.bonus_coefficient)
        torch.add(self.goal_reward, self.bonus, out=self.reward)

    def _ask(self) -> None:
        """Draws the next task where one ended or an episode began; the world goes on.

        Also if the episode ended with the task, because the value of a cut episode depends on what
        would follow.
        """
        new_W = torch.logical_or(self.task_over, self.restarted, out=self._mask_W)
        # Rows whose task goes on look up 0 and drop the answer: equal searches are fast ones.
        torch.logical_not(new_W, out=self._old_W)
        uniform_W = self._chance.goal_W.masked_fill_(self._old_W, 0.0)
        torch.searchsorted(self._cumulative_T, uniform_W, right=True, out=self._drawn_W)
        torch.where(new_W, self._drawn_W, self.task, out=self.task)
        self._asked.begin(new_W)
        self._task_ticks_W.masked_fill_(new_W, 0)

    def ask_for(self, tasks: Tensor) -> None:
        """Asks each world for what `tasks` names: indices into `tasks`, int64 of shape (world,).

        The tasks start with their full time, and later ones are drawn as usual. Unfinished tasks
        count neither as success nor as failure; worlds, episodes and failures in a row continue.
        Reads back to the host.

        Raises:
            ValueError: `tasks` is of the wrong kind or names no task, or an episode is over: the
                next step would start another one, with a goal of its own.
        """
        checks.check_tasks(tasks, self.task, len(self.tasks))
        checks.check_episodes_go_on(self.terminated, self.truncated)
        self.task.copy_(tasks)
        self._asked.begin(torch.ones_like(self.task_over))
        self._task_ticks_W.zero_()

    def set_probabilities(self, probabilities: ArrayLike) -> None:
        """Draws tasks with these probabilities, shape (task,), from the next one on."""
        values = checks.checked_probabilities(probabilities, len(self.tasks))
        # The sum's last value is exactly 1 after the division, and so is every one after the
        # last task that has a chance: no draw below 1 can fall behind it.
        cumulative = np.cumsum(values)
        self._cumulative_T.copy_(torch.from_numpy(cumulative / cumulative[-1]))

    def set_exploration_set(self, exploration_set: ArrayLike) -> None:
        """From now on these goals pay the dynamic bonus, bool of shape (goal,) (paper P8)."""
        if self.config.bonus != "dynamic":
            raise ValueError(
                f"the exploration set changes only with bonus 'dynamic', not {self.config.bonus!r}"
            )
        members = checks.checked_members(exploration_set, len(self.goals))
        self._show_exploration_set(torch.from_numpy(members).to(self.device) & self._can_pay_G)

    def _show_exploration_set(self, members_G: Tensor) -> None:
        self.exploration_set.copy_(members_G)
        if self._payer is not None:
            self._payer.set_paying(self.exploration_set)

    def take_counts(self) -> tuple[np.ndarray, np.ndarray]:
        """Returns successes and attempts per task since the last call, int64 (host read)."""
        successes, attempts = self._counts_2T.cpu().numpy().copy()
        self._counts_2T.zero_()
        return successes, attempts

    def take_goal_counts(self) -> tuple[np.ndarray, np.ndarray]:
        """Returns the same per goal, with `config.pairs` (host read).

        A task counts as an attempt at each of its goals, and a goal that was reached as a success,
        even if the other one was not.
        """
        if not isinstance(self._asked, GoalPairs):
            raise ValueError("without config.pairs tasks are goals; take_counts() counts them")
        return self._asked.take_counts()

    def state_dict(self) -> dict[str, Any]:
        """Everything that `load_state_dict` needs to continue bit for bit, the world included."""
        return {
            "world": self.world.state_dict(),
            "goals": list(self.goals),
            "seed": self.seed,
            "first_world": self.first_world,
            "tensors": {name: value.to("cpu", copy=True) for name, value in self._state().items()},
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Takes over the state of a Simon Says with the same goals, seed and worlds."""
        own = self._state()
        checks.check_state(
            state,
            {"goals": list(self.goals), "seed": self.seed, "first_world": self.first_world},
            own,
        )
        self.world.load_state_dict(state["world"])
        for name, value in own.items():
            value.copy_(state["tensors"][name])
        self._show_exploration_set(self.exploration_set)

    def _state(self) -> dict[str, Tensor]:
        tensors = {
            "reward": self.reward,
            "goal_reward": self.goal_reward,
            "bonus": self.bonus,
            "terminated": self.terminated,
            "truncated": self.truncated,
            "restarted": self.restarted,
            "outcome": self._outcome_2W,
            "exploration_set": self.exploration_set,
            "task_ticks": self._task_ticks_W,
            "episode_ticks": self._episode_ticks_W,
            "failures": self._failures_W,
            "counts": self._counts_2T,
            "cumulative": self._cumulative_T,
            "episode": self._chance.episode_W,
            "step": self._chance.step_W,
            **self._asked.state(),
        }
        if self._payer is not None:
            tensors["bonus_left"] = self._payer.left_WS
        return tensors
