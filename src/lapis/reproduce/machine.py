"""How many jobs a machine can run, how fast they are, and what they will need."""

from __future__ import annotations

import heapq
import json
import math
import os
import subprocess
import sys
from collections.abc import Sequence

from lapis.reproduce.budget import Speed
from lapis.reproduce.children import start_child
from lapis.running.options import RunOptions
from lapis.runs import RunError
from lapis.threads import usable_cores
from lapis.train.config import TrainConfig, to_dict

__all__ = ["disk_bytes", "job_environments", "measure_speed", "processes_per_gpu", "seconds_for"]

PROCESSES_PER_GPU = 4
"""One small network leaves most of a GPU idle between its kernels. `--jobs` overrides it."""
FROM_PIXELS_PER_GPU = 1
"""A convolutional network and its frames fill a GPU."""
MEASURED_SECONDS = 8.0
BYTES_PER_UPDATE = 3000
"""Lines of metrics.jsonl and TensorBoard's events of one update with 113 goals, measured."""


def job_environments(config: TrainConfig, *, jobs: int | None) -> list[dict[str, str]]:
    """What each process that may run at a time adds to the environment, for runs like `config`.

    Without a number of jobs there are as many as the machine takes: on CPUs one per `threads`
    cores, on GPUs `processes_per_gpu` each, but not more than there are cores. With the device
    cuda they are spread over all GPUs that are visible.
    """
    cores, threads = usable_cores(), config.threads
    common = {"OMP_NUM_THREADS": str(threads)}
    if config.device == "cpu":
        return [common] * (jobs or max(1, cores // threads))
    gpus = visible_gpus()
    count = jobs or max(1, min(processes_per_gpu(config) * len(gpus), cores // threads))
    return [{**common, "CUDA_VISIBLE_DEVICES": gpus[index % len(gpus)]} for index in range(count)]


def processes_per_gpu(config: TrainConfig) -> int:
    """How many runs like `config` share a GPU well."""
    return PROCESSES_PER_GPU if config.policy.frames is None else FROM_PIXELS_PER_GPU


def visible_gpus() -> list[str]:
    """Names for CUDA_VISIBLE_DEVICES, one per GPU.

    Raises:
        RunError: There is none.
    """
    import torch  # Imported here: it takes seconds, and jobs on CPUs do without.

    count = torch.cuda.device_count()
    if count == 0:
        raise RunError("there is no CUDA device here; give --device cpu")
    listed = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    return listed.split(",")[:count] if listed else [str(index) for index in range(count)]


def measure_speed(
    config: TrainConfig, *, jobs: int | None, seconds: float = MEASURED_SECONDS
) -> Speed:
    """The mean speed of one job while all of them train for so many seconds; writes nothing.

    Raises:
        RunError: A job failed; the message has what it printed.
    """
    environments = job_environments(config, jobs=jobs)
    print(f"measuring the speed of {len(environments)} jobs side by side", flush=True)
    task = {"config": to_dict(config), "seconds": seconds}
    command = [sys.executable, "-m", "lapis.reproduce.child"]
    processes = [
        start_child(command, task, environment=environment, output=subprocess.PIPE)
        for environment in environments
    ]
    results = []
    try:
        for process in processes:
            assert process.stdout is not None
            text = process.stdout.read().decode(errors="replace")
            if process.wait() != 0:
                raise RunError(
                    "the speed cannot be measured: training ended with exit code "
                    f"{process.returncode}\n{text}"
                )
            results.append(json.loads(text.splitlines()[-1]))
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    return Speed(
        frames_per_second=sum(each["frames_per_second"] for each in results) / len(results),
        evaluation_seconds=sum(each["evaluation_seconds"] for each in results) / len(results),
        jobs=len(results),
        checkpoint_bytes=results[0]["checkpoint_bytes"],
    )


def seconds_for(seconds: Sequence[float], *, jobs: int) -> float:
    """Time until jobs that each take the next run have done all, given the time of each run."""
    ends = [0.0] * jobs
    for each in seconds:
        heapq.heapreplace(ends, ends[0] + each)
    return max(ends)


def run_seconds(config: TrainConfig, speed: Speed) -> float:
    """Time of a whole run: training, and the evaluations in between and at the end."""
    evaluations = math.ceil(config.updates / config.evaluation_updates)
    return config.frame_total / speed.frames_per_second + evaluations * speed.evaluation_seconds


def disk_bytes(configs: Sequence[TrainConfig], speed: Speed, options: RunOptions) -> int:
    """Room that the runs will need in the end; one checkpoint more exists while it is written."""
    checkpoints = (options.checkpoint_count + 1) * speed.checkpoint_bytes
    return sum(checkpoints + config.updates * BYTES_PER_UPDATE for config in configs)
