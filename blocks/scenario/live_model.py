"""The structure of `live:` in a scenario: how it runs beside a clock, and with whom."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from blocks.scenario.ardupilot_model import ArduPilotEntry
from blocks.scenario.entry import Duration, Entry, Name, Names, Rate
from blocks.scenario.ros2_model import Ros2Entry
from blocks.scenario.topics_model import Topics


def _check_factor(value: Any) -> Any:
    number = isinstance(value, float | int) and not isinstance(value, bool)
    if value is not None and value != "free" and not (number and 0.0 <= value < float("inf")):
        raise PydanticCustomError("wanted", "a number ≥ 0, or free, is wanted")
    return value


Address = Annotated[
    int | str,
    WithJsonSchema({"type": ["integer", "string"], "description": "a port of 127.0.0.1, or host:port"}),
]
_PYTHON = (
    "class or function of a Python module that is imported by `keelblocks --import MODULE live …`: my_helm.Helm. A "
    "function takes the simulator and the time"
)


class _AttachedEntry(Entry):
    """One of several kinds: the key that says which, and its options."""

    python: str | None = Field(None, description=_PYTHON)
    arguments: dict[str, Any] | None = Field(None, description="what the class takes")
    udp: Address | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Any:
        kinds = [name for name in ("python", "udp", "file") if name in type(self).model_fields]
        given = [name for name in kinds if getattr(self, name) is not None]
        if len(given) != 1:
            words = ", ".join(kinds[:-1]) + f" or {kinds[-1]}"
            raise PydanticCustomError("wanted", "one of {words} is wanted", {"words": words})
        own = {"arguments": "python", "signals": "udp or file", "rate": "udp or file"}
        for option, kind in own.items():
            if getattr(self, option, None) is not None and given[0] not in kind.split(" or "):
                raise PydanticCustomError("wanted", "{option} goes with {kind}", {"option": option, "kind": kind})
        return self


class SourceEntry(_AttachedEntry):
    """What gives inputs: an object of Python, or datagrams of JSON."""

    udp: Address | None = Field(None, description="port on which datagrams of JSON set inputs and parameters")


class SinkEntry(_AttachedEntry):
    """What takes outputs: an object of Python, datagrams of JSON, or a file."""

    udp: Address | None = Field(None, description="where datagrams of JSON go")
    file: str | None = Field(None, description="recording, .csv and .mcap as it goes, .nc or .parquet at the end")
    signals: Names | None = Field(None, description="what is sent or written; outputs of the diagram if not given")
    rate: Rate | None = Field(None, description="how often, in simulated time; every turn if not given")


class LiveEntry(Entry):
    """How a scenario runs in real time, what is shown of it, and who takes part."""

    factor: Annotated[float | int | Literal["free"] | None, BeforeValidator(_check_factor)] = Field(
        None, description="times real time, 1 if not given; 0 or free: as fast as it goes"
    )
    rate: Rate | None = Field(
        None, description="how often others have their turn, such as 50 Hz; at every step, up to 50 Hz, if not given"
    )
    late: Literal["catch up", "skip", "stop"] | None = Field(
        None, description="what to do when a whole turn is missed; catch up if not given"
    )
    keep: Duration | None = Field(
        None, description="only the last so many seconds of what is recorded are kept, such as 10 min; all if not given"
    )
    show: Names | None = Field(None, description="signals that the terminal shows, such as vessel.eta[psi]")
    change: Names | None = Field(
        None, description="inputs and parameters that keys change; all inputs and single numbers if not given"
    )
    sources: dict[Name, SourceEntry] | None = Field(None, description="what gives inputs, by name")
    sinks: dict[Name, SinkEntry] | None = Field(None, description="what takes outputs, by name")
    log: str | None = Field(
        None, description="file that is written while it runs, at every turn: .csv, .mcap, .nc or .parquet"
    )
    topics: Topics | None = Field(
        None,
        description="messages of ROS 2 in logs, .mcap, besides every signal's own; if not given those of ros2, or else "
        "what signals of one block make together",
    )
    ros2: Ros2Entry | None = Field(None, description="the diagram as a node of ROS 2, with --ros2")
    ardupilot: ArduPilotEntry | None = Field(None, description="the diagram as the physics of ArduPilot")
