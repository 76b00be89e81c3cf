"""A scripted player of Minetest, which uses nothing but actions and observations.

It gathers wood, makes what wood gives, digs down to where iron lies, and smelts it there. Its parts
are generators of actions: each action is asked for after the world has played the one before.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from lapis.worlds.minetest.actions import PITCHES, actions_of
from lapis.worlds.minetest.far import Vital
from lapis.worlds.minetest.sight import CELL_PLACES, CELLS, CLASSES, RAY_DIRECTIONS, REACH
from lapis.worlds.minetest.tree import Tree

__all__ = ["ScriptedPlayer", "View"]

TRUNKS = 26
"""Logs to gather before the way down, for everything of wood and the handles of many picks."""
STICKS = 30
IRON = 8
"""Lumps to gather before they are smelted."""
ORES = ("coal", "copper", "tin", "iron", "gold")
"""What is taken along where it lies close to the way down."""
PICKS = ("default:pick_steel", "default:pick_bronze", "default:pick_stone", "default:pick_wood")
OPEN = ("air", "plant", "flower", "sapling", "loose", "apple")
"""Classes that do not hold a player."""
TRIES = 40
"""Steps towards one thing, after which another is looked for."""
_EYE = 1.125
"""Height of the eye above the middle of the node with the feet."""


class View(NamedTuple):
    """What one player sees now."""

    inventory: np.ndarray
    mask: np.ndarray
    observation: Mapping[str, np.ndarray]


class Spot(NamedTuple):
    """A node: how far ahead, to the right, and above the feet."""

    ahead: int
    right: int
    up: int


class ScriptedPlayer:
    """Plays one world, an action at a time."""

    def __init__(self, tree: Tree, seed: int) -> None:
        self._tree = tree
        self._place = {item: column for column, item in enumerate(tree.goals)}
        self._actions = actions_of(tree)
        self._number = {(a.kind, a.item, a.value): n for n, a in enumerate(self._actions)}
        self._rng = np.random.default_rng(seed)
        self._pitch = 0
        self._script = self._whole_way()
        self._view: View

    def act(self, view: View) -> int:
        """The next action, as a number of `actions_of`."""
        self._view = view
        return next(self._script)

    def _whole_way(self) -> Iterator[int]:
        yield from self._gather("trunk", TRUNKS)
        yield from self._work_wood()
        while True:
            yield from self._descend()
            yield from self._smelt_all()
            yield from self._make_all()
            yield from self._step_aside()

    # Wood ------------------------------------------------------------------------------------

    def _gather(self, class_name: str, count: int) -> Iterator[int]:
        """Goes from one node of a class to the next until so many have been dug."""
        dug = 0
        while dug < count:
            spot = self._nearest(class_name)
            if spot is None:
                yield from self._wander()
                continue
            for _ in range(TRIES):
                spot = self._nearest(class_name)
                if spot is None:
                    break
                if (spot.right == 0 and 1 <= spot.ahead <= 3) or spot[:2] == (0, 0):
                    before = self._held_of(("default:tree", "default:aspen_tree"))
                    yield from self._dig_at(spot, class_name)
                    if self._held_of(("default:tree", "default:aspen_tree")) == before:
                        yield from self._wander()
                        break
                    dug += 1
                else:
                    yield from self._approach(spot)
            else:
                yield from self._wander()

    def _approach(self, spot: Spot) -> Iterator[int]:
        """A turn or a step towards a spot; what stands in the way is dug."""
        if spot.ahead < 0:
            yield self._do("turn", value=2)
        elif abs(spot.right) > spot.ahead:
            yield self._do("turn", value=3 if spot.right > 0 else 1)
            # Not back at once, to something as near on the other side.
            if self._is_safe_ahead():
                yield self._do("walk", value=1)
            elif self._rng.random() < 0.3:
                yield from self._wander()
        elif self._is_safe_ahead():
            yield self._do("walk", value=1)
        else:
            yield from self._dig_ahead()
            if not self._is_safe_ahead():
                yield from self._wander()

    def _dig_ahead(self) -> Iterator[int]:
        for pitch in (0, -30):
            yield from self._look(pitch)
            if self._can("dig"):
                yield self._do("dig")

    def _wander(self) -> Iterator[int]:
        """Goes some way in another direction, out of a corner too."""
        yield self._do("turn", value=int(self._rng.integers(1, 4)))
        if not self._is_safe_ahead():
            yield from self._dig_ahead()
        for _ in range(int(self._rng.integers(4, 13))):
            if not self._is_safe_ahead():
                break
            yield self._do("walk", value=1)

    def _is_safe_ahead(self) -> bool:
        """Whether a step is possible, and leads neither into a hole nor into water or lava."""
        column = [self._cell(Spot(1, 0, up)) for up in (0, -1, -2)]
        is_hole = all(name in OPEN for name in column)
        return self._can("walk", value=1) and not is_hole and not {"lava", "water"} & {*column[:2]}

    def _work_wood(self) -> Iterator[int]:
        """Planks, sticks and a pick first; then one of everything else."""
        for wood in ("default:wood", "default:aspen_wood"):
            while self._held(wood) < 60 and self._can("craft", wood):
                yield self._do("craft", wood)
        while self._held("default:stick") < STICKS and self._can("craft", "default:stick"):
            yield self._do("craft", "default:stick")
        for tool in ("default:pick_wood", "default:pick_wood", "default:shovel_wood"):
            if self._can("craft", tool):
                yield self._do("craft", tool)
        for item in self._tree.goals:
            needs = self._tree.ways[item].needs
            is_wooden = any(each.endswith("wood") or each == "default:stick" for each in needs)
            if is_wooden and self._tree.group[item] == "surface" and not self._held(item):
                enough = self._held("default:stick") > STICKS // 2 or "default:stick" not in needs
                if self._can("craft", item) and enough:
                    yield self._do("craft", item)
        while self._held("default:stick") < STICKS and self._can("craft", "default:stick"):
            yield self._do("craft", "default:stick")

    # The way down ----------------------------------------------------------------------------

    def _descend(self) -> Iterator[int]:
        """Digs straight down, and takes along what lies beside the shaft."""
        while self._held("default:iron_lump") < IRON:
            yield from self._take_pick()
            for spot, name in self._beside():
                yield from self._dig_at(spot, name)
                yield from self._take_pick()
            below = self._cell(Spot(0, 0, -1)), self._cell(Spot(0, 0, -2))
            height = self._feels(Vital.HEIGHT) * 640 - 512
            if "lava" in below or height < -330 or below[0] == "unknown":
                yield from self._step_aside()
                continue
            yield from self._look(-90)
            if self._can("dig"):
                yield self._do("dig")
            else:
                yield from self._step_aside()

    def _beside(self) -> Iterator[tuple[Spot, str]]:
        """Ores that can be dug from here without a step."""
        for name in ORES:
            if name == "coal" and self._held("default:coal_lump") >= 20:
                continue
            for spot in map(Spot._make, CELL_PLACES):
                on_axis = (spot.ahead == 0) != (spot.right == 0)
                if on_axis and spot.up in (0, 1) and self._cell(spot) == name:
                    yield spot, name
                    break  # What is seen has changed.

    def _take_pick(self) -> Iterator[int]:
        """The best pick is in hand; if none is left, another is made."""
        if not any(self._held(pick) for pick in PICKS[:3]):
            if self._can("craft", "default:pick_stone"):
                yield self._do("craft", "default:pick_stone")
            elif not self._held("default:pick_wood") and self._can("craft", "default:pick_wood"):
                yield self._do("craft", "default:pick_wood")
        has_plenty = self._held("default:cobble") >= 20 and not self._held("default:furnace")
        if has_plenty and self._can("craft", "default:furnace"):
            yield self._do("craft", "default:furnace")
        best = next((pick for pick in PICKS if self._held(pick)), None)
        if best is not None and self._can("equip", best):
            yield self._do("equip", best)

    def _step_aside(self) -> Iterator[int]:
        """Goes on beside the shaft, through stone if need be."""
        yield self._do("turn", value=int(self._rng.integers(1, 4)))
        for _ in range(3):
            for pitch in (0, -60):
                yield from self._look(pitch)
                if self._can("dig"):
                    yield self._do("dig")
            if self._cell(Spot(1, 0, -1)) != "lava" and self._can("walk", value=1):
                yield self._do("walk", value=1)

    # Furnace and steel -----------------------------------------------------------------------

    def _smelt_all(self) -> Iterator[int]:
        for pitch in (-90, 0, -60, -30):
            yield from self._look(pitch)
            if self._can("dig") and pitch != -90:
                yield self._do("dig")
            if self._can("place", "default:furnace"):
                yield self._do("place", "default:furnace")
                break
        smelts = [each for each in self._actions if each.kind == "smelt"]
        for each in smelts:
            most = 12 if each.item in ("default:steel_ingot", "default:bronze_ingot") else 5
            for _ in range(most):
                if self._can("smelt", each.item):
                    yield self._do("smelt", each.item)

    def _make_all(self) -> Iterator[int]:
        """One of everything that is not held and can be made; tools first and blocks last."""
        tools = {each.item for each in self._actions if each.kind == "equip"}
        for _ in range(2):
            for item in sorted(self._tree.goals, key=lambda n: ("block" in n, n not in tools)):
                if not self._held(item) and self._can("craft", item):
                    yield self._do("craft", item)

    # Senses and hands ------------------------------------------------------------------------

    def _dig_at(self, spot: Spot, class_name: str) -> Iterator[int]:
        """Digs towards a spot on one of the axes until it is another node."""
        if (spot.ahead, spot.right) != (0, 0):
            turn = 0 if spot.ahead > 0 else 2 if spot.ahead < 0 else 3 if spot.right > 0 else 1
            if turn:
                yield self._do("turn", value=turn)
                spot = Spot(abs(spot.ahead) + abs(spot.right), 0, spot.up)
        slope = math.degrees(math.atan2(spot.up - _EYE, max(spot.ahead, 0.1)))
        for pitch in sorted(PITCHES, key=lambda each: abs(each - slope))[:3]:
            yield from self._look(pitch)
            for _ in range(3):
                if self._cell(spot) != class_name:
                    return
                if not self._can("dig"):
                    break
                yield self._do("dig")

    def _look(self, pitch: int) -> Iterator[int]:
        if self._can("look", value=pitch):
            yield self._do("look", value=pitch)

    def _nearest(self, class_name: str) -> Spot | None:
        """The nearest node of a class among the cells, or else where a ray meets one."""
        number = CLASSES.index(class_name)
        seen = self._view.observation["fan_class"]
        cells = [Spot(*CELL_PLACES[n]) for n in np.flatnonzero(seen[: len(CELLS)] == number)]
        if cells:
            # Of several as near, what is ahead: between two at its sides the player would turn to
            # and fro.
            steps = [abs(s.ahead) + abs(s.right) + 2 * (s.ahead < 0) for s in cells]
            return min(zip(steps, (abs(s.right) for s in cells), cells, strict=True))[2]
        rays = np.flatnonzero(seen[len(CELLS) :] == number)
        if not len(rays):
            return None
        distances = self._view.observation["fan_distance"]
        ray = rays[distances[rays].argmin()]
        distance = float(distances[ray]) * REACH + 0.3  # A little into the node.
        ahead, right, up = (each * distance for each in RAY_DIRECTIONS[ray])
        return Spot(round(ahead), round(right), round(up + _EYE))

    def _cell(self, spot: Spot) -> str:
        """The class of a node nearby; `unknown` of one that is not."""
        number = CELLS.get((spot.ahead, spot.right, spot.up))
        if number is None:
            return "unknown"
        return CLASSES[self._view.observation["fan_class"][number]]

    def _feels(self, vital: int) -> float:
        return float(self._view.observation["vitals"][vital])

    def _held(self, item: str) -> int:
        return int(self._view.inventory[self._place[item]])

    def _held_of(self, items: Sequence[str]) -> int:
        return sum(map(self._held, items))

    def _can(self, kind: str, item: str = "", value: int = 0) -> bool:
        number = self._number.get((kind, item, value))
        return number is not None and bool(self._view.mask[number])

    def _do(self, kind: str, item: str = "", value: int = 0) -> int:
        return self._number[kind, item, value]
