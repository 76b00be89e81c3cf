"""The mark of tests that need the shipped policy: it must be of this version of the world."""

from __future__ import annotations

import json

import pytest
import safetensors

from lapis.play.scene import SHIPPED
from lapis.worlds.voxel.world import WORLD_VERSION


def shipped_world_version() -> int:
    """The version of the voxel world that the shipped policy was trained in."""
    with safetensors.safe_open(SHIPPED, framework="pt") as file:
        return json.loads(file.metadata()["lapis"]).get("world_version", 4)


needs_shipped_policy = pytest.mark.skipif(
    shipped_world_version() != WORLD_VERSION,
    reason=f"the shipped policy is of version {shipped_world_version()} of the voxel world, "
    f"which is at version {WORLD_VERSION}: train and ship a new one",
)
