"""FMUs from elsewhere as parts of a system: the file as it is, what it shows, and the values that were set."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from blocks.errors import ExportError
from fmu.foreign.importer import FmuBlock
from fmu.foreign.variables import Variable as ForeignVariable
from fmu.ssp.interface import Element, Interface, ShownUnit, Variable, shown_units, shown_variable, suffix
from fmu.units import BASE

_RADIANS = BASE.index("rad")
_OWN = ("communication_step", "communication_offset", "interface", "feedthrough", "tolerance", "isolate", "timeout",
        "memory_limit")  # fmt: skip
"""Parameters of the block, not of the FMU, which no standard has a place for; see `fmu.ssp.write.dialects`."""


def implementation_of(block: FmuBlock) -> str:
    """SSP's word for the interface that is used; "any" where co-simulation would do, too, as most tools want it."""
    if block.used_interface == "cs":
        return "CoSimulation"
    return "any" if block.description.model.coSimulation is not None else "ModelExchange"


def own_settings(block: FmuBlock) -> dict[str, str]:
    """How the block runs its FMU, where it is not as a block is by itself."""
    found = {}
    for name in _OWN:
        value, default = block.values[name], FmuBlock.parameters[name].default
        if value != default:
            found[name] = str(value).lower() if isinstance(value, bool) else str(value)
    return found


def read_settings(noted: Mapping[str, str]) -> dict[str, Any]:
    """What `own_settings` has noted, as arguments of `FmuBlock`; other settings are skipped."""
    return {name: _read(noted[name]) for name in _OWN if name in noted}


def _read(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    try:
        return float(text)
    except ValueError:
        return text


@dataclass
class Carrier:
    """Gives the files, the units and the enumerations of FMUs from elsewhere names that are unique in a system."""

    files: dict[str, str] = field(default_factory=dict)
    """Names of files that are taken, and a checksum of what is in them."""
    units: dict[str, ShownUnit] = field(default_factory=dict)
    enumerations: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)

    def file(self, block: FmuBlock, content: bytes) -> str:
        """The name of its file: one for the same FMU, however often it is used. The name is the one that it has."""
        digest = hashlib.sha256(content).hexdigest()
        known = next((name for name, taken in self.files.items() if taken == digest), None)
        if known is not None:
            return known
        stem = re.sub(r"[^\w.-]+", "_", block.description.package.path.stem, flags=re.ASCII).strip(".") or "model"
        taken_names = {name.lower() for name in self.files}
        name, number = f"{stem}.fmu", 2
        while name.lower() in taken_names:
            name, number = f"{stem}_{number}.fmu", number + 1
        self.files[name] = digest
        return name

    def interface(self, block: FmuBlock) -> Interface:
        """What an FMU shows of itself, by the ports of its block."""
        model = block.description.model
        renamed = {unit.name: self.unit(unit) for unit in shown_units(model)}
        variables: dict[str, Variable] = {}
        ports: dict[tuple[str, str], tuple[Element, ...]] = {}
        for kind, names in (("input", block.face.inputs), ("output", block.face.outputs)):
            for port in names:
                elements = tuple(self._elements(block.face.sources[port], renamed))
                ports[kind, port] = elements
                variables |= {element.variable.name: element.variable for element in elements}
        units = {unit.name: unit for unit in renamed.values()}
        return Interface(model.modelName or "", model.fmiVersion, tuple(variables.values()), units, ports)

    def parameters(self, block: FmuBlock) -> list[Variable]:
        """The variables that were set, with the values that they were given; the FMU itself has the others."""
        renamed = {unit.name: self.unit(unit) for unit in shown_units(block.description.model)}
        found = []
        for name, setting in block.face.settings.items():
            values = {value.reference: value for value in setting.start_values(block.values[name])}
            for member in setting.variable.members:
                if member.valueReference in values:
                    shown = self._shown(member, renamed, setting.variable)
                    texts = [_text(shown, value) for value in values[member.valueReference].values]
                    separator = "" if shown.kind == "String" else " "
                    found.append(replace(shown, causality="parameter", start=separator.join(texts)))
        return found

    def _elements(self, variable: ForeignVariable, renamed: dict[str, ShownUnit]) -> Iterable[Element]:
        """Of the port of a variable: those of one array of FMI 3, or of as many scalars."""
        if variable.first.dimensions:
            return self._shown(variable.first, renamed, variable).elements()
        places = _places(variable.shape)
        return [
            Element(self._shown(member, renamed, variable, index), (), suffix(place))
            for index, (member, place) in enumerate(zip(variable.members, places, strict=True))
        ]

    def _shown(self, member: Any, renamed: dict[str, ShownUnit], variable: ForeignVariable, index: int = 0) -> Variable:
        given = shown_variable(member)
        unit = renamed[given.unit].name if given.unit in renamed else None
        conversion = variable.conversions[index] if variable.conversions else None
        return replace(
            given,
            unit=unit,
            shape=variable.shape if member.dimensions else (),
            type_name=self._enumeration(given.type_name, given.items) if given.items else "",
            scale=conversion.scale if conversion else 1.0,
            offset=conversion.offset if conversion else 0.0,
        )

    def unit(self, unit: ShownUnit) -> ShownUnit:
        """A unit by a name under which nothing else is known in the system."""
        name, number = unit.name, 2
        while name in self.units and not _same(self.units[name], unit):
            name, number = f"{unit.name}_{number}", number + 1
        return self.units.setdefault(name, replace(unit, name=name))

    def _enumeration(self, wanted: str, items: tuple[tuple[str, int], ...]) -> str:
        name, number = wanted, 2
        while self.enumerations.get(name, items) != items:
            name, number = f"{wanted}_{number}", number + 1
        self.enumerations[name] = items
        return name


def content_of(block: FmuBlock) -> bytes:
    """The FMU as it is. Raises ExportError if it is gone or another one by now."""
    package = block.description.package
    try:
        return package.content()
    except OSError as problem:
        raise ExportError(f"cannot read {package.path}: {problem.strerror or problem}") from None


def _places(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Indices from 1, row by row."""
    whole = Variable("", "", "", "", shape=shape)
    return [element.indices for element in whole.elements()]


def _same(known: ShownUnit, other: ShownUnit) -> bool:
    """True if two definitions say the same; some tools leave the radian out, and write fewer digits."""
    pairs = zip(known.exponents, other.exponents, strict=True)
    alike = all(a == b for i, (a, b) in enumerate(pairs) if i != _RADIANS)
    return (
        alike
        and math.isclose(known.factor, other.factor, rel_tol=1e-6)
        and math.isclose(known.offset, other.offset, rel_tol=1e-9, abs_tol=1e-12)
    )


def _text(variable: Variable, value: Any) -> str:
    """A value as it stands in descriptions: an enumeration by its number."""
    if variable.kind == "Boolean":
        return "true" if value else "false"
    return repr(float(value)) if variable.kind in ("Real", "Float32", "Float64") else str(value)
