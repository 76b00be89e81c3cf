import errno
import json
import math
import os
import subprocess

import numpy as np
import pytest
import torch

from lapis.running import checkpoint
from lapis.running.checkpoint import CheckpointError, latest, load, save
from lapis.runs import DiskFullError, durable

CONFIG = {"seed": 1, "ppo": {"gamma": 0.999}}
TENSORS = {"weight": torch.arange(6, dtype=torch.float32).reshape(2, 3)}


def save_update(folder, update, keep_count=3, tensors=TENSORS, state=None):
    return save(
        folder,
        update,
        tensors,
        state or {"update": update},
        config=CONFIG,
        keep_count=keep_count,
    )


def names(folder):
    return sorted(os.listdir(folder))


def flip_a_bit(path, position):
    data = bytearray(path.read_bytes())
    data[position % len(data)] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    "dtype",
    [
        torch.int64,
        torch.int32,
        torch.uint8,
        torch.float16,
        torch.bfloat16,
        torch.float32,
        torch.float64,
    ],
)
def test_numbers_of_every_type_come_back_bit_for_bit(tmp_path, dtype):
    bits = torch.randint(
        0, 256, (64,), dtype=torch.uint8, generator=torch.Generator().manual_seed(3)
    )
    tensor = bits.view(dtype)  # Random bits: not-a-number, infinities and denormals included.
    path = save_update(tmp_path, 1, tensors={"x": tensor})
    tensors = load(path).tensors
    assert tensors["x"].dtype == dtype
    assert torch.equal(tensors["x"].view(torch.uint8), bits)


def test_booleans_scalars_empty_strided_and_shared_tensors_come_back(tmp_path):
    base = torch.arange(12).reshape(3, 4)
    given = {
        "bool": torch.tensor([True, False]),
        "scalar": torch.tensor(2**62 + 1),
        "empty": torch.zeros(0, 5),
        "strided": base.T,
        "shared": base,
        "parameter": torch.nn.Parameter(torch.ones(2)),
    }
    tensors = load(save_update(tmp_path, 1, tensors=given)).tensors
    assert tensors.keys() == given.keys()
    for name, tensor in given.items():
        assert tensors[name].shape == tensor.shape
        assert tensors[name].dtype == tensor.dtype
        assert torch.equal(tensors[name], tensor)


def test_state_comes_back_exactly(tmp_path):
    random = np.random.default_rng(7).bit_generator.state
    floats = [0.1, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0, 2.0]
    state = {
        "random": random,
        "big": 2**200 + 1,
        "floats": floats,
        "none": None,
        "text": "a\u00e9\n",
    }
    update, config, _, read = load(save_update(tmp_path, 12, state=state))
    assert (update, config) == (12, CONFIG)
    assert read == state
    assert [number.hex() for number in read["floats"]] == [number.hex() for number in floats]
    assert isinstance(read["floats"][-1], float)


def test_numbers_that_are_not_finite_come_back(tmp_path):
    path = save_update(tmp_path, 1, state={"x": [math.inf, -math.inf, math.nan]})
    numbers = load(path).state["x"]
    assert numbers[:2] == [math.inf, -math.inf]
    assert math.isnan(numbers[2])


def test_the_last_ones_are_kept(tmp_path):
    for update in (5, 10, 15, 20):
        save_update(tmp_path, update, keep_count=2)
    assert names(tmp_path) == ["update-000000015", "update-000000020"]
    save_update(tmp_path, 21, keep_count=1)
    assert names(tmp_path) == ["update-000000021"]


def test_keeping_none_is_refused(tmp_path):
    with pytest.raises(ValueError, match="keep_count is 0; at least 1"):
        save_update(tmp_path, 1, keep_count=0)


def test_a_fresh_folder_has_no_checkpoint_and_leftovers_do_not_count(tmp_path):
    assert latest(tmp_path) is None
    (tmp_path / ".writing-update-000000007").mkdir()
    (tmp_path / ".removing-update-000000003").mkdir()
    assert latest(tmp_path) is None
    path = save_update(tmp_path, 2)
    assert latest(tmp_path) == path
    assert names(tmp_path) == ["update-000000002"]


def test_updates_are_ordered_as_numbers(tmp_path):
    save_update(tmp_path, 999_999_999)
    newest = save_update(tmp_path, 1_000_000_000)
    assert latest(tmp_path) == newest


@pytest.mark.parametrize("name", ["tensors.safetensors", "state.json", "SHA256SUMS"])
@pytest.mark.parametrize("damage", ["bit", "cut", "gone", "empty"])
def test_a_damaged_file_is_detected_and_the_one_before_is_used(tmp_path, capsys, name, damage):
    good = save_update(tmp_path, 1)
    file = save_update(tmp_path, 2) / name
    if damage == "bit":
        flip_a_bit(file, 11)
    elif damage == "cut":
        file.write_bytes(file.read_bytes()[:-1])
    elif damage == "empty":
        file.write_bytes(b"")
    else:
        file.unlink()
    if (name, damage) == ("SHA256SUMS", "cut"):  # Only its last newline: nothing is lost.
        assert latest(tmp_path) == file.parent
        return
    assert latest(tmp_path) == good
    assert "warning: skipping the corrupt checkpoint" in capsys.readouterr().err
    with pytest.raises(CheckpointError, match="is corrupt"):
        load(file.parent)


def test_every_flipped_bit_of_the_tensors_is_detected(tmp_path):
    file = save_update(tmp_path, 2) / "tensors.safetensors"
    whole = file.read_bytes()
    for position in range(len(whole)):
        flip_a_bit(file, position)
        with pytest.raises(CheckpointError, match="none of the 1 checkpoints"):
            latest(tmp_path)
        file.write_bytes(whole)
    assert latest(tmp_path) == file.parent


def test_a_corrupt_newer_checkpoint_never_costs_the_only_good_one(tmp_path):
    for update in (1, 2):
        save_update(tmp_path, update)
    flip_a_bit(tmp_path / "update-000000002" / "state.json", 3)
    flip_a_bit(save_update(tmp_path, 9) / "state.json", 3)
    path = save_update(tmp_path, 2, keep_count=1)
    assert names(tmp_path) == ["update-000000002"]
    assert latest(tmp_path) == path


def test_a_good_checkpoint_is_not_replaced(tmp_path):
    save_update(tmp_path, 1, state={"x": 1})
    with pytest.raises(CheckpointError, match="exists already"):
        save_update(tmp_path, 1, state={"x": 2})
    assert load(tmp_path / "update-000000001").state == {"x": 1}


def test_sha256sum_can_check_it(tmp_path):
    path = save_update(tmp_path, 1)
    result = subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=path, capture_output=True)
    assert result.returncode == 0


@pytest.mark.parametrize(
    ("constant", "value", "message"),
    [("FORMAT", "other", "not a Lapis checkpoint"), ("VERSION", 99, "version 99 .* reads 1")],
)
def test_another_format_or_version_is_refused(tmp_path, monkeypatch, constant, value, message):
    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, constant, value)
        path = save_update(tmp_path, 1)
    with pytest.raises(CheckpointError, match=message):
        load(path)


@pytest.mark.parametrize("name", ["tensors.safetensors", "state.json", "SHA256SUMS"])
def test_a_full_disk_is_explained_and_leaves_the_last_good_checkpoint(tmp_path, monkeypatch, name):
    good = save_update(tmp_path, 1)

    def fill_up(path, data):
        if path.name == name:
            path.write_bytes(data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        durable.write_durably(path, data)

    monkeypatch.setattr(checkpoint, "write_durably", fill_up)
    with pytest.raises(DiskFullError, match="no space left to write a checkpoint of update 2"):
        save_update(tmp_path, 2, keep_count=1)
    assert names(tmp_path) == ["update-000000001"]
    assert latest(tmp_path) == good


def test_another_failure_to_write_is_passed_on_and_leaves_the_last_good_checkpoint(
    tmp_path, monkeypatch
):
    good = save_update(tmp_path, 1)

    def fail(path):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(checkpoint, "sync_directory", fail)
    with pytest.raises(OSError, match="Input/output error"):
        save_update(tmp_path, 2, keep_count=1)
    assert latest(tmp_path) == good


def test_files_reach_the_disk_before_the_name_does(tmp_path, monkeypatch):
    events = []
    fsync, rename = os.fsync, type(tmp_path).rename

    def spy_fsync(descriptor):
        events.append(os.path.basename(os.readlink(f"/proc/self/fd/{descriptor}")))
        fsync(descriptor)

    def spy_rename(path, target):
        events.append(f"{path.name} -> {target.name}")
        return rename(path, target)

    monkeypatch.setattr(os, "fsync", spy_fsync)
    monkeypatch.setattr(type(tmp_path), "rename", spy_rename)
    save_update(tmp_path, 2)
    draft, final = ".writing-update-000000002", "update-000000002"
    files = ["tensors.safetensors", "state.json", "SHA256SUMS"]
    assert events == [*files, draft, f"{draft} -> {final}", tmp_path.name]


def test_the_state_file_is_plain_json(tmp_path):
    head = json.loads((save_update(tmp_path, 4) / "state.json").read_text())
    assert head["format"] == "lapis-checkpoint"
    assert head["update"] == 4


def test_a_link_is_pruned_and_what_it_leads_to_stays(tmp_path):
    folder, elsewhere = tmp_path / "checkpoints", tmp_path / "elsewhere"
    folder.mkdir()
    save_update(folder, 1)
    (folder / "update-000000001").rename(elsewhere)
    for name in ("update-000000001", "update-000000009", ".writing-update-000000002"):
        (folder / name).symlink_to(elsewhere)
    save_update(folder, 5, keep_count=1)
    assert names(folder) == ["update-000000005"]
    assert len(list(elsewhere.iterdir())) == 3
