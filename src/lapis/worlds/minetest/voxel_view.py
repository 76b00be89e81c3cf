"""Pictures of Minetest's land, drawn by the voxel world's ray caster with its textures."""

# W = worlds

from __future__ import annotations

import numpy as np
import torch
import warp as wp

from lapis.minecraft.blocks import Block
from lapis.worlds.launching import launch_all, start_warp
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.looking import EYE_HEIGHT
from lapis.worlds.voxel.state import TORCHES, State
from lapis.worlds.voxel.view import frame_launches

__all__ = ["LAND", "WINDOW", "View"]

LAND = 80
"""Nodes along each side of a player's land."""
WINDOW: dict[str, int] = {"height": 112, "depth": 48, "stride": 16}
"""What is shown: so many layers of nodes, of which this many or some more are below the player's
feet. The window moves in such strides."""
BRICK = 4
"""Blocks along each side of a brick of `Grid.bricks`."""
_SIZE = 128
"""Along x and z: the land and a view's length, so that nobody sees it twice around the torus."""
_OWN_EYE = 1.47
"""Height of the eye above the feet [nodes], as the game's `player_api` has it."""
_NOON = 6000


class View:
    """What the players of some worlds see.

    The voxel world's z points the other way: its x, y and z are right-handed, Minetest's are not.
    """

    def __init__(self, world_count: int, frame_size: int) -> None:
        start_warp()
        # It is always noon.
        config = VoxelConfig(
            size=_SIZE, height=WINDOW["height"], frame_size=frame_size, day_cycle=False
        )
        self._state = State.allocate(world_count, config, torch.device("cpu"))
        self._state.time[:] = _NOON
        for name in ("torch", "hand", "target", "looked_at"):
            getattr(self._state, name)[:] = -1
        shape = (world_count, frame_size, frame_size, 3)
        self._frame = torch.zeros(shape, dtype=torch.uint8)
        self._which = torch.zeros(world_count, dtype=torch.bool)
        self._launches = frame_launches(
            self._state,
            config,
            wp.from_torch(self._frame),
            "cpu",
            which=wp.from_torch(self._which),
        )
        self.frame = self._frame.numpy()
        """uint8, shape (world, side, side, 3)."""

    def take_land(self, row: int, layers: np.ndarray) -> None:
        """Shows other land: `Block` of each node, uint8 of shape (height, z, x)."""
        state, height = self._state, WINDOW["height"]
        blocks = np.ascontiguousarray(layers.transpose(2, 1, 0)[:, ::-1])
        state.blocks[row, :LAND, :LAND] = torch.from_numpy(blocks)
        solid = blocks != Block.AIR
        top = np.where(solid.any(axis=2), height - solid[:, :, ::-1].argmax(axis=2), 0)
        state.top[row, :LAND, :LAND] = torch.from_numpy(top.astype(np.uint8))
        side = LAND // BRICK
        shape = (side, BRICK, side, BRICK, height // BRICK)
        bricks = (blocks.view(np.uint32) != 0).reshape(shape).any(axis=(1, 3))  # Four in a word.
        state.bricks[row, :side, :side] = torch.from_numpy(bricks.astype(np.uint8))
        state.ceiling[row] = -(-int(top.max()) // BRICK)
        state.torch[row] = -1
        x, z, y = (blocks == Block.TORCH).nonzero()
        torches = ((x * _SIZE + z) * height + y)[:TORCHES]
        state.torch[row, : len(torches)] = torch.from_numpy(torches.astype(np.int32))

    def draw(
        self,
        rows: np.ndarray,
        *,
        feet: np.ndarray,
        yaw: np.ndarray,
        pitch: np.ndarray,
        hand: np.ndarray,
        looked_at: np.ndarray,
        target: np.ndarray,
        dug: np.ndarray,
    ) -> None:
        """Draws what the players of these rows see.

        Args:
            rows: Numbers of the worlds.
            feet: Where the feet are, in nodes of the window, shape (row, 3).
            yaw: In tenths of degrees, 0 ... 3599.
            pitch: The same, down is positive.
            hand: Item in hand, -1: none.
            looked_at: Node under the crosshair, in nodes of the window, shape (row, 3); -1: none.
            target: Node that is being dug, the same.
            dug: Share of it that is dug.
        """
        state = self._state
        x, y, z = feet.T + 0.5
        place = np.stack([x, y + _OWN_EYE - EYE_HEIGHT, LAND - z], axis=1)
        given = {
            "position": place.astype(np.float32),
            "yaw": yaw.astype(np.int32),
            "pitch": pitch.astype(np.int32),
            "hand": hand.astype(np.int32),
            "looked_at": _places(looked_at),
            "target": _places(target),
            "dug": dug.astype(np.float32),
        }
        for name, values in given.items():
            getattr(state, name)[rows] = torch.from_numpy(values)
        self._which[:] = False
        self._which[rows] = True
        launch_all(self._launches, torch.device("cpu"))


def _places(cells: np.ndarray) -> np.ndarray:
    """Numbers of places in `Grid.blocks`; -1 for what is out of the window."""
    x, y, z = cells.astype(np.int64).T
    height = WINDOW["height"]
    is_shown = (x >= 0) & (x < LAND) & (z >= 0) & (z < LAND) & (y >= 0) & (y < height)
    places = (x * _SIZE + LAND - 1 - z) * height + y
    return np.where(is_shown, places, -1).astype(np.int32)
