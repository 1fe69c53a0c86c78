"""The structure of a tuning file, version 1. What names and values mean is checked when the search is made."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StrictBool, StrictInt, StrictStr
from pydantic_core import PydanticCustomError

from blocks.scenario.entry import Entry, Name, Names, Number, Quantity
from blocks.scenario.model import RunEntry

MOST = 1_000_000


def _wanted(words: str) -> PydanticCustomError:
    return PydanticCustomError("wanted", "{words} is wanted", {"words": words})


def _as_bounds(value: Any) -> Any:
    if value is not None and (not isinstance(value, list) or len(value) != 2):
        raise _wanted("a list of two values, [10, 1000], or nothing for the bounds of the declaration,")
    return value


def _as_over(value: Any) -> Any:
    names = [value] if isinstance(value, str) else value
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        return dict.fromkeys(names)
    return value


def _as_limit(value: Any) -> Any:
    if isinstance(value, list) and len(value) != 2:
        raise _wanted("an upper limit, or a list of the lower and the upper one,")
    return value


def _as_cases(value: Any) -> Any:
    if isinstance(value, list):
        return {str(number): case for number, case in enumerate(value)}
    return value


Bounds = Annotated[tuple[Quantity | None, Quantity | None] | None, BeforeValidator(_as_bounds)]
Limit = Annotated[Quantity | tuple[Quantity | None, Quantity | None], BeforeValidator(_as_limit)]


class TuningFile(Entry):
    """A Keelblocks tuning: a scenario, a metric that is to be least, and the parameters that are turned for it."""

    keelblocks_tuning: Literal[1] = Field(description="version of this format")
    name: Name = Field(description="names the results")
    title: str = Field("", description="one line that says what it is")
    description: str = Field("", description="what is to be found out")
    scenario: StrictStr = Field(description="scenario file, seen from this one")
    parameters: dict[str, Any] = Field(default_factory=dict, description="parameters changed for all trials")
    run: RunEntry = RunEntry.model_construct()
    minimise: StrictStr | dict[str, Number] = Field(
        description="metric in text, such as rms(guidance.cross_track_error), or several with their weights"
    )
    over: Annotated[dict[str, Bounds], Field(min_length=1), BeforeValidator(_as_over)] = Field(
        description="parameters, or elements of them, with bounds [low, high]; nothing: those of the declaration"
    )
    subject_to: dict[str, Limit] = Field(
        default_factory=dict, description="metrics in text with their upper limit, or [low, high]"
    )
    cases: Annotated[dict[str, dict[str, Any]], BeforeValidator(_as_cases)] = Field(
        default_factory=dict, description="circumstances in which each trial is run: other parameters, by label"
    )
    worst: StrictBool = Field(False, description="count the worst of all cases, and not their mean")
    seeds: Annotated[Names, Field(min_length=1)] | None = Field(None, description="parameters that are seeds")
    replicates: StrictInt = Field(1, ge=1, le=MOST, description="how often each case is run, with other seeds")
    method: StrictStr | None = Field(
        None, description="differential-evolution, nelder-mead, powell, cobyqa or l-bfgs-b"
    )
    trials: StrictInt = Field(500, ge=2, le=MOST, description="about how many sets of values are tried")
    seed: StrictInt = Field(0, ge=0, description="seed of the search, and of the seeds of replicates")
