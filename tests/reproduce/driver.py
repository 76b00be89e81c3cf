"""A reproduction of a tiny real configuration, as a process that can be killed."""

import os
import subprocess
import sys
import traceback
from pathlib import Path

import pytest

import lapis.cli
import lapis.cli.reproduce
from lapis.agent.config import PolicyConfig, PPOConfig
from lapis.curriculum import ExplorationConfig, LearningProgressConfig
from lapis.reproduce import request
from lapis.simonsays import SimonSaysConfig
from lapis.train.config import TrainConfig
from lapis.worlds.techtree import TechTreeConfig

FRAMES_PER_UPDATE = 64
TWO = "uniform,bidirectional"


def tiny():
    """Eight worlds of the tech tree."""
    return TrainConfig(
        world=TechTreeConfig(),
        simonsays=SimonSaysConfig(goals=("log", "planks", "stick"), task_ticks=60),
        world_count=8,
        rollout_steps=8,
        evaluation_attempts=1,
        policy=PolicyConfig(width=16),
        ppo=PPOConfig(sequence_steps=8, minibatch_sequences=8),
        curriculum=LearningProgressConfig(time_scale=5.0),
        exploration=ExplorationConfig(time_scale=5.0),
    )


def call(folder, *arguments):
    """The exit code of `lapis reproduce` in this process, with the tiny recipe."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(request.BASES, "techtree", tiny)
        return lapis.cli.main(["reproduce", "--folder", str(folder), *arguments])


def fork(folder, *arguments, output: Path):
    """`call` in a process of its own, which has PyTorch loaded already; its id."""
    sys.stdout.flush()
    process = os.fork()
    if process:
        return process
    code = 70  # What remains if the call raises; the traceback is printed below.
    try:
        descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(descriptor, 1)
        os.dup2(descriptor, 2)
        sys.stdout, sys.stderr = (
            os.fdopen(number, "w", closefd=False, buffering=1) for number in (1, 2)
        )
        code = call(folder, *arguments)
    finally:
        if code == 70:
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(code)


def start(folder, *arguments, output: Path):
    """`call` in a new Python, for what does not survive a fork, such as Ray's threads."""
    code = "import sys; from tests.reproduce.driver import call; sys.exit(call(*sys.argv[1:]))"
    with output.open("ab") as file:
        return subprocess.Popen(
            [sys.executable, "-c", code, str(folder), *arguments],
            stdout=file,
            stderr=file,
            cwd=Path(__file__).parents[2],
        )


def wait(process):
    """The exit code of a fork, negative after a signal."""
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
