"""The program that plays at random for long finds what is wrong, and nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from benchmarks.random_steps import Soak

DEVICES = ("cpu", *(("cuda",) if torch.cuda.is_available() else ()))
kinds = pytest.mark.parametrize("kind", ["techtree", "voxel"])


@kinds
@pytest.mark.parametrize("device", DEVICES)
def test_play_stays_within_its_limits(kind, device):
    soak = Soak(kind, 4, seed=1, device=device)
    for _ in range(3):
        soak.give()
        for _ in range(5):
            soak.play_block()
        soak.check()
    assert soak.counts()["ticks of the game"] >= 3 * 5 * 8 * 4
    assert soak.tasks > 0


def fault(soak):
    soak.world.state.fault[2] = 1


def negative_count(soak):
    soak.game.step = lambda action: soak.world.inventory.fill_(-1)


def nothing_allowed(soak):
    soak.game.step = lambda action: soak.world.action_mask.zero_()


def unseen_limit(soak):
    soak.world.state.food[3] = 21


@kinds
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (fault, "world 2: an action had a component outside its range"),
        (negative_count, "times a count was negative"),
        (nothing_allowed, "times no choice was allowed"),
        (unseen_limit, r"limits: state's 'food' is 21 at \[3\]"),
    ],
)
def test_what_must_not_be_is_found(kind, damage, message):
    soak = Soak(kind, 4, seed=1, device="cpu")
    damage(soak)
    if damage is not unseen_limit:
        soak.play_block()
    with pytest.raises(RuntimeError, match=message):
        soak.check()


def test_the_command_counts_the_steps_of_all_worlds():
    options = ["--world", "techtree", "--worlds", "4", "--steps", "1e3", "--checks", "2"]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.random_steps", *options],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "techtree: 1024 steps (256 of a batch of 4 worlds), seed 0" in done.stdout
    assert "faults: 0, numbers out of their limits: 0, in 2 checks" in done.stdout
