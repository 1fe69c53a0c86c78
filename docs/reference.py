"""The block reference: a page for each family of blocks, written from their declarations; and the lab and vehicles.

python docs/reference.py [folder]
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for the module beside this one, wherever it is run from

from docstrings import inline, to_rst

from blocks.basic.common import NO_LIMIT
from blocks.block import FAMILIES, library
from blocks.model.describe import describe_block
from blocks.scenario.writing import example_text
from blocks.vehicles.vehicle import Entry, Vehicle, describe, list_vehicles

FAMILY_TITLES = {
    "basic": "General blocks",
    "control": "Control",
    "dynamics": "Dynamics",
    "environment": "Environment",
    "guidance": "Guidance",
    "navigation": "Navigation",
    "power": "Power",
    "sensors": "Sensors",
    "thrust": "Thrust",
}


def pages() -> dict[str, str]:
    """Every page by its file name."""
    blocks = {name: cls for name, cls in library().items() if cls.__module__.split(".")[0] == "blocks"}
    made = {f"{family}.rst": _family(family, [c for c in blocks.values() if c.family == family]) for family in FAMILIES}
    made["lab.rst"] = _lab()
    made["vehicles.rst"] = _vehicles()
    return made


def write(folder: Path) -> None:
    """Write the pages that are not there or have changed."""
    folder.mkdir(parents=True, exist_ok=True)
    made = pages()
    for old in folder.glob("*.rst"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _family(family: str, classes: list[Any]) -> str:
    module = sys.modules[f"blocks.{family}"]
    lines = [*_title(FAMILY_TITLES.get(family, family.capitalize()), "="), *to_rst(module.__doc__ or "")]
    for cls in classes:
        lines += _block(cls)
    return "\n".join(lines) + "\n"


def _block(cls: Any) -> list[str]:
    described = describe_block(cls)
    lines = _title(described["type"], "-")
    lines += [f".. py:class:: {cls.__module__}.{cls.__name__}", "   :no-contents-entry:", ""]
    lines += to_rst(described["doc"])
    ports = ("port", "size", "unit", "frame", "")
    for title, items in (("Inputs", described["inputs"]), ("Outputs", described["outputs"])):
        rows = [
            (_code(p["name"]), _size(p), inline(p["unit"]), p.get("frame", ""), inline(_port_words(p))) for p in items
        ]
        lines += _table(title, ports, rows)
    lines += _table(
        "States",
        ("state", "size", "unit", "kind", ""),
        [
            (
                _code(s["name"]),
                _size(s),
                inline(s["unit"]),
                "discrete" if s["discrete"] else "continuous",
                inline(s["doc"]),
            )
            for s in described["states"]
        ],
    )
    lines += _table(
        "Parameters",
        ("parameter", "size", "unit", "default", "range", ""),
        [
            (_code(p["name"]), _size(p), inline(_unit(p)), _default(p), inline(_range(p)), inline(p["doc"]))
            for p in described["parameters"]
        ],
    )
    lines += _table(
        "Calculated parameters",
        ("parameter", "size", "unit", "from", ""),
        [
            (_code(c["name"]), _size(c), inline(c["unit"]), ", ".join(map(_code, c["from"])), inline(c["doc"]))
            for c in described["calculated"]
        ],
    )
    example = example_text(cls)
    if example:
        lines += ["**Example**, among the blocks of a scenario", "", ".. code-block:: yaml", ""]
        lines += [f"   {line}" for line in example.splitlines()] + [""]
    return lines


LAB = {
    "blocks.lab": "Trials, what is measured in them, and their figures",
    "blocks.lab.manoeuvres": "Manoeuvres in one call",
    "blocks.lab.comparison": "Comparisons",
    "blocks.lab.analysis": "Operating points and linear systems",
    "blocks.lab.tuning": "Tuning",
    "blocks.lab.identification": "Identification",
    "blocks.routes": "Routes",
    "blocks.metrics": "Metrics",
}
"""Modules of the lab, and what each is for."""


def _lab() -> str:
    """Functions and dataclasses of experiments, so Sphinx reads them itself."""
    lines = [*_title("The lab", "="), "Experiments, what is measured in them, and their figures.", ""]
    described: list[Any] = []
    for module_name, title in LAB.items():
        module = importlib.import_module(module_name)
        lines += [*_title(f"{title}: {module_name}", "-"), ""]
        for name in module.__all__:
            item = getattr(module, name)
            if any(item is other for other in described):  # where it was exported first
                continue
            described.append(item)
            if isinstance(item, type) and issubclass(item, Exception):
                lines += [f".. autoexception:: {module_name}.{name}", ""]
            elif isinstance(item, type):
                lines += [f".. autoclass:: {module_name}.{name}", "   :members:", ""]
            elif callable(item):
                lines += [f".. autofunction:: {module_name}.{name}", ""]
    return "\n".join(lines)


def _vehicles() -> str:
    lines = [*_title("Vehicles", "="), "Cited parameters of real craft, for ``Block.from_vehicle`` and scenarios.", ""]
    for name in list_vehicles():
        lines += _vehicle(name, describe(name))
    return "\n".join(lines) + "\n"


def _vehicle(name: str, vehicle: Vehicle) -> list[str]:
    lines = [*_title(f"{name}: {vehicle.title}", "-"), inline(vehicle.description), ""]
    if vehicle.validity:
        lines += [f"**Validity.** {inline(vehicle.validity)}", ""]
    lines += _entries("Outer dimensions", "dimension", vehicle.dimensions.entries)
    for title, section in vehicle.sections.items():
        heading = f"{title}, for {section.type}" + (f": {section.note}" if section.note else "")
        lines += _entries(heading, "parameter", section.parameters)
    lines += [".. rubric:: Sources", ""]
    lines += [f"- {inline(key)}: {inline(text)}" for key, text in vehicle.references.items()]
    if vehicle.faults:
        lines += ["", ".. rubric:: Faults of the sources", ""]
        lines += [f"- {inline(fault)}" for fault in vehicle.faults]
    return [*lines, ""]


def _entries(heading: str, what: str, entries: dict[str, Entry]) -> list[str]:
    rows = [
        (_code(name), _shown(e.value), inline(e.unit or ""), inline(e.source), inline(e.note))
        for name, e in entries.items()
    ]
    return _table(heading, (what, "value", "unit", "source", "note"), rows)


def _shown(value: Any) -> str:
    """A value for people: "diag(460, 460)", and a line for each row of a matrix, or item of a list."""
    if isinstance(value, dict):
        return ", ".join(f"{word}({_shown(part)})" for word, part in value.items())
    if isinstance(value, list) and isinstance(value[0], (list, dict)):
        return "\n".join(f"| {_shown(row)}" for row in value)
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.10g}" if isinstance(value, (int, float)) else inline(str(value))


def _title(text: str, rule: str) -> list[str]:
    return [text, rule * len(text), ""]


def _code(text: str) -> str:
    return f"``{text}``"


def _size(item: dict[str, Any]) -> str:
    return "×".join(map(str, item["shape"])) or "1"


def _port_words(port: dict[str, Any]) -> str:
    """What a port carries, its elements by their labels, and whether it can be left open."""
    labels = f": `{' '.join(port['labels'])}`" if port.get("labels") else ""
    return f"{port['doc']}{labels}{'' if port.get('required', True) else '; need not be connected'}"


def _unit(parameter: dict[str, Any]) -> str:
    numeric = "choices" not in parameter and not isinstance(parameter.get("default"), bool)
    return str(parameter["unit"]) if numeric else ""


def _range(parameter: dict[str, Any]) -> str:
    return str(parameter.get("range", ""))


def _default(parameter: dict[str, Any]) -> str:
    if "choices" in parameter:
        chosen = parameter.get("default")
        return " | ".join(f"**{choice}**" if choice == chosen else choice for choice in map(str, parameter["choices"]))
    if parameter["required"]:
        return "*required*"
    default = parameter["default"]
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, str):
        return inline(default)
    numbers = np.ravel(default)
    if numbers.size and abs(numbers[0]) >= NO_LIMIT:
        return "none"
    return ", ".join(f"{number:g}" for number in numbers)


def _table(title: str, head: Iterable[str], rows: list[tuple[str, ...]]) -> list[str]:
    if not rows:
        return []
    lines = [f".. rubric:: {inline(title)}", "", ".. list-table::", "   :header-rows: 1", "   :width: 100%", ""]
    for row in (tuple(head), *rows):
        for number, cell in enumerate(row):
            first, *more = cell.split("\n")
            lines += [f"   {'* -' if number == 0 else '  -'} {first}".rstrip(), *(f"       {line}" for line in more)]
    return [*lines, ""]


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent / "reference")
