"""Where tables stand in the pages: between a marker that names them and `<!-- end -->`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from experiments.evidence.tables import TABLES

__all__ = ["DOCS", "ROOT", "filled", "pages"]

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

_BLOCK = re.compile(r"(<!-- evidence: (?P<call>[^>]*?) -->\n\n?).*?(?P<end>\n?<!-- end -->)", re.S)


def pages() -> Iterator[Path]:
    """All pages with a marker."""
    for path in [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]:
        if _BLOCK.search(path.read_text(encoding="utf-8")):
            yield path


def filled(text: str) -> str:
    """The page with every table made anew.

    Raises:
        ValueError: A marker names no table.
    """

    def table(block: re.Match[str]) -> str:
        name, *arguments = block["call"].split()
        if name not in TABLES:
            raise ValueError(f"`evidence: {block['call']}` names none of {', '.join(TABLES)}")
        return f"<!-- evidence: {block['call']} -->\n\n{TABLES[name](*arguments)}\n<!-- end -->"

    return _BLOCK.sub(table, text)
