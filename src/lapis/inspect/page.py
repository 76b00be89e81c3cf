"""The tables as a page of its own, or as a part of another one."""

from __future__ import annotations

from importlib import resources

import jinja2

from lapis.inspect.tables import Share, headline, tables

__all__ = ["inspection_page", "inspection_section", "inspection_style"]


def inspection_page(result: dict, *, name: str) -> str:
    """One HTML file that needs nothing else; `name` says who played."""
    return _render(
        "page.html", name=name, style=inspection_style(), section=inspection_section(result)
    )


def inspection_section(result: dict) -> str:
    """The tables alone, as HTML to put in another page, together with `inspection_style`."""
    return _render("section.html", headline=headline(result), tables=tables(result))


def inspection_style() -> str:
    """The style sheet of the section."""
    return _template_text("style.css")


def _render(template: str, **values: object) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_template_text),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests["share"] = lambda cell: isinstance(cell, Share)
    return environment.get_template(template).render(values)


def _template_text(name: str) -> str:
    return (resources.files("lapis.inspect") / "templates" / name).read_text(encoding="utf-8")
