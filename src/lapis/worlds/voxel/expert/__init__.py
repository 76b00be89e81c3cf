"""A scripted player of the voxel world, which shows that goals can be reached."""

from lapis.worlds.voxel.expert.attempt import DIED, LACKING, OUT_OF_TIME, attempt, attempt_in

__all__ = ["DIED", "LACKING", "OUT_OF_TIME", "attempt", "attempt_in"]
