"""Pictures of swarms: where all vehicles are and have been, on the sea that they are in, still or in motion.

draw_swarm(ax, sea, result)
swarm_animation(sea, result, "swarm.gif")
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray

from blocks import style
from blocks.block import Block
from blocks.errors import ParameterError
from blocks.files.writing import replacing
from blocks.model.declare import Parameter
from blocks.report import film
from blocks.report.animation import check_target
from blocks.report.sea_map import SeaMap
from blocks.run.result import ResultError
from blocks.swarm.result import SwarmResult

Array = NDArray[np.float64]

_DURATION = Parameter(unit="s", above=0.0, at_most=300.0)
_FPS = Parameter(unit="1/s", at_least=0.1, at_most=50.0)
_TIME = Parameter(unit="s")

_HULL = np.array([[0.5, 0.0], [0.15, 0.26], [-0.5, 0.22], [-0.5, -0.22], [0.15, -0.26]])
"""Of length one: ahead and to starboard of the middle."""
_SHARE = 1.0 / 28.0
"""Length of a hull as it is drawn, of the side of the map."""
_TRAIL = 20.0
"""s, of the track behind a vehicle in an animation."""


def draw_swarm(
    ax: Axes,
    sea: Block,
    result: SwarmResult,
    *,
    at: float | str | None = None,
    pose: str = "vessel.eta",
    colours: Sequence[str] | None = None,
    points: int = 220,
) -> None:
    """Draw all vehicles at one time, with their tracks until then, on the elevation of the sea.

    at: s; the end, if not given. pose: the output that is a pose. colours: one for each vehicle. points: of the map
    along each side. Vehicles are drawn larger than they are; where one stopped before, it stands in grey.

    Raises ResultError if the pose was not recorded; ParameterError for a block that is no sea, or other colours than
    there are vehicles.
    """
    tracks = _Tracks(result, pose)
    t = tracks.time[-1] if at is None else float(_TIME.read(at, "draw_swarm: at"))
    _Scene(ax, sea, tracks, colours, points, "draw_swarm").show(t, float("inf"))


def swarm_animation(
    sea: Block,
    result: SwarmResult,
    path: str | PathLike[str],
    *,
    duration: float | str = 8.0,
    fps: float = 12.5,
    start: float | str | None = None,
    end: float | str | None = None,
    pose: str = "vessel.eta",
    colours: Sequence[str] | None = None,
    points: int = 120,
) -> Path:
    """The swarm and the sea from above in motion, as a GIF, or as an MP4, for which ffmpeg is needed. Returns the file.

    duration: of the animation, s. fps: frames per second. start, end: the part of the run that is shown, s; all of it,
    if not given. With less than some five frames for each period of the waves they seem to stand or to run backwards.
    pose, colours, points: as of `draw_swarm`.

    Raises ResultError if the file cannot be written or the pose was not recorded; ParameterError if an option is out of
    range.
    """
    target = check_target(path)
    tracks = _Tracks(result, pose)
    rate = float(_FPS.read(fps, "swarm_animation: fps"))
    lasting = float(_DURATION.read(duration, "swarm_animation: duration"))
    first = tracks.time[0] if start is None else float(_TIME.read(start, "swarm_animation: start"))
    last = tracks.time[-1] if end is None else float(_TIME.read(end, "swarm_animation: end"))
    if not last > first:
        raise ParameterError(f"swarm_animation: end must be after start ({first:g} s), not {last:g}")
    if target.suffix.lower() == ".gif":
        rate = 100.0 / round(100.0 / rate)  # a GIF counts hundredths of a second
    shown = tracks.part(first, last)
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=(3.8, 3.7), layout="constrained")
        FigureCanvasAgg(figure)  # whose pixels a film takes
        scene = _Scene(figure.add_subplot(), sea, shown, colours, points, "swarm_animation", water=14)
        try:
            with replacing(target) as part, film.film(figure, part, rate, scene.map.palette) as take:
                for t in np.linspace(first, last, max(2, round(lasting * rate))):
                    scene.show(float(t), _TRAIL)
                    take()
                    figure.set_layout_engine("none")  # as it was laid out for the first
        except OSError as problem:
            raise ResultError(f"cannot write {target}: {problem.strerror or problem}") from None
    return target


class _Tracks:
    """Where each vehicle was: north, east and heading over time, until it stopped."""

    def __init__(self, result: SwarmResult, pose: str) -> None:
        values = result.values(pose)
        if values.ndim != 3 or values.shape[2] != 6 or values.shape[1] < 1:
            raise ResultError(f"'{pose}' is no pose of six elements that was recorded")
        self.time = result.time
        self.poses: Array = values[:, :, [0, 1, 5]]
        self.there = np.all(np.isfinite(self.poses), axis=2)

    def part(self, first: float, last: float) -> _Tracks:
        """What was recorded between two times, from the last point before to the first one after."""
        begin = max(0, int(np.searchsorted(self.time, first, "right")) - 1)
        stop = int(np.searchsorted(self.time, last)) + 1
        other = _Tracks.__new__(_Tracks)
        other.time, other.poses = self.time[begin:stop], self.poses[:, begin:stop]
        other.there = self.there[:, begin:stop]
        return other

    def square(self) -> tuple[tuple[float, float], float]:
        """The middle of all tracks, north and east, and the side of a square around them, m."""
        places = self.poses[self.there][:, :2]
        if not len(places):
            return (0.0, 0.0), 10.0
        low, high = places.min(axis=0), places.max(axis=0)
        middle = 0.5 * (low + high)
        return (float(middle[0]), float(middle[1])), max(1.2 * float((high - low).max()), 1.0)

    def at(self, t: float) -> tuple[Array, NDArray[np.bool_]]:
        """Poses at a time, the last ones of those that have stopped by then, and who goes on."""
        i = int(np.searchsorted(self.time, t, "right"))
        low, high = max(i - 1, 0), min(i, len(self.time) - 1)
        going = self.there[:, low]
        final = np.maximum(np.cumsum(self.there[:, : low + 1], axis=1).argmax(axis=1), 0)
        before = self.poses[np.arange(len(self.poses)), final]
        step = self.time[high] - self.time[low]
        share = 0.0 if step <= 0.0 else min(max((t - self.time[low]) / step, 0.0), 1.0)
        change = self.poses[:, high] - before
        change[:, 2] = np.remainder(change[:, 2] + np.pi, 2.0 * np.pi) - np.pi
        between = before + share * np.where((going & self.there[:, high])[:, None], change, 0.0)
        return between, going


class _Scene:
    """The map with tracks and hulls, drawn again for each time."""

    def __init__(
        self,
        ax: Axes,
        sea: Block,
        tracks: _Tracks,
        colours: Sequence[str] | None,
        points: int,
        where: str,
        water: int | None = None,
    ) -> None:
        count = len(tracks.poses)
        if colours is not None and len(colours) != count:
            raise ParameterError(f"{where}: colours need one for each of {count} vehicles, not {len(colours)}")
        middle, side = tracks.square()
        self.ax, self.tracks = ax, tracks
        self.map = SeaMap(ax, sea, side, points, where, centre=middle, colours=water)
        self.colours = np.array(list(colours) if colours is not None else [style.REFERENCE] * count)
        self.hull = _SHARE * side * _HULL
        self.lines = LineCollection([], colors="white", linewidths=0.9, alpha=0.75)
        self.hulls = PolyCollection([], edgecolors="white", linewidths=0.7, zorder=4)
        ax.add_collection(self.lines, autolim=False)
        ax.add_collection(self.hulls, autolim=False)

    def show(self, t: float, trail: float) -> None:
        """Draw all at this time, with so many seconds of their tracks."""
        self.map.show(t)
        poses, going = self.tracks.at(t)
        time = self.tracks.time
        rows = (time <= t) & (time >= t - trail)
        self.lines.set_segments([
            np.vstack([track[rows & there][:, [1, 0]], pose[None, [1, 0]]])
            for track, there, pose in zip(self.tracks.poses, self.tracks.there, poses, strict=True)
        ])  # fmt: skip
        self.hulls.set_verts([self._placed(pose) for pose in poses])
        self.hulls.set_facecolor(list(np.where(going, self.colours, style.GRID)))
        self.ax.set_title(f"{len(poses)} vehicles, t = {t:.1f} s")

    def _placed(self, pose: Array) -> Array:
        """The hull of a vehicle, as east and north."""
        north, east, psi = pose
        turn = np.array([[np.sin(psi), np.cos(psi)], [np.cos(psi), -np.sin(psi)]])  # ahead, starboard to east, north
        return np.asarray(self.hull @ turn + (east, north))
