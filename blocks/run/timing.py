"""What pacing came to: how late turns were, how many were missed, how much of the time was work."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass


@dataclass(frozen=True)
class Timing:
    """How a run in real time went. Times in s; lateness is that of the moment at which a turn's outputs are given out.

    status: "end", "stopped" (by the stop signal), "asked" (by a key, a source or a sink), "interrupted", "late" or
        "failed".
    simulated: how far the simulation went, which is more than from start to end where it was reset on the way.
    factor: times real time that was wanted last; 0: as fast as it goes.
    overruns: turns whose work was not done when they were due.
    skipped: real time that was taken from the schedule by late="skip".
    work: seconds that were not waited: the engine, sources and sinks.
    """

    status: str
    start: float
    end: float
    simulated: float
    factor: float
    rate: float
    turns: int
    wall: float
    paused: float
    work: float
    overruns: int
    skipped: float
    lateness_median: float
    lateness_99: float
    lateness_greatest: float

    @property
    def achieved(self) -> float:
        """Times real time that came of it, pauses not counted."""
        running = self.wall - self.paused
        return self.simulated / running if running > 0.0 else 0.0

    @property
    def load(self) -> float:
        """The share of the time that was work; 1 where nothing was waited for."""
        running = self.wall - self.paused
        return min(self.work / running, 1.0) if running > 0.0 else 0.0

    def as_dict(self) -> dict[str, float | str | int]:
        """All of it by name, for JSON and tables."""
        return {**dataclasses.asdict(self), "achieved": self.achieved, "load": self.load}

    def __str__(self) -> str:
        turns = f"{self.turns} turns" if self.turns != 1 else "1 turn"
        said = f"t = {self.start:g} s to {self.end:g} s in {self.wall:.4g} s, {turns}, "
        if not self.factor:
            return said + f"as fast as it goes: {self.achieved:,.3g} times real time"
        said += f"{self.achieved:.4g} times real time of {self.factor:g} wanted, {self.load:.0%} of it work\n"
        overruns = f"{self.overruns} overrun{'s' if self.overruns != 1 else ''}"
        said += (
            f"late by {milliseconds(self.lateness_median)} (half of the turns), {milliseconds(self.lateness_99)} "
            f"(99 %), {milliseconds(self.lateness_greatest)} at most; {overruns}"
        )
        return said + (f", {self.skipped:.3g} s skipped" if self.skipped else "")


def milliseconds(seconds: float) -> str:
    """A short time for people: "0.12 ms"."""
    return f"{1e3 * seconds:.2g} ms" if seconds < 0.1 else f"{seconds:.3g} s"
