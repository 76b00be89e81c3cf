import pytest

from lapis.reproduce.watch import RunWatch, last_row
from tests.reproduce.driver import FRAMES_PER_UPDATE
from tests.reproduce.jobs import write_rows


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.mark.parametrize("block_bytes", [1, 7, 40, 1 << 16])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", None),
        ('{"update": 1', None),
        ('{"update": 1}\n', {"update": 1}),
        ('{"update": 1}\n{"update": 2}\n', {"update": 2}),
        ('{"update": 1}\n{"update": 2}\n{"upd', {"update": 2}),
    ],
)
def test_the_last_whole_line_is_read_whatever_the_block(tmp_path, block_bytes, text, expected):
    path = tmp_path / "metrics.jsonl"
    path.write_text(text)
    assert last_row(path, block_bytes=block_bytes) == expected


def test_only_the_end_of_a_large_file_is_read(tmp_path):
    path = tmp_path / "metrics.jsonl"
    path.write_text("no line of metrics\n" * 100 + '{"update": 5}\n')
    assert last_row(path, block_bytes=64) == {"update": 5}


def test_a_run_that_does_not_exist_yet_has_nothing(tmp_path):
    watch = RunWatch(tmp_path / "run")
    watch.poll()
    assert (watch.update, watch.discovered, watch.evaluated) == (0, None, None)
    assert watch.frames_per_second is None


def test_numbers_follow_the_log(tmp_path):
    watch = RunWatch(tmp_path / "run")
    write_rows(tmp_path / "run", (1, 0), (2, 3))
    watch.poll()
    assert (watch.update, watch.frames, watch.discovered) == (2, 2 * FRAMES_PER_UPDATE, 3)
    write_rows(tmp_path / "run", (3, 4))
    watch.poll()
    assert (watch.update, watch.discovered) == (3, 4)


def test_evaluated_goals_are_those_above_five_percent(tmp_path):
    watch = RunWatch(tmp_path)
    (tmp_path / "evaluation.jsonl").write_text(
        '{"update":1,"frames":64,"successes":[9,9,9,9],"attempts":[20,20,20,20]}\n'
        '{"update":2,"frames":128,"successes":[1,2,20,0],"attempts":[20,20,20,0]}\n'
    )
    watch.poll()
    assert watch.evaluated == 2  # 1 of 20 is not above 5 %, 0 of 0 neither


def test_the_speed_is_timed_from_the_first_line_of_the_new_process(tmp_path, clock):
    write_rows(tmp_path, (1, 0), (2, 0))
    watch = RunWatch(tmp_path, clock)
    watch.begin()
    clock.now = 100.0  # The start of the process is not counted.
    write_rows(tmp_path, (3, 0))
    watch.poll()
    assert watch.frames_per_second is None
    clock.now = 104.0
    write_rows(tmp_path, (4, 0), (5, 0))
    watch.poll()
    assert watch.frames_per_second == 2 * FRAMES_PER_UPDATE / 4.0


def test_lines_that_a_resumed_run_drops_do_not_count_against_its_speed(tmp_path, clock):
    write_rows(tmp_path, *((update, 0) for update in range(1, 9)))
    watch = RunWatch(tmp_path, clock)
    watch.begin()
    (tmp_path / "metrics.jsonl").unlink()
    clock.now = 10.0
    write_rows(tmp_path, (1, 0), (2, 0))
    watch.poll()
    clock.now = 11.0
    write_rows(tmp_path, (3, 0))
    watch.poll()
    assert watch.update == 3
    assert watch.frames_per_second == FRAMES_PER_UPDATE
