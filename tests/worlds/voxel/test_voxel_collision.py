"""Moving a body among blocks equals trying every place on its way, in whole numbers."""

import numpy as np
import warp as wp

from lapis.minecraft.blocks import SOLID, Block
from lapis.worlds.voxel.collision import glide
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.rules import Rules, make_rules
from lapis.worlds.voxel.state import Grid

wp.set_module_options({"enable_backward": False, "fuse_fp": False})

GRID = 16384
SIZE, HEIGHT = 16, 80
LOW = np.array([4915, 0, 4915])
"""How far a body reaches below its place along x, y and z [1/16384 block]."""
HIGH = np.array([4915, 29491, 4915])


@wp.kernel
def glide_all(
    # Rules:
    rules: Rules,
    # In:
    grid_in: Grid,
    start_in: wp.array[wp.vec3],
    motion_in: wp.array[wp.vec3],
    # Out:
    place_out: wp.array[wp.vec3],
    met_out: wp.array[wp.vec3i],
):
    world = wp.tid()
    reached = glide(rules, world, start_in[world], motion_in[world], grid_in)
    place_out[world] = reached.place
    met_out[world] = reached.met


def cells(places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest cells of bodies at whole places, shape (..., 3)."""
    return (places - LOW) // GRID, -((places + HIGH) // -GRID) - 1


def is_free(blocks: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Whether bodies at these places overlap nothing solid, shape (...,)."""
    low, high = cells(places)
    free = np.ones(places.shape[:-1], bool)
    for dx in range(2):
        for dz in range(2):
            for dy in range(3):
                x, y, z = np.moveaxis(np.minimum(low + np.array([dx, dy, dz]), high), -1, 0)
                inside = (y >= 0) & (y < HEIGHT)
                block = blocks[x % SIZE, z % SIZE, np.clip(y, 0, HEIGHT - 1)]
                free &= ~np.where(inside, SOLID[block], y < 0)
    return free


def slow_glide(
    blocks: np.ndarray, start: np.ndarray, motion: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Tries the places along y, then x, then z one by one; with what was stopped."""
    place, stopped = start.copy(), np.zeros(3, bool)
    for axis in (1, 0, 2):
        # The wish is rounded to the nearest place, halves up, as a sum in single precision.
        wish = np.float32(place[axis] / GRID) + np.float32(motion[axis])
        distance = int(np.floor(np.float32(wish * GRID) + np.float32(0.5))) - place[axis]
        way = np.repeat(place[None], abs(distance) + 1, axis=0)
        way[:, axis] += np.sign(distance) * np.arange(abs(distance) + 1)
        free = is_free(blocks, way)
        stopped[axis] = not free.all()
        place = way[free.argmin() - 1 if stopped[axis] else -1]
    return place, stopped


def test_random_glides_equal_slow_ones():
    rng = np.random.default_rng(0)
    count = 250
    kinds = [Block.AIR] * 7 + [Block.STONE, Block.CACTUS, Block.WATER, Block.TALL_GRASS]
    blocks = rng.choice(kinds, (count, SIZE, SIZE, HEIGHT)).astype(np.uint8)
    start = np.stack([_free_start(blocks[world], rng) for world in range(count)])
    scale = rng.choice([0.05, 0.3, 1.0, 3.9], (count, 1))
    motion = (rng.uniform(-1, 1, (count, 3)) * scale).astype(np.float32)
    place, met = _fast_glides(blocks, (start / GRID).astype(np.float32), motion)
    stops = np.zeros(3, int)
    for world in range(count):
        expected, stopped = slow_glide(blocks[world], start[world], motion[world])
        assert (place[world] * GRID).tolist() == expected.tolist(), world
        assert (met[world] > 0).tolist() == stopped.tolist(), world
        stops += stopped
    assert (stops > 30).all(), "too few were stopped to test much"


def _free_start(blocks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A place where the body fits, often touching what is around it."""
    while True:
        place = rng.integers(0, [SIZE * GRID, 70 * GRID, SIZE * GRID])
        if rng.random() < 0.5:
            place[1] = place[1] // GRID * GRID
        if rng.random() < 0.5:
            place[0] = place[0] // GRID * GRID + 4915
        if is_free(blocks, place):
            return place


def _fast_glides(
    blocks: np.ndarray, start: np.ndarray, motion: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    config = VoxelConfig(size=SIZE, height=HEIGHT)
    rules = make_rules(config, "cpu", seed=0, first_world=0, masked_waits=0)
    place = wp.zeros(len(blocks), dtype=wp.vec3, device="cpu")
    met = wp.zeros(len(blocks), dtype=wp.vec3i, device="cpu")
    grid = Grid()
    grid.blocks = wp.array(blocks, dtype=wp.uint8, device="cpu")
    given = [
        rules,
        grid,
        wp.array(start, dtype=wp.vec3, device="cpu"),
        wp.array(motion, dtype=wp.vec3, device="cpu"),
    ]
    wp.launch(glide_all, len(blocks), inputs=given, outputs=[place, met], device="cpu")
    return place.numpy(), met.numpy()
