"""Caves can be walked into and out of, and some lead deep."""

import numpy as np

from benchmarks.voxel_caves import walk
from lapis.minecraft.blocks import Block
from tests.worlds.voxel.generated_worlds import generate


def flat(size: int = 16) -> np.ndarray:
    """Stone up to height 20, air above."""
    blocks = np.zeros((size, size, 32), np.uint8)
    blocks[..., :20] = Block.STONE
    return blocks


def test_stairs_lead_in_and_out_and_a_pit_leads_down_alone():
    start = np.array([2.5, 20.0, 2.5])
    assert walk(flat(), start, drop=3) == (0, 0, 32)
    stairs = flat()
    for step in range(8):
        stairs[4 + step, 4, 19 - step : 22 - step] = Block.AIR
    # Heights 19 to 12 are below 20; a roof of four is over the last of them: 16, 15, 14, 13, 12.
    assert walk(stairs, start, drop=1)[2] == 12
    pit = flat()
    pit[6, 6, 17:20] = Block.AIR
    pit[6, 7, 14:19] = Block.AIR
    pit[7:10, 7, 14:17] = Block.AIR
    assert walk(pit, start, drop=1)[0] == 0
    assert walk(pit, start, drop=3)[2] == 14


def test_most_worlds_have_a_cave_to_walk_into_and_some_lead_deep():
    worlds = generate(24, size=64, seed=1)
    found = np.array(
        [
            walk(blocks, start, drop=1)
            for blocks, start in zip(worlds.blocks, worlds.state.position.numpy(), strict=True)
        ]
    )
    cells, mouths, lowest = found.T
    assert (cells > 20).mean() > 0.85
    assert (mouths > 0).mean() > 0.9
    assert (lowest < 48).mean() > 0.5
    assert (lowest < 30).mean() > 0.1


def test_some_worlds_have_a_ravine():
    # One chunk in fifty has one: of 16 chunks a quarter of the worlds. They are slots of air that
    # are much higher than tunnels and chambers.
    blocks = generate(40, size=64, seed=2).blocks
    is_air = blocks[..., 11:60] == Block.AIR
    run = np.zeros(is_air.shape[:3], np.int64)
    longest = np.zeros_like(run)
    for layer in range(is_air.shape[3]):
        run = (run + 1) * is_air[..., layer]
        longest = np.maximum(longest, run)
    has_slot = (longest > 12).sum(axis=(1, 2)) > 30
    assert 0.08 < has_slot.mean() < 0.7
