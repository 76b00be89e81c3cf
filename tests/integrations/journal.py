"""An environment that writes down its own outcomes, and a plain loop that learns from them.

So the state of a curriculum behind any trainer can be compared with what it should be, without any
of the code that counts.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from pathlib import Path

import gymnasium
import numpy as np

from lapis.curriculum import Teacher


class Journal(gymnasium.Wrapper):
    """Writes a line `update task outcome` for each episode, to a file of its own.

    `update` is the number of times that probabilities were set; the first time is before training.
    """

    def __init__(self, env: gymnasium.Env, folder: Path) -> None:
        super().__init__(env)
        handle, self.path = tempfile.mkstemp(suffix=".txt", dir=folder)
        os.close(handle)
        self.updates = 0

    def set_task_probabilities(self, probabilities: np.ndarray) -> None:
        self.updates += 1
        with open(self.path, "a") as file:
            file.write(f"{self.updates} probabilities {np.asarray(probabilities).tolist()}\n")
        self.env.get_wrapper_attr("set_task_probabilities")(probabilities)

    def step(self, action):
        *rest, info = self.env.step(action)
        if "task_succeeded" in info:
            with open(self.path, "a") as file:
                file.write(f"{self.updates} {info['task']} {float(info['task_succeeded'])}\n")
        return *rest, info


def replay(folder: Path, curriculum: Teacher, *, updates: int) -> Teacher:
    """The curriculum after a plain loop over what the journals hold of the first `updates`."""
    outcomes: list[tuple[int, int, float]] = []
    for path in folder.glob("*.txt"):
        for line in path.read_text().splitlines():
            update, what, value = line.split(" ", 2)
            if what != "probabilities":
                outcomes.append((int(update), int(what), float(value)))
    for update in range(1, updates + 1):
        own = [(task, value) for when, task, value in outcomes if when == update]
        attempts = Counter(task for task, _ in own)
        successes = Counter(dict.fromkeys(attempts, 0.0))
        for task, value in own:
            successes[task] += value
        everywhere = range(curriculum.task_count)
        curriculum.update([successes[t] for t in everywhere], [attempts[t] for t in everywhere])
    return curriculum


def sent_probabilities(folder: Path) -> list[list[list[float]]]:
    """All probabilities that each environment was given."""
    return [
        [
            eval(line.split(" ", 2)[2])
            for line in path.read_text().splitlines()
            if line.split(" ")[1] == "probabilities"
        ]
        for path in folder.glob("*.txt")
    ]
