"""Factors as results show them: numbers with a unit, or labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.model.declare import Parameter
from blocks.model.element import bare
from blocks.plan import Plan
from blocks.plan.place import Place
from blocks.plan.variation import place_of
from blocks.study.angles import check_directions
from blocks.study.errors import StudyError
from blocks.study.factor import Level, NamedFactor, first_twice
from blocks.study.members import SAMPLE, Members


@dataclass
class Column:
    """A factor as a column of the table: its dimension, its value at each place there, and the unit of those."""

    name: str
    dimension: str
    values: NDArray[Any]
    unit: str = ""


def column_of(factor: NamedFactor, plan: Plan, members: Members) -> Column:
    """Numbers in SI where the levels are plain numbers of one parameter or input, else their labels.

    Raises StudyError for levels that are the same, and for directions that do not close the circle.
    """
    target = factor.targets[0]
    place = place_of(plan.parameters, target) if bare(target) in plan.parameters else plan.inputs.get(target)
    unit = place.unit if place is not None and isinstance(place.unit, str) and place.unit != "1" else ""
    if factor.distribution is not None:
        return Column(factor.name, SAMPLE, members.values(factor, unit or None), unit)
    numbers = _numbers(factor, place)
    if numbers is None:
        labels = [level.label for level in factor.levels]
        alike = len({type(label) for label in labels}) == 1
        array, unit = np.array(labels if alike else [str(label) for label in labels]), ""
    else:
        array = np.array(numbers)
        if unit in ("rad", ""):
            check_directions(factor.name, numbers, factor.circular if unit else factor.circular or False)
        elif factor.circular:
            raise StudyError(f"factor '{factor.name}' is in {unit}, and goes around no circle: only angles do")
        twice = first_twice(numbers)
        if twice is not None:
            raise StudyError(f"factor '{factor.name}' has the level {twice:g}{' ' if unit else ''}{unit} twice")
    if factor.chosen:
        return Column(factor.name, SAMPLE, array[members.choice(factor)], unit)
    return Column(factor.name, factor.name, array, unit)


def _numbers(factor: NamedFactor, place: Place | None) -> list[float] | None:
    """The levels as numbers in SI; None if they have labels of their own or are no numbers."""
    if place is None:
        return None
    parameter = place.parameter  # type: ignore[call-overload]
    if parameter is not None and (parameter.choices or parameter.switch or isinstance(parameter.default, str)):
        return None
    unit = place.unit if isinstance(place.unit, str) else None
    values = [_number(level, factor, parameter, unit) for level in factor.levels]
    return None if None in values else [value for value in values if value is not None]


def _number(level: Level, factor: NamedFactor, parameter: Parameter | None, unit: str | None) -> float | None:
    value = level.changes.get(factor.targets[0])
    plain = isinstance(value, (int, float, str, np.number)) and not isinstance(value, (bool, np.bool_))
    if not plain or level.label != value or (parameter is None and isinstance(value, str)):
        return None
    if parameter is None:
        return float(value)
    element = bare(factor.targets[0]) != factor.targets[0]
    return parameter.read_element(value, unit, factor.name) if element else float(parameter.read(value, factor.name))
