"""`import lapis.curriculum` brings NumPy and nothing heavy."""

import subprocess
import sys

import pytest

HEAVY = (
    "torch", "warp", "matplotlib", "gymnasium", "scipy", "rich", "tyro", "plotly", "pandas",
)  # fmt: skip

SCRIPT = """
import sys
import lapis.curriculum
print(lapis.curriculum.LearningProgress(3).probabilities().sum())
print("numpy" in sys.modules)
print(sorted(name for name in {heavy!r} if name in sys.modules))
"""


@pytest.fixture(scope="module")
def printed():
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(heavy=HEAVY)],
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout.splitlines()


def test_a_fresh_interpreter_loads_numpy_alone(printed):
    assert printed[1:] == ["True", "[]"]


def test_and_can_use_the_curriculum(printed):
    assert float(printed[0]) == pytest.approx(1.0)
