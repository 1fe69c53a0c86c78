"""The rate of a sink that is slower than the loop."""

from __future__ import annotations

import math

from blocks.errors import ParameterError, SimulationError, shown
from blocks.units import to_unit


def hertz(rate: object) -> float:
    """A rate in Hz, of a number or text with a unit. Raises SimulationError unless it is > 0."""
    return _positive("rate", rate, "Hz")


def seconds(duration: object, what: str = "keep") -> float:
    """A duration in s, of a number or text with a unit. Raises SimulationError unless it is > 0."""
    return _positive(what, duration, "s")


def _positive(what: str, given: object, unit: str) -> float:
    try:
        if isinstance(given, bool):
            raise TypeError
        value = to_unit(given, unit) if isinstance(given, str) else float(given)  # type: ignore[arg-type]
    except ParameterError as problem:
        raise SimulationError(f"{what}: {problem}") from None
    except (TypeError, ValueError, OverflowError):
        raise SimulationError(f"{what} must be a number in {unit}, or text with a unit, not {shown(given)}") from None
    if not 0.0 < value < math.inf:
        raise SimulationError(f"{what} must be > 0 {unit}, not {shown(given)}")
    return value


class Turns:
    """Says which turns a slower rate takes part in: the first at or after each of its instants.

    rate: Hz, or text with a unit, of simulated time; None: every turn.
    """

    def __init__(self, rate: float | str | None) -> None:
        self._rate = None if rate is None else hertz(rate)
        self._last: int | None = None

    def due(self, t: float) -> bool:
        """Whether the turn that ends at t is one of them."""
        if self._rate is None:
            return True
        number = math.floor(t * self._rate + 1e-6)
        if number == self._last:
            return False
        self._last = number
        return True
