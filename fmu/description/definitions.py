"""Units, types and attributes of variables, as FMI 2 and FMI 3 both have them in XML."""

from __future__ import annotations

import math
from collections.abc import Iterable

from blocks.plan.settings import ADAPTIVE, Settings
from fmu import units
from fmu.description.markup import Document
from fmu.description.model import LOG_CATEGORIES
from fmu.description.variables import LARGEST, Variable

PREFIX = "Keelblocks."
"""Before the names of types, which must not be those of variables."""


def add_units(document: Document, names: Iterable[str]) -> None:
    """UnitDefinitions: exponents of the SI base units, and units to show values in."""
    used = sorted({units.unit(name) for name in names}, key=lambda unit: unit.name)
    if not used:
        return
    with document.element("UnitDefinitions"):
        for unit in used:
            with document.element("Unit", {"name": unit.name}):
                base = {name: str(power) for name, power in zip(units.BASE, unit.exponents, strict=True) if power}
                if unit.factor != 1.0:
                    base["factor"] = repr(unit.factor)
                document.empty("BaseUnit", base)
                for display in unit.displays:
                    document.empty("DisplayUnit", {"name": display.name, "factor": repr(display.factor)})


def quantities(names: Iterable[str]) -> dict[str, dict[str, str]]:
    """The types of quantities with these units: name, and attributes of the type."""
    found: dict[str, dict[str, str]] = {}
    for name in sorted(set(names)):
        unit = units.unit(name)
        if unit.quantity:
            found[PREFIX + unit.quantity] = {"quantity": unit.quantity, **unit_attributes(unit)}
    return found


def enumerations(variables: Iterable[Variable]) -> dict[str, tuple[str, ...]]:
    """The types of choices: name, and items in order."""
    found = {PREFIX + v.type_name: v.choices for v in variables if v.choices}
    return dict(sorted(found.items()))


def add_items(document: Document, choices: Iterable[str]) -> None:
    """The items of an enumeration, counted from 1."""
    for number, choice in enumerate(choices, 1):
        document.empty("Item", {"name": choice, "value": str(number)})


def unit_attributes(unit: units.Unit) -> dict[str, str]:
    """The unit, and the one that a value is shown in."""
    return {"unit": unit.name, **({"displayUnit": unit.preferred} if unit.preferred else {})}


def real_attributes(name: str | None) -> dict[str, str]:
    """Type and unit of a real number. The unit is said again beside the type, for tools that do not look it up."""
    if name is None:
        return {}
    unit = units.unit(name)
    declared = {"declaredType": PREFIX + unit.quantity} if unit.quantity else {}
    return declared | unit_attributes(unit)


def limit_attributes(variable: Variable) -> dict[str, str]:
    """The range, for all elements of a variable."""
    if variable.type in ("Boolean", "Enumeration"):
        return {}
    found, limits = {}, variable.limits
    if limits.low > -LARGEST:
        found["min"] = number(variable, limits.low)
    if limits.high < LARGEST:
        found["max"] = number(variable, limits.high)
    return found


def number(variable: Variable, value: float) -> str:
    """A value as its type writes it."""
    if variable.type == "Boolean":
        return "true" if value else "false"
    return repr(float(value)) if variable.type == "Real" else str(int(value))


def initial(variable: Variable) -> dict[str, str]:
    """How a variable gets its first value."""
    return {"initial": "calculated" if variable.start is None else "exact"}


def add_log_categories(document: Document) -> None:
    """LogCategories."""
    with document.element("LogCategories"):
        for name, text in LOG_CATEGORIES.items():
            document.empty("Category", {"name": name, "description": text})


def add_experiment(document: Document, settings: Settings) -> None:
    """DefaultExperiment."""
    pairs = {"startTime": repr(settings.start)}
    if math.isfinite(settings.end):
        pairs["stopTime"] = repr(settings.end)
    if settings.solver in ADAPTIVE:
        pairs["tolerance"] = repr(settings.relative_tolerance)
    document.empty("DefaultExperiment", pairs | {"stepSize": repr(settings.step)})
