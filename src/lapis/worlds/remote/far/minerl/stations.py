"""Tables and furnaces that the player has placed: the game does not say where they are.

MineRL crafts at a table that was placed in this episode, lies within 5 blocks and is in view. The
adapter remembers where it has placed them, and asks the same question before it allows a craft.
"""

from __future__ import annotations

import math
from typing import Dict, List, Tuple

import numpy as np

from lapis.worlds.remote.far.minerl.env import Seen, Sight

Cell = Tuple[int, int, int]

TYPES = ("crafting_table", "furnace")
NEAR = 5.0
"""From the eye to the middle of the block [blocks]."""
EYE = 1.6
"""Height above the feet by which the game measures this [blocks]; the camera is at 1.62."""
HALF_VIEW = 35.0
"""Half of the field of view [degrees]."""
CAMERA = 1.62
FAR = 50.0
"""How far the game tells what is looked at [blocks]."""
_SKIN = 1e-6
"""Points that are nearer to a face lie on it [blocks]."""


def gaze(seen: Seen) -> np.ndarray:
    """Unit vector in which the player looks."""
    pitch, yaw = math.radians(seen.pitch), math.radians(seen.yaw)
    level = math.cos(pitch)
    return np.array([-math.sin(yaw) * level, -math.sin(pitch), math.cos(yaw) * level])


def cell_of(seen: Seen, sight: Sight) -> Cell:
    """The block that is looked at."""
    return _cells(seen, sight)[0]


def cell_before(seen: Seen, sight: Sight) -> Cell:
    """The place in front of what is looked at, where a block would be placed."""
    return _cells(seen, sight)[1]


def _cells(seen: Seen, sight: Sight) -> Tuple[Cell, Cell]:
    """The block that is met, and the place before it: they share the face with the point.

    What is smaller than its cell may be met inside of it: then both are this cell.
    """
    point, look = np.array(sight.point), gaze(seen)
    cell = np.floor(point).astype(int)
    before, border = cell.copy(), np.round(point)
    axis = int(np.argmin(np.abs(point - border)))
    if abs(point[axis] - border[axis]) < _SKIN:
        cell[axis], before[axis] = border[axis] - 1, border[axis]
        if look[axis] > 0:
            cell[axis], before[axis] = before[axis], cell[axis]
    return tuple(cell.tolist()), tuple(before.tolist())


def cell_at(point: Tuple[float, float, float]) -> Cell:
    """The cell that holds a point."""
    x, y, z = np.floor(point).astype(int).tolist()
    return x, y, z


def _is_gone(cell: Cell, seen: Seen) -> bool:
    """Whether what is seen shows that there is no station in this place."""
    sight, look = seen.sight, gaze(seen)
    eye = np.array(seen.position) + np.array([0.0, CAMERA, 0.0])
    if sight is None:
        return _entered(eye, look, cell) < FAR
    point = np.array(sight.point)
    if sight.hit != "block":  # A thing lies or stands there.
        return cell_at(sight.point) == cell
    if cell_of(seen, sight) == cell:
        return sight.type.replace("lit_", "") not in TYPES
    # Crouching lowers the eye, but the point is exact: so is the ray that leads back from it.
    distance = float(np.linalg.norm(point - eye))
    return _entered(point - distance * look, look, cell) < distance


def _entered(start: np.ndarray, look: np.ndarray, cell: Cell) -> float:
    """How far a ray goes before it enters a block, infinite: it does not."""
    low, high = np.array(cell) + _SKIN - start, np.array(cell) + 1.0 - _SKIN - start
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.stack([low / look, high / look])
    enters, leaves = float(times.min(axis=0).max()), float(times.max(axis=0).min())
    return enters if 0.0 < enters < leaves else math.inf


def in_view(seen: Seen, cell: Cell) -> bool:
    """Whether the game lets the player craft at a station in this place.

    This is the formula of MineRL's `NearbyCraftCommandsImplementation`, which takes vectors that
    have another length for unit vectors: away from the horizon, the corners of its view are cut.
    """
    look = gaze(seen)
    away = np.array(cell) + 0.5 - (np.array(seen.position) + np.array([0.0, EYE, 0.0]))
    if away @ away > NEAR**2 or look @ away <= 0.0:
        return False
    across = np.cross(look, np.array([0.0, 1.0, 0.0]))
    upward = np.cross(across, look)
    return all(_angle_without(away, axis, look) <= HALF_VIEW for axis in (across, upward))


def _angle_without(away: np.ndarray, axis: np.ndarray, look: np.ndarray) -> float:
    """Angle [degrees] to the view when the part along an axis is taken out, as the game does it."""
    length = float(np.linalg.norm(axis))
    rest = away - axis * (axis @ away) / length if length > 0.0 else np.zeros(3)
    distance = float(np.linalg.norm(rest))
    if distance == 0.0:  # The game divides by it, and finds no angle that would do.
        return math.inf
    cosine = float(look @ rest) / distance
    return math.degrees(math.acos(min(max(cosine, -1.0), 1.0)))


# DEVIATION: tables and furnaces are near by what the adapter remembers, not by what is there.
class Stations:
    """The tables and furnaces of an episode."""

    def __init__(self) -> None:
        self.cells: Dict[str, List[Cell]] = {name: [] for name in TYPES}

    def near(self, name: str, seen: Seen) -> List[Cell]:
        """Those of a type at which the player can work now."""
        return [cell for cell in self.cells[name] if in_view(seen, cell)]

    def placed(self, name: str, before: Seen, after: Seen) -> None:
        """Remembers one that was placed while the player looked as in `before`."""
        if before.sight is None:
            return
        cell, sight = cell_before(before, before.sight), after.sight
        # What is looked at may be smaller than its cell: then what is seen there now tells better.
        if sight is not None and sight.hit == "block" and sight.type == name:
            shown = cell_of(after, sight)
            if shown not in self.cells[name] and max(np.abs(np.subtract(shown, cell))) <= 1:
                cell = shown
        if cell not in self.cells[name]:
            self.cells[name].append(cell)

    def looked(self, seen: Seen) -> None:
        """Forgets stations that the player looks through, or where something else is."""
        for cells in self.cells.values():
            cells[:] = [cell for cell in cells if not _is_gone(cell, seen)]

    def failed(self, name: str, seen: Seen) -> None:
        """Forgets what should have been in view: nothing could be made there."""
        for cell in self.near(name, seen):
            self.cells[name].remove(cell)
