"""Policies without their trainers: from run folders of any device, and as files."""

import dataclasses
import json
import math
import shutil
import subprocess
import sys

import numpy as np
import pytest
import safetensors
import safetensors.torch
import torch

from lapis.cli import main
from lapis.recipes import probes
from lapis.running import checkpoint
from lapis.running import export as exporting
from lapis.running.export import export, load_exported, load_policy
from lapis.running.run import RunOptions, start
from lapis.running.trained import Success, load_run
from lapis.runs import RunError, RunFolder
from lapis.train.evaluation import evaluate
from lapis.train.loop import Trainer


def config_of(**changes):
    config = probes.two_goals()
    return dataclasses.replace(
        config,
        world_count=8,
        updates=3,
        evaluation_updates=2,
        evaluation_attempts=6,
        threads=1,
        simonsays=dataclasses.replace(config.simonsays, bonus="dynamic", bonus_coefficient=0.5),
        **changes,
    )


@pytest.fixture(scope="module")
def trainer_and_run(tmp_path_factory):
    """A finished run and its trainer."""
    path = tmp_path_factory.mktemp("trained") / "run"
    trainers = []

    def build(config):
        trainers.append(Trainer(config))
        return trainers[0]

    start(
        path,
        config=config_of(),
        make_trainer=build,
        recipe="two-goals",
        command=["lapis"],
        options=RunOptions(quiet=True),
    )
    return trainers[0], path


@pytest.fixture
def run(trainer_and_run):
    return trainer_and_run[1]


def on_a_gpu(run, tmp_path):
    """A copy of a run as if it had been trained on a GPU, by its configuration."""
    path = tmp_path / "gpu"
    path.mkdir()
    for name in ("goals.json", "metrics.jsonl", "evaluation.jsonl", "config.json"):
        (path / name).write_bytes((run / name).read_bytes())
    (path / "checkpoints").symlink_to(run / "checkpoints")
    settings = json.loads((path / "config.json").read_text())
    settings["device"] = "cuda:0"
    settings["policy"] |= {"compile": True}
    (path / "config.json").write_text(json.dumps(settings))
    return path


def assert_same_policy(first, second, tolerance=0.0):
    for name, weight in first.policy.state_dict().items():
        other = second.policy.state_dict()[name]
        torch.testing.assert_close(other, weight, rtol=tolerance, atol=tolerance / 100, msg=name)


def test_the_policy_of_a_run_plays_as_its_trainer_does(trainer_and_run):
    trainer, path = trainer_and_run
    trained = load_run(path)
    assert_same_policy(trainer, trained)
    assert (trained.update, trained.frames) == (3, trainer.frames)
    assert torch.equal(trained.exploration_set, trainer.exploration_set)
    assert trained.groups == ("surface", "surface")
    np.testing.assert_equal(evaluate(trained), evaluate(trainer))


def test_what_the_run_recorded_is_known(run):
    trained = load_run(run)
    evaluations = RunFolder.open(run).read_evaluations()
    assert trained.success.update == 3
    assert trained.success.successes == tuple(evaluations["successes"][-1])
    assert trained.success.attempts == (6, 6)
    assert trained.success.average == tuple(RunFolder.open(run).read_metrics()["success"][-1])


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_a_run_of_a_gpu_plays_where_there_is_none(run, tmp_path):
    path = on_a_gpu(run, tmp_path)
    trained = load_run(path)
    assert trained.config.device == "cpu"
    assert not trained.config.policy.compile
    assert_same_policy(load_run(run), trained)
    np.testing.assert_equal(evaluate(trained), evaluate(load_run(run)))


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_the_command_says_where_it_evaluates(run, tmp_path, capsys):
    path = on_a_gpu(run, tmp_path)
    assert main(["evaluate", str(path), "--attempts", "4"]) == 0
    printed = capsys.readouterr().out
    assert f"{path} after update 3, 4 attempts per goal, on cpu" in printed
    won = sum(load_run(run).success.successes)
    assert f"recorded after update 3: {won / 12:.3f} +- " in printed


def test_a_run_without_a_checkpoint_has_no_policy(tmp_path):
    RunFolder.create(tmp_path / "new", config={}, recipe="", command=[])
    with pytest.raises(RunError, match="new has no checkpoint yet"):
        load_run(tmp_path / "new")


def test_an_exported_policy_is_the_same_but_for_half_precision(run, tmp_path, capsys):
    file = tmp_path / "policy.safetensors"
    assert main(["export", str(run), str(file)]) == 0
    size = file.stat().st_size
    assert f"{file}: the policy after update 3, {size:,} bytes" in capsys.readouterr().out
    original, loaded = load_run(run), load_policy(file)
    # Half precision has eleven bits; below 6e-5 they are fewer.
    assert_same_policy(original, loaded, tolerance=2**-11)
    assert all(weight.dtype == torch.float32 for weight in loaded.policy.parameters())
    assert torch.equal(loaded.exploration_set, original.exploration_set)
    for name in ("update", "frames", "success", "groups", "config"):
        assert getattr(loaded, name) == getattr(original, name), name
    weights = sum(weight.numel() for weight in original.policy.parameters())
    assert 2 * weights < size < 2 * weights + 16_000


def test_an_exported_policy_can_be_evaluated(run, tmp_path, capsys):
    file = tmp_path / "policy.safetensors"
    export(load_run(run), file)
    assert main(["evaluate", str(file), "--per-goal"]) == 0
    printed = capsys.readouterr().out
    assert "policy.safetensors after update 3, 6 attempts per goal, on cpu" in printed
    assert "mean success here: " in printed


def test_a_run_without_evaluations_exports_its_averages(run, tmp_path):
    trained = dataclasses.replace(load_run(run), success=Success(average=(0.25, 0.5)))
    export(trained, tmp_path / "a.safetensors")
    assert load_exported(tmp_path / "a.safetensors").success == Success(average=(0.25, 0.5))


def test_nothing_is_overwritten_and_nothing_large_is_written(run, tmp_path, monkeypatch, capsys):
    file = tmp_path / "policy.safetensors"
    file.write_bytes(b"mine")
    assert main(["export", str(run), str(file)]) == 1
    assert file.read_bytes() == b"mine"
    monkeypatch.setattr(exporting, "LARGEST", 1000)
    other = tmp_path / "other.safetensors"
    assert main(["export", str(run), str(other)]) == 1
    assert "exported ones may have at most 1,000" in capsys.readouterr().err
    assert not other.exists()
    assert main(["export", str(run), str(tmp_path / "policy.pt")]) == 2
    assert "must end with .safetensors" in capsys.readouterr().err


def test_a_weight_beyond_half_precision_is_told(run, tmp_path):
    trained = load_run(run)
    with torch.no_grad():
        trained.policy.layer.weight[0, 0] = 1e6
    with pytest.raises(RunError, match=r"layer\.weight have values that torch\.float16 cannot"):
        export(trained, tmp_path / "policy.safetensors")
    assert not (tmp_path / "policy.safetensors").exists()


def test_a_policy_of_another_version_of_its_world_is_refused(run, tmp_path):
    trained = load_run(run)
    older = dataclasses.replace(trained, world_version=trained.world_version - 1)
    export(older, tmp_path / "older.safetensors")
    with pytest.raises(RunError, match=r"in version 0 of the world .*has version 1"):
        load_exported(tmp_path / "older.safetensors")


def test_weights_that_do_not_fit_are_told(run, tmp_path):
    trained = load_run(run)
    export(trained, tmp_path / "good.safetensors")
    with safetensors.safe_open(tmp_path / "good.safetensors", framework="pt") as file:
        metadata, names = file.metadata(), file.keys()
        tensors = {name: file.get_tensor(name) for name in names if "layer" not in name}
    safetensors.torch.save_file(tensors, tmp_path / "bad.safetensors", metadata)
    with pytest.raises(RunError, match="the policy does not fit version"):
        load_exported(tmp_path / "bad.safetensors")


def test_files_that_are_no_policy_are_told(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no file"):
        load_exported(tmp_path / "none.safetensors")
    torn = tmp_path / "torn.safetensors"
    torn.write_bytes(b"12345678901234567890")
    with pytest.raises(RunError, match="cannot be read"):
        load_exported(torn)
    other = tmp_path / "other.safetensors"
    safetensors.torch.save_file({"a": torch.zeros(1)}, other)
    with pytest.raises(RunError, match="is not a policy file written by `lapis export`"):
        load_exported(other)
    head = json.dumps({"version": 2})
    metadata = {"format": "lapis-policy", "lapis": head}
    safetensors.torch.save_file({"a": torch.zeros(1)}, other, metadata)
    with pytest.raises(RunError, match="has version 2 of the format; this Lapis reads 1"):
        load_exported(other)


def rewrite(file, change):
    """Applies `change(tensors, head)` to an exported policy."""
    with safetensors.safe_open(file, framework="pt") as stored:
        metadata, names = stored.metadata(), stored.keys()
        tensors = {name: stored.get_tensor(name) for name in names}
    head = json.loads(metadata["lapis"])
    change(tensors, head)
    safetensors.torch.save_file(tensors, file, {**metadata, "lapis": json.dumps(head)})


def test_weights_that_are_no_numbers_are_refused(run, tmp_path):
    file, name = tmp_path / "policy.safetensors", "policy.layer.weight"

    def weights(change):
        def apply(tensors, head):
            tensors[name] = change(tensors[name].float())

        return apply

    cases = {
        r"layer\.weight hold nan": lambda w: torch.full_like(w, math.nan),
        r"layer\.weight hold -inf": lambda w: torch.full_like(w, -math.inf),
        r"layer\.weight are torch\.int32": lambda w: w.int(),
        r"layer\.weight are torch\.bool": lambda w: w > 0,
        r"layer\.weight are torch\.complex64": lambda w: w.to(torch.complex64),
    }
    for message, change in cases.items():
        file.unlink(missing_ok=True)
        export(load_run(run), file)
        rewrite(file, weights(change))
        with pytest.raises(RunError, match=message):
            load_exported(file)


def test_weights_of_a_run_that_are_not_finite_are_refused(run, tmp_path):
    copy = tmp_path / "run"
    shutil.copytree(run, copy)
    newest = checkpoint.latest(copy / "checkpoints")
    saved = checkpoint.load(newest)
    saved.tensors["policy/layer.weight"][0, 0] = math.inf
    shutil.rmtree(newest)
    checkpoint.save(newest.parent, saved.update, saved.tensors, saved.state, config=saved.config)
    with pytest.raises(RunError, match=r"layer\.weight hold inf \(1 of"):
        load_run(copy)


def test_control_characters_of_files_do_not_reach_the_terminal(run, tmp_path, capsys):
    evil = "\x1b]0;owned\x07\x9b2J\u202e"

    def spoil(tensors, head):
        head["groups"] = [evil, "surface"]

    file = tmp_path / "policy.safetensors"
    export(load_run(run), file)
    rewrite(file, spoil)
    copy = tmp_path / "run"
    shutil.copytree(run, copy)
    goals = json.loads((copy / "goals.json").read_text())
    (copy / "goals.json").write_text(json.dumps({**goals, "groups": [evil, "surface"]}))
    for path in (file, copy):
        assert main(["evaluate", str(path), "--attempts", "1"]) == 0
        printed = capsys.readouterr().out
        assert r"\x1b]0;owned\x07\x9b2J\u202e" in printed
        assert printed.replace("\n", "").isprintable()


def test_an_export_without_room_leaves_nothing(run, tmp_path):
    file = tmp_path / "policy.safetensors"
    code = (
        "import resource, sys\n"
        "import lapis.running.export\n"
        "from lapis.cli import main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    command = [sys.executable, "-c", code, "export", str(run), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("error: ")
    assert list(tmp_path.iterdir()) == []
