"""What figures share: panels, colours and the legend."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from blocks.lab.comparison.levels import Axis
from blocks.lab.comparison.shown import Run, compared_axis, panel_axis
from blocks.style import SERIES, WAYPOINT

if TYPE_CHECKING:
    from blocks.lab.comparison.outcome import ComparisonOutcome

Array = NDArray[np.float64]

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
WIDTH = 12.0
"""Of a figure, inches."""


class Frame:
    """Which members stand in which panel, in which colour."""

    def __init__(self, compared: ComparisonOutcome) -> None:
        view = compared.comparison.view
        self.compared = compared
        self.runs = compared.runs
        axes = compared.axes
        first, second = compared_axis(axes, view), panel_axis(axes, view)
        self.colour_axis: Axis | None = axes[first] if first else None
        self.panel_axis: Axis | None = axes[second] if second else None
        self.by_member = view.members is not None

    @property
    def panels(self) -> list[tuple[str, list[Run]]]:
        """Title and members of each panel."""
        if self.panel_axis is None:
            return [("", self.runs)]
        name = self.panel_axis.name
        levels = sorted({run.levels[name] for run in self.runs})
        return [
            (f"{name}: {self.panel_axis.labels[level]}", [run for run in self.runs if run.levels[name] == level])
            for level in levels
        ]

    def label(self, run: Run) -> str:
        """What a member is called in the legend."""
        if self.by_member:
            return f"member {run.member}"
        return self.colour_axis.labels[run.levels[self.colour_axis.name]] if self.colour_axis else ""

    def colour(self, run: Run) -> str:
        """The colour of a member: that of its level."""
        if self.by_member:
            return SERIES[[one.member for one in self.runs].index(run.member) % len(SERIES)]
        if self.colour_axis is None:
            return SERIES[0]
        name, colours = self.colour_axis.name, colours_of(self.colour_axis)
        shown = sorted({one.levels[name] for one in self.runs})
        if len({colours[level] for level in shown}) < len(shown):  # several of a family: by their order instead
            return SERIES[shown.index(run.levels[name]) % len(SERIES)]
        return colours[run.levels[name]]

    @property
    def alpha(self) -> float:
        """Lines of samples and replicates lie over each other, and are lighter."""
        kinds = {tuple(run.levels.items()) for run in self.runs}
        return 0.9 if self.by_member or len(kinds) == len(self.runs) else 0.4

    def columns(self, *, tall: bool = False) -> int:
        """How many panels stand beside each other: more of tall ones."""
        count = len(self.panels)
        return count if count <= (4 if tall else 1) else 2 if count in (2, 4) else 3

    def grid(self, height: float, *, tall: bool = False) -> tuple[Figure, Iterator[tuple[Axes, str, list[Run]]]]:
        """A figure with a panel for each level, and the axes of each in turn."""
        panels = self.panels
        columns = self.columns(tall=tall)
        rows = -(-len(panels) // columns)
        figure = Figure(figsize=(WIDTH, height * rows + 0.5), layout="constrained")
        axes = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
        for number, ax in enumerate(axes.ravel()):
            if number >= len(panels):
                ax.remove()
        own = list(axes.ravel()[: len(panels)])
        for number, ax in enumerate(own):
            if number + columns >= len(panels):
                ax.tick_params(labelbottom=True)
        return figure, ((ax, *panel) for ax, panel in zip(own, panels, strict=True))

    def legend(self, figure: Figure, extra: list[Line2D] | None = None) -> None:
        """One legend above all panels."""
        named: dict[str, Line2D] = {}
        for run in self.runs:
            named.setdefault(self.label(run), Line2D([], [], color=self.colour(run), label=self.label(run)))
        handles = [line for name, line in named.items() if name] if len(named) > 1 else []
        if handles and self.colour_axis is not None and not self.by_member:
            handles.insert(0, Line2D([], [], linestyle="none", label=f"{self.colour_axis.name}:"))
        handles += extra or []
        if handles:
            columns = max(3, 144 // (6 + max(len(str(handle.get_label())) for handle in handles)))
            figure.legend(handles=handles, loc="outside upper left", ncols=min(len(handles), columns))

    def note(self) -> str:
        """Which levels the members that are shown have of the other factors."""
        if self.by_member or not self.runs:
            return ""
        own = {axis.name for axis in (self.colour_axis, self.panel_axis) if axis is not None}
        said = []
        for name, axis in self.compared.axes.items():
            levels = {run.levels[name] for run in self.runs}
            if name not in own and len(levels) == 1:
                said.append(f"{name}: {axis.labels[levels.pop()]}")
        return ", ".join(said)


def colours_of(axis: Axis) -> list[str]:
    """The colour of each level, the same in all figures; if there are more levels than colours, of its family."""
    kinds = axis.labels if len(axis.labels) <= len(SERIES) else axis.families
    order = list(dict.fromkeys(kinds))
    return [SERIES[order.index(kind) % len(SERIES)] for kind in kinds]


def wanted_line(label: str) -> Line2D:
    """What broken lines are, for a legend."""
    return Line2D([], [], color=WAYPOINT, linestyle="--", linewidth=1.2, label=label)


def finish(ax: Axes, title: str, ylabel: str) -> None:
    """What all panels over time share."""
    if title:
        ax.set_title(textwrap.shorten(title, 60))
    if ax.get_subplotspec() is not None and ax.get_subplotspec().is_first_col():  # type: ignore[union-attr]
        ax.set_ylabel(ylabel)
    if ax.xaxis.get_tick_params().get("labelbottom", True):
        ax.set_xlabel("time, s")
    ax.margins(y=0.08)
