"""What the policy would think and do if one thing were different: a thought experiment.

The world is given another inventory, shows what it then would, and gets its own back; memory and
everything else stay as they are.
"""

# N = moments, W = worlds, A = choices of all components, K = action components, E = width
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from lapis.agent import actions
from lapis.agent.lstm import LSTMState
from lapis.agent.player import Thought, seen, think
from lapis.agent.policy import Policy
from lapis.inspect.moves import divergence
from lapis.inspect.reading import Reading
from lapis.simonsays import SimonSays

__all__ = ["Comparison", "Probe", "Question"]


class Question(NamedTuple):
    """What a probe changes."""

    given: str
    """Item that is given, and taken away."""
    goal: str
    """Goal that is asked for."""
    instead: str
    """The goal to compare that one with."""


class Comparison(NamedTuple):
    """Values of two versions of the same moments, and KL(first || second) of the moves [nats]."""

    first_N: np.ndarray
    second_N: np.ndarray
    divergence_NK: np.ndarray


class Probe:
    """Called with the policy's memory, it asks its question of all worlds that play.

    Of `items` it measures how loud they are: how much one more changes the embedding.
    """

    def __init__(
        self,
        policy: Policy,
        game: SimonSays,
        reading: Reading,
        question: Question,
        items: Sequence[int],
    ) -> None:
        self._policy = policy
        self._game = game
        self._reading = reading
        self._question = question
        self._items = tuple(items)
        self._given = game.world.items.index(question.given)
        self._answers: list[dict[str, Tensor]] = []

    @torch.no_grad()
    def __call__(self, memory: LSTMState) -> None:
        """Asks now; the game is as before afterwards."""
        playing_W = ~(self._game.terminated | self._game.truncated)
        goal, instead = self._question.goal, self._question.instead
        with self._changed(lambda state: self._reading.set_item(state, self._given, True)):
            with_item = self._asked_for(goal, memory)
        with self._changed(lambda state: self._reading.set_item(state, self._given, False)):
            without = self._asked_for(goal, memory)
        as_asked, asked_otherwise = (self._asked_for(each, memory) for each in (goal, instead))
        answer = {
            "holds": self._game.world.inventory[:, self._given] > 0,
            **self._loudness(),
            **self._compared("item", with_item, without),
            **self._compared("goal", as_asked, asked_otherwise),
        }
        self._answers.append({name: each[playing_W] for name, each in answer.items()})

    def comparisons(self) -> dict[str, Comparison]:
        """With the item (first) and without (second), of players that hold none and of the others.

        And asked for the goal (first) and for the other one instead, with what is really held.
        """
        holds = self._all("holds")
        return {
            "given": self._comparison("item", ~holds),
            "taken": self._comparison("item", holds),
            "swapped": self._comparison("goal", np.ones_like(holds)),
        }

    def loudness(self, kind: str) -> dict[str, float]:
        """Mean norm of each named embedding and their sum (`norm`), or of its change (`more`)."""
        keys = [key for key in self._answers[0] if key.startswith(f"{kind} ")]
        return {key.partition(" ")[2]: float(self._all(key).mean()) for key in keys}

    def _comparison(self, name: str, which: np.ndarray) -> Comparison:
        return Comparison(*(self._all(f"{name} {part}")[which] for part in Comparison._fields))

    def _all(self, name: str) -> np.ndarray:
        return torch.cat([answer[name] for answer in self._answers]).cpu().numpy()

    def _asked_for(self, goal: str, memory: LSTMState) -> tuple[Thought, Tensor]:
        """What the policy would think, and what it may do."""
        observation = seen(self._game)
        index = self._game.goals.index(goal)
        observation["goal"] = torch.full_like(observation["goal"], index)
        thought = think(self._policy, self._game, memory, observation)
        return thought, self._game.action_mask.clone()

    def _compared(
        self, name: str, first: tuple[Thought, Tensor], second: tuple[Thought, Tensor]
    ) -> dict[str, Tensor]:
        # What only one of them can do is no part of the comparison.
        mask_WA = first[1] & second[1]
        one, other = (
            actions.choices(thought.logits_WA, mask_WA, self._game.action_sizes)
            for thought, _ in (first, second)
        )
        return {
            f"{name} first_N": first[0].value_W,
            f"{name} second_N": second[0].value_W,
            f"{name} divergence_NK": divergence(one, other),
        }

    def _loudness(self) -> dict[str, Tensor]:
        before = {name: value.clone() for name, value in seen(self._game).items()}
        embedding = {
            name: encode(before[name]).expand(1, self._game.world_count, -1)[0]
            for name, encode in self._policy.encoders.items()
        }
        total_WE = torch.stack(list(embedding.values())).sum(dim=0)
        found = {f"norm {name}": each.norm(dim=-1) for name, each in embedding.items()}
        found["norm sum"] = total_WE.norm(dim=-1)
        for item in self._items:

            def add_one(state: dict[str, Any], item: int = item) -> None:
                state["inventory"] = state["inventory"].clone()
                state["inventory"][:, item] += 1

            with self._changed(add_one):
                after = seen(self._game)
                change_WE = torch.zeros_like(total_WE)
                for name, encode in self._policy.encoders.items():
                    # Frames do not change with the inventory, and are dear.
                    if not torch.equal(after[name], before[name]):
                        change_WE = change_WE + encode(after[name])[0] - embedding[name]
            found[f"more {self._game.world.items[item]}"] = change_WE.norm(dim=-1)
        return found

    @contextlib.contextmanager
    def _changed(self, change: Callable[[dict[str, Any]], None]) -> Iterator[None]:
        world = self._game.world
        own = world.state_dict()
        other = dict(own)
        change(other)
        world.load_state_dict(other)
        try:
            yield
        finally:
            world.load_state_dict(own)
