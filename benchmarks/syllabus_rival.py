"""Runs the same work with syllabus-rl from PyPI, in a virtual environment of its own."""

from __future__ import annotations

import functools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.curriculum import DRAW_COUNT, gaussian_progress, outcomes

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / "benchmarks" / ".syllabus-venv"
REQUIREMENTS = ("syllabus-rl==0.7", "matplotlib", "scipy", "numpy<1.25", "torch==2.13.0")
"""syllabus-rl imports matplotlib and scipy without asking for them, and its sample() compares an
array with an empty list, which NumPy refuses from 1.25 on. The torch is the one of Lapis."""


def step_cost(task_count: int) -> dict:
    """Duration of the same update, distribution and draws, or why it cannot be measured."""
    successes, attempts = outcomes(task_count)
    return _run("step_cost", successes=successes, attempts=attempts)


def focus() -> dict:
    """Share of the weight on the top fifth of Gaussian progress."""
    return _run("focus", progress=gaussian_progress())


def _run(work: str, **arrays: np.ndarray) -> dict:
    reason = _install()
    if reason:
        return {"unavailable": reason}
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts.npz"
        np.savez(counts, **arrays)
        command = ["-m", "benchmarks.syllabus_worker", work, str(counts), "--draws", DRAW_COUNT]
        output, reason = _call([str(ENVIRONMENT / "bin" / "python"), *map(str, command)])
    return {"unavailable": reason} if reason else json.loads(output)


@functools.cache
def _install() -> str:
    """Makes the environment unless it is complete; returns why it cannot be made, or ''."""
    complete = ENVIRONMENT / ".complete"
    if complete.exists() and complete.read_text() == "\n".join(REQUIREMENTS):
        return ""
    _, reason = _call([sys.executable, "-m", "venv", str(ENVIRONMENT)])
    if not reason:
        pip = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        _, reason = _call([*pip, *REQUIREMENTS])
    if not reason:
        complete.write_text("\n".join(REQUIREMENTS))
    return reason


def _call(command: list[str]) -> tuple[str, str]:
    """What the command prints, and the line that says why if it fails."""
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if result.returncode == 0:
        return result.stdout, ""
    lines = result.stderr.strip().splitlines() or [f"exit status {result.returncode}"]
    return "", next(
        (line for line in reversed(lines) if re.match(r"\w*(Error|ERROR)", line)), lines[-1]
    )
