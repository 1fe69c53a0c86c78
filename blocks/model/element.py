"""Single numbers of parameters that are arrays, by name: "sway_derivatives[Y_v]", "positions[0,2]"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from blocks.errors import ParameterError
from blocks.model.declare import Parameter, Value


def bare(name: str) -> str:
    """The parameter that a name is of: "yaw_derivatives" of "yaw_derivatives[N_r]"."""
    return name.partition("[")[0].strip()


def labels_of(parameter: Parameter, shape: tuple[int, ...]) -> list[str]:
    """What the numbers of an array are called: by its labels, or by their numbers from 0, "2" and "0,2"."""
    if len(parameter.labels) == int(np.prod(shape)):
        return list(parameter.labels)
    return [",".join(map(str, index)) for index in np.ndindex(*shape)]


def place_in(parameter: Parameter, shape: tuple[int, ...], name: str, where: str) -> int:
    """Which number of an array is meant, in rows. `where` begins messages. Raises ParameterError if there is none."""
    label = name.partition("[")[2].removesuffix("]").replace(" ", "")
    labels = labels_of(parameter, shape)
    if label in labels:
        return labels.index(label)
    if label.isdigit() and int(label) < len(labels) and len(shape) == 1:
        return int(label)
    if not shape:
        raise ParameterError(f"{where} is a single number, and has no element '{label}'")
    raise ParameterError(f"{where} has no element '{label}'", code="unknown-element", wrong=label, valid=labels)


def unit_at(parameter: Parameter, place: int) -> str | None:
    """The unit of one number of an array."""
    return parameter.unit[place] if isinstance(parameter.unit, tuple) else parameter.unit


def with_elements(
    given: Mapping[str, Any], values: Mapping[str, Value], known: Mapping[str, Parameter], called: str
) -> dict[str, Any]:
    """Parameters with elements put into the arrays that there are. Raises ParameterError."""
    found = {name: value for name, value in given.items() if "[" not in name}
    for name, value in given.items():
        own = bare(name)
        if "[" not in name or own not in known:
            found.setdefault(name, value)
            continue
        where, parameter = f"{called}.{own}", known[own]
        array = _whole(parameter, found.get(own, values[own]), where)
        at = place_in(parameter, array.shape, name, where)
        array.flat[at] = parameter.read_element(value, unit_at(parameter, at), f"{called}.{name}")
        found[own] = array
    return found


def _whole(parameter: Parameter, value: Any, where: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A copy of an array, in full where a single number stands for each element."""
    if parameter.choices or parameter.switch:
        raise ParameterError(f"{where} has no elements: it is {parameter.form()}")
    array = np.array(parameter.read(value, where), dtype=np.float64)
    if not array.ndim and parameter.shape:
        if not all(isinstance(d, int) for d in parameter.shape):
            raise ParameterError(f"{where} is one number for all elements here: give it as a whole, with all of them")
        array = np.full([int(d) for d in parameter.shape], float(array))
    return array
