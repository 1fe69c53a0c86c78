"""What a scenario says, fact by fact, with values as they are written and in SI.

Facts come from the text alone. Files that the text names need not be there, so that a version from elsewhere, such as
one that git keeps, can be read too; nor are libraries imported that it names, so that reading it runs no code of
others. What is not known of a block for that is compared as it is written.
"""

from __future__ import annotations

import builtins
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from blocks.block import Block, block_class
from blocks.errors import KeelblocksError, shorten
from blocks.model.declare import Parameter, Value
from blocks.model.text_parameter import FileParameter
from blocks.scenario.checking import validated
from blocks.scenario.model import DECLARED, FORMAT, ScenarioFile
from blocks.scenario.writing import has_text
from blocks.units import to_unit
from blocks.yaml.kinds import check_kind
from blocks.yaml.reading import read

__all__ = ["BlockFacts", "DiagramFacts", "Fact", "ScenarioFacts", "facts_of", "scenario_data"]

_LONGEST = 100
"""Characters of a value that is shown."""
_ORIGIN = ("vehicle", "section", "file")
_SECTIONS = ("run", "report", "live", "environment")
_UNITS = {
    "run.step": "s", "run.start": "s", "run.end": "s", "run.max_step": "s", "report.depth_tolerance": "m",
}  # fmt: skip
"""Of the settings that are quantities."""


@dataclass(frozen=True)
class Fact:
    """A value as it is written, and what it means in SI, where that is known."""

    written: Any
    value: Value | None = None
    unit: str | tuple[str, ...] | None = None

    def same(self, other: Fact) -> bool:
        """Whether both mean the same."""
        if self.value is None or other.value is None:
            return _plain_equal(self.written, other.written)
        if isinstance(self.value, str) or isinstance(other.value, str):
            return bool(self.value == other.value)
        return np.shape(self.value) == np.shape(other.value) and np.array_equal(self.value, other.value)

    @property
    def text(self) -> str:
        """The value as it is written, in one line of bounded length, with its unit if that is not written."""
        return shorten(self.full_text, _LONGEST)

    @property
    def full_text(self) -> str:
        """The same, whatever its length."""
        shown = self.written if isinstance(self.written, str) else json.dumps(self.written, ensure_ascii=False)
        number = isinstance(self.written, (int, float)) and not isinstance(self.written, bool)
        unit = f" {self.unit}" if number and isinstance(self.unit, str) and self.unit != "1" else ""
        return " ".join(shown.split()) + unit

    @property
    def si(self) -> str:
        """The value in SI, where it is written in another unit; else empty."""
        if self.value is None or isinstance(self.value, str) or not has_text(self.written):
            return ""
        if isinstance(self.value, (int, float)):
            shown = f"{self.value:.9g}"
        else:
            shown = shorten(json.dumps(np.asarray(self.value).tolist()), _LONGEST)
        unit = {None: " in SI", "1": ""}.get(self.unit, f" {self.unit}") if not isinstance(self.unit, tuple) else ""
        return "" if f"{shown}{unit}" == self.text else f"{shown}{unit}"


@dataclass
class BlockFacts:
    """A block: its type, where its parameters come from, and those that are given."""

    type: str
    cls: builtins.type[Block] | None
    parameters: dict[str, Fact] = field(default_factory=dict)

    def default(self, name: str) -> Fact | None:
        """What a parameter is where it is not given, if that follows from the type alone."""
        parameter = self.cls.all_parameters().get(name) if self.cls else None
        if parameter is None or parameter.required or self.parameters.keys() & {*_ORIGIN}:
            return None
        try:
            value = parameter.read(parameter.default, name)
        except (KeelblocksError, TypeError, ValueError):
            return None
        return Fact(np.asarray(value).tolist() if not isinstance(value, str) else value, value, parameter.unit)


@dataclass
class DiagramFacts:
    """A diagram: what stands in it, its wires by their sinks, and what it has towards outside."""

    about: dict[str, Fact] = field(default_factory=dict)
    blocks: dict[str, BlockFacts | DiagramFacts] = field(default_factory=dict)
    inputs: tuple[str, ...] = ()
    wires: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)

    @property
    def type(self) -> str:
        """As that of a block."""
        return "diagram"


@dataclass
class ScenarioFacts:
    """A scenario: its diagram, and all that it says besides by dotted name."""

    diagram: DiagramFacts
    settings: dict[str, Fact]


def scenario_data(text: str, file: str) -> dict[str, Any]:
    """The data of a scenario's text. Raises ScenarioError if it has not the structure of one."""
    document = read(text, file)
    check_kind(document, "keelblocks")
    validated(document, ScenarioFile)
    data: dict[str, Any] = document.data
    return data


def facts_of(data: Mapping[str, Any]) -> ScenarioFacts:
    """The facts of a scenario's data, which must have the structure of a scenario."""
    settings = {key: Fact(data[key]) for key in ("name", "title", "description") if data.get(key)}
    if data.get("keelblocks") != FORMAT:
        settings["keelblocks"] = Fact(data.get("keelblocks"))
    if data.get("libraries"):
        settings["libraries"] = Fact(sorted(data["libraries"]))  # their order says nothing
    for section in _SECTIONS:
        settings |= dict(_flattened(section, data.get(section) or {}))
    return ScenarioFacts(_diagram(data["diagram"]), settings)


def _flattened(path: str, item: Any) -> Iterator[tuple[str, Fact]]:
    """Settings by dotted name; lists are one value."""
    if isinstance(item, dict):
        for key, value in item.items():
            yield from _flattened(f"{path}.{key}", value)
    elif item is not None:
        unit = _UNITS.get(path)
        yield path, Fact(item, _quantity(item, unit) if unit else None, unit)


def _quantity(item: Any, unit: str) -> float | None:
    try:
        return to_unit(item, unit) if isinstance(item, str) else float(item)
    except (KeelblocksError, TypeError, ValueError):
        return None


def _diagram(data: Mapping[str, Any]) -> DiagramFacts:
    found = DiagramFacts({key: Fact(data[key]) for key in ("title", "doc") if data.get(key)})
    for name, entry in (data.get("blocks") or {}).items():
        found.blocks[name] = _diagram(entry["diagram"]) if "diagram" in entry else _block(entry)
    inputs = data.get("inputs") or {}
    found.inputs = tuple(inputs)
    for source, sinks in (*inputs.items(), *(data.get("connections") or {}).items()):
        for sink in [sinks] if isinstance(sinks, str) else sinks:
            found.wires[sink] = source
    found.outputs = dict(data.get("outputs") or {})
    return found


def _block(entry: Mapping[str, Any]) -> BlockFacts:
    cls = block_class(entry["type"])
    found = BlockFacts(cls.type_name() if cls else entry["type"], cls)
    for key in _ORIGIN:
        if entry.get(key) is not None:
            found.parameters[key] = Fact(entry[key])
    for section in DECLARED:
        for name, text in (entry.get(section) or {}).items():
            found.parameters[f"{section}.{name}"] = Fact(text)
    known = cls.all_parameters() if cls else {}
    for written, value in (entry.get("parameters") or {}).items():
        name = cls.parameter_name(written) if cls else written
        found.parameters[name] = _parameter(known.get(name), name, value)
    return found


def _parameter(parameter: Parameter | None, name: str, written: Any) -> Fact:
    if parameter is None or isinstance(parameter, FileParameter):
        return Fact(written)
    try:
        return Fact(written, parameter.read(written, name), parameter.unit)
    except KeelblocksError:  # `check` says what is wrong with it
        return Fact(written)


def _plain_equal(one: Any, other: Any) -> bool:
    return (type(one) is type(other) and bool(one == other)) or (
        isinstance(one, (int, float)) and isinstance(other, (int, float)) and one == other
    )  # fmt: skip
