"""The structure of `environment:` in a scenario: what a learner sees, does and is rewarded for."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StrictFloat, StrictInt, StrictStr, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from blocks.errors import ScenarioError
from blocks.scenario import expression
from blocks.scenario.entry import Entry, Name, Names, Number, Port, Quantity


def _wanted(words: str) -> PydanticCustomError:
    return PydanticCustomError("wanted", "{words} is wanted", {"words": words})


def _as_expression(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise _wanted("an expression over signals, such as -abs(guidance.cross_track_error),")
    try:
        expression.check(value)
    except ScenarioError as problem:
        raise PydanticCustomError("said", "{words}", {"words": str(problem), "problems": problem.problems}) from None
    return value


def _as_limits(value: Any) -> Any:
    numbers = isinstance(value, list) and len(value) == 2
    if not numbers or not all(isinstance(n, (int, float, str)) and not isinstance(n, bool) for n in value):
        raise _wanted("a list of two numbers, the lower and the upper limit,")
    return value


def _as_pair(value: Any) -> Any:
    numbers = isinstance(value, list) and len(value) == 2
    if not numbers or not all(isinstance(n, (int, float, str)) and not isinstance(n, bool) for n in value):
        raise _wanted("a list of two numbers, mean and standard deviation,")
    return value


def _as_range(value: Any) -> Any:
    return {"range": value} if isinstance(value, list) else value


def _as_observation(value: Any) -> Any:
    if isinstance(value, list):
        return {"range": value}
    return {"of": value} if isinstance(value, str) else value


def _as_termination(value: Any) -> Any:
    return {"when": value} if isinstance(value, str) else value


_QUANTITIES = WithJsonSchema({"type": "array", "items": {"type": ["number", "string"]}, "minItems": 2, "maxItems": 2})
Limits = Annotated[tuple[Quantity, Quantity], BeforeValidator(_as_limits), _QUANTITIES]
_Normal = Annotated[tuple[Quantity, Quantity], BeforeValidator(_as_pair), _QUANTITIES]
Formula = Annotated[
    StrictStr | StrictInt | StrictFloat,
    BeforeValidator(_as_expression),
    WithJsonSchema({"type": ["string", "number"], "description": "an expression over signals, in SI"}),
]
Signal = Annotated[StrictStr, Field(min_length=1)]


class ObservationEntry(Entry):
    """A signal, or an expression over several, that the learner sees."""

    of: Formula | None = Field(None, description="signal or expression, if that is not the name of the entry")
    range: Limits | None = Field(
        None, description="what becomes -1 and 1; what is beyond is held there. Without it the value is given as it is"
    )


class ActionEntry(Entry):
    """A port that the learner commands."""

    range: Limits = Field(description="what -1 and 1 of the action stand for")


class TerminationEntry(Entry):
    """What ends an episode."""

    when: Formula = Field(description="condition over signals, such as abs(guidance.cross_track_error) > 20")
    reward: Formula = Field(0.0, description="what is added to the reward when it ends by this")


class RandomEntry(Entry):
    """What a parameter is drawn from at each reset."""

    of: Annotated[Names, Field(min_length=1)] | None = Field(
        None, description="parameters that all get the value, if that is not the name of the entry"
    )
    uniform: Limits | None = Field(None, description="distribution: lower and upper limit")
    log_uniform: Limits | None = Field(None, description="distribution: lower and upper limit")
    normal: _Normal | None = Field(None, description="distribution: mean, standard deviation")
    choice: Annotated[list[Any] | None, Field(min_length=1)] = Field(
        None, description="values, each as likely as the others"
    )

    @model_validator(mode="after")
    def _one(self) -> RandomEntry:
        if sum(getattr(self, name) is not None for name in DRAWN) != 1:
            raise _wanted(f"one of {', '.join(DRAWN)}")
        return self


DRAWN = ("uniform", "log_uniform", "normal", "choice")
"""Keys of an entry of `randomise` that say what is drawn."""


class EnvironmentEntry(Entry):
    """A learner's environment: what it sees, what it does, what it is rewarded for, and when an episode ends."""

    interval: Quantity = Field(description="time between two actions, s: a whole number of steps")
    episode: Quantity = Field(description="time after which an episode is cut off, s")
    derived: dict[Name, Formula] = Field(
        default_factory=dict, description="expressions that the others use by name, in their order"
    )
    observation: dict[Signal, Annotated[ObservationEntry, BeforeValidator(_as_observation)]] = Field(
        min_length=1, description="what the learner sees, by name or by signal"
    )
    action: dict[Port, Annotated[ActionEntry, BeforeValidator(_as_range)]] = Field(
        min_length=1,
        description="ports that the learner commands: inputs of the diagram, or ports of blocks, whose wires are cut",
    )
    reward: dict[Name, Formula] = Field(min_length=1, description="terms whose sum is the reward of an action")
    termination: dict[Name, Annotated[TerminationEntry, BeforeValidator(_as_termination)]] = Field(
        default_factory=dict, description="what ends an episode, by name"
    )
    failure: Annotated[Number, Field(allow_inf_nan=False)] = Field(
        0.0, description="reward when a run has to stop: a fault, a value that is not finite"
    )
    metrics: dict[Name, StrictStr] = Field(
        default_factory=dict,
        description="what is measured of an episode, such as rms(vessel.eta[z]); see `keelblocks list metrics`",
    )
    final: dict[Name, Formula] = Field(
        default_factory=dict, description="terms that are added at the end of an episode, over metrics and signals"
    )
    randomise: dict[Signal, RandomEntry] = Field(
        default_factory=dict, description="parameters that are drawn anew for each episode, vessel.initial_eta[psi]"
    )
