"""A component of an SSP as an FMU block with the parameters that the file gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from blocks.errors import KeelblocksError
from fmu.foreign.parameters import Setting
from fmu.foreign.ports import Face
from fmu.foreign.variables import Variable
from fmu.identifiers import resolve
from fmu.importer import FmuBlock
from fmu.ssp_read.building import Opened
from fmu.ssp_read.package import Package
from fmu.ssp_read.parameters import Given, value_for
from fmu.ssp_read.ports import Ports, Spot
from fmu.ssp_read.structure import ComponentNode
from fmu.ssp_read.transformation import Conversion


def open_component(
    path: Path,
    node: ComponentNode,
    where: str,
    values: dict[str, Given],
    settings: dict[str, Any],
    package: Package,
) -> Opened:
    """Open an FMU and give it its values. Raises FmuError that names the package and the component."""
    try:
        block = FmuBlock(str(path), **settings)
        face = block.face
        values = _by_shown_name(values, face)
        changes = {}
        for name, setting in face.settings.items():
            given = _given(setting.variable, values)
            if any(item is not None for item in given):
                changes[name] = _value(setting, given, block.values[name], where)
        block.set(**changes)
    except KeelblocksError as problem:
        raise package.error(f"component '{where}' ({node.source}): {problem}") from None
    conversions: dict[str, Conversion] = {}
    starts: dict[Spot, float] = {}
    sides = []
    for ports in (face.inputs, face.outputs):
        found = Ports()
        for port in ports:
            variable = face.sources[port]
            _place(found, port, variable)
            for member in variable.members:
                conversions[member.name] = variable.conversions[
                    0 if len(variable.members) == 1 else _index(variable, member)
                ]
        sides.append(found)
    for port in face.inputs:
        variable = face.sources[port]
        for i, item in enumerate(_given(variable, values)):
            if item is not None:
                starts[port, i] = float(value_for(item, variable, i, f"{where}.{port}"))
    return Opened(block, sides[0], sides[1], conversions, starts)


def _by_shown_name(values: dict[str, Given], face: Face) -> dict[str, Given]:
    """What is given, by the names that the FMU shows, where the set has those of another version."""
    variables = [*face.sources.values(), *(setting.variable for setting in face.settings.values())]
    shown = {member.name for variable in variables for member in variable.members}
    return {name if name in shown else resolve(name, shown) or name: given for name, given in values.items()}


def _given(variable: Variable, values: dict[str, Given]) -> list[Given | None]:
    """What is given for each element of a variable, by its own name or those of its elements."""
    if len(variable.members) == 1:
        return [values.get(variable.members[0].name)] * max(variable.width, 1)
    return [values.get(member.name) for member in variable.members]


def _value(setting: Setting, given: list[Given | None], present: Any, where: str) -> Any:
    """The value of a parameter: given elements in the place of the present ones."""
    variable = setting.variable
    name = f"{where}.{variable.name}"
    if not setting.parameter.shape:
        (item,) = given
        assert item is not None
        return value_for(item, variable, 0, name)
    numbers = np.array(np.broadcast_to(np.asarray(present, dtype=np.float64).reshape(-1), variable.width))
    for i, item in enumerate(given):
        if item is not None:
            numbers[i] = float(value_for(item, variable, i, name))
    return numbers.reshape(variable.shape)


def _place(found: Ports, port: str, variable: Variable) -> None:
    """Where the FMU's variables are found in a port."""
    found.widths[port] = variable.width
    if len(variable.members) == 1:
        name = variable.members[0].name
        found.spots[name] = [(port, i) for i in range(variable.width)]
        found.shapes[name] = variable.shape
        return
    for i, member in enumerate(variable.members):
        found.spots[member.name] = [(port, i)]


def _index(variable: Variable, member: Any) -> int:
    return next(i for i, other in enumerate(variable.members) if other is member)
