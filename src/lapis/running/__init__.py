"""The life of a run: started, logged, stopped, resumed; and what is kept of it."""

import lapis.threads  # noqa: F401  (before anything loads PyTorch)
