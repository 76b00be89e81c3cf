"""Time from the first call of the voxel world to its first frame, in a process of its own.

python -m benchmarks.voxel_start --device cpu    prints import and first-frame seconds
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def seconds_to_first_frame(device: str) -> dict[str, float]:
    """Seconds with an empty kernel cache and with a filled one [s].

    Those of the clock, and those of the processor, which other work on the machine does not add to.
    """
    metrics: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "WARP_CACHE_PATH": folder}
        command = [sys.executable, "-m", "benchmarks.voxel_start", "--device", device]
        for cache in ("cold", "warm"):
            result = subprocess.run(
                command, capture_output=True, text=True, cwd=ROOT, env=environment, check=True
            )
            times = json.loads(result.stdout.splitlines()[-1])
            metrics |= {f"{cache}_{name}": seconds for name, seconds in times.items()}
    return metrics


def main() -> None:
    """Measures in this process, which must not have loaded Lapis yet."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--device", default="cpu")
    device = parser.parse_args().device
    start = time.perf_counter()
    from lapis.worlds.voxel import VoxelWorld  # what the import takes is measured

    imported, computed = time.perf_counter(), time.process_time()
    world = VoxelWorld(1, device=device)
    shown = world.observation["frame"].cpu()
    first_frame = time.perf_counter()
    assert int(shown.max()) > 0, "the first frame is black"
    times = {
        "import_seconds": imported - start,
        "first_frame_seconds": first_frame - imported,
        "first_frame_processor_seconds": time.process_time() - computed,
    }
    print(json.dumps({name: round(seconds, 2) for name, seconds in times.items()}))


if __name__ == "__main__":
    main()
