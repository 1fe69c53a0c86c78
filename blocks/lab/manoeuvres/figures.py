"""The standard figures of pull-out, stopping and spiral tests."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from blocks import style
from blocks.lab.measures import check_named
from blocks.lab.motion import Motion
from blocks.lab.pull_out import measure_pull_out, released
from blocks.lab.spiral import Spiral, measure_spiral
from blocks.lab.stopping import engine_order, measure_stopping
from blocks.lab.track import HALO, OUTLINE
from blocks.lab.trial import Trial, side_name, unit_text
from blocks.model.declare import Parameter

_LENGTH = Parameter(unit="m", above=0.0)


def pull_out_figure(trials: Mapping[str, Trial], *, title: str = "Pull-out test") -> Figure:
    """Yaw rates over the time from the order amidships, to starboard up, with what is left of them.

    Raises ManoeuvreError if one cannot be measured as a pull-out test.
    """
    check_named(trials, "pull_out_figure", "trials")
    measured = {name: measure_pull_out(trial) for name, trial in trials.items()}
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=(11.0, 4.6), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)
        ax = figure.subplots()
        for colour, (name, trial) in zip(cycle(style.SERIES), trials.items(), strict=False):
            execute, index = trial.executes[0], released(trial)
            release = float(trial.time[index])
            turn = Motion(trial, execute.index, index + 1, 1.0)
            after = Motion(trial, index, len(trial.time), 1.0)
            until = _until(after)
            shown = turn.time[turn.time >= release - 0.3 * (until - release)]
            late = after.time[after.time <= until]
            label = name if name else side_name(execute.side)
            ax.plot(shown - release, np.degrees(turn.yaw_rate(shown)), color=colour)
            ax.plot(late - release, np.degrees(after.yaw_rate(late)), color=colour, label=label)
            one = measured[name]
            residual = one.residual_starboard if one.residual_port is None else one.residual_port
            assert residual is not None
            ax.annotate(
                f"{round(float(np.degrees(residual)), 2) + 0.0:.2f} °/s", (late[-1] - release, np.degrees(residual)),
                textcoords="offset points", xytext=(-4.0, 5.0 if execute.side > 0.0 else -5.0), ha="right",
                va="bottom" if execute.side > 0.0 else "top", color=colour, path_effects=HALO,
            )  # fmt: skip
        ax.axhline(0.0, color=style.WAYPOINT, linewidth=0.8)
        ax.axvline(0.0, color=style.WAYPOINT, linewidth=0.8, linestyle=(0, (4, 3)))
        ax.annotate(
            "rudder amidships", (0.0, 0.0), xycoords=("data", "axes fraction"), xytext=(4.0, 4.0),
            textcoords="offset points", color=style.WAYPOINT, fontsize=9.5,
        )  # fmt: skip
        ax.margins(y=0.12)
        ax.set(title="Yaw rate", xlabel="time from the order amidships, s", ylabel="to starboard, °/s")
        ax.legend(**style.LEGEND, ncols=3)
        return figure


def stopping_figure(
    trials: Mapping[str, Trial], *, length: float | str | None = None, title: str = "Stopping test"
) -> Figure:
    """Tracks of stopping tests, the approach up the page, and speed over time.

    length: of the hull, m, or text with a unit, to draw it to scale.

    Raises ManoeuvreError if one cannot be measured as a stopping test; ParameterError if the length is none.
    """
    check_named(trials, "stopping_figure", "trials")
    measured = {name: measure_stopping(trial) for name, trial in trials.items()}
    to_scale = None if length is None else float(_LENGTH.read(length, "stopping_figure: length"))
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=(11.0, 5.6), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)
        track, speed = figure.subplots(1, 2, width_ratios=(1.0, 1.6))
        far = max(one.head_reach for one in measured.values())
        left, right = 0.0, 0.0
        scale = to_scale or 0.06 * far
        beside = np.array([0.18 * scale, 0.0])
        for colour, (name, trial) in zip(cycle(style.SERIES), trials.items(), strict=False):
            one, index = measured[name], engine_order(trial)
            motion = Motion(trial, index, len(trial.time), 1.0)
            until = np.append(motion.time[motion.time < one.execute_time + one.time], one.execute_time + one.time)
            psi = motion.heading[0]
            way = np.array([motion.position(t) for t in until]) - trial.position[index]
            page = way @ np.array([[-np.sin(psi), np.cos(psi)], [np.cos(psi), np.sin(psi)]])
            track.plot(page[:, 0], page[:, 1], color=colour, label=name)
            left, right = min(left, page[:, 0].min()), max(right, page[:, 0].max())
            for part in (0.0, 1.0):
                at = page[round(part * (len(page) - 1))]
                turned = motion.turned_at(until[round(part * (len(page) - 1))])
                turn = np.array([[np.sin(turned), np.cos(turned)], [np.cos(turned), -np.sin(turned)]])
                hull = scale * OUTLINE @ turn + at
                track.add_patch(Polygon(hull, facecolor="white", edgecolor=colour, linewidth=1.1, zorder=4))
            track.annotate(
                f"track reach {one.track_reach:.2f} m", page[-1] + beside, textcoords="offset points",
                xytext=(4.0, 0.0), va="center", color=colour, fontsize=9.5, path_effects=HALO, zorder=6,
            )  # fmt: skip
            speed.plot(until - one.execute_time, motion.ahead_speed(until), color=colour, label=name)
            speed.plot(one.time, 0.0, "o", color=colour, markersize=4.5, clip_on=False, zorder=5)
            speed.annotate(
                f"{one.time:.1f} s", (one.time, 0.0), textcoords="offset points", xytext=(5.0, 5.0), ha="left",
                color=colour, fontsize=9.5, path_effects=HALO,
            )  # fmt: skip
        track.plot(0.0, 0.0, "o", color=style.WAYPOINT, markersize=4.5, zorder=5)
        track.annotate(
            "engine order", beside, textcoords="offset points", xytext=(4.0, 0.0), va="center",
            color=style.WAYPOINT, fontsize=9.5, path_effects=HALO, zorder=6,
        )  # fmt: skip
        track.set_aspect("equal", adjustable="box")
        room = max(0.12 * far, 0.7 * (to_scale or 0.0))
        track.set_ylim(-room, far + room)
        high = far + 2.0 * room
        track.set_xlim(min(left - 0.1 * high, -0.25 * high), right + 0.5 * high)  # room for words at the right
        track.set_anchor("N")
        track.set(xlabel="across, m, starboard to the right", ylabel="along the approach, m", title="Track")
        speed.set(xlabel="time from the engine order, s", ylabel="ahead, m/s", title="Speed")
        speed.set_ylim(0.0, 1.08 * speed.get_ylim()[1])
        speed.set_xlim(0.0, 1.15 * max(one.time for one in measured.values()))
        speed.legend(**style.LEGEND, ncols=3)
        return figure


def spiral_figure(trials: Mapping[str, Trial], *, title: str = "Spiral test") -> Figure:
    """Steady yaw rates over the rudder angle, on the way there and back, a panel for each test.

    Raises ManoeuvreError if one cannot be measured as a spiral test.
    """
    check_named(trials, "spiral_figure", "trials")
    measured = {name: measure_spiral(trial) for name, trial in trials.items()}
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=(7.5 * len(trials), 5.2), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)
        for ax, (name, one) in zip(figure.subplots(1, len(trials), squeeze=False)[0], measured.items(), strict=True):
            _loop(ax, one)
            ax.set(title=name)
        return figure


def _until(after: Motion) -> float:
    """When there is nothing more to be seen: somewhat after a rate is for the last time well off that at the end."""
    rates = after.yaw_rate(after.time)
    off = np.abs(rates - rates[-1])
    last = float(after.time[np.flatnonzero(off >= 0.02 * off.max())[-1]])
    return float(min(after.end, after.begin + 1.5 * (last - after.begin) + after.time[1] - after.time[0]))


def _loop(ax: Axes, one: Spiral) -> None:
    """One way over the other; equal ones lie on each other, hence the dashes."""
    factor, unit = (180.0 / np.pi, "°") if one.order_unit == "rad" else (1.0, unit_text(one.order_unit))
    orders, rates = factor * np.array(one.orders), np.degrees(one.yaw_rates)
    ways = (
        (slice(None, one.turning_back + 1), "-", "o", style.ACTUAL),
        (slice(one.turning_back, None), "--", "s", style.REFERENCE),
    )
    for part, dashes, marker, colour in ways:
        label = "to port" if np.diff(orders[part]).sum() < 0.0 else "to starboard"
        face = colour if marker == "o" else "none"
        ax.plot(
            orders[part], rates[part], dashes, marker=marker, color=colour, markersize=5.5 if marker == "o" else 8.0,
            markerfacecolor=face, linewidth=1.6, label=f"rudder going {label}",
        )  # fmt: skip
    ax.axhline(0.0, color=style.WAYPOINT, linewidth=0.8)
    ax.axvline(0.0, color=style.WAYPOINT, linewidth=0.8)
    width = f"{factor * one.loop_width:.2f}{'' if unit == '°' else ' '}{unit}"
    words = f"loop: {width} wide, {np.degrees(one.loop_height):.2f} °/s high" if not one.stable else "no loop"
    ax.annotate(
        words, (0.02, 0.97), xycoords="axes fraction", va="top", color=style.WAYPOINT, fontsize=9.5, path_effects=HALO
    )
    ax.margins(x=0.05, y=0.08)
    what = "rudder angle" if one.order_unit == "rad" else "order"
    ax.set(xlabel=f"{what} to starboard, {unit}", ylabel="steady yaw rate to starboard, °/s")
    ax.legend(**style.LEGEND, ncols=2)
