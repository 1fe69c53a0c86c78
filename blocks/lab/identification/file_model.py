"""The structure of an identification file, version 1. What names and values mean is checked when it is made."""

from __future__ import annotations

from types import NoneType
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, StrictFloat, StrictStr, Tag, model_validator
from pydantic_core import PydanticCustomError

from blocks.scenario.entry import Entry, Name, Number, Quantity, Rate
from blocks.scenario.model import BlockEntry


def _wanted(words: str) -> PydanticCustomError:
    return PydanticCustomError("wanted", "{words} is wanted", {"words": words})


def _as_files(value: Any) -> Any:
    many = value if isinstance(value, list) else [value]
    return [{"file": one} if isinstance(one, str) else one for one in many]


def _as_held_out(value: Any) -> Any:
    return value if isinstance(value, (float, int, NoneType)) else _as_files(value)


def _held_out_form(value: Any) -> str | None:
    return "float" if type(value) is float else "files" if isinstance(value, list) else None


def _as_columns(value: Any) -> Any:
    return {name: name for name in value} if isinstance(value, list) else value


def _as_parameters(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return {name: {} for name in value}
    if not isinstance(value, dict):
        return value
    return {
        name: {} if entry is None else {"bounds": entry} if isinstance(entry, list) else entry
        for name, entry in value.items()
    }


def _as_pair(words: str) -> Any:
    def check(value: Any) -> Any:
        if value is not None and (not isinstance(value, list) or len(value) != 2):
            raise _wanted(f"a list of two values, {words},")
        return value

    return check


class VelocityEntry(Entry):
    """How a velocity was logged."""

    frame: Literal["earth", "enu", "course", "carriage", "body"] = Field(
        description="north and east; east and north; speed and course over ground; along a tank and across; forward "
        "and to starboard"
    )
    of: tuple[StrictStr, StrictStr] = Field(description="columns")
    heading: StrictStr | None = Field(None, description="column with the heading")
    into: tuple[StrictStr, StrictStr] = Field(("u", "v"), description="what it is called forward and to starboard")
    carriage: StrictStr | None = Field(None, description="column with the speed of the carriage, to be added")
    at: tuple[Quantity, Quantity] | None = Field(None, description="x and y of the point that was measured, m")
    yaw_rate: StrictStr | None = Field(None, description="column with the yaw rate, for that point")


class LogOptions(Entry):
    """How logged data are read."""

    time: StrictStr | None = Field(None, description="column with the time; 'time' or 't' if not given")
    units: dict[str, StrictStr] = Field(
        default_factory=dict, description="units of columns whose files do not tell them: {speed: kn}"
    )
    order: Literal["check", "sort"] | None = Field(None, description="what becomes of times that do not increase")
    gaps: Literal["check", "split", "fill"] | None = Field(None, description="what becomes of gaps between samples")
    interpolation: dict[str, Literal["linear", "hold"]] = Field(
        default_factory=dict,
        description="what inputs are between samples, where it is not to be found from the data: {thrust: hold}",
    )

    rate: Rate | None = Field(None, description="of the samples, where stamps are too coarse: 10 Hz")
    reverse: list[StrictStr] = Field(default_factory=list, description="columns that count the other way round")
    velocity: VelocityEntry | None = Field(None, description="a velocity that is to be turned into body axes")


class DataEntry(LogOptions):
    """A file with logged data."""

    file: StrictStr = Field(description=".csv, .txt, .nc, .mcap, or a bag of rosbag 2, seen from this file")
    columns: Annotated[dict[str, StrictStr], BeforeValidator(_as_columns)] = Field(
        default_factory=dict,
        description="columns by another name in this file: {speed: SOG}, or topics: {u: /odom nu[u]}",
    )


class ParameterEntry(Entry):
    """A parameter that is fitted."""

    bounds: Annotated[
        tuple[Quantity | None, Quantity | None] | None, BeforeValidator(_as_pair("the lower and the upper bound"))
    ] = Field(None, description="[low, high]; those of the declaration if not given")
    prior: Annotated[tuple[Quantity, Quantity] | None, BeforeValidator(_as_pair("mean and standard deviation"))] = (
        Field(None, description="[mean, standard deviation], which counts as a measurement")
    )


class NextEntry(Entry):
    """What might be measured next."""

    drive: StrictStr | None = Field(None, description="column that pushes")
    steer: StrictStr | None = Field(None, description="column that turns")
    duration: Quantity | None = Field(None, description="of each manoeuvre, s")


Beside = Annotated[dict[str, ParameterEntry], BeforeValidator(_as_parameters)]


Files = Annotated[list[DataEntry], BeforeValidator(_as_files)]


HeldOut = Annotated[
    Annotated[StrictFloat, Tag("float")] | Annotated[list[DataEntry], Tag("files")],
    Discriminator(
        _held_out_form,
        custom_error_type="wanted",
        custom_error_message="files, or a part of the only one such as 0.3, is wanted",
    ),
]


class IdentificationFile(LogOptions):
    """A Keelblocks identification: a model, logged data, and the parameters to be identified."""

    keelblocks_identification: Literal[1] = Field(description="version of this format")
    name: Name = Field(description="names the results")
    title: str = Field("", description="one line that says what it is")
    description: str = Field("", description="what is to be found out")
    model: BlockEntry | None = Field(None, description="a block: its type, vehicle and parameters, as in a scenario")
    scenario: StrictStr | None = Field(None, description="scenario file instead, seen from this one")
    data: Annotated[Files, Field(min_length=1)] = Field(description="files that are fitted")
    hold_out: Annotated[HeldOut | None, BeforeValidator(_as_held_out)] = Field(
        None, description="files that are not fitted, for the score; or the last part of the only file, 0.3"
    )
    inputs: dict[str, Number | StrictStr | list[Number]] = Field(
        default_factory=dict, description="of the model, each a column of the data or a constant: {force[X]: thrust}"
    )
    outputs: dict[str, StrictStr] = Field(
        min_length=1, description="of the model, each with the column that was measured: {nu[u]: speed}"
    )
    parameters: Annotated[dict[str, ParameterEntry], Field(min_length=1), BeforeValidator(_as_parameters)] = Field(
        description="to find: [low, high], {bounds: …, prior: …}, or nothing for the bounds of the declaration"
    )
    delay: Beside = Field(
        default_factory=dict,
        description="columns that drive the model, behind a delay to be found: {rudder: [0, 1 s]}",
    )
    lag: Beside = Field(default_factory=dict, description="the same behind a first-order lag: {rudder: [0, 2 s]}")
    bias: Beside = Field(
        default_factory=dict, description="columns that are measured, with a constant error of each file: [r]"
    )
    steady: Beside = Field(
        default_factory=dict, description="inputs that no column drives, constant in each file: {current: [-1, 1]}"
    )
    next: NextEntry | None = Field(None, description="manoeuvres that might be measured next")
    noise: dict[str, Quantity] | None = Field(None, description="standard deviations of outputs, where they are known")
    initial: Literal["estimate", "measured"] = Field("estimate", description="initial values of outputs")
    step: Quantity | None = Field(None, description="of integration, s, at most")
    solver: StrictStr = Field("rk4", description="of integration")
    confidence: Number = Field(0.95, description="of the intervals")

    @model_validator(mode="after")
    def _one(self) -> IdentificationFile:
        if (self.model is None) == (self.scenario is None):
            raise _wanted("either 'model', {type: dynamics.Vessel3DOF, vehicle: otter}, or 'scenario', a file,")
        return self
