"""Inputs of a run: constants, and signals over time that are held or interpolated from sample to sample."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import SimulationError, did_you_mean, shown
from blocks.flatten import instance_name
from blocks.place import Place
from blocks.port import PortRef

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
    """Whether a value of an input is one over time: (times, values) or (times, values, interpolation)."""
    if not isinstance(value, tuple) or len(value) not in (2, 3) or np.ndim(value[0]) != 1:
        return False
    how = value[2] if len(value) == 3 else ""
    return isinstance(how, str) or (isinstance(how, (list, tuple)) and any(isinstance(one, str) for one in how))


def numbers(name: str, value: Any) -> NDArray[np.float64]:
    """The value of an input as an array of finite numbers. Raises SimulationError."""
    try:
        array = np.array(value, dtype=np.float64) if value is not None else None
    except (TypeError, ValueError, OverflowError):
        array = None
    if array is None:
        raise SimulationError(f"input '{name}' must be a number or an array of numbers, not {shown(value)}")
    if not np.all(np.isfinite(array)):
        raise SimulationError(f"input '{name}' must be finite, not {shown(value)}")
    return array


def input_numbers(place: Place, value: Any) -> NDArray[np.float64]:
    """The value of an input, flat as the engine has it. Raises SimulationError if it does not fit."""
    array = numbers(place.name, value)
    if array.shape not in (place.shape, ()) and array.size != place.count:
        wanted = f"an array of {'×'.join(map(str, place.shape))}" if place.shape else "a single number"
        raise SimulationError(f"input '{place.name}' takes {wanted}, not an array of {'×'.join(map(str, array.shape))}")
    return np.broadcast_to(array, place.shape).reshape(-1) if array.ndim == 0 else array.reshape(-1)


def _source(diagram: Diagram, name: str, times: Any, values: Any, how: Any) -> PortRef:
    """Add what gives an input its values: a series, or of elements that go different ways the sum of two."""
    from blocks.basic import Sum, TimeSeries

    instants, data = numbers(name, times), numbers(name, values)
    ways = [how] if isinstance(how, str) else list(how)
    for way in ways:
        if way not in INTERPOLATIONS:
            raise SimulationError(
                f"input '{name}': the interpolation must be {' or '.join(map(repr, INTERPOLATIONS))}, not {way!r}"
                f"{did_you_mean(way, INTERPOLATIONS) if isinstance(way, str) else ''}"
            )
    width = data.shape[1] if data.ndim == 2 else 1
    if not isinstance(how, str) and len(ways) != width:
        raise SimulationError(
            f"input '{name}' needs one interpolation, or one for each of its elements: {width}, not {len(ways)}"
        )
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
