"""`lapis doctor`: what works here, and what to install for the rest."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.console import Console
from rich.table import Table
from rich.text import Text

from lapis import __version__
from lapis.extras import DISTRIBUTION, EXTRAS, install_command
from lapis.threads import usable_cores

LOW_DISK_BYTES = 2 * 10**9
"""Below this a long run with its checkpoints may not fit."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """One row of the table."""

    name: str
    status: str = "ok"
    """Or `missing`, or `broken`."""
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
    failed = [check.name for check in checks if check.is_core and check.status != "ok"]
    if failed:
        print(f"The core does not work: {', '.join(failed)}")
        return 1
    print("The core works.")
    if not parsed.load:
        print("`lapis doctor --load` also loads the packages, and looks for GPUs.")
    return 0


def examine(runs: Path, *, load: bool) -> list[Check]:
    """All checks, the core first; `load`: packages beside the core are loaded, too."""
    python = (
        f"{platform.python_version()} on {platform.platform(terse=True)}, "
        f"{usable_cores()} of {os.cpu_count()} CPUs usable"
    )
    return [
        Check(name="Python", detail=python, is_core=True),
        _package("numpy", "numpy", load=True, is_core=True),
        _package("lapis.curriculum", DISTRIBUTION, load=True, is_core=True),
        _package("torch", "torch", _torch_detail, load=load),
        _package("warp", "warp-lang", _warp_detail, load=load),
        *(
            _package(name, name, load=load)
            for name in ("safetensors", "tensorboard", "gymnasium", "matplotlib", "av")
        ),
        _write_access(runs),
        _disk(runs),
    ]


def _package(
    module: str,
    package: str,
    describe: Callable[[], str] = str,
    *,
    load: bool,
    is_core: bool = False,
) -> Check:
    """Whether a package is there and its version; loaded, what `describe` adds to it, too."""
    status, fix = "ok", ""
    reinstall = f"pip install --force-reinstall {package}"
    try:
        if load:
            importlib.import_module(module)
        elif importlib.util.find_spec(module) is None:
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)
        detail = __version__ if package == DISTRIBUTION else importlib.metadata.version(package)
        if load and (more := describe()):
            detail += f", {more}"
    except ModuleNotFoundError as error:
        status, detail = "missing" if error.name == module else "broken", str(error)
        fix = install_command(EXTRAS[module]) if module in EXTRAS else reinstall
    except (ImportError, OSError, RuntimeError) as error:  # Shared libraries and drivers.
        status, detail, fix = "broken", str(error).partition("\n")[0], reinstall
    return Check(name=module, status=status, detail=detail, fix=fix, is_core=is_core)


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
        return Check(name=name, status="broken", detail=str(error), fix=fix)
    return Check(name=name, detail=str(runs.absolute()))


def _disk(runs: Path) -> Check:
    free = shutil.disk_usage(_nearest_existing(runs)).free
    is_low = free < LOW_DISK_BYTES
    return Check(
        name="free disk",
        status="broken" if is_low else "ok",
        detail=f"{free / 1e9:.1f} GB",
        fix="make room: a long run may need 2 GB" if is_low else "",
    )


def _nearest_existing(path: Path) -> Path:
    return next(place for place in (path, *path.absolute().parents) if place.is_dir())


def _table(checks: list[Check]) -> Table:
    styles = {"ok": "green", "missing": "yellow", "broken": "bold red"}
    table = Table(title=f"lapis {__version__}", title_justify="left", title_style="bold")
    for column in ("what", "state", "detail", "what to do"):
        table.add_column(column, no_wrap=column in ("what", "state"))
    for check in checks:
        status = Text(check.status, style=styles[check.status])
        table.add_row(Text(check.name), status, Text(check.detail), Text(check.fix))
    return table
