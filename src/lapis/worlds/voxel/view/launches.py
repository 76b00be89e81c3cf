"""The view as lists of launches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import warp as wp

from lapis.worlds.launching import prepare
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.view.aim import Eye, aim, forget_rows, list_rows
from lapis.worlds.voxel.view.fan import (
    FAN_COLUMNS,
    FAN_RAYS,
    FAN_ROWS,
    draw_fan,
    draw_some_fans,
    fan_classes,
)
from lapis.worlds.voxel.view.frame import draw_frame, draw_some_frames
from lapis.worlds.voxel.view.look import Look, fan_rays, make_look, picture_rays

_AIM_STATE = "blocks top torch position yaw pitch time"
_FRAME_STATE = "blocks bricks top ceiling hand target dug looked_at"

GPU_THREADS = 1 << 18
"""About as many as the largest GPUs hold at once; where some worlds are drawn, these share them."""

BLOCK_THREADS = 128
"""Rays differ in length: small blocks end sooner and make room for others."""


def frame_launches(
    state: Mapping[str, wp.array],
    config: VoxelConfig,
    frame: wp.array,
    device: str,
    *,
    which: wp.array | None = None,
) -> list[wp.Launch]:
    """Launches that draw what every player sees.

    They read blocks, bricks, top, ceiling, torch, position, yaw, pitch, time, hand, target, dug and
    looked_at, allocate nothing and have fixed sizes, so that a graph can hold them.

    Args:
        state: The arrays of `State` by name, on `device`.
        config: Size of the worlds, field of view and view distance.
        frame: To be drawn: uint8, shape (world, side, side, 3); its side need not be the config's.
        device: Warp's name of the device.
        which: Worlds to draw, bool, read at each launch; None for all.

    Raises:
        ValueError: `frame` has another shape.
    """
    world_count = state["blocks"].shape[0]
    side = frame.shape[1]
    if frame.shape != (world_count, side, side, 3):
        raise ValueError(
            f"frame has shape {tuple(frame.shape)}; it must be ({world_count}, side, side, 3)"
        )
    look = make_look(
        config,
        device,
        rays=picture_rays(config, side),
        fan_class=np.zeros(1, np.uint8),
        view_distance=config.view_distance,
        frame_size=side,
    )
    eyes = _Eyes(look, state, which, device)
    return [
        *eyes.launches,
        eyes.prepare(
            draw_frame,
            draw_some_frames,
            side * side,
            look_rules=look,
            frame_out=frame,
            near_torch_in=eyes.near_torch,
            **_rows(state, _FRAME_STATE),
        ),
    ]


def fan_launches(
    state: Mapping[str, wp.array],
    config: VoxelConfig,
    fan_class: wp.array,
    fan_distance: wp.array,
    light: wp.array,
    device: str,
    *,
    which: wp.array | None = None,
) -> list[wp.Launch]:
    """Launches that find what the rays of every player's fan meet.

    They read blocks, bricks, top, ceiling, torch, position, yaw, pitch and time; otherwise they are
    like those of `frame_launches`.

    Args:
        state: The arrays of `State` by name, on `device`.
        config: Size of the worlds, field of view and view distance.
        fan_class: To be filled: `FanClass`, uint8, shape (world, FAN_RAYS), row by row from the
            upper left.
        fan_distance: To be filled: share of the view distance, 1 where nothing is met, float32,
            same shape.
        light: To be filled: light at the eye, 0 ... 1, float32, shape (world, 1).
        device: Warp's name of the device.
        which: Worlds to draw, bool, read at each launch; None for all.

    Raises:
        ValueError: An array has another shape.
    """
    world_count = state["blocks"].shape[0]
    for name, array, width in (
        ("fan_class", fan_class, FAN_RAYS),
        ("fan_distance", fan_distance, FAN_RAYS),
        ("light", light, 1),
    ):
        if array.shape != (world_count, width):
            raise ValueError(
                f"{name} has shape {tuple(array.shape)}; it must be ({world_count}, {width})"
            )
    look = make_look(
        config,
        device,
        rays=fan_rays(config, FAN_ROWS, FAN_COLUMNS),
        fan_class=fan_classes(),
        view_distance=config.fan_view_distance,
    )
    eyes = _Eyes(look, state, which, device)
    return [
        *eyes.launches,
        eyes.prepare(
            draw_fan,
            draw_some_fans,
            FAN_RAYS,
            look_rules=look,
            class_out=fan_class,
            distance_out=fan_distance,
            light_out=light,
            **_rows(state, "blocks bricks ceiling"),
        ),
    ]


class _Eyes:
    """The eyes of the players, and the list of the worlds to draw."""

    def __init__(
        self, look: Look, state: Mapping[str, wp.array], which: wp.array | None, device: str
    ) -> None:
        self._device = device
        self._world_count, torch_count = state["torch"].shape
        self._eye = self._zeros(self._world_count, Eye)
        self.near_torch = self._zeros((self._world_count, torch_count), wp.vec3)
        self._rows = self._zeros(self._world_count, int)
        self._row_count = self._zeros(1, int)
        self._draws_all = which is None
        self.launches: list[wp.Launch] = []
        if which is None:
            which = wp.full(self._world_count, True, dtype=wp.bool, device=device)
        else:
            self.launches += self._listing(which)
        self.launches += [
            prepare(
                aim,
                self._world_count,
                device,
                look_rules=look,
                which_in=which,
                eye_out=self._eye,
                near_torch_out=self.near_torch,
                **_rows(state, _AIM_STATE),
            )
        ]

    def _zeros(self, shape: int | tuple[int, int], dtype: Any) -> wp.array:
        return wp.zeros(shape, dtype=dtype, device=self._device)

    def _listing(self, which: wp.array) -> list[wp.Launch]:
        listing = {"row_count_io": self._row_count, "rows_out": self._rows, "which_in": which}
        return [
            prepare(forget_rows, 1, self._device, row_count_out=self._row_count),
            prepare(list_rows, self._world_count, self._device, **listing),
        ]

    def prepare(
        self, draw_all: wp.Kernel, draw_some: wp.Kernel, ray_count: int, **arguments: Any
    ) -> wp.Launch:
        """The launch of one of two kernels.

        Where all worlds are drawn, each ray has a thread. Where some are, a fixed number of threads
        shares the rays of those: threads for nobody would take time too.
        """
        arguments |= {"eye_in": self._eye, "block_threads": BLOCK_THREADS}
        if self._draws_all:
            return prepare(draw_all, self._world_count * ray_count, self._device, **arguments)
        threads = 1 if self._device == "cpu" else GPU_THREADS
        arguments |= {"rows_in": self._rows, "row_count_in": self._row_count}
        return prepare(draw_some, threads, self._device, thread_count_in=threads, **arguments)


def _rows(state: Mapping[str, wp.array], names: str) -> dict[str, wp.array]:
    """Arrays of the state as arguments; grids are flattened to one row per world."""
    rows = {}
    for name in names.split():
        array = state[name]
        flat = array.reshape((array.shape[0], -1)) if array.ndim > 2 else array
        rows[f"{name}_in"] = flat
    return rows
