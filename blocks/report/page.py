"""Where plots stand on a figure, in inches: fixed, so that panels line up and no layout has to be searched for."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from blocks import style
from blocks.files.writing import replacing
from blocks.run.result import ResultError

LEFT, RIGHT, BOTTOM, TOP = 0.88, 0.2, 0.6, 0.42
"""Room about a plot for what stands beside its axes, inches."""
HEADING = 0.4
"""Room for the title of a figure, inches."""
GAP = 0.66
"""Between one row and the next: ticks and the next title."""
_HOW: dict[str, dict[str, Any]] = {"png": {"pil_kwargs": {"compress_level": 3}}}
"""How formats are written: PNG files a twentieth larger, in two thirds of the time."""
_LABEL, _DIGIT, _FEW = 0.57, 0.09, 4
"""From the axis to its label, and as much more for each digit that its numbers have beyond a few, inches."""


class RunFigure(Figure):
    """A matplotlib Figure that notebooks show, with pyplot or without."""

    def draw(self, renderer: Any) -> None:
        """Draw in the house's style, whenever that is: ticks are made when they are first drawn."""
        with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
            super().draw(renderer)

    def _repr_png_(self) -> bytes:
        content = io.BytesIO()
        FigureCanvasAgg(self)
        self.savefig(content, format="png", dpi=90.0)
        return content.getvalue()


def new(width: float, height: float, title: str = "") -> RunFigure:
    """An empty figure, sizes in inches, perhaps with a title at its top left."""
    figure = RunFigure(figsize=(width, height))
    FigureCanvasAgg(figure)
    if title:
        figure.text(
            0.2 / width, 1.0 - 0.12 / height, title, va="top", ha="left", parse_math=False,
            fontsize=style.SETTINGS["figure.titlesize"], fontweight=style.SETTINGS["figure.titleweight"],
        )  # fmt: skip
    return figure


def top(title: str) -> float:
    """How far below the upper edge plots begin, inches: below the title of the figure, if it has one."""
    return TOP + (HEADING if title else 0.0)


Rectangle = tuple[float, float, float, float]
"""Left, bottom, width and height, inches."""


def place(figure: Figure, where: Rectangle, ax: Axes | None = None) -> Axes:
    """Axes at a place, inches: new ones, or such as are there already."""
    across, up = figure.get_size_inches()
    left, bottom, width, height = where
    share = (left / across, bottom / up, width / across, height / up)
    if ax is None:
        ax = figure.add_axes(share)
    else:
        ax.set_position(share)
    digits = max(len(f"{limit:.0f}") for limit in ax.get_ylim())
    ax.yaxis.set_label_coords(-(_LABEL + _DIGIT * max(0, digits - _FEW)) / width, 0.5)
    return ax


def single(size: tuple[float, float] = style.SINGLE, title: str = "") -> tuple[RunFigure, Axes]:
    """A figure with one plot."""
    figure = new(*size, title)
    return figure, place(figure, (LEFT, BOTTOM, size[0] - LEFT - RIGHT, size[1] - BOTTOM - top(title)))


def columns(figure: Figure, spans: list[list[int]], left: float, right: float, top: float) -> list[list[Rectangle]]:
    """Places of plots in columns of equal width from `left` to `right`, inches, below `top`.

    spans: of each column, how many rows each of its plots takes; all columns have as many.
    """
    height = float(figure.get_size_inches()[1])
    width = (right - left) / len(spans) - LEFT
    pitch = (height - top - BOTTOM + GAP) / sum(spans[0])
    made: list[list[Rectangle]] = []
    for number, taken in enumerate(spans):
        above = sum(taken)
        places = []
        for span in taken:
            above -= span
            places.append((left + LEFT + number * (width + LEFT), BOTTOM + above * pitch, width, span * pitch - GAP))
        made.append(places)
    return made


def write(figure: Figure, path: Path, formats: tuple[str, ...]) -> list[Path]:
    """Write a figure in each format. Raises ResultError if a file cannot be written."""
    files = []
    for ending in formats:
        target = path.with_name(f"{path.name}.{ending}")
        try:
            with replacing(target) as part:
                figure.savefig(part, format=ending, **_HOW.get(ending, {}))
        except OSError as problem:
            raise ResultError(f"cannot write {target}: {problem.strerror or problem}") from None
        files.append(target)
    return files
