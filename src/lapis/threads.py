"""How PyTorch's CPU threads wait for each other, and how many there are.

Importing this module sets two environment variables that the OpenMP library reads once, when
PyTorch loads it. Every package of Lapis that uses PyTorch imports it first. What the user has set
stays; where PyTorch was loaded before, it is too late. Neither changes a result: how work is split
depends on the number of threads alone, never on how they wait or on what else runs.

`GOMP_SPINCOUNT`: threads wait at the end of each small parallel loop. By default they spin for
milliseconds, and on a machine with other work to do they spin in each other's time slices: two busy
programs beside it slow training down to a fifth or less. A short spin and then sleep gives way, and
costs a few percent on an idle machine, more on a virtual one, where waking a thread takes long.

`OMP_NUM_THREADS`: by default there is one thread per core that the process may run on. A container
may have less time than that; threads that wait for each other must not be stopped in turn.
"""

from __future__ import annotations

import math
import os
from collections.abc import MutableMapping
from pathlib import Path

__all__ = ["SPIN_COUNT", "prepare", "usable_cores"]

SPIN_COUNT = 1000
"""Turns of the waiting loop before a thread sleeps. With fewer an idle machine is slower, with more
a busy one: `python -m benchmarks.busy`, and the log of experiments has the table."""

_CGROUPS = Path("/sys/fs/cgroup")
_OWN_CGROUPS = Path("/proc/self/cgroup")


def prepare(environment: MutableMapping[str, str]) -> None:
    """Sets what the user has not set."""
    # OMP_WAIT_POLICY is the portable way to ask for the same; GOMP_SPINCOUNT would overrule it.
    if "OMP_WAIT_POLICY" not in environment:
        environment.setdefault("GOMP_SPINCOUNT", str(SPIN_COUNT))
    # Without a quota OpenMP counts the cores itself, and leaves hyper-threads out.
    cores = usable_cores()
    if cores < _cores_of_affinity():
        environment.setdefault("OMP_NUM_THREADS", str(cores))


def usable_cores() -> int:
    """Cores that this process may keep busy: by its affinity and the quota of its cgroups.

    A part of a core does not count, as a thread that is stopped half of the time holds up all
    others; there is always one.
    """
    quota = cgroup_quota(_CGROUPS, _OWN_CGROUPS)
    return max(1, math.floor(min(_cores_of_affinity(), quota)))


def cgroup_quota(root: Path, own: Path) -> float:
    """Cores' worth of time that the cgroups of this process allow; infinite without a limit.

    Args:
        root: Where cgroups are mounted.
        own: The file that lists those of this process.
    """
    try:
        lines = own.read_text().splitlines()
    except OSError:  # Not Linux.
        return math.inf
    quotas = [math.inf]
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:  # Version 2: one tree for everything.
            quotas += [_quota_v2(folder) for folder in _upwards(root, path)]
        elif "cpu" in controllers.split(","):
            quotas += [_quota_v1(folder) for folder in _upwards(root / "cpu", path)]
    return min(quotas)


def _upwards(root: Path, path: str) -> list[Path]:
    """The folder of a cgroup and of all that it is in: each of them can set a limit.

    Inside a container the path may be that of the host, which is not visible: then the root is the
    container's own.
    """
    folder = root / path.lstrip("/")
    return [folder, *(parent for parent in folder.parents if parent.is_relative_to(root))]


def _quota_v2(folder: Path) -> float:
    return _cores(*_words(folder / "cpu.max"))


def _quota_v1(folder: Path) -> float:
    return _cores(*_words(folder / "cpu.cfs_quota_us"), *_words(folder / "cpu.cfs_period_us"))


def _cores(quota: str = "max", period: str = "0") -> float:
    """Microseconds of a period as cores; "max" and -1 stand for no limit."""
    limited = quota not in ("max", "-1") and int(period) > 0
    return int(quota) / int(period) if limited else math.inf


def _words(file: Path) -> list[str]:
    try:
        return file.read_text().split()
    except OSError:  # There is no such limit here.
        return []


def _cores_of_affinity() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


prepare(os.environ)
