"""Which extra of Lapis installs a package, for messages about missing ones."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

DISTRIBUTION = "lapis-rl"

EXTRAS = {
    "tyro": "cli",
    "rich": "cli",
    "av": "train",
    "torch": "train",
    "warp": "train",
    "safetensors": "train",
    "tensorboard": "train",
    "filelock": "train",
    "gymnasium": "gym",
    "stable_baselines3": "sb3",
    "torchrl": "torchrl",
    "tensordict": "torchrl",
    "trl": "trl",
    "datasets": "trl",
    "transformers": "trl",
    "accelerate": "trl",
    "matplotlib": "report",
    "PIL": "report",
    "jinja2": "report",
    "scipy": "report",
    "ray": "ray",
    "jax": "craftax",
    "craftax": "craftax",
    "xminigrid": "xland",
}
"""By the name under which the package is imported."""
APART = ("craftax", "ray", "xland")
"""Extras that no other extra includes."""


def install_command(extra: str = "") -> str:
    """The whole command, for a POSIX shell."""
    return f"pip install '{DISTRIBUTION}[{extra}]'" if extra else f"pip install {DISTRIBUTION}"


def missing_package(error: ModuleNotFoundError, what: str, extra: str | None = None) -> str | None:
    """A sentence on what to install for `what`; None if no extra of Lapis installs the package.

    Args:
        error: What was raised.
        what: Who needs the package.
        extra: The extra that installs everything `what` needs; None: the package's own.
    """
    package = (error.name or "").partition(".")[0]
    if EXTRAS.get(package) in APART and isinstance(error.__cause__, ModuleNotFoundError):
        return str(error)  # A part of `what` needs it, and `needed_by` has said so.
    if package not in EXTRAS:
        return None
    command = install_command(extra or EXTRAS[package])
    return f"{what} needs {package}, which is not installed; get it with: {command}"


@contextlib.contextmanager
def needed_by(what: str, extra: str) -> Iterator[None]:
    """Imports inside it say what to install if a package is missing.

    Raises:
        ModuleNotFoundError: With the whole command.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        sentence = missing_package(error, what, extra)
        if sentence is None:
            raise
        raise ModuleNotFoundError(sentence, name=error.name) from error
