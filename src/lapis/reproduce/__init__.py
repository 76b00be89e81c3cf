"""The paper's treatments over several seeds: plans, runs, resumes and reports them."""

import lapis.threads  # noqa: F401  (before anything loads PyTorch)
