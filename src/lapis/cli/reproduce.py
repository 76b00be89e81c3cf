"""`lapis reproduce`: the paper's treatments over several seeds, side by side, with a report."""

from __future__ import annotations

import tyro

from lapis.reproduce.command import dry_run, reproduce
from lapis.reproduce.request import Request


def main(arguments: list[str]) -> int:
    """Runs, or continues, the reproduction that the arguments ask for."""
    request = tyro.cli(Request, args=arguments, prog="lapis reproduce")
    if request.dry_run:
        return dry_run(request)
    return reproduce(request, command=["lapis", "reproduce", *arguments])
