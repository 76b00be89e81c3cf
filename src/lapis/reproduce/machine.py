"""How many jobs a machine takes, and on which cores and GPUs."""

from __future__ import annotations

import os

from lapis.runs import RunError
from lapis.threads import usable_cores

__all__ = ["PROCESSES_PER_GPU", "job_environments"]

PROCESSES_PER_GPU = 4
"""One small network leaves most of a GPU idle between its kernels. `--jobs` overrides it."""


def job_environments(*, jobs: int | None, threads: int, device: str) -> list[dict[str, str]]:
    """What each process that may run at a time adds to the environment.

    Args:
        jobs: How many, or None for as many as the machine takes: on CPUs one per `threads` cores,
            on GPUs `PROCESSES_PER_GPU` each, but not more than there are cores.
        threads: PyTorch threads of one process.
        device: cpu or cuda; with cuda the jobs go round all GPUs that are visible.
    """
    cores = usable_cores()
    common = {"OMP_NUM_THREADS": str(threads)}
    if device == "cpu":
        return [common] * (jobs or max(1, cores // threads))
    gpus = visible_gpus()
    count = jobs or max(1, min(PROCESSES_PER_GPU * len(gpus), cores // threads))
    return [{**common, "CUDA_VISIBLE_DEVICES": gpus[index % len(gpus)]} for index in range(count)]


def visible_gpus() -> list[str]:
    """Names for CUDA_VISIBLE_DEVICES, one per GPU.

    Raises:
        RunError: There is none.
    """
    import torch  # Imported here: it takes seconds, and jobs on CPUs do without.

    count = torch.cuda.device_count()
    if count == 0:
        raise RunError("there is no CUDA device here; leave out --device cuda")
    listed = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    return listed.split(",")[:count] if listed else [str(index) for index in range(count)]
