"""Training: configuration, the loop, and evaluation."""

import lapis.threads  # noqa: F401  (before anything loads PyTorch)
