"""The examples run, and do what they say."""

import runpy
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def load(name):
    return runpy.run_path(str(EXAMPLES / name))


def test_the_plain_loop_learns_all_skills_in_their_order(capsys):
    skill = load("plain_loop.py")["main"]()
    assert (skill > 0.9).all()
    printed = capsys.readouterr().out.splitlines()
    frontier = [int(line.split("most sampled:")[1].split()[0]) for line in printed]
    # While there is something to learn, the most sampled skill moves up from 0 to 7.
    assert frontier[:6] == sorted(frontier[:6])
    assert (frontier[0], frontier[5]) == (0, 7)


def test_the_plain_loop_is_about_twenty_lines():
    code = (EXAMPLES / "plain_loop.py").read_text().split("def main")[1].splitlines()
    assert len([line for line in code if line.strip()]) <= 20


def test_the_torch_sampler_learns_and_prefers_groups_that_are_being_learned():
    pytest.importorskip("torch", reason="PyTorch is not installed")
    accuracy, drawn = load("torch_sampler.py")["main"]()
    assert drawn.sum() == 12_800
    assert accuracy > 0.8
    # The six quick groups are learned within the first tenth; then the slow ones change.
    assert drawn[6:].sum() > 1.5 * drawn[:6].sum()
    assert drawn.min() > 12_800 * 0.2 / 12  # every group has at least its part of the floor


def test_the_torch_sampler_draws_members_of_the_group():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    example = load("torch_sampler.py")

    class SecondGroup:
        task_count = 3

        def sample(self, count, rng):
            return np.ones(count, np.int64)

    group = torch.tensor([0, 1, 2, 1, 0, 2, 1])
    sampler = example["CurriculumSampler"](group, SecondGroup(), 100, seed=0)
    indices = list(sampler)
    assert len(indices) == len(sampler) == 100
    assert set(indices) == {1, 3, 6}
