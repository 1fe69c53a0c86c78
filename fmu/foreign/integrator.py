"""Integrate the continuous states of a Model Exchange FMU and find its state events: SUNDIALS' CVode, as FMPy has it.

Where FMPy brings no SUNDIALS library, SciPy's LSODA with bisection over its dense output does the same.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from blocks.errors import FmuError

Floats = NDArray[np.float64]

MAX_STEPS = 100_000
"""Of the solver within one communication step."""


class Model(Protocol):
    """What is integrated. No method raises: what goes wrong is kept, and the values are not numbers then."""

    @property
    def states(self) -> int:
        """How many continuous states there are."""

    @property
    def indicators(self) -> int:
        """How many event indicators there are."""

    def get_states(self, x: Any, n: int) -> None:
        """Write the continuous states."""

    def set_states(self, x: Any, n: int) -> None:
        """Take the continuous states."""

    def get_derivatives(self, dx: Any, n: int) -> None:
        """Write the derivatives."""

    def get_indicators(self, z: Any, n: int) -> None:
        """Write the event indicators."""

    def get_nominals(self, x: Any, n: int) -> None:
        """Write the nominal values of the states."""

    def set_time(self, t: float) -> None:
        """Take the time."""


class Integrator(Protocol):
    """Goes on to an instant, or to the first state event before it."""

    def reset(self, time: float) -> None:
        """Restart from the model's states at this time."""

    def step(self, t: float, t_next: float) -> tuple[bool, Any, float]:
        """Whether there was a state event, which, and the instant reached. The model's states are those there."""


class _Held:
    """The inputs, which do not change within a communication step."""

    def apply(self, t: float) -> None:
        """Nothing changes."""


def integrator(model: Model, t: float, h: float, tolerance: float) -> Integrator:
    """CVode if it is there, else LSODA."""
    make: Callable[[Model, float, float, float], Integrator] = cvode
    try:
        import fmpy.sundials  # noqa: F401
    except (ImportError, OSError):
        make = Lsoda
    return make(model, t, h, tolerance)


def cvode(model: Model, t: float, h: float, tolerance: float) -> Integrator:
    """SUNDIALS' CVode: BDF of variable order with Newton iteration and root finding."""
    from fmpy.sundials import CVodeSolver

    solver: Integrator = CVodeSolver(
        nx=model.states, nz=model.indicators, get_x=model.get_states, set_x=model.set_states,
        get_dx=model.get_derivatives, get_z=model.get_indicators, get_nominals=model.get_nominals,
        set_time=model.set_time, input=_Held(), startTime=t, maxStep=h, relativeTolerance=tolerance,
        maxNumSteps=MAX_STEPS,
    )  # fmt: skip
    return solver


class Lsoda:
    """SciPy's LSODA; an event is where an indicator has changed its sign, to the last bit of time."""

    def __init__(self, model: Model, t: float, h: float, tolerance: float) -> None:
        self.model, self.h, self.tolerance = model, h, tolerance
        self.reset(t)

    def reset(self, time: float) -> None:
        """Restart from the model's states at this time."""
        self.solver: Any = None

    def step(self, t: float, t_next: float) -> tuple[bool, Any, float]:
        """See `Integrator`."""
        from scipy.integrate import LSODA

        model, none = self.model, np.zeros(self.model.indicators, dtype=np.int32)
        before = self._indicators(t, self._states())
        if model.states == 0:
            return False, none, t_next
        nominal = np.zeros(model.states)
        model.get_nominals(_pointer(nominal), nominal.size)
        self.solver = LSODA(
            self._rate, t, self._states(), t_next, rtol=self.tolerance, atol=self.tolerance * nominal, max_step=self.h
        )
        for _ in range(MAX_STEPS):
            self.solver.step()
            if self.solver.status == "failed" or not np.all(np.isfinite(self.solver.y)):
                raise FmuError(f"the integration of its states fails at t = {self.solver.t:g} s")
            dense = self.solver.dense_output()
            low, high = self.solver.t_old, self.solver.t
            if _crossed(before, self._indicators(high, self.solver.y)).any():
                while high - low > 4e-16 * max(abs(high), self.h) and low < (middle := 0.5 * (low + high)) < high:
                    if _crossed(before, self._indicators(middle, dense(middle))).any():
                        high = middle
                    else:
                        low = middle
                at = self._indicators(high, dense(high))
                return True, _crossed(before, at).astype(np.int32), high
            before = self._indicators(high, self.solver.y)
            if self.solver.status == "finished":
                self._put(high, self.solver.y)
                return False, none, high
        raise FmuError(f"the integration of its states takes more than {MAX_STEPS} steps from t = {t:g} s")

    def _put(self, t: float, x: Floats) -> None:
        self.model.set_time(t)
        self.model.set_states(_pointer(np.ascontiguousarray(x)), x.size)

    def _states(self) -> Floats:
        x = np.zeros(self.model.states)
        if x.size:
            self.model.get_states(_pointer(x), x.size)
        return x

    def _rate(self, t: float, x: Floats) -> Floats:
        dx = np.zeros(x.size)
        self._put(t, x)
        self.model.get_derivatives(_pointer(dx), dx.size)
        return dx

    def _indicators(self, t: float, x: Floats) -> Floats:
        z = np.zeros(self.model.indicators)
        if x.size:
            self._put(t, x)
        if z.size:
            self.model.get_indicators(_pointer(z), z.size)
        return z


def _crossed(before: Floats, now: Floats) -> NDArray[np.bool_]:
    """Which indicators have changed their sign; one that begins at 0 has none yet."""
    found: NDArray[np.bool_] = ((before < 0) & (now >= 0)) | ((before > 0) & (now <= 0))
    return found


def _pointer(array: Floats) -> Any:
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
