"""A figure of panels over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from matplotlib.axes import Axes

from blocks import style
from blocks.report import page
from blocks.report.page import RunFigure
from blocks.run.result import Result

_MOST_PANELS = 12


class Drawn(Protocol):
    """What can be drawn of a result on axes."""

    def draw(self, ax: Axes, result: Result) -> None:
        """Draw it."""


def signals_figure(result: Result, found: Sequence[Drawn], title: str) -> RunFigure:
    """Panels over time in columns, as many as a page holds."""
    shown = found[:_MOST_PANELS]
    count = 1 if len(shown) == 1 else 2 if len(shown) <= 6 else 3
    rows = -(-len(shown) // count)
    width = style.SLIDE[0] if count > 1 else 10.0
    more = f" (the first {len(shown)} of {len(found)} plots)" if len(found) > len(shown) else ""
    heading = title + more
    figure = page.new(width, max(4.5, 2.6 * rows), heading)
    chosen = [shown[number::count] for number in range(count)]
    spans = [[1] * (len(part) - 1) + [1 + rows - len(part)] for part in chosen]
    places = page.columns(figure, spans, -0.1, width - page.RIGHT, page.top(heading))
    for number, panel in enumerate(shown):
        ax = page.place(figure, places[number % count][number // count])
        panel.draw(ax, result)
        if number + count < len(shown):
            ax.set_xlabel("")
    return figure
