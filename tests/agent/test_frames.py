import pytest
import torch

from lapis.agent.encoders import FAN_CLASSES, build_encoders
from lapis.agent.frames import ClassEncoder, FrameEncoder


def test_the_papers_network_has_the_papers_size():
    encoder = FrameEncoder(64, (64, 128, 128), 512)
    counted = sum(parameter.numel() for parameter in encoder.parameters())
    first = (3 * 9 + 1) * 64 + 4 * (64 * 9 + 1) * 64
    second = (64 * 9 + 1) * 128 + 4 * (128 * 9 + 1) * 128
    third = (128 * 9 + 1) * 128 + 4 * (128 * 9 + 1) * 128
    layer = (8 * 8 * 128 + 1) * 512  # 64 pixels are halved three times
    assert counted == first + second + third + layer


@pytest.mark.parametrize("shape", [(5,), (2, 3)])
def test_frames_keep_their_leading_axes(shape):
    torch.manual_seed(0)
    encoder = FrameEncoder(16, (4, 6), 8)
    frame = torch.randint(0, 256, (*shape, 16, 16, 3), dtype=torch.uint8)
    embedding = encoder(frame)
    assert embedding.shape == (*shape, 8)
    assert embedding.dtype == torch.float32
    alone = encoder(frame.flatten(0, -4)[:1])
    torch.testing.assert_close(embedding.flatten(0, -2)[:1], alone)


def test_a_frame_is_seen_in_its_colors_and_the_right_way_up():
    """The convolution sees channel c of the pixel in row i and column j at [c, i, j]."""
    encoder = FrameEncoder(8, (2,), 4)
    seen = []
    encoder.stages[0].register_forward_pre_hook(lambda _, arguments: seen.append(arguments[0]))
    frame = torch.zeros(1, 8, 8, 3, dtype=torch.uint8)
    frame[0, 2, 5, 1] = 255
    encoder(frame)
    assert seen[0].nonzero().tolist() == [[0, 1, 2, 5]]
    assert seen[0].max() == 1.0
    assert seen[0].is_contiguous(memory_format=torch.channels_last)


def test_an_odd_side_is_halved_upwards():
    assert FrameEncoder(9, (4, 4), 8)(torch.zeros(1, 9, 9, 3, dtype=torch.uint8)).shape == (1, 8)


def test_classes_are_a_linear_map_of_one_hot_vectors():
    torch.manual_seed(0)
    encoder = ClassEncoder(3, 4, 5)
    classes = torch.tensor([[[1, 0, 3], [2, 2, 2]]], dtype=torch.uint8)
    one_hot = torch.nn.functional.one_hot(classes.long(), 4).float().flatten(-2)
    torch.testing.assert_close(encoder(classes), one_hot @ encoder.weight)


def test_encoders_are_chosen_by_name_and_shape():
    observation = {
        "frame": torch.zeros(2, 16, 16, 3, dtype=torch.uint8),
        "fan_class": torch.zeros(2, 144, dtype=torch.uint8),
        "vitals": torch.zeros(2, 7),
    }
    encoders = build_encoders(observation, goal_count=3, width=8, filters=(4, 4))
    assert [type(encoders[name]).__name__ for name in observation] == [
        "FrameEncoder",
        "ClassEncoder",
        "LinearEncoder",
    ]
    assert encoders["fan_class"].weight.shape == (144 * FAN_CLASSES, 8)
    with pytest.raises(ValueError, match=r"'frame' has shape \(2, 16, 8, 3\)"):
        build_encoders({"frame": torch.zeros(2, 16, 8, 3)}, goal_count=3, width=8)
