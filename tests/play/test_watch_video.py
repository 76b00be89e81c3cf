"""Video files: what is written can be opened again."""

import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from lapis.play import video
from lapis.play.video import VideoError, find_ffmpeg, write_video

FAKE = """#!/bin/sh
for last; do :; done
echo "$@" > "$last"
cat >> "$last"
"""
BROKEN = """#!/bin/sh
echo "no such codec" >&2
exit 3
"""


def pictures(count: int = 4) -> list[np.ndarray]:
    """A white square that moves to the right over a colored ground."""
    made = []
    for step in range(count):
        picture = np.full((32, 32, 3), (40, 120, 200), np.uint8)
        picture[8:16, 4 * step : 4 * step + 8] = 255
        made.append(picture)
    return made


def put_on_path(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = folder / "ffmpeg"
    program.write_text(script)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


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


@pytest.mark.skipif(find_ffmpeg() is None, reason="no ffmpeg to write an MP4 with")
def test_an_mp4_shows_the_pictures(tmp_path):
    path = tmp_path / "film.mp4"
    assert write_video(path, iter(pictures()), frames_per_second=5) == 4
    ffmpeg = find_ffmpeg()
    assert ffmpeg is not None
    command = [ffmpeg, "-loglevel", "error", "-i", str(path)]
    raw = subprocess.run(
        [*command, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, check=True
    ).stdout
    shown = np.frombuffer(raw, np.uint8).reshape(-1, 32, 32, 3)
    assert len(shown) == 4
    # The codec loses a little.
    assert np.abs(shown.astype(int) - np.array(pictures(), int)).mean() < 10


def test_ffmpeg_gets_the_size_the_speed_and_every_picture(tmp_path, monkeypatch):
    put_on_path(tmp_path, FAKE, monkeypatch)
    path = tmp_path / "film.mp4"
    assert write_video(path, iter(pictures()), frames_per_second=7.5) == 4
    words, _, data = path.read_bytes().partition(b"\n")
    assert b"-s 32x32 -r 7.5" in words
    assert data == b"".join(picture.tobytes() for picture in pictures())


def test_what_ffmpeg_says_is_passed_on(tmp_path, monkeypatch):
    put_on_path(tmp_path, BROKEN, monkeypatch)
    many = (pictures(1)[0] for _ in range(2000))
    with pytest.raises(VideoError, match="ffmpeg failed: no such codec"):
        write_video(tmp_path / "film.mp4", many, frames_per_second=5)


def test_without_ffmpeg_there_is_no_mp4(tmp_path, monkeypatch):
    monkeypatch.setattr(video, "find_ffmpeg", lambda: None)
    with pytest.raises(VideoError, match=r"needs ffmpeg.*or write a \.gif instead"):
        write_video(tmp_path / "film.mp4", pictures(), frames_per_second=5)


def test_a_place_that_cannot_be_written_is_told_before_anything_is_drawn(tmp_path):
    def never():
        raise AssertionError("nothing may be drawn")
        yield

    with pytest.raises(VideoError, match=r"must end in \.mp4 or \.gif"):
        write_video(tmp_path / "film.avi", never(), frames_per_second=5)
    with pytest.raises(VideoError, match="does not exist"):
        write_video(tmp_path / "nowhere" / "film.gif", never(), frames_per_second=5)


@pytest.mark.skipif(find_ffmpeg() is None, reason="no ffmpeg to write an MP4 with")
def test_an_odd_number_of_pixels_is_filled_up(tmp_path):
    path = tmp_path / "film.mp4"
    odd = [np.full((31, 31, 3), 200, np.uint8)] * 3
    assert write_video(path, odd, frames_per_second=5) == 3
    ffmpeg = find_ffmpeg()
    assert ffmpeg is not None
    command = [ffmpeg, "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    raw = subprocess.run(command, capture_output=True, check=True).stdout
    assert len(raw) == 3 * 32 * 32 * 3


@pytest.mark.parametrize("kind", [".gif", ".mp4"])
def test_a_film_that_fails_leaves_the_older_one_and_nothing_else(tmp_path, monkeypatch, kind):
    put_on_path(tmp_path, BROKEN, monkeypatch)
    path = tmp_path / f"film{kind}"
    path.write_bytes(b"older")

    def failing():
        yield from pictures(2)
        raise OSError(28, "No space left on device")

    with pytest.raises(VideoError, match=r"No space left on device|no such codec"):
        write_video(path, failing(), frames_per_second=5)
    assert path.read_bytes() == b"older"
    assert {file.name for file in tmp_path.iterdir()} == {"ffmpeg", path.name}


def test_a_folder_is_refused(tmp_path):
    (tmp_path / "film.gif").mkdir()
    with pytest.raises(VideoError, match="is a folder; name a file"):
        write_video(tmp_path / "film.gif", pictures(), frames_per_second=5)
