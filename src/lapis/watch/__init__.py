"""Films of a player in the voxel world: what it sees, what it is asked for, what comes of it."""

import lapis.threads  # noqa: F401  (before anything loads PyTorch)
