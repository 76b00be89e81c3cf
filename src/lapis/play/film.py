"""A film of one world: plays, and draws each step with its caption."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch

from lapis.play.overlay import Caption, Overlay
from lapis.play.pictures import body_of, picture_of
from lapis.play.scene import Actor
from lapis.play.story import Story
from lapis.simonsays import SimonSays, words

__all__ = ["ask_for_any", "ask_only_for", "film"]

SHOWN_PICTURES = 10
"""Pictures in which a change of the inventory or a message stays."""


def film(
    game: SimonSays,
    actor: Actor,
    *,
    steps: int,
    pixels: int = 256,
    every: int = 1,
    until_success: bool = False,
) -> Iterator[np.ndarray]:
    """Plays on from the current state; yields the first picture, and one after every `every` steps.

    Pictures are uint8, shape (pixels, pixels, 3). With `until_success` the film ends a few pictures
    after the first task that is solved.

    Raises:
        ValueError: The game's world has no pictures, or there is more than one.
    """
    draw = picture_of(game.world, pixels)
    overlay = Overlay(pixels)
    shown_steps = SHOWN_PICTURES * every
    story = Story(game)
    captions = _Captions(story, shown_steps)
    yield overlay.draw(draw(), captions.caption(0))
    step = 0
    while step < steps:
        story.take(actor(game))
        step += 1
        caption = captions.caption(step)
        if until_success and bool(game.task_succeeded):
            steps = min(steps, step + shown_steps)
        if step % every == 0:
            yield overlay.draw(draw(), caption)


def ask_only_for(game: SimonSays, goals: Sequence[str]) -> None:
    """From now on the game asks only for these goals, equally often, beginning with the first."""
    _draw_from(game, goals)
    game.ask_for(torch.full_like(game.task, game.tasks.index(goals[0])))


def ask_for_any(game: SimonSays, goals: Sequence[str]) -> None:
    """Starts a new episode, in which the game asks only for these goals, equally often."""
    _draw_from(game, goals)
    game.start()


def _draw_from(game: SimonSays, goals: Sequence[str]) -> None:
    chances = np.array([task in goals for task in game.tasks], float)
    game.set_probabilities(chances / chances.sum())


class _Captions:
    def __init__(self, story: Story, shown_steps: int) -> None:
        self._story = story
        self._shown_steps = shown_steps
        self._message = (0, "")
        self._changes: list[tuple[int, tuple[str, int]]] = []

    def caption(self, step: int) -> Caption:
        """The caption after a step; called once for each."""
        story, game = self._story, self._story.game
        first = step - self._shown_steps
        if story.messages:
            self._message = (step, "\n".join(story.messages))
        if game.restarted:
            self._changes = []
        self._changes += [(step, change) for change in story.changes]
        self._changes = [entry for entry in self._changes if entry[0] > first]
        health, food = body_of(game.world)
        return Caption(
            goal=story.goal,
            seconds_left=words.seconds_left(game),
            reward=story.reward,
            last_reward=float(game.reward),
            changes=tuple(change for _, change in self._changes),
            health=health,
            food=food,
            message=self._message[1] if self._message[0] > first else "",
        )
