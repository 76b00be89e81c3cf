"""How fast the demo trains on an idle machine and beside other programs.

    python -m benchmarks.busy                 # this code, and PyTorch as it comes
    python -m benchmarks.busy --ways 500 2000 # other values of GOMP_SPINCOUNT

Each round measures every case once: nothing beside it, two busy loops, and a program with two
PyTorch threads at nice 10. `unset` loads PyTorch before Lapis, which is then too late to say how
threads shall wait. Cases take turns, so that other work on the machine does not fall on one alone;
the ratios of one round are what to compare, and their spread over rounds is the noise.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator

UNSET = "unset"
OURS = "lapis"

TRAIN = """
import sys, time
from lapis.recipes import demo
from lapis.train.loop import Trainer
trainer = Trainer(demo())
for _ in range(3):
    trainer.train_one_update()
begin = time.perf_counter()
count = 0
while time.perf_counter() - begin < float(sys.argv[1]):
    trainer.train_one_update()
    count += 1
print(count / (time.perf_counter() - begin))
"""
BUSY_LOOP = "while True: pass"
PYTORCH = """
import os, torch
os.nice(10)
torch.set_num_threads(2)
weight = torch.randn(128, 128)
value = torch.randn(1024, 128)
while True:
    value = torch.tanh(value @ weight)
"""

CASES: dict[str, list[str]] = {
    "idle": [],
    "two busy loops": [BUSY_LOOP, BUSY_LOOP],
    "PyTorch, 2 threads": [PYTORCH],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20.0, help="of each case")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument(
        "--ways", nargs="*", default=[OURS, UNSET], help=f"{OURS}, {UNSET}, or a GOMP_SPINCOUNT"
    )
    arguments = parser.parse_args()
    ways = arguments.ways
    speeds = {(way, case): [] for way in ways for case in CASES}
    for number in range(arguments.rounds):
        for case in CASES:
            for way in ways if number % 2 == 0 else reversed(ways):
                with programs(CASES[case]):
                    speeds[way, case].append(updates_per_second(way, arguments.seconds))
                print(f"{way:8} {case:20} {speeds[way, case][-1]:6.2f} updates/s", flush=True)
    print(f"\n{'':8} {'idle':>9}  " + "".join(f"{case:>30}" for case in list(CASES)[1:]))
    for way in ways:
        idle = speeds[way, "idle"]
        shares = [list(map(divide, speeds[way, case], idle)) for case in list(CASES)[1:]]
        row = "".join(f"{describe(share):>30}" for share in shares)
        print(f"{way:8} {statistics.mean(idle):9.2f}  {row}")
    first, *others = ways
    for way in others:
        relative = list(map(divide, speeds[first, "idle"], speeds[way, "idle"]))
        print(f"idle, {first} / {way}: {describe(relative)}")


def updates_per_second(way: str, seconds: float) -> float:
    """Of the recipe `demo`, in a process of its own."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("GOMP_SPINCOUNT",)
    }
    code = TRAIN
    if way == UNSET:
        code = "import torch\n" + TRAIN
    elif way != OURS:
        environment["GOMP_SPINCOUNT"] = way
    result = subprocess.run(
        [sys.executable, "-c", code, str(seconds)],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return float(result.stdout)


@contextlib.contextmanager
def programs(codes: list[str]) -> Iterator[None]:
    """Runs programs beside what is measured."""
    running = [subprocess.Popen([sys.executable, "-c", code]) for code in codes]
    try:
        yield
    finally:
        for program in running:
            program.kill()
            program.wait()


def divide(part: float, whole: float) -> float:
    return part / whole


def describe(shares: list[float]) -> str:
    """The mean and, in brackets, each of them."""
    return f"{statistics.mean(shares):.0%} ({', '.join(f'{share:.0%}' for share in shares)})"


if __name__ == "__main__":
    main()
