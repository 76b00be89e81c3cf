"""The size of the picture follows the time that pictures take."""

import pytest

from lapis.play.voxel.resolution import BUDGET, REMEMBERED, SIDES, Resolution


def after(resolution: Resolution, per_pixel: float, pictures: int = 200) -> int:
    """The side once pictures have taken this long per pixel [s]."""
    for _ in range(pictures):
        resolution.took(per_pixel * resolution.side**2)
    return resolution.side


@pytest.mark.parametrize(
    ("side", "per_pixel"),
    [
        (512, 0.0),
        # 0.7 of 25 ms for 512 x 512 pixels, and a little more.
        (512, 0.0175 / 512**2 * 0.999),
        (448, 0.0175 / 512**2 * 1.001),
        # The first is 224; 256 would take the whole budget.
        (224, BUDGET / 256**2 * 0.999),
        (192, BUDGET / 224**2 * 1.001),
        (64, 1.0),
    ],
)
def test_the_side_is_the_largest_that_keeps_the_budget(side, per_pixel):
    assert after(Resolution(), per_pixel) == side


def test_a_machine_that_becomes_busy_gets_smaller_pictures_at_once_and_larger_ones_later():
    resolution = Resolution()
    assert after(resolution, 1e-8) == 512
    # Six times the budget at 512: 512 / sqrt(6) = 209 pixels.
    slow = 6 * BUDGET / 512**2
    assert after(resolution, slow, REMEMBERED) == 192
    assert after(resolution, slow) == 192
    assert after(resolution, 1e-8, REMEMBERED) == 224
    assert after(resolution, 1e-8) == 512


def test_a_picture_that_was_held_up_changes_nothing():
    resolution = Resolution()
    side = resolution.side
    for number in range(200):
        resolution.took(1.0 if number % 10 == 0 else 0.8 * BUDGET)
    assert resolution.side == side


def test_a_single_side_stays():
    assert after(Resolution((100,)), 1.0) == 100
    assert SIDES[-1] == 512
