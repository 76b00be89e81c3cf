"""The tables in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable
from rich.text import Text

from lapis.inspect.tables import Cell, Share, Table

__all__ = ["print_tables"]

BAR_WIDTH = 8
"""Characters of a bar that stands for the whole."""


def print_tables(console: Console, tables: Sequence[Table]) -> None:
    """Prints all tables, each under its title and above what it means."""
    for table in tables:
        console.print()
        console.print(f"[bold]{escape(table.title)}[/bold]")
        console.print(_drawn(table))
        console.print(f"[dim]{escape(table.note)}[/dim]")


def _drawn(table: Table) -> RichTable:
    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for index, column in enumerate(table.columns):
        bars = any(isinstance(row[index], Share) for row in table.rows)
        justify = "left" if index == 0 or bars else "right"
        drawn.add_column(escape(column), justify=justify, no_wrap=bars)
    for row in table.rows:
        drawn.add_row(*(_cell(each) for each in row))
    return drawn


def _cell(cell: Cell) -> Text:
    if not isinstance(cell, Share) or cell.value is None:
        return Text(str(cell))
    return Text(f"{cell!s:>5} ").append("━" * round(BAR_WIDTH * cell.value), style="cyan")
