"""How far two results may be apart, as people say it: "1e-9", "1 mm", "vessel.eta=1 mm", "plant.*=1e-6"."""

from __future__ import annotations

import fnmatch
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.difference.recorded import Signal
from blocks.errors import ParameterError, did_you_mean
from blocks.unit_grammar import UnitSyntaxError, split
from blocks.units import to_unit

__all__ = ["Tolerance", "limits", "parse_tolerances"]


@dataclass(frozen=True)
class Tolerance:
    """A greatest difference; `name` says for which signals, with * for any characters, and may name an element.

    Without a unit it is in the unit of each element. With one it holds for the elements that have such a unit.
    """

    value: str
    name: str = "*"

    def of(self, unit: str) -> float | None:
        """The same in a unit; None if it is of another kind."""
        try:
            return to_unit(self.value, unit)
        except ParameterError:
            return None


def parse_tolerances(texts: Iterable[str | float]) -> list[Tolerance]:
    """Tolerances from texts. Raises ParameterError if one is none."""
    found = []
    for text in texts:
        name, equals, value = str(text).rpartition("=")
        value = value.strip()
        try:
            number, _ = split(value)
            valid = math.isfinite(number) and number >= 0.0
            to_unit(value, None)  # whether the unit is one
        except UnitSyntaxError:
            valid = False
        if not valid or (equals and not name.strip()):
            raise ParameterError(
                f"'{text}' is no tolerance: a number that is not negative, with or without unit, is wanted, such as "
                f"1e-9, '1 mm' or 'vessel.eta=1 mm'"
            )
        found.append(Tolerance(value, name.strip() or "*"))
    return found


def limits(tolerances: Iterable[Tolerance], signals: Mapping[str, Signal]) -> dict[str, NDArray[np.float64]]:
    """The greatest difference of each element of all signals: what is said last holds, and 0 where nothing is said.

    Raises ParameterError where a tolerance is for no signal, or for signals that have no such unit.
    """
    found = {name: np.zeros(len(signal.units)) for name, signal in signals.items()}
    for tolerance in tolerances:
        named = fits = False
        for name, signal in signals.items():
            for i, (element, unit) in enumerate(zip(signal.elements, signal.units, strict=True)):
                full = f"{name}[{element}]" if element else name
                if not any(_matches(tolerance.name, each) for each in (name, full)):
                    continue
                named = True
                value = tolerance.of(unit)
                if value is not None:
                    found[name][i] = value
                    fits = True
        if not named:
            near = did_you_mean(tolerance.name, signals)
            raise ParameterError(f"the tolerance of '{tolerance.name}' is for no signal of both results{near}")
        if not fits:
            raise ParameterError(f"the tolerance '{tolerance.value}' fits no unit of {tolerance.name}")
    return found


def _matches(pattern: str, name: str) -> bool:
    """Whether a name is meant; brackets stand for themselves."""
    return pattern == name or fnmatch.fnmatchcase(name, pattern.replace("[", "[[]"))
