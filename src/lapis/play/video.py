"""Pictures as a file: MP4 by ffmpeg, GIF by Pillow.

The ffmpeg program gets the pictures through a pipe. Packages that wrap it (imageio-ffmpeg) do not
look at its exit status: with a full disk they would report a film that is not there.
"""

from __future__ import annotations

import contextlib
import itertools
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from PIL import Image

__all__ = ["KINDS", "VideoError", "check_video", "default_kind", "find_ffmpeg", "write_video"]

KINDS = (".mp4", ".gif")
QUALITY = 28
"""Constant rate factor of H.264: a picture of 256 x 256 pixels takes about 6 kB, in a GIF 20 kB."""


class VideoError(Exception):
    """A video cannot be written; the message says why."""


def check_video(path: Path) -> None:
    """Raises VideoError if `path` has a wrong ending or no folder, or if it needs ffmpeg."""
    if path.suffix not in KINDS:
        raise VideoError(f"{path} must end in {' or '.join(KINDS)}")
    if path.is_dir():
        raise VideoError(f"{path} is a folder; name a file")
    if not path.parent.is_dir():
        raise VideoError(f"{path} cannot be written: the folder {path.parent} does not exist")
    if path.suffix == ".mp4" and find_ffmpeg() is None:
        raise VideoError(
            f"{path} needs ffmpeg, which is not installed. Install it (`pip install "
            "imageio-ffmpeg`, or your system's package), or write a .gif instead"
        )


def default_kind() -> str:
    """`.mp4` where it can be written, else `.gif`, which is three times as large."""
    return ".gif" if find_ffmpeg() is None else ".mp4"


def write_video(path: Path, pictures: Iterable[np.ndarray], *, frames_per_second: float) -> int:
    """Writes pictures, uint8 of shape (side, side, 3), one per frame; returns their number.

    Args:
        path: The file, .mp4 or .gif; what was there is replaced once the film is complete.
        pictures: At least one.
        frames_per_second: At most 50 in a GIF, which counts in hundredths of a second.

    Raises:
        VideoError: No video can be written to `path`, or ffmpeg failed.
    """
    check_video(path)
    counted = _Counted(pictures)
    write = _write_gif if path.suffix == ".gif" else _write_mp4
    beside = path.with_name(f".{path.stem}.unfinished{path.suffix}")
    try:
        write(beside, counted, frames_per_second)
        beside.replace(path)
    except OSError as error:
        raise VideoError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        beside.unlink(missing_ok=True)
    return counted.count


def find_ffmpeg() -> str | None:
    """The program, from the system or from the package imageio-ffmpeg."""
    binary = shutil.which("ffmpeg")
    if binary is None:
        try:
            from imageio_ffmpeg import get_ffmpeg_exe  # pyright: ignore[reportMissingImports]

            binary = get_ffmpeg_exe()
        except (ImportError, RuntimeError):  # RuntimeError: installed without its binary.
            return None
    return binary


class _Counted:
    """Passes pictures on and counts them."""

    def __init__(self, pictures: Iterable[np.ndarray]) -> None:
        self._pictures = iter(pictures)
        self.count = 0

    def __iter__(self) -> Iterator[np.ndarray]:
        return self

    def __next__(self) -> np.ndarray:
        picture = next(self._pictures)
        self.count += 1
        return picture


def _write_gif(path: Path, pictures: Iterator[np.ndarray], frames_per_second: float) -> None:
    images = (Image.fromarray(picture).quantize(256) for picture in pictures)
    first = next(images)
    hundredths = max(2, round(100 / frames_per_second))
    first.save(path, save_all=True, append_images=images, duration=10 * hundredths, loop=0)


def _write_mp4(path: Path, pictures: Iterator[np.ndarray], frames_per_second: float) -> None:
    binary = find_ffmpeg()
    assert binary is not None
    first = next(pictures)
    height, width = first.shape[:2]
    command = [
        *(binary, "-y", "-loglevel", "error"),
        *("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}"),
        *("-r", str(frames_per_second), "-i", "-"),
        # Most players show nothing but this kind of color, which takes an even number of pixels.
        *("-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"),
        *("-c:v", "libx264", "-crf", str(QUALITY), "-movflags", "+faststart", str(path)),
    ]
    with (
        tempfile.TemporaryFile() as told,
        subprocess.Popen(command, stdin=subprocess.PIPE, stderr=told) as process,
    ):
        assert process.stdin is not None
        # Where it has ended early, its exit code and its words tell why.
        with contextlib.suppress(BrokenPipeError):
            for picture in itertools.chain([first], pictures):
                process.stdin.write(picture.tobytes())
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        if process.wait() != 0:
            told.seek(0)
            raise VideoError(f"ffmpeg failed: {told.read().decode(errors='replace').strip()}")
