"""A run in real time in plain lines: for pipes, files and services."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from blocks.realtime.cadence import Cadence
from blocks.realtime.readings import Reading, readings
from blocks.run.timing import milliseconds

if TYPE_CHECKING:
    from blocks.realtime.loop import RealTime
    from blocks.simulator import Simulator


_MOST = 6
"""So many signals are in a line where nothing says which."""


class Lines:
    """A sink that writes a line about every `period` seconds of real time: time, factor, lateness, signals."""

    def __init__(self, show: Iterable[str] | None = None, period: float = 2.0, file: TextIO | None = None) -> None:
        self.show = None if show is None else list(show)
        self.file = file
        self.period = period
        self._readings: list[Reading] = []

    def attach(self, realtime: RealTime) -> None:
        """The loop whose lateness is shown."""
        self.realtime = realtime
        self._cadence = Cadence(self.period, realtime.clock)

    def open(self, simulator: Simulator) -> None:
        """Find the signals."""
        self._readings = readings(simulator, self.show)[: _MOST if self.show is None else None]

    def write(self, simulator: Simulator, t: float) -> None:
        """A line, if it is time."""
        self._cadence.draw(lambda: print(self.line(t), file=self.file or sys.stderr, flush=True))

    def close(self) -> None:
        """Nothing is held."""

    def line(self, t: float) -> str:
        """What is said at t."""
        timing = self.realtime.timing()
        parts = [f"t = {t:.1f} s", f"×{timing.achieved:.3g}"]
        if timing.factor:
            parts.append(f"late {milliseconds(self.realtime.late)}")
        if timing.overruns:
            parts.append(f"{timing.overruns} overruns")
        return "  ".join([*parts, *map(str, self._readings)])
