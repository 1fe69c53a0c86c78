"""What the declaration of a block says of values that are legal and improbable."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import numpy as np

from blocks.model.declare import Parameter, Value
from blocks.problems import Problem
from blocks.unit_grammar import UnitSyntaxError, split

_NO_ANGLE = 1e6
"""What is beyond that stands for no limit."""


class HasParameters(Protocol):
    """A block, as far as it is asked for here."""

    values: dict[str, Value]

    @property
    def path(self) -> str:
        """Its dotted name."""

    @classmethod
    def all_parameters(cls) -> Mapping[str, Parameter]:
        """What it declares."""


def improbable_values(block: HasParameters) -> Iterator[Problem]:
    """Parameters beyond what they usually are, such as negative damping, or a wind that no storm has."""
    for name, parameter in block.all_parameters().items():
        most = parameter.usually_at_most
        if most is not None and (greatest := float(np.max(np.asarray(block.values[name], dtype=np.float64)))) > most:
            unit = parameter.unit if isinstance(parameter.unit, str) else ""
            knots = f"; if knots are meant, write '{greatest:g} kn'" if unit == "m/s" else ""
            yield doubtful(
                block,
                name,
                f" is usually ≤ {most:g} {unit}".rstrip() + f", and {greatest:g} is not",
                f"what it is: {parameter.doc}{knots}",
            )
        least = parameter.usually_at_least
        if least is None:
            continue
        value = np.asarray(block.values[name], dtype=np.float64)
        square = value.ndim >= 2 and value.shape[-1] == value.shape[-2]
        seen = np.diagonal(value, axis1=-2, axis2=-1) if square else value
        if np.any(seen < least):
            wanted = "≥ 0" if least == 0.0 else f"≥ {least:g}"
            where = " on its diagonal" if square else ""
            yield Problem(
                "warning",
                "improbable-value",
                f"{block.path}.{name} is usually {wanted}{where}, and {float(seen[seen < least][0]):g} is not",
                hint=f"what it is: {parameter.doc}" if parameter.doc else "",
                block=block.path,
                parameter=name,
            )


def doubtful(block: HasParameters, parameter: str, text: str, hint: str = "") -> Problem:
    """A warning of a value that is legal and improbable; `text` goes on after the name of the parameter."""
    return Problem(
        "warning",
        "improbable-value",
        f"{block.path}.{parameter}{text}",
        hint=hint,
        block=block.path,
        parameter=parameter,
    )


def angles_beyond_a_turn(unit: str | tuple[str, ...] | None, value: Value) -> list[tuple[int, ...]]:
    """The elements of a value that are angles of more than a turn, as degrees are where a unit was forgotten."""
    if unit is None or "rad" not in ((unit,) if isinstance(unit, str) else unit) or isinstance(value, str):
        return []
    array = np.asarray(value, dtype=np.float64)
    large = (np.abs(array) > 2.0 * math.pi) & (np.abs(array) < _NO_ANGLE)
    if isinstance(unit, tuple):
        if array.size != len(unit):
            return []
        large &= np.array([one == "rad" for one in unit]).reshape(array.shape)
    return [tuple(int(i) for i in place) for place in np.argwhere(large)]


def unit_in(value: Any) -> str:
    """The unit in which a quantity was given as text, or all those of a list; "" if there is none."""
    if isinstance(value, str):
        try:
            return split(value.strip())[1]
        except UnitSyntaxError:
            return ""
    if isinstance(value, (list, tuple)) and value:
        found = {unit_in(item) for item in value}
        return found.pop() if len(found) == 1 else ""
    return ""
