"""What Simon Says refuses, with errors that say why."""

# W = worlds, C = components of an action

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from lapis.arrays import as_array, check_numbers, check_shape
from lapis.bounds import SHARE, Bound, shown
from lapis.worlds.limits import COUNTED, FINITE, FLAG, Limit, check_given, check_identity, whole
from lapis.worlds.world import World, check_like, check_tensor

_SUM_TOLERANCE = 1e-6
_PROBABILITY = Bound(least=0, most=1 + _SUM_TOLERANCE)


def goal_columns(goals: Sequence[str], items: Sequence[str]) -> list[int]:
    """Returns the inventory column of each goal."""
    unknown = sorted(set(goals) - set(items))
    if unknown:
        raise ValueError(f"goals must be items of the world; these are not: {unknown}")
    return [items.index(goal) for goal in goals]


def joined(world: dict[str, Tensor], own: dict[str, Tensor]) -> dict[str, Tensor]:
    """Returns both observations in one."""
    shared = sorted(set(world) & set(own))
    if shared:
        raise ValueError(
            f"the world's observation must not contain {shared}, which Simon Says adds"
        )
    return {**world, **own}


def checked_probabilities(probabilities: ArrayLike, task_count: int) -> np.ndarray:
    """Returns `probabilities` as float64 of shape (task,)."""
    values = check_numbers("probabilities", probabilities, _PROBABILITY)
    check_shape("probabilities", values, (task_count,))
    if abs(values.sum() - 1.0) > _SUM_TOLERANCE:
        raise ValueError(f"probabilities must sum to 1, not {values.sum()}")
    return values


def checked_members(exploration_set: ArrayLike, goal_count: int) -> np.ndarray:
    """Returns `exploration_set` as bool of shape (goal,)."""
    members = as_array("exploration_set", exploration_set)
    if members.dtype != np.bool_ or members.shape != (goal_count,):
        raise ValueError(
            f"exploration_set must be bool of shape ({goal_count},), not {members.dtype} of shape "
            f"{members.shape}"
        )
    return members


def check_tasks(tasks: Tensor, like: Tensor, task_count: int) -> None:
    """Refuses tasks to ask for that are not of the kind of `like`, or not tasks (host read)."""
    check_like("tasks", tasks, like)
    _check_range(tasks.cpu().numpy(), task_count, "the task of world {}")


def check_episodes_go_on(terminated: Tensor, truncated: Tensor) -> None:
    """Refuses if an episode is over and the next one has not begun (host read)."""
    over = np.flatnonzero((terminated | truncated).cpu().numpy())
    if over.size:
        raise ValueError(
            f"goals can only be asked for within episodes, but that of world {over[0]} is over; "
            "start() begins new ones everywhere"
        )


def check_action(action: Tensor, world: World, *, by_value: bool) -> None:
    """Refuses an action of the wrong kind and, if `by_value` (host read), one not allowed now."""
    shape = (world.world_count, len(world.action_sizes))
    check_tensor("action", action, torch.int32, shape, world.inventory.device)
    if by_value:
        _check_choices(action.cpu().numpy(), world.action_mask.cpu().numpy(), world.action_sizes)


def _check_choices(action: np.ndarray, mask: np.ndarray, sizes: tuple[int, ...]) -> None:
    first = 0
    for component, size in enumerate(sizes):
        choice_W = action[:, component]
        _check_range(choice_W, size, f"action of world {{}}, component {component}")
        masked = np.flatnonzero(~mask[np.arange(len(choice_W)), first + choice_W])
        if masked.size:
            world = masked[0]
            raise ValueError(
                f"action of world {world}, component {component} is {choice_W[world]}, which the "
                f"action mask does not allow now"
            )
        first += size


def _check_range(values_W: np.ndarray, count: int, what: str) -> None:
    """Refuses an index outside of 0 ... count - 1; `what` has a place for the world's number."""
    outside = np.flatnonzero((values_W < 0) | (values_W >= count))
    if outside.size:
        world = outside[0]
        raise ValueError(
            f"{what.format(world)} must be between 0 and {count - 1}, not {values_W[world]}"
        )


def check_state(state: object, expected: dict[str, Any], own: dict[str, Tensor]) -> None:
    """Refuses a saved state with other goals, seed or worlds, or with values out of range."""
    state = check_identity(state, expected, "this Simon Says")
    saved = state.get("tensors")
    if "world" not in state or not isinstance(saved, Mapping):
        raise ValueError(f"state must hold 'world' and 'tensors', not only {shown(sorted(state))}")
    if set(saved) != set(own):
        raise ValueError(f"state must hold the tensors {sorted(own)}, not {shown(list(saved))}")
    limits = dict.fromkeys(own, COUNTED) | _limits(len(state["goals"]), own["cumulative"].numel())
    check_given(saved, own, limits)
    cumulative = saved["cumulative"]
    if cumulative[-1] != 1.0 or bool((cumulative.diff() < 0.0).any()):
        # A draw that falls behind the last one would be no goal.
        raise ValueError("state's 'cumulative' must never fall and end at exactly 1")
    for name in ("counts", "goal_counts"):
        successes, attempts = saved.get(name, torch.zeros(2, 1))
        if bool((successes > attempts).any()):
            raise ValueError(f"state's {name!r} must have no more successes than attempts")


def _limits(goal_count: int, task_count: int) -> dict[str, Limit]:
    """Limits that a step relies on; all other tensors of Simon Says are counters."""
    flags = ("terminated", "truncated", "restarted", "outcome", "exploration_set", "reached")
    return {
        **dict.fromkeys(flags, FLAG),
        **dict.fromkeys(("reward", "goal_reward", "bonus"), FINITE),
        "goal": whole(0, goal_count - 1),
        "other_goal": whole(0, goal_count),
        "task": whole(0, task_count - 1),
        "cumulative": SHARE,
        "bonus_left": SHARE,
        # Before the first episode there is none.
        "episode": whole(-1, int(COUNTED.most)),
        "counts": whole(0, 2**62),
        "goal_counts": whole(0, 2**62),
    }
