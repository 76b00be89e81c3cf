"""What is asked for: one goal, or a pair of goals that must both come within one task."""

# W = worlds, G = goals, T = tasks, 2 = the goals of a pair

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from lapis.worlds.world import World


def pair_members(goal_count: int) -> np.ndarray:
    """The two goals of each task, int64, shape (task, 2): first single goals, then all pairs.

    A single goal appears twice. In a pair the goal with the lower index comes first.
    """
    alone = np.arange(goal_count)
    pairs = np.stack(np.triu_indices(goal_count, k=1), axis=1)
    return np.concatenate([np.stack([alone, alone], axis=1), pairs])


def pair_names(goals: Sequence[str]) -> tuple[str, ...]:
    """What each task of `pair_members` is called."""
    members: list[tuple[int, int]] = pair_members(len(goals)).tolist()
    return tuple(
        goals[first] if first == second else f"{goals[first]} + {goals[second]}"
        for first, second in members
    )


class SingleGoals:
    """Every task is one goal: more of its item than when the task began (paper P10).

    Args:
        world: Its inventories are watched.
        columns: The inventory column of each goal.
    """

    def __init__(self, world: World, columns: Sequence[int]) -> None:
        count, device = world.world_count, world.device
        self._inventory_WI = world.inventory
        self._column_G = torch.tensor(columns, device=device)
        self.goal = torch.zeros(count, dtype=torch.int64, device=device)
        self.task = self.goal
        """Index of each world's task; here that of its goal."""
        self.shown = {"goal": self.goal}
        """What observations say of the task."""
        self._held_at_start_W = torch.zeros(count, dtype=torch.int32, device=device)
        self._column_W = torch.zeros(count, dtype=torch.int64, device=device)
        self._column_W1 = self._column_W.view(count, 1)
        self._held_W = torch.zeros(count, dtype=torch.int32, device=device)
        self._held_W1 = self._held_W.view(count, 1)

    def judge(self, in_time_W: Tensor, *, out: Tensor) -> None:
        """Writes to `out` which tasks have been solved, no later than their time."""
        self._hold()
        # DEVIATION: success is more of the item than the task began with (paper P10, Reading): any
        # rise above that ends the task, so it is also the highest value since the task began.
        torch.gt(self._held_W, self._held_at_start_W, out=out)
        out.logical_and_(in_time_W)

    def begin(self, new_W: Tensor) -> None:
        """Starts the task that `task` names where `new_W` is true."""
        self._hold()
        torch.where(new_W, self._held_W, self._held_at_start_W, out=self._held_at_start_W)

    def _hold(self) -> None:
        """Reads how many of the goal's item each world holds."""
        torch.index_select(self._column_G, 0, self.goal, out=self._column_W)
        torch.gather(self._inventory_WI, 1, self._column_W1, out=self._held_W1)

    def state(self) -> dict[str, Tensor]:
        """What a saved state must hold."""
        return {"goal": self.goal, "held_at_start": self._held_at_start_W}


class GoalPairs:
    """A task is one goal or a pair: of each goal more than when the task began, at some moment.

    A goal stays reached until the task ends, even if its item is used up: planks may be made from
    the logs that were asked for with them.

    Arguments as for `SingleGoals`.
    """

    def __init__(self, world: World, columns: Sequence[int]) -> None:
        def zeros(dtype: torch.dtype, *shape: int) -> Tensor:
            return torch.zeros(shape, dtype=dtype, device=world.device)

        count, self.goal_count = world.world_count, len(columns)
        self._inventory_WI = world.inventory
        members = pair_members(self.goal_count)
        self._goal_T2 = torch.from_numpy(members).to(world.device)
        self._column_T2 = torch.from_numpy(np.array(columns)[members]).to(world.device)
        # DEVIATION: the paper asks for single goals. Only a whole pair is a success of the task.
        self.task = zeros(torch.int64, count)
        """Index of each world's task, in the order of `pair_members`."""
        self.goal = zeros(torch.int64, count)
        """The first goal of the task that is missing."""
        self.other_goal = zeros(torch.int64, count)
        """The other one that is missing, or the number of goals where there is none."""
        self.shown = {"goal": self.goal, "other_goal": self.other_goal}
        self._reached_W2 = zeros(torch.bool, count, 2)
        self._held_at_start_W2 = zeros(torch.int32, count, 2)
        self._counts_2G = zeros(torch.int64, 2, self.goal_count)
        # Overwritten in every step:
        self._member_W2 = zeros(torch.int64, count, 2)
        self._column_W2 = zeros(torch.int64, count, 2)
        self._held_W2 = zeros(torch.int32, count, 2)
        self._risen_W2 = zeros(torch.bool, count, 2)
        self._ended_W2 = zeros(torch.bool, count, 2)
        self._increment_W2 = zeros(torch.int64, count, 2)
        self._only_second_W = zeros(torch.bool, count)

    def judge(self, in_time_W: Tensor, *, out: Tensor) -> None:
        """Writes to `out` which tasks have been solved, no later than their time."""
        self._hold()
        torch.gt(self._held_W2, self._held_at_start_W2, out=self._risen_W2)
        self._risen_W2.logical_and_(in_time_W[:, None])
        self._reached_W2.logical_or_(self._risen_W2)
        torch.all(self._reached_W2, dim=1, out=out)
        out.logical_and_(in_time_W)

    def count(self, task_over_W: Tensor) -> None:
        """Counts each goal of the tasks that are over as an attempt, and those that were reached.

        Their tasks must not have been replaced yet.
        """
        torch.index_select(self._goal_T2, 0, self.task, out=self._member_W2)
        self._ended_W2.copy_(task_over_W[:, None].expand_as(self._ended_W2))
        # A goal alone stands twice and counts once.
        torch.ne(self._member_W2[:, 0], self._member_W2[:, 1], out=self._only_second_W)
        self._ended_W2[:, 1].logical_and_(self._only_second_W)
        member = self._member_W2.view(-1)
        self._counts_2G[1].index_add_(0, member, self._increment_W2.copy_(self._ended_W2).view(-1))
        self._ended_W2.logical_and_(self._reached_W2)
        self._counts_2G[0].index_add_(0, member, self._increment_W2.copy_(self._ended_W2).view(-1))

    def begin(self, new_W: Tensor) -> None:
        """Starts the task that `task` names where `new_W` is true; shows what is missing."""
        self._hold()
        self._reached_W2.masked_fill_(new_W[:, None], False)
        torch.where(
            new_W[:, None], self._held_W2, self._held_at_start_W2, out=self._held_at_start_W2
        )
        torch.index_select(self._goal_T2, 0, self.task, out=self._member_W2)
        first_W, second_W = self._member_W2.unbind(1)
        has_first_W, has_second_W = self._reached_W2.unbind(1)
        torch.logical_not(has_second_W, out=self._only_second_W)
        self._only_second_W.logical_and_(has_first_W)
        torch.where(self._only_second_W, second_W, first_W, out=self.goal)
        self.other_goal.copy_(second_W)
        # None: a goal alone, or a pair of which one has come.
        torch.eq(first_W, second_W, out=self._only_second_W)
        self._only_second_W.logical_or_(has_first_W).logical_or_(has_second_W)
        self.other_goal.masked_fill_(self._only_second_W, self.goal_count)

    def take_counts(self) -> tuple[np.ndarray, np.ndarray]:
        """Returns how often each goal was reached and tried since the last call (host read)."""
        successes, attempts = self._counts_2G.cpu().numpy().copy()
        self._counts_2G.zero_()
        return successes, attempts

    def _hold(self) -> None:
        """Reads how many of its goals' items each world holds."""
        torch.index_select(self._column_T2, 0, self.task, out=self._column_W2)
        torch.gather(self._inventory_WI, 1, self._column_W2, out=self._held_W2)

    def state(self) -> dict[str, Tensor]:
        """What a saved state must hold."""
        return {
            "goal": self.goal,
            "other_goal": self.other_goal,
            "task": self.task,
            "reached": self._reached_W2,
            "held_at_start": self._held_at_start_W2,
            "goal_counts": self._counts_2G,
        }
