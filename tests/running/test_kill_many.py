import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def kill_many(kills):
    options = ["--kills", str(kills), "--longest", "0.3"]
    result = subprocess.run(
        [sys.executable, "-m", "tests.running.kill_many", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_a_run_survives_a_few_kills():
    assert "6 kills" in kill_many(6)


@pytest.mark.slow
def test_a_run_survives_200_kills_at_random_times():
    output = kill_many(200)
    assert "200 kills" in output
    assert "while saving" in output
    assert "equal those of an unbroken run" in output
