"""What a metric is: a function of signals, with a unit and a definition in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Function = Callable[..., float]


@dataclass(frozen=True)
class Option:
    """Something that a metric may be told: "settling_time(…, band=0.02)"."""

    default: float
    unit: str
    doc: str
    above: float = -np.inf
    at_least: float = -np.inf
    at_most: float = np.inf

    def allows(self, number: float) -> bool:
        """Whether it may be that; what is not a number it may not."""
        return self.at_least <= number <= self.at_most and (number > self.above or self.above == -np.inf)

    @property
    def range(self) -> str:
        """What it may be, in words."""
        said = [f"> {self.above:g}"] if self.above > -np.inf else []
        said += [f"≥ {self.at_least:g}"] if self.at_least > -np.inf else []
        said += [f"≤ {self.at_most:g}"] if self.at_most < np.inf else []
        return " and ".join(said) or "a number"


@dataclass(frozen=True)
class Definition:
    """A metric.

    signals: the names of what it takes, in their order; one in brackets may be left out. unit: of the result, made from
    those of the signals, "{0}" being that of the first. formula, doc: its definition.
    """

    name: str
    function: Function
    signals: tuple[str, ...]
    unit: str
    formula: str
    doc: str
    options: Mapping[str, Option] = field(default_factory=dict)
    whole: tuple[str, ...] = ()
    """Signals that are taken with all their elements, as poses are."""
    moving: bool = False
    """How the signal changes counts, or what it is about: an angle that wraps is made continuous."""
    direction: bool = False
    """Of an angle that wraps the result is a direction, too."""
    error: bool = False
    """The function takes the difference of the signals, reference less signal, or the signal if it is alone."""

    @property
    def least(self) -> int:
        """How many signals there must be."""
        return sum(not name.startswith("[") for name in self.signals)

    @property
    def usage(self) -> str:
        """How it is written."""
        names = [name.strip("[]") for name in self.signals]
        shown = ", ".join(names[: self.least])
        shown += "".join(f"[, {name}]" for name in names[self.least :])
        return f"{self.name}({shown}{''.join(f', {name}=…' for name in self.options)})"


DEFINITIONS: dict[str, Definition] = {}
"""All metrics by name."""


def metric(
    *signals: str,
    unit: str,
    formula: str,
    whole: tuple[str, ...] = (),
    error: bool = False,
    moving: bool = False,
    direction: bool = False,
    **options: Option,
) -> Callable[[Function], Function]:
    """Make a function of time and signals a metric of its name; its docstring is the definition."""

    def register(function: Function) -> Function:
        doc = " ".join((function.__doc__ or "").split())
        name = function.__name__
        DEFINITIONS[name] = Definition(
            name, function, signals, unit, formula, doc, options, whole, moving, direction, error
        )
        return function

    return register


@dataclass(frozen=True)
class MetricCall:
    """A metric with the signals that it is of and what it is told, as it stands in text."""

    definition: Definition
    signals: tuple[str, ...]
    options: Mapping[str, float] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)
    """Options in the unit of the signal, as they are written."""

    def __str__(self) -> str:
        options = {
            name: f"{value:g}{' s' if name in ('after', 'until') else ''}" for name, value in self.options.items()
        }
        options |= self.said
        return (
            f"{self.definition.name}({', '.join([*self.signals, *(f'{n}={value}' for n, value in options.items())])})"
        )
