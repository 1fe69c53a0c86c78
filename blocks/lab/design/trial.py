"""Gains on trial: looked at anew, at all speeds, and run; why they are refused, if anything is worse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from blocks.lab.design.gains import plain
from blocks.lab.design.look import Look, look_at
from blocks.lab.design.rig import Rig
from blocks.lab.design.robustness import Array
from blocks.lab.design.shaping import DISK, PHASE, values_of
from blocks.lab.design.speeds import speed_parameter
from blocks.metrics.series import rms
from blocks.run.engine_run import RunStopped

if TYPE_CHECKING:
    from blocks.lab.design.found import Design
    from blocks.run.result import Result
    from blocks.scenario import Scenario

_SPEEDS = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5)
_LESS = 0.9
"""Margins that are smaller by this factor are worse."""
_WORSE = 1.5
"""Errors that are larger by this factor in the run make a proposal worse, if the margins alone are better."""


def tried(
    rig: Rig,
    made: Design,
    own: Mapping[str, Array],
    new: Mapping[str, Array],
    speeds: Sequence[float] | None,
    first: tuple[Result, str] | None,
) -> Design:
    """A design with these gains: looked at anew, at all speeds, and run; refused if anything is worse."""
    gains = {name: (plain(own[name]), plain(new[name])) for name in own if not np.array_equal(own[name], new[name])}
    after = look_at(rig)
    sweep = tuple(
        (speed, old, later) for (speed, old, _), (_, later) in zip(made.sweep, swept(rig, new, speeds), strict=True)
    )
    refused = _why_not(made.before, after, sweep)
    made = replace(made, gains=gains, after=after, sweep=sweep, refused=refused)
    if first is None or refused:
        return made
    second, why = run_with(made.scenario, own, new)
    errors = {name: (rms_of(first[0], name), rms_of(second, name)) for name in errors_of(first[0]) if name in second}
    made = replace(made, runs=(first[0], second), errors=errors, stopped=(first[1], why))
    if first[1]:
        return made
    return replace(made, refused=worse_run(first[0], second, why, errors))


def worse_run(first: Result, second: Result, why: str, errors: Mapping[str, tuple[float, float]]) -> str:
    """In what a run with other gains is worse, if it is."""
    if why:
        return f"with them the run stops: {why}"
    if first.status == "stopped" and second.status != "stopped":
        return f"with them the run does not come to its stop signal, as it does now after {first.time[-1]:.4g} s"
    for name in first:
        if name.rpartition(".")[2] == "waypoint" and name in second and len(first) and len(second):
            reached, then = (float(np.nanmax(run.values(name))) for run in (first, second))
            if then < reached:
                return f"with them the run gets to waypoint {then:g} only, and to {reached:g} now"
    for name, (old, new) in errors.items():
        if new > _WORSE * old and new > 1e-3:
            return f"in the run {name} would be {new:.3g} instead of {old:.3g} (RMS)"
    return ""


def run_of(scenario: Scenario) -> tuple[Result, str]:
    """The run of a scenario, and why it had to stop, if it had to."""
    try:
        return scenario.run(), ""
    except RunStopped as stopped:
        return stopped.result, str(stopped)


def run_with(scenario: Scenario, own: Mapping[str, Array], new: Mapping[str, Array]) -> tuple[Result, str]:
    """The run with other gains."""
    with _set(scenario, {name: plain(new[name]) for name in own if not np.array_equal(own[name], new[name])}):
        return run_of(scenario)


@contextmanager
def _set(scenario: Scenario, values: Mapping[str, Any]) -> Iterator[None]:
    """A scenario with other parameters for a while."""
    blocks = scenario.diagram.blocks()
    old = {name: blocks[name.rpartition(".")[0]].values[name.rpartition(".")[2]] for name in values}
    try:
        for name, value in values.items():
            blocks[name.rpartition(".")[0]].set(**{name.rpartition(".")[2]: value})
        yield
    finally:
        for name, value in old.items():
            blocks[name.rpartition(".")[0]].set(**{name.rpartition(".")[2]: value})


def errors_of(result: Result) -> list[str]:
    """The errors of controllers and guidance that were recorded."""
    return [name for name in result if name.rpartition(".")[2] in ("error", "cross_track_error")]


def rms_of(result: Result, name: str) -> float:
    """The root mean square over time of all elements of a quantity, as far as they are finite."""
    values = np.sum(np.square(result.values(name).reshape(len(result), -1)), axis=1)
    finite = np.isfinite(values)
    return rms(result.time[finite], np.sqrt(values[finite])) if finite.any() else 0.0


def swept(
    rig: Rig, gains: Mapping[str, Array], speeds: Sequence[float] | None
) -> tuple[tuple[float, Look | None], ...]:
    """Loops at other speeds, with some gains."""
    name = speed_parameter(rig)
    if name is None:
        return ()
    asked = values_of(rig, (name,))[name]
    size = float(np.max(np.abs(asked)))
    if size == 0.0:
        return ()
    found = []
    for factor in _SPEEDS if speeds is None else tuple(speed / size for speed in speeds):
        rig.set({**gains, name: asked * factor})
        found.append((factor * size, look_at(rig)))
    rig.set({**gains, name: asked})
    return tuple(found)


def _why_not(before: Look, after: Look | None, sweep: tuple[tuple[float, Look | None, Look | None], ...]) -> str:
    """Why gains are no better, if they are not."""
    if after is None:
        return "with them the run gets nowhere"
    mode = next((one for one in after.unstable if one.acting or not before.unstable), None)
    if mode is not None:
        return f"gains alone do not do it: {after.say(mode)}"
    if not before.unstable and after.disk < 0.95 * min(before.disk, DISK):
        return f"the disk margin of all loops together would be {after.disk:.2f}, and is {before.disk:.2f}"
    for name, one in after.margins.items():
        was = before.margins[name].phase if name in before.margins else None
        if not before.unstable and was is not None and one.phase is not None and one.phase < _LESS * min(was, PHASE):
            return f"the loop of {name} would have {np.degrees(one.phase):.0f}°, and has {np.degrees(was):.0f}°"
    for speed, old, new in sweep:
        if new is not None and new.unstable and not (old is not None and old.unstable):
            return f"at {speed:.3g} m/s they would be unstable: {new.say(new.unstable[0])}"
    return ""
