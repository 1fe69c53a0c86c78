"""An estimated vehicle as a vehicle file, in the form of those of the library."""

from __future__ import annotations

import json
import textwrap

from blocks.ready.estimates.entry import REFERENCES, Estimate, Estimated
from blocks.ready.text import number
from blocks.vehicles.writing import WIDTH, folded, unit_and_source


def vehicle_text(vehicle: Estimated) -> str:
    """The text of the vehicle file."""
    used = {one.source for _, parameters in vehicle.sections.values() for one in parameters.values()} | {"given"}
    text = (
        "# Every value is in SI, names its source and says how far it is likely to be off. Replace what you measure:\n"
    )
    text += "# keelblocks show vehicle prints all, keelblocks lab identify finds damping and added mass from logs.\n"
    text += f"title: {vehicle.title}\nkind: {vehicle.kind}\n"
    text += folded("description", vehicle.description, 0) + folded("validity", vehicle.validity, 0)
    text += "\nreferences:\n"
    text += "".join(folded(key, words, 2) for key, words in REFERENCES.items() if key in used)
    text += "\ndimensions:\n"
    text += "".join(
        f"  {name}: {{value: {number(value, 5)}, unit: m, source: given}}\n"
        for name, value in vehicle.dimensions.items()
    )
    text += "\nsections:\n"
    for name, (type_name, parameters) in vehicle.sections.items():
        text += f"  {name}:\n    type: {type_name}\n    parameters:\n"
        text += "".join(_entry(parameter, one) for parameter, one in parameters.items()) + "\n"
    return text.rstrip("\n") + "\n"


def _entry(name: str, one: Estimate) -> str:
    pad = " " * 6
    text = f"{pad}{name}:\n"
    value = one.value
    if isinstance(value, list) and value and isinstance(value[0], list):
        text += f"{pad}  value:\n" + "".join(f"{pad}    - {json.dumps(row)}\n" for row in value)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        text += f"{pad}  value:\n"
        for item in value:
            inside = ", ".join(f"{key}: {json.dumps(part)}" for key, part in item.items())
            text += f"{pad}    - {{{inside}}}\n"
    elif isinstance(value, list):
        whole = f"{pad}  value: {json.dumps(value)}"
        rows = textwrap.wrap(json.dumps(value), WIDTH - 10)
        text += (
            f"{whole}\n" if len(whole) <= WIDTH else f"{pad}  value:\n" + "".join(f"{pad}    {row}\n" for row in rows)
        )
    elif isinstance(value, dict):
        text += f"{pad}  value: {{diag: {json.dumps(value['diag'])}}}\n"
    else:
        text += f"{pad}  value: {value}\n"
    text += unit_and_source(one.unit, one.source)
    return text + (folded("note", one.told, 8) if one.told else "")
