"""Timing that other work on the machine disturbs little: the best and the median of many calls."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def measure(work: Callable[[], object], *, least_calls: int = 7, seconds: float = 2.0) -> dict:
    """Best and median duration of one call and its mean processor time [us].

    A first call does not count.
    """
    work()
    durations: list[float] = []
    cpu_begin = time.process_time()
    begin = time.perf_counter()
    while len(durations) < least_calls or time.perf_counter() - begin < seconds:
        start = time.perf_counter()
        work()
        durations.append(1e6 * (time.perf_counter() - start))
    cpu = 1e6 * (time.process_time() - cpu_begin) / len(durations)
    return {
        "best_us": round(min(durations), 1),
        "median_us": round(statistics.median(durations), 1),
        "cpu_us": round(cpu, 1),
        "calls": len(durations),
    }
