"""The structure of a study file, version 1. What names and values mean is checked when the study is made."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StrictBool, StrictInt, StrictStr, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from blocks.scenario.entry import Entry, Name, Names, Quantity
from blocks.scenario.model import RunEntry
from blocks.study.design import DESIGNS
from blocks.study.distribution import DISTRIBUTIONS
from blocks.study.members import MOST

VALUES = ("levels", "range", "circle", *DISTRIBUTIONS)
"""Keys of a factor that say what its values are."""

_QUANTITY = {"type": ["number", "string"], "description": 'a number in SI, or text with a unit such as "2 m/s"'}


def _wanted(words: str) -> PydanticCustomError:
    return PydanticCustomError("wanted", "{words} is wanted", {"words": words})


def _as_factor(value: Any) -> Any:
    if isinstance(value, list):
        return {"levels": value}
    if not isinstance(value, dict):
        raise _wanted("a list of levels, or a mapping such as {range: …} or {levels: …},")
    if value and not any(isinstance(item, (list, dict)) for item in value.values()) and not set(value) & {
        "of", *VALUES,
    }:  # fmt: skip
        raise _wanted("'levels' with labels and their levels, {levels: {…}},")
    return value


def _as_levels(value: Any) -> Any:
    if value is not None and not isinstance(value, (list, dict)):
        raise _wanted("a list of levels, or a mapping of labels to levels,")
    return value


def _as_pair(words: str) -> Any:
    def check(value: Any) -> Any:
        numbers = isinstance(value, list) and len(value) == 2
        if not numbers or not all(isinstance(n, (int, float, str)) and not isinstance(n, bool) for n in value):
            raise _wanted(f"a list of two numbers, {words},")
        return value

    return check


def _as_seeds(value: Any) -> Any:
    return {"parameters": value} if isinstance(value, (str, list)) else value


def _as_design(value: Any) -> Any:
    if value == "grid":
        return {}
    if isinstance(value, str):
        raise _wanted(f"'grid', or how many samples, such as {{{value if value in DESIGNS else 'sobol'}: 128}},")
    return value


def _as_metric(value: Any) -> Any:
    if isinstance(value, str):
        return {"statistic": value}
    if not isinstance(value, dict):
        raise _wanted("text such as rms(vessel.eta[z]), or a mapping {function: …, needs: …},")
    return value


_PAIR = WithJsonSchema({"type": "array", "items": _QUANTITY, "minItems": 2, "maxItems": 2})
_Limits = Annotated[tuple[Quantity, Quantity], BeforeValidator(_as_pair("the lower and the upper limit")), _PAIR]
_Normal = Annotated[tuple[Quantity, Quantity], BeforeValidator(_as_pair("mean and standard deviation")), _PAIR]


class RangeEntry(Entry):
    """Levels at equal distances, both ends included."""

    start: Quantity = Field(description="first level")
    stop: Quantity = Field(description="last level")
    count: StrictInt = Field(ge=2, le=MOST, description="how many levels")


class FactorEntry(Entry):
    """What differs between members: levels, or a distribution."""

    of: Annotated[Names, Field(min_length=1)] | None = Field(
        None, description="parameter, input or component that the levels are for, if that is not the factor's name"
    )
    levels: Annotated[list[Any] | dict[str, Any] | None, BeforeValidator(_as_levels)] = Field(
        None, description="levels, or levels by label; a level may be a mapping of several parameters to values"
    )
    range: RangeEntry | None = Field(None, description="levels at equal distances")
    circle: StrictInt | None = Field(None, ge=2, le=MOST, description="so many directions all around, from 0 on")
    uniform: _Limits | None = Field(None, description="distribution: lower and upper limit")
    log_uniform: _Limits | None = Field(None, description="distribution: lower and upper limit")
    normal: _Normal | None = Field(None, description="distribution: mean, standard deviation")
    sampled: StrictBool = Field(False, description="draw one level per sample instead of going through all")
    circular: StrictBool | None = Field(None, description="whether levels are directions that must close the circle")


class MetricEntry(Entry):
    """A function of the result of each run, or a metric in text."""

    function: StrictStr | None = Field(
        None, description="module.function, which gets the result of a run; see `keelblocks --import`"
    )
    needs: Annotated[Names, Field(min_length=1)] | None = Field(
        None, description="outputs that are recorded for the function"
    )
    unit: StrictStr = Field("1", description="unit of what the function gives")
    statistic: StrictStr | None = Field(
        None, description="instead of a function, such as rms(vessel.eta[z]); see `keelblocks list metrics`"
    )

    @model_validator(mode="after")
    def _one(self) -> MetricEntry:
        if (self.function is None) == (self.statistic is None):
            raise _wanted("either 'function', the name of a Python function, or 'statistic'")
        if self.function is not None and self.needs is None:
            raise _wanted("'needs', the outputs that the function looks at, such as needs: vessel.eta,")
        return self


class SeedsEntry(Entry):
    """Which parameters are seeds."""

    parameters: Annotated[Names, Field(min_length=1)] = Field(description="their names")
    common: StrictBool = Field(False, description="the same seeds for each combination of levels")


class DesignEntry(Entry):
    """How many samples of factors that are distributions are taken, and how; "grid" or nothing: none."""

    latin_hypercube: StrictInt | None = Field(None, ge=1, le=MOST, description="number of samples, one per slice")
    sobol: StrictInt | None = Field(
        None, ge=1, le=MOST, description="number of samples of low discrepancy, best a power of two"
    )
    random: StrictInt | None = Field(None, ge=1, le=MOST, description="number of independent samples")


class StudyFile(Entry):
    """A Keelblocks study: a scenario, the factors in which its runs differ, and what is measured of them."""

    keelblocks_study: Literal[1] = Field(description="version of this format")
    name: Name = Field(description="names the results")
    title: str = Field("", description="one line that says what it is")
    description: str = Field("", description="what is to be found out")
    scenario: StrictStr = Field(description="scenario file, seen from this one")
    parameters: dict[str, Any] = Field(default_factory=dict, description="parameters changed for all members")
    run: RunEntry = RunEntry.model_construct()
    factors: dict[str, Annotated[FactorEntry, BeforeValidator(_as_factor)]] = Field(
        min_length=1, description="what differs, by name"
    )
    metrics: dict[str, Annotated[MetricEntry, BeforeValidator(_as_metric)]] = Field(
        min_length=1, description="what is measured, such as rms(vessel.eta[z]); see `keelblocks list metrics`"
    )
    design: Annotated[DesignEntry, BeforeValidator(_as_design)] = DesignEntry.model_construct()
    replicates: StrictInt = Field(1, ge=1, le=MOST, description="how often each combination is run, with other seeds")
    seeds: Annotated[SeedsEntry, BeforeValidator(_as_seeds)] | None = Field(
        None, description="parameters that are seeds"
    )
    seed: StrictInt = Field(0, ge=0, description="the one seed of the study")
