"""Parameter sets and mappings: the values that a binding gives, and what becomes of them on their way to a variable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from xml.etree import ElementTree as ET

from blocks.errors import FmuError
from fmu.foreign.parameters import items_of
from fmu.foreign.units import ANY, Conversion
from fmu.foreign.variables import FLOATS, Variable
from fmu.identifiers import resolve_item
from fmu.ssp.interface import ShownUnit
from fmu.ssp.read.package import Package
from fmu.ssp.read.structure import Binding, bounded, dimension, read_units
from fmu.ssp.read.transformation import End, Stage, Transformation, boolean, conversion_of, on_the_way, read_stage
from fmu.ssp.write.xml import NAMESPACES

_SSV = f"{{{NAMESPACES['ssv']}}}"
_SSM = "{http://ssp-standard.org/SSP1/SystemStructureParameterMapping}"

Value = float | bool | str


@dataclass(frozen=True)
class Given:
    """A value as a parameter set or an FMU's description gives it, and what is to be done with it."""

    texts: tuple[str, ...]
    kind: str
    unit: Conversion
    file: str
    stages: tuple[Stage, ...] = ()
    """Done so far."""
    indices: tuple[int, ...] = ()
    """Which element of an array it is for, from 1; none: all."""
    taken: tuple[int, ...] = ()
    """Which element of it is meant."""
    shape: tuple[int, ...] = ()

    def through(self, unit: Conversion, stages: tuple[Stage, ...]) -> Given:
        """What it is when it has come to a connector with a unit, and goes on from there by a connection."""
        before = self.stages or (Stage(),)
        return replace(self, stages=(*before[:-1], replace(before[-1], into=unit), *stages))


Values = dict[str, tuple[Given, ...]]
"""By the hierarchical names of variables; several if they are for single elements of one."""


def values_of(binding: Binding) -> Values:
    """What a binding gives. Raises FmuError."""
    package, top = binding.package, binding.values
    if top.tag != f"{_SSV}ParameterSet":
        raise package.error(f"{binding.file} holds '{top.tag}' where a ParameterSet is wanted")
    try:
        units = read_units(top.find(f"{_SSV}Units"))
    except ValueError as problem:
        raise package.error(f"a unit in {binding.file} cannot be read: {problem}") from None
    plain: Values = {
        f"{binding.prefix}{node.get('name', '')}": (_given(node, units, binding),)
        for node in top.findall(f"{_SSV}Parameters/{_SSV}Parameter")
    }
    return plain if binding.mapping is None else dict(_mapped(binding.mapping, plain, package))


def _mapped(mapping: ET.Element, plain: Values, package: Package) -> Iterator[tuple[str, tuple[Given, ...]]]:
    """Only what is mapped is applied, under the names that it is mapped to."""
    if mapping.tag != f"{_SSM}ParameterMapping":
        raise package.error(f"'{mapping.tag}' stands where a ParameterMapping is wanted")
    for entry in mapping.findall(f"{_SSM}MappingEntry"):
        source, target = entry.get("source", ""), entry.get("target", "")
        try:
            stage = read_stage(entry)
        except ValueError as problem:
            raise package.error(f"the mapping from '{source}' to '{target}': {problem}") from None
        if source in plain:
            yield target, tuple(replace(given, stages=(*given.stages, stage)) for given in plain[source])


def _given(node: ET.Element, units: Mapping[str, ShownUnit], binding: Binding) -> Given:
    name, file = node.get("name", ""), binding.file
    try:
        shape = bounded([dimension(d.get("size", "1")) for d in node if d.tag.endswith("}Dimension")])
    except ValueError as problem:
        raise binding.package.error(f"parameter '{name}' in {file} has {problem}") from None
    for child in node:
        if not child.tag.startswith(_SSV):
            continue
        kind = child.tag.removeprefix(_SSV)
        whole = child.get("value", "")
        texts = tuple(item.get("value", "") for item in child) if len(child) else ()
        if not texts:
            texts = (whole,) if kind in ("String", "Enumeration", "Binary") else tuple(whole.split())
        unit = child.get("unit")
        return Given(texts, kind, _unit(unit, units, binding, name), file, shape=shape)
    raise binding.package.error(f"parameter '{name}' in {file} has no value")


def _unit(unit: str | None, units: Mapping[str, ShownUnit], binding: Binding, name: str) -> Conversion:
    """A unit of a parameter set; one that the set does not define is what it is in the structure, or is called."""
    if unit is None:
        return ANY
    if unit in units:
        return conversion_of(unit, units)
    found = conversion_of(unit, binding.units)
    meaning = "the number is taken to be in the unit of the variable"
    if found != ANY:
        meaning = (
            "it is taken from the structure"
            if unit in binding.units
            else "it is taken as Keelblocks' unit of that name"
        )
    binding.package.warn(
        f"parameter '{name}' in {binding.file} is in '{unit}', which is not among the units of the set; {meaning}"
    )
    return found


def elements_of(variable: Variable, values: Values) -> list[tuple[Given, int] | None]:
    """What is given for each element of a variable, by its own name or those of its elements, and which part of it."""
    found: list[tuple[Given, int] | None] = [None] * max(variable.width, 1)
    if len(variable.members) > 1:
        for i, member in enumerate(variable.members):
            for given in values.get(member.name, ()):
                found[i] = (given, 0)
        return found
    for given in values.get(variable.members[0].name, ()):
        if not given.indices:
            found = [(given, i) for i in range(len(found))]
        elif (at := place_of(given.indices, variable.shape)) is not None:
            found[at] = (given, 0)
    return found


def place_of(indices: tuple[int, ...], shape: tuple[int, ...]) -> int | None:
    """The number of an element from its indices, which begin with 1; None if there is none."""
    if len(indices) != len(shape) or not all(1 <= i <= n for i, n in zip(indices, shape, strict=True)):
        return None
    at = 0
    for index, size in zip(indices, shape, strict=True):
        at = at * size + index - 1
    return at


def value_for(given: Given, variable: Variable, element: int, part: int, where: str) -> Value:
    """A value in the type of a variable, in SI. Raises FmuError if it has none that would do.

    element: which one of the variable; part: which one of those that are given for it.
    """
    kind, items = variable.kind, items_of(variable)
    text = _text(given, variable, part, where)
    try:
        for stage in given.stages:
            text = _looked_up(text, stage.transformation, items)
        if kind == "String":
            return text
        if (item := resolve_item(text, items)) is not None:
            text = str(items[item])
        number = float(boolean(text)) if text in ("true", "false") else float(text)
        if kind == "Boolean" and number not in (0.0, 1.0):
            raise ValueError
        if items and number not in items.values():
            raise ValueError
    except (ValueError, KeyError):
        wanted = f"one of {', '.join(items)}" if items else f"of type {kind}"
        raise FmuError(f"{where} cannot be '{text}' ({given.file}): it is {wanted}") from None
    value = _changed(given, number, variable.conversions[element], where) if kind in FLOATS else number
    if variable.shape or kind in FLOATS:
        return value
    if kind == "Boolean":
        return bool(value)
    if items:
        return next(name for name, item in items.items() if item == value)
    value = _changed(given, number, variable.conversions[element], where)
    if value != round(value):
        raise FmuError(f"{where} must be a whole number, not {value:g} ({given.file})")
    return value


def numbers_of(given: Given, where: str) -> list[float]:
    """Values that no variable of an FMU takes, in SI. Raises FmuError if they are no numbers."""
    try:
        texts = [
            _looked_up(text, stage.transformation, {}) for text in given.texts for stage in given.stages or (Stage(),)
        ]
        numbers = [float(boolean(text)) if text in ("true", "false") else float(text) for text in texts]
    except ValueError as problem:
        raise FmuError(f"{where}: {problem} ({given.file})") from None
    return [_changed(given, number, ANY, where) for number in numbers]


def _text(given: Given, variable: Variable, part: int, where: str) -> str:
    """The text of one of the values."""
    if given.taken:
        at = place_of(given.taken, given.shape or (len(given.texts),))
        if at is None or at >= len(given.texts):
            raise FmuError(f"{where} gets element {list(given.taken)} of {len(given.texts)} ({given.file})")
        return given.texts[at]
    if not given.texts:
        raise FmuError(f"{where} has no value ({given.file})")
    wanted = 1 if given.indices or len(variable.members) > 1 else variable.width
    if len(given.texts) not in (1, wanted):
        raise FmuError(f"{where} has {wanted} elements, not {len(given.texts)} ({given.file})")
    return given.texts[part if len(given.texts) > 1 else 0]


def _looked_up(text: str, change: Transformation, items: Mapping[str, int]) -> str:
    """A value after a table: what is not in it stays. Raises ValueError."""
    if change.kind == "Enumeration":
        return dict(change.table).get(text, text)
    if change.kind == "Boolean":
        return str({boolean(a): boolean(b) for a, b in change.table}.get(boolean(text), boolean(text))).lower()
    if change.kind == "Integer":
        number = items[text] if text in items else int(text)
        return str({int(a): int(b) for a, b in change.table}.get(number, number))
    return text


def _changed(given: Given, number: float, sink: Conversion, where: str) -> float:
    """A number in SI after all linear transformations and conversions of units."""
    stages = tuple(
        replace(stage, transformation=Transformation(stage.transformation.linear))
        for stage in given.stages or (Stage(),)
    )
    units = [given.unit, *(stage.into for stage in stages[:-1]), sink]
    source = next((unit for unit in units if unit is not None and unit.unit is not None), ANY)
    value = source.out(number)
    for change in on_the_way(stages, End(source), End(sink), where):
        value = change(value)
    return float(value)
