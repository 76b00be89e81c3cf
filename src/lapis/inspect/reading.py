"""What differs between the worlds: names, and where to look for hand, depth and attacks."""

# T = steps, W = worlds, K = action components, R = worlds that begin an episode
from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from lapis.minecraft.blocks import Block
from lapis.minecraft.items import ITEM
from lapis.worlds.techtree.actions import ACTIONS, TOOL_ITEMS, Kind
from lapis.worlds.techtree.config import LEVEL_BLOCKS, LEVEL_COUNT, SURFACE
from lapis.worlds.techtree.world import TechTreeWorld
from lapis.worlds.voxel.actions import SPECIALS, Component
from lapis.worlds.voxel.config import TICKS_PER_STEP
from lapis.worlds.voxel.world import VoxelWorld
from lapis.worlds.world import World

__all__ = ["Reading", "TechTreeReading", "VoxelReading", "items_of", "read_world"]


class TechTreeReading:
    """Depth is the level; an attack is a gathering."""

    components: tuple[str, ...] = ("action",)
    """Names of the components of an action."""
    choices = tuple(action.name for action in ACTIONS)
    """Names of the choices of the last component, such as `place torch` and `craft stick`."""
    bands: tuple[tuple[str, float], ...] = (
        ("surface", -np.inf),
        *(
            (f"{LEVEL_BLOCKS * level} blocks down", LEVEL_BLOCKS * level - 0.5)
            for level in range(1, LEVEL_COUNT)
        ),
    )
    """Bands of depth: name and least depth [blocks], from above."""
    idle_ticks = 0
    """What an attack takes that meets no block."""

    def __init__(self, world: TechTreeWorld) -> None:
        self.world = world
        self.longest_attack = world.config.attack_ticks
        """Ticks after which an attack on a block gives up."""
        # The last entry is for -1, the empty hand.
        self._item_of_tool = torch.tensor([*TOOL_ITEMS, -1], device=world.device)

    def attacks(self, action_TWK: np.ndarray) -> np.ndarray:
        """Whether an action is an attack, and nothing besides that could gain an item, bool."""
        gathers = np.array([action.kind == Kind.GATHER for action in ACTIONS])
        return gathers[action_TWK[..., 0]]

    def begin(self, restarted_W: Tensor) -> None:
        """Takes note of the land where a new episode has just begun; here it is flat."""

    def depth(self) -> Tensor:
        """Blocks between the ground and the player below it, float (world,)."""
        return (SURFACE - self.world.state.height).float()

    def hand(self) -> Tensor:
        """Item in hand, -1: nothing, int (world,)."""
        return self._item_of_tool[self.world.state.hand.long()]

    def set_item(self, state: dict[str, Any], item: int, held: bool) -> None:
        """Gives every world of a `state_dict` at least one of an item, or takes all away."""
        _set_item(state, item, held, TOOL_ITEMS.index(item) if item in TOOL_ITEMS else None)


class VoxelReading:
    """As `TechTreeReading`; depth is measured from the land as it was when the episode began.

    A shaft that is open to the sky is then as deep as any other, and a player under a tree stands
    on the ground: trees, plants and water are not part of it.
    """

    components: tuple[str, ...] = tuple(component.name.lower() for component in Component)
    choices = tuple(action.name for action in SPECIALS)
    bands: tuple[tuple[str, float], ...] = (
        ("surface", -np.inf),
        ("1 to 10 blocks down", 1.0),
        ("10 to 30 blocks down", 10.0),
        ("below", 30.0),
    )
    idle_ticks = TICKS_PER_STEP

    def __init__(self, world: VoxelWorld) -> None:
        self.world = world
        self.longest_attack = world.config.channel_ticks
        size = world.config.size
        self._is_ground = torch.tensor([_is_ground(block) for block in Block], device=world.device)
        self._ground_WXZ = torch.zeros(
            (world.world_count, size, size), dtype=torch.int16, device=world.device
        )
        self._row_W = torch.arange(world.world_count, device=world.device)

    def attacks(self, action_TWK: np.ndarray) -> np.ndarray:
        """Whether an action attacks and neither uses nor places nor makes anything."""
        others = action_TWK[..., Component.USE] + action_TWK[..., Component.SPECIAL]
        return (action_TWK[..., Component.ATTACK] > 0) & (others == 0)

    def begin(self, restarted_W: Tensor) -> None:
        """Measures the new land, layer by layer; asks the device which worlds there are."""
        row_R = restarted_W.nonzero()[:, 0]
        if len(row_R) == 0:
            return
        blocks_RXZY = self.world.state.blocks[row_R]
        ground_RXZ = torch.zeros_like(self._ground_WXZ[row_R])
        for y in range(blocks_RXZY.shape[3]):
            ground_RXZ.masked_fill_(self._is_ground[blocks_RXZY[..., y].int()], y + 1)
        self._ground_WXZ[row_R] = ground_RXZ

    def depth(self) -> Tensor:
        """Below the ground of the column in which the player is."""
        position = self.world.state.position
        cell = position.floor().long() % self.world.config.size
        return self._ground_WXZ[self._row_W, cell[:, 0], cell[:, 2]] - position[:, 1]

    def hand(self) -> Tensor:
        """Item in hand."""
        return self.world.state.hand

    def set_item(self, state: dict[str, Any], item: int, held: bool) -> None:
        """Gives an item or takes it away."""
        _set_item(state, item, held, item)


Reading = TechTreeReading | VoxelReading


def read_world(world: World) -> Reading:
    """The reading of a world; ValueError for a world of another kind."""
    if isinstance(world, VoxelWorld):
        return VoxelReading(world)
    if isinstance(world, TechTreeWorld):
        return TechTreeReading(world)
    raise ValueError(
        f"inspect cannot read {type(world).__name__}; it supports the worlds `techtree` and `voxel`"
    )


def items_of(choices: tuple[str, ...], *verbs: str) -> np.ndarray:
    """The item that each choice is about if it begins with one of these verbs, else -1, int."""
    parts = [choice.partition(" ") for choice in choices]
    return np.array([ITEM[item] if verb in verbs else -1 for verb, _, item in parts])


def _is_ground(block: Block) -> bool:
    plants = ("LOG", "LEAVES", "SAPLING", "FLOWER")
    others = (Block.AIR, Block.WATER, Block.TALL_GRASS, Block.CACTUS)
    return block not in others and not block.name.endswith(plants)


def _set_item(state: dict[str, Any], item: int, held: bool, in_hand: int | None) -> None:
    """Gives or takes an item; what is taken leaves the hands, in which it is `in_hand`."""
    inventory = state["inventory"] = state["inventory"].clone()
    inventory[:, item] = inventory[:, item].clamp(min=1) if held else 0
    for hand in ("hand", "off_hand"):
        if hand in state and in_hand is not None and not held:
            state[hand] = torch.where(state[hand] == in_hand, -1, state[hand])
