"""What all tests share."""

import signal
from collections.abc import Iterator

import pytest

import lapis.threads  # noqa: F401  (before anything loads PyTorch, also in the tests)


def pytest_configure() -> None:
    """Lets Ctrl-C interrupt, also where a shell started pytest in the background and ignores it.

    Tests send it to themselves and to their children, which inherit what their parent does.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def one_thread() -> Iterator[None]:
    """PyTorch computes in one thread: the last bits of sums depend on how many there are."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says whether the GPU was tested too."""
    import torch

    if not torch.cuda.is_available():
        terminalreporter.write_line("no CUDA device: the tests that need one were skipped")
