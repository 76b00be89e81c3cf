"""Keyword arguments of an environment, sorted by the configuration that they belong to."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from typing import Any

__all__ = ["sorted_settings"]


def sorted_settings(settings: Mapping[str, Any], *kinds: type) -> list[dict[str, Any]]:
    """The settings of each of the configuration classes `kinds`.

    Raises:
        TypeError: A setting is none of theirs; the message names the nearest one.
    """
    names = [{field.name for field in dataclasses.fields(kind)} for kind in kinds]
    known = sorted(set().union(*names))
    for name in settings:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            advice = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(known)}"
            raise TypeError(f"unknown setting {name!r}; {advice}")
    return [{name: settings[name] for name in settings if name in mine} for mine in names]
