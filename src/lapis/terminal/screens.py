"""What views of long work share: a panel in a terminal, or lines where there is none."""

from __future__ import annotations

import os
import sys
from typing import Self

from rich.console import Console, RenderableType
from rich.live import Live

__all__ = ["LiveScreen", "PlainScreen"]


class LiveScreen:
    """A panel that is redrawn twice a second; subclasses render it."""

    def __init__(self, console: Console) -> None:
        self._notice = ""
        self._console = console
        self._live = Live(console=console, get_renderable=self._render, refresh_per_second=2)

    def __enter__(self) -> Self:
        self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def say(self, text: str) -> None:
        """Prints `text` above the panel."""
        self._console.print(text, highlight=False, markup=False)

    def announce(self, text: str) -> None:
        """Shows `text` in the panel from the next redraw on: a handler must not print."""
        self._notice = text

    def _render(self) -> RenderableType:
        raise NotImplementedError


class PlainScreen:
    """Lines of text."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def say(self, text: str) -> None:
        """Prints `text`."""
        print(text, flush=True)

    def announce(self, text: str) -> None:
        """Writes past Python's buffers, which the interrupted code may be using."""
        os.write(sys.stderr.fileno(), f"{text}\n".encode())
