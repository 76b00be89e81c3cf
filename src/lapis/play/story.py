"""A game of one world as it unfolds: for films, and for people who play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from lapis.minecraft.goals import ALL_PREREQUISITES
from lapis.play.goals import PersonalGoals
from lapis.simonsays import SimonSays, SimonSaysConfig, words
from lapis.worlds.world import World

__all__ = ["PersonalGame", "Story"]


class Story:
    """Plays a game of one world, and keeps what to show about it."""

    def __init__(self, game: SimonSays) -> None:
        self.game = game
        self.reward = 0.0
        self.solved = 0
        """Tasks."""
        self.ended = 0
        """Tasks, the solved ones among them."""
        self.messages: list[str] = []
        """What the last step led to."""
        self.changes: list[tuple[str, int]] = []
        """Items that came (above 0) or went (below 0) in it."""

    @property
    def goal(self) -> str:
        """What is asked for."""
        return words.asked(self.game)

    @property
    def is_over(self) -> bool:
        """Whether the episode is over; the next step starts another."""
        return bool(self.game.terminated | self.game.truncated)

    def take(self, action: Tensor) -> None:
        """Plays one step with an action, int32 of shape (1, component)."""
        game, goal = self.game, self.goal
        held = game.world.inventory[0].clone()
        game.step(action)
        game.world.check()
        self.reward += float(game.reward)
        self.solved += int(game.task_succeeded)
        self.ended += int(game.task_over)
        self.messages = words.told(game, goal)
        self.changes = _named(game, (game.world.inventory[0] - held) * ~game.restarted)


class PersonalGame(Story):
    """Asks a person for goals that the person's own curriculum draws."""

    def __init__(
        self,
        world: World,
        goals: Sequence[str],
        seed: int,
        prerequisites: Mapping[str, frozenset[str]] = ALL_PREREQUISITES,
    ) -> None:
        config = SimonSaysConfig(goals=tuple(goals), bonus="none")
        super().__init__(SimonSays(world, config, seed=seed))
        self._goals = PersonalGoals(self.game.goals, seed, prerequisites)
        self.messages = words.told(self.game, self.goal)
        self._ask()

    def held(self) -> list[tuple[str, int]]:
        """Items that the person holds, with their counts."""
        return _named(self.game, self.game.world.inventory[0])

    def gained(self) -> list[str]:
        """What the last step brought, in words."""
        return [words.change(name, count) for name, count in self.changes if count > 0]

    def take(self, action: Tensor) -> None:
        """Plays one step; after a task, asks for the next goal."""
        goal = self.goal
        super().take(action)
        if self.game.task_over:
            self._goals.record(goal, bool(self.game.task_succeeded))
        self._goals.see([name for name, _ in self.held()])
        if bool(self.game.task_over | self.game.restarted) and not self.is_over:
            self._ask(after=goal)

    def skip(self) -> None:
        """Asks for another goal; takes no time, and the task does not count as ended.

        The curriculum counts it as a failure, so a goal that is often skipped comes less often.

        Raises:
            ValueError: The episode is over; nothing is asked for.
        """
        if self.is_over:
            raise ValueError("the episode is over; the next step begins another")
        goal = self.goal
        self._goals.record(goal, False)
        self._ask(after=goal)
        self.changes = []
        self.messages = [words.skipped(goal)]

    def _ask(self, after: str | None = None) -> None:
        """Asks for what the person's curriculum draws, instead of what the game drew."""
        drawn = self.game.goals.index(self._goals.draw(after))
        self.game.ask_for(torch.full_like(self.game.goal, drawn))


def _named(game: SimonSays, counts: Tensor) -> list[tuple[str, int]]:
    pairs = zip(game.world.items, counts.tolist(), strict=True)
    return [(name, count) for name, count in pairs if count]
