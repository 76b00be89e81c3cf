import pytest
import torch
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

from lapis.agent.config import ImpalaConfig, PolicyConfig
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
    assert seen[0].max() == 255.0  # The weights of the first convolution take the scale.
    assert seen[0].is_contiguous(memory_format=torch.channels_last)


def plain_network(encoder, frame):
    """The network of the paper, written with PyTorch's functions on scaled frames, NCHW."""
    image = frame.permute(0, 3, 1, 2).to(torch.float32).contiguous() / 255.0
    for stage in encoder.stages:
        image = F.conv2d(image, stage.convolution.weight, stage.convolution.bias, padding=1)
        image = F.max_pool2d(image, 3, stride=2, padding=1)
        for block in stage.blocks:
            inner = F.conv2d(F.relu(image), block.first.weight, block.first.bias, padding=1)
            image = image + F.conv2d(
                F.relu(inner), block.second.weight, block.second.bias, padding=1
            )
    rows = F.relu(image).permute(0, 2, 3, 1).reshape(len(frame), -1)
    return F.relu(F.linear(rows, encoder.layer.weight, encoder.layer.bias))


@pytest.mark.parametrize(("side", "after"), [(64, 16), (16, 4), (18, 4), (20, 5)])
def test_a_strided_stem_divides_the_sides_by_four(side, after):
    encoder = FrameEncoder(side, (4, 6), 8, stem="strided", blocks=1)
    stem = encoder.stages[0]
    image = stem(torch.zeros(1, 3, side, side))
    assert image.shape == (1, 4, after, after)
    assert stem.side_after(side) == after
    assert encoder(torch.zeros(2, side, side, 3, dtype=torch.uint8)).shape == (2, 8)


def test_a_strided_stem_is_one_convolution_of_eight_by_eight():
    torch.manual_seed(0)
    encoder = FrameEncoder(16, (4,), 8, stem="strided", blocks=1)
    frame = torch.randint(0, 256, (3, 16, 16, 3), dtype=torch.uint8)
    image = frame.permute(0, 3, 1, 2).float() / 255.0
    stem = encoder.stages[0]
    image = F.conv2d(image, stem.convolution.weight, stem.convolution.bias, stride=4, padding=2)
    (block,) = stem.blocks
    inner = F.conv2d(F.relu(image), block.first.weight, block.first.bias, padding=1)
    image = image + F.conv2d(F.relu(inner), block.second.weight, block.second.bias, padding=1)
    rows = F.relu(image).permute(0, 2, 3, 1).flatten(1)
    expected = F.relu(F.linear(rows, encoder.layer.weight, encoder.layer.bias))
    torch.testing.assert_close(encoder(frame), expected)


def frames(count=6, side=16):
    generator = torch.Generator().manual_seed(3)
    return torch.randint(0, 256, (count, side, side, 3), dtype=torch.uint8, generator=generator)


def test_scaling_by_weights_and_channels_last_change_nothing_but_rounding():
    torch.manual_seed(0)
    encoder = FrameEncoder(16, (4, 6, 6), 8)
    plain = plain_network(encoder, frames())
    torch.testing.assert_close(encoder(frames()), plain)
    assert plain.std() > 0.01
    gradients = []
    for embedding in (encoder(frames()), plain):
        encoder.zero_grad()
        embedding.square().sum().backward()
        gradients.append([parameter.grad.clone() for parameter in encoder.parameters()])
    torch.testing.assert_close(*gradients)


def test_bfloat16_is_near_and_leaves_weights_and_result_in_float32():
    torch.manual_seed(0)
    encoder = FrameEncoder(16, (8, 8, 8), 16, precision="bfloat16")
    exact = encoder(frames()).detach()
    near = encoder.embed(frames().permute(0, 3, 1, 2), torch.bfloat16)
    assert near.dtype == torch.float32
    assert not torch.equal(near, exact)  # It did compute in eight bits,
    # whose errors of 2^-9 each add up over 16 layers.
    torch.testing.assert_close(near, exact, rtol=0.05, atol=0.05 * float(exact.abs().max()))
    near.sum().backward()
    assert all(parameter.dtype == torch.float32 for parameter in encoder.parameters())
    assert all(parameter.grad.dtype == torch.float32 for parameter in encoder.parameters())


def test_no_float_copy_of_a_frame_is_made_but_the_input_of_the_first_convolution():
    encoder = FrameEncoder(16, (2, 2), 4)
    made = []

    class Listing(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            result = function(*args, **(kwargs or {}))
            if isinstance(result, torch.Tensor):
                made.append((str(function), tuple(result.shape), result.dtype))
            return result

    with Listing():
        encoder(frames(count=5))
    converted = [row for row in made if row[1] == (5, 3, 16, 16) and row[2] != torch.uint8]
    assert converted == [("aten._to_copy.default", (5, 3, 16, 16), torch.float32)]


def test_a_cpu_neither_compiles_nor_rounds():
    torch.manual_seed(0)
    encoder = FrameEncoder(16, (4,), 8, precision="bfloat16", compile=True)
    torch.manual_seed(0)
    plain = FrameEncoder(16, (4,), 8)
    assert torch.equal(encoder(frames()), plain(frames()))
    assert encoder.state_dict().keys() == plain.state_dict().keys()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_network_can_be_compiled_as_one_graph(dtype):
    """Traced as on a GPU, forwards and backwards, but run by PyTorch's own kernels."""
    torch.manual_seed(0)
    encoder = FrameEncoder(16, (4, 6, 6), 8)
    compiled = torch.compile(encoder.embed, fullgraph=True, dynamic=False, backend="aot_eager")
    images = frames().permute(0, 3, 1, 2)
    results = []
    for embed in (encoder.embed, compiled):
        encoder.zero_grad()
        embedding = embed(images, dtype)
        embedding.sum().backward()
        results.append([embedding.detach(), *(each.grad.clone() for each in encoder.parameters())])
    torch.testing.assert_close(*results)
    with torch.no_grad():  # As in a rollout: a graph of its own.
        torch.testing.assert_close(compiled(images, dtype), results[0][0])


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
    encoders = build_encoders(
        observation, PolicyConfig(width=8, frames=ImpalaConfig(filters=(4, 4))), goal_count=3
    )
    assert [type(encoders[name]).__name__ for name in observation] == [
        "FrameEncoder",
        "ClassEncoder",
        "LinearEncoder",
    ]
    assert encoders["fan_class"].weight.shape == (144 * FAN_CLASSES, 8)
    with pytest.raises(ValueError, match=r"'frame' has shape \(2, 16, 8, 3\)"):
        build_encoders({"frame": torch.zeros(2, 16, 8, 3)}, PolicyConfig(width=8), goal_count=3)
