"""What is given to the inputs of a run: constants, or samples over time; as numbers, checked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import SimulationError, did_you_mean, shown
from blocks.plan.place import Place

INTERPOLATIONS = ("linear", "hold")
"""What a signal is between two samples, as `TimeSeries` calls it."""


def varies(value: Any) -> bool:
    """Whether a value of an input is one over time: (times, values) or (times, values, interpolation).

    Three rows of numbers are an array; with anything else in the third place it is an interpolation that is wanted.
    """
    if not isinstance(value, tuple) or len(value) not in (2, 3):
        return False
    if len(value) == 2:
        return _dimensions(value[0]) == 1
    return _dimensions(value[0]) != 0 and not _is_row(value[2])


def _dimensions(value: Any) -> int | None:
    """How many dimensions an array has, None if its rows are not of one length."""
    try:
        return np.ndim(value)
    except ValueError:
        return None


def _is_row(value: Any) -> bool:
    if not isinstance(value, (list, tuple, np.ndarray)) or len(value) == 0:
        return False
    return not any(isinstance(one, (str, bytes)) or one is None for one in value)


def numbers(name: str, value: Any, part: str = "") -> NDArray[np.float64]:
    """The value of an input as an array of finite numbers, or a `part` of it, "the times". Raises SimulationError."""
    what = f"{part} of input '{name}'" if part else f"input '{name}'"
    try:
        array = np.array(value, dtype=np.float64) if value is not None else None
    except (TypeError, ValueError, OverflowError):
        array = None
    if array is None:
        raise SimulationError(
            f"{what} must be {_NUMBERS.get(part, 'a number or a list of numbers')}, not {shown(value)}"
        )
    if not np.all(np.isfinite(array)):
        raise SimulationError(f"{what} must be finite, not {shown(value)}")
    if part == "the times" and array.ndim != 1:
        raise SimulationError(
            f"{what} must be {_NUMBERS.get(part, 'a number or a list of numbers')}, not {shown(value)}"
        )
    return array


_NUMBERS = {
    "": "a number or an array of numbers",
    "the times": "a list of numbers",
    "the values": "a number, or a list of as many numbers, for each time",
}


def input_numbers(place: Place, value: Any) -> NDArray[np.float64]:
    """The value of an input, flat as the engine has it. Raises SimulationError if it does not fit."""
    array = numbers(place.name, value)
    if array.shape not in (place.shape, ()) and array.size != place.count:
        wanted = f"an array of {'×'.join(map(str, place.shape))}" if place.shape else "a single number"
        raise SimulationError(f"input '{place.name}' takes {wanted}, not an array of {'×'.join(map(str, array.shape))}")
    return np.broadcast_to(array, place.shape).reshape(-1) if array.ndim == 0 else array.reshape(-1)


def one_number(name: str, value: Any) -> float:
    """The value of an element of an input. Raises SimulationError if it is not a single number."""
    array = numbers(name, value)
    if array.size != 1:
        raise SimulationError(f"'{name}' is a single number, not {shown(value)}")
    return float(array.reshape(()))


def interpolations(name: str, values: NDArray[np.float64], how: Any) -> list[str]:
    """The interpolation of each element, or one of all. Raises SimulationError."""
    several = isinstance(how, (list, tuple, np.ndarray))
    ways = list(how) if several else [how]
    for way in ways:
        if not isinstance(way, str) or way not in INTERPOLATIONS:
            raise SimulationError(
                f"input '{name}': the interpolation must be {' or '.join(map(repr, INTERPOLATIONS))}, not {shown(way)}"
                f"{did_you_mean(way, INTERPOLATIONS) if isinstance(way, str) else ''}"
            )
    width = values.shape[1] if values.ndim == 2 else 1
    if several and len(ways) != width:
        raise SimulationError(
            f"input '{name}' needs one interpolation, or one for each of its elements: {width}, not {len(ways)}"
        )
    return ways
