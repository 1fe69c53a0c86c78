"""What a vehicle file says, read and checked as far as one can without knowing the blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from blocks.errors import KeelblocksError, ScenarioError, did_you_mean
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


class Vehicle(_Strict):
    """A vehicle file."""

    title: str
    description: str = ""
    validity: str = ""
    """The range of motions, speeds and waters for which the numbers hold."""
    faults: tuple[str, ...] = ()
    """Faults of the sources, and what was done about them."""
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
    if findings := list(_unknown_sources(vehicle)):
        raise VehicleError("\n".join(findings))
    return vehicle


def _unknown_sources(vehicle: Vehicle) -> Iterator[str]:
    for name, section in vehicle.sections.items():
        for parameter, entry in section.parameters.items():
            if entry.source not in vehicle.references:
                yield (
                    f"{vehicle.where(name, parameter)}: {name}.{parameter} names the source '{entry.source}', which is "
                    f"not among the references{did_you_mean(entry.source, vehicle.references)}"
                )


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
