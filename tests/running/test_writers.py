"""What TensorBoard and Weights & Biases get to see."""

import json
import struct
import sys

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from lapis.running import writers
from lapis.running.run import RunOptions, resume, start
from lapis.running.writers import TensorBoard, evaluation_scalars, update_scalars
from lapis.runs import RunError
from tests.running.fake_trainer import FakeTrainer, fake_config
from tests.running.test_run import Crash, crashing_at

GROUPS = ("surface", "stone", "surface", "impossible")


def train(path, build=FakeTrainer, *, wandb=False, **settings):
    return start(
        path,
        config=fake_config(**settings),
        make_trainer=build,
        recipe="fake",
        command=["lapis", "train", "fake"],
        options=RunOptions(checkpoint_updates=5, wandb=wandb),
    )


def test_scalars_of_an_update_are_flat_finite_and_per_group():
    metrics = {
        "update": 3,
        "frames": 30,
        "losses": {"policy": 0.5, "value": float("nan")},
        "success": [0.04, 0.9, 0.2, 0.0],
    }
    assert update_scalars(metrics, GROUPS) == {
        "frames": 30.0,
        "losses/policy": 0.5,
        "discovered_goals/surface": 1.0,  # 0.2 of 0.04 and 0.2.
        "mean_success/surface": pytest.approx(0.12),
        "discovered_goals/stone": 1.0,
        "mean_success/stone": 0.9,
    }
    assert update_scalars(metrics, ()) == {"frames": 30.0, "losses/policy": 0.5}


def test_scalars_of_an_evaluation_are_counts_and_means_of_possible_goals():
    evaluation = {
        "update": 3,
        "frames": 30,
        "successes": [1, 6, 0, 10],
        "attempts": [10, 10, 0, 10],
    }
    assert evaluation_scalars(evaluation, GROUPS) == {
        "evaluation/goals_above_5_percent": 2.0,
        "evaluation/goals_above_50_percent": 1.0,
        "evaluation/mean_success": pytest.approx(0.7 / 3),
        "evaluation_discovered_goals/surface": 1.0,
        "evaluation_success/surface": pytest.approx(0.05),
        "evaluation_discovered_goals/stone": 1.0,
        "evaluation_success/stone": pytest.approx(0.6),
    }
    # Without groups every goal counts.
    found = evaluation_scalars(evaluation, ())
    assert found["evaluation/goals_above_5_percent"] == 3.0
    assert len(found) == 3


def test_of_evaluated_pairs_the_share_above_5_percent_is_written():
    evaluation = {
        "successes": [1, 1, 1, 1],
        "attempts": [2, 2, 2, 2],
        "pairs": [5, 6, 7, 8],
        "pair_successes": [1, 2, 0, 10],
        "pair_attempts": [20, 20, 0, 20],
    }
    # 5 % is not above 5 %, and what was not tried has no success.
    found = evaluation_scalars(evaluation, GROUPS)
    assert found["evaluation/share_of_pairs_above_5_percent"] == 0.5


def test_tensorboard_has_evaluations_and_groups(tmp_path):
    assert train(tmp_path / "a", updates=6, evaluation_updates=3) == 0
    events = EventAccumulator(str(tmp_path / "a" / "tensorboard")).Reload()
    steps = {tag: [e.step for e in events.Scalars(tag)] for tag in events.Tags()["scalars"]}
    assert steps["evaluation/goals_above_5_percent"] == [3, 6]
    assert steps["evaluation_success/stone"] == [3, 6]
    assert steps["discovered_goals/surface"] == list(range(1, 7))
    last = json.loads((tmp_path / "a" / "metrics.jsonl").read_text().splitlines()[-1])
    shown = events.Scalars("mean_success/surface")[-1].value
    # The file has four or five digits of each number.
    assert shown == pytest.approx((last["success"][0] + last["success"][1]) / 2, rel=1e-4)


def test_flushed_numbers_are_in_the_file_before_it_is_closed(tmp_path):
    board = TensorBoard(tmp_path / "tensorboard", update=0)
    board.write(1, {"x": 0.5})
    board.flush()
    events = EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    assert [(event.step, event.value) for event in events.Scalars("x")] == [(1, 0.5)]
    board.close()


def test_missing_package_is_told_in_one_sentence_before_anything_is_made(tmp_path, monkeypatch):
    monkeypatch.setattr(writers.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(RunError) as caught:
        train(tmp_path / "a", wandb=True)
    assert str(caught.value) == (
        "--wandb needs the package wandb; get it with: pip install 'lapis-rl[wandb]'"
    )
    assert not (tmp_path / "a").exists()


def test_wandb_is_not_loaded_unless_asked_for(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "wandb", None)  # Importing it fails.
    assert train(tmp_path / "a", updates=1) == 0


def wandb_records(data):
    """The records of a .wandb file, which is a log in the format of LevelDB."""
    position, parts = 7, []  # After the file's own header.
    while position + 7 <= len(data):
        left = 32768 - position % 32768
        if left < 7:  # Too short for a header: the block ends with zeros.
            position += left
            continue
        _, length, kind = struct.unpack_from("<IHB", data, position)
        parts.append(data[position + 7 : position + 7 + length])
        position += 7 + length
        if kind in (1, 4):  # Whole, or the last part.
            yield b"".join(parts)
            parts = []


def wandb_history(folder):
    """Step -> numbers, of all offline files of a run, as they would be synced."""
    from wandb.proto import wandb_internal_pb2

    history = {}
    for file in sorted(folder.glob("wandb/offline-run-*/run-*.wandb")):
        for data in wandb_records(file.read_bytes()):
            record = wandb_internal_pb2.Record.FromString(data)
            if record.WhichOneof("record_type") == "history":
                items = {
                    item.key or "/".join(item.nested_key): json.loads(item.value_json)
                    for item in record.history.item
                }
                history.setdefault(int(items["_step"]), {}).update(items)
    return history


def test_wandb_offline_gets_every_update_and_evaluation_also_after_a_resume(tmp_path, monkeypatch):
    reason = "wandb is not installed: pip install 'lapis-rl[wandb]'"
    wandb = pytest.importorskip("wandb", reason=reason)
    monkeypatch.setenv("WANDB_MODE", "offline")
    path = tmp_path / "a"
    with pytest.raises(Crash):
        train(path, build=crashing_at(7), wandb=True, updates=8, evaluation_updates=4)
    wandb.teardown()  # A resume is another process.
    identifier = (path / "wandb_id.txt").read_text().strip()
    code = resume(
        path,
        make_trainer=FakeTrainer,
        command=["lapis", "resume", str(path)],
        options=RunOptions(wandb=True),
    )
    wandb.teardown()
    assert code == 0
    runs = sorted(path.glob("wandb/offline-run-*"))
    assert len(runs) == 2
    assert all(run.name.endswith(identifier) for run in runs)  # One run, to W&B.
    history = wandb_history(path)
    assert sorted(history) == list(range(1, 9))
    metrics = [json.loads(line) for line in (path / "metrics.jsonl").read_text().splitlines()]
    for line in metrics:
        assert history[line["update"]]["frames"] == line["frames"]
        assert history[line["update"]]["losses/policy"] == 0.5
    assert [step for step in history if "evaluation/mean_success" in history[step]] == [4, 8]
