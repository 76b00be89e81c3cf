"""Checkpoints that somebody crafted, checksums and all: one line, and nothing has changed."""

import dataclasses
import hashlib
import json
import shutil
import subprocess
import sys

import pytest
import torch
from safetensors.torch import load_file, save_file

from lapis.cli import main
from lapis.recipes import techtree
from lapis.running.run import RunOptions, start


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "run"
    config = dataclasses.replace(techtree(), world_count=4, updates=1, evaluation_updates=0)
    start(path, config=config, recipe="", command=[], options=RunOptions(quiet=True))
    return path


def crafted(run, path, change):
    """A copy of the run whose checkpoint is changed and has fresh checksums."""
    shutil.copytree(run, path)
    (folder,) = (path / "checkpoints").iterdir()
    tensors = load_file(folder / "tensors.safetensors")
    change(tensors)
    save_file(tensors, folder / "tensors.safetensors")
    names = ("tensors.safetensors", "state.json")
    sums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}
    (folder / "SHA256SUMS").write_text("".join(f"{sums[name]}  {name}\n" for name in names))
    return path


def test_a_hand_out_of_the_table_ends_in_one_line_and_not_in_a_crash(run, tmp_path):
    path = crafted(run, tmp_path / "run", lambda tensors: tensors["game/world/hand"].fill_(1000))
    command = [sys.executable, "-m", "lapis", "resume", str(path), "--updates", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("\n") == 1
    assert "cannot be loaded: state's 'hand' is 1000 at [0]; it must be" in done.stderr


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda tensors: tensors["game/tensors/goal"].fill_(10**6), "'goal' is 1000000 at [0]"),
        (lambda tensors: tensors.pop("game/world/wear"), "state lacks 'wear'"),
        (lambda tensors: tensors.pop("order_generator"), "lacks 'order_generator'"),
        (
            lambda tensors: tensors.update({"game/world": torch.zeros(1)}),
            "is in the way of another one, or lies in it",
        ),
        (
            lambda tensors: tensors.update(
                {name: torch.zeros(3) for name in tensors if name.startswith("policy/")}
            ),
            "size mismatch",
        ),
    ],
)
def test_what_cannot_be_loaded_is_told_in_one_line(run, tmp_path, capsys, change, message):
    path = crafted(run, tmp_path / "run", change)
    before = {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}
    assert main(["resume", str(path), "--updates", "3"]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error
    assert {file: file.read_bytes() for file in before} == before
    assert json.loads((path / "config.json").read_text())["updates"] == 1
