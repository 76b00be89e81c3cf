"""What all tests share."""

import pytest
import torch


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says whether the GPU was tested too."""
    if not torch.cuda.is_available():
        terminalreporter.write_line("no CUDA device: the tests that need one were skipped")
