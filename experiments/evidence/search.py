"""The search for settings: equally many trials for every treatment, on seeds 0 to 4.

    python -m experiments.evidence.search --device cuda --jobs 25    # trains; may be stopped
    python -m experiments.evidence.search --choose                   # freezes the best settings

The first command keeps what each run reached in experiments/results/search.json, the second
writes experiments/settings.json, which belongs into a commit of its own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from experiments.evidence import RESULTS
from experiments.evidence.studies import FROZEN
from lapis.report import statistics
from lapis.report.command import load_groups
from lapis.report.summary import common_frames, summarize
from lapis.reproduce.request import Request
from lapis.runs.durable import replace_durably

__all__ = ["TRIAL_COUNT", "best", "trial"]

KEPT = RESULTS / "search.json"
RUNS = Path("runs/evidence/search")

Settings = dict[str, Any]

TRIAL_COUNT = 5
LEARNING: list[Settings] = [
    {},
    {"ppo.learning_rate": 3.5e-4},
    {"ppo.learning_rate": 1.4e-3},
    {"ppo.entropy_coefficient": 0.0075},
    {"ppo.entropy_coefficient": 0.03},
]
"""Trials of every treatment but the rivals: the recipe's settings, and half and twice of two."""
OWN: dict[str, list[Settings]] = {
    "success_band": [
        {},
        {"curriculum.low": 0.05},
        {"curriculum.low": 0.02},
        {"curriculum.high": 0.8},
        {"curriculum.high": 0.95},
    ],
    "learnability": [
        {},
        {"curriculum.top_count": 5},
        {"curriculum.top_count": 22},
        {"curriculum.top_count": 44},
        {"curriculum.floor": 0.5},
    ],
    "regression_slope": [
        {},
        {"curriculum.window": 40},
        {"curriculum.window": 320},
        {"curriculum.temperature": 0.0004},
        {"curriculum.floor": 0.5},
    ],
    "rank_staleness": [
        {},
        {"curriculum.temperature": 0.3},
        {"curriculum.temperature": 1.0},
        {"curriculum.staleness": 0.3},
        {"curriculum.floor": 0.5},
    ],
    "half_window": [
        {},
        {"curriculum.half_window": 20},
        {"curriculum.half_window": 40},
        {"curriculum.half_window": 160},
        {"curriculum.floor": 0.5},
    ],
}
"""Trials of rivals: the settings of their authors, and others."""


def trial(treatment: str, number: int) -> Settings:
    """What a treatment tries as its trial of this number, from 0 on."""
    return OWN.get(treatment, LEARNING)[number]


def best(found: dict[str, dict[str, list[float]]]) -> dict[str, Settings]:
    """The settings with the greatest interquartile mean; of equal ones the first trial's.

    Args:
        found: Goals by evaluation of each seed, by treatment and by the number of the trial.
    """
    chosen = {}
    for treatment, trials in found.items():
        means = {name: float(statistics.interquartile_mean(each)) for name, each in trials.items()}
        chosen[treatment] = trial(treatment, int(max(means, key=means.__getitem__)))
    return chosen


def _run(treatments: str, frames: int, device: str, jobs: int | None) -> int:
    for number in range(TRIAL_COUNT):
        folder = RUNS / f"trial-{number}"
        folder.mkdir(parents=True, exist_ok=True)
        names = list(Request(treatments=treatments).configs())
        settings = {name: trial(name, number) for name in names}
        replace_durably(folder / "settings.json", json.dumps(settings, indent=2).encode())
        command = [sys.executable, "-m", "lapis", "reproduce", "--seeds", "5"]
        command += ["--treatments", treatments, "--frames", str(frames), "--device", device]
        command += ["--settings", str(folder / "settings.json"), "--folder", str(folder)]
        command += [] if jobs is None else ["--jobs", str(jobs)]
        if code := subprocess.run(command, check=False).returncode:
            return code
        _keep(number, folder / "tables")
    return 0


def _keep(number: int, tables: Path) -> None:
    """Adds what the runs of a trial reached to `KEPT`."""
    kept = json.loads(KEPT.read_bytes()) if KEPT.exists() else {}
    groups = load_groups([tables])
    frames = common_frames(groups)
    for group in groups:
        values = summarize(group, frames).discovered("evaluation").tolist()
        kept.setdefault(group.name, {})[str(number)] = values
    replace_durably(KEPT, (json.dumps(kept, indent=2) + "\n").encode())


def main() -> int:
    """Runs the search, or freezes what it found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--treatments", default="paper,no_floor,floors")
    parser.add_argument("--frames", type=int, default=8_000_000)
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--jobs", type=int, default=None)
    parser.add_argument("--choose", action="store_true", help="write experiments/settings.json")
    asked = parser.parse_args()
    if not asked.choose:
        return _run(asked.treatments, asked.frames, asked.device, asked.jobs)
    chosen = best(json.loads(KEPT.read_bytes()))
    replace_durably(FROZEN, (json.dumps(chosen, indent=2) + "\n").encode())
    for name, settings in chosen.items():
        print(f"{name}: {settings or 'as in the recipe'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
