"""What all tests share."""

import pytest

import lapis.threads  # noqa: F401  (before anything loads PyTorch, also in the tests)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says whether the GPU was tested too."""
    import torch

    if not torch.cuda.is_available():
        terminalreporter.write_line("no CUDA device: the tests that need one were skipped")
