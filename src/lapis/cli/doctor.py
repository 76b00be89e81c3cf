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

CORE = ("numpy", "lapis.curriculum")
"""Without them nothing of Lapis works."""
OTHERS = ("safetensors", "tensorboard", "gymnasium", "matplotlib", "av")
DISTRIBUTIONS = {"lapis.curriculum": DISTRIBUTION, "warp": "warp-lang"}
"""Which bring a module, where the name is another."""
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


@dataclass(frozen=True, kw_only=True)
class DoctorArguments:
    """Says what works on this machine, and what to install for the rest."""

    runs: Path = Path("runs")
    """Folder in which runs will be kept."""
    load: bool = False
    """Also loads each package, which takes some seconds. This finds broken packages and lists
    GPUs."""


def main(arguments: list[str]) -> int:
    """Prints the table; 0 if the core works."""
    parsed = tyro.cli(DoctorArguments, args=arguments, prog="lapis doctor")
    checks = examine(parsed.runs, load=parsed.load)
    Console().print(_table(checks))
    failed = [check.name for check in checks if check.name in CORE and check.status != "ok"]
    if failed:
        print(f"The core does not work: {', '.join(failed)}")
        return 1
    print("The core works.")
    if not parsed.load:
        print("`lapis doctor --load` also loads the packages, and looks for GPUs.")
    return 0


def examine(runs: Path, *, load: bool) -> list[Check]:
    """All checks, the core first; with `load`, other packages are loaded too."""
    python = (
        f"{platform.python_version()} on {platform.platform(terse=True)}, "
        f"{usable_cores()} of {os.cpu_count()} CPUs usable"
    )
    return [
        Check(name="Python", detail=python),
        *(_package(name, load=True) for name in CORE),
        _package("torch", _torch_detail, load=load),
        _package("warp", _warp_detail, load=load),
        *(_package(name, load=load) for name in OTHERS),
        _minerl(),
        _minetest(),
        _write_access(runs),
        _disk(runs),
    ]


def _package(module: str, describe: Callable[[], str] = str, *, load: bool) -> Check:
    """Whether a package is there and its version; loaded, what `describe` adds to it, too."""
    status, fix = "ok", ""
    package = DISTRIBUTIONS.get(module, module)
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
    return Check(name=module, status=status, detail=detail, fix=fix)


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


def _minerl() -> Check:
    """How much of Minecraft is there: MineRL's client, Java, the game."""
    from lapis.worlds.minerl.finding import look

    found, page = look(), "see docs/minerl.md"
    if not found.client:
        detail, fix = "no environment with MineRL's client", "make minerl-env, in a clone of Lapis"
    elif not found.java:
        detail, fix = f"client in {found.client}, but no Java", f"install Java 8; {page}"
    elif not found.game:
        detail = f"client in {found.client}, but Minecraft is not built"
        fix = f"make minerl-env MINECRAFT=1; {page}"
    else:
        return Check(name="minerl", detail=found.game)
    return Check(name="minerl", status="missing", detail=detail, fix=fix)


def _minetest() -> Check:
    """Whether the engine and its game are there."""
    from lapis.worlds.minetest.server import INSTALL, find_server, game_folder

    try:
        return Check(name="minetest", detail=f"{find_server()} with {game_folder()}")
    except FileNotFoundError as error:
        detail = str(error).partition(";")[0]
        return Check(name="minetest", status="missing", detail=detail, fix=INSTALL)


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
