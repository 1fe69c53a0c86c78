"""The structure of a study file, version 1. What names and values mean is checked when the study is made."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StrictBool, StrictInt, StrictStr

from blocks.scenario.model import Entry, Name, Quantity, RunEntry

FORMAT = 1


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _as_levels(value: Any) -> Any:
    return {"levels": value} if isinstance(value, list) else value


def _as_seeds(value: Any) -> Any:
    return {"parameters": value} if isinstance(value, (str, list)) else value


def _as_design(value: Any) -> Any:
    return {} if value == "grid" else value


class RangeEntry(Entry):
    """Levels at equal distances, both ends included."""

    start: Quantity = Field(description="first level")
    stop: Quantity = Field(description="last level")
    count: StrictInt = Field(ge=2, description="how many levels")


class FactorEntry(Entry):
    """What differs between members: levels, or a distribution."""

    of: Annotated[list[StrictStr], BeforeValidator(_as_list)] | None = Field(
        None, description="parameter, input or component that the levels are for, if that is not the factor's name"
    )
    levels: list[Any] | dict[str, Any] | None = Field(
        None, description="levels, or levels by label; a level may be a mapping of several parameters to values"
    )
    range: RangeEntry | None = Field(None, description="levels at equal distances")
    circle: StrictInt | None = Field(None, ge=2, description="so many directions all around, from 0 on")
    uniform: tuple[Quantity, Quantity] | None = Field(None, description="distribution: lower and upper limit")
    log_uniform: tuple[Quantity, Quantity] | None = Field(None, description="distribution: lower and upper limit")
    normal: tuple[Quantity, Quantity] | None = Field(None, description="distribution: mean, standard deviation")
    sampled: StrictBool = Field(False, description="draw one level per sample instead of going through all")
    circular: StrictBool | None = Field(None, description="whether levels are directions that must close the circle")


class SeedsEntry(Entry):
    """Which parameters are seeds."""

    parameters: Annotated[list[StrictStr], BeforeValidator(_as_list)] = Field(min_length=1, description="their names")
    common: StrictBool = Field(False, description="the same seeds for each combination of levels")


class DesignEntry(Entry):
    """How many samples of factors that are distributions are taken, and how; "grid" or nothing: none."""

    latin_hypercube: StrictInt | None = Field(None, ge=1, description="number of samples, one per slice")
    sobol: StrictInt | None = Field(None, ge=1, description="number of samples of low discrepancy, a power of two")
    random: StrictInt | None = Field(None, ge=1, description="number of independent samples")


class StudyFile(Entry):
    """A Keelblocks study: a scenario, the factors in which its runs differ, and what is measured of them."""

    keelblocks_study: Literal[1] = Field(description="version of this format")
    name: Name = Field(description="names the results")
    title: str = Field("", description="one line that says what it is")
    description: str = Field("", description="what is to be found out")
    scenario: StrictStr = Field(description="scenario file, seen from this one")
    parameters: dict[str, Any] = Field(default_factory=dict, description="parameters changed for all members")
    run: RunEntry = RunEntry.model_construct()
    factors: dict[str, Annotated[FactorEntry, BeforeValidator(_as_levels)]] = Field(
        min_length=1, description="what differs, by name"
    )
    metrics: dict[str, StrictStr] = Field(min_length=1, description="what is measured, such as rms(vessel.eta[z])")
    design: Annotated[DesignEntry, BeforeValidator(_as_design)] = DesignEntry.model_construct()
    replicates: StrictInt = Field(1, ge=1, description="how often each combination is run, with other seeds")
    seeds: Annotated[SeedsEntry, BeforeValidator(_as_seeds)] | None = Field(
        None, description="parameters that are seeds"
    )
    seed: StrictInt = Field(0, ge=0, description="the one seed of the study")
