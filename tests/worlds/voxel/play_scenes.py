"""Hand-made situations in the voxel world: build, play by name, read.

The land is flat: grass at height 63, so that players stand at 64, in the middle of 16 x 16 blocks.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from lapis.minecraft.blocks import Block
from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.tools import TOOLS
from lapis.worlds.voxel.actions import (
    CAMERA_ANGLES,
    FIRST_CHOICE,
    SPECIAL,
    SPECIALS,
    Component,
)
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.world import VoxelWorld

# A scale of its own, so that hand-computed numbers do not hang on the defaults.
SMALL = VoxelConfig(size=16, height=80, view="fan", fan_view_distance=8, channel_ticks=100)
GROUND = 64
"""Height of the feet of who stands on the land."""
TOOL = {name: index for index, name in enumerate(TOOLS)}

CHOICES = {
    Component.ATTACK: ("none", "attack", "channel"),
    Component.WALK: ("none", "forward", "back"),
    Component.STRAFE: ("none", "left", "right"),
    Component.JUMP: ("none", "jump"),
    Component.GAIT: ("none", "sneak", "sprint"),
    Component.USE: ("none", "use"),
}


class Scene:
    """A batch whose worlds are all set alike; tests read the first, statistics read all."""

    def __init__(
        self,
        *,
        world_count: int = 1,
        config: VoxelConfig = SMALL,
        seed: int = 0,
        device: str = "cpu",
        inventory: dict[str, int] | None = None,
        hand: str | None = None,
        **state: Any,
    ):
        self.world = VoxelWorld(world_count, seed=seed, device=device, config=config)
        self.size, self.height = config.size, config.height
        now = self.world.state
        now.blocks.zero_()
        now.blocks[..., 0] = Block.BEDROCK
        now.blocks[..., 1:60] = Block.STONE
        now.blocks[..., 60:63] = Block.DIRT
        now.blocks[..., 63] = Block.GRASS
        now.yaw.zero_()
        now.pitch.zero_()
        now.velocity.zero_()
        now.on_ground.fill_(1)
        self.set(position=(8.5, GROUND, 8.5))
        self.set(inventory=inventory, hand=hand, **state)

    def set(
        self,
        *,
        inventory: dict[str, int] | None = None,
        hand: str | None = None,
        position: tuple[float, float, float] | None = None,
        wear: dict[str, int] | None = None,
        **state: Any,
    ) -> None:
        """Sets what is named; who is put somewhere has not fallen yet."""
        now = self.world.state
        for name, count in (inventory or {}).items():
            now.inventory[:, ITEM[name]] = count
        if hand is not None:
            now.hand.fill_(ITEM[hand])
            now.inventory[:, ITEM[hand]].clamp_(min=1)
        if position is not None:
            now.position[:] = torch.tensor(position, device=now.position.device)
            now.fall_from.fill_(position[1])
        for name, uses in (wear or {}).items():
            now.wear[:, TOOL[name]] = uses
        for name, value in state.items():
            tensor = getattr(now, name)
            tensor[:] = torch.as_tensor(value, dtype=tensor.dtype, device=tensor.device)
        self.refresh()

    def build(self, blocks: dict[tuple[int, int, int], Block]) -> None:
        """Puts blocks at x, y, z."""
        for (x, y, z), block in blocks.items():
            self.world.state.blocks[:, x % self.size, z % self.size, y] = int(block)
        self.refresh()

    def fill(self, x: slice, y: slice, z: slice, block: Block) -> None:
        self.world.state.blocks[:, x, z, y] = int(block)
        self.refresh()

    def refresh(self) -> None:
        """Makes everything that follows from blocks and player fit them."""
        now = self.world.state
        blocks = now.blocks.cpu().numpy()
        for name, summary in summaries(blocks).items():
            getattr(now, name).copy_(torch.from_numpy(summary))
        cells = blocks.reshape(len(blocks), -1)
        _list_places((cells == Block.CRAFTING_TABLE) | (cells == Block.FURNACE), now.station)
        now.station_count.copy_((now.station >= 0).sum(dim=1))
        _list_places(cells == Block.TORCH, now.torch)
        now.torch_count.copy_((now.torch >= 0).sum(dim=1))
        self.world.load_state_dict(self.world.state_dict())

    def play(self, *keys: str, times: int = 1, **turns: int) -> int:
        """Plays a step with these keys, special actions and turns; returns the ticks."""
        action = self.action(*keys, **turns)
        ticks = 0
        for _ in range(times):
            self.world.step(action)
            self.world.check()
            ticks += self.get("ticks")
        return ticks

    def action(self, *keys: str, pitch: int = 0, yaw: int = 0) -> torch.Tensor:
        """An action of named keys and special actions, with turns of the camera [1/10 degree]."""
        row = [0] * len(Component)
        row[Component.PITCH] = CAMERA_ANGLES.index(pitch)
        row[Component.YAW] = CAMERA_ANGLES.index(yaw)
        for key in keys:
            if key in SPECIAL:
                row[Component.SPECIAL] = SPECIAL[key]
            else:
                component = next(c for c, names in CHOICES.items() if key in names[1:])
                row[component] = CHOICES[component].index(key)
        action = torch.tensor([row] * self.world.world_count, dtype=torch.int32)
        return action.to(self.world.device)

    def allows(self, key: str) -> bool:
        return bool(self.world.action_mask[:, mask_column(key)].all())

    def allowed(self) -> set[str]:
        """The special actions that would succeed in the first world."""
        row = self.world.action_mask[0, FIRST_CHOICE[Component.SPECIAL] :].tolist()
        return {s.name for s, can in zip(SPECIALS, row, strict=True) if can} - {"none"}

    def at(self, x: int, y: int, z: int) -> Block:
        return Block(int(self.world.state.blocks[0, x % self.size, z % self.size, y]))

    def place(self, x: int, y: int, z: int) -> int:
        return ((x % self.size) * self.size + z % self.size) * self.height + y

    def count(self, item: str) -> int:
        return int(self.world.inventory[0, ITEM[item]])

    def held(self) -> dict[str, int]:
        row = self.world.inventory[0].tolist()
        return {item: count for item, count in zip(ITEMS, row, strict=True) if count}

    def get(self, name: str) -> Any:
        return getattr(self.world.state, name)[0].tolist()

    def all(self, name: str) -> np.ndarray:
        return getattr(self.world.state, name).cpu().numpy().copy()

    @property
    def x(self) -> float:
        return self.get("position")[0]

    @property
    def y(self) -> float:
        return self.get("position")[1]

    @property
    def z(self) -> float:
        return self.get("position")[2]


def _list_places(found: np.ndarray, listed: torch.Tensor) -> None:
    """Writes the places that are found in each world, -1 for the rest."""
    listed.fill_(-1)
    rows, places = np.nonzero(found)
    slots = np.arange(len(rows)) - np.searchsorted(rows, rows)
    listed[torch.from_numpy(rows), torch.from_numpy(slots)] = torch.from_numpy(places).to(listed)


def mask_column(key: str) -> int:
    if key in SPECIAL:
        return FIRST_CHOICE[Component.SPECIAL] + SPECIAL[key]
    component = next(c for c, names in CHOICES.items() if key in names[1:])
    return FIRST_CHOICE[component] + CHOICES[component].index(key)


def summaries(blocks: np.ndarray) -> dict[str, np.ndarray]:
    """`top`, `bricks` and `ceiling` as they must be for these blocks."""
    count, size, _, height = blocks.shape
    filled = blocks != Block.AIR
    top = np.where(filled.any(axis=3), height - filled[..., ::-1].argmax(axis=3), 0)
    cubes = filled.reshape(count, size // 4, 4, size // 4, 4, height // 4, 4)
    return {
        "top": top.astype(np.uint8),
        "bricks": cubes.any(axis=(2, 4, 6)).astype(np.uint8),
        "ceiling": (top.max(axis=(1, 2)) + 3) // 4,
    }
