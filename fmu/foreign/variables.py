"""The variables of an FMU by what they are here: scalars named "tau[1]" … "tau[6]" belong together as one."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from blocks.errors import FmuError
from fmu.foreign.units import ANY, NUMBER, Conversion, conversion

MAX_ELEMENTS = 1_000_000
"""Of one variable."""
FLOATS = ("Real", "Float32", "Float64")
_ELEMENT = re.compile(r"(?P<base>.+)\[(?P<index>\d+(?:\s*,\s*\d+)*)\]\Z")


@dataclass(frozen=True)
class Variable:
    """One variable of the FMU, or several scalars that are the elements of one; in the order of the elements."""

    name: str
    members: tuple[Any, ...]
    """FMPy's variables."""
    counts: tuple[int, ...]
    """How many numbers each of them has."""
    shape: tuple[int, ...]
    conversions: tuple[Conversion, ...]
    """Of each element."""

    @property
    def first(self) -> Any:
        """FMPy's variable, of the first element."""
        return self.members[0]

    @property
    def kind(self) -> str:
        """FMI's type."""
        return str(self.first.type)

    @property
    def width(self) -> int:
        """How many numbers there are."""
        return int(np.prod(self.shape, dtype=int))

    @property
    def is_number(self) -> bool:
        """True if a port can carry it."""
        return self.kind not in ("String", "Binary", "Clock")

    @property
    def unit(self) -> str | tuple[str, ...] | None:
        """One unit for all elements, or one each; None if any will do."""
        units = [c.unit for c in self.conversions]
        if len(set(units)) <= 1:
            return units[0] if units else None
        return tuple(unit or "1" for unit in units)

    @property
    def description(self) -> str:
        """What the description says of it; of elements, what their descriptions begin with."""
        texts = [(member.description or "").strip() for member in self.members]
        if len(set(texts)) == 1:
            return texts[0]
        alike = itertools.takewhile(lambda letters: len(set(letters)) == 1, zip(*texts, strict=False))
        common = "".join(letters[0] for letters in alike)
        return common.rstrip(" :,;-([") or texts[0]

    def start(self) -> list[Any] | None:
        """Start values of all elements, in the FMU's units; None if they are not all there."""
        values: list[Any] = []
        for member, count in zip(self.members, self.counts, strict=True):
            if member.start is None:
                return None
            texts = [member.start] if self.kind == "String" else str(member.start).split()
            if len(texts) == 1:
                texts *= count
            if len(texts) != count:
                return None
            try:
                values += [_parsed(self.kind, text) for text in texts]
            except (ValueError, OverflowError):
                return None
        return values

    def attribute(self, name: str) -> str | None:
        """An attribute of the variable, or else of its type."""
        return _attribute(self.first, name)


def _attribute(member: Any, name: str) -> str | None:
    value = getattr(member, name, None)
    if value is None and member.declaredType is not None:
        value = getattr(member.declaredType, name, None)
    return value


def _parsed(kind: str, text: str) -> Any:
    if kind in FLOATS:
        return float(text)
    if kind == "Boolean":
        return text in ("true", "1")
    return text if kind == "String" else int(text)


def variables(model: Any, sizes: dict[str, int], file: str) -> list[Variable]:
    """All variables but the independent one, with elements put together. Raises FmuError for sizes that cannot be.

    `sizes` are values of structural parameters that differ from their start, by the names of the variables; `file` is
    the FMU's name in messages.
    """
    definitions = {unit.name: unit.baseUnit for unit in model.unitDefinitions}
    members = [m for m in model.modelVariables if m.causality != "independent" and m.alias is None]
    shapes = {m.name: _shape(m, sizes) for m in members}
    for name, shape in shapes.items():
        if any(n < 0 for n in shape) or math.prod(shape) > MAX_ELEMENTS:
            raise FmuError(
                f"{file}: its variable {name} has the size {'×'.join(map(str, shape))}; up to {MAX_ELEMENTS:,} "
                f"elements can be handled"
            )
    found: list[Variable] = []
    for name, elements in _together(members):
        whole = name != elements[0].name
        shape, ordered = _array(elements) if whole else (shapes[elements[0].name], elements)
        counts = tuple(int(np.prod(shapes[m.name], dtype=int)) for m in ordered)
        conversions: list[Conversion] = []
        for member, count in zip(ordered, counts, strict=True):
            conversions += [_conversion(member, definitions)] * count
        found.append(Variable(name, tuple(ordered), counts, shape, tuple(conversions)))
    return found


def _shape(member: Any, sizes: dict[str, int]) -> tuple[int, ...]:
    dimensions = member.dimensions
    return tuple(sizes.get(d.variable.name, int(d.variable.start)) if d.variable else int(d.start) for d in dimensions)


def is_negated(member: Any) -> bool:
    """True if a variable, of FMI 1.0, is minus the value that its reference stands for, or not that value."""
    return bool(getattr(member, "negated", False))


def _conversion(member: Any, definitions: dict[str, Any]) -> Conversion:
    if member.type not in FLOATS:
        return NUMBER
    name = _attribute(member, "unit")
    relative = bool(_attribute(member, "relativeQuantity"))
    return conversion(name, definitions.get(name), relative=relative) if name else ANY


def _together(members: Iterable[Any]) -> list[tuple[str, list[Any]]]:
    """Variables by name, elements of complete arrays by the name of the array, in the order of the description."""
    arrays: dict[tuple[Any, ...], list[Any]] = {}
    keys: dict[str, tuple[Any, ...]] = {}
    for member in members:
        match = _ELEMENT.match(member.name) if not member.dimensions else None
        base = match["base"] if match else member.name
        key = (base, member.causality, member.type, member.variability, bool(match))
        arrays.setdefault(key, []).append(member)
        keys[member.name] = key
    found: list[tuple[str, list[Any]]] = []
    for key, elements in arrays.items():
        if key[-1] and _complete(elements):
            found.append((key[0], elements))
        else:
            found += [(element.name, [element]) for element in elements]
    order = {member.name: i for i, member in enumerate(members)}
    return sorted(found, key=lambda item: order[item[1][0].name])


def _indices(elements: list[Any]) -> list[tuple[int, ...]]:
    matches = [_ELEMENT.match(element.name) for element in elements]
    return [tuple(int(i) for i in match["index"].split(",")) for match in matches if match]


def _complete(elements: list[Any]) -> bool:
    """True if these are all elements of an array that is counted from 1 (or 0)."""
    indices = _indices(elements)
    if len({len(index) for index in indices}) != 1 or len(set(indices)) != len(indices):
        return False
    low, high = np.min(indices, axis=0), np.max(indices, axis=0)
    return len(set(low.tolist())) == 1 and low[0] in (0, 1) and int(np.prod(high - low + 1)) == len(indices)


def _array(elements: list[Any]) -> tuple[tuple[int, ...], list[Any]]:
    """Shape, and the elements row by row."""
    indices = _indices(elements)
    low, high = np.min(indices, axis=0), np.max(indices, axis=0)
    ordered = [element for _, element in sorted(zip(indices, elements, strict=True), key=lambda item: item[0])]
    return tuple(int(n) for n in high - low + 1), ordered
