"""What happens to a value on its way: linear transformations and tables, in the units that the file means."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from xml.etree import ElementTree as ET

from blocks.errors import FmuError
from fmu.foreign.units import ANY, Conversion, conversion
from fmu.interface import ShownUnit
from fmu.ssp_write.xml import NAMESPACES
from fmu.units import BASE, unit

_SSC = f"{{{NAMESPACES['ssc']}}}"


@dataclass(frozen=True)
class Transformation:
    """y = factor·x + offset, or a table from one discrete value to another."""

    factor: float = 1.0
    offset: float = 0.0
    table: dict[str, str] = field(default_factory=dict, hash=False)

    @property
    def is_identity(self) -> bool:
        """Whether nothing changes."""
        return self.factor == 1.0 and self.offset == 0.0 and not self.table

    def then(self, other: Transformation) -> Transformation:
        """This one, and the other on what comes out. Tables come last."""
        return Transformation(
            other.factor * self.factor, other.factor * self.offset + other.offset, other.table or self.table
        )

    def inverse(self) -> Transformation:
        """The way back."""
        return Transformation(1.0 / self.factor, -self.offset / self.factor)

    def __call__(self, value: float) -> float:
        return self.factor * value + self.offset


IDENTITY = Transformation()


def read_transformation(parent: ET.Element) -> Transformation:
    """The transformation that a connection or a mapping entry has; the identity if there is none."""
    for child in parent:
        if child.tag == f"{_SSC}LinearTransformation":
            return Transformation(float(child.get("factor", "1")), float(child.get("offset", "0")))
        if child.tag.startswith(_SSC) and child.tag.endswith("MappingTransformation"):
            return Transformation(table={entry.get("source", ""): entry.get("target", "") for entry in child})
    return IDENTITY


def conversion_of(name: str | None, units: dict[str, ShownUnit]) -> Conversion:
    """What a file's unit is here; `units` are its definitions."""
    definition = units.get(name or "")
    if definition is None:
        return conversion(name)
    given = dict(zip(BASE, definition.exponents, strict=True))
    return conversion(name, SimpleNamespace(**given, factor=definition.factor, offset=definition.offset))


def on_the_way(
    change: Transformation, source: Conversion, sink: Conversion, where: str, *, convert_units: bool = True
) -> Transformation:
    """What happens to a value between two places, where it is in SI (and shafts in revolutions), as everywhere here.

    The file means: first units are converted, unless that is suppressed, then `change` is applied, which is in the
    units of the sink. Raises FmuError if the units measure different things.
    """
    ours, theirs = (Transformation(c.scale, c.offset) for c in (source, sink))
    if not convert_units:
        return IDENTITY if change.is_identity and source == sink else ours.inverse().then(change).then(theirs)
    turns = IDENTITY
    if source.unit is not None and sink.unit is not None and source.unit != sink.unit:
        one, other = unit(source.unit), unit(sink.unit)
        if one.exponents != other.exponents:
            raise FmuError(f"{where}: units {source.unit} and {sink.unit} differ")
        turns = Transformation(one.factor / other.factor)
    return turns if change.is_identity else turns.then(theirs.inverse()).then(change).then(theirs)


__all__ = ["ANY", "IDENTITY", "Conversion", "Transformation", "conversion_of", "on_the_way", "read_transformation"]
