"""Inputs of a run: constants, and signals over time that are held or interpolated from sample to sample."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.errors import SimulationError, did_you_mean, shown
from blocks.model.block import Block
from blocks.model.diagram import Diagram
from blocks.model.port import PortRef
from blocks.plan.flatten import instance_name
from blocks.plan.place import Place

INTERPOLATIONS = ("linear", "hold")
"""What a signal is between two samples, as `TimeSeries` calls it."""


def attach_inputs(
    component: Diagram | Block, inputs: Mapping[str, Any]
) -> tuple[Diagram | Block, dict[str, ArrayLike]]:
    """Constants to set on the plan's inputs, and a copy of the diagram with sources for inputs that vary."""
    ports = component.input_ports
    for name in inputs:
        if name not in ports:
            raise SimulationError(f"no input '{name}'{did_you_mean(name, ports)}")
    for name, port in ports.items():
        if name not in inputs and port.default is None:
            raise SimulationError(f"the input '{name}' needs a value: simulate(…, inputs={{'{name}': …}})")
    varying = {name: value for name, value in inputs.items() if varies(value)}
    if not varying:
        return component, dict(inputs)
    diagram = component.copy()
    if isinstance(diagram, Block):
        diagram = _around(diagram, component.name or instance_name(diagram))
    assert isinstance(diagram, Diagram)
    for name, (times, values, *how) in varying.items():
        diagram.feed_input(name, _source(diagram, name, times, values, how[0] if how else "linear"))
    return diagram, {n: v for n, v in inputs.items() if n not in varying}


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


def check_series(name: str, times: Any, values: Any, how: Any = "linear") -> None:
    """Raise SimulationError or ParameterError for what cannot be the value of an input over time."""
    _source(Diagram(), name, times, values, how)


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


def _source(diagram: Diagram, name: str, times: Any, values: Any, how: Any) -> PortRef:
    """Add what gives an input its values: a series, or of elements that go different ways the sum of two."""
    from blocks.basic import Sum, TimeSeries

    instants, data = numbers(name, times, "the times"), numbers(name, values, "the values")
    ways = interpolations(name, data, how)
    if len(set(ways)) == 1:
        series = diagram.add(
            _free(diagram, f"{name}_series"), TimeSeries(times=instants, data=data, interpolation=ways[0])
        )
        return series.port("y")
    total = diagram.add(_free(diagram, f"{name}_series"), Sum("++"))
    for number, way in enumerate(INTERPOLATIONS, start=1):
        own = np.where([one == way for one in ways], data, 0.0)
        part = diagram.add(_free(diagram, f"{name}_{way}"), TimeSeries(times=instants, data=own, interpolation=way))
        diagram.connect(part.port("y"), total.port(f"in{number}"))
    return total.port("y")


def _free(diagram: Diagram, name: str) -> str:
    """A name that no component has."""
    while name in diagram.components:
        name += "_"
    return name


def _around(block: Block, name: str) -> Diagram:
    """A diagram with one block whose ports are the diagram's."""
    diagram = Diagram()
    diagram.add(name, block)
    diagram.inputs(**{port: block.input_port(port) for port in block.input_ports})
    diagram.outputs(**{port: block.port(port) for port in block.output_ports})
    return diagram
