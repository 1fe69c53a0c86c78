"""The scene of an animation: a box with the path in it, and a hull that moves."""

from __future__ import annotations

from contextlib import AbstractContextManager
from itertools import product
from typing import Any, cast

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import Bbox
from mpl_toolkits.mplot3d import proj3d
from mpl_toolkits.mplot3d.art3d import Poly3DCollection
from numpy.typing import NDArray

from blocks import style
from blocks.report.hull import turned_hull
from blocks.report.motion import Motion

Array = NDArray[np.float64]

BACKGROUND = ((1.0, 1.0, 1.0), (0.965, 0.975, 0.985))
"""Of the figure and of the panes of the box: red, green and blue."""
_INCHES = (6.4, 5.0)
"""Size for which texts and lines are made; they grow with the figure."""
_TOP = 0.93
"""Share of the figure below the title."""
_SHARE = 0.15
"""Length of the hull, where none is given, in the largest extent of the path."""
_LEAST_ASPECT = 0.4
"""The smallest extent of the box in the largest one."""
_MOST_POINTS = 2000
"""Of the path; more make frames slow and no finer."""


def looks() -> AbstractContextManager[None]:
    """The settings of matplotlib in which frames are drawn."""
    return mpl.rc_context(rc=style.SETTINGS)  # type: ignore[arg-type]


class Scene:
    """The box, what stands still in it, and a hull that moves."""

    def __init__(
        self,
        motion: Motion,
        waypoints: Array | None,
        length: float | None,
        title: str,
        size: tuple[int, int],
        view: tuple[float, float],
        duration: float,
    ) -> None:
        chosen = np.linspace(0, len(motion.time) - 1, min(len(motion.time), _MOST_POINTS)).astype(int)
        self.time, self.path = motion.time[chosen], motion.position[chosen]
        everything = np.vstack([motion.position, np.empty((0, 3)) if waypoints is None else waypoints])
        low, high = everything.min(axis=0), everything.max(axis=0)
        self.length = length or _SHARE * float(max(high - low)) or 1.0
        middle, extent = 0.5 * (low + high), high - low + 1.2 * self.length
        extent = np.maximum(extent, _LEAST_ASPECT * max(extent))
        self.low, self.high = middle - 0.5 * extent, middle + 0.5 * extent
        self.floor = float(self.high[2])

        dpi = min(size[0] / _INCHES[0], size[1] / _INCHES[1])
        self.figure = Figure(figsize=((size[0] + 0.01) / dpi, (size[1] + 0.01) / dpi), dpi=dpi)  # rounded down later
        FigureCanvasAgg(self.figure)
        self.ax = cast(Any, self.figure.add_axes((0.0, 0.0, 1.0, _TOP), projection="3d"))
        self._axes(extent, view)
        self._still(waypoints)
        self.shadow = self._line(color=style.WAYPOINT, alpha=0.35, linewidth=1.4)
        self.plumb = self._line(linestyle=":", color=style.WAYPOINT, alpha=0.6, linewidth=1.0)
        self.done = self._line(color=style.ACTUAL, linewidth=2.4)
        self.hull = Poly3DCollection([], edgecolors="white", linewidths=0.6, clip_on=False)
        self.ax.add_collection3d(self.hull, autolim=False)
        self._fit(extent)
        line: dict[str, Any] = {"y": 0.5 * (1.0 + _TOP), "va": "center", "color": style.WAYPOINT}
        self.clock = self.figure.text(0.97, s="", fontsize=12.0, ha="right", **line)
        span = float(motion.time[-1] - motion.time[0])
        self.digits = max(0, 2 - int(np.floor(np.log10(span))))
        self.factor = span / duration
        self._tell(float(motion.time[-1]))
        heading = self.figure.text(0.03, s=title, fontsize=13.0, fontweight="bold", parse_math=False, **line)
        room = self.clock.get_window_extent().x0 - heading.get_window_extent().x0 - 15.0
        heading.set_fontsize(13.0 * min(1.0, room / max(heading.get_window_extent().width, 1.0)))

    def _axes(self, extent: Array, view: tuple[float, float]) -> None:
        ax = self.ax
        ax.set_xlim(self.low[1], self.high[1])
        ax.set_ylim(self.low[0], self.high[0])
        ax.set_zlim(self.high[2], self.low[2])  # depth downwards; east, north and up are right-handed
        ax.set_box_aspect(extent[[1, 0, 2]])
        ax.view_init(elev=np.degrees(view[0]), azim=90.0 - np.degrees(view[1]))
        ax.set(xlabel="east, m", ylabel="north, m", zlabel="depth, m")
        for axis, size in zip((ax.xaxis, ax.yaxis, ax.zaxis), extent[[1, 0, 2]], strict=True):
            axis.set_major_locator(MaxNLocator(nbins=max(3, round(6.0 * size / max(extent))), steps=[1, 2, 5, 10]))
            axis.set_pane_color((*BACKGROUND[1], 1.0))
        ax.tick_params(labelsize=9.5)

    def _line(self, *where: Any, **look: Any) -> Any:
        (line,) = self.ax.plot(*(where or ([], [], [])), **look, clip_on=False)
        return line

    def _fit(self, extent: Array) -> None:
        """Let the box with its labels fill the figure, which matplotlib leaves half empty or lets them stick out of."""
        corners = np.array(list(product(*zip(self.low[[1, 0, 2]], self.high[[1, 0, 2]], strict=True)))).T
        zoom, whole = 1.0, np.array(self.figure.bbox.size)
        room = whole * np.array([1.0, _TOP])
        for _ in range(3):  # the labels keep their size, so that a second and third look are needed
            self.figure.draw_without_rendering()
            x, y, _ = proj3d.proj_transform(*corners, self.ax.get_proj())
            boxes = [Bbox.null(), *(axis.get_tightbbox() for axis in (self.ax.xaxis, self.ax.yaxis, self.ax.zaxis))]
            boxes[0].update_from_data_xy(self.ax.transData.transform(np.column_stack([x, y])))
            taken = Bbox.union(boxes)
            zoom *= float(min((room - 0.03 * whole.max()) / taken.size))
            self.ax.set_box_aspect(extent[[1, 0, 2]], zoom=zoom)
        away = 0.5 * (np.array(taken.min) + np.array(taken.max) - room) / whole
        self.ax.set_position((-away[0], -away[1], 1.0, _TOP))

    def _still(self, waypoints: Array | None) -> None:
        """The whole path, faint, and the waypoints with what they stand over."""
        north, east, down = self.path.T
        self._line(east, north, down, color=style.ACTUAL, alpha=0.25, linewidth=1.4)
        if waypoints is None:
            return
        for number, (x, y, z) in enumerate(waypoints, start=1):
            self._line([y, y], [x, x], [z, self.floor], color=style.REFERENCE, alpha=0.35, linewidth=1.0)
            if not any(np.allclose((x, y, z), other) for other in waypoints[: number - 1]):
                self.ax.text(y, x, z, f" {number}", color=style.REFERENCE, fontsize=10.0, fontweight="bold")
        north, east, down = waypoints.T
        self._line(east, north, down, linestyle="", marker="o", color=style.REFERENCE, markersize=5.0)

    def show(self, t: float, position: Array, turn: Array) -> None:
        """Move the hull to a position, turned by a rotation matrix from body axes to NED, and the path along."""
        path = np.vstack([self.path[self.time <= t], position])
        north, east, down = path.T
        bottom = np.full(len(path), self.floor)
        self.done.set_data_3d(east, north, down)
        self.shadow.set_data_3d(east, north, bottom)
        self.plumb.set_data_3d(east[[-1, -1]], north[[-1, -1]], [down[-1], self.floor])
        faces, colours = turned_hull(turn)
        self.hull.set_verts([(position + self.length * face)[:, [1, 0, 2]] for face in faces])
        self.hull.set_facecolor(colours)
        self._tell(t)

    def _tell(self, t: float) -> None:
        self.clock.set_text(f"t = {t:.{self.digits}f} s    ×{self.factor:.3g}")
