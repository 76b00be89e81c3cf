"""Chance as a pure function: the same on CPU and GPU, in any order, after a resume.

A draw is a hash of (seed, world, episode, step, purpose): 32-bit words, each folded in and mixed
by MurmurHash3's finalizer. `lapis.simonsays.rng` computes the same function in PyTorch.
"""

import numpy as np
import warp as wp

wp.set_module_options({"enable_backward": False})

DRAWS = 1 << 24
"""How many numbers `draw` has to choose from."""

_FOLD = wp.uint32(0x9E3779B9)
_SHIFT = wp.uint32(0x7F4A7C15)
_MIX_1 = wp.uint32(0x85EBCA6B)
_MIX_2 = wp.uint32(0xC2B2AE35)


def chances(probability: float | np.ndarray) -> np.ndarray:
    """Whole numbers for kernels: a draw below one of them has this probability."""
    return np.rint(np.asarray(probability, np.float64) * DRAWS).astype(np.int32)


@wp.func
def mix(word: wp.uint32) -> wp.uint32:
    """MurmurHash3's 32-bit finalizer."""
    h = word ^ (word >> wp.uint32(16))
    h = h * _MIX_1
    h = h ^ (h >> wp.uint32(13))
    h = h * _MIX_2
    return h ^ (h >> wp.uint32(16))


@wp.func
def fold(h: wp.uint32, word: int) -> wp.uint32:
    """Takes one more word into a hash."""
    return mix(h ^ (wp.uint32(word) * _FOLD + _SHIFT))


@wp.func
def stream(seed: int, world: int, episode: int, step: int) -> wp.uint32:
    """What all draws of one world in one step have in common."""
    return fold(fold(fold(mix(wp.uint32(seed)), world), episode), step)


@wp.func
def draw(stream: wp.uint32, purpose: int) -> int:
    """A uniform whole number of 0 to 2^24 - 1 for one purpose."""
    return int(fold(stream, purpose) >> wp.uint32(8))


@wp.func
def below(number: int, count: int) -> int:
    """A draw scaled to 0 ... count - 1, for counts of at most 127 (the product must fit)."""
    return (number * count) >> 24
