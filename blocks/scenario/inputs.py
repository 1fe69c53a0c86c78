"""What a file gives to the inputs of its runs, checked where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blocks.errors import SimulationError
from blocks.input_series import check_series
from blocks.run.inputs import interpolations, numbers
from blocks.scenario.building import Builder
from blocks.scenario.logged import logged
from blocks.yaml.places import ItemPath

SERIES = ("times", "values", "interpolation")
"""Keys of an input that varies, in the order in which `simulate` takes them."""
HOLD = "hold"
"""What logged data are between two messages, if nothing else is said."""


def input_value(value: Any) -> Any:
    """A value of an input as `simulate` takes it: times, values and what is between them as a tuple."""
    if not isinstance(value, dict):
        return value
    if "file" in value:
        return (*logged(value["file"], value.get("topic"), value.get("value")), value.get("interpolation") or HOLD)
    return tuple(value[key] for key in SERIES if key in value)


def checked_inputs(builder: Builder, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs under `run`, with paths of files as they are seen from here.

    Raises ScenarioError, with file and line, for what cannot be the value of an input.
    """
    checked = {}
    for name, value in inputs.items():
        item: ItemPath = ("run", "inputs", name)
        checked[name] = value
        if not isinstance(value, dict):
            _numbers(builder, item, name, value)
            continue
        given = {key: one for key, one in value.items() if one is not None}
        if "file" in given:
            checked[name] = given | {"file": str(builder.folder / given["file"])}
            with builder.document.at((*item, "file"), f"input '{name}': "):
                data = input_value(checked[name])[1]
        else:
            _numbers(builder, (*item, "times"), name, given["times"], "the times")
            data = _numbers(builder, (*item, "values"), name, given["values"], "the values")
        if "interpolation" in given:
            with builder.document.at((*item, "interpolation")):
                interpolations(name, data, given["interpolation"])
        with builder.document.at(item, f"input '{name}': "):
            check_series(name, *input_value(checked[name]))
    return checked


def _numbers(builder: Builder, item: ItemPath, name: str, value: Any, part: str = "") -> Any:
    """The numbers of an item; the line is that of the first item that is not a number, if there is one."""
    try:
        return numbers(name, value, part)
    except SimulationError as problem:
        for number, each in enumerate(value if isinstance(value, list) else []):
            with builder.document.at((*item, number)):
                numbers(name, each, f"number {number + 1} of {part}" if part else "")
        raise builder.document.error(item, str(problem)) from None
