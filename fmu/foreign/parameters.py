"""Parameters of an FMU as parameters of its block: numbers in SI, enumerations by name, switches, text."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from blocks.errors import ParameterError
from blocks.model.declare import Parameter, Value
from blocks.model.text_parameter import TextParameter
from fmu.foreign.spec import StartValue
from fmu.foreign.variables import FLOATS, Variable, is_negated
from fmu.identifiers import resolve_item


class EnumerationParameter(Parameter):
    """One of several names, as the FMU has it or as Python does; the FMU's number for it is accepted, too."""

    def __init__(self, items: dict[str, int], default: str, *, doc: str, fixed: str) -> None:
        super().__init__(default, choices=tuple(items), doc=doc, fixed=fixed)
        self.items = items

    def read(self, value: Any, where: str) -> Value:
        """`value` checked, as a name. Raises ParameterError."""
        if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            names = [name for name, number in self.items.items() if number == value]
            value = names[0] if names else value
        if isinstance(value, str):
            value = resolve_item(value, self.items) or value
        return super().read(value, where)


@dataclass(frozen=True)
class Setting:
    """A variable that can be set before a run, and the parameter that stands for it."""

    variable: Variable
    parameter: Parameter

    @property
    def structural(self) -> bool:
        """True if shapes may depend on it."""
        return bool(self.variable.first.causality == "structuralParameter")

    def port_value(self, value: Value) -> Any:
        """A changed value as a port has it: numbers; None if it is the FMU's own."""
        if _equal(value, self.parameter.default, self.variable.shape):
            return None
        if isinstance(self.parameter, EnumerationParameter):
            return float(self.parameter.items[str(value)])
        numbers = np.broadcast_to(np.asarray(value, dtype=np.float64), self.variable.shape)
        return numbers.tolist() if self.variable.shape else float(numbers)

    def start_values(self, value: Value) -> list[StartValue]:
        """What to set in the FMU; nothing if the value is the FMU's own."""
        variable, parameter = self.variable, self.parameter
        if _equal(value, parameter.default, variable.shape):
            return []
        kind = variable.kind
        numbers: list[Any]
        if isinstance(parameter, EnumerationParameter):
            numbers = [parameter.items[str(value)]]
        elif kind in ("String", "Boolean") and not variable.shape:
            numbers = [value]
        else:
            flat = np.broadcast_to(np.asarray(value, dtype=np.float64), variable.shape).reshape(-1).tolist()
            numbers = [c.into(number) for c, number in zip(variable.conversions, flat, strict=True)]
            if kind not in FLOATS:
                numbers = [int(number) for number in numbers]
        if len(variable.members) == 1:
            name, reference = variable.first.name, variable.first.valueReference
            return [
                StartValue(name, kind, reference, tuple(numbers), self.structural, negated=is_negated(variable.first))
            ]
        return [
            StartValue(member.name, kind, member.valueReference, (number,), self.structural, negated=is_negated(member))
            for member, number in zip(variable.members, numbers, strict=True)
        ]


def _equal(value: Value, default: Any, shape: tuple[int, ...]) -> bool:
    if isinstance(value, str) or isinstance(default, str):
        return bool(value == default)
    return bool(np.array_equal(np.broadcast_to(np.asarray(value), shape), np.broadcast_to(np.asarray(default), shape)))


def setting(variable: Variable) -> Setting | None:
    """The parameter for a variable; None if there can be none."""
    start = variable.start()
    doc = variable.description or f"{variable.name} of the FMU"
    fixed = "" if variable.first.variability == "tunable" else "the FMU says so"
    kind = variable.kind
    parameter: Parameter
    if kind == "String":
        if variable.shape:
            return None
        parameter = TextParameter(str(start[0]) if start else "", doc=doc)
    elif not variable.is_number:
        return None
    elif kind == "Boolean" and not variable.shape:
        parameter = Parameter(bool(start[0]) if start else False, doc=doc, fixed=fixed)
    elif kind == "Enumeration" and not variable.shape and (items := items_of(variable)):
        first = next((name for name, number in items.items() if start and number == start[0]), next(iter(items)))
        parameter = EnumerationParameter(items, first, doc=doc, fixed=fixed)
    else:
        numbers = np.array(start if start else [0.0] * variable.width, dtype=np.float64)
        numbers = np.array([c.out(number) for c, number in zip(variable.conversions, numbers, strict=True)])
        if not np.all(np.isfinite(numbers)):
            return None
        limits = _limits(variable)
        shape = variable.shape if variable.width != 1 else ()
        default: Any = numbers.reshape(shape) if shape else float(numbers[0])
        parameter = Parameter(
            default, shape=shape, unit=variable.unit, doc=doc, integer=kind not in FLOATS, fixed=fixed,
            at_least=limits.get("at_least"), at_most=limits.get("at_most"),
        )  # fmt: skip
        try:
            parameter.read(default, variable.name)
        except ParameterError:  # the description does not keep its own limits
            parameter.at_least = parameter.at_most = None
    return Setting(variable, parameter)


def items_of(variable: Variable) -> dict[str, int]:
    """Names and numbers of an enumeration."""
    declared = variable.first.declaredType
    items = getattr(declared, "items", None) or []
    try:
        return {str(item.name): int(item.value) for item in items}
    except (TypeError, ValueError):
        return {}


def _range_of_type(kind: str) -> dict[str, float]:
    """What a type can hold, and a float can count to."""
    if kind in FLOATS:
        return {}
    limits = np.iinfo({"Integer": "int32", "Enumeration": "int64"}.get(kind, kind.lower()))
    return {"at_least": max(float(limits.min), -(2.0**53)), "at_most": min(float(limits.max), 2.0**53)}


def _limits(variable: Variable) -> dict[str, float]:
    """The range in SI, where there is one for all elements."""
    if variable.kind == "Boolean":
        return {"at_least": 0.0, "at_most": 1.0}
    found = _range_of_type(variable.kind)
    if len(set(variable.conversions)) == 1:
        for attribute, name in (("min", "at_least"), ("max", "at_most")):
            try:
                limit = float(variable.attribute(attribute) or "nan")
            except ValueError:
                continue
            if math.isfinite(limit) and abs(limit) < 1e300:
                inner = max if name == "at_least" else min
                value = float(variable.conversions[0].out(limit))
                found[name] = inner(found.get(name, value), value)
    return found
