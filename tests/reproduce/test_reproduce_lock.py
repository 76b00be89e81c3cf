import os
import subprocess
import sys

import pytest

from lapis.reproduce.lock import hold_folder
from lapis.runs import RunError


def test_a_second_holder_is_refused_until_the_first_is_gone(tmp_path):
    with (
        hold_folder(tmp_path),
        pytest.raises(RunError, match=r"another `lapis reproduce` is running in .*--folder"),
        hold_folder(tmp_path),
    ):
        pass
    with hold_folder(tmp_path) as shared:
        assert os.fstat(shared).st_ino == (tmp_path / ".lock").stat().st_ino


def test_children_of_an_earlier_holder_are_waited_for(tmp_path):
    with hold_folder(tmp_path) as shared:
        child = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", "input()"],
            stdin=subprocess.PIPE,
            pass_fds=(shared,),
            stderr=subprocess.DEVNULL,
        )
    said = []

    def say(text):
        assert child.poll() is None
        said.append(text)
        child.stdin.close()

    with hold_folder(tmp_path, say):
        assert child.wait() == 1
    assert said == ["waiting for the processes of an earlier start to save and end"]
