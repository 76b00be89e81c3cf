"""`python -m lapis.reproduce.child [RUN]`: trains one run, or measures the speed of one job."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from lapis.reproduce.children import receive_task
from lapis.running.options import RunOptions
from lapis.running.run import resume, start
from lapis.runs import RunError
from lapis.train.config import load_config
from lapis.train.loop import Trainer

WARM_UP_UPDATES = 3


def train(path: Path, task: dict[str, Any]) -> int:
    """Starts the run at `path`, or continues it; returns the exit code.

    The task holds the configuration, the recipe's name, the command for the record and the
    options of the run.
    """
    config = load_config(task["config"])
    options = RunOptions(**task["options"])
    try:
        if path.exists():
            # What was stopped before its first checkpoint has nothing to lose.
            return resume(path, command=task["command"], from_start=True, options=options)
        record = {"recipe": task["recipe"], "command": task["command"]}
        return start(path, config=config, options=options, **record)
    except RunError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def measure(task: dict[str, Any]) -> dict[str, float]:
    """Trains for the task's seconds after a warm-up; writes nothing."""
    config = load_config(task["config"])
    trainer = Trainer(config)
    for _ in range(WARM_UP_UPDATES):
        trainer.train_one_update()
    start, updates = time.perf_counter(), 0
    while updates == 0 or time.perf_counter() - start < task["seconds"]:
        trainer.train_one_update()
        updates += 1
    trained = time.perf_counter()
    trainer.evaluate()
    tensors, _ = trainer.state_dict()
    return {
        "frames_per_second": updates * config.frames_per_update / (trained - start),
        "evaluation_seconds": time.perf_counter() - trained,
        "checkpoint_bytes": sum(each.numel() * each.element_size() for each in tensors.values()),
    }


if __name__ == "__main__":
    given = receive_task()
    if sys.argv[1:]:
        sys.exit(train(Path(sys.argv[1]), given))
    print(json.dumps(measure(given)))
