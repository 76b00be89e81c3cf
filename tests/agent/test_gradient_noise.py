import pytest
import torch

from benchmarks.gradient_noise import noise_scale


def test_two_gradients_by_hand():
    """Mean (2, 0), variance 2 in all; the mean is longer by half of it: 4 - 1 = 3 is left."""
    signal, noise, scale = noise_scale([torch.tensor([3.0, 0.0]), torch.tensor([1.0, 0.0])], 90)
    assert signal == pytest.approx(3.0**0.5)
    assert noise == pytest.approx(2.0**0.5)
    assert scale == pytest.approx(90 * 2.0 / 3.0)


def test_gradients_without_a_direction_have_no_scale():
    assert noise_scale([torch.tensor([1.0]), torch.tensor([-1.0])], 90)[2] == float("inf")
