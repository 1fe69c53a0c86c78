"""Signals of the members that are shown over time: panels for the levels of a factor, colours for those of another."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from blocks.lab.comparison.figures.frame import Frame, finish, wanted_line
from blocks.lab.comparison.shown import Command, Run
from blocks.style import WAYPOINT

if TYPE_CHECKING:
    from blocks.lab.comparison.outcome import ComparisonOutcome

Array = NDArray[np.float64]
Series = Callable[[Run], "Array | None"]

_DASHES = ((0, (8, 2)), (0, (1, 1)), (0, (6, 1, 1, 1)), (0, (3, 1, 1, 1, 1, 1)))
_STYLES: tuple[Any, ...] = ("-", "--", ":", "-.", *_DASHES)
_HEIGHT = 2.9


def cross_track_error(compared: ComparisonOutcome) -> Figure | None:
    """y_e over time."""
    return _drawn(compared, lambda run: run.signal("guidance", "cross_track_error"), None, "$y_e$, m", zero=True)


def heading(compared: ComparisonOutcome) -> Figure | None:
    """ψ and ψ_d over time, without jumps by full turns."""

    def actual(run: Run) -> Array | None:
        eta = run.signal("vessel", "eta")
        return None if eta is None or eta.shape[1] < 6 else np.degrees(np.unwrap(eta[:, 5]))

    def wanted(run: Run) -> Array | None:
        desired, psi = run.signal("guidance", "heading"), actual(run)
        if desired is None or psi is None:
            return None
        away = np.radians(psi)
        return np.asarray(np.degrees(away + (desired - away + np.pi) % (2.0 * np.pi) - np.pi))

    return _drawn(compared, actual, wanted, "ψ, °")


def surge(compared: ComparisonOutcome) -> Figure | None:
    """u and u_d over time."""

    def actual(run: Run) -> Array | None:
        nu = run.signal("vessel", "nu")
        return None if nu is None else nu[:, 0]

    return _drawn(compared, actual, lambda run: run.signal("guidance", "speed"), "u, m/s")


def commands(compared: ComparisonOutcome) -> Figure | None:
    """What the actuators are told, a kind of line for each of them."""
    frame = Frame(compared)
    if not any(run.commands for run in frame.runs):
        return None
    figure, panels = frame.grid(_HEIGHT)
    labels: dict[str, Any] = {}
    units: set[str] = set()
    for ax, title, runs in panels:
        for run in runs:
            lines = [
                (f"{command.actuator} {label}".strip() if len(run.commands) > 1 else label, series)
                for command in run.commands
                for label, series in _elements(run, command)
            ]
            units |= {command.unit for command in run.commands}
            for number, (label, series) in enumerate(lines[: len(_STYLES)]):
                style = _STYLES[number]
                labels.setdefault(label, style)
                ax.plot(run.time, series, linestyle=style, color=frame.colour(run), linewidth=1.0, alpha=frame.alpha)
        unit = f", {next(iter(units))}" if len(units) == 1 and not units & {"", "1"} else ""
        finish(ax, title, f"command{unit}")
    extra = [Line2D([], [], color=WAYPOINT, linestyle=style, label=label) for label, style in labels.items() if label]
    frame.legend(figure, extra if len(extra) > 1 else None)
    return figure


def _elements(run: Run, command: Command) -> list[tuple[str, Array]]:
    """The elements of a command with their labels."""
    table = run.signals[command.output].reshape(len(run.time), -1)
    labels, count = command.labels, table.shape[1]
    if len(labels) != count:
        labels = tuple(str(n + 1) for n in range(count)) if count > 1 else ("",)
    return [(label, table[:, n]) for n, label in enumerate(labels)]


def _drawn(
    compared: ComparisonOutcome, actual: Series, wanted: Series | None, label: str, *, zero: bool = False
) -> Figure | None:
    """A figure of one quantity; None if no member has it."""
    frame = Frame(compared)
    if all(actual(run) is None for run in frame.runs):
        return None
    figure, panels = frame.grid(_HEIGHT)
    broken, alpha = False, frame.alpha
    for ax, title, runs in panels:
        if zero:
            ax.axhline(0.0, color=WAYPOINT, linewidth=0.8)
        seen: set[str] = set()
        for run in runs:
            series, aim = actual(run), wanted(run) if wanted is not None else None
            colour = frame.colour(run)
            if aim is not None and colour not in seen:  # one for all samples and replicates
                broken = True
                seen.add(colour)
                ax.plot(run.time, aim, "--", color=colour, linewidth=0.9, alpha=0.7)
            if series is not None:
                ax.plot(run.time, series, color=colour, linewidth=1.3 if alpha > 0.5 else 0.8, alpha=alpha)
        finish(ax, title, label)
    frame.legend(figure, [wanted_line("wanted" if alpha > 0.5 else "wanted, in the first of them")] if broken else None)
    return figure
