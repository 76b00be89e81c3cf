"""The view as lists of launches."""

# Kernels and their structs are read by Warp's compiler, whose types are not Python's.
# pyright: reportArgumentType=false, reportGeneralTypeIssues=false

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import warp as wp

from lapis.worlds.launching import prepare
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.view.aim import Eye, aim, raise_ceiling
from lapis.worlds.voxel.view.fan import (
    FAN_COLUMNS,
    FAN_RAYS,
    FAN_ROWS,
    draw_fan,
    fan_classes,
    fan_shapes,
)
from lapis.worlds.voxel.view.frame import draw_frame
from lapis.worlds.voxel.view.look import Look, fan_rays, frame_shapes, make_look, picture_rays

_AIM_STATE = "blocks top torch position yaw pitch time"
_FRAME_STATE = "blocks bricks top hand target dug looked_at"


def frame_launches(
    state: Mapping[str, wp.array],
    config: VoxelConfig,
    frame: wp.array,
    device: str,
    *,
    which: wp.array | None = None,
) -> list[wp.Launch]:
    """Launches that draw what every player sees.

    They read blocks, bricks, top, torch, position, yaw, pitch, time, hand, target, dug and
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
        shapes=frame_shapes(),
        fan_class=np.zeros(1, np.uint8),
        frame_size=side,
    )
    which = _all(state, device) if which is None else which
    scratch = _scratch(state, device)
    return [
        *_aim(look, state, scratch, which, device),
        prepare(
            draw_frame,
            world_count * side * side,
            device,
            look_rules=look,
            which_in=which,
            frame_out=frame,
            eye_in=scratch["eye"],
            near_torch_in=scratch["near_torch"],
            ceiling_in=scratch["ceiling"],
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

    They read blocks, bricks, top, torch, position, yaw, pitch and time; otherwise they are like
    those of `frame_launches`.

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
        shapes=fan_shapes(),
        fan_class=fan_classes(),
    )
    which = _all(state, device) if which is None else which
    scratch = _scratch(state, device)
    return [
        *_aim(look, state, scratch, which, device),
        prepare(
            draw_fan,
            world_count * FAN_RAYS,
            device,
            look_rules=look,
            which_in=which,
            eye_in=scratch["eye"],
            ceiling_in=scratch["ceiling"],
            class_out=fan_class,
            distance_out=fan_distance,
            light_out=light,
            **_rows(state, "blocks bricks"),
        ),
    ]


def _aim(
    look: Look,
    state: Mapping[str, wp.array],
    scratch: dict[str, wp.array],
    which: wp.array,
    device: str,
) -> list[wp.Launch]:
    """The eyes of the players, and the height above which there is only air."""
    world_count = state["blocks"].shape[0]
    return [
        prepare(
            aim,
            world_count,
            device,
            look_rules=look,
            which_in=which,
            **_rows(state, _AIM_STATE),
            **{f"{name}_out": array for name, array in scratch.items()},
        ),
        prepare(
            raise_ceiling,
            world_count * state["bricks"].shape[1],
            device,
            bricks_in=state["bricks"],
            which_in=which,
            ceiling_io=scratch["ceiling"],
        ),
    ]


def _all(state: Mapping[str, wp.array], device: str) -> wp.array:
    return wp.full(state["blocks"].shape[0], True, dtype=wp.bool, device=device)


def _scratch(state: Mapping[str, wp.array], device: str) -> dict[str, wp.array]:
    """What the launches hand on to one another."""
    world_count, torch_count = state["torch"].shape
    return {
        "eye": wp.zeros(world_count, dtype=Eye, device=device),
        "near_torch": wp.zeros((world_count, torch_count), dtype=wp.vec3, device=device),
        "ceiling": wp.zeros(world_count, dtype=int, device=device),
    }


def _rows(state: Mapping[str, wp.array], names: str) -> dict[str, wp.array]:
    """Arrays of the state as arguments; grids are flattened to one row per world."""
    rows = {}
    for name in names.split():
        array = state[name]
        flat = array.reshape((array.shape[0], -1)) if array.ndim > 2 else array
        rows[f"{name}_in"] = flat
    return rows
