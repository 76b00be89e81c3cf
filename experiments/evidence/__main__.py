"""Redraws every table and figure of the documentation; trains again if it is asked to."""

from __future__ import annotations

import argparse

from experiments.evidence.figures import draw_all
from experiments.evidence.pages import DOCS, filled, pages
from experiments.evidence.studies import STUDIES, run_study
from lapis.runs.durable import replace_durably


def main() -> int:
    """The exit code: that of the first study that did not end, else 0."""
    parser = argparse.ArgumentParser(prog="python -m experiments.evidence", description=__doc__)
    parser.add_argument(
        "--run", nargs="*", choices=list(STUDIES), help="studies to train first; default: all"
    )
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--jobs", type=int, default=None, help="runs at a time")
    asked = parser.parse_args()
    for name in [] if asked.run is None else asked.run or STUDIES:
        if code := run_study(name, asked.device, asked.jobs):
            return code
    for path in pages():
        text = path.read_text(encoding="utf-8")
        if (new := filled(text)) != text:
            replace_durably(path, new.encode())
            print(f"wrote {path}")
    for path in draw_all(DOCS / "figures"):
        print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
