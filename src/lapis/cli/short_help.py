"""Help on many settings: one line each, with long lists folded."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Collection, Sequence
from typing import Any, TypeAlias

from tyro.constructors import ConstructorRegistry, PrimitiveConstructorSpec, PrimitiveTypeInfo

from lapis.agent.schedule import Schedule
from lapis.registry import REGISTRIES

__all__ = ["READERS", "field_docs", "folded", "setting_lines"]

LONG = 6
"""Entries of the longest list that is shown whole."""

_Rows: TypeAlias = dict[str, tuple[str, str]]
"""Value and text of each setting."""

READERS = ConstructorRegistry()
"""For `tyro.cli`: reads schedules, and lists of names as it always does but shows long defaults
folded."""


@READERS.primitive_rule
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


@READERS.primitive_rule
def _schedule(info: PrimitiveTypeInfo) -> PrimitiveConstructorSpec | None:
    if info.type is not Schedule:
        return None
    return PrimitiveConstructorSpec(
        nargs=1,
        metavar="NUMBER|START:END:UPDATES",
        instance_from_str=lambda texts: Schedule.from_text(texts[0]),
        is_instance=lambda value: isinstance(value, Schedule),
        str_from_instance=lambda schedule: [str(schedule)],
    )


def folded(entries: Sequence[str]) -> list[str]:
    """All entries of a short list; for a long one, the first entry and the number of entries."""
    if len(entries) <= LONG:
        return list(entries)
    return [*entries[:3], f"... ({len(entries)} names)"]


def setting_lines(settings: Any, width: int, *, flat: Collection[str] = ()) -> list[str]:
    """Name, value and the first sentence on each setting; nested ones under a heading.

    Lines longer than `width` are cut at the end of a word. The settings of dataclasses in `flat`
    have no prefix on the command line.
    """
    groups: dict[str, _Rows] = {"": {}}
    abouts: dict[str, str] = {}
    _collect(settings, "", flat, groups, abouts)
    lines = _rows(groups.pop(""), width)
    for name, rows in groups.items():
        heading = f"--{_kebab(name)}.NAME VALUE: {abouts[name]}"
        lines += ["", _cut(heading, width), *_rows(rows, width)]
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
    prefix: str,
    flat: Collection[str],
    groups: dict[str, _Rows],
    abouts: dict[str, str],
) -> None:
    """Sorts all settings into groups by their prefix, and says what each group is about."""
    docs = field_docs(type(settings))
    for field in dataclasses.fields(settings):
        value, doc = getattr(settings, field.name), docs.get(field.name, "")
        if not dataclasses.is_dataclass(value) or isinstance(value, Schedule):
            groups[prefix][field.name] = (_shown(value), doc)
        elif field.name in flat:
            _collect(value, prefix, flat, groups, abouts)
        else:
            name = f"{prefix}.{field.name}" if prefix else field.name
            groups[name], abouts[name] = {}, _kind(value) or doc
            _collect(value, name, flat, groups, abouts)


def _kind(settings: Any) -> str | None:
    """The name of a world, teacher or encoder, and what it is; None for other settings."""
    for base, registry in REGISTRIES.items():
        if isinstance(settings, base):
            about = (inspect.getdoc(settings) or "").partition("\n")[0]
            return f"{registry.name_of(type(settings))}. {about}"
    return None


def _rows(rows: _Rows, width: int) -> list[str]:
    name_width = max(map(len, rows), default=0)
    value_width = max((len(value) for value, _ in rows.values()), default=0)
    return [
        _cut(f"  {_kebab(name):{name_width}}  {value:{value_width}}  {_first_sentence(doc)}", width)
        for name, (value, doc) in rows.items()
    ]


def _shown(value: Any) -> str:
    if not isinstance(value, list | tuple):
        return str(value)
    return f"{len(value)} names" if len(value) > LONG else " ".join(map(str, value))


def _first_sentence(text: str) -> str:
    """Up to the first full stop that a space follows, without what stands in brackets."""
    plain = re.sub(r" \((paper [^)]*)\)", "", text)
    return re.split(r"(?<=\.) ", plain, maxsplit=1)[0]


def _cut(row: str, width: int) -> str:
    if len(row) <= width:
        return row.rstrip()
    return row[: width - 3].rsplit(" ", 1)[0].rstrip(" ,:;") + "..."


def _kebab(name: str) -> str:
    return name.replace("_", "-")
