"""The tables as a separate page, or as a part of another one."""

from __future__ import annotations

import jinja2

from lapis.inspect.tables import Share, headline, tables

__all__ = ["inspection_page", "inspection_section", "inspection_style"]


_TEMPLATES = jinja2.Environment(
    loader=jinja2.PackageLoader("lapis.inspect"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.tests["share"] = lambda cell: isinstance(cell, Share)


def inspection_page(result: dict, *, name: str) -> str:
    """One HTML file that needs nothing else; `name` says who played."""
    page = _TEMPLATES.get_template("page.html")
    return page.render(name=name, style=inspection_style(), section=inspection_section(result))


def inspection_section(result: dict) -> str:
    """Only the tables, as HTML for another page; needs `inspection_style` there."""
    section = _TEMPLATES.get_template("section.html")
    return section.render(headline=headline(result), tables=tables(result))


def inspection_style() -> str:
    """The style sheet of the section."""
    return _TEMPLATES.get_template("style.css").render()
