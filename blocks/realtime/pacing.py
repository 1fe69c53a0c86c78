"""Pacing: when a simulated time is due on a clock, and what happens when it is missed."""

from __future__ import annotations

import math
from collections.abc import Callable

from blocks.errors import SimulationError, did_you_mean, shown
from blocks.realtime.lateness import Lateness

CATCH_UP, SKIP, STOP = "catch up", "skip", "stop"
LATE = (CATCH_UP, SKIP, STOP)
"""What to do when a whole turn or more is missed."""


class Pacing:
    """A schedule of turns: simulated time t is due at anchor + (t − t₀)/factor.

    Each due time is computed from the anchor and not from the turn before, so errors do not add up. The anchor is moved
    where the schedule itself changes: by another factor, by a pause, and by turns that are skipped.

    factor: times real time; 0: no schedule, as fast as it goes.
    late: what happens when a whole turn or more is missed. "catch up": nothing is waited for until the schedule is met
        again; "skip": missed turns go from the schedule, so simulated time stays behind; "stop": `missed` is true.
    """

    def __init__(self, factor: float | str, late: str, clock: Callable[[], float]) -> None:
        self.factor = factor_of(factor)
        if late not in LATE:
            raise SimulationError(f"late: no policy {shown(late)}{did_you_mean(str(late), LATE)}")
        self.late = late
        self.clock = clock
        self.lateness = Lateness()
        self.overruns = 0
        self.skipped = 0.0
        """Real time that was taken from the schedule, s."""
        self.missed = False
        self._wall = self._t = 0.0

    def anchor(self, t: float) -> None:
        """Let simulated time t be due now."""
        self._t, self._wall = t, self.clock()

    def change(self, factor: float | str, t: float) -> None:
        """Go on from t at another factor."""
        due, was = self.due(t), self.factor
        self.factor = factor_of(factor)
        self._t, self._wall = t, due if was and self.factor else self.clock()

    def due(self, t: float) -> float:
        """When a simulated time is due, on the clock, s."""
        return self._wall + (t - self._t) / self.factor if self.factor else self._wall

    def left(self, t: float) -> float:
        """How long it is until t is due, s; ≤ 0 if it is."""
        return self.due(t) - self.clock() if self.factor else 0.0

    def ready(self, t: float) -> float:
        """How long it is until t is due, s, when its work has just been done: an overrun if that is < 0."""
        left = self.left(t)
        self.overruns += left < 0.0
        return left

    def done(self, t: float, turn: float) -> float:
        """How late t is now, s, at the end of a turn of so many simulated seconds; what is missed is dealt with."""
        if not self.factor:
            return 0.0
        late = max(self.clock() - self.due(t), 0.0)
        self.lateness.add(late)
        whole = math.floor(late * self.factor / turn)
        if whole and self.late == SKIP:
            self._wall += whole * turn / self.factor
            self.skipped += whole * turn / self.factor
        self.missed = bool(whole) and self.late == STOP
        return late


def factor_of(value: float | str) -> float:
    """A factor: a number ≥ 0, or "free", which is 0. Raises SimulationError."""
    if value == "free":
        return 0.0
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value < math.inf:
        raise SimulationError(
            f"factor must be a number ≥ 0, times real time, where 0 or 'free' is as fast as it goes, not {shown(value)}"
        )
    return float(value)
