"""The helmsman: runs a vessel piece by piece, and gives orders that depend on what it does."""

from __future__ import annotations

import time as clock
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from blocks.errors import ParameterError
from blocks.lab.manoeuvres.craft import Array, Craft, Lever
from blocks.lab.trial import ManoeuvreError
from blocks.plan import Plan
from blocks.run.failure import explain
from blocks.run.recording import choose, columns_of
from blocks.run.result import Result
from blocks.units import to_unit

SOUND = (0, 1, 2)
FIRST = 64
"""Steps of the first piece, before anything is known of how slow a vessel is."""
UNDER_WAY = 1024
"""Steps after which a vessel that has not moved at all is at rest."""
STEADY = 1e-3
"""The part by which a steady speed or yaw rate may still change, now and until forever."""


@dataclass(eq=False)
class Helmsman:
    """One run of a craft. `longest`: s, how long any phase of it may take."""

    craft: Craft
    plan: Plan
    longest: float
    orders: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.engine = self.plan.engine()
        self.places = choose(self.plan, None)
        self.columns, self._indices = columns_of(self.places)
        self._times: list[Array] = []
        self._tables: list[Array] = []
        self._began = clock.perf_counter()
        for name, value in self.craft.held.items():
            self.engine.values[self.plan.inputs[name].slice] = value
        self.engine.inputs_changed()
        self._record(1)
        self._check(self.engine.start(0.0))
        self._pose = self.columns[self.craft.pose].start

    def close(self) -> None:
        """Let blocks written in Python give back what they hold."""
        self.plan.close(self.engine)

    # --- orders ----------------------------------------------------------------------------------------------------

    def put(self, lever: Lever, order: float, *, instead: bool = False, log: str = "helm") -> None:
        """Give an order: added to what the inputs are held at, or instead of that."""
        for name, factors in lever.factors.items():
            held = self.craft.held[name]
            base = np.where(factors == 0.0, held, 0.0) if instead else held
            self.engine.values[self.plan.inputs[name].slice] = base + order * factors
        self.engine.inputs_changed()
        self._check(self.engine.refresh())
        self.orders.setdefault(log, []).append((self.now, order))
        if self._times and len(self._times[-1]):  # the point at which an order is given shows it
            self._tables[-1][-1] = self.engine.values[self._indices]

    def ordered(self, log: str = "helm", before: float = 0.0) -> Array:
        """The order at every sample."""
        given = self.orders.get(log, [])
        if not given:
            return np.full(len(self.time), before)
        times, values = (np.array(column) for column in zip(*given, strict=True))
        index = np.searchsorted(times - 1e-9 * self.step, self.time, side="right")
        return np.concatenate([[before], values])[index]

    # --- time ------------------------------------------------------------------------------------------------------

    @property
    def step(self) -> float:
        """Of the recording, s."""
        return self.plan.settings.step

    @property
    def now(self) -> float:
        """s."""
        return float(self.engine.time)

    def go(self, duration: float) -> None:
        """Go on for a time, to the nearest point of the grid. Raises ManoeuvreError if the run fails."""
        steps = max(1, round(duration / self.step))
        end = (round(self.now / self.step) + steps) * self.step
        self._record(steps)
        self._check(self.engine.advance(end))
        self._take()

    def approach(self, duration: float | str | None) -> None:
        """Go on for a time, or until the speed is steady. Raises ManoeuvreError if the vessel is not under way then."""
        if duration is not None:
            self.go(seconds(duration, "approach"))
        else:
            self._until_steady("the speed", lambda: (self.speeds(), self.speeds()[-1]), FIRST * self.step, "approach")
        if not self.speeds()[-1] > 0.0:
            raise ManoeuvreError(
                f"the vessel is not under way: it is at rest at {self.now:g} s, at the end of its approach. Give it an "
                f"initial speed, or what drives it: inputs={{…}}"
            )

    def until_steady_turn(self, scale: float | None = None, least: float = 0.0) -> float:
        """Go on until the yaw rate is steady; how long that took. scale: rad/s, of which it may change by a part."""
        begin = self.now

        def rates() -> tuple[Array, float]:
            found = self.yaw_rates(begin)
            return found, scale or abs(float(found[-1]))

        self._until_steady("the yaw rate", rates, max(least, FIRST * self.step), "longest")
        return self.now - begin

    def _until_steady(self, what: str, series: Any, first: float, remedy: str) -> None:
        begin, piece = self.now, first
        while True:
            self.go(piece)
            values, scale = series()
            if settled(values, STEADY * abs(scale)):
                return
            gone = self.now - begin
            if remedy == "approach" and not values.any() and gone > UNDER_WAY * self.step:
                return
            if gone >= self.longest:
                advice = {
                    "approach": "Does it go up and down, in waves or turning in a current? Say how long the "
                    "approach is, approach='2 min'. Does the vessel come to rest? Say what drives it, inputs={…}",
                    "longest": f"Does it take longer? Say longest='{2.0 * gone / 60.0:.3g} min'",
                }
                raise ManoeuvreError(f"{what} is not steady {gone:g} s after {begin:g} s. {advice[remedy]}")
            piece = min(0.5 * gone, self.longest - gone + self.step)

    # --- what is recorded ------------------------------------------------------------------------------------------

    @property
    def time(self) -> Array:
        """s."""
        self._join()
        return self._times[0]

    @property
    def table(self) -> Array:
        """Rows × recorded numbers."""
        self._join()
        return self._tables[0]

    def position(self) -> Array:
        """North and east, n×2, m."""
        return self.table[:, self._pose : self._pose + 2]

    def heading(self) -> Array:
        """Continuous, rad."""
        return np.unwrap(self.table[:, self._pose + 5])

    def speeds(self) -> Array:
        """Over ground, between samples, m/s."""
        return np.asarray(np.hypot(*np.diff(self.position(), axis=0).T) / np.diff(self.time))

    def yaw_rates(self, since: float = 0.0) -> Array:
        """Between samples from a time on, positive to starboard, rad/s."""
        first = int(np.searchsorted(self.time, since - 1e-9 * self.step))
        return np.asarray(np.diff(self.heading()[first:]) / np.diff(self.time[first:]))

    def result(self) -> Result:
        """All that was recorded."""
        self._join()
        wall = clock.perf_counter() - self._began
        return Result.of_run(self.plan, self.engine, self, "end", "", wall)  # type: ignore[arg-type]

    def _record(self, steps: int) -> None:
        self._new_time, self._new_table = np.empty(steps + 3), np.empty((steps + 3, len(self._indices)))
        self.engine.record(self._indices, 1, self._new_time, self._new_table)

    def _take(self) -> None:
        rows = self.engine.rows
        times, table = self._new_time[:rows], self._new_table[:rows]
        new = times > (self._times[-1][-1] if self._times else -np.inf) + 1e-9 * self.step
        self._times.append(times[new])
        self._tables.append(table[new])
        self._join()

    def _join(self) -> None:
        if len(self._times) > 1:
            self._times, self._tables = [np.concatenate(self._times)], [np.concatenate(self._tables)]

    def _check(self, status: int) -> None:
        if status not in SOUND:
            raise ManoeuvreError(explain(self.plan, self.engine, status))


def settled(values: Array, least: float) -> bool:
    """Whether a series does not change by `least` any more, neither in its last third nor, as it looks, ever after.

    What is left is extrapolated from three values as for an exponential (Aitken's process), so that what changes slowly
    is not taken for steady.
    """
    third = len(values) // 3
    if third < 2 or least <= 0.0:
        return False
    if np.ptp(values[-third - 1 :]) > least:
        return False
    first, second = values[-third - 1] - values[-2 * third - 1], values[-1] - values[-third - 1]
    if max(abs(first), abs(second)) <= 1e-3 * least:
        return True
    if abs(second) >= abs(first):
        return False
    return bool(abs(second * second / (first - second)) <= least)


def seconds(given: float | str, what: str) -> float:
    """A time, s. Raises ManoeuvreError."""
    try:
        value = to_unit(given, "s") if isinstance(given, str) else float(given)
    except (ParameterError, TypeError, ValueError) as problem:
        raise ManoeuvreError(f"{what}: {problem}") from None
    if not 0.0 < value < np.inf:
        raise ManoeuvreError(f"{what} must be a time > 0 s, not {given!r}")
    return value
