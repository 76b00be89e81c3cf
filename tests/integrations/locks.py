"""What worker processes import to make their environments."""

import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def make_locked(folder, *_, **__):
    """The lock of the examples with a journal in `folder`."""
    if str(EXAMPLES) not in sys.path:
        sys.path.insert(0, str(EXAMPLES))
    from lock import make_env

    from tests.integrations.journal import Journal

    return Journal(make_env(), Path(folder))
