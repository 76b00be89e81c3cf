import errno
import json
import math

import numpy as np
import pytest

from lapis.runs import DiskFullError, RunError
from lapis.runs.metrics import MetricsLog, encode, read_columns


@pytest.fixture
def path(tmp_path):
    return tmp_path / "metrics.jsonl"


def write(path, updates):
    log = MetricsLog(path)
    for update in updates:
        log.append({"update": update, "kl": update / 3, "attempts": [update, 0]})
    log.close()


def test_a_line_is_compact_and_scalars_keep_every_digit():
    line = encode({"update": 1, "kl": 1 / 3, "success": np.array([1 / 3, 0.0]), "attempts": (7, 0)})
    assert line == b'{"update":1,"kl":0.3333333333333333,"success":[0.3333,0.0],"attempts":[7,0]}\n'


def test_the_success_average_under_its_former_name_is_found_under_its_new_one(tmp_path):
    path = tmp_path / "metrics.jsonl"
    path.write_bytes(b'{"update":1,"fast":[0.5,0.25]}\n')
    columns = read_columns(path)
    assert columns["success"].tolist() == [[0.5, 0.25]]
    assert "fast" not in columns


def test_numpy_numbers_are_plain_numbers_and_booleans():
    line = encode(
        {"update": np.int64(3), "kl": np.float32(0.5), "losses": {"value": np.float64(2)}}
    )
    assert json.loads(line) == {"update": 3, "kl": 0.5, "losses": {"value": 2.0}}


def test_numbers_that_are_not_finite_are_null_and_read_as_nan(path):
    assert encode({"update": 1, "fit": math.nan, "success": [math.inf, 0.5]}) == (
        b'{"update":1,"fit":null,"success":[null,0.5]}\n'
    )
    path.write_bytes(encode({"update": 1, "fit": math.nan, "success": [math.inf, 0.5]}))
    columns = read_columns(path)
    assert np.isnan(columns["fit"][0])
    np.testing.assert_array_equal(columns["success"], [[np.nan, 0.5]])


def test_columns_have_one_row_per_update_and_dotted_names(path):
    log = MetricsLog(path)
    log.append(
        {"update": 1, "losses": {"policy": 0.5}, "successes": [0, 2], "success": [0.0, 0.25]}
    )
    log.append({"update": 2, "losses": {"policy": 1}, "successes": [1, 1], "success": [0.5, 0.0]})
    log.close()
    columns = read_columns(path)
    assert set(columns) == {"update", "losses.policy", "successes", "success"}
    np.testing.assert_array_equal(columns["update"], [1, 2])
    np.testing.assert_array_equal(columns["losses.policy"], [0.5, 1.0])
    np.testing.assert_array_equal(columns["successes"], [[0, 2], [1, 1]])
    assert columns["successes"].dtype == np.int64
    assert columns["success"].dtype == np.float64
    assert columns["success"].shape == (2, 2)


def test_a_metric_that_some_lines_lack_is_nan_there(path):
    path.write_bytes(
        encode({"update": 1}) + encode({"update": 2, "kl": 0.5, "success": [1.0, 2.0]})
    )
    columns = read_columns(path)
    np.testing.assert_array_equal(columns["kl"], [np.nan, 0.5])
    np.testing.assert_array_equal(columns["success"], [[np.nan, np.nan], [1.0, 2.0]])


def test_an_empty_log_has_no_columns(path):
    path.write_bytes(b"")
    assert read_columns(path) == {}


def test_a_list_that_changes_its_length_is_an_error(path):
    path.write_bytes(
        encode({"update": 1, "success": [1.0]}) + encode({"update": 2, "success": [1.0, 2.0]})
    )
    with pytest.raises(ValueError, match=r"'success' changes its length within one run: \[1, 2\]"):
        read_columns(path)


@pytest.mark.parametrize("kept_bytes", range(1, 40, 6))
def test_a_half_written_last_line_is_dropped_on_reading_and_on_opening(path, kept_bytes):
    write(path, [1, 2])
    whole = path.read_bytes()
    path.write_bytes(whole + encode({"update": 3, "kl": 1 / 3, "attempts": [3, 0]})[:kept_bytes])
    np.testing.assert_array_equal(read_columns(path)["update"], [1, 2])
    write(path, [3])
    np.testing.assert_array_equal(read_columns(path)["update"], [1, 2, 3])
    assert path.read_bytes().startswith(whole)


@pytest.mark.parametrize("line", [b"no json\n", b"[1]\n", b'{"kl":1}\n', b"\x00\x00\n", b"\n"])
def test_a_bad_line_that_is_whole_is_an_error_with_its_number(path, line):
    write(path, [1])
    path.write_bytes(path.read_bytes() + line + encode({"update": 2}))
    with pytest.raises(RunError, match="line 2 is not a line of metrics"):
        read_columns(path)


def test_rewind_drops_later_lines_and_appending_goes_on(path):
    write(path, [1, 2, 3, 4])
    two_lines = b"".join(path.read_bytes().splitlines(keepends=True)[:2])
    log = MetricsLog(path)
    assert log.last_update == 4
    assert log.rewind(2) == 2
    assert log.last_update == 2
    assert path.read_bytes() == two_lines
    log.append({"update": 3})
    log.close()
    np.testing.assert_array_equal(read_columns(path)["update"], [1, 2, 3])


def test_rewind_to_the_start_empties_the_log(path):
    write(path, [1, 2])
    log = MetricsLog(path)
    assert log.rewind(0) == 2
    assert log.last_update == -1
    assert path.read_bytes() == b""


@pytest.mark.parametrize("update", [2, 1, None, "3", 2.5])
def test_updates_must_be_rising_integers(path, update):
    write(path, [1, 2])
    before = path.read_bytes()
    log = MetricsLog(path)
    with pytest.raises(ValueError, match="must be an integer above 2"):
        log.append({"update": update})
    assert path.read_bytes() == before


class DiskWithRoomFor:
    """A file that takes so many bytes and then fails as a full disk does."""

    def __init__(self, file, room):
        self.file, self.room = file, room

    def write(self, data):
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = self.file.write(data[: self.room])
        self.room -= taken
        return taken

    def __getattr__(self, name):
        return getattr(self.file, name)


def test_a_full_disk_is_explained_and_leaves_whole_lines_only(path):
    write(path, [1, 2])
    before = path.read_bytes()
    log = MetricsLog(path)
    log._file = DiskWithRoomFor(log._file, room=10)
    with pytest.raises(DiskFullError, match=r"no space left to write metrics in .*lapis resume"):
        log.append({"update": 3, "kl": 0.5})
    assert path.read_bytes() == before
    assert log.last_update == 2
