"""How fast a configuration trains here, in as many processes side by side as will run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

from lapis.reproduce.parent import receive_task
from lapis.reproduce.plan import Speed
from lapis.runs import RunError
from lapis.train.config import TrainConfig, from_dict, to_dict

__all__ = ["measure_speed"]

WARM_UP_UPDATES = 3
LEAST_SECONDS = 8.0
"""Time that is measured, after the warm-up."""


def measure_speed(
    config: TrainConfig,
    environments: Sequence[Mapping[str, str]],
    *,
    seconds: float = LEAST_SECONDS,
) -> Speed:
    """The mean speed of one job while all of them train; nothing is written.

    Args:
        config: What to train.
        environments: One per job, see `lapis.reproduce.schedule.run_jobs`.
        seconds: Time that is measured in each job.
    """
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "lapis.reproduce.calibrate"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **environment},
            start_new_session=True,  # Ctrl-C reaches the parent alone, which ends them.
        )
        for environment in environments
    ]
    try:
        for process in processes:
            assert process.stdin is not None
            task = {"config": to_dict(config), "seconds": seconds}
            process.stdin.write(json.dumps(task).encode() + b"\n")
            process.stdin.flush()
        results = [_result(process) for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    return Speed(
        frames_per_second=_mean(results, "frames_per_second"),
        evaluation_seconds=_mean(results, "evaluation_seconds"),
        jobs=len(results),
        checkpoint_bytes=int(results[0]["checkpoint_bytes"]),
    )


def _mean(results: Sequence[Mapping[str, float]], name: str) -> float:
    return sum(each[name] for each in results) / len(results)


def _result(process: subprocess.Popen[bytes]) -> dict[str, float]:
    assert process.stdout is not None
    text = process.stdout.read().decode(errors="replace")
    code = process.wait()
    if code != 0:
        raise RunError(
            f"the speed cannot be measured: training ended with exit code {code}\n{text}"
        )
    return json.loads(next(line for line in text.splitlines() if line.startswith("{")))


def main() -> None:
    """The process of one job: trains for a while and prints what was measured."""
    # Imported here: the parent has no use for it.
    from lapis.train.loop import Trainer

    task = receive_task()
    config = from_dict(TrainConfig, task["config"])
    trainer = Trainer(config)
    for _ in range(WARM_UP_UPDATES):
        trainer.train_one_update()
    start, updates = time.perf_counter(), 0
    while updates == 0 or time.perf_counter() - start < task["seconds"]:
        trainer.train_one_update()
        updates += 1
    elapsed = time.perf_counter() - start
    start = time.perf_counter()
    trainer.evaluate()
    evaluation_seconds = time.perf_counter() - start
    tensors, _ = trainer.state_dict()
    print(
        json.dumps(
            {
                "frames_per_second": updates * config.frames_per_update / elapsed,
                "evaluation_seconds": evaluation_seconds,
                "checkpoint_bytes": sum(
                    tensor.numel() * tensor.element_size() for tensor in tensors.values()
                ),
            }
        )
    )


if __name__ == "__main__":
    main()
