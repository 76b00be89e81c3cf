"""`python -m lapis.reproduce.child RUN`: the process of one run, started by the schedule."""

from __future__ import annotations

import sys
from pathlib import Path

from lapis.minecraft.goals import groups_of
from lapis.reproduce.parent import receive_task
from lapis.running.options import RunOptions
from lapis.running.run import resume, start
from lapis.runs import RunError
from lapis.train.config import TrainConfig, from_dict
from lapis.train.device import describe_device
from lapis.train.loop import Trainer


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
                load_config=lambda settings: from_dict(TrainConfig, settings),
                build=Trainer,
                command=task["command"],
                options=options,
            )
        return start(
            path,
            config=config,
            build=Trainer,
            recipe=task["recipe"],
            command=task["command"],
            device=describe_device(config.device),
            groups_of=groups_of,
            options=options,
        )
    except RunError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
