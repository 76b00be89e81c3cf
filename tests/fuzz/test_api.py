"""5,000 calls of the public API with hostile arguments: no crash, no hang, no foreign error.

Each chunk runs in a process of its own, so that a crash of native code is a failed test.
"""

import json
import subprocess
import sys
from collections import Counter

import pytest

CHUNK = 500
CHUNKS = {"formulas": 3, "teachers": 3, "protocol": 1, "worlds": 1, "environments": 2}


@pytest.mark.slow
@pytest.mark.parametrize("part", CHUNKS)
def test_hostile_calls_give_a_value_or_are_refused_and_change_nothing(part: str):
    counts: Counter[str] = Counter()
    for seed in range(CHUNKS[part]):
        command = [sys.executable, "-m", "tests.fuzz.api_calls", part, str(CHUNK), str(seed)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr[-4000:]
        counts.update(json.loads(done.stdout.splitlines()[-1]))
    print(f"{part}: {counts.total()} calls, {dict(counts)}")
    assert counts.total() == CHUNK * CHUNKS[part]
    assert counts["value"] > 0
    assert counts.total() > counts["value"]
