# ruff: noqa: E402  (the examples are found only after a change of the path)
"""A short GRPO run for the tests, as its own program: it is killed, resumed, and run twice at once.

python trl_run.py FOLDER --steps 8 [--resume] [--kill-at 5]
"""

import argparse
import json
import os
import signal
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2] / "examples")]

import numpy as np
import transformers
from transformers import TrainerCallback
from trl_curriculum import TASK_COUNT, make_trainer

from lapis.curriculum import LearningProgress


class Kill(TrainerCallback):
    """Kills this process as soon as a step is done, without a chance to save anything."""

    def __init__(self, step):
        self.step = step

    def on_step_end(self, args, state, control, **_):
        if state.global_step == self.step:
            os.kill(os.getpid(), signal.SIGKILL)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--kill-at", type=int)
    parser.add_argument("--steps-per-generation", type=int, default=1)
    arguments = parser.parse_args()
    transformers.logging.set_verbosity_error()
    curriculum = LearningProgress(TASK_COUNT, time_scale=4, floor=0.1)
    outcomes = []
    update = curriculum.update

    def listen(successes, attempts, squares=None):
        outcomes.append([np.asarray(successes).tolist(), np.asarray(attempts).tolist()])
        update(successes, attempts, squares)

    curriculum.update = listen
    trainer = make_trainer(
        curriculum,
        steps=arguments.steps,
        seed=0,
        folder=str(arguments.folder),
        prompts=4,
        save_strategy="steps",
        save_steps=3,
        gradient_accumulation_steps=arguments.steps_per_generation,
        steps_per_generation=arguments.steps_per_generation,
        **({"ddp_backend": "gloo"} if "WORLD_SIZE" in os.environ else {}),
    )
    assert trainer.accelerator.num_processes == int(os.environ.get("WORLD_SIZE", "1"))
    if arguments.kill_at:
        trainer.add_callback(Kill(arguments.kill_at))
    trainer.train(resume_from_checkpoint=arguments.resume)
    state = {name: np.asarray(value).tolist() for name, value in curriculum.state_dict().items()}
    rank = os.environ.get("RANK", "0")
    result = {"state": state, "outcomes": outcomes}
    (arguments.folder / f"rank{rank}.json").write_text(json.dumps(result))


if __name__ == "__main__":
    main()
