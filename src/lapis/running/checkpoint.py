"""Checkpoints: a directory per update with the tensors, the other state, and checksums of both.

    checkpoints/update-000001250/tensors.safetensors
                                 state.json
                                 SHA256SUMS           (`sha256sum -c SHA256SUMS` checks it by hand)

A checkpoint is written under a temporary name, flushed to the disk and then renamed, so a name
without a leading dot is a complete checkpoint, whenever the process or the machine dies. Loading
runs no code from the checkpoint.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors
import safetensors.torch
from torch import Tensor

from lapis.runs import RunError
from lapis.runs.durable import explain_full_disk, sync_directory, write_durably
from lapis.runs.old_config import current_config

__all__ = ["CheckpointError", "Identity", "latest", "load", "load_part", "save"]

FORMAT = "lapis-checkpoint"
VERSION = 1


class CheckpointError(RunError):
    """A checkpoint cannot be used, or cannot be made from what was given."""


@dataclass(frozen=True, kw_only=True)
class Identity:
    """What a checkpoint must share with the run that loads it: class and settings."""

    kind: str
    """Name of the class whose state it is."""
    config: Mapping[str, Any]
    """The settings that must be equal, as JSON types."""


def save(
    folder: Path,
    update: int,
    tensors: Mapping[str, Tensor],
    state: Mapping[str, Any],
    *,
    identity: Identity,
    keep_count: int = 3,
) -> Path:
    """A checkpoint of `update` is on the disk in `folder`; returns its path.

    The newest `keep_count` are kept, this one included. Checkpoints of later updates belong to a
    course of the run that was abandoned, and are removed. If anything fails, nothing changes.

    Args:
        folder: The directory of the run's checkpoints.
        update: Updates that are finished.
        tensors: Any number types on any device; they come back bit for bit.
        state: JSON types only; integers of any size and floats come back exactly.
        identity: What `load` will compare.
        keep_count: How many to keep, at least 1.
    """
    if keep_count < 1:
        raise ValueError(f"keep_count is {keep_count}; at least 1 checkpoint must be kept")
    target = folder / f"update-{update:09d}"
    if target.exists() and _fault(target) is None:
        raise CheckpointError(f"{target} exists already")
    _check_is_json(state, "state")
    head = {"format": FORMAT, "version": VERSION, "update": update, "kind": identity.kind}
    head |= {"config": dict(identity.config), "state": dict(state)}
    _remove_leftovers(folder)
    draft = folder / f".writing-{target.name}"
    try:
        with explain_full_disk(f"a checkpoint of update {update}", folder):
            draft.mkdir()
            files = {
                "tensors.safetensors": _encode(tensors),
                "state.json": json.dumps(head).encode(),
            }
            sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
            files["SHA256SUMS"] = "".join(f"{sums[name]}  {name}\n" for name in sums).encode()
            for name, data in files.items():
                write_durably(draft / name, data)
            sync_directory(draft)
            if target.exists():
                _discard(target)
            draft.rename(target)
            sync_directory(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    _prune(folder, update, keep_count)
    return target


def latest(folder: Path, notice: Callable[[str], None] | None = None) -> Path | None:
    """The newest complete checkpoint, or None if none was ever finished.

    Args:
        folder: The directory of the run's checkpoints.
        notice: Called with a sentence for each corrupt checkpoint that is skipped; None prints
            it to standard error.

    Raises:
        CheckpointError: There are checkpoints, and all are corrupt.
    """
    tell = notice if notice is not None else _print_notice
    names = _finished(folder)
    for path in reversed(names):
        fault = _fault(path)
        if fault is None:
            return path
        tell(f"skipping the corrupt checkpoint {path}: {fault}")
    if names:
        raise CheckpointError(f"none of the {len(names)} checkpoints in {folder} is intact")
    return None


def load(path: Path, *, identity: Identity) -> tuple[int, dict[str, Tensor], dict[str, Any]]:
    """Update, tensors (on the CPU) and state of a checkpoint that fits `identity`."""
    head = _head(path, kind=identity.kind)
    differences = list(_differences(current_config(head["config"]), _as_read(identity.config)))
    if differences:
        raise CheckpointError(f"{path} was made with other settings: " + "; ".join(differences[:8]))
    tensors = safetensors.torch.load((path / "tensors.safetensors").read_bytes())
    return head["update"], tensors, head["state"]


def load_part(path: Path, *, kind: str, names: Callable[[str], bool]) -> tuple[int, dict[str, Any]]:
    """Update and some tensors (on the CPU) of a checkpoint, whatever its settings were.

    Args:
        path: The checkpoint.
        kind: Name of the class whose state it is.
        names: Which tensors to read; the others stay on the disk.
    """
    head = _head(path, kind=kind)
    with safetensors.safe_open(path / "tensors.safetensors", framework="pt") as file:
        stored = file.keys()
        return head["update"], {name: file.get_tensor(name) for name in stored if names(name)}


def _head(path: Path, *, kind: str) -> dict[str, Any]:
    """What is not a tensor of an intact checkpoint of this kind."""
    fault = _fault(path)
    if fault is not None:
        raise CheckpointError(f"the checkpoint {path} is corrupt: {fault}")
    head = json.loads((path / "state.json").read_bytes())
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise CheckpointError(f"{path} is not a Lapis checkpoint")
    if head["version"] != VERSION:
        raise CheckpointError(
            f"{path} has version {head['version']} of the format; this Lapis reads {VERSION}. "
            "Continue with the version of Lapis in the run's env.txt, or start a new run"
        )
    if head["kind"] != kind:
        raise CheckpointError(f"{path} holds a {head['kind']}, not a {kind}")
    return head


def _encode(tensors: Mapping[str, Tensor]) -> bytes:
    # Copies, because safetensors refuses tensors that share memory (views, tied weights).
    return safetensors.torch.save(
        {
            name: tensor.detach().to("cpu", copy=True).contiguous()
            for name, tensor in tensors.items()
        }
    )


def _finished(folder: Path) -> list[Path]:
    """Checkpoints with their final name, oldest first."""
    paths = [path for path in folder.iterdir() if re.fullmatch(r"update-\d+", path.name)]
    return sorted(paths, key=_update)


def _update(path: Path) -> int:
    return int(path.name.removeprefix("update-"))


def _fault(path: Path) -> str | None:
    """What is wrong with the files of a checkpoint, or None."""
    try:
        sums = (path / "SHA256SUMS").read_text(encoding="ascii")
        expected = {name: digest for digest, name in map(str.split, sums.splitlines())}
        if set(expected) != {"tensors.safetensors", "state.json"}:
            return "SHA256SUMS does not name its two files"
        for name, digest in expected.items():
            with (path / name).open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != digest:
                    return f"the checksum of {name} is wrong"
    except (FileNotFoundError, NotADirectoryError) as error:
        return f"{Path(error.filename).name} is missing"
    except ValueError:
        return "SHA256SUMS is unreadable"
    return None


def _remove_leftovers(folder: Path) -> None:
    """Temporary names of processes that were killed are gone."""
    for path in folder.iterdir():
        if path.name.startswith((".writing-", ".removing-")):
            shutil.rmtree(path)


def _discard(path: Path) -> None:
    """Removes a checkpoint; one rename takes it out of sight before its files go."""
    doomed = path.with_name(f".removing-{path.name}")
    path.rename(doomed)
    shutil.rmtree(doomed)


def _prune(folder: Path, update: int, keep_count: int) -> None:
    """Keeps `update`, which is known to be whole, and those before it up to `keep_count`."""
    paths = _finished(folder)
    newer = [path for path in paths if _update(path) > update]
    older = [path for path in paths if _update(path) < update]
    for path in newer + older[: max(0, len(older) - (keep_count - 1))]:
        _discard(path)


def _check_is_json(value: Any, place: str) -> None:
    """Raises where JSON would change or refuse a value: it must come back as it was."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if type(name) is not str:
                raise CheckpointError(f"{place} has the key {name!r}; keys must be strings")
            _check_is_json(inner, f"{place}[{name!r}]")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _check_is_json(inner, f"{place}[{index}]")
    elif value is not None and type(value) not in (str, int, float, bool):
        raise CheckpointError(
            f"{place} is a {type(value).__name__}, which JSON cannot restore; "
            "use numbers, strings, lists and dicts"
        )


def _as_read(value: Any) -> Any:
    """`value` as it comes back from JSON: tuples are lists there."""
    return json.loads(json.dumps(value))


def _differences(there: Any, here: Any, name: str = ""):
    """Sentences on the settings in which two configurations differ."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in sorted(there.keys() | here.keys()):
            inner = f"{name}.{key}" if name else key
            yield from _differences(there.get(key, "nothing"), here.get(key, "nothing"), inner)
    elif there != here:
        yield f"{name} is {there!r} there and {here!r} here"


def _print_notice(text: str) -> None:
    print(f"warning: {text}", file=sys.stderr)
