"""Pictures of seas: spectrum, directional spectrum, a map of the elevation, and the map in motion.

figure = spectrum_figure(JonswapSea(2.0, 8.0))
figure.savefig("spectrum.png")
sea_animation(JonswapSea(2.0, 8.0), "sea.gif")
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import cast

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.projections.polar import PolarAxes
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from blocks import style
from blocks.block import Block
from blocks.environment.regular_wave import RegularWave
from blocks.environment.sea import ROWS, IrregularSea
from blocks.errors import ParameterError
from blocks.files.writing import replacing
from blocks.model.declare import Parameter
from blocks.report import film
from blocks.report.animation import check_target
from blocks.report.sea_map import SeaMap
from blocks.run.result import ResultError

Array = NDArray[np.float64]

ENERGY = LinearSegmentedColormap.from_list("energy", ["#ffffff", "#a9d6e5", "#3f8fc0", "#0f4c81", "#06233f"])

_TIME = Parameter(unit="s")
_EXTENT = Parameter(unit="m", above=0.0)
_POINTS = Parameter(integer=True, at_least=16, at_most=2000)
_DURATION = Parameter(unit="s", above=0.0, at_most=300.0)
_FPS = Parameter(unit="1/s", at_least=0.1, at_most=50.0)
_SPEED = Parameter(above=0.0)


def spectrum_figure(sea: IrregularSea) -> Figure:
    """The spectrum of a sea over the frequency, and the amplitudes of the components that stand for it.

    Raises ParameterError if the sea has no spectrum.
    """
    _irregular(sea, "spectrum_figure")
    tables, waves = sea.tables(), _components(sea)
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=style.SINGLE, layout="constrained")
        ax = figure.add_subplot()
        ax.fill_between(tables.frequencies, tables.densities, color=style.SERIES[0], alpha=0.18, linewidth=0.0)
        ax.plot(tables.frequencies, tables.densities, color=style.SERIES[0], label="spectrum")
        ax.set(xlabel="frequency, Hz", ylabel="S, m²/Hz", title=_title(sea))
        ax.set_ylim(bottom=0.0)
        right = ax.twinx()
        right.spines["right"].set_visible(True)
        right.grid(False)
        right.vlines(waves["omega"] / (2.0 * np.pi), 0.0, waves["amplitude"], color=style.SERIES[1], linewidth=0.8)
        right.set(ylabel="amplitude, m")
        right.set_ylim(0.0, 3.0 * float(waves["amplitude"].max()) or 1.0)
        count = len(waves["omega"])
        ax.plot([], [], color=style.SERIES[1], linewidth=1.0, label=f"{count} component{'s' * (count > 1)}")
        ax.legend(**style.LEGEND, ncols=2)
    return figure


def directional_spectrum_figure(sea: IrregularSea) -> Figure:
    """S(f) D(θ) in a polar plot, north up, at the direction that the waves travel to, and the components as dots.

    Raises ParameterError if the sea has no spectrum.
    """
    _irregular(sea, "directional_spectrum_figure")
    tables, waves = sea.tables(), _components(sea)
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=style.SQUARE, layout="constrained")
        ax = cast(PolarAxes, figure.add_subplot(projection="polar"))
        ax.set_theta_zero_location("N")
        ax.set_theta_direction(-1)
        if sea.directions > 1:
            density = np.outer(tables.densities, tables.spreading)
            levels = np.asarray(MaxNLocator(12).tick_values(0.0, float(density.max()) or 1.0))
            levels[0] = 0.2 * levels[1]  # what is next to nothing stays white
            drawn = ax.contourf(sea.direction + tables.directions, tables.frequencies, density, levels, cmap=ENERGY)
            figure.colorbar(drawn, ax=ax, label="S D, m²/(Hz rad)", format="%.3g", shrink=0.75, pad=0.1, ticks=levels)
        sizes = 40.0 * waves["amplitude"] / (float(waves["amplitude"].max()) or 1.0)
        towards = np.arctan2(waves["k_east"], waves["k_north"])
        ax.scatter(
            towards, waves["omega"] / (2.0 * np.pi), sizes, color=style.SERIES[1], edgecolors="white", linewidths=0.5
        )
        highest = float(min(tables.frequencies[-1], 2.5 / _number(sea, "peak_period")))
        ax.set_ylim(0.0, highest)
        ax.set_yticks([f for f in MaxNLocator(5).tick_values(0.0, highest) if 0.0 < f < 0.95 * highest])
        ax.set_rlabel_position(np.degrees(sea.direction) + 157.5)  # where no waves go
        ax.set_title(f"{_title(sea)}\nwhere the waves travel to; frequency in Hz")
    return figure


def elevation_map_figure(
    sea: Block, t: float | str = 0.0, extent: float | str | None = None, points: int = 220
) -> Figure:
    """The surface from above at one time, north up, lit from the northwest.

    sea: an irregular sea or a regular wave. t: s. extent: length of the sides of the square about the origin that is
    shown, m; some ten wave lengths if not given. points: along each side.

    Raises ParameterError if the block is no sea or an option is out of range.
    """
    at = float(_TIME.read(t, "elevation_map_figure: t"))
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        return _Picture(sea, extent, points, "elevation_map_figure").show(at).figure


def sea_animation(
    sea: Block,
    path: str | PathLike[str],
    *,
    duration: float | str = 8.0,
    fps: float = 12.5,
    speed: float = 1.0,
    extent: float | str | None = None,
    points: int = 120,
) -> Path:
    """The surface from above in motion, as a GIF, or as an MP4, for which ffmpeg has to be there. Returns the file.

    sea, extent, points: as of `elevation_map_figure`. path: ends in .gif or .mp4. duration: of the animation, s. fps:
    frames per second. speed: seconds of the sea per second of the animation.

    Raises ResultError if the file cannot be written; ParameterError if the block is no sea or an option is out of
    range.
    """
    target = check_target(path)
    lasting = float(_DURATION.read(duration, "sea_animation: duration"))
    rate = float(_FPS.read(fps, "sea_animation: fps"))
    quick = float(_SPEED.read(speed, "sea_animation: speed"))
    if target.suffix.lower() == ".gif":
        rate = 100.0 / round(100.0 / rate)  # a GIF counts hundredths of a second
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        shown = _Picture(sea, extent, points, "sea_animation", film_size=True)
        try:
            with replacing(target) as part, film.film(shown.figure, part, rate, shown.map.palette) as take:
                for number in range(max(2, round(lasting * rate))):
                    shown.show(number / rate * quick)
                    take()
        except OSError as problem:
            raise ResultError(f"cannot write {target}: {problem.strerror or problem}") from None
    return target


class _Picture:
    """A figure with the map of a sea, a scale of its colours and the time."""

    def __init__(
        self, sea: Block, extent: float | str | None, points: int, where: str, film_size: bool = False
    ) -> None:
        self.figure = Figure(figsize=(5.0, 3.9) if film_size else (7.5, 6.0), layout="constrained")
        FigureCanvasAgg(self.figure)  # whose pixels a film takes
        self.ax: Axes = self.figure.add_subplot()
        side = None if extent is None else float(_EXTENT.read(extent, f"{where}: extent"))
        count = int(cast(int, _POINTS.read(points, f"{where}: points")))
        self.map = SeaMap(self.ax, sea, side, count, where, colours=24 if film_size else None)
        self.size = 10.0 if film_size else 12.0
        self.title = _title(sea)
        scale = ScalarMappable(self.map.norm, self.map.image.cmap)
        self.figure.colorbar(scale, ax=self.ax, label="elevation, m")
        self.show(0.0)
        if film_size:
            self.hold()

    def hold(self) -> None:
        """Leave everything where it is from here on, or axes would jump when their ticks change. The second time of
        drawing, the layout knows the ticks that the first one left.
        """
        for _ in range(2):
            self.figure.canvas.draw()
        self.figure.set_layout_engine("none")

    def show(self, t: float) -> _Picture:
        """Draw the sea as it is at this time."""
        self.map.show(t)
        self.ax.set_title(f"{self.title}, t = {t:.1f} s", fontsize=self.size)
        return self


def _components(sea: Block) -> dict[str, Array]:
    return dict(zip(ROWS, sea.evaluate().outputs["waves"], strict=True))


def _irregular(sea: object, where: str) -> None:
    if not isinstance(sea, IrregularSea):
        raise ParameterError(f"{where} wants an irregular sea, such as JonswapSea, not {type(sea).__name__}")


def _number(sea: IrregularSea, name: str) -> float:
    """A parameter or what is calculated of them: each kind of sea has the others."""
    return float(getattr(sea, name))


def _title(sea: Block) -> str:
    if isinstance(sea, IrregularSea):
        height, peak = _number(sea, "significant_height"), _number(sea, "peak_period")
        return f"{type(sea).__name__}: $H_s$ {height:.3g} m, $T_p$ {peak:.3g} s"
    if isinstance(sea, RegularWave):
        return f"{type(sea).__name__}: $a$ {sea.amplitude:.3g} m, $T$ {sea.period:.3g} s"
    return type(sea).__name__
