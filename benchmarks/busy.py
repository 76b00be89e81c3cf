"""How fast the demo trains on an idle machine and beside other programs.

    python -m benchmarks.busy                 # this code, and PyTorch as it comes
    python -m benchmarks.busy --ways 500 2000 # other values of GOMP_SPINCOUNT

Each round measures every case once: nothing beside it, two busy loops, and a program with two
PyTorch threads at nice 10. `unset` loads PyTorch before Lapis, which is then too late to say how
threads shall wait. Cases take turns, so that other work on the machine does not fall on one alone.
What counts are the ratios of one round; `others` is what the rest of the machine used meanwhile, in
cores: where it is not near 0 the ratios say little (Linux only).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

UNSET = "unset"
OURS = "lapis"

TRAIN = """
import hashlib, json, os, sys, time
from lapis.recipes import demo
from lapis.train.loop import Trainer

TICKS = os.sysconf("SC_CLK_TCK")

def used():
    # CPU seconds of the whole machine, less those of this process and of the programs beside it.
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, soft, *_ = map(int, file.readline().split()[1:])
    own = 0
    for process in ["self", *sys.argv[2:]]:
        with open(f"/proc/{process}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        own += int(fields[11]) + int(fields[12])
    return (user + nice + system + irq + soft - own) / TICKS

trainer = Trainer(demo())
trainer.train_one_update()
weights = [weight.numpy().tobytes() for weight in trainer.policy.state_dict().values()]
digest = hashlib.sha256(b"".join(weights)).hexdigest()[:16]
begin, before = time.perf_counter(), used()
count = 0
while time.perf_counter() - begin < float(sys.argv[1]):
    trainer.train_one_update()
    count += 1
seconds = time.perf_counter() - begin
others = (used() - before) / seconds
print(json.dumps({"speed": count / seconds, "others": others, "digest": digest}))
"""
BUSY_LOOP = "while True: pass"
PYTORCH = """
import os, torch
os.nice(10)
torch.set_num_threads(2)
network = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.Tanh(), torch.nn.Linear(512, 256))
optimizer = torch.optim.Adam(network.parameters())
batch = torch.randn(512, 256)
while True:
    optimizer.zero_grad()
    network(batch).square().mean().backward()
    optimizer.step()
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
    speeds: dict[tuple[str, str], list[float]] = {(way, case): [] for way in ways for case in CASES}
    digests: set[str] = set()
    for number in range(arguments.rounds):
        for case in CASES:
            for way in ways if number % 2 == 0 else reversed(ways):
                measured = measure(way, CASES[case], arguments.seconds)
                speeds[way, case].append(measured["speed"])
                digests.add(measured["digest"])
                print(
                    f"{way:8} {case:20} {measured['speed']:6.2f} updates/s   "
                    f"others {measured['others']:.2f}",
                    flush=True,
                )
    busy = list(CASES)[1:]
    print(f"\n{'':8} {'idle':>9}  " + "".join(f"{case:>30}" for case in busy))
    for way in ways:
        idle = speeds[way, "idle"]
        row = "".join(f"{shares(speeds[way, case], idle):>30}" for case in busy)
        print(f"{way:8} {statistics.mean(idle):9.2f}  {row}")
    for way in ways[1:]:
        both = shares(speeds[ways[0], "idle"], speeds[way, "idle"])
        print(f"idle, {ways[0]} / {way}: {both}")
    same = "the same" if len(digests) == 1 else "NOT the same"
    print(f"weights after the first update: {same} bits in all {len(CASES) * len(ways)} cases")


def measure(way: str, codes: list[str], seconds: float) -> dict[str, Any]:
    """Trains by the recipe `demo` in a process of its own.

    Returns:
        `speed` [updates per second], what `others` used meanwhile [cores], and the `digest` of the
        weights after the first update.
    """
    environment = {name: text for name, text in os.environ.items() if name != "GOMP_SPINCOUNT"}
    code = TRAIN
    if way == UNSET:
        code = "import torch\n" + TRAIN
    elif way != OURS:
        environment["GOMP_SPINCOUNT"] = way
    with programs(codes) as ids:
        result = subprocess.run(
            [sys.executable, "-c", code, str(seconds), *map(str, ids)],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    return json.loads(result.stdout)


@contextlib.contextmanager
def programs(codes: list[str]) -> Iterator[list[int]]:
    """Runs programs beside what is measured; gives the ids of their processes."""
    running = [subprocess.Popen([sys.executable, "-c", code]) for code in codes]
    try:
        yield [program.pid for program in running]
    finally:
        for program in running:
            program.kill()
            program.wait()


def shares(parts: list[float], wholes: list[float]) -> str:
    """The mean of the ratios and, in brackets, each of them."""
    ratios = [part / whole for part, whole in zip(parts, wholes, strict=True)]
    return f"{statistics.mean(ratios):.0%} ({', '.join(f'{ratio:.0%}' for ratio in ratios)})"


if __name__ == "__main__":
    main()
