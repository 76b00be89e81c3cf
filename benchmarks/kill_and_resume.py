"""Whether a run that is killed and resumed learns as one that is not.

Trains a recipe without a break for each of several seeds, then the first seed once more, killed by
SIGKILL in the middle and resumed. Prints the curves of all of them side by side: the resumed one
should not lie further from the unbroken one of its seed than other seeds do.

    python -m benchmarks.kill_and_resume --folder runs/kill --updates 250 -- --device cuda

What follows `--` goes to `lapis train`. Runs that are in the folder already and long enough are
read and not trained again; an interrupted benchmark is called again in the same way.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from lapis.running.trained import load_run
from lapis.runs import RunError, RunFolder

LAPIS = [sys.executable, "-m", "lapis"]
POINTS = 8
"""Points in time at which curves are printed."""
POLL_SECONDS = 0.5


def main() -> None:
    """Trains what is missing and prints the curves."""
    arguments, flags = parsed()
    options = [f"--checkpoint-updates={arguments.interval}", "--quiet", *flags]
    curves: dict[str, np.ndarray] = {}
    for seed in arguments.seeds:
        folder = arguments.folder / f"seed-{seed}"
        if logged(folder) < arguments.updates:
            shutil.rmtree(folder, ignore_errors=True)
            train(arguments, folder, seed, options).wait()
        curves[f"seed {seed}"] = curve(folder, arguments.updates)
    seed = arguments.seeds[0]
    folder = arguments.folder / f"seed-{seed}-killed"
    shutil.rmtree(folder, ignore_errors=True)
    process = train(arguments, folder, seed, options)
    while logged(folder) < arguments.kill_after:
        if process.poll() is not None:
            raise SystemExit(f"the run ended by itself, with code {process.returncode}")
        time.sleep(POLL_SECONDS)
    process.send_signal(signal.SIGKILL)
    process.wait()
    reached = logged(folder)
    kept = load_run(folder, device="cpu").update
    print(
        f"killed after update {reached}; the newest whole checkpoint is of update {kept}: "
        f"{reached - kept} updates lost, one every {arguments.interval} saved",
        flush=True,
    )
    subprocess.run([*LAPIS, "resume", str(folder), "--quiet"], check=True)
    curves[f"seed {seed}, killed and resumed"] = curve(folder, arguments.updates)
    print(table(curves, arguments.updates))


def parsed() -> tuple[argparse.Namespace, list[str]]:
    """The arguments, and what is meant for `lapis train`."""
    given = [*sys.argv[1:], "--"]
    own, flags = given[: given.index("--")], given[given.index("--") + 1 : -1]
    parser = argparse.ArgumentParser(description="Kills a run and resumes it.")
    parser.add_argument("--recipe", default="voxel")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--updates", type=int, default=250)
    parser.add_argument("--kill-after", type=int, default=None, help="by default half of them")
    parser.add_argument("--interval", type=int, default=40, help="updates between checkpoints")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1])
    arguments = parser.parse_args(own)
    if arguments.kill_after is None:
        arguments.kill_after = arguments.updates // 2
    return arguments, flags


def train(
    arguments: argparse.Namespace, folder: Path, seed: int, options: list[str]
) -> subprocess.Popen[bytes]:
    """Starts a new run."""
    command = ["train", arguments.recipe, f"--run={folder}", f"--seed={seed}"]
    return subprocess.Popen([*LAPIS, *command, f"--updates={arguments.updates}", *options])


def logged(folder: Path) -> int:
    """The last update in a run's log, 0 where there is none."""
    try:
        updates = RunFolder.open(folder).read_metrics().get("update", np.zeros(0))
    except (RunError, FileNotFoundError):
        return 0
    return int(updates[-1]) if len(updates) else 0


def curve(folder: Path, updates: int) -> np.ndarray:
    """Discovered goals and the mean success average, at `POINTS` updates: shape (2, point)."""
    metrics = RunFolder.open(folder).read_metrics()
    rows = points(updates) - 1
    if len(metrics["update"]) <= rows[-1]:
        raise SystemExit(f"{folder} has {len(metrics['update'])} updates of {updates}")
    return np.stack([metrics["discovered"][rows], metrics["success"].mean(axis=1)[rows]])


def points(updates: int) -> np.ndarray:
    """Updates at which curves are printed."""
    return np.linspace(updates / POINTS, updates, POINTS).astype(int)


def table(curves: dict[str, np.ndarray], updates: int) -> str:
    """A line for each run: discovered goals / mean success average of all goals in percent."""
    width = max(map(len, curves))
    lines = [f"{'update':{width}}" + "".join(f"{update:>12}" for update in points(updates))]
    for name, values in curves.items():
        cells = (f"{int(found)} / {100 * mean:.1f} %" for found, mean in values.T)
        lines.append(f"{name:{width}}" + "".join(f"{cell:>12}" for cell in cells))
    return "\n".join(lines)


if __name__ == "__main__":
    main()
