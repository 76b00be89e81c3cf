"""`lapis doctor`: what works here, and what to install for the rest."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import tyro
from rich.console import Console
from rich.table import Table
from rich.text import Text

from lapis import __version__
from lapis.extras import DISTRIBUTION, EXTRAS, install_command
from lapis.threads import usable_cores

MINIMUM_PYTHON = (3, 11)
LOW_DISK_BYTES = 2 * 10**9
"""Below this a long run with its checkpoints may not fit."""


class Status(Enum):
    """How a check went."""

    OK = "ok"
    MISSING = "missing"
    BROKEN = "broken"


@dataclass(frozen=True, kw_only=True)
class Check:
    """One row of the table."""

    name: str
    status: Status
    detail: str
    fix: str = ""
    """What to do about it."""
    is_core: bool = False
    """Whether nothing of Lapis works without."""


@dataclass(frozen=True, kw_only=True)
class DoctorArguments:
    """Says what works here, and what to install for the rest."""

    runs: Path = Path("runs")
    """Folder in which runs will be kept."""
    load: bool = False
    """Also loads each package, which takes some seconds: finds broken ones, and lists GPUs."""


def main(arguments: list[str]) -> int:
    """Prints the table; 0 if the core works."""
    parsed = tyro.cli(DoctorArguments, args=arguments, prog="lapis doctor")
    checks = examine(parsed.runs, load=parsed.load)
    Console().print(_table(checks))
    failed = [check.name for check in checks if check.is_core and check.status is not Status.OK]
    if failed:
        print(f"The core does not work: {', '.join(failed)}")
        return 1
    print("The core works.")
    if not parsed.load:
        print("`lapis doctor --load` also loads the packages, and looks for GPUs.")
    return 0


def examine(runs: Path, *, load: bool) -> list[Check]:
    """All checks, the core first; `load`: packages beside the core are loaded, too."""
    return [
        _python(),
        _package("numpy", "numpy", load=True, is_core=True),
        _package("lapis.curriculum", DISTRIBUTION, load=True, is_core=True),
        _package("torch", "torch", _torch_detail, load=load),
        _package("warp", "warp-lang", _warp_detail, load=load),
        _package("safetensors", "safetensors", load=load),
        _package("tensorboard", "tensorboard", load=load),
        _package("gymnasium", "gymnasium", load=load),
        _package("matplotlib", "matplotlib", load=load),
        _package("av", "av", load=load),
        _write_access(runs),
        _disk(runs),
    ]


def _python() -> Check:
    is_new = sys.version_info >= MINIMUM_PYTHON
    return Check(
        name="Python",
        status=Status.OK if is_new else Status.BROKEN,
        detail=f"{platform.python_version()} on {platform.platform(terse=True)}, "
        f"{usable_cores()} of {os.cpu_count()} CPUs usable",
        fix="" if is_new else f"install Python {'.'.join(map(str, MINIMUM_PYTHON))} or newer",
        is_core=True,
    )


def _package(
    module: str,
    package: str,
    describe: Callable[[], str] | None = None,
    *,
    load: bool,
    is_core: bool = False,
) -> Check:
    """Whether a package is there and its version; loaded, what `describe` adds to it, too."""
    source = install_command(EXTRAS[module]) if module in EXTRAS else _reinstall(package)
    try:
        if load:
            importlib.import_module(module)
        elif importlib.util.find_spec(module) is None:
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)
        detail = __version__ if package == DISTRIBUTION else importlib.metadata.version(package)
        if load and describe is not None:
            detail += f", {describe()}"
    except ModuleNotFoundError as error:
        status = Status.MISSING if error.name == module else Status.BROKEN
        return Check(name=module, status=status, detail=str(error), fix=source, is_core=is_core)
    except (ImportError, OSError, RuntimeError) as error:  # Shared libraries and drivers.
        detail = str(error).partition("\n")[0]
        fix = _reinstall(package)
        return Check(name=module, status=Status.BROKEN, detail=detail, fix=fix, is_core=is_core)
    return Check(name=module, status=Status.OK, detail=detail, is_core=is_core)


def _reinstall(package: str) -> str:
    return f"pip install --force-reinstall {package}"


def _torch_detail() -> str:
    import torch

    if not torch.cuda.is_available():
        return "CPU only"
    names = [torch.cuda.get_device_name(index) for index in range(torch.cuda.device_count())]
    return f"CUDA {torch.version.cuda}: {', '.join(names)}"


def _warp_detail() -> str:
    import warp

    from lapis.worlds.launching import start_warp

    start_warp()
    return "devices " + ", ".join(
        f"{device.alias} ({device.name})" for device in warp.get_devices()
    )


def _write_access(runs: Path) -> Check:
    """Tries it; a folder that was not there is not left behind."""
    name = f"write to {runs}"
    place = _nearest_existing(runs)
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        fix = f"chmod u+w {place}, or name another folder with --run"
        return Check(name=name, status=Status.BROKEN, detail=str(error), fix=fix)
    return Check(name=name, status=Status.OK, detail=str(runs.absolute()))


def _disk(runs: Path) -> Check:
    free = shutil.disk_usage(_nearest_existing(runs)).free
    is_low = free < LOW_DISK_BYTES
    return Check(
        name="free disk",
        status=Status.BROKEN if is_low else Status.OK,
        detail=f"{free / 1e9:.1f} GB",
        fix="make room: a long run may need 2 GB" if is_low else "",
    )


def _nearest_existing(path: Path) -> Path:
    return next(place for place in (path, *path.absolute().parents) if place.is_dir())


def _table(checks: list[Check]) -> Table:
    styles = {Status.OK: "green", Status.MISSING: "yellow", Status.BROKEN: "bold red"}
    table = Table(title=f"lapis {__version__}", title_justify="left", title_style="bold")
    table.add_column("what", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("detail")
    table.add_column("what to do")
    for check in checks:
        status = Text(check.status.value, style=styles[check.status])
        table.add_row(Text(check.name), status, Text(check.detail), Text(check.fix))
    return table
