"""The standard figures of manoeuvres."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from blocks import style
from blocks.errors import did_you_mean
from blocks.lab.measures import check_named
from blocks.lab.motion import Motion
from blocks.lab.track import draw_tracks
from blocks.lab.trial import Array, ManoeuvreError, Trial, unit_text
from blocks.lab.turning_circle import TurningCircle, measure_turning_circle, turn_of
from blocks.lab.zigzag import Zigzag, measure_zigzag
from blocks.model.declare import Parameter

_LENGTH = Parameter(unit="m", above=0.0)


def turning_circle_figure(
    trials: Mapping[str, Trial],
    *,
    dimensions: str | None = None,
    length: float | str | None = None,
    title: str = "Turning circle",
) -> Figure:
    """Tracks of turning circles with dimension lines, and speed, yaw rate and drift angle over time.

    trials: by the names that the legend shows. dimensions: the name of the one whose advance, transfer and tactical
    diameter are drawn; the first by default. length: of the hull, m, or text with a unit, to draw it to scale.

    Raises ManoeuvreError if one cannot be measured as a turning circle, or none has the name; ParameterError if the
    length is none.
    """
    check_named(trials, "turning_circle_figure", "trials")
    measured = {name: measure_turning_circle(trial) for name, trial in trials.items()}
    chosen = next(iter(trials)) if dimensions is None else dimensions
    _check_known([chosen], trials, "dimensions")
    to_scale = None if length is None else float(_LENGTH.read(length, "turning_circle_figure: length"))
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=(13.0, 6.8), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)
        grid = figure.add_gridspec(3, 2, width_ratios=(1.25, 1.0))
        draw_tracks(figure.add_subplot(grid[:, 0]), trials, {chosen: measured[chosen]}, to_scale)
        axes = [figure.add_subplot(grid[row, 1]) for row in range(3)]
        for colour, (name, trial) in zip(cycle(style.SERIES), trials.items(), strict=False):
            _turn_over_time(axes, turn_of(trial, trial.executes[0]), measured[name], colour)
        for ax, label in zip(axes, ("speed, m/s", "yaw rate, °/s", "drift angle, °"), strict=True):
            ax.set(ylabel=label)
            ax.set_xlim(0.0, 1.3 * max(circle.time_to_180 for circle in measured.values()))
            ax.set_ylim(min(0.0, ax.get_ylim()[0]), 1.06 * ax.get_ylim()[1])
        _mark_changes(axes, measured[chosen])
        axes[0].set(title="To the side of the turn")
        axes[-1].set(xlabel="time from the rudder order, s")
        return figure


def zigzag_figure(
    trials: Mapping[str, Trial],
    *,
    heading_change: Mapping[str, float | str] | None = None,
    title: str = "Zigzag test",
) -> Figure:
    """Heading and rudder over time, a panel for each test, with executes and overshoot angles.

    trials: by the names that their panels show. heading_change: of a test, rad, as `measure_zigzag` takes it.

    Raises ManoeuvreError if one cannot be measured as a zigzag test, or there is no trial for a heading change.
    """
    check_named(trials, "zigzag_figure", "trials")
    changes = {} if heading_change is None else heading_change
    if not isinstance(changes, Mapping):
        raise ManoeuvreError(
            f"heading_change takes heading changes by the names of trials, such as {{'10°/10°': '10 deg'}}, not "
            f"{changes!r}"
        )
    _check_known(changes, trials, "heading_change")
    measured = {name: measure_zigzag(trial, changes.get(name)) for name, trial in trials.items()}
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=(11.0, 1.0 + 3.1 * len(trials)), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)
        axes = figure.subplots(len(trials), 1, squeeze=False)[:, 0]
        for ax, (name, trial) in zip(axes, trials.items(), strict=True):
            _zigzag_over_time(ax, trial, measured[name], name)
        axes[-1].set(xlabel="time from the first execute, s")
        return figure


def _check_known(names: Iterable[str], trials: Mapping[str, Trial], argument: str) -> None:
    """Raise ManoeuvreError if an argument names a trial that is not there."""
    for name in names:
        if name not in trials:
            raise ManoeuvreError(f"{argument}: there is no trial '{name}'{did_you_mean(str(name), trials)}")


def _turn_over_time(axes: list[Axes], motion: Motion, measured: TurningCircle, colour: str) -> None:
    """Speed, yaw rate and drift angle; equal turns to both sides lie on each other, hence the dashes."""
    since, dashes = motion.time - motion.begin, "-" if measured.side == "starboard" else "--"
    drift = np.degrees(motion.drift_angle(motion.time))
    for ax, values in zip(
        axes, (motion.speed(motion.time), np.degrees(motion.yaw_rate(motion.time)), drift), strict=True
    ):
        ax.plot(since, values, dashes, color=colour, linewidth=1.6)


def _mark_changes(axes: list[Axes], measured: TurningCircle) -> None:
    """When the heading has changed by 90° and 180°."""
    for time, angle in ((measured.time_to_90, "90°"), (measured.time_to_180, "180°")):
        for ax in axes:
            ax.axvline(time, color=style.WAYPOINT, linewidth=0.8, linestyle=(0, (4, 3)), zorder=2)
        axes[0].annotate(
            angle, (time, 0.0), xycoords=("data", "axes fraction"), xytext=(3.0, 4.0), textcoords="offset points",
            color=style.WAYPOINT, fontsize=9.5,
        )  # fmt: skip


def _zigzag_over_time(ax: Axes, trial: Trial, measured: Zigzag, name: str) -> None:
    begin = measured.execute_times[0]
    first = trial.executes[0]
    base = trial.heading[first.index]
    lead = 0.04 * (trial.time[-1] - begin)
    shown = slice(int(np.searchsorted(trial.time, begin - lead)), None)
    since = trial.time[shown] - begin
    assert trial.rudder is not None
    if trial.order_unit != "rad":
        _order_beside(ax, trial, shown, since)
    elif not np.array_equal(trial.rudder, trial.order):
        ordered = np.degrees(trial.order[shown])
        ax.plot(since, ordered, color=style.REFERENCE, alpha=0.45, linewidth=1.2, drawstyle="steps-post", label="order")
    if trial.order_unit == "rad":
        ax.plot(since, np.degrees(trial.rudder[shown]), color=style.REFERENCE, label="rudder")
    ax.plot(since, np.degrees(trial.heading[shown] - base), color=style.ACTUAL, label="heading")
    ax.axhline(0.0, color=style.WAYPOINT, linewidth=0.8)
    change = np.degrees(measured.heading_change)
    for level in (-change, change):
        ax.axhline(level, color=style.WAYPOINT, linewidth=0.8, linestyle=(0, (4, 3)))
    starts = zip(measured.execute_times[1:], measured.check_times, measured.overshoot_angles, strict=False)
    away = first.side
    for number, (time, check, overshoot) in enumerate(starts, start=1):
        at, peak = time + check - begin, away * (change + np.degrees(overshoot))
        ax.plot(at, peak, "o", color=style.ACTUAL, markersize=4.0)
        ax.annotate(
            f"overshoot {number}\n{np.degrees(overshoot):.2f}°", (at, peak), textcoords="offset points",
            xytext=(0.0, 7.0 * away), ha="center", va="bottom" if away > 0.0 else "top", fontsize=9.0,
            color=style.ACTUAL,
        )  # fmt: skip
        away = -away
    reach = np.degrees(np.abs(trial.heading[shown] - base).max())
    if trial.order_unit == "rad":
        reach = max(reach, np.degrees(np.abs(trial.order).max()))
    ax.set_ylim(-1.55 * reach, 1.55 * reach)
    ax.set(title=name, ylabel="to starboard, °")
    ax.legend(**style.LEGEND, ncols=3)


def _order_beside(ax: Axes, trial: Trial, shown: slice, since: Array) -> None:
    """What is ordered instead of a rudder angle, on an axis of its own at the right."""
    beside = ax.twinx()
    beside.plot(since, trial.order[shown], color=style.REFERENCE, linewidth=1.2, drawstyle="steps-post")
    ax.plot([], [], color=style.REFERENCE, label="order")
    greatest = float(np.abs(trial.order).max())
    beside.set_ylim(-1.9 * greatest, 1.9 * greatest)
    beside.grid(visible=False)
    beside.spines["right"].set_visible(True)
    beside.set_ylabel(f"order, {unit_text(trial.order_unit)}")
