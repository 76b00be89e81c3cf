"""Everything that changes in the voxel worlds, as arrays with the world first."""

from __future__ import annotations

from collections.abc import Mapping

import warp as wp
from torch import Tensor

from lapis.bounds import SHARE
from lapis.minecraft.biomes import Biome
from lapis.minecraft.blocks import Block
from lapis.minecraft.items import ITEMS
from lapis.minecraft.tools import DURABILITY, TOOLS
from lapis.worlds.batch import BatchState
from lapis.worlds.fault import Fault
from lapis.worlds.limits import ANY_WORD, COUNTED, FLAG, Limit, below, check_held, whole, within
from lapis.worlds.voxel.actions import ACTION_SIZES, OFF_HAND_ITEMS, TOOL_ITEMS
from lapis.worlds.voxel.config import VoxelConfig

TORCHES = 32
"""Torches of a world that give light; a new one takes the place of the oldest."""
STATIONS = 64
"""Crafting tables and furnaces that can stand in a world at the same time."""
_SKY = 256
"""How far above the highest block a body may be [blocks]; jumps reach 1.3."""
_MOST_SPEED = 4.0
"""Falls do not get faster than 3.92 [blocks per tick]; bodies go around the torus once at most."""


@wp.struct
class Grid:
    """The blocks, and what a world remembers of them."""

    blocks: wp.array4d[wp.uint8]  # (W, S, S, H) `Block` at x, z, y; y lies contiguous
    top: wp.array3d[wp.uint8]  # (W, S, S) y above the highest block of the column that is not air
    bricks: wp.array4d[wp.uint8]  # (W, S/4, S/4, H/4) 1 where a cube of 4^3 may hold anything
    ceiling: wp.array[int]  # layers of bricks, counted from below, that may hold anything
    biome: wp.array3d[wp.uint8]  # (W, S, S) `Biome` of the column
    torch: wp.array2d[int]  # (W, TORCHES) place of a torch, -1: none (see grid.place_of)
    torch_count: wp.array[int]  # torches ever placed
    station: wp.array2d[int]  # (W, STATIONS) places of tables and furnaces, the first ones valid
    station_count: wp.array[int]  # how many stand


@wp.struct
class Body:
    """Where the player is, how it moves, and how it fares."""

    position: wp.array[wp.vec3]  # (W, 3) x y z of the feet [blocks]; 0 <= x, z < S
    velocity: wp.array[wp.vec3]  # (W, 3) [blocks per tick]
    yaw: wp.array[int]  # [1/10 degree], 0 ... 3599; 0 looks to +z, 900 to -x
    pitch: wp.array[int]  # [1/10 degree], -900 (up) ... 900 (down)
    on_ground: wp.array[int]  # 1 where the player stands on something
    fall_from: wp.array[float]  # highest y since the player last stood [blocks]
    health: wp.array[int]  # [1/1000 points], full 20,000
    food: wp.array[int]  # [points], full 20
    saturation: wp.array[int]  # [1/1000 points]
    exhaustion: wp.array[int]  # [1/1000 points]
    body_timer: wp.array[int]  # ticks since the last healing or starving
    air: wp.array[int]  # ticks of breath left, full 300
    fire: wp.array[int]  # ticks that the player goes on burning
    hurt: wp.array[int]  # ticks of immunity left
    hurt_by: wp.array[int]  # damage against which there is immunity [1/1000 points]


@wp.struct
class Pack:
    """What the player holds and has gained."""

    inventory: wp.array2d[int]  # (W, item) items held
    wear: wp.array2d[int]  # (W, tool) uses of the tool in use, of each kind of tool
    hand: wp.array[int]  # item in the main hand, -1: nothing
    off_hand: wp.array[int]  # item in the off hand, -1: nothing
    burn: wp.array[int]  # ticks that are left of the last fuel
    experience: wp.array[int]  # points


@wp.struct
class Sight:
    """The block under the crosshair, the one that is being dug, and stations nearby."""

    target: wp.array[int]  # place of the block that is being dug, -1: none
    dug: wp.array[float]  # share of it that is dug
    looked_at: wp.array[int]  # place of the block under the crosshair within reach, -1: none
    looked_face: wp.array[int]  # its face that is hit: 0 -x, 1 +x, 2 -y, 3 +y, 4 -z, 5 +z
    near: wp.array[int]  # bits: 1 a crafting table, 2 a furnace within 5 blocks


@wp.struct
class Game:
    """How far the episode is."""

    time: wp.array[int]  # ticks of the day, 0 ... 23999; 6000 is noon
    episode: wp.array[int]  # episodes begun
    step: wp.array[int]  # steps played in the episode
    chance: wp.array[int]  # hash of seed, world, episode and step
    ticks: wp.array[int]  # game ticks that the last step took
    fault: wp.array[int]  # bits of `Fault`
    died: wp.array[wp.bool]


class State(BatchState):
    """The fields of all structs as tensors, and `mask`: (W, choice), what can be done now.

    W = worlds, S = size, H = height.
    """

    structs = (Grid, Body, Pack, Sight, Game)

    @staticmethod
    def shapes(config: VoxelConfig) -> dict[str, tuple[int, ...]]:
        """By the size of the worlds."""
        size, height = config.size, config.height
        return {
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

    @staticmethod
    def limits(config: VoxelConfig) -> dict[str, Limit]:
        """By the size of the worlds."""
        size, height = config.size, config.height
        place = whole(-1, size * size * height - 1)
        return {
            "blocks": whole(0, len(Block) - 1),
            "top": whole(0, height),
            "bricks": FLAG,
            "ceiling": whole(0, height // 4),
            "biome": whole(0, len(Biome) - 1),
            "torch": place,
            "torch_count": COUNTED,
            "station": place,
            "station_count": whole(0, STATIONS),
            "position": {"x": below(size), "y": below(height + _SKY), "z": below(size)},
            "velocity": within(_MOST_SPEED),
            "yaw": whole(0, 3599),
            "pitch": whole(-900, 900),
            "on_ground": FLAG,
            "fall_from": within(2 * height + _SKY),
            "health": whole(0, 20000),
            "food": whole(0, 20),
            "saturation": whole(0, 20000),
            "exhaustion": whole(0, 40000),
            "body_timer": COUNTED,
            "air": whole(-20, 300),
            "fire": COUNTED,
            "hurt": COUNTED,
            "hurt_by": COUNTED,
            "inventory": COUNTED,
            "wear": whole(0, int(DURABILITY.max())),
            "hand": (-1, *TOOL_ITEMS),
            "off_hand": (-1, *OFF_HAND_ITEMS),
            "burn": COUNTED,
            "experience": COUNTED,
            "target": place,
            "dug": SHARE,
            "looked_at": place,
            "looked_face": whole(0, 5),
            "near": whole(0, 3),
            "time": whole(0, 23999),
            "episode": COUNTED,
            "step": COUNTED,
            "chance": ANY_WORD,
            "ticks": COUNTED,
            "fault": whole(0, sum(Fault)),
            "died": FLAG,
            "mask": FLAG,
        }

    @staticmethod
    def check_together(given: Mapping[str, Tensor]) -> None:
        """The tool in hand must be held."""
        check_held(given["hand"], given["inventory"])
