"""Embeddings of what a player sees: pixels through a residual network, or a fan of rays."""

# N = frames, C = channels
from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class FrameEncoder(nn.Module):
    """The IMPALA network: three halvings with two residual blocks each, then a layer (paper P20).

    Frames stay bytes until the first convolution. On a GPU the convolutions compute in bfloat16
    with channels last, the layout in which frames are stored.
    """

    def __init__(self, frame_size: int, filters: tuple[int, ...], width: int) -> None:
        super().__init__()
        sizes = (3, *filters)
        self.stages = nn.ModuleList(
            Stage(before, after) for before, after in zip(sizes[:-1], filters, strict=True)
        )
        side = frame_size
        for _ in filters:
            side = (side + 1) // 2
        self.layer = nn.Linear(side * side * filters[-1], width)
        nn.init.orthogonal_(self.layer.weight, math.sqrt(2.0))
        nn.init.zeros_(self.layer.bias)
        self.to(memory_format=torch.channels_last)  # pyright: ignore[reportCallIssue]

    def forward(self, frame: Tensor) -> Tensor:
        """Maps bytes (..., side, side, 3) to (..., width)."""
        frame_N = frame.flatten(0, -4).permute(0, 3, 1, 2)  # channels last in memory
        device = self.layer.weight.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            image_NC = frame_N.to(torch.bfloat16 if device == "cuda" else torch.float32) / 255.0
            for stage in self.stages:
                image_NC = stage(image_NC)
            embedding_N = self.layer(F.relu(image_NC).flatten(1))
        return F.relu(embedding_N).to(self.layer.weight.dtype).unflatten(0, frame.shape[:-3])


class Stage(nn.Module):
    """A convolution, a halving, and two residual blocks."""

    def __init__(self, before: int, after: int) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(before, after, 3, padding=1)
        self.blocks = nn.ModuleList(Residual(after) for _ in range(2))

    def forward(self, image_NC: Tensor) -> Tensor:
        """Halves both sides."""
        image_NC = F.max_pool2d(self.convolution(image_NC), 3, stride=2, padding=1)
        for block in self.blocks:
            image_NC = block(image_NC)
        return image_NC


class Residual(nn.Module):
    """Two convolutions, whose result is added to the image."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, image_NC: Tensor) -> Tensor:
        """Keeps the shape."""
        return image_NC + self.second(F.relu(self.first(F.relu(image_NC))))


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
