"""Training: configuration, the loop, and runs that can be stopped and resumed."""

import lapis.threads  # noqa: F401  (before anything loads PyTorch)
