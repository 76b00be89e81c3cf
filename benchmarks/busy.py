"""How fast the demo trains on an idle machine and beside other programs (Linux only).

    python -m benchmarks.busy                       # this code, and PyTorch as it comes
    python -m benchmarks.busy --ways 500 2000 unset # other values of GOMP_SPINCOUNT

The cases: nothing beside it, two busy loops, and a program with two PyTorch threads at nice 10.
`unset` loads PyTorch before Lapis, which is then too late to say how threads shall wait.

All programs live from start to end; each case lets those run that belong to it for a few seconds
and stops the others. So the cases take turns many times, and a change of the machine's mood falls
on all of them alike. Windows in which the rest of the machine used more than a little are dropped.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

UNSET = "unset"
OURS = "lapis"
OTHERS = 0.15
"""What the rest of the machine may use in a window [cores]."""

TRAIN = """
import hashlib
from lapis.recipes import demo
from lapis.train.loop import Trainer

trainer = Trainer(demo())
trainer.train_one_update()
weights = [weight.numpy().tobytes() for weight in trainer.policy.state_dict().values()]
print(hashlib.sha256(b"".join(weights)).hexdigest(), flush=True)
while True:
    trainer.train_one_update()
    print(flush=True)
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


class Program:
    """A Python program that can be stopped and continued; it is stopped at first."""

    def __init__(self, code: str, folder: Path, environment: dict[str, str], *, lines: int = 0):
        """Waits until the program has printed so many lines before it is stopped."""
        self._output = folder / f"{time.monotonic_ns()}.txt"
        with self._output.open("w") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-c", code], stdout=output, env=environment, start_new_session=True
            )
        while self.lines() < lines and self._process.poll() is None:
            time.sleep(0.1)
        assert self._process.poll() is None, "it ended by itself"
        self.stop()

    def lines(self) -> int:
        return self._output.read_bytes().count(b"\n")

    def first_line(self) -> str:
        return self._output.read_text().partition("\n")[0]

    def go(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def used(self) -> float:
        """CPU time [seconds]."""
        text = Path(f"/proc/{self._process.pid}/stat").read_text()
        fields = text.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Tally:
    """What was trained in the windows of one case."""

    updates: int = 0
    seconds: float = 0.0
    dropped: int = 0

    @property
    def speed(self) -> float:
        return self.updates / self.seconds if self.seconds else float("nan")


def main() -> None:
    begin = time.monotonic()
    parser = argparse.ArgumentParser(description="How fast the demo trains beside other programs.")
    parser.add_argument("--seconds", type=float, default=4.0, help="of a window")
    parser.add_argument("--minutes", type=float, default=3.0, help="of it all, about")
    parser.add_argument(
        "--ways", nargs="*", default=[OURS, UNSET], help=f"{OURS}, {UNSET}, or a GOMP_SPINCOUNT"
    )
    arguments = parser.parse_args()
    tallies = {(way, case): Tally() for way in arguments.ways for case in CASES}
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))

        def start(code: str, environment: dict[str, str], lines: int = 0) -> Program:
            program = Program(code, folder, environment, lines=lines)
            stack.callback(program.kill)
            return program

        trainers = {way: start(*training(way), lines=4) for way in arguments.ways}
        beside = {
            case: [start(code, dict(os.environ)) for code in codes] for case, codes in CASES.items()
        }
        for case in CASES:  # PyTorch takes seconds to load.
            with running(beside[case]):
                time.sleep(5.0 * bool(beside[case]))
        ways = list(arguments.ways)
        while time.monotonic() - begin < 60.0 * arguments.minutes:
            ways.append(ways.pop(0))
            for case in CASES:
                for way in ways:
                    window(tallies[way, case], trainers[way], beside[case], arguments.seconds)
        digests = {trainer.first_line() for trainer in trainers.values()}
    report(arguments.ways, tallies)
    same = "the same" if len(digests) == 1 else "NOT the same"
    print(f"weights after the first update: {same} bits in all of them")


def training(way: str) -> tuple[str, dict[str, str]]:
    """Code and environment of a trainer."""
    environment = {name: text for name, text in os.environ.items() if name != "GOMP_SPINCOUNT"}
    if way == UNSET:
        return "import torch\n" + TRAIN, environment
    return TRAIN, environment | ({} if way == OURS else {"GOMP_SPINCOUNT": way})


def window(tally: Tally, trainer: Program, beside: Sequence[Program], seconds: float) -> None:
    """Lets a trainer and the programs beside it run, and counts."""
    programs = [trainer, *beside]
    with running(programs):
        begin, updates, others = time.monotonic(), trainer.lines(), machine_less(programs)
        time.sleep(seconds)
        updates, others = trainer.lines() - updates, machine_less(programs) - others
        seconds = time.monotonic() - begin
    if others / seconds > OTHERS:
        tally.dropped += 1
        return
    tally.updates += updates
    tally.seconds += seconds


@contextlib.contextmanager
def running(programs: Sequence[Program]) -> Iterator[None]:
    """Lets stopped programs run for a while."""
    for program in programs:
        program.go()
    try:
        yield
    finally:
        for program in programs:
            program.stop()


def machine_less(programs: Sequence[Program]) -> float:
    """CPU time of the whole machine but for some programs [seconds]."""
    first = Path("/proc/stat").read_text().partition("\n")[0].split()
    user, nice, system, _, _, interrupt, soft = map(int, first[1:8])
    ticks = user + nice + system + interrupt + soft
    return ticks / os.sysconf("SC_CLK_TCK") - sum(program.used() for program in programs)


def report(ways: Sequence[str], tallies: dict[tuple[str, str], Tally]) -> None:
    for way in ways:
        idle = tallies[way, "idle"]
        for case in CASES:
            tally = tallies[way, case]
            print(
                f"{way:8} {case:20} {tally.speed:6.2f} updates/s  {tally.speed / idle.speed:5.0%} "
                f"of idle   {tally.updates} updates in {tally.seconds:.0f} s, "
                f"{tally.dropped} windows dropped"
            )
    last = tallies[ways[-1], "idle"].speed
    for way in ways[:-1]:
        print(f"idle, {way} / {ways[-1]}: {tallies[way, 'idle'].speed / last:.0%}")


if __name__ == "__main__":
    main()
