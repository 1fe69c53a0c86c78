"""What a block was given: the names of its parameters, and their values beside the defaults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from blocks.errors import ParameterError
from blocks.model.declare import REQUIRED, Parameter, Value


def own_names(given: Mapping[str, Any], name_of: Callable[[str], str], called: str) -> dict[str, Any]:
    """Parameters by their own names, which may be given by another one. Raises ParameterError for both."""
    found: dict[str, Any] = {}
    for written, value in given.items():
        name = name_of(written)
        if name in found:
            both = [other for other in given if name_of(other) == name]
            raise ParameterError(f"{called}: {' and '.join(both)} are the same: give one of them")
        found[name] = value
    return found


def full_default(parameter: Parameter) -> Any:
    """A default in full: a single number stands for every element of a fixed shape."""
    if parameter.choices or parameter.switch or not parameter.shape or np.ndim(parameter.default):  # type: ignore[arg-type]
        return parameter.default
    if all(isinstance(d, int) for d in parameter.shape):
        return np.full(parameter.shape, parameter.default)
    return parameter.default


def differs(value: Value, parameter: Parameter) -> bool:
    """Whether a value is another one than the default."""
    if parameter.default is REQUIRED:
        return True
    return not np.array_equal(np.asarray(value), np.asarray(full_default(parameter)))


def short(value: Value) -> str:
    """A value as reprs show it."""
    if isinstance(value, np.ndarray):
        return np.array2string(value, separator=", ", threshold=12, precision=4).replace("\n", "")
    return repr(value)
