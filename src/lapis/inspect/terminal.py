"""The tables in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table as RichTable
from rich.text import Text

from lapis.inspect.tables import Cell, Share, Table

__all__ = ["print_tables"]

BAR_WIDTHS = (8, 6, 4, 3, 2, 0)
"""Characters of a bar that stands for the whole: the first with which the table fits."""


def print_tables(console: Console, tables: Sequence[Table]) -> None:
    """Prints all tables, each under its title and above what it means."""
    for table in tables:
        console.print()
        console.print(f"[bold]{escape(table.title)}[/bold]")
        console.print(_fitted(table, console))
        console.print(f"[dim]{escape(table.note)}[/dim]")


def _fitted(table: Table, console: Console) -> RichTable:
    unlimited = console.options.update(max_width=10_000)
    tries = [_drawn(table, bar_width) for bar_width in BAR_WIDTHS]
    widths = [Measurement.get(console, unlimited, each).maximum for each in tries]
    fits = (each for each, width in zip(tries, widths, strict=True) if width <= console.width)
    return next(fits, tries[-1])


def _drawn(table: Table, bar_width: int) -> RichTable:
    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for index, column in enumerate(table.columns):
        bars = any(isinstance(row[index], Share) for row in table.rows)
        justify = "left" if index == 0 or bars else "right"
        # In a narrow terminal the other columns wrap: without names the numbers say nothing.
        drawn.add_column(escape(column), justify=justify, no_wrap=index == 0, overflow="fold")
    for row in table.rows:
        drawn.add_row(*(_cell(each, bar_width) for each in row))
    return drawn


def _cell(cell: Cell, bar_width: int) -> Text:
    if not isinstance(cell, Share) or cell.value is None:
        return Text(str(cell))
    bar = "━" * round(bar_width * cell.value)
    return Text(f"{cell!s:>4}").append(f" {bar}" if bar else "", style="cyan")
