"""Names of a package that are loaded when they are first used.

Configurations and the command line stay quick that way: PyTorch and Warp take seconds to load, and
only what computes needs them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from lapis.extras import missing_package

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
        try:
            module = importlib.import_module(f"{package}.{home[name]}")
        except ModuleNotFoundError as error:
            sentence = missing_package(error, f"{package}.{name}", extra)
            if sentence is None:
                raise
            raise ModuleNotFoundError(sentence, name=error.name) from error
        return getattr(module, name)

    return load
