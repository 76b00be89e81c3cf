"""Everything that changes in the tech-tree world, as flat arrays with the world first."""

from __future__ import annotations

from dataclasses import dataclass, fields

import torch
import warp as wp
from torch import Tensor

from lapis.minecraft.items import ITEMS
from lapis.worlds.batch import BatchState
from lapis.worlds.techtree.actions import ACTIONS, TOOL_ITEMS, Reach


@wp.struct
class Pack:
    """What the player holds."""

    inventory: wp.array2d[int]
    wear: wp.array2d[int]
    hand: wp.array[int]


@wp.struct
class Spot:
    """Where the player is, what is in reach there, and what is done to it."""

    biome: wp.array[int]
    height: wp.array[int]
    in_cave: wp.array[int]
    reach: wp.array2d[int]
    target: wp.array[int]
    dug: wp.array[int]
    burn: wp.array[int]


@wp.struct
class Body:
    """How the player fares."""

    health: wp.array[int]
    food: wp.array[int]
    saturation: wp.array[int]
    exhaustion: wp.array[int]
    body_timer: wp.array[int]


@wp.struct
class Game:
    """How far the episode is, and what the step has done so far."""

    episode: wp.array[int]
    step: wp.array[int]
    chance: wp.array[int]
    chosen: wp.array[int]
    arrived: wp.array[int]
    damage: wp.array[int]
    ticks: wp.array[int]
    fault: wp.array[int]
    died: wp.array[wp.bool]


@dataclass(frozen=True)
class State(BatchState):
    """Tensors, int32 unless said otherwise; W = worlds.

    inventory      (W, item)   items held
    wear           (W, tool)   uses of the tool in use, of each kind of tool
    hand           (W,)        tool index of what is in hand, -1: nothing
    biome          (W,)
    height         (W,)        y of the player [blocks]
    in_cave        (W,)        1 where the spot is part of a cave
    reach          (W, reach)  blocks of each kind in reach, placed stations included
    target         (W,)        kind of block that is being dug, -1: none
    dug            (W,)        ticks of digging on it
    burn           (W,)        ticks that the fire of the furnace has left
    health         (W,)        [1/1000 points], full 20,000
    food           (W,)        [points], full 20
    saturation     (W,)        [1/1000 points]
    exhaustion     (W,)        [1/1000 points]
    body_timer     (W,)        ticks since the last healing or starving
    episode        (W,)        episodes begun
    step           (W,)        actions played in the episode
    chance         (W,)        hash of seed, world, episode and step
    chosen         (W,)        the action in play, -1: none
    arrived        (W,)        1 where the step led to a new spot
    damage         (W,)        harm taken in the step [1/1000 points]
    ticks          (W,)        game ticks that the step took
    fault          (W,)        bits of `Fault`
    died           (W,)        bool
    mask           (W, action) bool, what can be done now
    """

    structs = (Pack, Spot, Body, Game)
    inventory: Tensor
    wear: Tensor
    hand: Tensor
    biome: Tensor
    height: Tensor
    in_cave: Tensor
    reach: Tensor
    target: Tensor
    dug: Tensor
    burn: Tensor
    health: Tensor
    food: Tensor
    saturation: Tensor
    exhaustion: Tensor
    body_timer: Tensor
    episode: Tensor
    step: Tensor
    chance: Tensor
    chosen: Tensor
    arrived: Tensor
    damage: Tensor
    ticks: Tensor
    fault: Tensor
    died: Tensor
    mask: Tensor

    @classmethod
    def allocate(cls, world_count: int, device: torch.device) -> State:
        """All zeros."""
        widths = {
            "inventory": len(ITEMS),
            "wear": len(TOOL_ITEMS),
            "reach": len(Reach),
            "mask": len(ACTIONS),
        }
        tensors = {}
        for field in fields(cls):
            width = widths.get(field.name)
            shape = (world_count,) if width is None else (world_count, width)
            dtype = torch.bool if field.name in ("died", "mask") else torch.int32
            tensors[field.name] = torch.zeros(shape, dtype=dtype, device=device)
        return cls(**tensors)
