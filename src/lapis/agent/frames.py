"""Embeddings of what a player sees: pixels through a residual network, or a fan of rays."""

# N = frames, C = channels
from __future__ import annotations

import itertools
import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from lapis.agent.compiling import compiled
from lapis.agent.config import Precision, Stem


class FrameEncoder(nn.Module):
    """The IMPALA network: three halvings with two residual blocks each, then a layer (paper P20).

    With the stem "strided", the first stage is one 8 x 8 convolution of stride 4 instead.

    Frames stay bytes until the first convolution, and have channels last from memory to the last
    layer, the layout in which they are stored and in which tensor cores convolve: no copy of a
    frame or an image serves the layout alone. On a GPU the network computes in `precision`; the
    weights are float32 everywhere, and so is what comes out.

    Compiled code works for one batch size, so it is used in training mode only: evaluations, whose
    batches shrink as worlds end, call `eval()` and run without it.

    `frame_size` is in pixels along each side; `ImpalaConfig` explains the other settings.
    """

    def __init__(
        self,
        frame_size: int,
        filters: tuple[int, ...],
        width: int,
        *,
        stem: Stem = "impala",
        blocks: int = 2,
        precision: Precision = "float32",
        compile: bool = False,
    ) -> None:
        super().__init__()
        sizes = (3, *filters)
        self.stages = nn.ModuleList(
            Stage(before, after, blocks, strided=stem == "strided" and index == 0)
            for index, (before, after) in enumerate(itertools.pairwise(sizes))
        )
        side = frame_size
        for stage in self.stages:
            assert isinstance(stage, Stage)
            side = stage.side_after(side)
        self.layer = Linear(side * side * filters[-1], width)
        nn.init.orthogonal_(self.layer.weight, math.sqrt(2.0))
        nn.init.zeros_(self.layer.bias)
        self.to(memory_format=torch.channels_last)  # pyright: ignore[reportCallIssue]
        self._gpu_type: torch.dtype = getattr(torch, precision)
        self._compiled = compiled(self.embed) if compile else None

    def forward(self, frame: Tensor) -> Tensor:
        """Maps bytes (..., side, side, 3) to (..., width)."""
        frame_N = frame.flatten(0, -4).permute(0, 3, 1, 2)  # A view, with channels last in memory.
        if not frame.is_cuda:
            embedding_N = self.embed(frame_N, torch.float32)
        elif self._compiled is None or not self.training:
            embedding_N = self.embed(frame_N, self._gpu_type)
        else:
            embedding_N = self._compiled(frame_N, self._gpu_type)
        return embedding_N.unflatten(0, frame.shape[:-3])

    def embed(self, frame_NC: Tensor, dtype: torch.dtype) -> Tensor:
        """Maps bytes (frame, 3, side, side) to float32 (frame, width), computing in `dtype`."""
        # Every byte is a number of eight bits, which bfloat16 holds exactly: rounding begins
        # with the weights. These take the scale, so that frames are converted and no more.
        image_NC = frame_NC.to(dtype)
        for index, stage in enumerate(self.stages):
            image_NC = stage(image_NC, input_scale=1.0 / 255.0 if index == 0 else 1.0)
        row_N = F.relu(image_NC).permute(0, 2, 3, 1).flatten(1)  # As it lies in memory.
        return F.relu(self.layer(row_N)).to(self.layer.weight.dtype)


class Stage(nn.Module):
    """A convolution and a halving, or one strided convolution, and residual blocks."""

    def __init__(self, before: int, after: int, blocks: int, *, strided: bool) -> None:
        super().__init__()
        self.is_strided = strided
        self.convolution = (
            Convolution(before, after, size=8, stride=4, padding=2)
            if strided
            else Convolution(before, after)
        )
        self.blocks = nn.ModuleList(Residual(after) for _ in range(blocks))

    def side_after(self, side: int) -> int:
        """Pixels along a side of what comes out."""
        return (side - 4) // 4 + 1 if self.is_strided else (side + 1) // 2

    def forward(self, image_NC: Tensor, *, input_scale: float = 1.0) -> Tensor:
        """Halves both sides of `input_scale` times the image, or divides them by four."""
        image_NC = self.convolution(image_NC, input_scale=input_scale)
        if not self.is_strided:
            image_NC = F.max_pool2d(image_NC, 3, stride=2, padding=1)
        for block in self.blocks:
            image_NC = block(image_NC)
        return image_NC


class Residual(nn.Module):
    """Two convolutions, whose result is added to the image."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = Convolution(channels, channels)
        self.second = Convolution(channels, channels)

    def forward(self, image_NC: Tensor) -> Tensor:
        """Keeps the shape."""
        return image_NC + self.second(F.relu(self.first(F.relu(image_NC))))


class Convolution(nn.Conv2d):
    """A convolution in the precision of its input; of 3 x 3 that keeps the size, by default."""

    def __init__(
        self, before: int, after: int, *, size: int = 3, stride: int = 1, padding: int = 1
    ) -> None:
        super().__init__(before, after, size, stride=stride, padding=padding)

    def forward(self, input: Tensor, *, input_scale: float = 1.0) -> Tensor:
        """Convolves `input_scale` times the input."""
        assert self.bias is not None
        weight = self.weight if input_scale == 1.0 else self.weight * input_scale
        return F.conv2d(
            input,
            weight.to(input.dtype),
            self.bias.to(input.dtype),
            stride=self.stride,
            padding=self.padding,  # pyright: ignore[reportArgumentType]
        )


class Linear(nn.Linear):
    """A linear layer in the precision of its input."""

    def forward(self, input: Tensor) -> Tensor:
        """Maps (..., before) to (..., after)."""
        return F.linear(input, self.weight.to(input.dtype), self.bias.to(input.dtype))


class ClassEncoder(nn.Module):
    """A linear embedding of one-hot classes, one per place, looked up by their indices."""

    def __init__(self, place_count: int, class_count: int, width: int) -> None:
        super().__init__()
        # As one sum over all places has the size of a linear map's output.
        self.weight = nn.Parameter(
            torch.randn(place_count * class_count, width) / math.sqrt(place_count)
        )
        offset = torch.arange(place_count) * class_count
        self.register_buffer("offset", offset, persistent=False)
        self.offset: Tensor
        self.class_count = class_count

    def forward(self, classes: Tensor) -> Tensor:
        """Maps class indices (..., place) to (..., width)."""
        index = classes.flatten(0, -2).to(torch.int64) + self.offset
        return F.embedding_bag(index, self.weight, mode="sum").unflatten(0, classes.shape[:-1])
