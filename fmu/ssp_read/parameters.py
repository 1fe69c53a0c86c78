"""The values that parameter bindings give to the variables of each component, after mappings and unit conversion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from blocks.errors import FmuError
from fmu.foreign.variables import Variable
from fmu.identifiers import resolve_item
from fmu.interface import ShownUnit
from fmu.ssp_read.package import Package
from fmu.ssp_read.structure import Binding, ComponentNode, Element, SystemNode, read_units
from fmu.ssp_read.transformation import IDENTITY, Transformation, conversion_of, on_the_way, read_transformation
from fmu.ssp_write.xml import NAMESPACES

_SSC, _SSV = (f"{{{NAMESPACES[prefix]}}}" for prefix in ("ssc", "ssv"))
_SSM = "{http://ssp-standard.org/SSP1/SystemStructureParameterMapping}"
_REALS = ("Real", "Float64", "Float32")

Value = float | bool | str


@dataclass(frozen=True)
class Given:
    """A value as a parameter set gives it, and what is to be done with it."""

    texts: tuple[str, ...]
    kind: str
    unit: ShownUnit | None
    file: str
    transformation: Transformation = IDENTITY
    convert_units: bool = True


def bound_values(system: SystemNode, package: Package) -> dict[str, dict[str, Given]]:
    """What is given to each component, by its dotted path from the outermost system: by variable.

    Bindings of outer systems take precedence over those of inner ones, later ones of an element over earlier ones.
    """
    found: dict[str, dict[str, Given]] = {}

    def visit(element: Element, path: str, outer: dict[str, Given]) -> None:
        values: dict[str, Given] = {}
        for binding in element.bindings:
            values |= _values(binding, package)
        values |= outer
        if isinstance(element, ComponentNode):
            found[path] = values
        elif isinstance(element, SystemNode):
            for name, child in element.elements.items():
                inner = {
                    key.removeprefix(f"{name}."): value for key, value in values.items() if key.startswith(f"{name}.")
                }
                inner = _through_connectors(element, name, values) | inner
                visit(child, f"{path}.{name}" if path else name, inner)

    visit(system, "", {})
    return found


def _through_connectors(system: SystemNode, name: str, values: dict[str, Given]) -> dict[str, Given]:
    """Values of the system's own connectors, for what they are connected to in the element `name`."""
    found = {}
    for connection in system.connections:
        if connection.source.element is None and connection.sink.element == name:
            given = values.get(connection.source.connector)
            if given is not None and not connection.source.indices and not connection.sink.indices:
                found[connection.sink.connector] = Given(
                    given.texts, given.kind, given.unit, given.file,
                    given.transformation.then(connection.transformation), given.convert_units,
                )  # fmt: skip
    return found


def _values(binding: Binding, package: Package) -> dict[str, Given]:
    top = binding.values
    if top.tag != f"{_SSV}ParameterSet":
        raise package.error(f"{binding.file} holds '{top.tag}' where a ParameterSet is wanted")
    try:
        units = read_units(top.find(f"{_SSV}Units"))
    except ValueError as problem:
        raise package.error(f"a unit in {binding.file} cannot be read: {problem}") from None
    plain = {
        f"{binding.prefix}{node.get('name', '')}": _given(node, units, binding.file, package)
        for node in top.findall(f"{_SSV}Parameters/{_SSV}Parameter")
    }
    if binding.mapping is None:
        return plain
    return dict(_mapped(binding.mapping, plain, package))


def _mapped(mapping: ET.Element, plain: dict[str, Given], package: Package) -> Iterator[tuple[str, Given]]:
    """Only what is mapped is applied, under the names that it is mapped to."""
    if mapping.tag != f"{_SSM}ParameterMapping":
        raise package.error(f"'{mapping.tag}' stands where a ParameterMapping is wanted")
    for entry in mapping.findall(f"{_SSM}MappingEntry"):
        given = plain.get(entry.get("source", ""))
        if given is not None:
            convert = entry.get("suppressUnitConversion", "false") not in ("true", "1")
            yield (
                entry.get("target", ""),
                Given(given.texts, given.kind, given.unit, given.file, read_transformation(entry), convert),
            )


def _given(node: ET.Element, units: dict[str, ShownUnit], file: str, package: Package) -> Given:
    name = node.get("name", "")
    for child in node:
        if not child.tag.startswith(_SSV):
            continue
        kind = child.tag.removeprefix(_SSV)
        whole = child.get("value", "")
        texts = tuple(item.get("value", "") for item in child) if len(child) else ()
        if not texts:
            texts = (whole,) if kind in ("String", "Enumeration", "Binary") else tuple(whole.split())
        unit = child.get("unit")
        if unit is not None and unit not in units:
            raise package.error(f"parameter '{name}' in {file} is in '{unit}', which is not among the units of the set")
        return Given(texts, kind, None if unit is None else units[unit], file)
    raise package.error(f"parameter '{name}' in {file} has no value")


def value_for(given: Given, variable: Variable, element: int, where: str) -> Value:
    """A value in the type of a variable, in SI. Raises FmuError if it has none that would do.

    variable: as FMPy and `fmu.foreign` know it; element: which one of it.
    """
    kind, items = variable.kind, _items(variable)
    if len(given.texts) not in (1, variable.width):
        raise FmuError(f"{where} has {variable.width} elements, not {len(given.texts)} ({given.file})")
    text = given.texts[element if len(given.texts) > 1 else 0]
    text = given.transformation.table.get(text, text)
    try:
        if kind == "String":
            return text
        if kind == "Boolean":
            return _boolean(text)
        if items:
            known = resolve_item(text, items)
            return known or next(name for name, number in items.items() if str(number) == text)
        number = float(_boolean(text)) if given.kind == "Boolean" else float(text)
    except (ValueError, StopIteration):
        wanted = f"one of {', '.join(items)}" if items else f"of type {kind}"
        raise FmuError(f"{where} cannot be '{text}' ({given.file}): it is {wanted}") from None
    sink = variable.conversions[element]
    source = conversion_of(given.unit.name, {given.unit.name: given.unit}) if given.unit else sink
    change = on_the_way(given.transformation, source, sink, where, convert_units=given.convert_units)
    value = change(source.out(number))
    if kind not in _REALS and value != round(value):
        raise FmuError(f"{where} must be a whole number, not {value:g} ({given.file})")
    return value


def _items(variable: Variable) -> dict[str, int]:
    declared = getattr(variable.first, "declaredType", None)
    return {str(item.name): int(item.value) for item in getattr(declared, "items", None) or ()}


def _boolean(text: str) -> bool:
    if text not in ("true", "false", "1", "0"):
        raise ValueError
    return text in ("true", "1")
