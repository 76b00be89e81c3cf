"""Worlds are pure functions of seed, world and episode, whatever lies beside them in the batch."""

import pytest
import torch

from tests.worlds.voxel.generated_worlds import Worlds, generate

WRITTEN = {
    "blocks",
    "top",
    "bricks",
    "ceiling",
    "biome",
    "torch",
    "torch_count",
    "position",
    "velocity",
    "yaw",
    "pitch",
    "on_ground",
    "fall_from",
}


def assert_rows_equal(left: Worlds, left_row: int, right: Worlds, right_row: int) -> None:
    others = right.state.tensors()
    for name, tensor in left.state.tensors().items():
        assert torch.equal(tensor[left_row].cpu(), others[name][right_row].cpu()), name


def test_same_seed_world_and_episode_give_the_same_world():
    first, second = generate(3), generate(3)
    for row in range(3):
        assert_rows_equal(first, row, second, row)


def test_generating_twice_changes_nothing():
    worlds = generate(2)
    before = {name: tensor.clone() for name, tensor in worlds.state.tensors().items()}
    worlds.generate()
    for name, tensor in worlds.state.tensors().items():
        assert torch.equal(tensor, before[name]), name


def test_another_seed_world_or_episode_gives_another_world():
    worlds = Worlds(3)
    worlds.state.episode.copy_(torch.tensor([1, 1, 2], dtype=torch.int32))
    worlds.generate()
    other_episode = generate(3)
    other_seed = generate(3, seed=4)
    for name in ("blocks", "top"):
        tensor = worlds.state.tensors()[name]
        assert not torch.equal(tensor[0], tensor[1])
        assert not torch.equal(tensor[2], other_episode.state.tensors()[name][2])
        assert not torch.equal(tensor[0], other_seed.state.tensors()[name][0])
    assert_rows_equal(worlds, 0, other_episode, 0)


@pytest.mark.parametrize("row", [0, 2, 4])
def test_a_world_depends_neither_on_its_row_nor_on_its_neighbors(row):
    assert_rows_equal(generate(5), row, generate(1, first_world=row), 0)


def test_a_world_depends_not_on_which_others_are_generated_with_it():
    together, alone = generate(4), Worlds(4)
    for row in (2, 0, 3, 1):
        alone.which.zero_()
        alone.which[row] = True
        alone.generate()
    for row in range(4):
        assert_rows_equal(together, row, alone, row)


def test_only_chosen_rows_change():
    worlds = Worlds(4)
    for tensor in worlds.state.tensors().values():
        tensor.fill_(1)
    before = {name: tensor.clone() for name, tensor in worlds.state.tensors().items()}
    worlds.which.copy_(torch.tensor([False, True, False, True]))
    worlds.generate()
    changed = set()
    for name, tensor in worlds.state.tensors().items():
        assert torch.equal(tensor[[0, 2]], before[name][[0, 2]]), name
        if not torch.equal(tensor[[1, 3]], before[name][[1, 3]]):
            changed.add(name)
    # on_ground was 1 before, as it is at the start.
    assert changed == WRITTEN - {"on_ground"}


def test_nothing_changes_where_nothing_is_chosen():
    worlds = Worlds(3)
    for tensor in worlds.state.tensors().values():
        tensor.fill_(1)
    before = {name: tensor.clone() for name, tensor in worlds.state.tensors().items()}
    worlds.which.zero_()
    worlds.generate()
    for name, tensor in worlds.state.tensors().items():
        assert torch.equal(tensor, before[name]), name


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
@pytest.mark.parametrize("size", [16, 64])
def test_worlds_are_the_same_on_cpu_and_gpu(size):
    on_cpu = generate(16, size=size)
    on_gpu = generate(16, size=size, device="cuda:0")
    for row in range(16):
        assert_rows_equal(on_cpu, row, on_gpu, row)
