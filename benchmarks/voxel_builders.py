"""What it takes to get about by building: steps of pillars, stairs, ladders and bridges.

    python -m benchmarks.voxel_builders

A scripted player (`tests/worlds/voxel/builders.py`) plays on flat land by the public actions alone.
Turns of the camera are not counted.
"""

from __future__ import annotations

import dataclasses

from lapis.minecraft.blocks import Block
from tests.worlds.voxel.builders import bridge, ladder, pillar, stairs_up
from tests.worlds.voxel.play_scenes import GROUND, SMALL, Scene

DEPTH = 10
"""Of the pit that pillars, stairs and ladders lead out of, and length of the bridge [blocks]."""


def main() -> None:
    """Prints a line for each way."""
    ways = {
        "pillar of cobblestone": lambda: pillar(pit({"cobblestone": DEPTH}), "cobblestone", DEPTH),
        "stairs, with a stone pickaxe": lambda: stairs_up(pit({}), DEPTH),
        "ladders": lambda: ladder(pit({"ladder": DEPTH}), DEPTH),
        "bridge of dirt": lambda: bridge(gap(), "dirt", DEPTH),
    }
    for name, build in ways.items():
        steps = build()
        print(f"{name}: {DEPTH} blocks in {steps} steps")


def pit(inventory: dict[str, int]) -> Scene:
    """A player at the bottom of a shaft that is one block wide."""
    scene = Scene(
        config=dataclasses.replace(SMALL, size=32), inventory=inventory, hand="stone_pickaxe"
    )
    scene.fill(slice(8, 9), slice(GROUND - DEPTH, GROUND), slice(8, 9), Block.AIR)
    scene.set(position=(8.5, float(GROUND - DEPTH), 8.5))
    return scene


def gap() -> Scene:
    """A player at the edge of a gap behind it."""
    scene = Scene(config=dataclasses.replace(SMALL, size=32), inventory={"dirt": 2 * DEPTH})
    scene.fill(slice(None), slice(1, GROUND), slice(16, 28), Block.AIR)
    scene.set(position=(8.5, float(GROUND), 28.5))
    return scene


if __name__ == "__main__":
    main()
