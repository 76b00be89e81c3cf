"""Runs the cases and prints `case.metric value`; appends one JSON line per case to a file.

python -m benchmarks.run                      # everything
python -m benchmarks.run -f 'curriculum_107'  # cases whose name matches
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import json
import os
import platform
import re
import subprocess
from pathlib import Path

from benchmarks.cases import CASES

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Runs the chosen cases in the order of the list."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-f", "--filter", default="", help="regular expression of case names")
    parser.add_argument("-l", "--list", action="store_true", help="only print the names")
    parser.add_argument(
        "--results", type=Path, default=ROOT / "benchmarks" / "results.jsonl", help="JSONL file"
    )
    options = parser.parse_args()
    cases = [case for case in CASES if re.search(options.filter, case["name"])]
    if not cases:
        parser.error(f"no case matches {options.filter!r}; --list prints them all")
    if options.list:
        print("\n".join(case["name"] for case in cases))
        return
    origin = {"commit": _commit(), "device": _device(), "driver": _driver(), **_versions()}
    for case in cases:
        metrics = _function(case["function"])(**case["options"])
        for metric, value in metrics.items():
            print(f"{case['name']}.{metric} {value}", flush=True)
        date = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        line = {"case": case["name"], **metrics, "date": date, **origin}
        with options.results.open("a") as results:
            results.write(json.dumps(line) + "\n")


def _function(path: str):
    module, name = path.split(":")
    return getattr(importlib.import_module(module), name)


def _commit() -> str:
    """The commit, with a mark where files differ from it; 'none' before the first one."""
    commit = _output("git", "rev-parse", "--short=12", "HEAD")
    if not commit:
        return "none"
    changed = _output("git", "status", "--porcelain", "--untracked-files=no")
    return commit + (" with changes" if changed else "")


def _device() -> str:
    """Model and number of the processors, and the GPU if there is one."""
    names = re.findall(r"model name\s*: (.*)", _text(Path("/proc/cpuinfo")))
    processor = names[0] if names else platform.processor() or platform.machine()
    gpu = _output("nvidia-smi", "--query-gpu=name", "--format=csv,noheader")
    return f"{os.cpu_count()} x {processor}" + (f", {gpu}" if gpu else "")


def _driver() -> str:
    return _output("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader") or "none"


def _versions() -> dict:
    numpy_version = importlib.import_module("numpy").__version__
    return {"python": platform.python_version(), "numpy": numpy_version}


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def _output(*command: str) -> str:
    """What a command prints, or '' where it fails or is not installed."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    except FileNotFoundError:
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""


if __name__ == "__main__":
    main()
