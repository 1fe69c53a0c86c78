"""The phases of a mission, as a run recorded them: when each was, and what was achieved in it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.guidance.mission_plan import MissionPlan
from blocks.report.planned import Planned
from blocks.run.result import Result

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PhaseOfRun:
    """A phase: times in s, lengths in m; None where it was not begun, or there is nothing of the kind."""

    name: str
    kind: str
    begin: float | None
    end: float | None
    done: bool
    cross_track_rms: float | None = None
    path_length: float | None = None
    drift: float | None = None
    """The greatest distance from where it began, of a phase that follows no path."""

    @property
    def words(self) -> str:
        """When it was, and what was achieved."""
        if self.begin is None or self.end is None:
            return "not begun"
        if self.drift is None and self.path_length is None:
            return f"done at once, at {self.begin:.5g} s"
        span = f"{self.begin:.5g} s to {self.end:.5g} s"
        if not self.done:
            span += ", not done"
        if self.cross_track_rms is not None:
            return f"{span}; {self.path_length:.4g} m, {self.cross_track_rms:.3f} m RMS off track"
        return f"{span}; within {self.drift:.3g} m"


class Phases:
    """The phases of a mission that a `MissionPlan` guided."""

    def __init__(self, result: Result, guidance: str, plan: MissionPlan, eta: Array) -> None:
        self.result, self.plan = result, plan
        self.time, self.eta = result.time, eta
        self.number: Array = np.rint(result.values(f"{guidance}.phase")).astype(int)
        self.following: NDArray[np.bool_] = result.values(f"{guidance}.following") > 0.5
        self.error: Array = result.values(f"{guidance}.cross_track_error")
        self.aborted: Array = np.rint(result.values(f"{guidance}.aborted")).astype(int)
        self.finished: NDArray[np.bool_] = result.values(f"{guidance}.finished") > 0.5
        self.steered_for: Array = np.rint(result.values(f"{guidance}.waypoint")).astype(int)

    @classmethod
    def of(cls, result: Result, guidance: str, block: Block, eta: Array) -> Phases | None:
        """Those of a run, or None for guidance of another kind or where it was not recorded."""
        needed = ("phase", "following", "aborted", "waypoint", "finished", "cross_track_error")
        if not isinstance(block, MissionPlan) or any(f"{guidance}.{name}" not in result for name in needed):
            return None
        return cls(result, guidance, block, eta)

    @property
    def finished_time(self) -> float | None:
        """When the mission was done; None if it was not, or was given up."""
        if not self.finished.any() or self.aborted[int(np.argmax(self.finished))] != 0:
            return None
        return float(self.time[np.argmax(self.finished)])

    def planned(self) -> Planned:
        """The way of the mission without aborts, from where it began."""
        return Planned.of_mission(self.plan, self.eta[0, :3])

    @property
    def is_deep(self) -> bool:
        """Whether a phase says a depth. Where a craft floats when it begins is none."""
        return any(row.depth == "given" and row.point[2] != 0.0 for row in self.plan.main.rows)

    @cached_property
    def reached(self) -> list[float | None]:
        """When each waypoint was reached."""
        last = self.plan.main.last_waypoint
        times: list[float | None] = [float(self.time[0])]
        for number in range(2, last + 1):
            later = (self.steered_for > number) & (self.steered_for <= last)
            done = later | (self.finished & (self.aborted == 0))
            begun = np.flatnonzero(self._on_leg(number))
            if begun.size:  # a phase that follows no path still has the number of the waypoint before
                done |= ~self._on_leg(number) & (self.steered_for == number) & (np.arange(len(done)) > begun[0])
            times.append(float(self.time[np.argmax(done)]) if done.any() else None)
        return times

    def _on_leg(self, number: int) -> NDArray[np.bool_]:
        return np.asarray((self.steered_for == number) & self.following & (self.aborted == 0))

    @cached_property
    def all(self) -> list[PhaseOfRun]:
        """All phases, those that were not begun, too, but for aborts. What was done at once has no duration."""
        main = len(self.plan.main.names)
        kinds = [*self.plan.main.kinds, *[""] * (len(self.plan.phase_names) - main)]
        found: list[PhaseOfRun] = []
        then = self.finished_time  # the next phase was begun, or the mission done
        for number in range(len(kinds), 0, -1):
            name = self.plan.phase_names[number - 1]
            phase = self._phase(number, name, kinds[number - 1])
            if number > main or name.startswith("late: "):
                found += [phase] if phase.begin is not None else []
                continue
            if phase.begin is None and then is not None:
                phase = replace(phase, begin=then, end=then, done=True)
            then = phase.begin
            found.append(phase)
        return found[::-1]

    def _phase(self, number: int, name: str, kind: str) -> PhaseOfRun:
        inside = np.flatnonzero(self.number == number)
        if not inside.size:
            return PhaseOfRun(name, kind, None, None, False)
        first, last = int(inside[0]), min(int(inside[-1]) + 1, len(self.time) - 1)
        part = slice(first, last + 1)
        left = bool(self.number[last] != number)
        given_up = left and self.aborted[last] != self.aborted[first]
        begin, end = float(self.time[first]), float(self.time[last])
        on = self.following[first:last]
        if on.any():
            way = np.linalg.norm(np.diff(self.eta[part, :3], axis=0), axis=1).sum()
            steps = np.diff(self.time[part]) * on
            rms = float(np.sqrt((steps * self.error[first:last] ** 2).sum() / max(steps.sum(), 1e-300)))
            return PhaseOfRun(name, kind, begin, end, left and not given_up, rms, float(way))
        drift = np.linalg.norm(self.eta[part, :2] - self.eta[first, :2], axis=1).max()
        return PhaseOfRun(name, kind, begin, end, left and not given_up, drift=float(drift))

    @property
    def cross_track_rms(self) -> float:
        """Over the time in which there was a path to be off."""
        steps = np.diff(self.time) * self.following[:-1]
        return float(np.sqrt((steps * self.error[:-1] ** 2).sum() / steps.sum())) if steps.any() else 0.0

    def items(self) -> list[tuple[str, Any, str, str]]:
        """What a summary says of them: key, value, label and text."""
        found: list[tuple[str, Any, str, str]] = []
        number = int(self.aborted[-1])
        if number:
            why = self.plan.abort_reasons[number - 1] if number > 0 else "a phase took too long"
            when = float(self.time[np.argmax(self.aborted == number)])
            found.append(("aborted", number, "given up", f"after {when:.5g} s: {why}"))
        found.append(("phases", [asdict(phase) for phase in self.all], "", ""))
        found += [(f"phase_{k}", phase.done, phase.name, phase.words) for k, phase in enumerate(self.all, start=1)]
        return found
