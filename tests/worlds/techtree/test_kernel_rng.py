"""Chance in kernels, in PyTorch and in plain Python is one function."""

import numpy as np
import pytest
import torch
import warp as wp

from lapis.simonsays import rng as torch_rng
from lapis.worlds.rng import below, draw, stream
from lapis.worlds.techtree.rules import Purpose

wp.set_module_options({"enable_backward": False})


@wp.kernel
def draw_each(
    seed: int,
    world: wp.array[int],
    episode: wp.array[int],
    step: wp.array[int],
    purpose: wp.array[int],
    number_out: wp.array[int],
    die_out: wp.array[int],
):
    row = wp.tid()
    number = draw(stream(seed, world[row], episode[row], step[row]), purpose[row])
    number_out[row] = number
    die_out[row] = below(number, 6)


def plain_draw(*words: int) -> int:
    """The definition, in whole numbers of Python."""

    def mix(h: int) -> int:
        h ^= h >> 16
        h = h * 0x85EBCA6B % 2**32
        h ^= h >> 13
        h = h * 0xC2B2AE35 % 2**32
        return h ^ h >> 16

    h = mix(words[0])
    for word in words[1:]:
        h = mix(h ^ (word * 0x9E3779B9 + 0x7F4A7C15) % 2**32)
    return h >> 8


def draws(seed: int, rows: np.ndarray, device: str = "cpu") -> tuple[np.ndarray, np.ndarray]:
    columns = [wp.array(np.ascontiguousarray(c), dtype=int, device=device) for c in rows.T]
    number = wp.zeros(len(rows), dtype=int, device=device)
    die = wp.zeros(len(rows), dtype=int, device=device)
    wp.launch(draw_each, len(rows), inputs=[seed, *columns], outputs=[number, die], device=device)
    return number.numpy(), die.numpy()


ROWS = np.random.default_rng(0).integers(0, 2**31 - 1, (2000, 4)).astype(np.int32)


@pytest.mark.parametrize("seed", [0, 1, 2**31 - 1])
def test_kernels_draw_what_the_definition_says(seed):
    number, _ = draws(seed, ROWS)
    assert number.tolist() == [plain_draw(seed, *map(int, row)) for row in ROWS]


@pytest.mark.parametrize("seed", [0, 1, 2**31 - 1])
def test_kernels_draw_what_simon_says_draws(seed):
    number, _ = draws(seed, ROWS)
    columns = torch.from_numpy(ROWS.astype(np.int64)).T
    for purpose in (3, 1001):
        rows = ROWS.copy()
        rows[:, 3] = purpose
        uniform = torch_rng.uniform(seed, columns[0], columns[1], columns[2], purpose)
        assert (uniform * 2**24).long().tolist() == draws(seed, rows)[0].tolist()


def test_draws_lie_in_range_and_dice_are_fair():
    rows = np.zeros((60_000, 4), np.int32)
    rows[:, 2] = np.arange(60_000)
    number, die = draws(5, rows)
    assert number.min() >= 0
    assert number.max() < 2**24
    counts = np.bincount(die, minlength=6)
    # Five degrees of freedom: 27.9 is passed once in 26,000 fair throws.
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 27.9


def test_purposes_of_worlds_stay_clear_of_those_of_simon_says():
    # A step breaks at most 16 blocks in reach or 8 of a tunnel; each takes two purposes.
    assert min(p for p in torch_rng.Purpose if p) > Purpose.DROP_COUNT + 2 * 16
    assert Purpose.VEIN + 6 <= Purpose.VEIN_SIZE
    assert Purpose.VEIN_SIZE + 6 <= Purpose.DROP
