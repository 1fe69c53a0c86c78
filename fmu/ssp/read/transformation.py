"""What happens to a value on its way: linear transformations and tables, in the units that the file means."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from xml.etree import ElementTree as ET

from blocks.errors import FmuError, did_you_mean
from fmu.foreign.units import ANY, Conversion, conversion
from fmu.ssp.changes import UNCHANGED, Change, Linear, Table, joined
from fmu.ssp.interface import ShownUnit
from fmu.ssp.write.xml import NAMESPACES
from fmu.units import BASE, unit

_SSC = f"{{{NAMESPACES['ssc']}}}"
_TABLES = {f"{_SSC}{kind}MappingTransformation": kind for kind in ("Boolean", "Integer", "Enumeration")}


AS_IT_IS = Linear()


@dataclass(frozen=True)
class Transformation:
    """A transformation as a file gives it: linear, or a table whose `kind` says what its entries are."""

    linear: Linear = AS_IT_IS
    kind: str = ""
    table: tuple[tuple[str, str], ...] = ()

    @property
    def is_identity(self) -> bool:
        """Whether nothing changes."""
        return self.linear == Linear() and not self.table

    def numbers(self, source: Mapping[str, int], sink: Mapping[str, int], where: str) -> Table:
        """The table for numbers, given the items of the enumerations at both ends. Raises FmuError."""
        if self.kind == "Boolean":
            return Table(tuple((float(boolean(a)), float(boolean(b))) for a, b in self.table))
        if self.kind == "Integer":
            return Table(tuple((float(int(a)), float(int(b))) for a, b in self.table))
        for end, items in (("source", source), ("sink", sink)):
            if not items:
                raise FmuError(f"{where} has an EnumerationMappingTransformation, but its {end} is no enumeration")
        given = dict(self.table)
        pairs = []
        for name, number in source.items():
            target = given.get(name, name)
            if target in sink:
                pairs.append((float(number), float(sink[target])))
            elif name in given:
                raise FmuError(f"{where} maps '{name}' to '{target}', which is no item of the sink's enumeration"
                               f"{did_you_mean(target, sink)}")  # fmt: skip
        return Table(tuple(pairs))


IDENTITY = Transformation()


@dataclass(frozen=True)
class Stage:
    """One connection or mapping on the way of a value. `into`: the unit there; None: that of what follows."""

    transformation: Transformation = IDENTITY
    convert_units: bool = True
    into: Conversion | None = None


def read_transformation(parent: ET.Element) -> Transformation:
    """The transformation that a connection or a mapping entry has; the identity if there is none.

    Raises ValueError for what is no number, or no Boolean.
    """
    for child in parent:
        if child.tag == f"{_SSC}LinearTransformation":
            return Transformation(Linear(_number(child, "factor", 1.0), _number(child, "offset", 0.0)))
        if child.tag in _TABLES:
            kind = _TABLES[child.tag]
            table = tuple((entry.get("source", ""), entry.get("target", "")) for entry in child)
            checks: dict[str, Callable[[str], object]] = {"Boolean": boolean, "Integer": _integer, "Enumeration": str}
            for pair in table:
                for text in pair:
                    checks[kind](text)
            return Transformation(kind=kind, table=table)
    return IDENTITY


def _number(node: ET.Element, name: str, default: float) -> float:
    text = node.get(name)
    try:
        number = default if text is None else float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"the {name} of its transformation must be a finite number, not '{text}'")
    return number


def _integer(text: str) -> int:
    """An integer as FMUs can have it. Raises ValueError."""
    if not re.fullmatch(r"\s*[+-]?\d{1,19}\s*", text) or not -(2**63) <= int(text) < 2**64:
        raise ValueError(f"'{text[:40]}{'…' if len(text) > 40 else ''}' in its table is no integer of at most 64 bits")
    return int(text)


def read_stage(node: ET.Element, into: Conversion | None = None) -> Stage:
    """What a connection or a mapping entry does to a value. Raises ValueError."""
    return Stage(read_transformation(node), not boolean(node.get("suppressUnitConversion", "false")), into)


def boolean(text: str) -> bool:
    """A Boolean of XML. Raises ValueError."""
    if text not in ("true", "false", "1", "0"):
        raise ValueError(f"'{text}' is neither true nor false")
    return text in ("true", "1")


def conversion_of(name: str | None, units: Mapping[str, ShownUnit]) -> Conversion:
    """What a file's unit is here; `units` are its definitions."""
    definition = units.get(name or "")
    if definition is None:
        return conversion(name)
    given = dict(zip(BASE, definition.exponents, strict=True))
    return conversion(name, SimpleNamespace(**given, factor=definition.factor, offset=definition.offset))


@dataclass(frozen=True)
class End:
    """An end of a way: its unit, and the items of its enumeration."""

    unit: Conversion = ANY
    items: Mapping[str, int] | None = None


def on_the_way(stages: tuple[Stage, ...], source: End, sink: End, where: str) -> Change:
    """What happens to a value between two places, where it is in SI (and shafts in revolutions), as everywhere here.

    The file means, for each stage: first units are converted, unless that is suppressed, then the transformation is
    applied, which is in the units that the stage leads to. Raises FmuError if the units measure different things.
    """
    change: list[Linear | Table] = []
    at = source.unit
    for number, stage in enumerate(stages):
        end = number == len(stages) - 1
        to = sink.unit if end or stage.into is None else stage.into
        change += _stage(stage, at, to, (source.items or {}, (sink.items if end else source.items) or {}), where)
        at = to
    return joined(*change)


def _stage(
    stage: Stage, source: Conversion, sink: Conversion, items: tuple[Mapping[str, int], Mapping[str, int]], where: str
) -> Change:
    given = stage.transformation
    change: Linear | Table = given.numbers(*items, where) if given.table else given.linear
    ours, theirs = (Linear(c.scale, c.offset) for c in (source, sink))
    if not stage.convert_units:
        same = given.is_identity and (source.scale, source.offset) == (sink.scale, sink.offset)
        return UNCHANGED if same else (ours.inverse(), change, theirs)
    turns = Linear()
    if source.unit is not None and sink.unit is not None and source.unit != sink.unit:
        one, other = unit(source.unit), unit(sink.unit)
        if one.exponents != other.exponents:
            raise FmuError(f"{where}: units {source.unit} and {sink.unit} differ")
        turns = Linear(one.factor / other.factor)
    return (turns,) if given.is_identity else (turns, theirs.inverse(), change, theirs)
