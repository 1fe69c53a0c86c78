"""What a person reads off a simulation that runs: numbers with names and the units that people use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.plan.place import Place
from blocks.realtime.run import Readable
from blocks.run.named import element_labels, element_of
from blocks.units import for_people

_MOST = 20
"""So many readings are shown where nothing says which."""


@dataclass(frozen=True)
class Reading:
    """One number of a quantity. `text` and `factor`: the unit for people, and by what a number in SI is multiplied."""

    name: str
    unit: str
    text: str
    factor: float
    view: NDArray[np.float64]
    """A single number of the engine's memory, of no dimension."""

    def value(self) -> float:
        """The number now, in the unit for people."""
        return self.factor * float(self.view)

    def __str__(self) -> str:
        return f"{self.name} = {self.value():.4g} {self.text}".rstrip()


def readings(simulator: Readable, names: Iterable[str] | None = None) -> list[Reading]:
    """A reading for each element of the outputs, inputs and parameters that are named; None: of the first that matter.

    Raises what `simulator[name]` does for a name that is none.
    """
    found = []
    for name in usual(simulator) if names is None else names:
        found += _of(simulator, name)
    return found[:_MOST] if names is None else found


def usual(simulator: Readable) -> list[str]:
    """What is of interest if nothing says so: outputs of the diagram; η and ν of vessels; or else all there is."""
    plan = simulator.plan
    motions = [name for name in plan.outputs if name.rpartition(".")[2] in ("eta", "nu")]
    return list(plan.external_outputs) or motions or list(plan.outputs)


def place_of(simulator: Readable, name: str) -> Place:
    """The place of an output, an input or a parameter, or of what a name with an element is one of."""
    return next(v for v in (simulator.outputs, simulator.inputs, simulator.parameters) if name in v).place(name)


def units_of(place: Place) -> tuple[str, ...]:
    """The unit of each element, in SI."""
    return place.unit if isinstance(place.unit, tuple) else (place.unit or "1",) * place.count


def _of(simulator: Readable, name: str) -> list[Reading]:
    view = simulator[name]
    place = place_of(simulator, name)
    units = units_of(place)
    if "[" in name:
        return [_reading(name, units[element_of(place, name)], view)]
    flat = view.reshape(-1)
    labels = element_labels(place)
    return [
        _reading(f"{name}[{labels[i]}]" if place.count > 1 else name, unit, flat[i : i + 1].reshape(()))
        for i, unit in enumerate(units)
    ]


def _reading(name: str, unit: str, view: NDArray[np.float64]) -> Reading:
    return Reading(name, unit, *for_people(unit), view)
