"""Inputs that vary: in a copy of the diagram a source stands for each, which holds or interpolates its samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import SimulationError, did_you_mean, shown
from blocks.model.component import PortRef
from blocks.plan.flatten import instance_name
from blocks.run.inputs import INTERPOLATIONS, interpolations, numbers, varies


def attach_inputs(
    component: Diagram | Block, inputs: Mapping[str, Any], *, all_given: bool = True
) -> tuple[Diagram | Block, dict[str, ArrayLike]]:
    """A copy of the diagram with sources for inputs that vary, and constants to set on the plan's inputs.

    all_given: inputs without default have to be there. Raises SimulationError for what does not fit.
    """
    ports = component.input_ports
    if not isinstance(inputs, Mapping):
        raise SimulationError(
            f"inputs are a mapping of names to values, such as {{'force': [10, 0, 0]}}, not {shown(inputs)}"
        )
    for name in inputs:
        if name not in ports:
            raise SimulationError(f"no input '{name}'{did_you_mean(name, ports)}")
    for name, port in ports.items():
        if all_given and name not in inputs and port.default is None:
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


def check_series(name: str, times: Any, values: Any, how: Any = "linear") -> None:
    """Raise SimulationError or ParameterError for what cannot be the value of an input over time."""
    _source(Diagram(), name, times, values, how)


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
