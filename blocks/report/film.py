"""Films: the frames of an animation, written as GIF by Pillow or as MP4 by ffmpeg."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from matplotlib.animation import FFMpegWriter
from matplotlib.figure import Figure
from PIL import Image

from blocks.run.result import ResultError

Colours: TypeAlias = Sequence[tuple[float, float, float]]
Take: TypeAlias = Callable[[], Any]
"""Takes the figure as the next frame."""

_COLOURS = 126
"""In the palette of a GIF, besides those of the background."""


def has_ffmpeg() -> bool:
    """True if matplotlib finds ffmpeg."""
    return FFMpegWriter.isAvailable()


def check_ending(path: Path) -> None:
    """Raise ResultError unless it is a GIF, or an MP4 and there is ffmpeg."""
    if path.suffix.lower() not in (".gif", ".mp4"):
        raise ResultError(f"{path}: the ending of an animation must be .gif or .mp4")
    if path.suffix.lower() == ".mp4" and not has_ffmpeg():
        raise ResultError(f"{path}: MP4 needs the program ffmpeg, which is not on the search path; or write a .gif")


def film(figure: Figure, path: Path, fps: float, background: Colours) -> AbstractContextManager[Take]:
    """A context that gives a function which takes the figure as the next frame; the file is complete at its end.

    background: colours of large areas, which are kept as they are, red, green and blue from 0 to 1.

    Raises ResultError if ffmpeg fails.
    """
    return _gif(figure, path, fps, background) if path.suffix.lower() == ".gif" else _mp4(figure, path, fps)


@contextmanager
def _gif(figure: Figure, path: Path, fps: float, background: Colours) -> Iterator[Take]:
    images: list[Image.Image] = []
    palette = Image.new("P", (1, 1))

    def take() -> None:
        canvas: Any = figure.canvas
        canvas.draw()
        image = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
        if not images:
            palette.putpalette(_palette(image, background))
        images.append(image.quantize(palette=palette, dither=Image.Dither.NONE))

    yield take
    images[0].save(path, save_all=True, append_images=images[1:], duration=round(1000.0 / fps), loop=0, optimize=True)


def _palette(image: Image.Image, background: Colours) -> list[int]:
    """One palette for all frames: what stands still keeps its colours, and Pillow then writes only what moves.

    It covers the range of colours; the most frequent ones would all be shades of the background. Nothing in it comes so
    near to the background that Pillow, which compares colours coarsely, would take it for that.
    """
    found = image.quantize(_COLOURS, method=Image.Quantize.MAXCOVERAGE).getpalette() or []
    colours = [found[i : i + 3] for i in range(0, 3 * _COLOURS, 3)]
    kept = [[round(255.0 * level) for level in colour] for colour in background]
    return [level for colour in (*kept, *(c for c in colours if min(c, default=255) < 240)) for level in colour]


@contextmanager
def _mp4(figure: Figure, path: Path, fps: float) -> Iterator[Take]:
    writer = FFMpegWriter(fps=fps)  # type: ignore[arg-type]
    try:
        with writer.saving(figure, str(path), dpi=figure.dpi):
            yield writer.grab_frame
    except subprocess.CalledProcessError as problem:
        said = str(problem.output or problem.stderr or "").strip().splitlines() or ["nothing"]
        raise ResultError(f"cannot write the MP4; ffmpeg said: {said[-1]}") from None
