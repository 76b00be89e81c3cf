"""Help on many settings, a line each, and long lists folded."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from tyro.constructors import ConstructorRegistry, PrimitiveConstructorSpec, PrimitiveTypeInfo

__all__ = ["FOLDED_LISTS", "field_docs", "folded", "setting_lines"]

LONG = 6
"""Entries of the longest list that is shown whole."""

FOLDED_LISTS = ConstructorRegistry()
"""For `tyro.cli`: reads lists of names as it always does, and shows long defaults folded."""


@FOLDED_LISTS.primitive_rule
def _names(info: PrimitiveTypeInfo) -> PrimitiveConstructorSpec | None:
    if info.type != tuple[str, ...]:
        return None
    return PrimitiveConstructorSpec(
        nargs="*",
        metavar="[NAME [NAME ...]]",
        instance_from_str=tuple,
        is_instance=lambda value: isinstance(value, tuple),
        str_from_instance=folded,
    )


def folded(entries: Sequence[str]) -> list[str]:
    """All entries of a short list, of a long one the first and how many there are."""
    if len(entries) <= LONG:
        return list(entries)
    return [*entries[:3], f"... ({len(entries)} names)"]


def setting_lines(
    settings: Any, width: int, *, flat: Collection[str] = (), hidden: Collection[str] = ()
) -> list[str]:
    """Name, value and the first sentence on each setting; nested ones under a heading.

    Args:
        settings: A dataclass; its values are shown.
        width: Longest line; sentences are cut at the end of a word.
        flat: Nested dataclasses whose settings have no prefix on the command line.
        hidden: Nested dataclasses that only get their heading.
    """
    top: dict[str, tuple[Any, str]] = {}
    groups: list[tuple[str, str, Any]] = []
    _collect(settings, frozenset(flat), top, groups)
    lines = _rows(top, width)
    for name, about, group in groups:
        docs = field_docs(type(group))
        inner = {
            field.name: (getattr(group, field.name), docs.get(field.name, ""))
            for field in dataclasses.fields(group)
        }
        lines += ["", f"--{_kebab(name)}.NAME VALUE: {about}"]
        lines += [] if name in hidden else _rows(inner, width)
    return lines


def field_docs(kind: type) -> dict[str, str]:
    """The string under each field of a dataclass, as one line."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(body, ast.ClassDef)
    docs = {}
    for field, below in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
            docs[ast.unparse(field.target)] = " ".join(ast.literal_eval(below.value).split())
    return docs


def _collect(
    settings: Any,
    flat: frozenset[str],
    top: dict[str, tuple[Any, str]],
    groups: list[tuple[str, str, Any]],
) -> None:
    """Sorts the fields into single settings and groups; groups in `flat` are taken apart."""
    docs = field_docs(type(settings))
    for field in dataclasses.fields(settings):
        value = getattr(settings, field.name)
        if not dataclasses.is_dataclass(value):
            top[field.name] = (value, docs.get(field.name, ""))
        elif field.name in flat:
            _collect(value, flat, top, groups)
        else:
            groups.append((field.name, docs.get(field.name, ""), value))


def _rows(settings: Mapping[str, tuple[Any, str]], width: int) -> list[str]:
    values = {name: _shown(value) for name, (value, _) in settings.items()}
    name_width, value_width = max(map(len, values)), max(map(len, values.values()))
    rows = []
    for name, (_, doc) in settings.items():
        row = f"  {_kebab(name):{name_width}}  {values[name]:{value_width}}  {_first_sentence(doc)}"
        rows.append(row.rstrip() if len(row) <= width else _cut(row, width))
    return rows


def _shown(value: Any) -> str:
    if not isinstance(value, list | tuple):
        return str(value)
    return f"{len(value)} names" if len(value) > LONG else " ".join(map(str, value))


def _first_sentence(text: str) -> str:
    """Up to the first full stop that a space follows, without what stands in brackets."""
    plain = re.sub(r" \((paper [^)]*)\)", "", text)
    return re.split(r"(?<=\.) ", plain, maxsplit=1)[0]


def _cut(row: str, width: int) -> str:
    return row[: width - 3].rsplit(" ", 1)[0].rstrip(" ,:;") + "..."


def _kebab(name: str) -> str:
    return name.replace("_", "-")
