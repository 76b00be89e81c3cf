"""Video files: what is written can be opened again."""

import resource
import subprocess
import sys

import av
import numpy as np
import pytest
from PIL import Image

from lapis.play.video import VideoError, write_video


def pictures(count: int = 4) -> list[np.ndarray]:
    """A white square that moves to the right over a colored ground."""
    made = []
    for step in range(count):
        picture = np.full((32, 32, 3), (40, 120, 200), np.uint8)
        picture[8:16, 4 * step : 4 * step + 8] = 255
        made.append(picture)
    return made


def test_a_gif_shows_the_pictures_at_their_speed(tmp_path):
    path = tmp_path / "film.gif"
    assert write_video(path, iter(pictures()), frames_per_second=5) == 4
    with Image.open(path) as image:
        assert (image.n_frames, image.size) == (4, (32, 32))
        assert image.info["duration"] == 200
        assert image.info["loop"] == 0
        for number, picture in enumerate(pictures()):
            image.seek(number)
            assert np.array_equal(np.asarray(image.convert("RGB")), picture)


def test_an_mp4_shows_the_pictures_at_their_speed(tmp_path):
    path = tmp_path / "film.mp4"
    assert write_video(path, iter(pictures()), frames_per_second=7.5) == 4
    with av.open(path) as file:
        stream = file.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert float(stream.average_rate) == 7.5
        shown = np.stack([frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)])
    assert shown.shape == (4, 32, 32, 3)
    # The codec loses a little.
    assert np.abs(shown.astype(int) - np.array(pictures(), int)).mean() < 10


def test_an_odd_number_of_pixels_is_filled_up(tmp_path):
    path = tmp_path / "film.mp4"
    odd = [np.full((31, 31, 3), 200, np.uint8)] * 3
    assert write_video(path, odd, frames_per_second=5) == 3
    with av.open(path) as file:
        shapes = [frame.to_ndarray(format="rgb24").shape for frame in file.decode(video=0)]
    assert shapes == [(32, 32, 3)] * 3


def test_a_place_that_cannot_be_written_is_told_before_anything_is_drawn(tmp_path):
    def never():
        raise AssertionError("nothing may be drawn")
        yield

    (tmp_path / "folder.gif").mkdir()
    for name, told in (
        ("film.avi", r"must end in \.mp4 or \.gif"),
        ("nowhere/film.gif", "does not exist"),
        ("folder.gif", "is a folder; name a file"),
    ):
        with pytest.raises(VideoError, match=told):
            write_video(tmp_path / name, never(), frames_per_second=5)


@pytest.mark.parametrize("kind", [".gif", ".mp4"])
def test_a_film_that_fails_leaves_the_older_one_and_nothing_else(tmp_path, kind):
    path = tmp_path / f"film{kind}"
    path.write_bytes(b"older")

    def failing():
        yield from pictures(2)
        raise OSError(28, "No space left on device")

    with pytest.raises(VideoError, match="No space left on device"):
        write_video(path, failing(), frames_per_second=5)
    assert path.read_bytes() == b"older"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


TOO_LARGE = """
import signal, sys
from pathlib import Path
import numpy as np
from lapis.play.video import VideoError, write_video
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
noise = np.random.default_rng(0).integers(0, 255, (60, 64, 64, 3), np.uint8)
try:
    write_video(Path(sys.argv[1]), noise, frames_per_second=5)
except VideoError as error:
    print(error)
"""


@pytest.mark.parametrize("kind", [".gif", ".mp4"])
def test_a_disk_that_takes_no_more_is_told(tmp_path, kind):
    path = tmp_path / f"film{kind}"
    told = subprocess.run(
        [sys.executable, "-c", TOO_LARGE, str(path)],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    ).stdout
    assert told == f"{path} cannot be written: File too large\n"
    assert list(tmp_path.iterdir()) == []
