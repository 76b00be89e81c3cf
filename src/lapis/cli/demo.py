"""`lapis demo`: the recipe `demo`, which a laptop trains in minutes."""

from __future__ import annotations

from lapis.cli.train import run_recipe


def main(arguments: list[str]) -> int:
    """Trains by the recipe `demo`; flags as for `lapis train demo`."""
    return run_recipe("demo", arguments, ["lapis", "demo"])
