"""One player's game: steps, what there is to tell of it, and its picture."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import torch

from lapis.minecraft.biomes import Biome
from lapis.minecraft.blocks import Block
from lapis.minecraft.goals import GOALS
from lapis.minecraft.items import ITEMS
from lapis.play.goals import PersonalGoals
from lapis.play.hints import hint_for
from lapis.play.voxel.controls import Aim, action_of
from lapis.play.voxel.resolution import SIDES, Resolution
from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.worlds.planning import Holdings
from lapis.worlds.voxel.actions import FIRST_CHOICE, SPECIALS, Component, Special
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.view import Picture
from lapis.worlds.voxel.world import VoxelWorld

TICKS_PER_SECOND = 20
STATIONS = {1: "crafting_table", 2: "furnace"}
"""By the bits of `near`."""
KINDS = (Special.CRAFT, Special.SMELT, Special.EQUIP, Special.PLACE)
"""Special actions in the order in which they are offered: who types `planks` wants to make them."""
AT_REST = 0.01
"""Who moves less than this in a step stands [blocks]."""
FARTHEST_GLIDE = 4.0
"""A longer way in one step is no walk, and is not shown as one [blocks]."""


class Session:
    """A game of one player.

    Args:
        seed: Decides the world and the goals.
        goals: Items that can be asked for.
        size: Blocks along each side of the world.
        pixels: Pixels along each side of the picture; None chooses them by the time that pictures
            take.
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        goals: Sequence[str] = GOALS,
        size: int = 64,
        pixels: int | None = None,
    ) -> None:
        # The picture is drawn apart from the steps; the fan costs next to nothing.
        config = VoxelConfig(size=size, view="fan")
        self.world = VoxelWorld(1, seed=seed, config=config, masked_waits=True)
        self.game = SimonSays(
            self.world, SimonSaysConfig(goals=tuple(goals), bonus="none"), seed=seed
        )
        self.reward = 0.0
        self.solved = 0
        self.ended = 0
        self._goals = PersonalGoals(goals, seed)
        self._resolution = Resolution(SIDES if pixels is None else (pixels,))
        self._clock = 0
        self._messages = ["A new episode begins."]
        self._gained: list[list[Any]] = []
        state = self.world.state
        # The picture has a camera of its own, which can be ahead of the player's.
        self._seen = state.replaced(
            position=state.position.clone(), yaw=state.yaw.clone(), pitch=state.pitch.clone()
        )
        self._pictures: dict[int, Picture] = {}
        self._start()
        self._ask()

    @property
    def goal(self) -> str:
        """What is asked for."""
        return self.game.goals[int(self.game.goal)]

    @property
    def is_over(self) -> bool:
        """Whether the episode is over; the next step starts another."""
        return bool(self.game.terminated | self.game.truncated)

    def step(
        self,
        held: Collection[str] = (),
        turn: tuple[float, float] = (0.0, 0.0),
        special: str = "none",
    ) -> None:
        """Plays one step of 4 ticks; what is not allowed now is left out.

        Args:
            held: Names of the `CONTROLS` that are held down.
            turn: How far to look to the right and down [1/10 degree], from where the player last
                wanted to look.
            special: Name of a special action.

        Raises:
            ValueError: There is no such control or special action; nothing was played.
        """
        state = self.world.state
        action_of(held, {}, special)  # what is wrong is refused before the aim moves
        self._aim.turn(*turn)
        turns = self._aim.choices(int(state.yaw), int(state.pitch))
        action = action_of(held, turns, special)
        asked = self.goal
        held_before = state.inventory[0].clone()
        self._before = state.position.clone()
        self.game.step(torch.tensor([action], dtype=torch.int32))
        self.world.check()
        self.reward += float(self.game.reward)
        self.solved += int(self.game.task_succeeded)
        self.ended += int(self.game.task_over)
        is_new = bool(self.game.task_over | self.game.restarted)
        self._clock = 0 if is_new else self._clock + int(self.game.ticks)
        self._messages = self._told(asked)
        if bool(self.game.task_over):
            self._goals.record(asked, bool(self.game.task_succeeded))
        self._goals.see([name for name, _ in self._held()])
        if bool(self.game.restarted):
            self._start()
            self._gained = []
        else:
            self._gained = _named(state.inventory[0] - held_before)
        if is_new and not self.is_over:
            self._ask(after=asked)

    def skip(self) -> None:
        """Asks for another goal; takes no time.

        The task counts neither as solved nor as ended. The curriculum takes it for a failure, so
        that a goal comes more seldom the more often it is skipped.

        Raises:
            ValueError: The episode is over; nothing is asked for.
        """
        if self.is_over:
            raise ValueError("the episode is over; the next step begins another")
        asked = self.goal
        self._goals.record(asked, False)
        self._ask(after=asked)
        self._clock = 0
        self._gained = []
        self._messages = [f"Skipped: {_plain(asked)}."]

    def picture(self, turn: tuple[float, float] = (0.0, 0.0), between: float = 1.0) -> np.ndarray:
        """What the player sees, uint8, shape (pixels, pixels, 3).

        Args:
            turn: How far to look to the right and down, as for `step`; the player's own camera
                follows with the next steps.
            between: How much of the last step's way to show, from 0 to 1.
        """
        missing = 1.0 - min(1.0, max(0.0, between))
        self._aim.turn(*turn)
        state, seen = self.world.state, self._seen
        way = self._way()
        if float(way.norm()) > FARTHEST_GLIDE:
            missing = 0.0
        position = state.position - missing * way
        position[:, ::2] %= self.world.config.size
        seen.position.copy_(position)
        seen.yaw.fill_(round(self._aim.yaw) % 3600)
        seen.pitch.fill_(round(self._aim.pitch))
        side = self._resolution.side
        if side not in self._pictures:
            self._pictures[side] = Picture(seen, self.world.config, size=side)
        begun = time.perf_counter()
        picture = self._pictures[side].draw()
        self._resolution.took(time.perf_counter() - begun)
        return picture

    def status(self) -> dict[str, Any]:
        """What the page tells the player, as JSON types."""
        state = self.world.state
        left = self.game.config.task_ticks - self._clock
        return {
            "goal": self.goal,
            "hint": self._hint(),
            "seconds_left": left / TICKS_PER_SECOND,
            "reward": self.reward,
            "solved": self.solved,
            "ended": self.ended,
            "over": self.is_over,
            "messages": self._messages,
            "gained": self._gained,
            "step": int(state.step),
            "health": int(state.health) / 1000,
            "food": int(state.food),
            "air": int(state.air) / TICKS_PER_SECOND,
            "experience": int(state.experience),
            "hand": self._hand(),
            "inventory": self._held(),
            "actions": self._allowed(),
            "settled": self._is_settled(),
            **self._surroundings(),
        }

    def _ask(self, after: str | None = None) -> None:
        """Asks for what the person's curriculum draws, in place of what the game drew."""
        drawn = self.game.goals.index(self._goals.draw(after))
        self.game.ask_for(torch.full_like(self.game.goal, drawn))

    def _hint(self) -> dict[str, Any]:
        state = self.world.state
        holdings = Holdings(
            inventory=state.inventory[0].numpy(),
            stations=frozenset(self._near()),
            burn=int(state.burn),
        )
        hint = hint_for(self.goal, holdings, self._hand())
        parts = [[part.name, part.need, part.have] for part in hint.parts]
        return {"how": hint.how, "parts": parts, "next": hint.next}

    def _held(self) -> list[list[Any]]:
        return _named(self.world.state.inventory[0])

    def _hand(self) -> str:
        hand = int(self.world.state.hand)
        return ITEMS[hand] if hand >= 0 else ""

    def _near(self) -> list[str]:
        near = int(self.world.state.near)
        return [name for bit, name in STATIONS.items() if near & bit]

    def _start(self) -> None:
        """The player looks where the new episode makes it look."""
        state = self.world.state
        self._aim = Aim(int(state.yaw), int(state.pitch))
        self._before = state.position.clone()

    def _way(self) -> torch.Tensor:
        """The way of the last step, the shorter one around the world, shape (1, 3) [blocks]."""
        size = self.world.config.size
        way = self.world.state.position - self._before
        way[:, ::2] = (way[:, ::2] + size / 2) % size - size / 2
        return way

    def _is_settled(self) -> bool:
        """Whether the camera has come to where it shall be, and the player to rest."""
        state = self.world.state
        turns = self._aim.choices(int(state.yaw), int(state.pitch))
        return not any(turns.values()) and float(self._way().norm()) < AT_REST

    def _allowed(self) -> list[str]:
        first = FIRST_CHOICE[Component.SPECIAL]
        mask = self.world.action_mask[0, first : first + len(SPECIALS)].tolist()
        allowed = [action for action, can in zip(SPECIALS, mask, strict=True) if can]
        offered = sorted(
            (action for action in allowed if action.kind != Special.NONE),
            key=lambda action: KINDS.index(action.kind) if action.kind in KINDS else len(KINDS),
        )
        return [action.name for action in offered]

    def _surroundings(self) -> dict[str, Any]:
        state = self.world.state
        x, y, z = state.position[0].tolist()
        place = int(state.looked_at)
        looked_at = "" if place < 0 else Block(int(state.blocks.view(-1)[place])).name.lower()
        # Tick 0 is six in the morning.
        minutes = (int(state.time) * 60 // 1000 + 6 * 60) % (24 * 60)
        return {
            "position": [x, y, z],
            "yaw": int(state.yaw),
            "pitch": int(state.pitch),
            "looked_at": looked_at,
            "dug": float(state.dug),
            "near": self._near(),
            "biome": Biome(int(state.biome[0, int(x), int(z)])).name.lower(),
            "time": f"{minutes // 60:02}:{minutes % 60:02}",
        }

    def _told(self, asked: str) -> list[str]:
        """What came of the step, in words."""
        game = self.game
        if bool(game.restarted):
            return ["A new episode begins."]
        told = []
        if bool(game.task_succeeded):
            told.append(f"Well done: you have got {_plain(asked)}.")
        elif bool(game.task_over) and not bool(self.world.died):
            told.append(f"Failed: no {_plain(asked)} in time.")
        if bool(self.world.died):
            told.append("You died.")
        if self.is_over:
            told.append("The episode is over.")
        return told


def _named(counts: torch.Tensor) -> list[list[Any]]:
    """Names and counts of the items whose count is above 0."""
    return [[ITEMS[item], count] for item, count in enumerate(counts.tolist()) if count > 0]


def _plain(name: str) -> str:
    return name.replace("_", " ")
