"""Generation of worlds from the seed: land, veins, caves and plants, as pure functions of place."""

from lapis.worlds.voxel.generation.launches import generation_launches

__all__ = ["generation_launches"]
