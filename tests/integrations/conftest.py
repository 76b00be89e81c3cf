"""The lock of the examples, with a journal around it."""

import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def examples(monkeypatch):
    """The examples import each other, as they do where a reader runs them."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    yield
    for name in [name for name in sys.modules if name == "lock" or name.endswith("_curriculum")]:
        del sys.modules[name]


@pytest.fixture
def make_journal(tmp_path):
    """Makes locks that write to `tmp_path / "journal"`; can be sent to other processes."""
    pytest.importorskip("gymnasium", reason="Gymnasium is not installed: lapis-rl[sb3]")
    from functools import partial

    from tests.integrations.locks import make_locked

    folder = tmp_path / "journal"
    folder.mkdir()
    return partial(make_locked, str(folder))
