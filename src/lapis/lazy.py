"""Names of a package that are loaded when they are first used.

This keeps configurations and the command line quick: PyTorch and Warp take seconds to load, and
only computing needs them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from lapis.extras import needed_by

__all__ = ["lazy_names"]


def lazy_names(package: str, home: Mapping[str, str], *, extra: str) -> Callable[[str], Any]:
    """The `__getattr__` of a package (PEP 562).

    Args:
        package: The package's `__name__`.
        home: The module of each name, relative to the package.
        extra: Which extra of Lapis brings what these modules need.
    """

    def load(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with needed_by(f"{package}.{name}", extra):
            return getattr(importlib.import_module(f"{package}.{home[name]}"), name)

    return load
