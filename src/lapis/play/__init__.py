"""A person plays Simon Says: `techtree` in the terminal, `voxel` in a browser."""

import lapis.threads  # noqa: F401  (before anything loads PyTorch)
