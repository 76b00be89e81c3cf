"""A run folder: everything needed to redraw, resume and compare a run, and nothing else.

config.json       the whole configuration, reloadable
recipe.txt        the recipe's name and the exact command
git.txt           commit and diff of the code
env.txt           Python, machine, device, packages
goals.json        names and groups of the goals, in the order of the lists in metrics.jsonl
metrics.jsonl     one line per update
evaluation.jsonl  one line per evaluation, empty where there is none
checkpoints/      written by lapis.running
tensorboard/      event files, written by lapis.running
.lock             empty; locked by the process that writes
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from lapis.runs.durable import explain_full_disk, replace_durably, sync_directory, write_durably
from lapis.runs.errors import RunError
from lapis.runs.metrics import MetricsLog, read_columns
from lapis.runs.old_config import current_config
from lapis.runs.provenance import describe_code, describe_environment
from lapis.runs.reading import parse_json, printable, reading

__all__ = ["RunFolder"]


class RunFolder:
    """A handle on one run's files; make it with `create` or `open`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.checkpoints = path / "checkpoints"
        self.tensorboard = path / "tensorboard"

    @classmethod
    def create(
        cls,
        path: str | Path,
        *,
        config: dict[str, Any],
        recipe: str,
        command: Sequence[str],
        device: str = "cpu",
        goals: Sequence[str] = (),
        groups: Sequence[str] = (),
    ) -> RunFolder:
        """Creates a complete run folder at `path`, or nothing: it appears in one rename.

        `path` may be an empty directory, but must not exist otherwise. `config` consists of JSON
        types, `device` describes the hardware in words, `goals` are in the order of the lists in
        the metrics, and `groups` has the group of each goal, or is empty.
        """
        path = Path(path)
        cls.require_free(path)
        if groups and len(groups) != len(goals):
            raise ValueError(f"groups has {len(groups)} entries for {len(goals)} goals")
        files = {
            "config.json": json.dumps(config, indent=2) + "\n",
            "recipe.txt": f"recipe: {recipe}\ncommand: {shlex.join(command)}\n",
            "git.txt": describe_code(Path(__file__).parent, Path.cwd()),
            "env.txt": describe_environment(device),
            "goals.json": json.dumps({"names": list(goals), "groups": list(groups)}) + "\n",
            "metrics.jsonl": "",
            "evaluation.jsonl": "",
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.parent / f".{path.name}.creating-{os.getpid()}"
        try:
            with explain_full_disk("a run folder", path.parent):
                (draft / "checkpoints").mkdir(parents=True, exist_ok=True)
                for name, text in files.items():
                    write_durably(draft / name, text.encode())
                sync_directory(draft)
                try:
                    draft.rename(path)
                except OSError:
                    RunFolder.require_free(path)  # Another run may have taken the name meanwhile.
                    raise
                sync_directory(path.parent)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        return cls(path)

    @staticmethod
    def require_free(path: Path) -> None:
        """Raises what `create` would raise, before anything costly is done."""
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise FileExistsError(
                f"{path} exists and is never overwritten; continue it with `lapis resume {path}`, "
                "or choose another name with `--run`"
            )

    @classmethod
    def open(cls, path: str | Path) -> RunFolder:
        """Opens the run at `path` without changing it.

        Raises:
            FileNotFoundError: There is none.
            RunError: It holds a pipe or a device, on which reading and writing may hang.
        """
        path = Path(path)
        missing = [name for name in ("config.json", "metrics.jsonl") if not (path / name).is_file()]
        if missing:
            raise FileNotFoundError(
                f"{path} is not a run folder: it has no {' and no '.join(missing)}"
            )
        for each in _inside(path):
            if each.exists() and not each.is_file() and not each.is_dir():
                raise RunError(f"{each} is neither a file nor a folder; remove it")
        return cls(path)

    def read_config(self) -> dict[str, Any]:
        """The configuration the run was made with, in today's form."""
        path = self.path / "config.json"
        with reading(path):
            return current_config(parse_json(path.read_bytes()))

    def read_recipe(self) -> str:
        """The recipe's name."""
        text = (self.path / "recipe.txt").read_text(encoding="utf-8", errors="replace")
        return printable(text.partition("\n")[0].removeprefix("recipe: "))

    def read_goals(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names and groups of the goals; both empty if the run has none."""
        path = self.path / "goals.json"
        with reading(path):
            goals = parse_json(path.read_bytes())
            names, groups = (_names(key, goals[key]) for key in ("names", "groups"))
            if groups and len(groups) != len(names):
                raise ValueError(f"it has {len(groups)} groups for {len(names)} names")
            return names, groups

    def read_metrics(self) -> dict[str, np.ndarray]:
        """The log as columns, see `lapis.runs.metrics.read_columns`; also during training."""
        path = self.path / "metrics.jsonl"
        with reading(path):
            return read_columns(path)

    def read_evaluations(self) -> dict[str, np.ndarray]:
        """The evaluations as columns, like `read_metrics`; empty where there is none."""
        path = self.path / "evaluation.jsonl"
        with reading(path):
            return read_columns(path) if path.is_file() else {}

    def replace_config(self, config: dict[str, Any]) -> None:
        """Replaces the configuration, for a run that is extended."""
        text = json.dumps(config, indent=2) + "\n"
        replace_durably(self.path / "config.json", text.encode())

    def record_resume(self, update: int, command: Sequence[str]) -> None:
        """Records in recipe.txt that the run was resumed after `update`, and by which command."""
        with (
            explain_full_disk("recipe.txt", self.path),
            (self.path / "recipe.txt").open("a") as file,
        ):
            file.write(f"resumed after update {update}: {shlex.join(command)}\n")

    @contextmanager
    def writing(self) -> Iterator[MetricsLog]:
        """Locks the folder for this process and gives its log; one process at a time can write.

        The system releases the lock when the process ends, however it ends. A folder with links
        that lead out of it is refused, so that nothing elsewhere is written.
        """
        import filelock  # Readers do without it.

        _refuse_links_out(self.path)
        for name in ("recipe.txt", "checkpoints", "tensorboard"):
            # Told before anything is written: the last of these is needed when all is under way.
            path = self.path / name
            is_right = path.is_file() if name == "recipe.txt" else path.is_dir()
            if os.path.lexists(path) and not is_right:
                kind = "a file" if name == "recipe.txt" else "a folder"
                raise RunError(f"{path} must be {kind}; put one in its place")
        lock = filelock.FileLock(self.path / ".lock")
        try:
            held = lock.acquire(blocking=False)
        except filelock.Timeout as error:
            raise RunError(
                f"{self.path} is being written by another process; stop it first"
            ) from error
        with held, closing(MetricsLog(self.path / "metrics.jsonl")) as log:
            yield log

    def evaluation_log(self) -> MetricsLog:
        """The log of evaluations, which the caller closes; only for the holder of the lock."""
        log = MetricsLog(self.path / "evaluation.jsonl")
        sync_directory(self.path)  # Folders of older versions come without the file.
        return log


def _refuse_links_out(folder: Path) -> None:
    inside = folder.resolve()
    for path in _inside(folder):
        # Through the system, because a link may lead to itself.
        target = Path(os.path.realpath(path))
        if path.is_symlink() and not target.is_relative_to(inside):
            raise RunError(
                f"{path} is a link to {target}, out of the run; nothing was written. "
                "Put a copy in its place"
            )


def _inside(folder: Path) -> Iterator[Path]:
    """All that lies in a folder and in those within; links are not followed."""
    for parent, folders, files in os.walk(folder):
        yield from (Path(parent, name) for name in (*folders, *files))
        if Path(parent) == folder and "wandb" in folders:
            # Weights & Biases keeps links to its cache here, and starts a new folder every time.
            folders.remove("wandb")


def _names(key: str, values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        raise TypeError(f"{key} is {values!r:.60}; it must be a list of names")
    return tuple(values)
