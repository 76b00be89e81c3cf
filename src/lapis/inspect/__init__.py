"""How a player spends its time, for people who debug agents."""

import lapis.threads  # noqa: F401  (before anything loads PyTorch)
