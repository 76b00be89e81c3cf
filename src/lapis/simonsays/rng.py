"""Chance as a pure function of (seed, world, episode, step, purpose), the same on every device.

    key = fmix32(seed)
    for word in (world, episode, step, purpose):
        key = fmix32(key ^ ((word * 0x9E3779B9 + 0x7F4A7C15) mod 2^32))
    uniform = (key >> 8) * 2^-24

`fmix32` is the finalizer of MurmurHash3. Keys are int64 tensors that hold values below 2^32:
products wrap modulo 2^64, which leaves their lower 32 bits right.
"""

# W = worlds, P = purposes

from __future__ import annotations

import enum

import torch
from torch import Tensor

_MASK = 0xFFFFFFFF
_WORD_FACTOR = 0x9E3779B9
_WORD_OFFSET = 0x7F4A7C15


class Purpose(enum.IntEnum):
    """What a number is drawn for. Worlds number their own purposes below 1000."""

    NONE = 0
    INHERIT = 1000
    GOAL = 1001


def uniform(
    seed: int, world: Tensor, episode: Tensor, step: Tensor, purpose: Purpose | int
) -> Tensor:
    """Returns numbers in [0, 1), float64, for int64 tensors of one shape."""
    key = root_key(seed, world)
    scratch = torch.empty_like(key)
    for word in (episode, step, torch.full_like(key, int(purpose))):
        fold_(key, word, scratch)
    return (key >> 8).to(torch.float64) * 2.0**-24


def root_key(seed: int, world: Tensor) -> Tensor:
    """Returns the keys of the worlds' whole lives: `seed` and `world` folded in."""
    if not 0 <= seed <= _MASK:
        raise ValueError(f"seed must be between 0 and {_MASK}, not {seed}")
    key = torch.full_like(world, seed)
    scratch = torch.empty_like(key)
    fmix32_(key, scratch)
    return fold_(key, world, scratch)


def fold_(key: Tensor, word: Tensor, scratch: Tensor) -> Tensor:
    """Mixes one more word into `key` in place and returns it."""
    torch.mul(word, _WORD_FACTOR, out=scratch)
    key.bitwise_xor_(scratch.add_(_WORD_OFFSET).bitwise_and_(_MASK))
    return fmix32_(key, scratch)


def fmix32_(key: Tensor, scratch: Tensor) -> Tensor:
    """Applies MurmurHash3's 32-bit finalizer to `key` in place and returns it."""
    torch.bitwise_right_shift(key, 16, out=scratch)
    key.bitwise_xor_(scratch).mul_(0x85EBCA6B).bitwise_and_(_MASK)
    torch.bitwise_right_shift(key, 13, out=scratch)
    key.bitwise_xor_(scratch).mul_(0xC2B2AE35).bitwise_and_(_MASK)
    torch.bitwise_right_shift(key, 16, out=scratch)
    return key.bitwise_xor_(scratch)


class Chance:
    """The numbers that one step of Simon Says needs, in buffers that are written in place."""

    def __init__(self, *, seed: int, first_world: int, world_count: int, device: torch.device):
        """Starts before the first episode; `first_world` numbers the first row."""
        world_W = torch.arange(first_world, first_world + world_count, device=device)
        self.episode_W = torch.full_like(world_W, -1)
        self.step_W = torch.zeros_like(world_W)
        self._root_W = root_key(seed, world_W)
        self._key_W = torch.zeros_like(world_W)
        self._scratch_W = torch.empty_like(world_W)
        purpose_P = torch.tensor([Purpose.INHERIT, Purpose.GOAL], device=device)
        self._purpose_word_P1 = ((purpose_P * _WORD_FACTOR + _WORD_OFFSET) & _MASK)[:, None]
        self._key_PW = torch.zeros(2, world_count, dtype=torch.int64, device=device)
        self._scratch_PW = torch.empty_like(self._key_PW)
        self._uniform_PW = torch.zeros(2, world_count, dtype=torch.float64, device=device)
        self.inherit_W, self.goal_W = self._uniform_PW

    def advance(self, restarted_W: Tensor) -> None:
        """Moves every row on by one step, or to step 0 of its next episode, and draws."""
        self.episode_W.add_(self._scratch_W.copy_(restarted_W))
        self.step_W.add_(1).masked_fill_(restarted_W, 0)
        self._key_W.copy_(self._root_W)
        fold_(self._key_W, self.episode_W, self._scratch_W)
        fold_(self._key_W, self.step_W, self._scratch_W)
        torch.bitwise_xor(self._key_W, self._purpose_word_P1, out=self._key_PW)
        fmix32_(self._key_PW, self._scratch_PW)
        torch.bitwise_right_shift(self._key_PW, 8, out=self._scratch_PW)
        self._uniform_PW.copy_(self._scratch_PW).mul_(2.0**-24)
