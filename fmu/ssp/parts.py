"""The FMUs of a system's parts, and its wires as pairs of elements of their variables."""

from __future__ import annotations

import hashlib
import tempfile
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from blocks.errors import ExportError, KeelblocksError
from blocks.model.wiring import width
from blocks.plan.flatten import External, flatten
from blocks.plan.sizes import find_sizes
from fmu import units
from fmu.exporting.arguments import read_names
from fmu.exporting.export import export
from fmu.exporting.layered import layered_of_parts
from fmu.foreign.importer import FmuBlock
from fmu.notices import ExportWarning
from fmu.ssp.carried import Carrier, content_of, implementation_of
from fmu.ssp.changes import UNCHANGED, Change, Linear, Table
from fmu.ssp.interface import Element, Interface, ShownUnit, Variable, read_interface
from fmu.ssp.system import End, Part, System, Wire


@dataclass(frozen=True)
class ExportedPart:
    """A part, its FMU, and what that shows."""

    part: Part
    content: bytes
    interface: Interface
    file: str
    """The name of its FMU; two parts may have the same."""
    parameters: tuple[Variable, ...]
    """What can be set from outside, with its value; of an FMU from elsewhere, what was set."""
    implementation: str = "CoSimulation"

    @property
    def name(self) -> str:
        """In the system."""
        return self.part.name

    @property
    def block(self) -> FmuBlock | None:
        """The block, if it is an FMU from elsewhere."""
        return self.part.component if isinstance(self.part.component, FmuBlock) else None


@dataclass(frozen=True)
class Link:
    """One element of a wire: from an output, or (source None) from an input of the system, to an input."""

    source: ExportedPart | None
    output: Element
    sink: ExportedPart | None
    input: Element
    way: Change = UNCHANGED
    """What is done to the value besides the conversion of units."""

    @property
    def change(self) -> tuple[float, float]:
        """Factor and offset from the number in the output to that in the input, but for a table."""
        source, sink = self.output.variable, self.input.variable
        if not self.way or self.table:
            return source.scale / sink.scale, (source.offset - sink.offset) / sink.scale
        (linear,) = self.way
        assert isinstance(linear, Linear)
        whole = Linear(source.scale, source.offset).then(linear).then(Linear(sink.scale, sink.offset).inverse())
        return whole.factor, whole.offset

    @property
    def table(self) -> Table | None:
        """A table that the value is looked up in."""
        return next((step for step in self.way if isinstance(step, Table)), None)


@dataclass(frozen=True)
class Exported:
    """A system with the FMUs of its parts."""

    system: System
    parts: tuple[ExportedPart, ...]
    inputs: dict[str, tuple[Element, ...]]
    """The inputs of the system itself, which are not variables of any FMU."""
    units: dict[str, ShownUnit]
    """Every unit of any part or input, by name."""

    def of(self, part: Part) -> ExportedPart:
        """What was exported of a part."""
        return next(item for item in self.parts if item.part is part)

    def source(self, end: End) -> list[tuple[ExportedPart | None, Element]]:
        """The elements that a wire starts from."""
        if end.part is None:
            elements = list(self.inputs[end.port])
            owner = None
        else:
            owner = self.of(end.part)
            elements = owner.interface.port(end.port, "output")
        return [(owner, element) for element in elements[end.start : end.stop]]

    def links(self, wire: Wire) -> list[Link]:
        """A wire, element by element."""
        sink = self.of(wire.sink)
        inputs = sink.interface.port(wire.port, "input")[wire.first : wire.last]
        sources = self.source(wire.source)
        if len(sources) != len(inputs) or not inputs:
            raise ExportError(
                f"{sink.name}.{wire.port} has {len(inputs)} elements in its FMU and is fed by {len(sources)}: the "
                f"parts were exported with types that do not fit"
            )
        way = wire.source.change
        if len(way) > 1:
            raise ExportError(f"what feeds {sink.name}.{wire.port} is changed by a table and by a factor one after the "
                              f"other, which no connection can do")  # fmt: skip
        return [Link(owner, output, sink, into, way) for (owner, output), into in zip(sources, inputs, strict=True)]


def export_parts(system: System, **settings: Any) -> Exported:
    """Write an FMU of each part, for co-simulation if `interfaces` say nothing else; FMUs from elsewhere stay.

    Raises ExportError, naming the part, if one cannot be written.
    """
    settings = {"interfaces": "cs"} | settings  # what a system uses: states would be read for nothing
    flat = find_sizes(flatten(system.diagram))
    made: dict[str, ExportedPart] = {}
    standards = read_names("layered_standards", settings.get("layered_standards", ()))
    own_parts = {part.name: part.component for part in system.parts if not isinstance(part.component, FmuBlock)}
    layered = layered_of_parts(standards, own_parts)
    with tempfile.TemporaryDirectory(prefix="keelblocks-") as folder:
        for part in system.parts:
            if not isinstance(part.component, FmuBlock):
                try:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore", ExportWarning)  # in a system, a part without outputs is a sink
                        how = settings | {"name": part.name, "layered_standards": layered[part.name]}
                        path = export(part.component, Path(folder) / f"{part.name}.fmu", **how)
                except KeelblocksError as problem:
                    raise ExportError(f"component '{part.path}': {problem}") from None
                made[part.name] = _own(part, path)
    carrier = Carrier({own.file: hashlib.sha256(own.content).hexdigest() for own in made.values()})
    for own in made.values():
        carrier.units |= own.interface.units
        carrier.enumerations |= {v.type_name: v.items for v in own.interface.variables if v.items}
    for part in system.parts:
        if isinstance(part.component, FmuBlock):
            try:
                made[part.name] = _carried(part, part.component, carrier)
            except KeelblocksError as problem:
                raise ExportError(f"component '{part.path}': {problem}") from None
    parts = tuple(made[part.name] for part in system.parts)
    arrays = any(variable.shape for part in parts for variable in part.interface.variables)
    inputs = {
        name: _input(external, flat.input_shapes[name], carrier, arrays=arrays)
        for name, external in flat.externals.items()
    }
    return Exported(system, parts, inputs, carrier.units)


def _own(part: Part, path: Path) -> ExportedPart:
    interface = read_interface(path)
    parameters = [v for v in interface.variables if v.causality == "parameter" and v.start is not None]
    return ExportedPart(part, path.read_bytes(), interface, f"{part.name}.fmu", tuple(parameters))


def _carried(part: Part, block: FmuBlock, carrier: Carrier) -> ExportedPart:
    content, interface = content_of(block), carrier.interface(block)
    parameters = carrier.parameters(block)
    file = carrier.file(block, content)
    return ExportedPart(part, content, interface, file, tuple(parameters), implementation_of(block))


def _input(external: External, shape: tuple[int, ...], carrier: Carrier, *, arrays: bool) -> tuple[Element, ...]:
    """The elements of an input of the system, as variables like those of the FMUs: scalars, or one array."""
    count = width(shape)
    names = [None if text is None else carrier.unit(_unit(text)).name for text in external.signal.units(count)]
    kind = "Float64" if arrays else "Real"
    whole = Variable(external.name, "input", "continuous", kind, names[0], shape=shape, description=external.doc)
    if not shape or (arrays and len(set(names)) == 1):
        return tuple(whole.elements())
    return tuple(
        Element(replace(whole, name=external.name + element.suffix, unit=unit, shape=()), (), element.suffix)
        for element, unit in zip(whole.elements(), names, strict=True)
    )


def _unit(text: str) -> ShownUnit:
    unit = units.unit(text)
    return ShownUnit(unit.name, unit.exponents, unit.factor)
