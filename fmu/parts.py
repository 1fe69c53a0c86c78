"""The FMUs of a system's parts, and its wires as pairs of elements of their variables."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from blocks.errors import ExportError, KeelblocksError
from blocks.flatten import External, flatten
from blocks.wiring import width
from fmu import units
from fmu.export import export
from fmu.interface import Element, Interface, ShownUnit, Variable, read_interface
from fmu.system import End, Part, System, Wire


@dataclass(frozen=True)
class ExportedPart:
    """A part, its FMU, and what that shows."""

    part: Part
    content: bytes
    interface: Interface

    @property
    def name(self) -> str:
        """In the system."""
        return self.part.name

    @property
    def file(self) -> str:
        """The name of its FMU."""
        return f"{self.part.name}.fmu"


@dataclass(frozen=True)
class Link:
    """One element of a wire: from an output, or (source None) from an input of the system, to an input."""

    source: ExportedPart | None
    output: Element
    sink: ExportedPart | None
    input: Element


@dataclass(frozen=True)
class Exported:
    """A system with the FMUs of its parts."""

    system: System
    parts: tuple[ExportedPart, ...]
    inputs: dict[str, tuple[Element, ...]]
    """The inputs of the system itself, which are not variables of any FMU."""

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
        inputs = sink.interface.port(wire.port, "input")
        sources = self.source(wire.source)
        if len(sources) != len(inputs) or not inputs:
            raise ExportError(
                f"{sink.name}.{wire.port} has {len(inputs)} elements in its FMU and is fed by {len(sources)}: the "
                f"parts were exported with types that do not fit"
            )
        return [Link(owner, output, sink, into) for (owner, output), into in zip(sources, inputs, strict=True)]

    def units(self) -> dict[str, ShownUnit]:
        """Every unit of any part, by name."""
        found: dict[str, ShownUnit] = {}
        for part in self.parts:
            found |= part.interface.units
        for elements in self.inputs.values():
            for element in elements:
                if element.variable.unit is not None and element.variable.unit not in found:
                    found[element.variable.unit] = ShownUnit(element.variable.unit)
        return dict(sorted(found.items()))


def export_parts(system: System, **settings: Any) -> Exported:
    """Write an FMU of each part. Raises ExportError, naming the part, if one cannot be written."""
    flat = flatten(system.diagram)
    parts = []
    with tempfile.TemporaryDirectory(prefix="keelblocks-") as folder:
        for part in system.parts:
            try:
                path = export(part.component, Path(folder) / f"{part.name}.fmu", name=part.name, **settings)
            except KeelblocksError as problem:
                raise ExportError(f"component '{part.path}': {problem}") from None
            parts.append(ExportedPart(part, path.read_bytes(), read_interface(path)))
    exported = Exported(system, tuple(parts), {})
    arrays = any(variable.shape for part in parts for variable in part.interface.variables)
    inputs = {name: _input(external, arrays) for name, external in flat.externals.items()}
    return replace(exported, inputs=inputs)


def _input(external: External, arrays: bool) -> tuple[Element, ...]:
    """The elements of an input of the system, as variables like those of the FMUs: scalars, or one array."""
    shape = tuple(int(size) for size in external.shape)
    count = width(shape)
    names = [None if text is None else units.unit(text).name for text in external.signal.units(count)]
    kind = "Float64" if arrays else "Real"
    whole = Variable(external.name, "input", "continuous", kind, names[0], shape=shape, description=external.doc)
    if not shape or (arrays and len(set(names)) == 1):
        return tuple(whole.elements())
    return tuple(
        Element(replace(whole, name=external.name + element.suffix, unit=unit, shape=()), ())
        for element, unit in zip(whole.elements(), names, strict=True)
    )
