"""A process with worlds: it answers the questions of a trainer, one after another."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any, BinaryIO, Dict, Protocol

import numpy as np

from lapis.worlds.remote.far.messages import PROTOCOL, Message, read, write


class FarWorlds(Protocol):
    """A batch of worlds in NumPy; what a factory makes.

    A factory is called as `factory(world_count, seed=..., first_world=..., **options)`. It may
    leave all rows idle: each is reset before its first step.

    All randomness should be a function of seed, number of the world (`first_world` + row), episode
    and step. Then a run can be repeated, however its worlds are divided among processes.
    """

    items: tuple
    """Names of the inventory's columns."""
    action_sizes: tuple
    """The number of choices of each component of an action."""
    observation: Dict[str, np.ndarray]
    """What a player sees, one array per feature, each of shape (world, ...)."""
    inventory: np.ndarray
    """Items held, int32, shape (world, item)."""
    died: np.ndarray
    """Whether the player is dead, bool, shape (world,); true until the row's reset."""
    lost: np.ndarray
    """Whether the episode was cut off, such as by a limit of the game, bool, shape (world,); true
    until the row's reset."""
    ticks: np.ndarray
    """Game ticks [50 ms] that the last step took, int32, shape (world,)."""
    action_mask: np.ndarray
    """What can be done now, bool, shape (world, sum of action_sizes)."""

    # Worlds that can be saved also have `state_dict()`, which returns named arrays, and
    # `load_state_dict(arrays)`.

    def reset(self, which: np.ndarray, inventory: np.ndarray, episode: np.ndarray) -> None:
        """Starts episode number `episode[row]` in the rows `which`, with these items."""
        ...

    def step(self, which: np.ndarray, action: np.ndarray) -> None:
        """Plays an action, int32 of shape (world, component), in the rows `which` alone."""
        ...

    def close(self) -> None:
        """Ends the games."""
        ...


class Host:
    """Holds the worlds of one process and answers questions about them."""

    def __init__(self) -> None:
        self.worlds: Any = None

    def answer(self, question: Message) -> Message:
        """The answer to any question."""
        kind, arrays = question.kind, question.arrays
        if kind == "hello":
            return self._hello(question.values)
        if kind in ("reset", "step"):
            getattr(self.worlds, kind)(**arrays)
            return Message("rows", {}, self._rows(arrays["which"]))
        if kind == "save":
            return Message("state", {}, self.worlds.state_dict())
        if kind == "load":
            self.worlds.load_state_dict(arrays)
            return Message("done")
        if kind == "close":
            self.worlds.close()
            return Message("done")
        raise ValueError(f"no question is called {kind!r}")

    def _hello(self, values: Dict[str, Any]) -> Message:
        if values.get("protocol") != PROTOCOL:
            reason = f"protocol is {values.get('protocol')!r}; the far side uses {PROTOCOL}"
            return Message("refused", {"reason": reason})
        try:
            self.worlds = load(values["factory"])(
                values["world_count"],
                seed=values["seed"],
                first_world=values["first_world"],
                **values["options"],
            )
        except (ImportError, TypeError, ValueError) as error:
            return Message("refused", {"reason": f"{type(error).__name__}: {error}"})
        worlds = self.worlds
        welcome = {
            "protocol": PROTOCOL,
            "items": list(worlds.items),
            "action_sizes": [int(size) for size in worlds.action_sizes],
            "observation": {
                name: [array.dtype.name, list(array.shape[1:])]
                for name, array in worlds.observation.items()
            },
            "can_save": hasattr(worlds, "state_dict"),
        }
        return Message("welcome", welcome)

    def _rows(self, which: np.ndarray) -> Dict[str, np.ndarray]:
        worlds = self.worlds
        rows = {f"observation.{name}": each[which] for name, each in worlds.observation.items()}
        for name in ("inventory", "died", "lost", "ticks", "action_mask"):
            rows[name] = getattr(worlds, name)[which]
        return rows


def load(place: str) -> Any:
    """What `module:name` stands for; the module may lie in the current folder."""
    module_name, colon, name = place.partition(":")
    if not colon or not module_name or not name:
        raise ValueError(f"factory is {place!r}; it must be module:Class")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    module = importlib.import_module(module_name)
    if not hasattr(module, name):
        raise ValueError(f"factory is {place!r}, but {module_name} has no {name!r}")
    return getattr(module, name)


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answers until the trainer says `close`, or is gone."""
    host = Host()
    while True:
        try:
            question = read(questions)
        except EOFError:
            if host.worlds is not None:
                host.worlds.close()
            return
        write(answers, host.answer(question))
        if question.kind == "close":
            return
