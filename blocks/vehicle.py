"""Vehicle files: cited parameters of real craft, in `blocks/vehicles/*.yaml` or a file of one's own.

A file has a title, references by key, and sections; it says for which motions it holds and which faults of its sources
were found. A section says which block it is for and gives its parameters, each with its value in SI, where it comes
from, and what to know about it:

    title: ROV Minerva
    validity: slow motion, to about 1 m/s
    references: {mo2015: "Mo (2015), Development of a Simulation Platform for ROV Systems, NTNU"}
    sections:
      dynamics:
        type: dynamics.Vessel6DOF
        parameters:
          buoyancy: {value: 4925.6, unit: N, source: mo2015, note: "density times gravity times volume"}
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import yaml
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from blocks.errors import KeelblocksError, ParameterError, did_you_mean
from blocks.units import to_unit
from blocks.vehicle_lines import DuplicateKeyError, Place, in_words, key_lines, nearest

if TYPE_CHECKING:
    from importlib.abc import Traversable

    from blocks.block import Block

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


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

    _lines: dict[Place, int] = PrivateAttr(default_factory=dict)

    def line(self, *place: str) -> int | None:
        """The line of the file in which a section, or with its name a parameter of it, stands."""
        section, *parameter = place
        return nearest(self._lines, ("sections", section, *(("parameters", *parameter) if parameter else ())))

    def citation(self, entry: Entry) -> str:
        """Where a value comes from, in full."""
        return self.references[entry.source] + (f" ({entry.note})" if entry.note else "")


def _folder() -> Traversable:
    return resources.files("blocks") / "vehicles"


def list_vehicles() -> list[str]:
    """The names of the vehicles that come with the library."""
    return sorted(item.name.removesuffix(".yaml") for item in _folder().iterdir() if item.name.endswith(".yaml"))


def describe(vehicle: str) -> Vehicle:
    """All that the file of a vehicle says. `vehicle` is a name from `list_vehicles`, or the path of a YAML file.

    Raises VehicleError if there is no such vehicle or its file is not in order.
    """
    if vehicle.endswith((".yaml", ".yml")):
        path = Path(vehicle)
        try:
            return _parse(path.name, path.read_bytes())
        except OSError as problem:
            raise VehicleError(f"cannot read the vehicle file {path}: {problem.strerror or problem}") from None
    return _known(vehicle)


@functools.cache
def _known(vehicle: str) -> Vehicle:
    names = list_vehicles()
    if vehicle not in names:
        hint = did_you_mean(vehicle, names)
        raise VehicleError(
            f"there is no vehicle '{vehicle}'{hint}{'' if hint.endswith('?') else '.'} "
            f"A file of your own is given by its path, ending in .yaml"
        )
    return _parse(f"{vehicle}.yaml", (_folder() / f"{vehicle}.yaml").read_bytes())


def read_section(cls: type[Block], vehicle: str, section: str | None = None) -> tuple[dict[str, Any], dict[str, str]]:
    """Parameters for a block from a vehicle file, and the citation of each.

    Without `section`, the file has to have just one for this type of block. Raises VehicleError, with the file and the
    place in it, if there is none, if it is for another block, or if its parameters do not suit the block.
    """
    from blocks.block import Block

    read = describe(vehicle)
    file = _file(vehicle)
    name = _choose(cls, read, file, section)
    entries = read.sections[name].parameters
    known = cls.all_parameters()
    trial = cls.__new__(cls)  # so that messages name the section, and sections may leave parameters to the user
    trial.name, trial.values, trial.sources = name, {}, {}
    try:
        for parameter, entry in entries.items():
            place = f"{name}.{parameter}"
            if parameter not in known:
                raise ParameterError(
                    f"{place}: {cls.type_name()} has no parameter '{parameter}'{did_you_mean(parameter, known)}"
                )
            value = _in_unit(entry, known[parameter].unit, place)
            trial.values[parameter] = known[parameter].read(value, place)
        Block.known_sizes(trial)  # what a kind of block adds to this may want parameters that the user is to give
        values = dict(trial.values)
        if all(parameter in values for parameter, declared in known.items() if declared.required):
            cls.__init__(trial, **values)
    except ParameterError as problem:
        raise VehicleError(f"{file}: {problem}{_places(read, name, str(problem))}") from None
    return values, {parameter: read.citation(entry) for parameter, entry in entries.items()}


def check(vehicle: str) -> None:
    """Raise VehicleError, with a line for each finding, unless every section of a vehicle file suits its block.

    Sections for blocks of families that this library does not have are left to those who have them.
    """
    from blocks.block import library

    read, blocks = describe(vehicle), library()
    families = {name.partition(".")[0] for name in blocks}
    findings = []
    for name, section in read.sections.items():
        cls = blocks.get(section.type)
        try:
            if cls is not None:
                read_section(cls, vehicle, name)
            elif section.type.partition(".")[0] in families or "." not in section.type:
                findings.append(
                    f"{_file(vehicle)}: section '{name}' is for {section.type}, and there is no such block"
                    f"{did_you_mean(section.type, blocks)}{in_words([read.line(name)])}"
                )
        except VehicleError as problem:
            findings.append(str(problem))
    if findings:
        raise VehicleError("\n".join(findings))


def _file(vehicle: str) -> str:
    return Path(vehicle).name if vehicle.endswith((".yaml", ".yml")) else f"{vehicle}.yaml"


def _places(read: Vehicle, section: str, message: str) -> str:
    """The lines of the parameters that a message names, or that of the section."""
    named = re.findall(r"\w+", message.partition("did you mean")[0])
    mentioned = [name for name in read.sections[section].parameters if name in named]
    return in_words([read.line(section, name) for name in mentioned] or [read.line(section)])


def _choose(cls: type[Block], vehicle: Vehicle, file: str, section: str | None) -> str:
    wanted = cls.type_name()
    if section is not None:
        if section not in vehicle.sections:
            raise VehicleError(f"{file} has no section '{section}'{did_you_mean(section, vehicle.sections)}")
        if vehicle.sections[section].type != wanted:
            raise VehicleError(
                f"{file}: section '{section}' is for {vehicle.sections[section].type}, not for {wanted}"
                f"{in_words([vehicle.line(section)])}"
            )
        return section
    fitting = [name for name, part in vehicle.sections.items() if part.type == wanted]
    if not fitting:
        listed = ", ".join(f"{name} ({part.type})" for name, part in vehicle.sections.items())
        raise VehicleError(f"{file} has no section for {wanted}; it has {listed}")
    if len(fitting) > 1:
        raise VehicleError(f"{file} has several sections for {wanted}: name one of {', '.join(fitting)}")
    return fitting[0]


def _in_unit(entry: Entry, unit: str | tuple[str, ...] | None, place: str) -> Any:
    """The value in the parameter's unit."""
    if unit is None or isinstance(unit, tuple):
        if entry.unit not in (None, "SI"):
            raise ParameterError(f"{place}: its elements have units of their own, in SI: leave 'unit' out, or write SI")
        return entry.value
    if entry.unit is None and unit != "1":
        raise ParameterError(f"{place}: its unit is missing ({unit})")
    if entry.unit in (None, unit):  # spelled the same; comparing by meaning takes a moment
        return entry.value
    try:
        factor = to_unit(f"1 {entry.unit}", unit)
    except ParameterError as problem:
        raise ParameterError(f"{place}: {problem}") from None
    return (np.asarray(entry.value, dtype=np.float64) * factor).tolist()


def _parse(file: str, content: bytes) -> Vehicle:
    try:
        text = content.decode("utf-8")
        lines = key_lines(text, _Loader)
        data = yaml.load(text, Loader=_Loader)  # a safe loader, see above
    except UnicodeDecodeError as problem:
        raise VehicleError(f"{file} is not a text file in UTF-8: {problem.reason} at byte {problem.start}") from None
    except DuplicateKeyError as problem:
        raise VehicleError(f"{file}: {problem}") from None
    except (yaml.YAMLError, ValueError) as problem:
        raise VehicleError(f"{file} is not valid YAML: {problem}") from None
    if not isinstance(data, dict):
        raise VehicleError(f"{file} must begin with keys such as title, references and sections")
    try:
        vehicle = Vehicle.model_validate(data)
    except ValidationError as problem:
        raise VehicleError(
            "\n".join(
                f"{file}: {_explain(error)}{in_words([nearest(lines, map(str, error['loc']))])}"
                for error in problem.errors()
            )
        ) from None
    vehicle._lines.update(lines)
    findings = [f"{file}: {finding}" for finding in _unknown_sources(vehicle)]
    if findings:
        raise VehicleError("\n".join(findings))
    return vehicle


def _unknown_sources(vehicle: Vehicle) -> Iterator[str]:
    for name, section in vehicle.sections.items():
        for parameter, entry in section.parameters.items():
            if entry.source not in vehicle.references:
                yield (
                    f"{name}.{parameter} names the source '{entry.source}', which is not among the references"
                    f"{did_you_mean(entry.source, vehicle.references)}{in_words([vehicle.line(name, parameter)])}"
                )


def _explain(error: Any) -> str:
    """One finding of pydantic with its place as the file's reader sees it."""
    *outer, last = map(str, error["loc"]) if error["loc"] else ("",)
    place = [*outer[1::2], last]  # ("sections", "dynamics", "parameters", "mass", "unit") is dynamics.mass.unit
    where = ".".join(place)
    if error["type"] == "extra_forbidden":
        model = (Vehicle, Section, Entry)[min(len(place) - 1, 2)]
        return f"unknown key '{place[-1]}' in {'.'.join(place[:-1]) or 'the file'}" + did_you_mean(
            place[-1], model.model_fields
        )
    if error["type"] == "missing":
        return f"{'.'.join(place[:-1]) or 'the file'} lacks '{place[-1]}'"
    return f"{where}: {error['msg']}" if where else str(error["msg"])
