"""Manoeuvres that might be measured next, as columns over time, within the range of what was logged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from blocks.errors import KeelblocksError, did_you_mean
from blocks.lab.identification.driving import width_of
from blocks.lab.identification.errors import IdentificationError
from blocks.lab.identification.numbers import Array
from blocks.lab.identification.outcome import Identified
from blocks.signal import Pose
from blocks.simulator import Simulator

_MOST_SAMPLES = 1_000_000
_RUN_UP = 6.0
"""A manoeuvre begins after this part of its time."""
_STEERS = ("Y", "N", "K")
_ONE_SIDED = 0.2
"""A column that goes to one side less than this part of what it goes to the other pushes, and does not steer."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A trial that is not measured yet. time: s, n. columns: those of the logs that drive the model, n each, SI;
    interpolation: what they are between samples, "hold" where nothing is said."""

    name: str
    time: Array
    columns: Mapping[str, Array]
    interpolation: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Range:
    """What was logged of a column: the least, the usual and the greatest value."""

    low: float
    usual: float
    high: float

    @property
    def size(self) -> float:
        """The greatest, to either side."""
        return max(abs(self.low), abs(self.high))


def usual_candidates(
    found: Identified, drive: str | None = None, steer: str | None = None, duration: float | None = None
) -> list[Candidate]:
    """Push and coast, steps of the drive and of the helm, a turning circle, zigzags, as far as the model can.

    drive, steer: the columns that push and that turn; by default those that look like it. duration: s, of each; by
    default the middle one of the logs. Levels are those of the logs. Raises IdentificationError.
    """
    ranges = _ranges(found)
    for column in (drive, steer):
        if column is not None and column not in ranges:
            raise IdentificationError(f"no input of the model is driven by '{column}'{did_you_mean(column, ranges)}")
    if steer is None:
        turning = [column for column in ranges if column != drive and _steers(found, column, ranges[column])]
        steer = next(iter(turning), None)
    drive = drive or next((column for column in ranges if column != steer), None)
    times = [fit.time for fit in found.fits]
    end = duration or float(np.median([time[-1] for time in times]))
    interval = min(float(np.median(np.diff(time))) for time in times)
    if not end > 12.0 * interval:
        raise IdentificationError(f"a manoeuvre of {end:g} s is too short for samples every {interval:g} s")
    if end > _MOST_SAMPLES * interval:
        raise IdentificationError(
            f"a manoeuvre of {end:g} s has more than {_MOST_SAMPLES:,} samples every {interval:g} s: take a shorter one"
        )
    time: Array = np.asarray(interval * np.arange(round(end / interval) + 1), dtype=np.float64)
    cruising = {
        column: np.full(len(time), one.high if column == drive else one.usual) for column, one in ranges.items()
    }
    if steer is not None:
        cruising[steer] = np.zeros(len(time))
    sixth = np.minimum((_RUN_UP * (time + 1e-9 * interval) / time[-1]).astype(int), 5)
    made = []

    def add(name: str, **columns: Array) -> None:
        made.append(Candidate(name, time, {**cruising, **columns}))

    if drive is not None:
        most = ranges[drive].high
        add(f"push and coast with {drive}", **{drive: np.where(sixth % 2 == 0, most, 0.0)})
        add(f"steps of {drive}", **{drive: most * np.array([0.25, 0.5, 0.75, 1.0, 0.5, 0.25])[sixth]})
    if steer is not None:
        most = ranges[steer].size
        add(f"turning circle with {steer}", **{steer: np.where(sixth > 0, most, 0.0)})
        add(f"steps of {steer}", **{steer: most * np.array([0.15, -0.15, 0.4, -0.4, 1.0, -1.0])[sixth]})
        for angle in (10, 20):
            order = min(np.radians(angle), most) if _is_angle(found, steer) else most
            zigzag = _zigzag(found, steer, order, np.radians(angle), time, cruising)
            if zigzag is not None:
                square = order == np.radians(angle)
                name = f"{angle}/{angle} zigzag" if square else f"zigzag of {angle}° with {steer}"
                add(name, **{steer: zigzag})
    return made


def _ranges(found: Identified) -> dict[str, Range]:
    made: dict[str, Range] = {}
    for column in found.columns:
        values = np.concatenate([log.values(column) for log in found.logs])
        made[column] = Range(float(values.min()), float(np.median(values)), float(values.max()))
    return made


def _elements(found: Identified, column: str) -> list[str]:
    return [
        name.partition("[")[2].removesuffix("]") for name, source in found.experiment.inputs.items() if source == column
    ]


def _is_angle(found: Identified, column: str) -> bool:
    return found.logs[0].units[column] == "rad"


def _steers(found: Identified, column: str, span: Range) -> bool:
    if any(element in _STEERS for element in _elements(found, column)) or _is_angle(found, column):
        return True
    two_sided = span.low < 0.0 < span.high and min(-span.low, span.high) > _ONE_SIDED * span.size
    return two_sided and "X" not in _elements(found, column)


def _zigzag(
    found: Identified, steer: str, order: float, angle: float, time: Array, cruising: Mapping[str, Array]
) -> Array | None:
    """The order over time, which turns round whenever the heading has changed by the angle; None without a heading."""
    experiment, made = found.experiment, np.zeros(len(time))
    ports = found.component.input_ports
    try:
        with Simulator(found.component, step=min(float(time[1]), experiment.step or 0.1), record=[]) as simulator:
            heading = _heading(simulator, found)
            if heading is None:
                return None

            def put(at: int) -> None:
                given: dict[str, Any] = {
                    name: np.zeros(width_of(port.signal)) if port.signal.shape else 0.0
                    for name, port in ports.items() if port.default is None
                }  # fmt: skip
                for name, source in experiment.inputs.items():
                    bare, _, label = name.partition("[")
                    value = (
                        source if not isinstance(source, str) else made[at] if source == steer else cruising[source][at]
                    )
                    if label:
                        labels = list(ports[bare].signal.labels) or [str(i) for i in range(np.size(given[bare]))]
                        label = label.removesuffix("]")
                        given.setdefault(bare, np.zeros(width_of(ports[bare].signal)))
                        given[bare][labels.index(label) if label in labels else int(label)] = value
                    else:
                        given[bare] = value
                for name, value in given.items():
                    simulator[name] = value

            put(0)
            simulator.start()
            before, side = heading(), 0
            for k in range(1, len(time)):
                turned = heading() - before
                if side == 0 and time[k] >= time[-1] / _RUN_UP:
                    before, side = heading(), 1
                elif side and side * turned >= angle:
                    side = -side
                made[k] = side * order
                simulator.advance(float(time[k] - time[k - 1]))
                put(k)
    except KeelblocksError:
        return None
    return made


def _heading(simulator: Simulator, found: Identified) -> Callable[[], float] | None:
    """What reads the heading of the vessel that is measured."""
    plan = simulator.plan
    poses = [
        name for name, place in {**plan.external_outputs, **plan.outputs}.items()
        if place.signal is not None and place.signal.name == Pose.name and place.count == 6
    ]  # fmt: skip
    owners = {name.partition("[")[0].rpartition(".")[0] for name in found.experiment.outputs}
    mine = [name for name in poses if name.rpartition(".")[0] in owners] or poses
    if not mine:
        return None
    return lambda: float(simulator[mine[0]][5])
