"""How a run is integrated: solver, step, tolerances, start and end; checked in one place for Python, YAML and FMUs."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from blocks import elsewhere
from blocks.errors import ParameterError, SimulationError, shown
from blocks.units import to_unit

FIXED_STEP = ("euler", "heun", "rk4")
ADAPTIVE = ("dopri5",)
SCIPY = ("LSODA", "BDF", "Radau")
SOLVERS = (*FIXED_STEP, *ADAPTIVE, *SCIPY)


@dataclass(frozen=True)
class Settings:
    """Solver settings. Times in s.

    `step` is the step of a fixed-step solver, and for adaptive solvers the interval of the recording grid.
    `max_step` 0 leaves the adaptive step free.
    """

    solver: str = "rk4"
    step: float = 0.01
    start: float = 0.0
    end: float = math.inf
    relative_tolerance: float = 1e-6
    absolute_tolerance: float = 1e-8
    max_step: float = 0.0

    def __post_init__(self) -> None:
        if self.solver not in SOLVERS:
            raise self._unknown_solver()
        for item in fields(self):
            if item.name != "solver":
                object.__setattr__(self, item.name, self.number(item.name, getattr(self, item.name)))
        if not 0.0 < self.step < math.inf:
            raise SimulationError(f"step must be > 0 s, not {self.step:g}")
        if not math.isfinite(self.start):
            raise SimulationError(f"start must be finite, not {self.start:g}")
        if not self.end > self.start:
            raise SimulationError(f"end must be after start ({self.start:g} s), not {self.end:g}")
        resolution = self.resolution(self.start)
        if self.end - self.start <= resolution:
            raise SimulationError(
                f"end must be more than {resolution:g} s after start ({self.start:g} s), the resolution of time with "
                f"a step of {self.step:g} s, not {self.end:g}"
            )
        for name in ("relative_tolerance", "absolute_tolerance"):
            if not 0.0 < getattr(self, name) < math.inf:
                raise SimulationError(f"{name} must be > 0, not {getattr(self, name):g}")
        if not self.max_step >= 0.0:
            raise SimulationError(f"max_step must be ≥ 0 s, not {self.max_step:g}")

    def _unknown_solver(self) -> SimulationError:
        """With the solver that does the same here, if it is one of another tool."""
        name = str(self.solver)
        found = elsewhere.solver(name)
        hint = found.advice if found else ""
        error = SimulationError(f"no solver '{name}'", code="unknown-solver", wrong=name, valid=SOLVERS, hint=hint)
        if found:
            error.near = found.ours
        return error

    def resolution(self, time: float) -> float:
        """Instants nearer than this are one to the engine, s."""
        return 1e-9 * self.step + 2e-15 * abs(time)

    def check_period(self, name: str, period: float) -> None:
        """Raise SimulationError for a time between samples whose samples cannot be told apart."""
        latest = self.end if abs(self.start) < abs(self.end) < math.inf else self.start
        resolution = self.resolution(latest)
        if period <= resolution:
            raise SimulationError(
                f"{name} must be more than {resolution:.3g} s, the resolution of time at {latest:g} s with a step of "
                f"{self.step:g} s, not {period:g} s"
            )

    @staticmethod
    def number(name: str, value: object) -> float:
        """A time in s, or a tolerance, which may be text with a unit. Raises SimulationError if it is none."""
        unit = "1" if name.endswith("tolerance") else "s"
        try:
            if isinstance(value, bool):
                raise TypeError
            return to_unit(value, unit) if isinstance(value, str) else float(value)  # type: ignore[arg-type]
        except ParameterError as problem:
            raise SimulationError(f"{name}: {problem}", code="wrong-unit") from None
        except (TypeError, ValueError, OverflowError):
            raise SimulationError(f"{name} must be a number in {unit}, not {shown(value)}") from None
