"""A mission along waypoints, as a run recorded it: who had it, and how it went."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.errors import ScenarioError
from blocks.guidance.mission_plan import MissionPlan
from blocks.model.declare import Parameter
from blocks.report.actuators import Lane, lanes
from blocks.report.dives import Dive, dives
from blocks.report.phases import Phases
from blocks.report.planned import Planned
from blocks.report.points import finite
from blocks.report.ran import HasBlocks
from blocks.report.references import Reference, feeds_of, references
from blocks.run.result import Result

Array = NDArray[np.float64]

_DEPTH_TOLERANCE = Parameter(0.1, unit="m", above=0.0, name="depth_tolerance")


@dataclass(frozen=True)
class Parts:
    """The blocks that a report is about, by their dotted names; None where there is none."""

    guidance: str | None = None
    vessel: str | None = None
    thrusters: str | None = None
    meter: str | None = None


_KINDS: dict[str, Callable[[Block], bool]] = {
    "guidance": lambda b: (
        bool({"waypoints", "phases"} & set(b.parameters)) and {"cross_track_error", "finished"} <= set(b.output_ports)
    ),
    "vessel": lambda b: {"eta", "nu"} <= set(b.output_ports),
    "thrusters": lambda b: {"command"} <= set(b.input_ports) and {"speed", "power"} <= set(b.output_ports),
    "meter": lambda b: "power" in b.input_ports and "energy" in b.output_ports,
}


def find_parts(diagram: HasBlocks, options: Mapping[str, Any] | None = None) -> Parts:
    """The blocks of each kind: what `options` name, else the only one of that kind, known by its ports.

    Raises ScenarioError if `options` name a block that does not exist or is of another kind.
    """
    blocks = diagram.blocks()
    found: dict[str, str | None] = {}
    for kind, fits in _KINDS.items():
        fitting = [name for name, block in blocks.items() if fits(block)]
        wanted = (options or {}).get(kind)
        if wanted is None:
            found[kind] = fitting[0] if len(fitting) == 1 else None
        elif wanted in fitting:
            found[kind] = wanted
        elif wanted in blocks:
            raise ScenarioError(
                f"report: '{wanted}' ({blocks[wanted].type_name()}) cannot be its {kind}",
                code="wrong-block",
                wrong=wanted,
                valid=fitting,
            )
        else:
            raise ScenarioError(
                f"report: no block '{wanted}' to be its {kind}", code="unknown-block", wrong=wanted, valid=blocks
            )
    return Parts(**found)


class Mission:
    """How a vehicle followed its waypoints, by straight legs or along a curve. Distances in m, times in s.

    Errors and path length are taken until the last waypoint is reached, or to the end of the run. All of it is as fine
    as what was recorded.
    """

    def __init__(self, result: Result, diagram: HasBlocks, parts: Parts, depth_tolerance: float) -> None:
        assert parts.guidance is not None
        assert parts.vessel is not None
        guidance = diagram.blocks()[parts.guidance]
        self.result = result
        self.diagram = diagram
        self.parts = parts
        self.depth_tolerance = depth_tolerance
        self.time: Array = result.time
        self.eta: Array = result.values(f"{parts.vessel}.eta")
        self.phases = Phases.of(result, parts.guidance, guidance, self.eta)
        self.planned = self.phases.planned() if self.phases else Planned.of(guidance)
        self.waypoints = self.planned.waypoints
        self.cross_track_error: Array = result.values(f"{parts.guidance}.cross_track_error")

    @classmethod
    def of(cls, result: Result, diagram: HasBlocks, options: Mapping[str, Any] | None = None) -> Mission | None:
        """The mission of a run, or None if it has none or has not recorded what is needed to judge it."""
        parts = find_parts(diagram, options)
        result = finite(result)
        if parts.guidance is None or parts.vessel is None or len(result) < 2:
            return None
        wanted = [f"{parts.guidance}.{name}" for name in ("cross_track_error", "waypoint", "finished")]
        if isinstance(diagram.blocks()[parts.guidance], MissionPlan):
            wanted += [f"{parts.guidance}.{name}" for name in ("phase", "following", "aborted")]
        if not all(name in result for name in (*wanted, f"{parts.vessel}.eta")):
            return None
        given = (options or {}).get("depth_tolerance", 0.1)
        tolerance = _DEPTH_TOLERANCE.read(given, "report.depth_tolerance")
        return cls(result, diagram, parts, float(tolerance))

    @cached_property
    def references(self) -> list[Reference]:
        """What was wanted of each controller."""
        return references(self.result, self.diagram)

    @cached_property
    def lanes(self) -> list[Lane]:
        """Each thruster, rudder and sail over time."""
        return lanes(self.result, self.diagram.blocks(), feeds_of(self.diagram))

    @property
    def submerged(self) -> bool:
        """Whether a depth is wanted: a surface craft has none."""
        kept = [one.values for one in self.references if one.quantity == "depth"]
        deep = self.phases.is_deep if self.phases else bool(self.waypoints[:, 2].any())
        return deep or any(bool(values.any()) for values in kept)

    def signal(self, part: str, name: str) -> Array | None:
        """An output of one of the parts, or None if it was not recorded."""
        block = getattr(self.parts, part)
        return self.result.values(f"{block}.{name}") if block and f"{block}.{name}" in self.result else None

    @cached_property
    def reached(self) -> list[float | None]:
        """When each waypoint was reached; None where it was not. The first one is where the path begins."""
        if self.phases:
            return self.phases.reached
        steered_for = np.rint(self.result.values(f"{self.parts.guidance}.waypoint")).astype(int)
        finished = self.result.values(f"{self.parts.guidance}.finished") > 0.5
        times: list[float | None] = [float(self.time[0])]
        for number in range(2, len(self.waypoints) + 1):
            done = (steered_for[:-1] == number) & (steered_for[1:] != number)
            if number == len(self.waypoints) and finished.any():
                times.append(float(self.time[np.argmax(finished)]))
            else:
                # A vehicle that starts within reach of a waypoint never steers for it.
                passed = np.concatenate([[steered_for[0] > number], done])
                times.append(float(self.time[np.argmax(passed)]) if passed.any() else None)
        return times

    @property
    def arrival_time(self) -> float | None:
        """When the last waypoint was reached, or all phases were done."""
        return self.phases.finished_time if self.phases else self.reached[-1]

    @property
    def arrived(self) -> bool:
        """True if the last waypoint was reached."""
        return self.arrival_time is not None

    @cached_property
    def underway(self) -> slice:
        """The part of the run until the last waypoint was reached."""
        if self.arrival_time is None or self.planned.loops:
            return slice(0, len(self.time))
        return slice(0, int(np.searchsorted(self.time, self.arrival_time)) + 1)

    @property
    def closest(self) -> Array:
        """The smallest distance from each waypoint in the whole run, in three dimensions."""
        distances = np.linalg.norm(self.eta[:, None, :3] - self.waypoints[None], axis=2)
        return np.asarray(distances.min(axis=0))

    @property
    def path_length(self) -> float:
        """How far the vehicle went."""
        return float(np.linalg.norm(np.diff(self.eta[self.underway, :3], axis=0), axis=1).sum())

    @property
    def cross_track_rms(self) -> float:
        """Root of the mean square of the cross-track error over the time in which a path was followed."""
        if self.phases:
            return self.phases.cross_track_rms
        time, error = self.time[self.underway], self.cross_track_error[self.underway]
        if len(time) == 1:  # there from the start
            return float(abs(error[0]))
        return float(np.sqrt(np.trapezoid(error**2, time) / (time[-1] - time[0])))

    @property
    def cross_track_max(self) -> float:
        """The largest magnitude of the cross-track error."""
        return float(np.abs(self.cross_track_error[self.underway]).max())

    @cached_property
    def dives(self) -> list[Dive]:
        """The dives and ascents of the whole run: wherever a depth is wanted that was not kept already."""
        return [dive for dive in self._stretches if dive.duration != 0.0]

    @property
    def depth_error_after_dive(self) -> float | None:
        """The largest depth error after dives, and where a depth was kept from the beginning; see `Dive`.

        None if no wanted depth was reached.
        """
        errors = [dive.largest_error for dive in self._stretches if dive.largest_error is not None]
        return max(errors, default=None)

    @cached_property
    def _stretches(self) -> list[Dive]:
        wanted = self.signal("guidance", "depth")
        return (
            []
            if wanted is None or not self.submerged
            else list(dives(self.time, self.eta[:, 2], wanted, self.depth_tolerance))
        )

    @property
    def depth_error_at_arrival(self) -> float | None:
        """The magnitude of the depth error when the last waypoint was reached, or at the end of the run.

        None for a surface craft.
        """
        wanted = self.signal("guidance", "depth")
        last = self.underway.stop - 1
        return None if wanted is None or not self.submerged else float(abs(self.eta[last, 2] - wanted[last]))

    @property
    def energy(self) -> float | None:
        """What the thrusters took until arrival, J."""
        metered = self.signal("meter", "energy")
        if metered is not None:
            part = metered[self.underway]
            return float(part[-1] - part[0])
        power = self.power
        return None if power is None else float(np.trapezoid(power[self.underway], self.time[self.underway]))

    @property
    def current(self) -> Array | None:
        """The mean velocity of the water in the horizontal plane, north and east, if it was recorded."""
        signals = [name for name in self.result if name.rpartition(".")[2] == "current"]
        if len(signals) != 1:
            return None
        mean = self.result.values(signals[0])[self.underway].mean(axis=0)[:2]
        return np.asarray(mean) if np.linalg.norm(mean) > 0.0 else None

    @property
    def power(self) -> Array | None:
        """What all thrusters take together, W."""
        power = self.signal("thrusters", "power")
        return self.signal("meter", "total_power") if power is None else power.reshape(len(self.time), -1).sum(axis=1)
