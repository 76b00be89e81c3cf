"""Checkpoints: a directory per update with the tensors, the other state, and checksums of both.

    checkpoints/update-000001250/tensors.safetensors
                                 state.json
                                 SHA256SUMS           (`sha256sum -c SHA256SUMS` checks it by hand)

A checkpoint is written under a temporary name, flushed to the disk and then renamed, so a name
without a leading dot is a complete checkpoint, whenever the process or the machine dies. That, the
checksums, and the fact that loading runs no code are why this is not `torch.save`.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import safetensors
import safetensors.torch
from torch import Tensor

from lapis.runs import RunError
from lapis.runs.durable import explain_full_disk, sync_directory, write_durably
from lapis.runs.reading import reading

__all__ = ["Checkpoint", "CheckpointError", "drop_later", "latest", "load", "load_part", "save"]

FORMAT = "lapis-checkpoint"
VERSION = 1


class CheckpointError(RunError):
    """A checkpoint cannot be used, or cannot be made from what was given."""


class Checkpoint(NamedTuple):
    """What a checkpoint holds; tensors are on the CPU."""

    update: int
    config: dict[str, Any]
    tensors: dict[str, Tensor]
    state: dict[str, Any]


def save(
    folder: Path,
    update: int,
    tensors: Mapping[str, Tensor],
    state: Mapping[str, Any],
    *,
    config: Mapping[str, Any],
    keep_count: int = 3,
) -> Path:
    """Writes a checkpoint of `update` to the disk in `folder`; returns its path.

    The newest `keep_count` are kept, including this one. Checkpoints of later updates belong to an
    abandoned branch of the run, and are removed. If anything fails, nothing changes. Tensors of any
    type and device come back bit for bit; `state` and `config` are of JSON types.
    """
    if keep_count < 1:
        raise ValueError(f"keep_count is {keep_count}; at least 1 checkpoint must be kept")
    target = folder / f"update-{update:09d}"
    if target.exists() and _fault(target) is None:
        raise CheckpointError(f"{target} exists already")
    head = {"format": FORMAT, "version": VERSION, "update": update}
    head |= {"config": dict(config), "state": dict(state)}
    folder.mkdir(exist_ok=True)  # Somebody may have removed all checkpoints, folder and all.
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


def latest(folder: Path, *, refuse: Callable[[int], str | None] = lambda _: None) -> Path | None:
    """The newest complete checkpoint, or None if none was ever finished; warns of those it skips.

    `refuse` may give a reason not to use the checkpoint of an update.

    Raises:
        CheckpointError: There are checkpoints, and none can be used.
    """
    skipped: list[str] = []
    for path in reversed(_finished(folder)):
        fault = _fault(path)
        reason = f"the corrupt checkpoint {path}: {fault}" if fault else refuse(_update(path))
        if reason is None:
            for each in skipped:
                print(f"warning: skipping {each}", file=sys.stderr)
            return path
        skipped.append(reason)
    if skipped:
        raise CheckpointError(
            f"none of the {len(skipped)} checkpoints in {folder} can be used: {skipped[0]}"
        )
    return None


def drop_later(folder: Path, update: int) -> None:
    """Removes the checkpoints of later updates, for a run that goes back to `update`."""
    for path in _finished(folder):
        if _update(path) > update:
            _discard(path)


def load(path: Path) -> Checkpoint:
    """Everything in the checkpoint at `path`."""
    head = _head(path)
    with _reading_tensors(path):
        tensors = safetensors.torch.load((path / "tensors.safetensors").read_bytes())
    return Checkpoint(head["update"], head["config"], tensors, head["state"])


def load_part(path: Path, names: Callable[[str], bool]) -> tuple[int, dict[str, Tensor]]:
    """Update of a checkpoint and those of its tensors that `names` accepts, on the CPU."""
    head = _head(path)
    with (
        _reading_tensors(path),
        safetensors.safe_open(path / "tensors.safetensors", framework="pt") as file,
    ):
        stored = file.keys()
        return head["update"], {name: file.get_tensor(name) for name in stored if names(name)}


def _head(path: Path) -> dict[str, Any]:
    fault = _fault(path)
    if fault is not None:
        raise CheckpointError(f"the checkpoint {path} is corrupt: {fault}")
    with reading(path / "state.json"):
        # Not `parse_json`: the state comes back exactly.
        head = json.loads((path / "state.json").read_bytes())
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise CheckpointError(f"{path} is not a Lapis checkpoint")
    if head.get("version") != VERSION:
        raise CheckpointError(
            f"{path} has version {head.get('version')} of the format; this Lapis reads {VERSION}. "
            "Continue with the version of Lapis in the run's env.txt, or start a new run"
        )
    parts = {"update": int, "config": dict, "state": dict}
    for name, kind in parts.items():
        if type(head.get(name)) is not kind:
            raise CheckpointError(f"{path}: {name} is {head.get(name)!r:.60}")
    if head["update"] != _update(path):
        raise CheckpointError(f"{path} says that it is of update {head['update']}")
    return head


@contextmanager
def _reading_tensors(path: Path) -> Iterator[None]:
    try:
        with reading(path):
            yield
    except safetensors.SafetensorError as error:
        raise CheckpointError(f"the tensors of {path} cannot be read: {error}") from error


def _encode(tensors: Mapping[str, Tensor]) -> bytes:
    # Copies, because safetensors refuses tensors that share memory (views, tied weights).
    return safetensors.torch.save(
        {
            name: tensor.detach().to("cpu", copy=True).contiguous()
            for name, tensor in tensors.items()
        }
    )


def _finished(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    finished = (path for path in folder.iterdir() if re.fullmatch(r"update-\d+", path.name))
    return sorted(finished, key=_update)


def _update(path: Path) -> int:
    return int(path.name.removeprefix("update-"))


def _fault(path: Path) -> str | None:
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
    except IsADirectoryError as error:
        return f"{Path(error.filename).name} is a folder"
    except ValueError:
        return "SHA256SUMS is unreadable"
    return None


def _remove_leftovers(folder: Path) -> None:
    """Removes what killed processes left under temporary names."""
    for path in folder.iterdir():
        if path.name.startswith((".writing-", ".removing-")):
            _remove(path)


def _discard(path: Path) -> None:
    """Removes a checkpoint; one rename takes it out of sight before its files go."""
    doomed = path.with_name(f".removing-{path.name}")
    path.rename(doomed)
    _remove(doomed)


def _remove(path: Path) -> None:
    """Removes a folder, or a link and not what it leads to."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _prune(folder: Path, update: int, keep_count: int) -> None:
    """Keeps `update`, which is known to be whole, and those before it up to `keep_count`."""
    drop_later(folder, update)
    older = [path for path in _finished(folder) if _update(path) < update]
    for path in older[: max(0, len(older) - (keep_count - 1))]:
        _discard(path)
