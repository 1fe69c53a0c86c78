"""Animations: a vehicle on its path in three dimensions, as GIF or MP4."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from blocks.files.writing import replacing
from blocks.model.declare import Parameter
from blocks.report.motion import Motion
from blocks.run.progress import SimulationBar
from blocks.run.result import Result, ResultError

FORMATS = {".gif": "GIF", ".mp4": "MP4"}

_DURATION = Parameter(8.0, unit="s", above=0.0, at_most=300.0)
_FPS = Parameter(12.5, unit="1/s", at_least=0.1, at_most=50.0)
_SIZE = Parameter(shape=(2,), integer=True, at_least=160, at_most=4000)
_ELEVATION = Parameter(unit="rad", at_least=-np.pi / 2, at_most=np.pi / 2)
_AZIMUTH = Parameter(unit="rad")
_LENGTH = Parameter(unit="m", above=0.0)
_WAYPOINTS = Parameter(shape=("n", 3), unit="m")


def animate(
    result: Result,
    vessel: str,
    path: str | PathLike[str],
    *,
    waypoints: ArrayLike | None = None,
    title: str = "",
    duration: float | str = 8.0,
    fps: float = 12.5,
    size: tuple[int, int] = (640, 500),
    elevation: float | str = "25 deg",
    azimuth: float | str = "150 deg",
    length: float | str | None = None,
    progress: bool | Callable[[float, float], Any] = False,
) -> Path:
    """Draw the vessel on its path, frame by frame, and return the file.

    Each frame shows the hull where it is and as it is turned, its bow in another colour and a fin on its back, the path
    so far with its shadow on the floor and, faint, what is to come. The axes are east, north and depth in equal
    scale, depth downwards. The frames stand at equal intervals of simulated time, from the first to the last that was
    recorded; between two points of the result position and attitude are interpolated, the attitude on the shortest way.

    vessel: name of the block whose output `eta` is drawn, such as "vessel" or "plant.vessel"; any vessel of
        `blocks.dynamics`, and whatever else has a pose by this name.
    path: ends in .gif, which Pillow writes, or in .mp4, for which matplotlib calls ffmpeg.
    waypoints: n×3, m, north, east, down, such as `guidance.waypoints`.
    duration: of the animation, s. Simulated time goes by faster or slower by a factor that stands beside the time.
    fps: frames per second; in a GIF the nearest that has a whole number of hundredths of a second per frame.
    size: width and height in pixels.
    elevation, azimuth: from where it is seen: the angle above the horizontal, and the bearing, clockwise from north,
        at which the viewer stands; rad, or text with a unit.
    length: of the hull, m, for a hull in true scale; if not given, one that can be seen.
    progress: True for a progress bar, or a function of (simulated time, end).

    Raises ResultError if the file cannot be written, if ffmpeg is needed and missing, or if the result has no such
    vessel, has not recorded its `eta`, or has less than two points; ParameterError if an option is out of range.
    """
    target = check_target(path)
    motion = Motion.of(result, vessel)
    lasting = float(_DURATION.read(duration, "animate: duration"))
    rate = float(_FPS.read(fps, "animate: fps"))
    if target.suffix.lower() == ".gif":
        rate = 100.0 / round(100.0 / rate)
    count = max(2, round(lasting * rate))
    view = (
        float(_ELEVATION.read(elevation, "animate: elevation")), float(_AZIMUTH.read(azimuth, "animate: azimuth"))
    )  # fmt: skip
    pixels = np.asarray(_SIZE.read(size, "animate: size"))
    true_length = None if length is None else float(_LENGTH.read(length, "animate: length"))
    points = None if waypoints is None else np.asarray(_WAYPOINTS.read(waypoints, "animate: waypoints"))

    from blocks.report import film, scene  # matplotlib takes a moment to import

    times = np.linspace(motion.time[0], motion.time[-1], count)
    watched: Any = nullcontext()
    if progress is True:
        bar = watched = SimulationBar(times[0], times[-1], label="animating")
        progress = bar.update
    with scene.looks(), watched:
        stage = scene.Scene(motion, points, true_length, title, (int(pixels[0]), int(pixels[1])), view, count / rate)
        try:
            with replacing(target) as part, film.film(stage.figure, part, rate, scene.BACKGROUND) as take:
                for t, position, turn in zip(times, *motion.at(times), strict=True):
                    stage.show(t, position, turn)
                    take()
                    if progress:
                        progress(float(t), float(times[-1]))
        except OSError as problem:
            raise ResultError(f"cannot write {target}: {problem.strerror or problem}") from None
    return target


def check_target(path: str | PathLike[str]) -> Path:
    """The path of an animation. Raises ResultError for an unknown ending, a folder, or a missing program."""
    target = Path(path)
    if target.suffix.lower() not in FORMATS:
        raise ResultError(f"{target}: the ending of an animation must be one of {', '.join(FORMATS)}")
    if target.is_dir():
        raise ResultError(f"cannot write {target}: it is a folder")
    if target.suffix.lower() == ".mp4":
        from blocks.report import film

        if not film.has_ffmpeg():
            raise ResultError(
                f"{target}: MP4 needs the program ffmpeg, which is not on the search path; install it (apt install "
                f"ffmpeg, brew install ffmpeg, winget install ffmpeg, conda install ffmpeg), or write a .gif"
            )
    return target
