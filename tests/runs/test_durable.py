"""A disk that fills up leaves older files as they were, and no halves of new ones."""

import subprocess
import sys

import numpy as np
import pytest

from lapis.runs import RunFolder
from lapis.runs.durable import replace_durably

LIMITED = """
import resource, sys
import lapis.report.page
from lapis.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
sys.exit(main(sys.argv[1:]))
"""


def main_with_little_room(*arguments):
    """Exit code and errors of a command whose files may have 4,096 bytes."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.fixture
def run(tmp_path):
    goals = tuple(f"goal {index}" for index in range(50))
    folder = RunFolder.create(
        tmp_path / "run", config={"seed": 1}, recipe="r", command=["c"], goals=goals
    )
    rows = np.random.default_rng(0).random((100, 50))
    with folder.writing() as log:
        for index, row in enumerate(rows, start=1):
            line = {"update": index, "frames": index, "success": row, "probabilities": row}
            log.append(line)
    return folder.path


def test_a_failed_write_leaves_the_older_file_alone(tmp_path, monkeypatch):
    path = tmp_path / "file"
    replace_durably(path, b"old")

    def fail(descriptor):
        raise OSError(27, "File too large")

    monkeypatch.setattr("lapis.runs.durable.os.fsync", fail)
    with pytest.raises(OSError, match="File too large"):
        replace_durably(path, b"new")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
    assert path.read_bytes() == b"old"


def test_reports_tables_and_figures_are_written_whole_or_not_at_all(run, tmp_path):
    pytest.importorskip("matplotlib")
    output = tmp_path / "out"
    output.mkdir()
    page = output / "report.html"
    page.write_text("older")
    for arguments in (
        ["report", run, "--output", page],
        ["report", run, "--compact", output],
        ["report", "theory", "--output", output],
    ):
        code, errors = main_with_little_room(*arguments)
        assert code == 1, errors
        assert errors.startswith("error: ")
        assert errors.count("\n") == 1
        assert [each.name for each in output.iterdir()] == ["report.html"], arguments
        assert page.read_text() == "older"
