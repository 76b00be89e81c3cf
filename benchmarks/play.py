"""How many pictures a person gets in a second from `lapis play voxel`, in a real browser.

python -m benchmarks.play                # 10 s of walking and turning
python -m benchmarks.play --pixels 512   # at a fixed size
python -m benchmarks.play --beside 2     # beside two programs that compute all the time

The game runs in a process of its own, as it does for a person; a headless Chromium opens the page,
holds W and an arrow key, and notes when each answer comes. Needs Chromium.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.play.chromium import BROWSER, Chromium

WARM_UP = 4.0
"""Not counted: kernels are loaded, and the size of the picture settles [s]."""
NOTE = """
window.answers = [];
const plain = window.fetch;
window.fetch = async (path, options) => {
  const begun = performance.now();
  const answer = await plain(path, options);
  window.answers.push([path, performance.now() - begun]);
  return answer;
};
"""


def main() -> None:
    """Prints pictures per second and how long answers take."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="time to count")
    parser.add_argument("--pixels", type=int, help="a fixed size; else the game adapts it")
    parser.add_argument("--seed", type=int, default=0, help="decides the world")
    parser.add_argument("--beside", type=int, default=0, help="busy programs beside it")
    options = parser.parse_args()
    if BROWSER is None:
        raise SystemExit("no Chromium found; install it to measure what its page shows")
    command = [sys.executable, "-m", "lapis", "play", "voxel", "--port", "0"]
    command += ["--seed", str(options.seed)]
    command += [] if options.pixels is None else ["--pixels", str(options.pixels)]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    busy = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(options.beside)
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as game:
        try:
            measure(address_of(game), options.seconds)
        finally:
            game.terminate()
            for program in busy:
                program.kill()


def address_of(game: subprocess.Popen[str]) -> str:
    """The address that the game prints."""
    assert game.stdout is not None
    for line in game.stdout:
        if found := re.search(r"http://localhost:\d+/", line):
            return found[0]
    raise SystemExit("the game ended before it began")


def measure(address: str, seconds: float) -> None:
    """Plays in the browser and prints what it got."""
    with tempfile.TemporaryDirectory() as folder, Chromium(Path(folder) / "profile") as browser:
        browser.resize(1280, 800)
        browser.open(address)
        browser.until("document.getElementById('canvas')?.width >= 64")
        browser.value(NOTE)
        browser.press("KeyW", "w")
        browser.press("ArrowRight", "ArrowRight")
        time.sleep(WARM_UP)
        browser.value("answers.length = 0")
        begun = time.perf_counter()
        time.sleep(seconds)
        answers = browser.value("answers.slice()")
        took = time.perf_counter() - begun
        side = browser.value("canvas.width")
    print(f"play.pixels {side}")
    for path in ("/picture", "/step"):
        times = sorted(time for name, time in answers if name == path)
        name = path.strip("/")
        print(f"play.{name}s_per_second {len(times) / took:.1f}")
        print(f"play.{name}_answer_median_ms {statistics.median(times):.1f}")
        print(f"play.{name}_answer_p95_ms {times[int(0.95 * len(times))]:.1f}")


if __name__ == "__main__":
    main()
