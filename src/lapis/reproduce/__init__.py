"""The paper's treatments over several seeds: planned, run side by side, resumed, reported."""

import lapis.threads  # noqa: F401  (before anything loads PyTorch)
