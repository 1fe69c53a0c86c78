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

It may say what kind of craft it is, `kind:` usv, rov, auv, ship or sailboat, and state the outer dimensions of the
craft in the same form, `dimensions:` with length, breadth and height.
"""

from __future__ import annotations

import difflib
import functools
import os
import re
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from blocks.errors import ParameterError, ScenarioError, did_you_mean
from blocks.files.writing import is_file
from blocks.units import to_unit
from blocks.vehicles.vehicle_file import Dimensions, Entry, Section, Vehicle, VehicleError, parse
from blocks.yaml.reading import read_text

if TYPE_CHECKING:
    from importlib.abc import Traversable

    from blocks.model.block import Block

__all__ = [
    "Dimensions",
    "Entry",
    "Section",
    "Vehicle",
    "VehicleError",
    "check",
    "describe",
    "file_or_name",
    "list_vehicles",
    "read_section",
]

VehicleName = str | os.PathLike[str]
"""A name from `list_vehicles`, or the path of a YAML file."""


def _folder() -> Traversable:
    return resources.files("blocks") / "vehicles"


def file_or_name(vehicle: VehicleName) -> str:
    """How a vehicle was named, as text. Raises VehicleError if it is neither a name nor a path."""
    if isinstance(vehicle, (str, os.PathLike)):
        found = os.fspath(vehicle)
        if isinstance(found, str):
            return found
    raise VehicleError(
        f"a vehicle is a name such as 'otter', or the path of a file that ends in .yaml, not {vehicle!r}"
    )


def list_vehicles() -> list[str]:
    """The names of the vehicles that come with the library."""
    return sorted(item.name.removesuffix(".yaml") for item in _folder().iterdir() if item.name.endswith(".yaml"))


def describe(vehicle: VehicleName) -> Vehicle:
    """All that the file of a vehicle says. `vehicle` is a name from `list_vehicles`, or the path of a YAML file.

    Raises VehicleError if there is no such vehicle or its file is not in order.
    """
    named = file_or_name(vehicle)
    if not named.endswith((".yaml", ".yml")):
        return _known(named)
    path = Path(named)
    try:
        return parse(path.name, read_text(path, "a vehicle"))
    except ScenarioError as problem:
        own = not is_file(path) and path.stem in list_vehicles()
        hint = f"; the library's own is called '{path.stem}'" if own else ""
        raise VehicleError(f"{problem}{hint}") from None


@functools.cache
def _known(vehicle: str) -> Vehicle:
    names = list_vehicles()
    if Path(vehicle).name != vehicle:
        raise VehicleError(f"{vehicle or 'an empty name'} is not the path of a vehicle file: that ends in .yaml")
    if vehicle not in names:
        near = did_you_mean(vehicle, names).removeprefix("; ")
        raise VehicleError(
            f"there is no vehicle '{vehicle}'",
            code="unknown-vehicle",
            wrong=vehicle,
            valid=names,
            hint=f"{near}{'' if near.endswith('?') else '.'} A file of your own is given by its path, ending in .yaml",
        )
    return parse(f"{vehicle}.yaml", (_folder() / f"{vehicle}.yaml").read_text(encoding="utf-8"))


def read_section(
    cls: type[Block], vehicle: VehicleName, section: str | None = None
) -> tuple[dict[str, Any], dict[str, str]]:
    """Parameters for a block from a vehicle file, and the citation of each.

    Without `section`, the file has to have just one for this type of block. Raises VehicleError, with the file and the
    place in it, if there is none, if it is for another block, or if its parameters do not suit the block.
    """
    from blocks.model.block import Block

    read = describe(vehicle)
    file = _file(vehicle)
    name = _choose(cls, read, file, section)
    if read.sections[name].type != cls.type_name():
        return _taken_over(cls, vehicle, name, read.sections[name].type)
    known = cls.all_parameters()
    trial = cls.__new__(cls)  # so that messages name the section, and sections may leave parameters to the user
    trial.name, trial.values, trial.sources = name, {}, {}
    try:
        entries = _entries(cls, read.sections[name].parameters, name)
        for parameter, entry in entries.items():
            place = f"{name}.{parameter}"
            if parameter not in known:
                raise ParameterError(
                    f"{place}: {cls.type_name()} has no parameter '{parameter}'",
                    code="unknown-parameter",
                    wrong=parameter,
                    valid=known,
                )
            value = _in_unit(entry, known[parameter].unit, place)
            trial.values[parameter] = known[parameter].read(value, place)
        Block.known_sizes(trial)  # what a kind of block adds to this may want parameters that the user is to give
        values = dict(trial.values)
        if all(parameter in values for parameter, declared in known.items() if declared.required):
            cls.__init__(trial, **values)
    except ParameterError as problem:
        raise VehicleError(_located(read, name, str(problem))) from None
    return values, {parameter: read.citation(entry) for parameter, entry in entries.items()}


def _entries(cls: type[Block], written: Mapping[str, Entry], section: str) -> dict[str, Entry]:
    """Entries by the own names of parameters, each by itself where they are given together, item by item."""
    found: dict[str, Entry] = {}
    for name, entry in written.items():
        for one, value in cls.spelled_out({name: entry.value}, section).items():
            own = cls.parameter_name(one)
            if one == name:
                found[own] = entry.model_copy(update={"value": value})
            elif one not in written:
                found[own] = entry.model_copy(update={"value": value, "unit": cls.all_parameters()[own].unit})
    return found


def _taken_over(cls: type[Block], vehicle: VehicleName, section: str, of: str) -> tuple[dict[str, Any], dict[str, str]]:
    """The parameters and citations of a section for another block, as far as this one has them, too."""
    from blocks.model.library import library

    values, citations = read_section(library()[of], vehicle, section)
    made = cls.sections_taken[of](values)
    known = cls.all_parameters()
    own = {name: known[name].read(value, f"{section}.{name}") for name, value in made.items() if name in known}
    derived = "; ".join(dict.fromkeys(citations.values()))
    return own, {name: citations.get(name, derived) for name in own}


def check(vehicle: VehicleName) -> None:
    """Raise VehicleError, with a line for each finding, unless every section of a vehicle file suits its block.

    Sections for blocks of families that this library does not have are left to those who have them.
    """
    from blocks.model.library import library

    read, blocks = describe(vehicle), library()
    families = {name.partition(".")[0] for name in blocks}
    findings = []
    for name, section in read.sections.items():
        cls = blocks.get(section.type)
        try:
            if cls is not None:
                read_section(cls, vehicle, name)
            elif _ours(section.type, families):
                findings.append(
                    f"{read.where(name)}: section '{name}' is for {section.type}, and there is no such block"
                    f"{did_you_mean(section.type, blocks)}"
                )
        except VehicleError as problem:
            findings.append(str(problem))
    if findings:
        raise VehicleError("\n".join(findings))


def _ours(type_name: str, families: Iterable[str]) -> bool:
    """Whether a type that is unknown can only be meant for this library: by its family, or what looks like it."""
    family, dot, _ = type_name.partition(".")
    return not dot or bool(difflib.get_close_matches(family.lower(), list(families), n=1, cutoff=0.8))


def _file(vehicle: VehicleName) -> str:
    named = file_or_name(vehicle)
    return Path(named).name if named.endswith((".yaml", ".yml")) else f"{named}.yaml"


def _located(read: Vehicle, section: str, message: str) -> str:
    """A message with the file and the line of the parameter that it names, or of the section; others at its end."""
    named = re.findall(r"\w+", message.partition("did you mean")[0])
    mentioned: list[tuple[str, ...]] = [(name,) for name in read.sections[section].parameters if name in named] or [()]
    first, *others = sorted(mentioned, key=lambda parameter: read.line(section, *parameter))
    lines = [str(read.line(section, *other)) for other in others]
    also = f" (and {', '.join(lines)})" if lines else ""
    return f"{read.where(section, *first)}{also}: {message}"


def _choose(cls: type[Block], vehicle: Vehicle, file: str, section: str | None) -> str:
    wanted = cls.type_name()
    if section is not None:
        if section not in vehicle.sections:
            raise VehicleError(
                f"{file} has no section '{section}'", code="unknown-section", wrong=section, valid=vehicle.sections
            )
        if vehicle.sections[section].type not in (wanted, *cls.sections_taken):
            raise VehicleError(
                f"{vehicle.where(section)}: section '{section}' is for {vehicle.sections[section].type}, "
                f"not for {wanted}"
            )
        return section
    fitting = [name for name, part in vehicle.sections.items() if part.type == wanted]
    fitting = fitting or [name for name, part in vehicle.sections.items() if part.type in cls.sections_taken]
    if not fitting:
        listed = ", ".join(f"{name} ({part.type})" for name, part in vehicle.sections.items())
        raise VehicleError(f"{file} has no section for {wanted}; it has {listed}{_who_takes(cls, vehicle)}")
    if len(fitting) > 1:
        raise VehicleError(
            f"{file} has several sections for {wanted}: name one of {', '.join(fitting)}", code="missing-section"
        )
    return fitting[0]


def _who_takes(cls: type[Block], vehicle: Vehicle) -> str:
    """The other allocations, if one was wanted, that take what the vehicle has."""
    from blocks.model.library import library

    there = {part.type for part in vehicle.sections.values()}
    others = [name for name, other in library().items() if cls.sections_taken and there & set(other.sections_taken)]
    return f"; {' and '.join(others)} can be had from it" if others else ""


def _in_unit(entry: Entry, unit: str | tuple[str, ...] | None, place: str) -> Any:
    """The value in the parameter's unit."""
    if entry.value is None:
        raise ParameterError(f"{place}: its value is missing")
    if unit is None or isinstance(unit, tuple):
        if entry.unit not in (None, "SI"):
            raise ParameterError(f"{place}: its elements have units of their own, in SI: leave 'unit' out, or write SI")
        return entry.value
    if isinstance(entry.value, str) and entry.unit is None:  # "2.5 t", or what is not a number at all
        return entry.value
    if entry.unit is None and unit != "1":
        raise ParameterError(f"{place}: its unit is missing ({unit})")
    if entry.unit in (None, unit):  # spelled the same; comparing by meaning takes a moment
        return entry.value
    try:
        factor = to_unit(f"1 {entry.unit}", unit)
    except ParameterError as problem:
        raise ParameterError(f"{place}: {problem}") from None
    try:
        return (np.asarray(entry.value, dtype=np.float64) * factor).tolist()
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"{place}: its value must be plain numbers in {entry.unit}, not {entry.value!r}") from None
