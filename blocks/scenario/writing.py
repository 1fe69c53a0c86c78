"""From a diagram to the structure of a scenario: what is not the default, as it was written or else in SI."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.model.declare import Parameter, Value
from blocks.model.item_words import in_words
from blocks.model.text_parameter import FileParameter, WordsParameter
from blocks.scenario.reuse import Notation
from blocks.vehicles.vehicle import read_section
from blocks.yaml.writing import write

_PAGE = 1000
"""Characters that an example may have to be shown."""


def diagram_data(diagram: Diagram, notation: Notation, folder: Path | None) -> dict[str, Any]:
    """A diagram as plain data. Paths of files are given as seen from `folder`, if there is one."""
    data: dict[str, Any] = {}
    if diagram.title:
        data["title"] = diagram.title
    if diagram.doc:
        data["doc"] = diagram.doc
    data["blocks"] = {
        name: {"diagram": diagram_data(component, notation, folder)}
        if isinstance(component, Diagram)
        else block_data(component, notation, folder)
        for name, component in diagram.components.items()
        if isinstance(component, (Block, Diagram))
    }
    return data | {name: section for name, section in wires_data(diagram).items() if section}


def wires_data(diagram: Diagram) -> dict[str, dict[str, Any]]:
    """What a diagram says besides its blocks: inputs, wires and outputs, and where blocks stand in the drawing."""
    declared = {name: [str(sink) for sink in sinks] for name, sinks in diagram.boundary_inputs.items()}
    wires: dict[str, list[str]] = {}
    for source, sinks in diagram.connections():
        further = [
            str(sink) for sink in sinks if not isinstance(source, str) or str(sink) not in declared.get(source, ())
        ]
        if further:
            wires[str(source)] = further
    return {
        "inputs": {name: _short(sinks) for name, sinks in declared.items()},
        "connections": {source: _short(sinks) for source, sinks in wires.items()},
        "outputs": {name: str(ref) for name, ref in diagram.boundary_outputs.items()},
        "layout": {name: list(diagram.layout[name]) for name in diagram.components if name in diagram.layout},
    }


def _short(sinks: list[str]) -> str | list[str]:
    return sinks[0] if len(sinks) == 1 else sinks


def block_data(block: Block, notation: Notation, folder: Path | None) -> dict[str, Any]:
    """A block as plain data."""
    data: dict[str, Any] = {"type": block.type_name()}
    start: dict[str, Value] = {}
    if block.taken_from is not None:
        vehicle, section = block.taken_from
        start, _ = read_section(type(block), vehicle, section)
        data["vehicle"] = _vehicle_name(vehicle, folder)
        if section is not None:
            data["section"] = section
    data |= block.declaration_data()
    parameters: dict[str, Any] = {}
    if block.file_origin is not None and block.file_origin.holds(block):
        origin = block.file_origin
        start = dict(origin.values)
        data["file"] = seen_from(origin.path, folder)
        parameters = {name: _as_yaml(value) for name, value in (origin.options or {}).items()}
    written = notation.get(block, {})
    as_data = with_unit if block.declaration_keys else plain_of
    for name, parameter in block.all_parameters().items():
        value = block.values[name]
        given, stood_for = written.get(name, (None, None))
        if isinstance(parameter, FileParameter):
            parameters[name] = seen_from(str(value), folder)
        elif stood_for is not None and _same(stood_for, value):
            parameters[name] = given
        elif name in start:
            if not _same(start[name], value):
                parameters[name] = as_data(parameter, value)
        elif not _is_default(parameter, value) or (block.declaration_keys and name in block.initial_parameters):
            parameters[name] = as_data(parameter, value)
    return data | ({"parameters": parameters} if parameters else {})


def example_text(block: type[Block]) -> str:
    """A block as a scenario file has it, with the first of its examples; empty if it has none or it is a page long."""
    if not block.examples:
        return ""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", block.__name__).lower()
    made, notation = block(**block.examples[0]), Notation()
    worded = {name: value for name, value in block.examples[0].items() if in_words(value)}
    notation[made] = {name: (value, made.values[name]) for name, value in worded.items()}
    if isinstance(given := block.examples[0].get("parameters"), Mapping):
        notation[made] = {name: (value, made.values[name]) for name, value in given.items()}
    text = write({name: block_data(made, notation, None)})
    return text if len(text) < _PAGE else ""


def _as_yaml(option: Any) -> Any:
    """An option of reading a file, as YAML has it."""
    if isinstance(option, Mapping):
        return {str(name): _as_yaml(value) for name, value in option.items()}
    if isinstance(option, (list, tuple)):
        return [_as_yaml(value) for value in option]
    if isinstance(option, (bool, np.bool_)):
        return bool(option)
    if isinstance(option, Real):
        return int(option) if isinstance(option, Integral) else float(option)
    return option if option is None else str(option)


def plain(value: Value) -> Any:
    """A value as YAML has it: a diagonal matrix as its diagonal, an array as lists."""
    if not isinstance(value, np.ndarray):
        return value
    if value.ndim == 2 and value.shape[0] == value.shape[1] > 1:
        diagonal = np.diag(value)
        if _same(np.diag(diagonal), value):
            return {"diag": diagonal.tolist()}
    return value.tolist()


def plain_of(parameter: Parameter, value: Value) -> Any:
    """A value in SI, as it is read where the unit of the parameter is known."""
    return parameter.data(value) if isinstance(parameter, WordsParameter) else plain(value)


def with_unit(parameter: Parameter, value: Value) -> Any:
    """A value with its unit, where the file declares the parameter by it."""

    def said(number: Any, unit: str | None) -> Any:
        return number if unit in (None, "1") else f"{number!r} {unit}"

    data = plain(value)
    if isinstance(parameter.unit, tuple) and isinstance(data, list):
        return [said(number, unit) for number, unit in zip(data, parameter.unit, strict=True)]
    return _each(data, lambda number: said(number, parameter.unit if isinstance(parameter.unit, str) else None))


def as_written(block: Block, name: str, given: Any) -> Any:
    """How what a parameter is given stands in the file: as it is, but numbers of what the file declares with a unit."""
    parameter = block.all_parameters().get(name)
    if parameter is None or not block.declaration_keys or has_text(given):
        return given
    return with_unit(parameter, parameter.read(given, f"{block.path}.{name}"))


def _each(data: Any, change: Callable[[Any], Any]) -> Any:
    """All numbers of a value changed."""
    if isinstance(data, dict):
        return {key: _each(item, change) for key, item in data.items()}
    return [_each(item, change) for item in data] if isinstance(data, list) else change(data)


def has_text(written: Any) -> bool:
    """Whether something in a value is text, a number with its unit say."""
    if isinstance(written, Mapping):
        return any(map(has_text, written.values()))
    return isinstance(written, str) or (isinstance(written, (list, tuple)) and any(map(has_text, written)))


def _same(a: Value, b: Value) -> bool:
    """Equal to the last bit, and of equal shape."""
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return np.shape(a) == np.shape(b) and np.asarray(a, dtype=float).tobytes() == np.asarray(b, dtype=float).tobytes()


def _is_default(parameter: Parameter, value: Value) -> bool:
    """True if the value need not be written: leaving it out gives the same numbers and the same sizes."""
    if parameter.required:
        return False
    if parameter.switch or isinstance(parameter.default, str):
        return bool(value == parameter.default)
    default, given = np.asarray(parameter.default, dtype=float), np.asarray(value, dtype=float)
    if default.shape != given.shape:
        if not all(isinstance(dimension, int) for dimension in parameter.shape):
            return False
        default, given = np.broadcast_arrays(default, given)
    return default.tobytes() == given.tobytes()


def settings_data(settings: Mapping[str, Any], folder: Path | None) -> dict[str, Any]:
    """What stands under `run`, with the paths of files that give inputs."""
    inputs = {
        name: value | {"file": seen_from(value["file"], folder)}
        if isinstance(value, dict) and "file" in value
        else value
        for name, value in settings.get("inputs", {}).items()
    }
    return {**settings, "inputs": inputs} if inputs else dict(settings)


def _vehicle_name(vehicle: str, folder: Path | None) -> str:
    return seen_from(vehicle, folder) if vehicle.endswith((".yaml", ".yml")) else vehicle


def seen_from(path: str, folder: Path | None) -> str:
    """A path as it is written in a file that stands in this folder; None: as it is seen from here."""
    return path if folder is None else Path(os.path.relpath(path, folder)).as_posix()
