"""Batched worlds: the contract in `world`, Minecraft's tech tree without space in `techtree`."""

import lapis.threads  # noqa: F401  (before anything loads PyTorch)
