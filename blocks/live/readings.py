"""What a person reads off a simulation that runs: numbers with names and the units that people use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from blocks.plan.place import Place
from blocks.units import for_people

if TYPE_CHECKING:
    from blocks.simulator import Simulator

_MOST = 12
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


def readings(simulator: Simulator, names: Iterable[str] | None = None) -> list[Reading]:
    """A reading for each element of the outputs, inputs and parameters that are named; None: of the first that matter.

    Raises what `simulator[name]` does for a name that is none.
    """
    found = []
    for name in usual(simulator) if names is None else names:
        found += _of(simulator, name)
    return found[:_MOST] if names is None else found


def usual(simulator: Simulator) -> list[str]:
    """What is of interest if nothing says so: outputs of the diagram; η and ν of vessels; or else all there is."""
    plan = simulator.plan
    motions = [name for name in plan.outputs if name.rpartition(".")[2] in ("eta", "nu")]
    return list(plan.external_outputs) or motions or list(plan.outputs)


def place_of(simulator: Simulator, name: str) -> Place:
    """The place of an output, an input or a parameter that is there."""
    plan = simulator.plan
    tables: tuple[Mapping[str, Place], ...] = (plan.outputs, plan.external_outputs, plan.inputs, plan.parameters)
    return next(table[name] for table in tables if name in table)


def labels_of(place: Place) -> tuple[str, ...]:
    """The names of a quantity's elements: labels, or numbers; nothing for a single number."""
    labels = place.signal.labels if place.signal else place.parameter.labels if place.parameter else ()
    if place.shape == (len(labels),):
        return labels
    return tuple(map(str, range(place.count))) if place.shape else ()


def units_of(place: Place) -> tuple[str, ...]:
    """The unit of each element, in SI."""
    return place.unit if isinstance(place.unit, tuple) else (place.unit or "1",) * place.count


def _of(simulator: Simulator, name: str) -> list[Reading]:
    view = simulator[name]
    bare, _, element = name.partition("[")
    place = place_of(simulator, bare)
    labels, units = labels_of(place), units_of(place)
    if element:
        label = element.removesuffix("]")
        unit = units[labels.index(label) if label in labels else int(label)]
        return [Reading(name, unit, *for_people(unit), view.reshape(()))]
    flat = view.reshape(-1)
    return [
        Reading(f"{name}[{labels[i]}]" if labels else name, unit, *for_people(unit), flat[i : i + 1].reshape(()))
        for i, unit in enumerate(units)
    ]
