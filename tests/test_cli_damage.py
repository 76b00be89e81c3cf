"""Damaged files and impossible wishes: one line, an exit code, and nothing changed."""

import json
import shutil
import zipfile

import numpy as np
import pytest
import safetensors
import safetensors.torch
import torch

from lapis.cli import main
from lapis.running import checkpoint
from lapis.running.run import RunOptions, start
from tests.fuzz.mutations import nested
from tests.running.test_trained import config_of


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A folder with a run, its exported policy and its compact table."""
    folder = tmp_path_factory.mktemp("whole")
    settings = {"recipe": "r", "command": ["c"], "options": RunOptions(quiet=True)}
    start(folder / "run", config=config_of(), **settings)
    assert main(["export", str(folder / "run"), str(folder / "policy.safetensors")]) == 0
    assert main(["report", str(folder / "run"), "--compact", str(folder)]) == 0
    (table,) = folder.glob("*.npz")
    table.rename(folder / "table.npz")
    return folder


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def replaced(name, text):
    return lambda folder: (folder / "run" / name).write_text(text)


def setting(place, value):
    """One setting of config.json is another."""

    def damage(folder):
        path = folder / "run" / "config.json"
        config = json.loads(path.read_text())
        *parts, last = place.split(".")
        part = config
        for each in parts:
            part = part[each]
        part[last] = value
        path.write_text(json.dumps(config))

    return damage


def truncated(name):
    def damage(folder):
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[: len(data) // 2])

    return damage


def line(name, **changes):
    """The last line of a log says something else."""

    def damage(folder):
        path = folder / "run" / name
        *lines, last = path.read_text().splitlines()
        path.write_text("\n".join([*lines, json.dumps(json.loads(last) | changes)]) + "\n")

    return damage


def policy(change, metadata=None):
    def damage(folder):
        path = folder / "policy.safetensors"
        with safetensors.safe_open(path, framework="pt") as file:
            head, names = file.metadata(), file.keys()
            tensors = {name: file.get_tensor(name) for name in names}
        change(tensors)
        safetensors.torch.save_file(tensors, path, metadata(head) if metadata else head)

    return damage


def table(change):
    def damage(folder):
        path = folder / "table.npz"
        with np.load(path) as file:
            arrays = dict(file)
        change(arrays)
        np.savez(path, **arrays)

    return damage


def facts(change):
    """What a table says beside its arrays is something else."""

    def changed(arrays):
        known = json.loads(arrays["facts"].tobytes())
        change(known)
        arrays["facts"] = np.frombuffer(json.dumps(known).encode(), np.uint8)

    return table(changed)


def table_bytes(old, new):
    """The head of each array says something else; none is packed, so that the bytes are there."""

    def damage(folder):
        path = folder / "table.npz"
        with np.load(path) as file:
            np.savez(path, **dict(file))
        data = path.read_bytes()
        assert len(old) >= len(new)
        assert old in data
        with zipfile.ZipFile(path) as file:
            members = {name: file.read(name) for name in file.namelist()}
        with zipfile.ZipFile(path, "w") as file:
            for name, content in members.items():
                file.writestr(name, content.replace(old, new.ljust(len(old))))

    return damage


def flip_member(folder):
    path = folder / "table.npz"
    with zipfile.ZipFile(path) as file:
        member = max(file.infolist(), key=lambda info: info.compress_size)
    data = bytearray(path.read_bytes())
    begin = member.header_offset + 60 + len(member.filename)
    data[begin : begin + 20] = bytes(byte ^ 0xFF for byte in data[begin : begin + 20])
    path.write_bytes(bytes(data))


def state_of(change):
    """A checkpoint whose checksums agree holds something else."""

    def damage(folder):
        newest = checkpoint.latest(folder / "run" / "checkpoints")
        saved = checkpoint.load(newest)
        change(saved)
        shutil.rmtree(newest)
        arguments = (saved.update, saved.tensors, saved.state)
        checkpoint.save(newest.parent, *arguments, config=saved.config)

    return damage


RUN = (["resume", "run", "--updates", "5"], ["evaluate", "run"], ["export", "run", "x.safetensors"])
REPORT = (["report", "run", "--output", "x.html"],)
POLICY = (["evaluate", "policy.safetensors"], ["inspect", "policy.safetensors"])
POLICY += (["watch", "policy.safetensors", "--output", "x.mp4"],)
TABLE = (["report", "table.npz", "--output", "x.html"],)
LONG = "x" * 300

DAMAGE = {
    "config empty": (replaced("config.json", ""), (*RUN, *REPORT)),
    "config truncated": (truncated("run/config.json"), (*RUN, *REPORT)),
    "config a list": (replaced("config.json", "[1]"), (*RUN, *REPORT)),
    "config nested": (replaced("config.json", "[" * 100_000), (*RUN, *REPORT)),
    "config not text": (lambda f: (f / "run/config.json").write_bytes(b"\xff\xfe"), RUN),
    "config of wrong type": (setting("world_count", "many"), RUN),
    "config part missing": (replaced("config.json", '{"world": {"kind": "voxel"}}'), RUN),
    "config of an old form": (replaced("config.json", '{"world": "voxel", "ppo": 5}'), RUN),
    "config bonus": (setting("simonsays.bonus_goals", 5), (*RUN, *REPORT)),
    "config curriculum": (setting("curriculum", 5), RUN),
    "config world unknown": (setting("world.kind", "moon"), RUN),
    "config on a GPU": (setting("device", "cuda:7"), RUN[:1]),
    "config seed": (setting("seed", "../../x"), (*RUN, *REPORT)),
    "goals empty": (replaced("goals.json", ""), (*RUN, *REPORT)),
    "goals a list": (replaced("goals.json", "[]"), (*RUN, *REPORT)),
    "goals numbers": (replaced("goals.json", '{"names": [1, 2], "groups": 3}'), (*RUN, *REPORT)),
    "metrics update": (line("metrics.jsonl", update="3"), (*RUN, *REPORT)),
    "metrics success text": (line("metrics.jsonl", success="high"), (*RUN, *REPORT)),
    "metrics success number": (line("metrics.jsonl", success=1), (*RUN, *REPORT)),
    "metrics frames": (line("metrics.jsonl", frames={"a": 1}), REPORT),
    "metrics huge": (line("metrics.jsonl", frames=10**30), REPORT),
    "metrics gone": (lambda f: (f / "run/metrics.jsonl").unlink(), (*RUN, *REPORT)),
    "metrics empty": (replaced("metrics.jsonl", ""), (*RUN, *REPORT)),
    "evaluation": (line("evaluation.jsonl", successes="all"), (*RUN, *REPORT)),
    "evaluation of nothing": (line("evaluation.jsonl", successes=[None, None]), REPORT),
    "evaluation below 0": (line("evaluation.jsonl", successes=[-1, 0]), REPORT),
    "checkpoint tensor": (state_of(lambda s: s.tensors.pop("policy/layer.weight")), RUN),
    "checkpoint shape": (
        state_of(lambda s: s.tensors.update({"policy/layer.weight": torch.zeros(3)})),
        RUN,
    ),
    "checkpoint state": (state_of(lambda s: s.state.pop("values")), RUN[:1]),
    "checkpoint not finite": (
        state_of(lambda s: s.tensors["policy/layer.weight"].view(-1)[3:4].fill_(float("nan"))),
        RUN,
    ),
    "checkpoint nested": (
        state_of(lambda s: s.config["policy"].update(compile=nested(600))),
        RUN[:1],
    ),
    "checkpoint truncated": (truncated("run/checkpoints/update-000000003/state.json"), RUN),
    "policy truncated": (truncated("policy.safetensors"), POLICY),
    "policy empty": (lambda f: (f / "policy.safetensors").write_bytes(b""), POLICY),
    "policy without key": (policy(lambda t: None, lambda head: {"format": "lapis-policy"}), POLICY),
    "policy garbage": (policy(lambda t: None, lambda head: head | {"lapis": "[]"}), POLICY),
    "policy empty head": (
        policy(lambda t: None, lambda head: head | {"lapis": '{"version": 1}'}),
        POLICY,
    ),
    "policy of an unknown goal": (
        policy(lambda t: None, lambda head: head | {"lapis": head["lapis"].replace("log", "lgo")}),
        POLICY,
    ),
    "policy shape": (
        policy(lambda t: t.update({"policy.layer.weight": torch.zeros(2, 2)})),
        POLICY,
    ),
    "policy exploration": (policy(lambda t: t.pop("exploration_set")), POLICY),
    "policy exploration shape": (
        policy(lambda t: t.update({"exploration_set": torch.zeros(7, dtype=torch.bool)})),
        POLICY,
    ),
    "config of endless name": (setting("x" * 50_000, 1), RUN),
    "table head": (table_bytes(b"'shape': (3,)", b"'shape': {("), TABLE),
    "table frames": (table(lambda a: a.update(frame_steps=-a["frame_steps"])), TABLE),
    "table without texts": (facts(lambda known: known.update(texts=None)), TABLE),
    "metrics back in time": (line("metrics.jsonl", frames=1), REPORT),
    "table text": (facts(lambda known: known["texts"].update({"recipe.txt": 10**30})), TABLE),
    "table scalars": (facts(lambda known: known["scalars"].__setitem__(0, 5)), TABLE),
    "table truncated": (truncated("table.npz"), TABLE),
    "table member": (flip_member, TABLE),
    **{
        f"table without {name}": (table(lambda arrays, name=name: arrays.pop(name)), TABLE)
        for name in ("facts", "update_steps", "counts", "points", "success", "scalars")
    },
    "table shape": (table(lambda a: a.update(success=a["success"][:, :1])), TABLE),
    "table complex": (table(lambda a: a.update(counts=a["counts"] + 0j)), TABLE),
    "table type": (table(lambda a: a.update(counts=np.array("text"))), TABLE),
    "table facts": (table(lambda a: a.update(facts=np.zeros(3, np.uint8))), TABLE),
    "nothing, but a wish": (
        lambda folder: None,
        (
            ["resume", "run", "--updates", "0"],
            ["resume", LONG],
            ["evaluate", "run", "--attempts", "1000000000"],
            ["evaluate", "run", "--attempts", "0"],
            ["evaluate", "run", "--device", "cuda:7"],
            ["evaluate", LONG],
            ["export", "run", f"{LONG}.safetensors"],
            ["report", "run", "--output", "run"],
            ["report", "run", "--output", f"{LONG}.html"],
            ["report", "run", "--compact", "table.npz"],
            ["report", LONG],
            ["inspect", "policy.safetensors", "--json", "run"],
            ["watch", f"{LONG}.safetensors"],
        ),
    ),
}


def assert_refused(arguments, folder, capsys):
    before = contents(folder)
    code = main(arguments)
    errors = capsys.readouterr().err
    assert code in (1, 2), (arguments, errors)
    assert errors.startswith("error: "), (arguments, errors)
    assert errors.count("\n") == 1, (arguments, errors)
    assert len(errors) < 2000, (arguments, errors)
    assert contents(folder) == before, arguments


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_told_in_a_line_and_nothing_changes(whole, tmp_path, monkeypatch, capsys, name):
    folder = tmp_path / "copy"
    shutil.copytree(whole, folder)
    damage, commands = DAMAGE[name]
    damage(folder)
    monkeypatch.chdir(folder)
    for arguments in commands:
        assert_refused(arguments, folder, capsys)


def test_folders_that_cannot_be_written_are_told(whole, tmp_path, monkeypatch, capsys):
    folder = tmp_path / "copy"
    shutil.copytree(whole, folder)
    monkeypatch.chdir(folder)

    def refuse(path, data):
        raise OSError(30, "Read-only file system", str(path))

    monkeypatch.setattr("lapis.runs.durable.write_durably", refuse)
    monkeypatch.setattr("lapis.runs.folder.write_durably", refuse)
    for arguments in (RUN[2], REPORT[0], ["resume", "run", "--updates", "5"]):
        assert_refused(arguments, folder, capsys)
