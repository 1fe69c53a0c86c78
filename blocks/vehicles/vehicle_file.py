"""What a vehicle file says, read and checked as far as one can without knowing the blocks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from blocks.errors import KeelblocksError, ParameterError, ScenarioError
from blocks.problems import Problem
from blocks.units import to_unit
from blocks.yaml.findings import Words, validated
from blocks.yaml.places import ItemPath
from blocks.yaml.reading import Document, read


class VehicleError(KeelblocksError):
    """A vehicle file cannot be found or read, or says what it must not say."""

    code = "bad-vehicle"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Entry(_Strict):
    """One parameter: its value in SI as the block takes it, its unit, the key of its source, and a note."""

    value: Any
    unit: str | None = None
    source: str
    note: str = ""


class Section(_Strict):
    """The parameters of one block."""

    type: str
    note: str = ""
    parameters: dict[str, Entry]


class Dimensions(_Strict):
    """The outer dimensions of the craft: over all, as it would be drawn. What is not known is None."""

    length: Entry | None = None
    breadth: Entry | None = None
    height: Entry | None = None

    def metres(self, name: Literal["length", "breadth", "height"]) -> float | None:
        """A dimension in m, or None."""
        entry: Entry | None = getattr(self, name)
        return None if entry is None else _metres(entry, f"dimensions.{name}")

    @property
    def entries(self) -> dict[str, Entry]:
        """Those that are known, by name."""
        found: dict[str, Entry | None] = {"length": self.length, "breadth": self.breadth, "height": self.height}
        return {name: entry for name, entry in found.items() if entry is not None}


class Vehicle(_Strict):
    """A vehicle file."""

    title: str
    kind: Literal["usv", "rov", "auv", "ship", "sailboat"] | None = None
    """What it is; `keelblocks new` makes scenarios by it."""
    description: str = ""
    validity: str = ""
    """The range of motions, speeds and waters for which the numbers hold."""
    faults: tuple[str, ...] = ()
    """Faults of the sources, and what was done about them."""
    dimensions: Dimensions = Dimensions()
    """Outer dimensions of the craft, by which it is drawn; none where the file has none."""
    references: dict[str, str] = Field(min_length=1)
    shared: dict[str, Any] = Field(default_factory=dict)
    """Parts that several sections take over by YAML anchors."""
    sections: dict[str, Section] = Field(min_length=1)

    _document: Document = PrivateAttr(default_factory=lambda: Document("", ""))

    def line(self, section: str, *parameter: str) -> int:
        """The line of the file in which a section, or with its name a parameter of it, stands."""
        return self._document.line(("sections", section, *(("parameters", *parameter) if parameter else ())))

    def where(self, section: str, *parameter: str) -> str:
        """The start of a message about a section or a parameter of it: "raft.yaml:12"."""
        return f"{self._document.file}:{self.line(section, *parameter)}"

    def citation(self, entry: Entry) -> str:
        """Where a value comes from, in full."""
        return self.references[entry.source] + (f" ({entry.note})" if entry.note else "")


_BEGINS = "a vehicle file has the keys title, references and sections"


def parse(file: str, text: str) -> Vehicle:
    """The vehicle in a file. Raises VehicleError, with the file and the line, if it is not in order."""
    try:
        document = read(text, file, _BEGINS)
    except ScenarioError as problem:
        raise VehicleError(str(problem)) from None
    if not isinstance(document.data, dict):
        raise VehicleError(f"{file} must begin with keys such as title, references and sections")
    vehicle = validated(document, Vehicle, _WORDS)
    vehicle._document = document
    if findings := [*_unfit_dimensions(vehicle, document), *_unknown_sources(vehicle, document)]:
        raise VehicleError("\n".join(map(str, findings)), problems=tuple(findings))
    return vehicle


def _unfit_dimensions(vehicle: Vehicle, document: Document) -> Iterator[Problem]:
    given = vehicle.dimensions
    if "dimensions" in vehicle.model_fields_set and not given.model_fields_set:
        wanted = "length, breadth or height, one at least, is wanted"
        yield from document.located(VehicleError(f"dimensions: {wanted}"), ("dimensions",)).problems
    for name in sorted(given.model_fields_set - set(given.entries)):
        fault = VehicleError(f"dimensions.{name}: a mapping of keys and values (value, source) is wanted, not nothing")
        yield from document.located(fault, ("dimensions", name)).problems
    for name, entry in given.entries.items():
        try:
            _metres(entry, f"dimensions.{name}")
        except ParameterError as problem:
            yield from document.located(VehicleError(str(problem)), ("dimensions", name)).problems


def _metres(entry: Entry, place: str) -> float:
    """A length in m. Raises ParameterError if it is none, or not positive."""
    value, unit = entry.value, entry.unit
    if value is None:
        raise ParameterError(f"{place}: its value is missing")
    if isinstance(value, bool) or not isinstance(value, (int, float, str)) or (isinstance(value, str) and unit):
        raise ParameterError(f"{place}: its value must be a plain number{f' in {unit}' if unit else ''}, not {value!r}")
    if unit is None and not isinstance(value, str):
        raise ParameterError(f"{place}: its unit is missing (m)")
    try:
        metres = to_unit(value if isinstance(value, str) else f"{float(value)!r} {unit}", "m")
    except ParameterError as problem:
        raise ParameterError(f"{place}: {problem}") from None
    except OverflowError:
        metres = math.inf
    if not 0.0 < metres < math.inf:
        raise ParameterError(f"{place} must be {'finite' if metres > 0.0 else '> 0 m'}, not {metres:g}")
    return metres


def _unknown_sources(vehicle: Vehicle, document: Document) -> Iterator[Problem]:
    entries: dict[ItemPath, Entry] = {("dimensions", name): entry for name, entry in vehicle.dimensions.entries.items()}
    for section, content in vehicle.sections.items():
        entries |= {("sections", section, "parameters", name): entry for name, entry in content.parameters.items()}
    for item, entry in entries.items():
        if entry.source not in vehicle.references:
            fault = VehicleError(
                f"{_name(item)} names the source '{entry.source}', which is not among the references",
                wrong=entry.source,
                valid=vehicle.references,
            )
            yield from document.located(fault, item).problems


def _name(item: ItemPath) -> str:
    """An item as the file's reader sees it: "thrusters.diameter.value"."""
    parts = [str(part) for part in item]
    if parts[:1] == ["sections"] and len(parts) > 1:
        parts = [*parts[1:2], *parts[3:]] if parts[2:3] == ["parameters"] and len(parts) > 3 else parts[1:]
    return ".".join(parts)


def _hint(document: Document, item: ItemPath, model: type[BaseModel]) -> str:
    """`{value: 1, note: this, that}` has a key 'that', which stands for nothing."""
    given = document.data
    for part in item:
        given = given[part]
    return ": text with a comma in it needs quotes" if given is None and " " in str(item[-1]) else ""


_WORDS = Words(name=_name, hint=_hint, error=VehicleError)
