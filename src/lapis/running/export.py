"""One small file with a policy and everything needed to play with it: safetensors, no code.

Tensors: the policy's weights under their names, in half precision, and `exploration_set`. Metadata:
format, version, the run's configuration, its goals' groups, updates, and what the run recorded of
each goal, as JSON.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import safetensors
import safetensors.torch
import torch

from lapis.bounds import WHOLE, check
from lapis.running.trained import Success, TrainedPolicy, assemble, load_run
from lapis.runs import RunError
from lapis.runs.durable import replace_durably
from lapis.runs.old_config import current_config
from lapis.runs.reading import parse_json, reading
from lapis.train.config import from_dict, to_dict

__all__ = ["LARGEST", "export", "is_exported", "load_exported", "load_policy"]

FORMAT = "lapis-policy"
VERSION = 1
LARGEST = 8_000_000
"""Largest file [bytes]: small enough to ship in a package."""
_UNRECORDED = {"voxel": 4, "techtree": 3}
"""Versions of the worlds of files that do not tell."""
STORED = torch.float16
"""Weights are of the order of one, where this keeps eleven bits and bfloat16 eight. Rounding them
moves a logit by about a thousandth of its size, far less than the policy leaves to chance."""


def export(trained: TrainedPolicy, path: Path) -> int:
    """Writes a policy to `path`; returns the file's size in bytes.

    Raises:
        FileExistsError: Something is there.
        RunError: The file would be too large, or a weight too large for half precision.
    """
    if path.exists():
        raise FileExistsError(f"{path} exists already")
    tensors = {"exploration_set": trained.exploration_set.cpu().contiguous()}
    for name, weight in trained.policy.state_dict().items():
        stored = weight.detach().to("cpu", STORED, copy=True).contiguous()
        if not bool(torch.isfinite(stored).all()):
            raise RunError(f"the weights {name} have values that {STORED} cannot hold")
        tensors[f"policy.{name}"] = stored
    head = {
        "version": VERSION,
        "world_version": trained.world_version,
        "config": to_dict(trained.config),
        "update": trained.update,
        "groups": trained.groups,
        "success": dataclasses.asdict(trained.success),
    }
    data = safetensors.torch.save(tensors, {"format": FORMAT, "lapis": json.dumps(head)})
    if len(data) > LARGEST:
        raise RunError(
            f"the policy takes {len(data):,} bytes; exported ones may have at most {LARGEST:,}. "
            "Train one with fewer filters or less width"
        )
    replace_durably(path, data)
    return len(data)


def load_policy(path: Path, *, device: str | None = None) -> TrainedPolicy:
    """The policy of a run folder or of a file that `export` wrote; see `load_run`."""
    load = load_exported if is_exported(path) else load_run
    return load(path, device=device)


def is_exported(path: Path) -> bool:
    """Whether a path names a file of `export` rather than a run folder, by its ending."""
    return path.suffix == ".safetensors"


def load_exported(path: Path, *, device: str | None = None) -> TrainedPolicy:
    """The policy of a file that `export` wrote, with weights in float32; see `load_run`.

    Raises:
        FileNotFoundError: There is none.
        RunError: It is not such a file.
    """
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    with reading(path):
        head, tensors = _read(path)
        settings = current_config(head["config"])
        exploration_set = tensors.pop("exploration_set")
        update = check("update", head["update"], WHOLE)
        success = from_dict(Success, head["success"])
        groups = tuple(head["groups"])
        unrecorded = _UNRECORDED.get(settings["world"]["kind"])
    return assemble(
        settings,
        {name.removeprefix("policy."): tensor for name, tensor in tensors.items()},
        exploration_set,
        update=update,
        success=success,
        groups=groups,
        device=device,
        world_version=head.get("world_version", unrecorded),
    )


def _read(path: Path) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            names = file.keys()
            tensors = {name: file.get_tensor(name) for name in names}
    except safetensors.SafetensorError as error:
        raise RunError(f"{path} cannot be read: {error}") from error
    if metadata.get("format") != FORMAT:
        raise RunError(f"{path} is not a policy file written by `lapis export`")
    head = parse_json(metadata["lapis"])
    if head["version"] != VERSION:
        raise RunError(
            f"{path} has version {head['version']} of the format; this Lapis reads {VERSION}"
        )
    return head, tensors
