"""What runs of `lapis train combinations` have reached: a table by curriculum.

    lapis train combinations --curriculum clusters --seed 100 --updates 305 \\
        --evaluation-updates 305 --threads 1 --run runs/clusters-100
    python -m benchmarks.combinations runs/clusters-100 ...    # keeps a line of each and prints
    python -m benchmarks.combinations                          # prints what there is

Lines go to experiments/results/combinations.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from lapis.runs import RunFolder
from lapis.runs.compact import DISCOVERED_AT

LINES = Path(__file__).parents[1] / "experiments/results/combinations/runs.jsonl"
COLUMNS = {
    "goals": "goals over 5 %, of 107",
    "pairs": "pairs over 5 %",
    "pair_success": "mean success of pairs",
    "pair_attempts": "attempts at pairs",
    "pair_share": "of these successful",
}


def line_of(path: Path) -> dict:
    """What the last evaluation of a run found, and what it practiced."""
    run = RunFolder.open(path)
    config = run.read_config()
    last = {name: rows[-1] for name, rows in run.read_evaluations().items()}
    rows = [json.loads(line) for line in (path / "metrics.jsonl").read_text().splitlines()]
    attempts, successes = (
        sum(row["pairs"][name] for row in rows) for name in ("attempts", "successes")
    )
    goals = last["successes"] / last["attempts"]
    pairs = last["pair_successes"] / last["pair_attempts"]
    return {
        "curriculum": config["curriculum"]["kind"],
        "seed": config["seed"],
        "frames": int(last["frames"]),
        "goals": int((goals > DISCOVERED_AT).sum()),
        "pairs": float((pairs > DISCOVERED_AT).mean()),
        "pairs_played": len(pairs),
        "pair_success": float(pairs.mean()),
        "pair_attempts": attempts,
        "pair_share": successes / attempts,
    }


def table(lines: list[dict]) -> str:
    """The mean of each curriculum, and each seed's number where there are several, as Markdown."""
    kinds = list(dict.fromkeys(line["curriculum"] for line in lines))
    text = [
        f"| curriculum | seeds | {' | '.join(COLUMNS.values())} |",
        "| --- | --- |" + " --- |" * len(COLUMNS),
    ]
    for kind in kinds:
        own = [line for line in lines if line["curriculum"] == kind]
        cells = [_cell(name, [line[name] for line in own]) for name in COLUMNS]
        text.append(f"| {kind} | {len(own)} | {' | '.join(cells)} |")
    return "\n".join(text)


def _cell(name: str, values: list[float]) -> str:
    is_share = name in ("pairs", "pair_success", "pair_share")
    shown = [f"{100 * value:.1f} %" if is_share else f"{value:,.0f}" for value in values]
    mean = float(np.mean(values))
    if len(values) == 1:
        return shown[0]
    middle = f"{100 * mean:.1f} %" if is_share else f"{mean:,.1f}"
    return f"{middle} ({', '.join(shown)})"


def main() -> None:
    """Adds the runs that are named and prints the table of all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("runs", type=Path, nargs="*")
    arguments = parser.parse_args()
    LINES.parent.mkdir(parents=True, exist_ok=True)
    new = [line_of(path) for path in arguments.runs]
    with LINES.open("a") as file:
        file.writelines(json.dumps(line) + "\n" for line in new)
    print(table([json.loads(line) for line in LINES.read_text().splitlines()]))


if __name__ == "__main__":
    main()
