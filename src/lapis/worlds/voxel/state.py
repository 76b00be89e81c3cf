"""Everything that changes in the voxel worlds, as arrays with the world first."""

from __future__ import annotations

from dataclasses import dataclass, fields

import torch
import warp as wp
from torch import Tensor

from lapis.minecraft.items import ITEMS
from lapis.minecraft.tools import TOOLS
from lapis.worlds.batch import BatchState
from lapis.worlds.voxel.actions import ACTION_SIZES
from lapis.worlds.voxel.config import VoxelConfig

TORCHES = 32
"""Torches of a world that give light; a new one takes the place of the oldest."""
STATIONS = 64
"""Crafting tables and furnaces that can stand in a world at the same time."""


@wp.struct
class Grid:
    """The blocks, and what a world remembers of them."""

    blocks: wp.array4d[wp.uint8]
    top: wp.array3d[wp.uint8]
    bricks: wp.array4d[wp.uint8]
    ceiling: wp.array[int]
    biome: wp.array3d[wp.uint8]
    torch: wp.array2d[int]
    torch_count: wp.array[int]
    station: wp.array2d[int]
    station_count: wp.array[int]


@wp.struct
class Body:
    """Where the player is, how it moves, and how it fares."""

    position: wp.array[wp.vec3]
    velocity: wp.array[wp.vec3]
    yaw: wp.array[int]
    pitch: wp.array[int]
    on_ground: wp.array[int]
    fall_from: wp.array[float]
    health: wp.array[int]
    food: wp.array[int]
    saturation: wp.array[int]
    exhaustion: wp.array[int]
    body_timer: wp.array[int]
    air: wp.array[int]
    fire: wp.array[int]
    hurt: wp.array[int]
    hurt_by: wp.array[int]


@wp.struct
class Pack:
    """What the player holds and has gained."""

    inventory: wp.array2d[int]
    wear: wp.array2d[int]
    hand: wp.array[int]
    off_hand: wp.array[int]
    burn: wp.array[int]
    experience: wp.array[int]


@wp.struct
class Sight:
    """The block under the crosshair, the one that is being dug, and stations nearby."""

    target: wp.array[int]
    dug: wp.array[float]
    looked_at: wp.array[int]
    looked_face: wp.array[int]
    near: wp.array[int]


@wp.struct
class Game:
    """How far the episode is."""

    time: wp.array[int]
    episode: wp.array[int]
    step: wp.array[int]
    chance: wp.array[int]
    ticks: wp.array[int]
    fault: wp.array[int]
    died: wp.array[wp.bool]


@dataclass(frozen=True)
class State(BatchState):
    """Tensors, int32 unless said otherwise; W = worlds, S = size, H = height.

    blocks         (W, S, S, H) uint8  `Block` at x, z, y; y lies contiguous
    top            (W, S, S)    uint8  y above the highest block of the column that is not air
    bricks         (W, S/4, S/4, H/4) uint8  1 where a cube of 4 x 4 x 4 may hold anything but air
    ceiling        (W,)         layers of bricks, counted from below, that may hold anything
    biome          (W, S, S)    uint8  `Biome` of the column
    torch          (W, TORCHES) place of a torch, -1: none (see grid.place_of)
    torch_count    (W,)         torches ever placed
    station        (W, STATIONS) places of the tables and furnaces that stand, the first ones valid
    station_count  (W,)         how many of them stand
    position       (W, 3)       float32, x y z of the feet [blocks]; 0 <= x, z < S
    velocity       (W, 3)       float32 [blocks per tick]
    yaw            (W,)         [1/10 degree], 0 ... 3599; 0 looks to +z, 900 to -x
    pitch          (W,)         [1/10 degree], -900 (up) ... 900 (down)
    on_ground      (W,)         1 where the player stands on something
    fall_from      (W,)         float32, highest y since the player last stood [blocks]
    inventory      (W, item)    items held
    wear           (W, tool)    uses of the tool in use, of each kind of tool
    hand           (W,)         item in the main hand, -1: nothing
    off_hand       (W,)         item in the off hand, -1: nothing
    target         (W,)         place of the block that is being dug, -1: none
    dug            (W,)         float32, share of it that is dug
    looked_at      (W,)         place of the block under the crosshair within reach, -1: none
    looked_face    (W,)         its face that is hit: 0 -x, 1 +x, 2 -y, 3 +y, 4 -z, 5 +z
    near           (W,)         bits: 1 a crafting table, 2 a furnace within 5 blocks
    burn           (W,)         ticks that are left of the last fuel
    health         (W,)         [1/1000 points], full 20,000
    food           (W,)         [points], full 20
    saturation     (W,)         [1/1000 points]
    exhaustion     (W,)         [1/1000 points]
    body_timer     (W,)         ticks since the last healing or starving
    air            (W,)         ticks of breath left, full 300
    fire           (W,)         ticks that the player goes on burning
    hurt           (W,)         ticks of immunity left
    hurt_by        (W,)         damage against which there is immunity [1/1000 points]
    experience     (W,)         points
    time           (W,)         ticks of the day, 0 ... 23999; 6000 is noon
    episode        (W,)         episodes begun
    step           (W,)         steps played in the episode
    chance         (W,)         hash of seed, world, episode and step
    ticks          (W,)         game ticks that the last step took
    fault          (W,)         bits of `Fault`
    died           (W,)         bool
    mask           (W, choice)  bool, what can be done now
    """

    structs = (Grid, Body, Pack, Sight, Game)
    blocks: Tensor
    top: Tensor
    bricks: Tensor
    ceiling: Tensor
    biome: Tensor
    torch: Tensor
    torch_count: Tensor
    station: Tensor
    station_count: Tensor
    position: Tensor
    velocity: Tensor
    yaw: Tensor
    pitch: Tensor
    on_ground: Tensor
    fall_from: Tensor
    inventory: Tensor
    wear: Tensor
    hand: Tensor
    off_hand: Tensor
    target: Tensor
    dug: Tensor
    looked_at: Tensor
    looked_face: Tensor
    near: Tensor
    burn: Tensor
    health: Tensor
    food: Tensor
    saturation: Tensor
    exhaustion: Tensor
    body_timer: Tensor
    air: Tensor
    fire: Tensor
    hurt: Tensor
    hurt_by: Tensor
    experience: Tensor
    time: Tensor
    episode: Tensor
    step: Tensor
    chance: Tensor
    ticks: Tensor
    fault: Tensor
    died: Tensor
    mask: Tensor

    @classmethod
    def allocate(cls, world_count: int, config: VoxelConfig, device: torch.device) -> State:
        """All zeros."""
        size, height = config.size, config.height
        shapes: dict[str, tuple[int, ...]] = {
            "blocks": (size, size, height),
            "top": (size, size),
            "bricks": (size // 4, size // 4, height // 4),
            "biome": (size, size),
            "torch": (TORCHES,),
            "station": (STATIONS,),
            "position": (3,),
            "velocity": (3,),
            "inventory": (len(ITEMS),),
            "wear": (len(TOOLS),),
            "mask": (sum(ACTION_SIZES),),
        }
        types: dict[str, torch.dtype] = dict.fromkeys(
            ("blocks", "top", "bricks", "biome"), torch.uint8
        )
        types |= dict.fromkeys(("position", "velocity", "fall_from", "dug"), torch.float32)
        types |= dict.fromkeys(("died", "mask"), torch.bool)
        return cls(
            **{
                field.name: torch.zeros(
                    (world_count, *shapes.get(field.name, ())),
                    dtype=types.get(field.name, torch.int32),
                    device=device,
                )
                for field in fields(cls)
            }
        )
