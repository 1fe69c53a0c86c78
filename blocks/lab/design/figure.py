"""One page of a design: Bode plots with margins, poles against speed, the run before and after."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from blocks import style
from blocks.lab.design.found import Design
from blocks.lab.design.look import Look
from blocks.lab.design.trial import errors_of

_MOST = 4
_RATIO = 3.0
"""Decades about the crossovers that are drawn: so many on both sides."""


def design_figure(made: Design) -> Figure:
    """Loops as they are dashed, with the gains that are proposed drawn through: Bode plots and margins; the eigenvalues
    over speed; what controllers leave in both runs."""
    final = made.after if made.after is not None else made.before
    names = _drawn(final)
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=(16.0, 10.0), layout="constrained")
        title = made.scenario.title or made.scenario.name
        figure.suptitle(f"{title}: loops {final.at()}", x=0.01, ha="left", parse_math=False)
        grid = figure.add_gridspec(3, 2, width_ratios=(1.15, 1.0))
        upper = figure.add_subplot(grid[0, 0])
        lower = figure.add_subplot(grid[1, 0], sharex=upper)
        _bode(upper, lower, made, names)
        _poles(figure.add_subplot(grid[0:2, 1]), made)
        errors = _errors(made)
        for k, ax in enumerate(_row(figure, grid, max(1, len(errors)))):
            if errors:
                _response(ax, made, errors[k], legend=k == len(errors) - 1)
            else:
                ax.set_axis_off()
        return figure


def _row(figure: Figure, grid: mpl.gridspec.GridSpec, count: int) -> list[Axes]:
    inner = grid[2, :].subgridspec(1, count)
    return [figure.add_subplot(inner[0, k]) for k in range(count)]


def _drawn(found: Look) -> list[str]:
    """Loops that have a crossover, those with the least phase margin first."""
    have = [name for name, one in found.margins.items() if one.crossover is not None]
    return sorted(have, key=lambda name: found.margins[name].phase or np.pi)[:_MOST]


def _bode(upper: Axes, lower: Axes, made: Design, names: Sequence[str]) -> None:
    crossings = []
    for colour, name in zip(cycle(style.SERIES), names, strict=False):
        for found, line in ((made.before, "--"), (made.after, "-")):
            if found is None or name not in found.margins:
                continue
            line = "-" if made.after is None else line
            one = found.margins[name]
            channel = next(k for k, c in enumerate(found.open_loops.channels) if c.name == name)
            at = found.open_loops.omega
            L = found.open_loops.loops([channel])[:, 0, 0]
            size = 20.0 * np.log10(np.maximum(np.abs(L), 1e-9))
            phase = np.degrees(np.unwrap(np.angle(L)))
            middle = one.phase_at or one.crossover or at[len(at) // 2]
            phase -= 360.0 * np.round((np.interp(middle, at, phase) + 180.0) / 360.0)
            called = style.in_words(name, list(found.margins))
            text = f"{called}, {np.degrees(one.phase):.0f}°" if one.phase is not None else called
            width = 1.8 if line == "-" else 1.1
            upper.semilogx(at, size, line, color=colour, linewidth=width, label=text if line == "-" else None)
            lower.semilogx(at, phase, line, color=colour, linewidth=width)
            if one.phase is not None and one.phase_at is not None:
                crossings.append(one.phase_at)
                lower.plot([one.phase_at] * 2, [-180.0, np.interp(one.phase_at, at, phase)], color=colour,
                           linewidth=2.2 if line == "-" else 1.1, linestyle=line)  # fmt: skip
    for ax, level in ((upper, 0.0), (lower, -180.0)):
        ax.axhline(level, color=style.WAYPOINT, linewidth=0.8)
    if crossings:
        upper.set_xlim(min(crossings) / 30.0, max(crossings) * 30.0)
    upper.set(title="Loops and their phase margins", ylabel="magnitude, dB", ylim=(-60.0, 60.0))
    lower.set(ylabel="phase, °", xlabel="frequency, rad/s", ylim=(-300.0, 0.0), yticks=(-270, -180, -90, 0))
    if names:
        upper.legend(loc="upper right", ncols=1)


def _poles(ax: Axes, made: Design) -> None:
    looks = [(speed, new if made.after is not None else old) for speed, old, new in made.sweep]
    if not looks:
        looks = [(abs((made.after or made.before).speed or 0.0), made.after or made.before)]
    speeds = [speed for speed, _ in looks]
    colours = mpl.colormaps["viridis_r"]
    span = max(max(speeds) - min(speeds), 1e-9)
    far = high = 0.0
    for speed, found in looks:
        if found is None:
            continue
        values = np.array([mode.value for mode in found.modes])
        values = np.concatenate([values, values.conj()])
        colour = colours((speed - min(speeds)) / span)
        ax.plot(values.real, values.imag, "o", color=colour, markersize=6.0, label=f"{speed:.2g} m/s", zorder=3)
        crossings = [one.crossover for one in found.margins.values() if one.crossover is not None]
        slow = values[np.abs(values) <= 2.5 * max(crossings, default=1.0)]
        far, high = max(far, float(-slow.real.min(initial=-0.1))), max(high, float(slow.imag.max(initial=0.1)))
    ax.axhline(0.0, color=style.WAYPOINT, linewidth=0.8)
    ax.axvline(0.0, color=style.WAYPOINT, linewidth=0.8)
    right = max([0.25 * far, *(1.15 * m.value.real for _, f in looks if f is not None for m in f.modes[:1])])
    ax.set(xlim=(-1.08 * far, right), ylim=(-1.08 * high, 1.08 * high))
    ax.axvspan(0.0, right, color="#fee2e2", zorder=0, linewidth=0)
    which = "as proposed" if made.after is not None else "as it is"
    ax.set(title=f"Poles over the speed, {which}", xlabel="real part, 1/s", ylabel="imaginary part, rad/s")
    ax.legend(loc="upper left")


def _errors(made: Design) -> list[str]:
    """Errors that are shown: what changes most, first."""
    if made.runs is None:
        return []
    first = made.runs[0]
    return [name for name in errors_of(first) if first.values(name).size == len(first)][:_MOST]


def _response(ax: Axes, made: Design, name: str, *, legend: bool) -> None:
    assert made.runs is not None
    unit = made.runs[0].element_units(name)[0]
    unit, scale = style.drawn_unit(unit)
    before = "as it is" if made.after is None else "before"
    for result, label, colour in zip(made.runs, (before, "after"), (style.REFERENCE, style.ACTUAL), strict=True):
        if result is not None and name in result:
            ax.plot(result.time, scale * result.values(name).reshape(len(result)), color=colour, label=label,
                    linewidth=1.4)  # fmt: skip
    ax.axhline(0.0, color=style.WAYPOINT, linewidth=0.8)
    ax.set_title(
        name.rpartition(".")[0].rpartition(".")[2]
        + ": "
        + {"error": "error", "cross_track_error": "cross-track error"}[name.rpartition(".")[2]],
        parse_math=False,
    )
    ax.set(xlabel="time, s", ylabel=unit)
    if legend:
        ax.legend(**style.LEGEND, ncols=2)
