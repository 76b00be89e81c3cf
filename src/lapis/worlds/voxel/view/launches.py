"""The view as lists of launches, and pictures for people."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import warp as wp

from lapis.worlds.launching import GPU_THREADS, filled, launch_all, prepare, start_warp
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.state import State
from lapis.worlds.voxel.view.aim import aim, forget_rows, list_rows
from lapis.worlds.voxel.view.fan import (
    FAN_COLUMNS,
    FAN_RAYS,
    FAN_ROWS,
    Fan,
    draw_fan,
    draw_some_fans,
    fan_classes,
)
from lapis.worlds.voxel.view.frame import draw_frame, draw_some_frames
from lapis.worlds.voxel.view.rules import ViewRules, fan_rays, make_view_rules, picture_rays
from lapis.worlds.voxel.view.scene import Drawn, Eye, Eyes, FlatGrid

BLOCK_THREADS = 128
"""Rays differ in length: small blocks end sooner and make room for others."""

SIZES = (8, 1024)
"""Smallest and largest side of a picture [pixels]."""


def frame_launches(
    state: State,
    config: VoxelConfig,
    frame: wp.array,
    device: str,
    *,
    which: wp.array | None = None,
) -> list[wp.Launch]:
    """Launches that draw what every player sees.

    They allocate nothing and have fixed sizes, so that a graph can hold them. `frame` is uint8,
    shape (world, side, side, 3), where the side need not be the config's. `which` says which worlds
    to draw, bool, and is read at each launch; None draws all.

    Raises:
        ValueError: `frame` has another shape.
    """
    world_count = state.blocks.shape[0]
    side = frame.shape[1]
    if frame.shape != (world_count, side, side, 3):
        raise ValueError(
            f"frame has shape {tuple(frame.shape)}; it must be ({world_count}, side, side, 3)"
        )
    rules = make_view_rules(
        config,
        device,
        rays=picture_rays(config, side),
        fan_class=np.zeros(1, np.uint8),
        view_distance=config.view_distance,
        frame_size=side,
    )
    return _launches(
        (draw_frame, draw_some_frames), side * side, rules, state, device, which, frame=frame
    )


def fan_launches(
    state: State,
    config: VoxelConfig,
    fan_class: wp.array,
    fan_distance: wp.array,
    light: wp.array,
    device: str,
    *,
    which: wp.array | None = None,
) -> list[wp.Launch]:
    """Launches that find what the rays of every player's fan meet, like those of `frame_launches`.

    They fill `fan_class`: `FanClass`, uint8, shape (world, FAN_RAYS), row by row from the upper
    left; `fan_distance`: share of the view distance, 1 where nothing is met, float32, same shape;
    and `light`: light at the eye, 0 ... 1, float32, shape (world, 1).

    Raises:
        ValueError: An array has another shape.
    """
    world_count = state.blocks.shape[0]
    for name, array, width in (
        ("fan_class", fan_class, FAN_RAYS),
        ("fan_distance", fan_distance, FAN_RAYS),
        ("light", light, 1),
    ):
        if array.shape != (world_count, width):
            raise ValueError(
                f"{name} has shape {tuple(array.shape)}; it must be ({world_count}, {width})"
            )
    rules = make_view_rules(
        config,
        device,
        rays=fan_rays(config, FAN_ROWS, FAN_COLUMNS),
        fan_class=fan_classes(),
        view_distance=config.fan_view_distance,
    )
    arrays = {"block_class": fan_class, "distance": fan_distance, "light": light}
    fan = filled(Fan, arrays)
    return _launches((draw_fan, draw_some_fans), FAN_RAYS, rules, state, device, which, fan=fan)


class Picture:
    """Draws one of the worlds as its player sees it then, for people.

    Args:
        state: The worlds.
        config: Their config.
        world: Which of them.
        size: Pixels along each side.

    Raises:
        ValueError: There is no such world, or `size` is out of range.
    """

    def __init__(self, state: State, config: VoxelConfig, *, world: int = 0, size: int = 512):
        world_count = state.blocks.shape[0]
        if not 0 <= world < world_count:
            raise ValueError(f"world is {world}; it must be in [0, {world_count - 1}]")
        if not SIZES[0] <= size <= SIZES[1]:
            raise ValueError(f"size is {size}; it must be in [{SIZES[0]}, {SIZES[1]}]")
        start_warp()
        self._device = state.blocks.device
        row = {name: tensor[world : world + 1] for name, tensor in state.tensors().items()}
        self._frame = torch.zeros((1, size, size, 3), dtype=torch.uint8, device=self._device)
        device = str(wp.device_from_torch(self._device))
        frame = wp.from_torch(self._frame)
        self._launches = frame_launches(State(**row), config, frame, device)

    def draw(self) -> np.ndarray:
        """The picture now: red, green and blue, uint8, shape (size, size, 3)."""
        launch_all(self._launches, self._device)
        return self._frame[0].cpu().numpy().copy()


def _launches(
    draw: tuple[Any, Any],
    ray_count: int,
    rules: ViewRules,
    state: State,
    device: str,
    which: wp.array | None,
    **shown: Any,
) -> list[wp.Launch]:
    """Finds the eyes, then draws with the first of two kernels, or with the second some worlds.

    Where all worlds are drawn, each ray has a thread. Where some are, a fixed number of threads
    shares the rays of those: threads for nobody would take time too.
    """
    world_count, torch_count = state.torch.shape
    thread_count = 1 if device == "cpu" else GPU_THREADS
    eyes = {
        "eye": wp.zeros(world_count, dtype=Eye, device=device),
        "near_torch": wp.zeros((world_count, torch_count), dtype=wp.vec3, device=device),
    }
    drawn = {
        "rows": wp.zeros(world_count, dtype=int, device=device),
        "row_count": wp.zeros(1, dtype=int, device=device),
        "thread_count": thread_count,
    }
    everywhere = wp.full(world_count, True, dtype=wp.bool, device=device)
    known = state.arguments | {
        "rules": rules,
        "grid": filled(FlatGrid, _rows(state)),
        "eyes": filled(Eyes, eyes),
        "drawn": filled(Drawn, drawn),
        "which": everywhere if which is None else which,
        **shown,
    }
    find_eyes = prepare(aim, world_count, device, known)
    if which is None:
        threads = world_count * ray_count
        return [find_eyes, prepare(draw[0], threads, device, known, block_threads=BLOCK_THREADS)]
    return [
        prepare(forget_rows, 1, device, known),
        prepare(list_rows, world_count, device, known),
        find_eyes,
        prepare(draw[1], thread_count, device, known, block_threads=BLOCK_THREADS),
    ]


def _rows(state: State) -> dict[str, wp.array]:
    """The grid with one row per world, in the same memory."""
    tensors = {name: getattr(state, name) for name in FlatGrid.vars}
    return {
        name: wp.from_torch(tensor.flatten(1) if tensor.ndim > 2 else tensor)
        for name, tensor in tensors.items()
    }
