"""Stiff and variable-order solvers from SciPy over the compiled right-hand side."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import integrate

from blocks.plan import Plan
from blocks.run.recording import Recording
from cython_kernels import engine as native

_STATUS = {text: status for status, text in native.STATUSES.items()}
_OK, _PAUSED, _STOPPED = _STATUS["end"], _STATUS["paused"], _STATUS["stopped"]
_MOST_TINY_STEPS = 100


def advance(plan: Plan, engine: Any, recording: Recording) -> Iterator[int]:
    """Step a SciPy solver from where the engine stands to the end; yields the engine's status after each step.

    The solver is started anew after every sample hit and zero crossing, and where a mode changes the derivatives, since
    it assumes smoothness.
    """
    run = _Run(plan, engine, recording)
    while True:
        status = run.piece()
        yield status
        if status != _PAUSED:
            return


class _Run:
    def __init__(self, plan: Plan, engine: Any, recording: Recording) -> None:
        self.plan, self.engine, self.recording = plan, engine, recording
        self.settings = plan.settings
        self.x = plan.continuous_states
        self.has_modes = any(place.discrete for place in plan.states.values())
        self.solver: Any = None
        self.tiny_steps = 0
        self.spoilt: tuple[float, NDArray[np.float64]] | None = None
        """Where the derivatives were not finite in the present step, if anywhere."""

    def rate(self, t: float, x: NDArray[np.float64]) -> NDArray[np.float64]:
        dx = np.empty(x.size)
        self.engine.right_hand_side(t, np.ascontiguousarray(x), dx)
        if self.spoilt is None and not np.all(np.isfinite(dx)):
            self.spoilt = t, x.copy()
        return dx

    def piece(self) -> int:
        """A major evaluation, then one step of the solver with everything that lies within it."""
        engine, end = self.engine, self.settings.end
        t = engine.time
        before = self._present_rate() if self.solver is not None and self.has_modes else None
        status: int = engine.settle(t)
        if status != _OK:
            return status
        if not self._record_at(t):
            return self._not_finite()
        if engine.stopped:
            return _STOPPED
        if t >= end - engine.tolerance:
            return _OK
        due = engine.next_hit(end) <= t + engine.tolerance
        engine.commit()
        limit = engine.next_hit(end)
        if due or (before is not None and not np.allclose(before, self._present_rate(), rtol=1e-9, atol=0.0)):
            self.solver = None
        return self._step(t, limit)

    def _present_rate(self) -> NDArray[np.float64]:
        return self.rate(self.engine.time, self.engine.values[self.x].copy())

    def _step(self, t: float, limit: float) -> int:
        engine = self.engine
        if self.x.stop == self.x.start:  # nothing to integrate: go from grid point to grid point
            engine.clock(min(limit, self._grid_time()))
            return _PAUSED
        engine.probe(t)
        before = engine.crossings
        x = engine.values[self.x].copy()
        try:
            if not self._solver_step(t, x, limit):
                engine.values[self.x] = x
                return self._cannot_go_on(t)
            dense = self.solver.dense_output()
            until = self._first_crossing(before, t, self.solver.t, dense)
            status = self._record_between(until, dense)
            if status != _OK:
                return status
        except BaseException:  # Ctrl-C: leave the state that belongs to t
            engine.values[self.x] = x
            raise
        self.tiny_steps = self.tiny_steps + 1 if until - t < 1e-12 * (1.0 + abs(t)) else 0
        if self.tiny_steps > _MOST_TINY_STEPS:
            engine.values[self.x] = x
            engine.diagnose()
            return _STATUS["too many events"]
        engine.values[self.x] = self.solver.y if until == self.solver.t else dense(until)
        engine.clock(until)
        if until != self.solver.t:
            self.solver = None
        return _PAUSED

    def _solver_step(self, t: float, x: NDArray[np.float64], limit: float) -> bool:
        """Let the solver, a new one if need be, take a step; False if it cannot."""
        self.spoilt = None
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # a solver that fails is reported as an error
            try:
                if self.solver is None or self.solver.t != t or self.solver.t_bound != limit:
                    self.solver = self._new_solver(t, x, limit)
                self.solver.step()
            except (ValueError, np.linalg.LinAlgError):  # not-a-number in the solver's linear algebra
                return False
        return self.solver.status != "failed" and bool(np.all(np.isfinite(self.solver.y)))

    def _new_solver(self, t: float, x: NDArray[np.float64], limit: float) -> Any:
        settings = self.settings
        options = {"max_step": settings.max_step} if settings.max_step > 0.0 else {}
        method = getattr(integrate, settings.solver)
        return method(
            self.rate, t, x.copy(), limit, rtol=settings.relative_tolerance, atol=settings.absolute_tolerance, **options
        )

    def _crossings(self, t: float, dense: Any) -> NDArray[np.float64]:
        self.engine.values[self.x] = dense(t)
        self.engine.probe(t)
        return np.asarray(self.engine.crossings)

    def _first_crossing(self, before: NDArray[np.float64], t: float, end: float, dense: Any) -> float:
        """The end of the step, or the first instant at which a crossing function has changed its sign; by bisection."""

        def crossed(instant: float) -> bool:
            g = self._crossings(instant, dense)
            return bool(np.any(((before < 0) & (g >= 0)) | ((before > 0) & (g <= 0))))

        if not before.size or not crossed(end):
            return end
        low, high = t, end
        while high - low > 4e-15 * max(abs(high), end - t):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if crossed(middle) else (middle, high)
        return high

    def _grid_time(self) -> float:
        return float(self.settings.start + self.engine.grid * self.settings.step)

    def _record_at(self, t: float) -> bool:
        """Record if t is a point of the grid; False if a recorded value is not finite."""
        if abs(self._grid_time() - t) > self.engine.tolerance:
            return True
        if self.engine.grid % self.recording.every == 0:
            self.recording.write(self._grid_time(), self.engine.values)
        self.engine.grid += 1
        return bool(np.all(np.isfinite(self.engine.values[self.recording.indices])))

    def _record_between(self, until: float, dense: Any) -> int:
        """Record the grid points within the step just taken; the status."""
        while self._grid_time() < until - self.engine.tolerance:
            t = self._grid_time()
            if self.engine.grid % self.recording.every == 0:
                self.engine.values[self.x] = dense(t)
                status = int(self.engine.probe(t))
                if status != _OK:
                    return status
                self.recording.write(t, self.engine.values)
            self.engine.grid += 1
        return _OK

    def _cannot_go_on(self, t: float) -> int:
        """The status of a solver that fails at t: the engine finds out why."""
        if self.spoilt is None:
            return int(self.engine.diagnose_step(t, 1e-3 * self.settings.step))
        present = self.engine.values[self.x].copy()
        at, self.engine.values[self.x] = self.spoilt
        status = int(self.engine.diagnose_step(at, 0.0))
        self.engine.values[self.x] = present
        self.engine.clock(t)
        return status

    def _not_finite(self) -> int:
        self.engine.diagnose()
        return _STATUS["not finite"]
