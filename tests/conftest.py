"""What all tests share."""

import signal

import pytest

import lapis.threads  # noqa: F401  (before anything loads PyTorch, also in the tests)


def pytest_configure() -> None:
    """Lets Ctrl-C interrupt, also where a shell started pytest in the background and ignores it.

    Tests send it to themselves and to their children, which inherit what their parent does.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says whether the GPU was tested too."""
    import torch

    if not torch.cuda.is_available():
        terminalreporter.write_line("no CUDA device: the tests that need one were skipped")
