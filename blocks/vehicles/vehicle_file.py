"""What a vehicle file says, read and checked as far as one can without knowing the blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from blocks.errors import KeelblocksError, ScenarioError, did_you_mean
from blocks.yaml.reading import Document, Place, read


class VehicleError(KeelblocksError):
    """A vehicle file cannot be found or read, or says what it must not say."""


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
    try:
        vehicle = Vehicle.model_validate(document.data)
    except ValidationError as problem:
        said = (f"{document.where(_place(error['loc']))}: {_explain(error)}" for error in problem.errors())
        raise VehicleError("\n".join(said)) from None
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


def _place(loc: Iterable[str | int]) -> Place:
    """The place of what pydantic found, without what it puts in for keys."""
    return tuple(part for part in loc if part != "[key]")


_WANTED = {
    "string_type": "text, in quotes if it looks like a number",
    "tuple_type": "a list",
    "dict_type": "keys with values, one to a line",
    "model_type": "keys with values",
}
"""What pydantic misses, in words."""


def _explain(error: Any) -> str:
    """One finding of pydantic with its place as the file's reader sees it."""
    place = [part for part in map(str, error["loc"]) if part != "[key]"]
    if place[:1] == ["sections"] and len(place) > 1:
        place = [*place[1:2], *place[3:]] if place[2:3] == ["parameters"] and len(place) > 3 else place[1:]
    where = ".".join(place)
    outer = ".".join(place[:-1]) or "the file"
    kind, given = error["type"], error["input"]
    if kind == "extra_forbidden":
        model = (Vehicle, Section, Entry)[min(len(place) - 1, 2)]
        if given is None and " " in place[-1]:
            return f"unknown key '{place[-1]}' in {outer}: text with a comma in it needs quotes"
        return f"unknown key '{place[-1]}' in {outer}{did_you_mean(place[-1], model.model_fields)}"
    if kind == "missing":
        return f"{outer} lacks '{place[-1]}'"
    if kind == "too_short":
        return f"{where} is empty; it needs at least one entry"
    if kind == "model_type" and len(error["loc"]) == 4:
        return f"{where} must be keys such as value, unit and source, not {given!r}"
    wanted = _WANTED.get(kind)
    return f"{where} must be {wanted}, not {given!r}" if wanted else f"{where}: {error['msg']}"
