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

from lapis.agent.schedule import Schedule
from lapis.registry import REGISTRIES

__all__ = ["READERS", "field_docs", "folded", "setting_lines"]

LONG = 6
"""Entries of the longest list that is shown whole."""

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
    """All entries of a short list, of a long one the first and how many there are."""
    if len(entries) <= LONG:
        return list(entries)
    return [*entries[:3], f"... ({len(entries)} names)"]


def setting_lines(settings: Any, width: int, *, flat: Collection[str] = ()) -> list[str]:
    """Name, value and the first sentence on each setting; nested ones under a heading.

    Args:
        settings: A dataclass; its values are shown.
        width: Longest line; sentences are cut at the end of a word.
        flat: Nested dataclasses whose settings have no prefix on the command line.
    """
    groups: dict[str, _Group] = {"": _Group("")}
    _collect(settings, "", frozenset(flat), groups)
    lines = _rows(groups.pop("").rows, width)
    for name, group in groups.items():
        heading = f"--{_kebab(name)}.NAME VALUE: {group.about}"
        lines += ["", heading if len(heading) <= width else _cut(heading, width)]
        lines += _rows(group.rows, width) if group.rows else []
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


@dataclasses.dataclass
class _Group:
    """The settings of one dataclass: value and text of each."""

    about: str
    rows: dict[str, tuple[Any, str]] = dataclasses.field(default_factory=dict)


def _collect(settings: Any, prefix: str, flat: frozenset[str], groups: dict[str, _Group]) -> None:
    """Sorts all settings into groups by their prefix; dataclasses in `flat` have none."""
    docs = field_docs(type(settings))
    for field in dataclasses.fields(settings):
        value, doc = getattr(settings, field.name), docs.get(field.name, "")
        if not dataclasses.is_dataclass(value) or isinstance(value, Schedule):
            groups[prefix].rows[field.name] = (value, doc)
        elif field.name in flat:
            _collect(value, prefix, flat, groups)
        else:
            name = f"{prefix}.{field.name}" if prefix else field.name
            groups[name] = _Group(_kind(value) or doc)
            _collect(value, name, flat, groups)


def _kind(settings: Any) -> str | None:
    """The name of a world, teacher or encoder, and what it is; None for other settings."""
    for base, registry in REGISTRIES.items():
        if isinstance(settings, base):
            about = (inspect.getdoc(settings) or "").partition("\n")[0]
            return f"{registry.name_of(type(settings))}. {about}"
    return None


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
