"""What the scripted player knows of its world: it reads the state of one row."""

from __future__ import annotations

import math

import numpy as np

from lapis.minecraft.blocks import SOLID, Block
from lapis.minecraft.digging import DIG_TICKS, HARVESTS
from lapis.minecraft.items import ITEM, ITEMS
from lapis.worlds.planning import PICKAXES, Holdings
from lapis.worlds.voxel.actions import FIRST_CHOICE, Component
from lapis.worlds.voxel.expert.geometry import EYE_HEIGHT, Torus, Vector
from lapis.worlds.voxel.world import VoxelWorld

HALF_WIDTH = 0.3
"""Of the body [blocks]."""
IS_SOLID: tuple[bool, ...] = tuple(bool(solid) for solid in SOLID)
_TUNNEL_ORDER = ("stone_pickaxe", "wooden_pickaxe", "iron_pickaxe", "diamond_pickaxe")
"""The cheapest first; a stone pickaxe costs nothing underground."""
_NEAR_BITS = {"crafting_table": 1, "furnace": 2}


def _number(name: str) -> property:
    return property(lambda senses: int(senses._state[name][senses._row]))


class Senses:
    """Reads one world of a batch on the CPU; always shows the state of now."""

    def __init__(self, world: VoxelWorld, row: int) -> None:
        if world.device.type != "cpu":
            raise ValueError(f"world is on {world.device}; the expert reads worlds on the CPU")
        state = world.state
        self.torus = Torus(world.config.size, world.config.height)
        self._row = row
        self.cells = state.blocks[row].numpy().reshape(-1).data
        """The blocks by place."""
        self._state = {name: tensor.numpy() for name, tensor in state.tensors().items()}

    def _int(self, name: str) -> int:
        return int(self._state[name][self._row])

    @property
    def position(self) -> Vector:
        """The feet."""
        x, y, z = self._state["position"][self._row].tolist()
        return x, y, z

    @property
    def velocity(self) -> Vector:
        """Blocks per tick."""
        x, y, z = self._state["velocity"][self._row].tolist()
        return x, y, z

    @property
    def eye(self) -> Vector:
        """Where the player looks from."""
        x, y, z = self.position
        return x, y + EYE_HEIGHT, z

    @property
    def feet(self) -> int:
        """The place of the cell in which the feet are."""
        x, y, z = self.position
        # Feet on the ground may be a rounding below it.
        return self.torus.place(math.floor(x), math.floor(y + 1e-3), math.floor(z))

    @property
    def stand(self) -> int:
        """The place above the block that carries the player: at an edge, not that of the feet."""
        x, y, z = self.position
        level = math.floor(y + 1e-3)
        columns = {
            (math.floor(x + dx), math.floor(z + dz))
            for dx in (-HALF_WIDTH, HALF_WIDTH)
            for dz in (-HALF_WIDTH, HALF_WIDTH)
        }
        carried = [
            (math.hypot(column_x + 0.5 - x, column_z + 0.5 - z), place)
            for column_x, column_z in columns
            if IS_SOLID[self.cells[(place := self.torus.place(column_x, level, column_z)) - 1]]
        ]
        return min(carried)[1] if carried and self.on_ground else self.feet

    yaw = _number("yaw")
    """[1/10 degree]"""
    pitch = _number("pitch")
    """[1/10 degree]"""
    on_ground = _number("on_ground")
    """1 for a player who stands, else 0."""
    air = _number("air")
    """Breath left [ticks]."""
    food = _number("food")
    """[points]"""

    @property
    def looked_at(self) -> tuple[int, int]:
        """Place and face under the crosshair, (-1, 0): none."""
        return self._int("looked_at"), self._int("looked_face")

    def count(self, item: str) -> int:
        """Items held."""
        return int(self._state["inventory"][self._row, ITEM[item]])

    def allows(self, component: Component, choice: int) -> bool:
        """Whether the mask lets the player choose this."""
        return bool(self._state["mask"][self._row, FIRST_CHOICE[component] + choice])

    def holdings(self) -> Holdings:
        """What a plan starts from."""
        near = self._int("near")
        stations = frozenset(name for name, bit in _NEAR_BITS.items() if near & bit)
        inventory = self._state["inventory"][self._row]
        return Holdings(inventory=inventory, stations=stations, burn=self._int("burn"))

    def stations(self) -> list[int]:
        """Places of the tables and furnaces that stand."""
        standing = self._state["station"][self._row, : self._int("station_count")]
        return standing.tolist()

    def places_of(self, blocks: tuple[Block, ...]) -> np.ndarray:
        """All places that hold one of these blocks."""
        wanted = np.zeros(256, bool)
        wanted[list(blocks)] = True
        return np.flatnonzero(wanted[np.frombuffer(self.cells, np.uint8)])

    @property
    def hand(self) -> str | None:
        """The tool in hand."""
        item = self._int("hand")
        return ITEMS[item] if item >= 0 else None

    def tool_for(self, block: int) -> str | None:
        """The cheapest held pickaxe that gets the block's drop, None: what is in hand will do."""
        held = [name for name in _TUNNEL_ORDER if self.count(name) > 0]
        if HARVESTS[block, 0]:
            # A pickaxe is no better than a hand here; the dear ones are spared.
            spare = self.hand in PICKAXES[2:] and held[0] not in PICKAXES[2:]
            return held[0] if spare else None
        return next((name for name in held if HARVESTS[block, 1 + ITEM[name]]), None)

    def dig_ticks(self) -> list[float]:
        """Ticks to dig each block with what is held, infinite where that is impossible."""
        ticks = []
        for block in Block:
            tool = self.tool_for(block) or (self.hand if HARVESTS[block, 0] else None)
            time = int(DIG_TICKS[block, 1 + ITEM[tool] if tool else 0])
            ticks.append(math.inf if time < 0 else float(time))
        return ticks
