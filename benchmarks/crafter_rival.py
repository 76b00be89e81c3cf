"""Runs Crafter and Craftax-Classic with pixels from PyPI, in a virtual environment of their own.

`python -m benchmarks.crafter_rival` makes the environment and prints their speeds.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / "benchmarks" / ".crafter-venv"
REQUIREMENTS = ("crafter==1.8.3", "craftax==1.6.1", "jax[cpu]==0.10.2")
RIVALS = ("crafter", "craftax_classic")

ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}


def speeds(seconds: float) -> dict[str, dict[str, float | str]]:
    """Steps per second of processor time of each rival, or why it cannot be measured."""
    reason = _install()
    if reason:
        return {rival: {"unavailable": reason} for rival in RIVALS}
    return {rival: _speed(rival, seconds) for rival in RIVALS}


def _speed(rival: str, seconds: float) -> dict[str, float | str]:
    command = ["-m", "benchmarks.crafter_worker", rival, "--seconds", str(seconds)]
    output, reason = _call([str(ENVIRONMENT / "bin" / "python"), *command])
    return {"unavailable": reason} if reason else json.loads(output.splitlines()[-1])


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
    """What the command prints, and the last line of its errors if it fails."""
    result = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env=os.environ | ONE_THREAD,
    )
    if result.returncode == 0:
        return result.stdout, ""
    return "", (result.stderr.strip().splitlines() or [f"exit status {result.returncode}"])[-1]


if __name__ == "__main__":
    for name, metrics in speeds(seconds=5.0).items():
        for metric, value in metrics.items():
            print(f"{name}.cpu.{metric} {value}")
