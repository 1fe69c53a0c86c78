"""The structure of a comparison file, version 1: that of a study, and what is shown of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StrictInt, StrictStr
from pydantic_core import PydanticCustomError

from blocks.scenario.entry import Entry, Names
from blocks.study.file_model import StudyFile


def _as_two(value: Any) -> Any:
    if not isinstance(value, list) or len(value) != 2:
        raise PydanticCustomError("wanted", "a list of two metrics, such as [error, energy], is wanted")
    return value


_Two = Annotated[list[StrictStr], BeforeValidator(_as_two), Field(min_length=2, max_length=2)]
_Levels = Annotated[list[Any], Field(min_length=1)]


class ShowEntry(Entry):
    """Which members are shown over time and from above."""

    compare: StrictStr | None = Field(None, description="factor whose levels have a colour each; the first by default")
    panels: StrictStr | None = Field(None, description="factor whose levels have a panel each; the second by default")
    levels: dict[str, _Levels] = Field(default_factory=dict, description="levels that are shown, by factor")
    members: list[StrictInt] | None = Field(None, min_length=1, description="numbers of members to show instead")


class PartsEntry(Entry):
    """Blocks that figures are about."""

    guidance: StrictStr | None = Field(None, description="block with waypoints and cross_track_error")
    vessel: StrictStr | None = Field(None, description="block with eta and nu")
    thrusters: StrictStr | None = Field(None, description="block with command, speed and power")
    meter: StrictStr | None = Field(None, description="block with energy")


class ComparisonFile(StudyFile):
    """A Keelblocks comparison: a study, any metrics, and what is shown of them."""

    keelblocks_study: Literal[1] = Field(1, description="version of the format, in a study file")
    keelblocks_comparison: Literal[1] = Field(1, description="version of the format")
    figures: Names | None = Field(None, description="which figures; all that can be drawn by default")
    show: ShowEntry = ShowEntry.model_construct()
    objectives: _Two | None = Field(None, description="the two metrics of the Pareto front")
    best: dict[str, Literal["least", "greatest"]] = Field(
        default_factory=dict, description="of which metrics more is better"
    )
    parts: PartsEntry = PartsEntry.model_construct()
