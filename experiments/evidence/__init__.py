"""Every table and figure of the documentation, from the tables in `experiments/results`.

    python -m experiments.evidence                  # redraws them: `make evidence`
    python -m experiments.evidence --run NAME ...   # trains first what studies.py names

`docs/evidence.md` says what the numbers mean. `tests/docs/test_evidence.py` compares the pages with
the tables.
"""

from pathlib import Path

RESULTS = Path(__file__).parents[1] / "results"
"""One folder of tables per study."""
