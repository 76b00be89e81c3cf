"""Playing and watching: by a person in the terminal or a browser, by a policy in a film."""

import lapis.threads  # noqa: F401  (before anything loads PyTorch)
