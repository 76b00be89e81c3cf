"""Hand-played episodes: one world, one script, the goal always known."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from lapis.simonsays import SimonSays, SimonSaysConfig
from tests.simonsays.scripted import ScriptedWorld

ITEMS = ("a", "b", "c")


def scene(
    inventories: list[tuple[int, int, int]],
    *,
    goal: str = "a",
    died: list[bool] | None = None,
    ticks: int | list[int] = 4,
    device: str = "cpu",
    **settings: Any,
) -> SimonSays:
    """Returns a Simon Says over one world, whose goal is `goal` and whose inventory is empty."""
    world = ScriptedWorld(
        [[row] for row in inventories],
        items=ITEMS,
        died_TW=None if died is None else [[value] for value in died],
        ticks_TW=ticks if isinstance(ticks, int) else [[value] for value in ticks],
        device=device,
    )
    settings = {"goals": ITEMS, "bonus": "none", "inherit_probability": 0.0} | settings
    simon = SimonSays(world, SimonSaysConfig(**settings))
    ask_for(simon, goal)
    simon.start()
    return simon


def ask_for(simon: SimonSays, goal: str) -> None:
    """Makes `goal` the only goal from the next task on."""
    simon.set_probabilities([float(name == goal) for name in simon.goals])


def act(simon: SimonSays, steps: int = 1) -> None:
    for _ in range(steps):
        shape = (simon.world_count, len(simon.action_sizes))
        simon.step(torch.zeros(shape, dtype=torch.int32, device=simon.device))


def record(simon: SimonSays, steps: int, *names: str) -> list[Any]:
    """Plays `steps` steps; returns the first world's value of each name in each step."""
    rows = []
    for _ in range(steps):
        act(simon)
        values = tuple(getattr(simon, name)[0].item() for name in names)
        rows.append(values[0] if len(names) == 1 else values)
    return rows


def goal_name(simon: SimonSays) -> str:
    return simon.goals[int(simon.goal[0])]


def counts(simon: SimonSays) -> tuple[list[int], list[int]]:
    successes, attempts = simon.take_counts()
    assert successes.dtype == attempts.dtype == np.int64
    return successes.tolist(), attempts.tolist()
