"""Everything that changes in the tech-tree world, as flat arrays with the world first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
import warp as wp
from torch import Tensor

from lapis.minecraft.biomes import Biome
from lapis.minecraft.digging import DIG_TICKS
from lapis.minecraft.items import ITEMS
from lapis.minecraft.tools import DURABILITY
from lapis.worlds.batch import BatchState
from lapis.worlds.fault import Fault
from lapis.worlds.limits import ANY_WORD, COUNTED, FLAG, Limit, check_held, whole
from lapis.worlds.techtree.actions import ACTIONS, REACH_BLOCK, TOOL_ITEMS, Reach
from lapis.worlds.techtree.config import LEVEL_BLOCKS, LOWEST, SURFACE


@wp.struct
class Pack:
    """What the player holds."""

    inventory: wp.array2d[int]  # (W, item) items held
    wear: wp.array2d[int]  # (W, tool) uses of the tool in use, of each kind of tool
    hand: wp.array[int]  # tool index of what is in hand, -1: nothing


@wp.struct
class Spot:
    """Where the player is, what is in reach there, and what is done to it."""

    biome: wp.array[int]
    height: wp.array[int]  # y of the player [blocks]
    in_cave: wp.array[int]  # 1 where the spot is part of a cave
    reach: wp.array2d[int]  # (W, reach) blocks of each kind in reach, placed stations included
    target: wp.array[int]  # kind of block that is being dug, -1: none
    dug: wp.array[int]  # ticks of digging on it
    burn: wp.array[int]  # ticks that the fire of the furnace has left


@wp.struct
class Body:
    """How the player fares."""

    health: wp.array[int]  # [1/1000 points], full 20,000
    food: wp.array[int]  # [points], full 20
    saturation: wp.array[int]  # [1/1000 points]
    exhaustion: wp.array[int]  # [1/1000 points]
    body_timer: wp.array[int]  # ticks since the last healing or starving


@wp.struct
class Game:
    """How far the episode is, and what the step has done so far."""

    episode: wp.array[int]  # episodes begun
    step: wp.array[int]  # actions played in the episode
    chance: wp.array[int]  # hash of seed, world, episode and step
    chosen: wp.array[int]  # the action in play, -1: none
    arrived: wp.array[int]  # 1 where the step led to a new spot
    damage: wp.array[int]  # harm taken in the step [1/1000 points]
    ticks: wp.array[int]  # game ticks that the step took
    fault: wp.array[int]  # bits of `Fault`
    died: wp.array[wp.bool]


class State(BatchState):
    """The fields of all structs as tensors, and `mask`: (W, action), what can be done now.

    W = worlds.
    """

    structs = (Pack, Spot, Body, Game)

    @staticmethod
    def shapes(config: Any) -> dict[str, tuple[int, ...]]:
        """Of all worlds alike."""
        return {
            "inventory": (len(ITEMS),),
            "wear": (len(TOOL_ITEMS),),
            "reach": (len(Reach),),
            "mask": (len(ACTIONS),),
        }

    @staticmethod
    def limits(config: Any) -> dict[str, Limit]:
        """Of all worlds alike."""
        return {
            "inventory": COUNTED,
            "wear": whole(0, int(DURABILITY.max())),
            "hand": whole(-1, len(TOOL_ITEMS) - 1),
            "biome": whole(0, len(Biome) - 1),
            "height": range(LOWEST, SURFACE + 1, LEVEL_BLOCKS),
            "in_cave": FLAG,
            "reach": COUNTED,
            "target": whole(-1, len(Reach) - 1),
            # More would gain time to dig with.
            "dug": whole(0, int(DIG_TICKS[list(REACH_BLOCK)].max())),
            "burn": COUNTED,
            "health": whole(0, 20000),
            "food": whole(0, 20),
            "saturation": whole(0, 20000),
            "exhaustion": whole(0, 40000),
            "body_timer": COUNTED,
            "episode": COUNTED,
            "step": COUNTED,
            "chance": ANY_WORD,
            "chosen": whole(-1, len(ACTIONS) - 1),
            "arrived": FLAG,
            "damage": COUNTED,
            "ticks": COUNTED,
            "fault": whole(0, sum(Fault)),
            "died": FLAG,
            "mask": FLAG,
        }

    @staticmethod
    def check_together(given: Mapping[str, Tensor]) -> None:
        """The tool in hand must be held."""
        hand, inventory = given["hand"], given["inventory"]
        item = torch.tensor((*TOOL_ITEMS, -1), dtype=torch.int32, device=hand.device)
        check_held(item[hand.long()], inventory)
