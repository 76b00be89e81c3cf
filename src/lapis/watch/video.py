"""Pictures as a file: GIF by Pillow, MP4 by ffmpeg."""

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

__all__ = ["KINDS", "VideoError", "check_video", "find_ffmpeg", "write_video"]

KINDS = (".gif", ".mp4")


class VideoError(Exception):
    """A video cannot be written; the message says why."""


def check_video(path: Path) -> None:
    """Raises VideoError if `path` has a wrong ending or no folder, or if it needs ffmpeg."""
    if path.suffix not in KINDS:
        raise VideoError(f"{path} must end with one of {', '.join(KINDS)}")
    if not path.parent.is_dir():
        raise VideoError(f"{path} cannot be written: there is no folder {path.parent}")
    if path.suffix == ".mp4" and find_ffmpeg() is None:
        raise VideoError(
            f"{path} needs ffmpeg, which is not installed; install it with your system's packages "
            "or `pip install imageio-ffmpeg`, or write a .gif"
        )


def write_video(path: Path, pictures: Iterable[np.ndarray], *, frames_per_second: float) -> int:
    """Writes pictures, uint8 of shape (side, side, 3), one per frame; returns their number.

    Args:
        path: The file, .gif or .mp4; what was there is lost.
        pictures: At least one.
        frames_per_second: At most 50 in a GIF, which counts in hundredths of a second.

    Raises:
        VideoError: No video can be written to `path`, or ffmpeg failed.
    """
    check_video(path)
    counted = _Counted(pictures)
    if path.suffix == ".gif":
        _write_gif(path, counted, frames_per_second)
    else:
        _write_mp4(path, counted, frames_per_second)
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
        # Most players show nothing but this kind of color.
        *("-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart", str(path)),
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
