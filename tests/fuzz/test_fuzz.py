"""Thousands of damaged files, states and requests: told in a line, nothing else touched.

Each program can be called by hand, with another `--seed`, and says which case went wrong; `--only`
plays that one again.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import states

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def counted(module: str, *options: str, minutes: int = 30) -> dict[str, int]:
    """Runs a program of this folder; what it counted, which is also printed."""
    done = subprocess.run(
        [sys.executable, "-m", f"tests.fuzz.{module}", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60 * minutes,
        check=False,
    )
    told = f"exit {done.returncode}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}"
    assert done.returncode == 0, told
    print(module, *options, done.stdout.splitlines()[-1])
    return json.loads(done.stdout.splitlines()[-1])


def test_2000_damaged_run_folders():
    counts = counted("run_folders", "--cases", "2000")
    assert counts["cases"] == 2000
    assert counts["refused"] > 1000
    assert counts["succeeded"] > 1000


@pytest.mark.parametrize("module", ["policies", "tables"])
def test_1000_damaged_files(module):
    counts = counted(module, "--cases", "1000")
    assert counts["cases"] == 1000
    assert counts["refused"] > 400
    assert counts["succeeded"] > 100


def test_2000_damaged_states():
    assert sum(states.CASES.values()) == 2000
    for subject, cases in states.CASES.items():
        counts = counted("states", subject)
        assert counts["cases"] == cases
        assert counts["refused"] > cases / 5
        assert counts["played"] > cases / 5


def test_500_raw_requests_by_200_clients_at_once():
    counts = counted("http_requests", minutes=5)
    assert counts["requests"] == 500
    assert counts["clients at once"] == 200
    assert counts["connections"] >= 200
    assert counts["answer 400"] > 20
