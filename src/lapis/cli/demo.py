"""`lapis demo`: the recipe `demo`, which a laptop trains in minutes, and its report."""

from __future__ import annotations

from lapis.cli.train import recipe_start, run
from lapis.report.command import write_report
from lapis.torchrun import launch


def main(arguments: list[str]) -> int:
    """Trains by the recipe `demo` and reports; flags as for `lapis train demo`."""
    folder, code = run(recipe_start("demo"), arguments, ["lapis", "demo"])
    here = launch()
    if code == 0 and (here is None or here.rank == 0):
        report = write_report([folder], folder / "report.html")
        print(f"The report is {report.resolve()}: open it in a browser.")
    return code
