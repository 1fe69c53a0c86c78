"""Parameters that are turned: where they stand in a plan, and between what they may lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError
from blocks.lab.analysis.elements import Element, find
from blocks.lab.analysis.trim import limits_of
from blocks.lab.tuning.errors import TuningError
from blocks.plan import Plan
from blocks.units import to_unit

Array = NDArray[np.float64]

_DECADE = 10.0


@dataclass(frozen=True)
class Knob:
    """One number that is turned.

    low, high: bounds, SI. logarithmic: steps are shares of its value: it is positive, with bounds a decade apart or
    more.
    """

    element: Element
    low: float
    high: float
    start: float

    @property
    def logarithmic(self) -> bool:
        """True if it is better turned by factors."""
        return self.low > 0.0 and np.isfinite(self.high) and self.high >= _DECADE * self.low

    def position(self, value: float) -> float:
        """From a value to a number of about one."""
        if self.logarithmic:
            return float(np.log(value / self.low) / np.log(self.high / self.low))
        return (value - self._origin) / self._span

    def value(self, position: float) -> float:
        """Back again, within the bounds."""
        if self.logarithmic:
            found = self.low * (self.high / self.low) ** position
        else:
            found = self._origin + position * self._span
        return float(min(max(found, self.low), self.high))

    @property
    def bounds(self) -> tuple[float, float]:
        """Of the position."""
        return self.position(self.low), self.position(self.high)

    @property
    def _origin(self) -> float:
        return self.low if np.isfinite(self.low) and np.isfinite(self.high) else 0.0

    @property
    def _span(self) -> float:
        if np.isfinite(self.low) and np.isfinite(self.high):
            return self.high - self.low
        return abs(self.start) or 1.0


def knobs_of(plan: Plan, over: Mapping[str, Any]) -> list[Knob]:
    """The numbers to turn. Raises TuningError for names that are not there and bounds that cannot be."""
    if not over:
        raise TuningError("name at least one parameter to tune: over={'heading.kp': (10, 1000)}")
    stored = plan.engine().values
    made: list[Knob] = []
    for name, given in over.items():
        bare = name.partition("[")[0]
        elements = find(plan.parameters, name, "parameter")
        owner, _, parameter = bare.rpartition(".")
        block = next(leaf.block for leaf in plan.flat.leaves if leaf.name == owner)
        if parameter in block.structural_parameters():
            raise TuningError(
                f"{bare} decides what {type(block).__name__} computes, and cannot be tuned; "
                "compare its values in a study"
            )
        if block.all_parameters()[parameter].integer:
            raise TuningError(f"{bare} is a whole number, and cannot be tuned; compare its values in a study")
        declared = limits_of(plan.parameters[bare].parameter)  # type: ignore[call-overload]
        for element in elements:
            low, high = _bounds(element, given, declared)
            start = float(stored[element.place])
            if not low <= start <= high:
                start = min(max(start, low), high)
            made.append(Knob(element, low, high, start))
    return made


def _bounds(element: Element, given: Any, declared: tuple[float, float]) -> tuple[float, float]:
    """Between what a number may lie: what was given, within the declaration."""
    if given is None:
        return declared
    try:
        low, high = given
    except (TypeError, ValueError, OverflowError):
        raise TuningError(
            f"the bounds of {element.name} must be two values, (10, 1000), or None, not {given!r}"
        ) from None
    found = [_number(element, one, other) for one, other in ((low, declared[0]), (high, declared[1]))]
    if not found[0] < found[1]:
        raise TuningError(f"the lower bound of {element.name} must be below the upper one, not {low!r} and {high!r}")
    for value in found:
        if not declared[0] <= value <= declared[1]:
            raise TuningError(
                f"the bound {value:g} of {element.name} is outside of what it may be, {declared[0]:g} to "
                f"{declared[1]:g}"
            )
    return found[0], found[1]


def _number(element: Element, given: Any, otherwise: float) -> float:
    if given is None:
        return otherwise
    try:
        value = to_unit(given, element.unit) if isinstance(given, str) else float(given)
    except (ParameterError, TypeError, ValueError) as problem:
        raise TuningError(f"a bound of {element.name}: {problem}") from None
    if np.isnan(value):
        raise TuningError(f"a bound of {element.name} is not a number")
    return value
