"""A component of an SSP as an FMU block with the parameters that the file gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from blocks.block import Block
from fmu.foreign.importer import FmuBlock
from fmu.foreign.parameters import Setting, items_of
from fmu.foreign.ports import Face
from fmu.foreign.variables import Variable
from fmu.identifiers import resolve
from fmu.ssp.read.fmus import naming
from fmu.ssp.read.parameters import Values, elements_of, value_for
from fmu.ssp.read.ports import Ports
from fmu.ssp.read.structure import ComponentNode
from fmu.ssp.read.transformation import End


@dataclass(frozen=True)
class Opened:
    """An FMU as a block, and where its variables are found in its ports."""

    block: Block
    inputs: Ports
    outputs: Ports
    places: dict[str, End] = field(default_factory=dict)
    """Units and enumerations by the names of the variables."""


def open_component(
    path: Path, node: ComponentNode, where: str, values: Values, ports: list[str], settings: dict[str, Any]
) -> Opened:
    """Open an FMU and give it its values. `ports`: variables that become ports.

    Raises FmuError that names the package and the component.
    """
    assert node.package is not None
    with naming(node.package, node.source, where, path):
        asked = {"interface": node.interface} if node.interface else {}
        given = asked | settings | {"ports": ports}
        shaping = {name: given[name] for name in ("interface", "ports") if name in given}
        first = FmuBlock.of(str(path), **shaping).face
        values = _by_shown_name(values, first)
        sizes = _values(first.settings, values, {}, where, structural=True)
        block = FmuBlock(str(path), parameters=sizes, **given)
        face = block.face
        block.set(**_values(face.settings, values, block.values, where, structural=False))
        places: dict[str, End] = {}
        sides = []
        for names in (face.inputs, face.outputs):
            found = Ports()
            for port in names:
                variable = face.sources[port]
                _place(found, port, variable)
                for i, member in enumerate(variable.members):
                    places[member.name] = End(variable.conversions[i], items_of(variable))
            sides.append(found)
    return Opened(block, sides[0], sides[1], places)


def _values(
    settings: dict[str, Setting], values: Values, present: dict[str, Any], where: str, *, structural: bool
) -> dict[str, Any]:
    """Values by the names of parameters, as far as there are any. `present`: those that the block has."""
    found = {}
    for name, setting in settings.items():
        if setting.structural == structural:
            given = elements_of(setting.variable, values)
            if any(item is not None for item in given):
                found[name] = _value(setting, given, present.get(name, setting.parameter.default), where)
                if structural:
                    found[name] = int(found[name])
    return found


def _by_shown_name(values: Values, face: Face) -> Values:
    """What is given, by the names that the FMU shows, where the set has those of another version."""
    variables = [*face.sources.values(), *(setting.variable for setting in face.settings.values())]
    shown = {member.name for variable in variables for member in variable.members}
    return {name if name in shown else resolve(name, shown) or name: given for name, given in values.items()}


def _value(setting: Setting, given: list[Any], present: Any, where: str) -> Any:
    """The value of a parameter: given elements in the place of the present ones."""
    variable = setting.variable
    name = f"{where}.{variable.name}"
    if not variable.shape:
        ((item, part),) = given
        return value_for(item, variable, 0, part, name)
    numbers = np.array(np.broadcast_to(np.asarray(present, dtype=np.float64).reshape(-1), variable.width))
    for i, item in enumerate(given):
        if item is not None:
            numbers[i] = float(value_for(item[0], variable, i, item[1], name))
    return numbers.reshape(variable.shape) if setting.parameter.shape else float(numbers[0])


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
