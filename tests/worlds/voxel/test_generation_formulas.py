"""The formulas of the generator against values worked out by hand."""

import numpy as np
import pytest
import warp as wp

from lapis.minecraft.biomes import Biome, Wood
from lapis.minecraft.blocks import Block
from lapis.worlds.voxel.generation.caves import on_curve
from lapis.worlds.voxel.generation.ground import is_bedrock, soil_below, surface_of
from lapis.worlds.voxel.generation.land import bank, flattened, raised
from lapis.worlds.voxel.generation.noise import noise, torus_distance, torus_offset
from lapis.worlds.voxel.generation.trees import Tree, crown_radius, is_in_crown
from lapis.worlds.voxel.generation.veins import square_distance_to_axis

wp.set_module_options({"enable_backward": False, "fuse_fp": False})


@wp.kernel
def heights(given: wp.array2d[float], result: wp.array2d[float]):
    row = wp.tid()
    result[row, 0] = raised(given[row, 0], given[row, 1], given[row, 2])
    result[row, 1] = flattened(given[row, 3], given[row, 4])
    result[row, 2] = bank(given[row, 5])


@wp.kernel
def places(given: wp.array2d[int], result: wp.array2d[float]):
    row = wp.tid()
    x = given[row, 0]
    z = given[row, 1]
    result[row, 0] = float(torus_offset(x, z, 32))
    result[row, 1] = torus_distance(x, z, 1, 1, 32)
    result[row, 2] = noise(wp.uint32(0), x, z, 3, 32)


@wp.kernel
def surfaces(given: wp.array2d[int], patch: wp.array[float], result: wp.array2d[int]):
    row = wp.tid()
    surface = surface_of(given[row, 0], given[row, 1], given[row, 2], patch[row])
    result[row, 0] = surface
    result[row, 1] = soil_below(surface)


@wp.kernel
def bedrock(given: wp.array2d[int], result: wp.array[bool]):
    row = wp.tid()
    result[row] = is_bedrock(wp.uint32(given[row, 0]), given[row, 1])


@wp.kernel
def shapes(given: wp.array2d[float], result: wp.array2d[float]):
    row = wp.tid()
    axis = wp.vec3(2.0, 0.0, 0.0)
    result[row, 0] = square_distance_to_axis(given[row, 0], given[row, 1], given[row, 2], axis)
    a = wp.vec3(0.0, 0.0, 0.0)
    b = wp.vec3(0.0, 8.0, 0.0)
    c = wp.vec3(8.0, 8.0, 0.0)
    d = wp.vec3(8.0, 0.0, 16.0)
    point = on_curve(a, b, c, d, given[row, 3])
    result[row, 1] = point[0]
    result[row, 2] = point[1]
    result[row, 3] = point[2]


@wp.kernel
def crowns(given: wp.array2d[int], radius: wp.array[int], inside: wp.array[bool]):
    row = wp.tid()
    tree = Tree()
    tree.wood = given[row, 0]
    tree.trunk = given[row, 1]
    layer = given[row, 2]
    radius[row] = crown_radius(tree.wood, tree.trunk, layer)
    inside[row] = is_in_crown(tree, given[row, 3], given[row, 4], layer)


def evaluate(kernel, rows, *, dtype=float, columns=0, result=float, others=()):
    given = wp.array(np.array(rows), dtype=dtype, device="cpu")
    shape = (len(rows), columns) if columns else len(rows)
    results = wp.zeros(shape, dtype=result, device="cpu")
    wp.launch(kernel, len(rows), inputs=[given, *others], outputs=[results], device="cpu")
    return results.numpy()


def test_hills_rise_by_the_relief_and_valleys_sink_less():
    rows = [
        [5.0, 20.0, 0.5, 0, 82, 0],  # 62 + 5 + 10
        [5.0, 20.0, -0.5, 0, 82, 0],  # 62 + 5 - min(20, 9.5) / 2
        [5.0, 4.0, -0.5, 0, 82, 0],  # 62 + 5 - 2
    ]
    np.testing.assert_allclose(evaluate(heights, rows, columns=3)[:, 0], [77.0, 62.25, 65.0])


def test_summits_stay_below_the_ceiling():
    rows = [[0, 0, 0, ground, 82, 0] for ground in (70.0, 74.0, 82.0, 98.0)]
    # From 74 on: 74 + above / (1 + above / 8).
    expected = [70.0, 74.0, 78.0, 80.0]
    np.testing.assert_allclose(evaluate(heights, rows, columns=3)[:, 1], expected)
    low = [[0, 0, 0, ground, 66, 0] for ground in (64.0, 66.0, 70.0)]
    # Where only 4 layers are left above the sea, half of them: 64 + above / (1 + above / 2).
    np.testing.assert_allclose(evaluate(heights, low, columns=3)[:, 1], [64.0, 65.0, 65.5])


def test_the_lake_deepens_from_its_shore_and_its_banks_steepen():
    rows = [[0, 0, 0, 0, 82, beyond] for beyond in (-5.0, -100.0, 0.0, 5.0, 10.0)]
    expected = [58.5, 56.0, 61.5, 65.5, 73.5]
    np.testing.assert_allclose(evaluate(heights, rows, columns=3)[:, 2], expected, rtol=1e-6)


def test_ways_on_the_torus_are_the_shorter_ones():
    rows = [[0, 31], [31, 0], [16, 0], [15, 0], [3, 3]]
    result = evaluate(places, rows, dtype=int, columns=3)
    np.testing.assert_array_equal(result[:, 0], [1, -1, -16, 15, 0])
    rows = [[4, 5], [30, 1], [1, 30]]
    result = evaluate(places, rows, dtype=int, columns=3)
    np.testing.assert_array_equal(result[:, 1], [5.0, 3.0, 3.0])


def plain_fold(h: int, word: int) -> int:
    h ^= (word * 0x9E3779B9 + 0x7F4A7C15) % 2**32
    h ^= h >> 16
    h = h * 0x85EBCA6B % 2**32
    h ^= h >> 13
    h = h * 0xC2B2AE35 % 2**32
    return h ^ h >> 16


def lattice(cell_x: int, cell_z: int) -> float:
    return (plain_fold(plain_fold(0, cell_x), cell_z) >> 8) / 2**23 - 1.0


def test_noise_takes_its_values_at_the_lattice_and_eases_between_them():
    rows = [[8, 16], [12, 16], [8, 20], [2, 16], [28, 28]]
    values = evaluate(places, rows, dtype=int, columns=3)[:, 2]
    first, second = lattice(1, 2), lattice(2, 2)
    # A quarter of the way counts for 1/16 * (3 - 1/2) = 5/32; the last place lies in the corner
    # cell and wraps around both ways.
    corner = (lattice(3, 3) + lattice(0, 3) + lattice(3, 0) + lattice(0, 0)) / 4
    expected = [
        first,
        (first + second) / 2,
        (first + lattice(1, 3)) / 2,
        lattice(0, 2) + (first - lattice(0, 2)) * 5 / 32,
        corner,
    ]
    np.testing.assert_allclose(values, expected, atol=1e-6)


@pytest.mark.parametrize(
    ("biome", "y", "patch", "surface", "soil"),
    [
        (Biome.PLAINS, 70, 0.9, Block.GRASS, Block.DIRT),
        (Biome.DESERT, 70, 0.0, Block.SAND, Block.SAND),
        (Biome.PLAINS, 63, 0.0, Block.GRASS, Block.DIRT),
        (Biome.PLAINS, 63, 0.2, Block.SAND, Block.SAND),
        (Biome.PLAINS, 62, -0.9, Block.SAND, Block.SAND),
        (Biome.PLAINS, 62, 0.6, Block.GRAVEL, Block.GRAVEL),
        (Biome.PLAINS, 60, -0.5, Block.CLAY, Block.DIRT),
        (Biome.PLAINS, 60, 0.0, Block.SAND, Block.SAND),
        (Biome.PLAINS, 60, 0.5, Block.GRAVEL, Block.GRAVEL),
        (Biome.SWAMP, 62, 0.0, Block.GRASS, Block.DIRT),
        (Biome.SWAMP, 61, 0.0, Block.DIRT, Block.DIRT),
        (Biome.EXTREME_HILLS, 75, 0.3, Block.STONE, Block.STONE),
        (Biome.EXTREME_HILLS, 75, 0.2, Block.GRASS, Block.DIRT),
    ],
)
def test_the_ground_ends_with_what_its_biome_and_the_water_make_of_it(
    biome, y, patch, surface, soil
):
    own = Block.SAND if biome == Biome.DESERT else Block.GRASS
    patches = wp.array([patch], dtype=float, device="cpu")
    rows = [[biome, own, y]]
    result = evaluate(surfaces, rows, dtype=int, columns=2, result=int, others=[patches])
    assert result.tolist() == [[surface, soil]]


def test_bedrock_gets_rarer_layer_by_layer():
    # The hash's bits 6 y ... 6 y + 5 decide: below 64 * (5 - y) / 5, which is 51.2, 38.4, ...
    rows = [[0, 0], [63, 0], [51 << 6, 1], [52 << 6, 1], [12 << 24, 4], [13 << 24, 4]]
    result = evaluate(bedrock, rows, dtype=int, result=bool)
    assert result.tolist() == [True, True, True, False, True, False]


def test_veins_are_round_about_a_line():
    # The line runs from (-2, 0, 0) to (2, 0, 0).
    rows = [[0, 0, 0, 0], [1, 3, 0, 0], [4, 0, 0, 0], [-5, 4, 0, 0], [2, 1, 2, 0]]
    result = evaluate(shapes, rows, columns=4)
    np.testing.assert_allclose(result[:, 0], [0, 9, 4, 25, 5])


def test_tunnels_follow_their_control_points():
    rows = [[0, 0, 0, share] for share in (0.0, 0.5, 1.0)]
    result = evaluate(shapes, rows, columns=4)[:, 1:]
    # Halfway the weights are 1/8, 3/8, 3/8, 1/8.
    np.testing.assert_allclose(result, [[0, 0, 0], [4, 6, 2], [8, 0, 16]])


def crown(wood: Wood, trunk: int, layer: int) -> np.ndarray:
    """Which places of a square of 9 x 9 around the trunk hold leaves."""
    side = np.arange(-4, 5)
    rows = np.array([[wood, trunk, layer, dx, dz] for dx in side for dz in side], np.int32)
    radius = wp.zeros(len(rows), dtype=int, device="cpu")
    inside = wp.zeros(len(rows), dtype=bool, device="cpu")
    given = wp.array(rows, dtype=int, device="cpu")
    wp.launch(crowns, len(rows), inputs=[given], outputs=[radius, inside], device="cpu")
    return inside.numpy().reshape(9, 9)


def widths(wood: Wood, trunk: int) -> list[int]:
    """Leaves along the middle of each layer, from the top of the crown down to the ground."""
    return [int(crown(wood, trunk, layer)[:, 4].sum()) for layer in range(2, -trunk, -1)]


def test_crowns_have_the_outline_of_their_wood():
    assert widths(Wood.OAK, 5) == [0, 3, 3, 5, 5, 0, 0]
    assert widths(Wood.BIRCH, 5) == [0, 3, 3, 5, 5, 0, 0]
    assert widths(Wood.SPRUCE, 7) == [0, 1, 3, 5, 3, 5, 3, 0, 0]
    assert widths(Wood.JUNGLE, 8) == [0, 3, 3, 7, 7, 0, 0, 0, 0, 0]
    assert widths(Wood.JUNGLE, 1) == [0, 3, 5]
    assert widths(Wood.ACACIA, 5) == [0, 5, 7, 0, 0, 0, 0]
    # Two blocks thick, so one wider.
    assert widths(Wood.DARK_OAK, 5) == [0, 4, 6, 6, 6, 0, 0]


def test_crowns_are_rounded():
    top = crown(Wood.OAK, 5, 1)
    assert top.sum() == 5
    wide = crown(Wood.JUNGLE, 8, -1)
    assert wide.sum() == 37
    assert not wide[1, 1]
    lower = crown(Wood.OAK, 5, -1)
    assert 21 <= lower.sum() <= 25
