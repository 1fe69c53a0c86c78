"""What a file gives to the inputs of its runs, checked where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blocks.errors import SimulationError
from blocks.input_series import check_series
from blocks.run.inputs import interpolations, numbers
from blocks.scenario.building import Builder
from blocks.yaml.places import ItemPath

SERIES = ("times", "values", "interpolation")
"""Keys of an input that varies, in the order in which `simulate` takes them."""


def input_value(value: Any) -> Any:
    """A value of an input as `simulate` takes it: times, values and what is between them as a tuple."""
    return tuple(value[key] for key in SERIES if key in value) if isinstance(value, dict) else value


def check_inputs(builder: Builder, inputs: Mapping[str, Any]) -> None:
    """Raise ScenarioError, with file and line, for what cannot be the value of an input under `run`."""
    for name, value in inputs.items():
        item: ItemPath = ("run", "inputs", name)
        if not isinstance(value, dict):
            _numbers(builder, item, name, value)
            continue
        _numbers(builder, (*item, "times"), name, value["times"], "the times")
        data = _numbers(builder, (*item, "values"), name, value["values"], "the values")
        if value.get("interpolation") is not None:
            with builder.document.at((*item, "interpolation")):
                interpolations(name, data, value["interpolation"])
        with builder.document.at(item, f"input '{name}': "):
            check_series(name, *input_value(value))


def _numbers(builder: Builder, item: ItemPath, name: str, value: Any, part: str = "") -> Any:
    """The numbers of an item; the line is that of the first item that is not a number, if there is one."""
    try:
        return numbers(name, value, part)
    except SimulationError as problem:
        for number, each in enumerate(value if isinstance(value, list) else []):
            with builder.document.at((*item, number)):
                numbers(name, each, f"number {number + 1} of {part}" if part else "")
        raise builder.document.error(item, str(problem)) from None
