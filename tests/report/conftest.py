import pytest

from lapis.report.command import load_groups
from tests.report.synthetic import TREATMENTS, make_run


@pytest.fixture(scope="session")
def run_paths(tmp_path_factory):
    """The paper's five treatments with three seeds each; two of them are evaluated."""
    folder = tmp_path_factory.mktemp("runs")
    return [
        make_run(
            folder / f"{treatment}-{seed}",
            treatment,
            seed,
            evaluation=treatment in ("unidirectional", "bidirectional"),
        )
        for treatment in reversed(TREATMENTS)
        for seed in range(3)
    ]


@pytest.fixture(scope="session")
def groups(run_paths):
    return load_groups(run_paths)
