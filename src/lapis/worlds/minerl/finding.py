"""Where MineRL's environment, Java and the game are, if they are."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NamedTuple

__all__ = ["ENVIRONMENT", "VARIABLE", "Found", "found_python", "look"]

ENVIRONMENT = Path(".venv-minerl")
"""What `make minerl-env` makes."""
VARIABLE = "LAPIS_MINERL_PYTHON"
_GAME = "Malmo/Minecraft/build/libs/*-fat.jar"


def found_python(named: str = "") -> str:
    """The interpreter of MineRL's environment.

    Raises:
        ValueError: None is named, and none is where it would be looked for.
    """
    python = named or os.environ.get(VARIABLE) or str(ENVIRONMENT / "bin" / "python")
    if shutil.which(python) is None:
        raise ValueError(
            f"python is {python!r}, which is not an interpreter; MineRL has its own environment: "
            "make it with `make minerl-env`, or name its interpreter with --world.python or "
            f"{VARIABLE}"
        )
    return str(Path(python).absolute())


class Found(NamedTuple):
    """What there is of MineRL; empty where it was not found."""

    python: str
    client: str
    """Folder of the package `minerl`."""
    java: str
    game: str
    """The game, built."""


def look() -> Found:
    """Looks for all, and runs nothing."""
    try:
        python = found_python()
    except ValueError:
        return Found("", "", shutil.which("java") or "", "")
    clients = sorted(Path(python).parent.parent.glob("lib/python3*/site-packages/minerl"))
    client = clients[0] if clients else None
    games = sorted(client.glob(_GAME)) if client else []
    return Found(python, str(client or ""), shutil.which("java") or "", str(*games[:1]))
