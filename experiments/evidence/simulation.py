"""Runs of `lapis simulate`, kept so that its figures and its table need no new ones.

python -m experiments.evidence.simulation           # about four minutes on two cores
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from rich.console import Console

from experiments.evidence import RESULTS
from lapis.curriculum.simulation import KNOWN_SUCCESS, History
from lapis.simulate import run_teachers

__all__ = ["load", "write"]

BLOCKS = {"0-9": range(10), "10-19": range(10, 20)}
UPDATE_COUNT = 50_000


def write(seeds: str) -> Path:
    """Runs a block of seeds and keeps which goals were known when, and all of its first seed."""
    runs = run_teachers(
        seeds=BLOCKS[seeds],
        update_count=UPDATE_COUNT,
        process_count=len(os.sched_getaffinity(0)),
        console=Console(),
    )
    path = _path(seeds)
    path.parent.mkdir(parents=True, exist_ok=True)
    first = [histories[0] for histories in runs.values()]
    known = [[each.success > KNOWN_SUCCESS for each in histories] for histories in runs.values()]
    np.savez_compressed(
        path,
        teachers=np.array(list(runs)),
        update=first[0].update,
        known=np.packbits(np.array(known), axis=-2),
        success=np.array([each.success for each in first], dtype=np.float16),
        sampling=np.array([each.sampling for each in first], dtype=np.float16),
    )
    return path


def load(seeds: str) -> dict[str, list[History]]:
    """Histories by teacher; but for the first seed success is 1 for a known goal, and else 0."""
    with np.load(_path(seeds), allow_pickle=False) as arrays:
        update, teachers = arrays["update"], arrays["teachers"].tolist()
        known = np.unpackbits(arrays["known"], axis=-2, count=update.size).astype(float)
        success, sampling = (arrays[name].astype(float) for name in ("success", "sampling"))
    # Half precision may lift a success of just 5 % above it, or push it below.
    success = np.where(known[:, 0] > 0.0, np.maximum(success, 0.0501), np.minimum(success, 0.0499))
    return {
        teacher: [
            History(update, success[row], sampling[row]),
            *(History(update, each, np.zeros_like(each)) for each in known[row, 1:]),
        ]
        for row, teacher in enumerate(teachers)
    }


def _path(seeds: str) -> Path:
    return RESULTS / "simulated_learner" / f"seeds-{seeds}.npz"


if __name__ == "__main__":
    for block in BLOCKS:
        print(f"wrote {write(block)}")
