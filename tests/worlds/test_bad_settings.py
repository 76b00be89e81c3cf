"""Settings that no world can have, and what is said when memory does not suffice."""

import numpy as np
import pytest
import torch

from lapis.worlds.memory import memory_of, naming_memory
from lapis.worlds.probes import Bandit
from lapis.worlds.techtree import TechTreeConfig, TechTreeWorld
from lapis.worlds.voxel import VoxelConfig, VoxelWorld
from tests.contract import allowed_action

CPU = torch.device("cpu")
SCALES = ("attack_ticks", "handling_ticks", "smelt_batch", "walk_blocks", "tunnel_blocks")


@pytest.mark.parametrize("name", [*SCALES, "tunnel_blocks_seen", "cave_blocks_seen"])
@pytest.mark.parametrize("value", [0, 10_001, 2**31 - 1, 2**31, 10**400, 1.5, (5,)])
def test_scales_whose_ticks_would_not_fit_are_refused(name, value):
    with pytest.raises(ValueError, match=f"{name} is .*; it must be a whole number"):
        TechTreeConfig(**{name: value})


def test_ticks_stay_positive_with_the_largest_scales():
    world = TechTreeWorld(4, config=TechTreeConfig(**dict.fromkeys(SCALES, 10_000)))
    rng = np.random.default_rng(0)
    longest = 0
    for _ in range(100):
        world.step(allowed_action(world, rng))
        assert (world.ticks >= 0).all()
        assert world.observation["vector"].isfinite().all()
        longest = max(longest, int(world.ticks.max()))
        world.reset(world.died)
    assert longest > 10_000


@pytest.mark.parametrize("size", [8, 24, 4096, 2**20, 10**400, 16.0, "64", None, True])
def test_sizes_of_voxel_worlds_are_powers_of_two(size):
    with pytest.raises(ValueError, match=r"size is .*; it must be a power of two of at least 16"):
        VoxelConfig(size=size)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"channel_ticks": 2**40}, "channel_ticks is 1099511627776; it must be .* at most 6000"),
        ({"day_cycle": "no"}, "day_cycle is 'no'; it must be True or False"),
    ],
)
def test_settings_of_voxel_worlds_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        VoxelConfig(**settings)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"config": "small"}, "config is 'small'; it must be a TechTreeConfig or None"),
        ({"config": VoxelConfig()}, "config is VoxelConfig.*; it must be a TechTreeConfig or None"),
        ({"device": "tpu"}, "device is 'tpu'; it must be cpu, cuda or cuda:N"),
        ({"device": None}, "device is None; it must be cpu, cuda or cuda:N"),
        ({"seed": 1.5}, "seed is 1.5; it must be a whole number"),
        ({"masked_waits": "no"}, "masked_waits is 'no'; it must be True or False"),
        ({"first_world": 2**31}, "first_world is 2147483648; it must be a whole number"),
    ],
)
def test_options_of_worlds_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        TechTreeWorld(1, **options)


@pytest.mark.parametrize("kind", [TechTreeWorld, VoxelWorld])
def test_too_many_worlds_are_refused_with_their_number_and_memory(kind):
    has = f"cpu has {memory_of(CPU) / 1e9:,.1f} GB"
    with pytest.raises(ValueError, match=rf"2,000,000,000 worlds take at least [\d,.]+ GB .*{has}"):
        kind(2_000_000_000)
    for count in (2**31, 10**400):
        with pytest.raises(ValueError, match=r"world_count is .*; it must be a whole number"):
            kind(count)


@pytest.mark.parametrize(
    "error",
    [
        MemoryError("std::bad_alloc"),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes."),
        torch.OutOfMemoryError("CUDA out of memory."),
    ],
)
def test_a_failed_allocation_names_what_asked_for_it(error):
    with (
        pytest.raises(ValueError, match=r"7 worlds take at least 2.0 GB .* than is free on cpu"),
        naming_memory("7 worlds", 2 * 10**9, CPU),
    ):
        raise error


def test_other_errors_are_not_taken_for_a_lack_of_memory():
    with (
        pytest.raises(RuntimeError, match="something else"),
        naming_memory("7 worlds", 1, CPU),
    ):
        raise RuntimeError("something else")


@pytest.mark.parametrize("make", [lambda: TechTreeWorld(2), lambda: Bandit(2)])
def test_lists_are_refused_with_what_to_give_and_nothing_changes(make):
    world = make()
    before = world.state_dict()
    with pytest.raises(ValueError, match=r"action must be a tensor, torch.int32 of shape \(2, 1\)"):
        world.step([[0], [0]])
    with pytest.raises(ValueError, match=r"which must be a tensor, torch.bool of shape \(2,\)"):
        world.reset([True, True])
    for state in (None, [], {}):
        with pytest.raises(ValueError, match="state"):
            world.load_state_dict(state)
    after = world.state_dict()
    for name, value in before.items():
        assert torch.equal(after[name], value) if torch.is_tensor(value) else after[name] == value
