"""The structure of a scenario file, version 1. What a name or a value means is checked when the diagram is built."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, StrictInt, StrictStr, Tag, WithJsonSchema
from pydantic_core import PydanticCustomError

from blocks.run.inputs import INTERPOLATIONS
from blocks.scenario.entry import Cell, Entry, Name, Names, Number, Port, Ports, Quantity, as_list, one_or_more
from blocks.scenario.environment_model import EnvironmentEntry
from blocks.scenario.live_model import LiveEntry

DECLARED = ("inputs", "outputs", "let", "states", "update", "units", "descriptions")
"""Sections of a block that is declared where it stands: see `Block.declaration_keys`."""

_Text = Annotated[Any, WithJsonSchema({"type": ["string", "number", "boolean", "array"]})]
_Form = Annotated[Any, WithJsonSchema({"type": ["string", "array", "object", "null"]})]
"""Expressions and units of a formula, as editors check them; what is wrong with them is told by the formula itself."""

FORMAT = 1
"""The version of the format, which the first key of a file gives."""


def _check_interpolation(value: Any) -> Any:
    words = as_list(value)
    if value is not None and not (isinstance(words, list) and words and all(word in INTERPOLATIONS for word in words)):
        wanted = f"{' or '.join(INTERPOLATIONS)}, or one of them for each element,"
        raise PydanticCustomError("wanted", "{words} is wanted", {"words": wanted})
    return value


Interpolation = Annotated[
    str | list[str],
    BeforeValidator(_check_interpolation),
    WithJsonSchema(one_or_more({"enum": list(INTERPOLATIONS)})),
]


class BlockEntry(Entry):
    """A block of the library."""

    type: str = Field(description="type of the block, such as guidance.LineOfSight; `keelblocks list` shows all")
    vehicle: str | None = Field(
        None,
        description="vehicle whose file gives the parameters: a name that `keelblocks list vehicles` shows, or the "
        "path of a file of your own, seen from this one",
    )
    section: str | None = Field(None, description="section of the vehicle's file, if several fit the type of the block")
    file: str | None = Field(
        None,
        description="file with the tables of the block, such as the grid of a current: its path, seen from this one",
    )
    parameters: dict[str, Any] = Field(
        default_factory=dict,
        description="parameters, as numbers in SI or as text with a unit, such as 15 deg; with a file also how it "
        "is read",
    )
    inputs: Mapping[str, _Form] | None = Field(
        None, description="of a formula: inputs by name, with their unit, such as m/s, or type, such as BodyVelocity"
    )
    outputs: Mapping[str, _Text] | None = Field(
        None, description="of a formula: outputs by name, and the expression of each, or a list of them"
    )
    let: Mapping[str, _Text] | None = Field(
        None, description="of a formula: expressions by name that others use, so that they stand and are computed once"
    )
    states: Mapping[str, _Text] | None = Field(
        None, description="of a formula: continuous states by name, and the derivative of each"
    )
    update: Mapping[str, _Text] | None = Field(
        None, description="of a formula with a period: discrete states by name, and the next value of each"
    )
    units: Mapping[str, _Form] | None = Field(
        None,
        description="of a formula: units of outputs, states and parameters, where they do not follow or are checked",
    )
    descriptions: Mapping[str, StrictStr] | None = Field(
        None, description="of a formula: what outputs, inputs, parameters and states are"
    )

    @property
    def declaration(self) -> dict[str, Any]:
        """What the file says of ports and equations, where the block is declared there."""
        return {key: given for key in DECLARED if (given := getattr(self, key)) is not None}


class NestedEntry(Entry):
    """A diagram within the diagram."""

    diagram: DiagramEntry


def _kind(value: Any) -> str:
    return "nested" if isinstance(value, (dict, NestedEntry)) and "diagram" in dict(value) else "block"


Component = Annotated[Annotated[BlockEntry, Tag("block")] | Annotated[NestedEntry, Tag("nested")], Discriminator(_kind)]


class DiagramEntry(Entry):
    """Blocks and the wires between them."""

    title: str = Field("", description="what stands above the drawing")
    doc: str = Field("", description="what the diagram is for")
    blocks: dict[Name, Component] = Field(min_length=1, description="blocks and nested diagrams by name")
    inputs: dict[Name, Ports] = Field(
        default_factory=dict, description="inputs of the diagram: name, and the port or ports of blocks that read it"
    )
    connections: dict[Port, Ports] = Field(
        default_factory=dict,
        description="wires: source, and the port or ports that read it. A source is an output of a block "
        "(vessel.eta), some of its elements (vessel.eta[psi]), or an input of the diagram (eta, eta[psi])",
    )
    outputs: dict[Name, Port] = Field(
        default_factory=dict, description="outputs of the diagram: name, and the port of a block that gives it"
    )
    layout: dict[Name, Cell] = Field(
        default_factory=dict,
        description="where blocks stand in the drawing: name, and [column, row] in units of its grid; the others are "
        "laid out around them. It changes no run",
    )


class SeriesEntry(Entry):
    """A signal over time."""

    times: list[Number] = Field(min_length=1, description="increasing times, s")
    values: list[Any] = Field(min_length=1, description="a number, or a list of numbers, for each time")
    interpolation: Interpolation | None = Field(
        None,
        description="between two times: linear, which it is if not given, or hold; for each element, or one for all",
    )


class LoggedEntry(Entry):
    """A signal over time from a file with logged data."""

    file: StrictStr = Field(description="log of ROS 2, .mcap, .db3 or a folder with such files, seen from this file")
    topic: StrictStr | None = Field(None, description="topic of the log, such as /force")
    value: StrictStr | None = Field(
        None, description="what of its messages, where they say several things, or an element of it: nu[u]"
    )
    interpolation: Interpolation | None = Field(
        None, description="between two messages: hold, which it is if not given, or linear; or one for each element"
    )


def _input_form(value: Any) -> str | None:
    if isinstance(value, LoggedEntry) or (isinstance(value, dict) and "file" in value):
        return "logged"
    if isinstance(value, (dict, SeriesEntry)):
        return "series"
    return "list" if isinstance(value, list) else "number" if type(value) in (int, float) else None


InputValue = Annotated[
    Annotated[Number, Tag("number")]
    | Annotated[list[Any], Tag("list")]
    | Annotated[SeriesEntry, Tag("series")]
    | Annotated[LoggedEntry, Tag("logged")],
    Discriminator(
        _input_form,
        custom_error_type="wanted",
        custom_error_message="a number, a list of numbers, or a mapping, with times and values or a file, is wanted",
    ),
]


class RunEntry(Entry):
    """How the diagram is run."""

    solver: str | None = Field(None, description="`keelblocks list solvers` shows all; rk4 if not given")
    step: Quantity | None = Field(None, description="fixed step, or interval of what is recorded, s; 0.01 if not given")
    start: Quantity | None = Field(None, description="start time, s; 0 if not given")
    end: Quantity | None = Field(None, description="end time, s")
    record: Names | None = Field(
        None, description="outputs to record, such as plant.vessel.eta or plant.*; all if not given"
    )
    every: StrictInt | None = Field(None, ge=1, description="record every n-th point only")
    stop: str | None = Field(None, description="output that ends the run when it exceeds 0.5")
    relative_tolerance: Quantity | None = Field(None, description="of adaptive solvers; 1e-6 if not given")
    absolute_tolerance: Quantity | None = Field(None, description="of adaptive solvers; 1e-8 if not given")
    max_step: Quantity | None = Field(None, description="greatest step of adaptive solvers, s; free if not given")
    inputs: dict[Name, InputValue] = Field(
        default_factory=dict,
        description="values of the diagram's inputs: a number, a list of numbers, times and values, or a file",
    )


class ReportEntry(Entry):
    """What the report is about, where that does not follow from the diagram."""

    guidance: str | None = Field(None, description="guidance block whose waypoints are the mission")
    vessel: str | None = Field(None, description="dynamics block that has the mission")
    thrusters: str | None = Field(None, description="thrust block whose speeds and power are shown")
    meter: str | None = Field(None, description="energy meter whose energy is reported")
    depth_tolerance: Quantity | None = Field(
        None, description="a dive has ended when the depth is this close to what is wanted, m; 0.1 if not given"
    )
    plots: Names | None = Field(None, description="signals that are plotted over time besides")


class ScenarioFile(Entry):
    """A Keelblocks scenario: a diagram, how it is run and what is reported."""

    keelblocks: Literal[1] = Field(description="version of this format")
    name: Name = Field(description="names results and FMUs: letters, digits and underscores")
    title: str = Field("", description="one line that says what it is")
    description: str = Field("", description="what is to be seen, where numbers come from")
    libraries: Names = Field(
        default_factory=list,
        description="libraries of blocks: modules that Python finds, or folders beside this file, seen from it; their "
        "code is run when the file is read",
    )
    diagram: DiagramEntry
    run: RunEntry = RunEntry.model_construct()
    report: ReportEntry = ReportEntry.model_construct()
    live: LiveEntry | None = None
    environment: EnvironmentEntry | None = None
