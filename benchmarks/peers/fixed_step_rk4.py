"""Classical fixed-step RK4 as a method of `scipy.integrate.solve_ivp`, for the peers that integrate through SciPy."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import OdeSolver

RightHandSide = Callable[[float, NDArray[np.float64]], NDArray[np.float64]]


class FixedStepRK4(OdeSolver):
    """Classical Runge–Kutta of order 4 that always steps by `max_step`.

    ``solve_ivp(..., method=FixedStepRK4, max_step=h)``. SciPy's own methods are adaptive and spend six evaluations of
    the right-hand side on a step; with this one the peers do the same work as the C loop, four evaluations a step.

    There is no dense output: the solution is recorded where it steps, so ``t_eval`` must stay None.
    """

    t: float
    y: NDArray[np.float64]

    def __init__(
        self,
        fun: RightHandSide,
        t0: float,
        y0: NDArray[np.float64],
        t_bound: float,
        max_step: float,
        vectorized: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(fun, t0, y0, t_bound, vectorized, **options)
        if not (np.isfinite(max_step) and max_step > 0.0 and t_bound > t0):
            raise ValueError(
                f"max_step must be finite and positive and t_bound > t0, got {max_step!r}, {t0!r}, {t_bound!r}"
            )
        self._start = t0
        self._step = max_step
        self._taken = 0
        self._count = max(1, round((t_bound - t0) / max_step))

    def _step_impl(self) -> tuple[bool, str | None]:
        t, y = self.t, self.y
        self._taken += 1
        # Counted, not summed: summing the step 15 000 times leaves a last step of 1e-11 s.
        t_next = self.t_bound if self._taken >= self._count else self._start + self._taken * self._step
        h = t_next - t
        k1 = self.fun(t, y)
        k2 = self.fun(t + 0.5 * h, y + 0.5 * h * k1)
        k3 = self.fun(t + 0.5 * h, y + 0.5 * h * k2)
        k4 = self.fun(t_next, y + h * k3)
        self.t = t_next
        self.y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        return True, None
