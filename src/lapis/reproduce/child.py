"""`python -m lapis.reproduce.child RUN`: the process of one run, started by the schedule."""

from __future__ import annotations

import sys
from pathlib import Path

from lapis.reproduce.parent import receive_task
from lapis.running.options import RunOptions
from lapis.running.run import resume, start
from lapis.runs import RunError
from lapis.train.config import TrainConfig, from_dict


def main(path: Path) -> int:
    """Starts the run at `path`, or continues it where it was begun; returns the exit code.

    The task holds the configuration, the recipe's name, the command for the record and the
    options of the run.
    """
    task = receive_task()
    config = from_dict(TrainConfig, task["config"])
    options = RunOptions(**task["options"])
    try:
        if path.exists():
            return resume(
                path,
                command=task["command"],
                options=options,
            )
        return start(
            path,
            config=config,
            recipe=task["recipe"],
            command=task["command"],
            options=options,
        )
    except RunError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
