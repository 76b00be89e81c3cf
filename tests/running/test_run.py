import json
import os
import shutil
import signal

import numpy as np
import pytest
from safetensors.torch import load_file
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from lapis.running.checkpoint import CheckpointError
from lapis.running.run import RunOptions, TrainingFailedError, resume, start
from lapis.runs import RunError, RunFolder
from lapis.train.config import to_dict
from tests.running.fake_trainer import FakeTrainer, fake_config


def start_run(path, build=FakeTrainer, every=5, **settings):
    return start(
        path,
        config=fake_config(**settings),
        make_trainer=build,
        recipe="fake",
        command=["lapis", "train", "fake"],
        options=RunOptions(checkpoint_updates=every, checkpoint_seconds=1e9),
    )


def resume_run(path, build=FakeTrainer, updates=None, from_start=False):
    return resume(
        path,
        make_trainer=build,
        command=["lapis", "resume", str(path)],
        updates=updates,
        from_start=from_start,
        options=RunOptions(checkpoint_updates=5, checkpoint_seconds=1e9),
    )


def checkpoint_names(path):
    return sorted(os.listdir(path / "checkpoints"))


class Crash(Exception):
    pass


def crashing_at(update):
    class Trainer(FakeTrainer):
        def train_one_update(self):
            if self.update == update:
                raise Crash
            return super().train_one_update()

    return Trainer


def signaling_at(update, *numbers):
    class Trainer(FakeTrainer):
        def train_one_update(self):
            metrics = super().train_one_update()
            if self.update == update:
                for number in numbers:
                    os.kill(os.getpid(), number)
            return metrics

    return Trainer


def test_a_run_leaves_metrics_checkpoints_and_events(tmp_path, capsys):
    path = tmp_path / "a"
    assert start_run(path, updates=12) == 0
    run = RunFolder.open(path)
    metrics = run.read_metrics()
    np.testing.assert_array_equal(metrics["update"], np.arange(1, 13))
    assert metrics["attempts"].shape == (12, 3)
    goals = ("log", "planks", "cobblestone")
    assert run.read_goals() == (goals, ("surface", "surface", "stone"))
    assert checkpoint_names(path) == ["update-000000005", "update-000000010", "update-000000012"]
    assert run.read_config() == to_dict(fake_config(updates=12))
    assert "finished" in capsys.readouterr().out
    events = EventAccumulator(str(run.tensorboard)).Reload()
    assert [event.step for event in events.Scalars("losses/policy")] == list(range(1, 13))
    assert "success" not in events.Tags()["scalars"]


@pytest.mark.parametrize("crash_update", [0, 3, 5, 13, 19])
def test_a_crashed_and_resumed_run_equals_one_that_never_stopped(tmp_path, crash_update):
    assert start_run(tmp_path / "whole", updates=20) == 0
    path = tmp_path / "broken"
    with pytest.raises(Crash):
        start_run(path, build=crashing_at(crash_update), updates=20)
    assert resume_run(path, from_start=True) == 0
    whole, broken = tmp_path / "whole", path
    assert (broken / "metrics.jsonl").read_bytes() == (whole / "metrics.jsonl").read_bytes()
    last = "checkpoints/update-000000020/tensors.safetensors"
    for name, tensor in load_file(whole / last).items():
        assert tensor.equal(load_file(broken / last)[name])


def test_tensorboard_sees_each_update_once_after_a_resume(tmp_path):
    with pytest.raises(Crash):
        start_run(tmp_path / "a", build=crashing_at(8), updates=10)
    assert resume_run(tmp_path / "a") == 0
    events = EventAccumulator(str(tmp_path / "a" / "tensorboard")).Reload()
    assert [event.step for event in events.Scalars("frames")] == list(range(1, 11))


def test_a_finished_run_can_be_extended_and_the_record_shows_it(tmp_path, capsys):
    path = tmp_path / "a"
    start_run(path, updates=4)
    assert resume_run(path) == 0
    assert "is finished after 4 updates; extend it with --updates" in capsys.readouterr().out
    assert resume_run(path, updates=7) == 0
    assert RunFolder.open(path).read_metrics()["update"][-1] == 7
    assert RunFolder.open(path).read_config()["updates"] == 7
    record = (path / "recipe.txt").read_text()
    assert f"resumed after update 4: lapis resume {path}\n" in record
    start_run(tmp_path / "b", updates=7)
    assert (path / "metrics.jsonl").read_bytes() == (tmp_path / "b/metrics.jsonl").read_bytes()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_finishes_the_update_saves_and_says_how_to_go_on(tmp_path, capfd, number, code):
    path = tmp_path / "a"
    before = signal.getsignal(number)
    assert start_run(path, build=signaling_at(7, number), updates=20) == code
    output = capfd.readouterr()
    assert f"stopped by {number.name} after update 7, saved" in output.out
    assert f"continue with: lapis resume {path}" in output.out
    assert "finishing this update" in output.err
    assert checkpoint_names(path)[-1] == "update-000000007"
    assert signal.getsignal(number) is before
    assert resume_run(path) == 0
    np.testing.assert_array_equal(RunFolder.open(path).read_metrics()["update"], np.arange(1, 21))


def test_a_second_interrupt_aborts_at_once(tmp_path):
    path = tmp_path / "a"
    with pytest.raises(KeyboardInterrupt):
        start_run(path, build=signaling_at(7, signal.SIGINT, signal.SIGINT), updates=20)
    assert checkpoint_names(path) == ["update-000000005"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_request_to_terminate_changes_nothing(tmp_path):
    signals = (signal.SIGTERM, signal.SIGTERM)
    assert start_run(tmp_path / "a", build=signaling_at(7, *signals), updates=20) == 143


def test_a_signal_during_the_last_update_is_a_normal_end(tmp_path):
    assert start_run(tmp_path / "a", build=signaling_at(4, signal.SIGTERM), updates=4) == 0


def test_a_loss_that_is_not_a_number_stops_the_run_before_anything_is_saved(tmp_path):
    class Diverging(FakeTrainer):
        def train_one_update(self):
            if self.update == 7:
                raise FloatingPointError("update 8: the loss is not finite.")
            return super().train_one_update()

    path = tmp_path / "a"
    with pytest.raises(
        TrainingFailedError, match=r"update 8: the loss is not finite.*last checkpoint .* update 5"
    ):
        start_run(path, build=Diverging, updates=20)
    assert checkpoint_names(path) == ["update-000000005"]
    assert RunFolder.open(path).read_metrics()["update"][-1] == 7


def test_checkpoints_are_also_made_by_time(tmp_path):
    options = RunOptions(checkpoint_updates=10**9, checkpoint_seconds=1e-9, checkpoint_count=10)
    settings = {"config": fake_config(updates=3), "make_trainer": FakeTrainer, "recipe": "r"}
    start(tmp_path / "a", **settings, command=[], options=options)
    assert len(checkpoint_names(tmp_path / "a")) == 3


def test_a_run_with_other_settings_is_not_resumed(tmp_path):
    path = tmp_path / "a"
    start_run(path, updates=5)
    config = json.loads((path / "config.json").read_text())
    (path / "config.json").write_text(json.dumps({**config, "seed": 2}))
    with pytest.raises(CheckpointError, match="seed is 1 there and 2 here"):
        resume_run(path, updates=10)


def test_lost_lines_of_the_log_are_not_passed_over(tmp_path):
    path = tmp_path / "a"
    with pytest.raises(Crash):
        start_run(path, build=crashing_at(8), updates=10)
    lines = (path / "metrics.jsonl").read_bytes().splitlines(keepends=True)
    (path / "metrics.jsonl").write_bytes(b"".join(lines[:3]))
    before = contents(path)
    with pytest.raises(RunError, match=r"metrics\.jsonl ends at update 3, before update 5"):
        resume_run(path)
    assert contents(path) == before


def test_an_older_checkpoint_serves_where_the_log_is_short(tmp_path, capsys):
    start_run(tmp_path / "whole", updates=12)
    with pytest.raises(Crash):
        start_run(tmp_path / "short", build=crashing_at(11), updates=12)
    log = tmp_path / "short" / "metrics.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:9]))
    assert resume_run(tmp_path / "short") == 0
    assert "skipping the checkpoint of update 10: metrics.jsonl ends at" in capsys.readouterr().err
    assert log.read_bytes() == (tmp_path / "whole" / "metrics.jsonl").read_bytes()


def test_quiet_prints_nothing(tmp_path, capfd):
    settings = {"config": fake_config(updates=3), "make_trainer": FakeTrainer, "recipe": "r"}
    start(tmp_path / "a", **settings, command=[], options=RunOptions(quiet=True))
    assert capfd.readouterr() == ("", "")


def test_options_must_be_positive():
    for name in ("checkpoint_updates", "checkpoint_seconds", "checkpoint_count"):
        with pytest.raises(ValueError, match=f"{name} is 0; it must be a .*number"):
            RunOptions(**{name: 0})


def contents(path):
    return {each.name: each.read_bytes() for each in path.iterdir() if each.is_file()}


def test_a_log_without_checkpoints_is_kept_unless_asked_otherwise(tmp_path):
    start_run(tmp_path / "run", updates=10)
    before = contents(tmp_path / "run")
    shutil.rmtree(tmp_path / "run" / "checkpoints")
    (tmp_path / "run" / "checkpoints").mkdir()
    with pytest.raises(RunError, match=r"log of 10 updates, but no checkpoint.*--from-start"):
        resume_run(tmp_path / "run")
    assert contents(tmp_path / "run") == before
    assert resume_run(tmp_path / "run", from_start=True) == 0
    assert len((tmp_path / "run" / "metrics.jsonl").read_text().splitlines()) == 10


def test_checkpoints_that_are_gone_with_their_folder_can_be_made_again(tmp_path):
    start_run(tmp_path / "run", updates=10)
    shutil.rmtree(tmp_path / "run" / "checkpoints")
    assert resume_run(tmp_path / "run", from_start=True) == 0
    assert checkpoint_names(tmp_path / "run") == ["update-000000005", "update-000000010"]


def test_a_refused_resume_leaves_the_configuration(tmp_path):
    start_run(tmp_path / "run", updates=20)
    before = contents(tmp_path / "run")
    with pytest.raises(RunError, match=r"updates is 5, but .* has 20 updates already"):
        resume_run(tmp_path / "run", updates=5)
    assert contents(tmp_path / "run") == before


def test_a_closed_terminal_saves_the_run(tmp_path):
    previous = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # The tests may run under nohup.
    try:
        code = start_run(tmp_path / "run", signaling_at(7, signal.SIGHUP), updates=20)
    finally:
        signal.signal(signal.SIGHUP, previous)
    assert code == 128 + signal.SIGHUP
    assert checkpoint_names(tmp_path / "run")[-1] == "update-000000007"


def test_nohup_is_respected(tmp_path):
    previous = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert start_run(tmp_path / "run", signaling_at(7, signal.SIGHUP), updates=20) == 0
    finally:
        signal.signal(signal.SIGHUP, previous)
