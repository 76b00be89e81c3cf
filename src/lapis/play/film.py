"""A film of one world: plays, and draws each step with its caption."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np
import torch

from lapis.play.overlay import Caption, Overlay
from lapis.play.players import Player
from lapis.simonsays import SimonSays
from lapis.worlds.voxel.view import Picture
from lapis.worlds.voxel.world import VoxelWorld

__all__ = ["ask_for_any", "ask_only_for", "film"]

TICKS_PER_SECOND = 20
SHOWN_PICTURES = 10
"""Pictures in which a change of the inventory or a message stays."""


def film(
    game: SimonSays,
    player: Player,
    *,
    steps: int,
    pixels: int = 256,
    every: int = 1,
    until_success: bool = False,
) -> Iterator[np.ndarray]:
    """Plays from where the game is; yields the picture before the first step and after each.

    Args:
        game: Simon Says over one voxel world.
        player: Who plays.
        steps: How many steps at most.
        pixels: Pixels along each side of a picture.
        every: Steps from one picture to the next.
        until_success: Ends with the first task that is solved, a few pictures later.

    Yields:
        Pictures, uint8, shape (pixels, pixels, 3).

    Raises:
        ValueError: The game has other worlds, or more than one.
    """
    world = game.world
    if not isinstance(world, VoxelWorld) or world.world_count != 1:
        raise ValueError(
            f"game has {world.world_count} worlds of {type(world).__name__}; a film shows one "
            "of VoxelWorld"
        )
    picture = Picture(world.state, world.config, size=pixels)
    overlay = Overlay(pixels)
    shown_steps = SHOWN_PICTURES * every
    teller = _Teller(game, shown_steps)
    yield overlay.draw(picture.draw(), teller.caption())
    step = 0
    while step < steps:
        action = player.act(game)
        teller.before()
        game.step(action)
        world.check()
        teller.after()
        step += 1
        if until_success and bool(game.task_succeeded):
            steps = min(steps, step + shown_steps)
        if step % every == 0:
            yield overlay.draw(picture.draw(), teller.caption())


def ask_only_for(game: SimonSays, goals: Sequence[str]) -> None:
    """From now on the game asks for these goals alone, equally often, and first for the first."""
    _draw_from(game, goals)
    first = torch.full_like(game.goal, game.goals.index(goals[0]))
    game.ask_for(first)


def ask_for_any(game: SimonSays, goals: Sequence[str]) -> None:
    """Starts a new episode, in which the game asks for these goals alone, equally often."""
    _draw_from(game, goals)
    game.start()


def _draw_from(game: SimonSays, goals: Sequence[str]) -> None:
    chances = np.array([goal in goals for goal in game.goals], float)
    game.set_probabilities(chances / chances.sum())


class _Teller:
    """Keeps what captions tell: the clock, the sum of the rewards, and what happened lately."""

    def __init__(self, game: SimonSays, shown_steps: int) -> None:
        assert isinstance(game.world, VoxelWorld)
        self._game = game
        self._shown_steps = shown_steps
        self._state = game.world.state
        self._clock = 0
        self._reward = 0.0
        self._message = ("", 0)
        self._changes: deque[tuple[str, int, int]] = deque()

    def before(self) -> None:
        """Notes what a step can change."""
        self._held = self._game.world.inventory[0].clone()
        self._goal = self._game.goals[int(self._game.goal)]

    def after(self) -> None:
        """Takes in what the step has changed."""
        game = self._game
        self._reward += float(game.reward)
        is_new = bool(game.task_over | game.restarted)
        self._clock = 0 if is_new else self._clock + int(game.ticks)
        self._message = (self._message[0], self._message[1] - 1)
        if message := self._told():
            self._message = (message, self._shown_steps)
        self._changes = deque(
            (name, count, left - 1) for name, count, left in self._changes if left > 1
        )
        if bool(game.restarted):
            self._changes.clear()
            return
        change = game.world.inventory[0] - self._held
        for item in change.nonzero()[:, 0].tolist():
            self._changes.append((game.world.items[item], int(change[item]), self._shown_steps))

    def caption(self) -> Caption:
        """What there is to tell now."""
        game, state = self._game, self._state
        return Caption(
            goal=game.goals[int(game.goal)],
            seconds_left=(game.config.task_ticks - self._clock) / TICKS_PER_SECOND,
            reward=self._reward,
            last_reward=float(game.reward),
            changes=tuple((name, count) for name, count, _ in self._changes),
            health=int(state.health) / 1000,
            food=int(state.food),
            message=self._message[0] if self._message[1] > 0 else "",
        )

    def _told(self) -> str:
        game = self._game
        if bool(game.restarted):
            return "new episode"
        if bool(game.task_succeeded):
            return f"{self._goal}: done"
        if bool(game.world.died):
            return "died"
        if bool(game.task_over):
            return f"{self._goal}: failed"
        return ""
