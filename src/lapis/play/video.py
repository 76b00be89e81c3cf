"""Pictures as a file: MP4 by PyAV, which brings FFmpeg along, GIF by Pillow."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.error import FFmpegError
from PIL import Image

__all__ = ["VideoError", "check_video", "write_video"]

KINDS = (".mp4", ".gif")
QUALITY = 28
"""Constant rate factor of H.264: a picture of 256 x 256 pixels takes about 6 kB, in a GIF 20 kB."""


class VideoError(Exception):
    """A video cannot be written; the message says why."""


def check_video(path: Path) -> None:
    """Raises VideoError if `path` has a wrong ending or no folder."""
    if path.suffix not in KINDS:
        raise VideoError(f"{path} must end in {' or '.join(KINDS)}")
    if path.is_dir():
        raise VideoError(f"{path} is a folder; name a file")
    if not path.parent.is_dir():
        raise VideoError(f"{path} cannot be written: the folder {path.parent} does not exist")


def write_video(path: Path, pictures: Iterable[np.ndarray], *, frames_per_second: float) -> int:
    """Writes pictures, uint8 of shape (side, side, 3), one per frame; returns their number.

    There must be at least one. What was at `path` is replaced once the film is complete.

    Raises:
        VideoError: No video can be written to `path`.
    """
    check_video(path)
    count = 0

    def counted() -> Iterator[np.ndarray]:
        nonlocal count
        for picture in pictures:
            count += 1
            yield picture

    write = _write_gif if path.suffix == ".gif" else _write_mp4
    beside = path.with_name(f".{path.stem}.unfinished{path.suffix}")
    try:
        write(beside, counted(), frames_per_second)
        beside.replace(path)
    except (OSError, FFmpegError) as error:
        raise VideoError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        beside.unlink(missing_ok=True)
    return count


def _write_gif(path: Path, pictures: Iterator[np.ndarray], frames_per_second: float) -> None:
    images = (Image.fromarray(picture).quantize(256) for picture in pictures)
    first = next(images)
    duration = 10 * max(2, round(100 / frames_per_second))  # It counts in hundredths of a second.
    first.save(path, save_all=True, append_images=images, duration=duration, loop=0)


def _write_mp4(path: Path, pictures: Iterator[np.ndarray], frames_per_second: float) -> None:
    first = next(pictures)
    height, width = first.shape[:2]
    rate = Fraction(frames_per_second).limit_denominator(1000)
    with av.open(path, "w", options={"movflags": "+faststart"}) as file:
        stream = file.add_stream("libx264", rate, options={"crf": str(QUALITY)})
        # Most players show nothing but this kind of color, which takes an even number of pixels.
        stream.pix_fmt = "yuv420p"
        stream.height, stream.width = height + height % 2, width + width % 2
        for picture in itertools.chain([first], pictures):
            even = np.pad(picture, ((0, height % 2), (0, width % 2), (0, 0)))
            file.mux(stream.encode(av.VideoFrame.from_ndarray(even)))
        file.mux(stream.encode())
