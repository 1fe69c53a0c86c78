"""The loop of a run in real time: the simulation goes on, its time is waited for, sinks are written, sources read."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from blocks.errors import SimulationError
from blocks.plan.settings import Settings
from blocks.realtime.attached import Attached, AttachedError, Given, attached
from blocks.realtime.pacing import CATCH_UP, Pacing
from blocks.realtime.run import Run
from blocks.realtime.turns import hertz
from blocks.run.engine_run import RunInterrupted, RunStopped
from blocks.run.timing import Timing

RATE = 50.0
"""Turns per second of simulated time at most, if nothing else is said, Hz."""
_POLL = 0.05
"""Time between two looks at what is attached while the loop waits, s."""

_INTERRUPTS = (KeyboardInterrupt, RunInterrupted)


class RealTime:
    """A run in real time, with what is attached to it, which may pause, step, hurry and stop it.

    A turn: the simulation goes on to the next instant, that instant is waited for, sinks take the outputs, and sources
    set inputs that hold from then on. So outputs at t leave when t is due, and their lateness does not depend on how
    long the engine took; a controller written as a source sees outputs at t and decides what acts from t.

    end: simulated time, s or text with a unit, at which the run ends; None: when the stop signal comes on, or when it
        is asked to.
    factor: times real time; 0 or "free": as fast as it goes.
    rate: turns per second of simulated time, rounded to whole steps; every step up to 50 Hz if not given.
    late: "catch up", "skip" or "stop", see `Pacing`.
    sources, sinks: objects with `read` or `write`, or functions of (simulator, t); by name, or one after the other.
    """

    def __init__(
        self,
        simulator: Run,
        *,
        end: float | str | None = None,
        factor: float | str = 1.0,
        rate: float | str | None = None,
        late: str = CATCH_UP,
        sources: Given = (),
        sinks: Given = (),
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.simulator = simulator
        self.end = _end(end, self.simulator.time)
        self.steps = _steps(rate, self.simulator.step)
        self.pacing = Pacing(factor, late, clock)
        self.attached = attached(sources, sinks)
        self._readers = [one for one in self.attached if one.reads]
        self._writers = [one for one in self.attached if one.writes]
        self._idlers = [one for one in self.attached if hasattr(one.item, "idle")]
        self.clock, self.sleep = clock, sleep
        self.paused = False
        self.turns = 0
        self.late = 0.0
        """How late the last turn was, s."""
        self._asked = ""
        self._single = 0
        self._began = self._start = self._simulated = self._waited = self._stayed = 0.0
        self._staying: float | None = None
        """Since when it has been paused, on the clock."""
        self._opened: list[Attached] = []

    # --- for what is attached ---------------------------------------------------------------------------------------

    @property
    def factor(self) -> float:
        """Times real time; 0 is as fast as it goes. Can be set while it runs."""
        return self.pacing.factor

    @factor.setter
    def factor(self, value: float | str) -> None:
        self.pacing.change(value, self.simulator.time)

    @property
    def turn(self) -> float:
        """Simulated time of a turn, s."""
        return self.steps * float(self.simulator.step)

    def pause(self) -> None:
        """Stay where it is after this turn, until `resume`, `step` or `stop`."""
        self.paused = True

    def resume(self) -> None:
        """Go on."""
        self.paused = False

    def step(self, turns: int = 1) -> None:
        """Make so many turns, and stay there."""
        self.paused = True
        self._single += turns

    def stop(self, reason: str = "asked to") -> None:
        """End after this turn."""
        self._asked = reason

    def timing(self, status: str = "running") -> Timing:
        """How it has gone until now."""
        now = self.clock()
        wall, paused = now - self._began, self._stayed
        if self._staying is not None:
            paused += now - self._staying
        lateness = self.pacing.lateness
        return Timing(
            status=status,
            start=self._start,
            end=self.simulator.time,
            simulated=self._simulated,
            factor=self.factor,
            rate=1.0 / self.turn,
            turns=self.turns,
            wall=wall,
            paused=paused,
            work=max(wall - paused - self._waited, 0.0),
            overruns=self.pacing.overruns,
            skipped=self.pacing.skipped,
            lateness_median=lateness.quantile(0.5),
            lateness_99=lateness.quantile(0.99),
            lateness_greatest=lateness.greatest,
        )

    # --- the loop ---------------------------------------------------------------------------------------------------

    def run(self) -> Timing:
        """Run until the end, the stop signal, or until it is asked to stop.

        Raises RunStopped, with what was recorded as `result` and this as `timing`, when a block, a source or a sink
        fails, and when a turn is missed and late is "stop"; RunInterrupted on Ctrl-C. The simulator then stands at its
        last whole step, and can go on unless the simulation itself failed.
        """
        self._began, self._start = self.clock(), self.simulator.time
        cause: BaseException | None = None
        try:
            self._open()
            self._begin()
            status = self._turn_by_turn()
        except (AttachedError, RunStopped, KeyboardInterrupt) as problem:
            if self.simulator.status == "ready":  # there is nothing to keep yet
                self._close()
                raise
            status, cause = "interrupted" if isinstance(problem, _INTERRUPTS) else "failed", problem
        except BaseException:
            self._close()
            raise
        message = "; ".join(filter(None, (self._why(status, cause), *self._close())))
        if not message:
            return self.timing(status)
        kind = RunInterrupted if status == "interrupted" else RunStopped
        result = cause.result if isinstance(cause, RunStopped) else self.simulator.result()
        result.attributes |= {"status": "interrupted" if status == "interrupted" else "failed", "message": message}
        ended = kind(message, result)
        if isinstance(cause, RunStopped):
            more = message.removeprefix(str(cause))
            ended.place(tuple(replace(one, hint=f"{one.hint}{more}".removeprefix("; ")) for one in cause.problems))
        ended.timing = self.timing(status if status in ("interrupted", "late") else "failed")
        raise ended from (cause.__cause__ if isinstance(cause, AttachedError) else None)

    def _why(self, status: str, cause: BaseException | None) -> str:
        """Why the run ended before its end; "" if it did not."""
        here = f" at t = {self.simulator.time:g} s"
        if isinstance(cause, AttachedError):
            return f"{cause.who}{here}: {cause.reason}"
        if isinstance(cause, RunStopped):
            return str(cause)
        if status == "late":
            return f"late by {self.late:.3g} s{here}, a turn ({self.turn:g} s) or more, and late is 'stop'"
        return f"interrupted{here}" if status == "interrupted" else ""

    def _open(self) -> None:
        for one in self.attached:
            one.call("attach", self)
        for one in self.attached:
            one.call("open", self.simulator)
            self._opened.append(one)

    def _close(self) -> list[str]:
        """Close what was opened, the last first; what went wrong."""
        problems = []
        while self._opened:
            try:
                self._opened.pop().call("close")
            except AttachedError as problem:
                problems.append(str(problem))
        return problems

    def _begin(self) -> None:
        """The first instant: inputs, the outputs of these inputs, and nothing to wait for."""
        simulator = self.simulator
        if simulator.status == "ready":
            if any(np.any(np.isnan(values)) for values in simulator.inputs.values()):
                self._read(simulator.time)  # a source gives what the run cannot start without
            simulator.start()
        self._read(simulator.time)
        simulator.refresh()
        self._write(simulator.time)
        self.pacing.anchor(simulator.time)

    def _turn_by_turn(self) -> str:
        simulator, pacing, t = self.simulator, self.pacing, self.simulator.time
        while True:
            if self.paused and not self._single:
                self._stay()
            if simulator.time != t:  # it was reset, or restored
                t = simulator.time
                self._write(t)
                pacing.anchor(t)
            if self._asked:
                return "asked"
            if not simulator.running:
                return str(simulator.status)
            if t >= self.end:
                return "end"
            self._single = max(self._single - 1, 0)
            reached = simulator.advance(until=self._next(t))
            left = pacing.ready(reached)
            if left > 0.0:
                self._wait(reached, left)
            self.late = pacing.done(reached, self.turn)
            self.turns += 1
            self._simulated += reached - t
            t = reached
            self._write(t)
            if pacing.missed:
                return "late"
            self._read(t)

    def _next(self, t: float) -> float:
        """The end of the turn that begins at t: so many steps on, on the simulator's grid."""
        settings = self.simulator.plan.settings
        start, step = float(settings.start), float(settings.step)
        return min(start + (math.floor((t - start) / step + 1e-6) + self.steps) * step, self.end)

    def _read(self, t: float) -> None:
        for one in self._readers:
            one.run("read", one.item.read, self.simulator, t)

    def _write(self, t: float) -> None:
        for one in self._writers:
            one.run("write", one.item.write, self.simulator, t)

    def _wait(self, t: float, left: float) -> None:
        """Wait until t is due; what is attached has its turns meanwhile, and may change when that is."""
        began = self.clock()
        while left > 0.0 and not self._asked:
            self.sleep(min(left, _POLL) if self._idlers else left)
            if left > _POLL:
                self._idle()
            left = self.pacing.left(t)
        self._waited += self.clock() - began

    def _stay(self) -> None:
        """Stay where it is while paused."""
        self._staying = self.clock()
        while self.paused and not self._single and not self._asked:
            self._idle()
            self.sleep(_POLL)
        self._stayed += self.clock() - self._staying
        self._staying = None
        self.pacing.anchor(self.simulator.time)

    def _idle(self) -> None:
        for one in self._idlers:
            one.call("idle", self.simulator)


def _end(end: float | str | None, now: float) -> float:
    if end is None:
        return math.inf
    time_ = Settings.number("end", end)
    if not time_ > now:
        raise SimulationError(f"end must be after the time that the simulator has reached, {now:g} s, not {time_:g} s")
    return time_


def _steps(rate: float | str | None, step: float) -> int:
    """How many steps a turn has."""
    if rate is None:
        return max(math.ceil(1.0 / (RATE * step) - 1e-9), 1)
    return max(round(1.0 / (hertz(rate) * step)), 1)
