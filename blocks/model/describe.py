"""What a block declares, as plain data: for `keelblocks show`, the schema of scenarios, and forms."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from blocks.errors import ParameterError
from blocks.model.block import Block
from blocks.model.declare import Input, Output, Parameter
from blocks.model.text_parameter import TextParameter
from blocks.signal import Signal


def describe_block(cls: type[Block]) -> dict[str, Any]:
    """Documentation, ports, states, parameters, calculated parameters and an example of a type of block."""
    inputs, outputs = _ports(cls)
    return {
        "type": cls.type_name(),
        "summary": summary(cls),
        "doc": inspect.getdoc(cls) or "",
        "inputs": [_port(port) | {"required": port.default is None} for port in inputs.values()],
        "outputs": [_port(port) for port in outputs.values()],
        "states": [
            {"name": state.name, **_signal(state.signal), "discrete": state.discrete, "doc": state.doc}
            for state in cls.declared_states.values()
            if not state.private
        ],
        "parameters": [describe_parameter(parameter) for parameter in cls.all_parameters().values()],
        "calculated": [
            {
                "name": parameter.name,
                "shape": list(parameter.shape),
                "unit": unit_text(parameter.unit),
                "doc": parameter.doc,
                "from": list(parameter.depends),
            }
            for parameter in cls.calculated_parameters.values()
        ],
        "example": {name: _plain(value) for name, value in (*cls.examples, {})[0].items()},
    } | ({"vocabulary": dict(cls.vocabulary)} if cls.vocabulary else {})


def describe_values(block: Block) -> list[dict[str, Any]]:
    """What a block has by name: inputs, parameters with their values in SI, states and outputs."""
    found = [_port(port) | {"role": "input"} for port in block.input_ports.values()]
    for name, parameter in block.all_parameters().items():
        value: Any = block.values[name]
        found.append(describe_parameter(parameter) | {"role": "parameter", "value": _plain(value)})
        found[-1]["shape"] = list(np.shape(value))
        if isinstance(value, (str, bool)):
            found[-1]["unit"] = ""
    found += [
        {"name": state.name, **_signal(state.signal), "role": "discrete state" if state.discrete else "state"}
        | {"doc": state.doc}
        for state in block.states.values()
        if not state.private
    ]
    return found + [_port(port) | {"role": "output"} for port in block.output_ports.values()]


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    return value if isinstance(value, (str, bool, Mapping)) else np.asarray(value).tolist()


def summary(cls: type[Block]) -> str:
    """The first sentence of a block's documentation."""
    first = (inspect.getdoc(cls) or "").partition("\n\n")[0].replace("\n", " ")
    sentence, stop, _ = first.partition(". ")
    return sentence + stop.strip()


def describe_parameter(parameter: Parameter) -> dict[str, Any]:
    """One parameter: shape, unit, range, default and what it means."""
    data: dict[str, Any] = {
        "name": parameter.name,
        "shape": list(parameter.shape),
        "unit": unit_text(parameter.unit),
        "doc": parameter.doc,
        "required": parameter.required,
        "tunable": parameter.tunable,
    }
    if not parameter.required:
        default: Any = parameter.default
        data["default"] = default if isinstance(default, (str, bool)) else np.asarray(default).tolist()
    if isinstance(parameter, TextParameter):
        data["text"] = True
    if parameter.choices:
        data["choices"] = list(parameter.choices)
    if parameter.range_text():
        data["range"] = parameter.range_text()
    return data


def unit_text(unit: str | tuple[str, ...] | None) -> str:
    """A unit for people; one per element where they differ, each named once; "any" where the wires decide."""
    if unit is None:
        return "any"
    return " ".join(dict.fromkeys(unit)) if isinstance(unit, tuple) else unit


def _ports(cls: type[Block]) -> tuple[Mapping[str, Input], Mapping[str, Output]]:
    """The declared ports; of a block whose ports depend on its parameters, those that it has by default."""
    if cls.declared_inputs or cls.declared_outputs:
        inputs, outputs = cls.declared_inputs, cls.declared_outputs
    else:
        inputs, outputs = {}, {}
    try:
        block = cls()
    except ParameterError:
        return inputs, outputs
    return {**block.input_ports, **inputs}, {**block.output_ports, **outputs}


def _port(port: Input | Output) -> dict[str, Any]:
    return {"name": port.name, **_signal(port.signal), "doc": port.doc}


def _signal(signal: Signal) -> dict[str, Any]:
    data: dict[str, Any] = {"signal": signal.name, "shape": list(signal.shape), "unit": unit_text(signal.unit)}
    if signal.frame:
        data["frame"] = signal.frame
    if signal.labels:
        data["labels"] = list(signal.labels)
    return data
