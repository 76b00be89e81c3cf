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
from lapis.play.hints import hint_for
from lapis.play.story import PersonalGame
from lapis.play.voxel.controls import FULL_TURN, Aim, action_of
from lapis.play.voxel.resolution import SIDES, Resolution
from lapis.simonsays import words
from lapis.worlds.voxel.actions import FIRST_CHOICE, SPECIALS, Component, Special
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.expert.senses import Senses
from lapis.worlds.voxel.view import Picture
from lapis.worlds.voxel.world import VoxelWorld

KINDS = (Special.CRAFT, Special.SMELT, Special.EQUIP, Special.PLACE)
"""Special actions in the order in which they are offered: who types `planks` wants to make them."""
AT_REST = 0.01
"""Who moves less than this in a step stands [blocks]."""
FARTHEST_GLIDE = 4.0
"""A longer way in one step is no walk, and is not shown as one [blocks]."""


class Session(PersonalGame):
    """A game of one player, in a world with `size` blocks along each side.

    Without `pixels`, those along each side of the picture, the time that pictures take decides.
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
        super().__init__(self.world, goals, seed)
        self._senses = Senses(self.world, 0)
        self._resolution = Resolution(SIDES if pixels is None else (pixels,))
        state = self.world.state
        # The picture has a camera of its own, which can be ahead of the player's.
        self._seen = state.replaced(
            position=state.position.clone(), yaw=state.yaw.clone(), pitch=state.pitch.clone()
        )
        self._pictures: dict[int, Picture] = {}
        self._start()

    def step(
        self,
        held: Collection[str] = (),
        turn: tuple[float, float] = (0.0, 0.0),
        special: str = "none",
    ) -> None:
        """Plays one step of 4 ticks with `CONTROLS` held down; what is not allowed is left out.

        `turn` is how far to look to the right and down [1/10 degree], from where the player last
        wanted to look.

        Raises:
            ValueError: There is no such control or special action; nothing was played.
        """
        state = self.world.state
        action_of(held, {}, special)  # what is wrong is refused before the aim moves
        self._aim.turn(*turn)
        turns = self._aim.choices(int(state.yaw), int(state.pitch))
        self._before = state.position.clone()
        self.take(torch.tensor([action_of(held, turns, special)], dtype=torch.int32))
        if self.game.restarted:
            self._start()

    def picture(self, turn: tuple[float, float] = (0.0, 0.0), between: float = 1.0) -> np.ndarray:
        """What the player sees, uint8, shape (pixels, pixels, 3).

        `turn` is as for `step`; the player's own camera follows with the next steps. `between` is
        how much of the last step's way to show, from 0 to 1.
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
        seen.yaw.fill_(round(self._aim.yaw) % FULL_TURN)
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
        hand = self._senses.hand or ""
        hint = hint_for(self.goal, self._senses.holdings(), hand)
        return {
            "goal": self.goal,
            "hint": {**hint._asdict(), "parts": [list(part) for part in hint.parts]},
            "seconds_left": words.seconds_left(self.game),
            "reward": self.reward,
            "solved": self.solved,
            "ended": self.ended,
            "over": self.is_over,
            "messages": self.messages,
            "gained": self.gained(),
            "step": int(state.step),
            "health": int(state.health) / 1000,
            "food": int(state.food),
            "air": int(state.air) / words.TICKS_PER_SECOND,
            "experience": int(state.experience),
            "hand": hand,
            "inventory": [list(pair) for pair in self.held()],
            "actions": self._allowed(),
            "settled": self._is_settled(),
            **self._surroundings(),
        }

    def _start(self) -> None:
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
            "near": sorted(self._senses.holdings().stations),
            "biome": Biome(int(state.biome[0, int(x), int(z)])).name.lower(),
            "time": f"{minutes // 60:02}:{minutes % 60:02}",
        }
