"""Files from strangers: damage is reported in one line, and text is safe to print."""

from __future__ import annotations

import json
import tokenize
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lapis.runs.errors import RunError

__all__ = ["parse_json", "printable", "reading"]

_DAMAGE = (
    TypeError,
    ValueError,
    LookupError,
    AttributeError,
    ArithmeticError,
    EOFError,
    MemoryError,
    RecursionError,
    NotImplementedError,  # A zip member that is packed or encrypted in another way.
    SyntaxError,  # NumPy reads the head of an array as Python's tokens.
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What values of the wrong kind lead to in code that takes a file apart."""


@contextmanager
def reading(what: str | Path) -> Iterator[None]:
    """Turns errors about the contents of a file into one that names the file."""
    try:
        yield
    except _DAMAGE as error:
        reason = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise RunError(
            f"{what} is damaged or was not made by Lapis ({reason or type(error).__name__}); "
            "restore it from a copy"
        ) from error


def parse_json(data: str | bytes) -> dict[str, Any]:
    """The JSON object in `data`; for use within `reading`."""
    values = json.loads(data)
    if not isinstance(values, dict):
        raise TypeError(f"it holds a {type(values).__name__}, not an object")
    return printable(values)


def printable(value: Any, keep: str = "") -> Any:
    """`value`, of JSON types, with control characters escaped but for those to `keep`.

    A terminal obeys them: names from a file could clear it or type into it.
    """
    if isinstance(value, str):
        return "".join(
            char
            if char in keep or unicodedata.category(char) not in ("Cc", "Cf", "Cs")
            else char.encode("unicode_escape").decode()
            for char in value
        )
    if isinstance(value, dict):
        return {printable(key, keep): printable(each, keep) for key, each in value.items()}
    return [printable(each, keep) for each in value] if isinstance(value, list) else value
