"""Single numbers of a plan by name, such as "vessel.nu[u]"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from blocks.errors import did_you_mean
from blocks.lab.analysis.errors import AnalysisError
from blocks.plan.place import Place
from blocks.signal import BodyVelocity, Wrench

PLANAR = (0, 1, 5)
"""Surge, sway and yaw among the six motions."""


@dataclass(frozen=True)
class Element:
    """One number of a plan."""

    name: str
    place: int
    """Where it stands among the values of the engine."""
    unit: str
    nominal: float
    """The magnitude that it usually has."""


def elements_of(place: Place) -> list[Element]:
    """All numbers of a quantity."""
    labels: tuple[str, ...] = place.signal.labels if place.signal is not None else ()
    parameter = place.parameter  # type: ignore[call-overload]
    if not labels and parameter is not None:
        labels = parameter.labels
    if len(labels) != place.count:
        labels = _numbered(place.shape)
    units = place.unit if isinstance(place.unit, tuple) else (place.unit or "1",) * place.count
    if place.shape == ():
        return [Element(place.name, place.first, units[0], float(np.max(place.nominal)))]
    nominals = place.nominal if isinstance(place.nominal, tuple) else (place.nominal,) * place.count
    return [
        Element(f"{place.name}[{label}]", place.first + i, unit, float(nominal))
        for i, (label, unit, nominal) in enumerate(zip(labels, units, nominals, strict=True))
    ]


def _numbered(shape: tuple[int, ...]) -> tuple[str, ...]:
    """Numbers of elements from 0, those of a matrix by row and column: "0,1"."""
    return tuple(",".join(map(str, index)) for index in np.ndindex(*shape))


def _label(given: str, shape: tuple[int, ...]) -> str:
    """A label as `elements_of` has it: "Y,r" of a matrix of six or of three motions becomes "1,5" or "1,2"."""
    parts = given.replace(" ", "").split(",")
    if len(parts) != 2 or len(shape) != 2:
        return given
    chosen = []
    for part, motions in zip(parts, _motions(shape) or ((), ()), strict=True):
        chosen.append(str(motions.index(part)) if part in motions else part)
    return ",".join(chosen)


def _motions(shape: tuple[int, ...]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """What rows and columns of a matrix of six or of three motions are called."""
    if shape == (6, 6):
        return tuple(Wrench.labels), tuple(BodyVelocity.labels)
    if shape == (len(PLANAR),) * 2:
        return tuple(Wrench.labels[i] for i in PLANAR), tuple(BodyVelocity.labels[i] for i in PLANAR)
    return None


def find(places: Mapping[str, Place], reference: str, what: str) -> list[Element]:
    """The numbers that "vessel.nu" or "vessel.nu[u]" means. Raises AnalysisError for names that are not there."""
    bare, bracket, rest = reference.partition("[")
    if bare not in places:
        raise AnalysisError(f"there is no {what} '{bare}'{did_you_mean(bare, places)}")
    found = elements_of(places[bare])
    if not bracket:
        return found
    label = _label(rest.removesuffix("]"), places[bare].shape)
    for number, element in enumerate(found):
        if label == str(number) or element.name == f"{places[bare].name}[{label}]":
            return [element]
    given, motions = rest.removesuffix("]"), _motions(places[bare].shape)
    valid = [element.name.partition("[")[2].removesuffix("]") for element in found]
    if motions and not given.replace(",", "").replace(" ", "").isdigit():
        valid = [f"{row},{column}" for row in motions[0] for column in motions[1]]
    raise AnalysisError(f"'{reference}': {bare} has no element '{given}'{did_you_mean(given, valid)}")


def find_one(places: Mapping[str, Place], reference: str, what: str) -> Element:
    """As `find`, where one number is meant."""
    found = find(places, reference, what)
    if len(found) != 1:
        raise AnalysisError(
            f"'{reference}' has {len(found)} elements; name one of them: {', '.join(one.name for one in found[:8])}"
        )
    return found[0]


def find_all(tables: Mapping[str, Mapping[str, Place]], references: Iterable[str], what: str) -> list[Element]:
    """What references mean, each looked for in the tables by their order. Raises AnalysisError."""
    found: list[Element] = []
    for reference in references:
        bare = reference.partition("[")[0]
        table = next((table for table in tables.values() if bare in table), None)
        if table is None:
            valid = [name for table in tables.values() for name in table]
            raise AnalysisError(f"there is no {what} '{bare}'{did_you_mean(bare, valid)}")
        found += find(table, reference, what)
    return found
