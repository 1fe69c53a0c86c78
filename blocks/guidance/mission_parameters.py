"""The parameters of a mission plan: phases and aborts in words, and what these can say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.guidance.mission_program import WIDTH, Program, abort_program, program_of
from blocks.guidance.mission_schema import aborts_schema, phases_schema
from blocks.guidance.mission_words import COMMON, CONDITIONS, KINDS, Abort, Phase, as_data, read_aborts, read_phases
from blocks.model.declare import REQUIRED, Parameter, Value
from blocks.model.text_parameter import WordsParameter

Array = NDArray[np.float64]


@lru_cache(maxsize=256)
def phases_of(text: str) -> tuple[Phase, ...]:
    """The phases that a value means."""
    return read_phases(json.loads(text), "phases")[0]


@lru_cache(maxsize=256)
def program_in(text: str) -> Program:
    """Their rows."""
    return program_of(phases_of(text))


@lru_cache(maxsize=256)
def aborts_of(text: str) -> tuple[Abort, ...]:
    """The aborts that a value means."""
    return read_aborts(json.loads(text), "aborts")[0]


class PhasesParameter(WordsParameter):
    """Phases in words."""

    def __init__(self) -> None:
        super().__init__(REQUIRED, doc="what is done, one phase after the other: see `keelblocks show`")
        self.shape, self.structural, self.fixed = ("n", WIDTH), True, ""

    def read(self, value: Any, where: str) -> Value:
        """`value` in full words. Raises ParameterError."""
        return json.dumps(read_phases(as_data(value, where), where)[1], ensure_ascii=False)

    def form(self) -> str:
        """What a value looks like, in words."""
        return "a list of phases, such as [{hold: 30 s}, {dive to: 5 m}, return]"

    def schema(self) -> dict[str, Any]:
        """The JSON schema of what may be given."""
        return phases_schema()

    def encode(self, value: Value, shape: tuple[int, ...]) -> Array:
        """The rows of the program."""
        return program_in(str(value)).table().reshape(-1)


class AbortsParameter(WordsParameter):
    """Conditions and what is done then, in words."""

    def __init__(self) -> None:
        super().__init__("[]", doc="when the mission is given up, and what is done then, the most important one first")
        self.shape, self.structural, self.fixed = ("m", WIDTH), True, ""

    def read(self, value: Any, where: str) -> Value:
        """`value` in full words. Raises ParameterError."""
        return json.dumps(read_aborts(as_data(value, where), where)[1], ensure_ascii=False)

    def form(self) -> str:
        """What a value looks like, in words."""
        return "a list of aborts, such as [{when: {battery below: 20 %}, then: return}]"

    def schema(self) -> dict[str, Any]:
        """The JSON schema of what may be given."""
        return aborts_schema()

    def encode(self, value: Value, shape: tuple[int, ...]) -> Array:
        """The rows of the program."""
        return abort_program(aborts_of(str(value)))[0].reshape(-1)


def vocabulary_of_phases() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """What phases and aborts can say, by groups: how it is written, and what it is."""
    words = {
        f"phase: {word}": tuple(
            (f"{key}{'' if key in kind.needed else '?'}", _what(parameter)) for key, parameter in kind.keys.items()
        )
        for word, kind in KINDS.items()
    }
    every = tuple((f"{key}?", _what(parameter)) for key, parameter in COMMON.items())
    more = (("name?", "what it is called in summaries and metrics"), ("if late?", "go on, stop, or phases to do then"))
    return {
        **words,
        "every phase": (*every, *more),
        "aborts: when": tuple((word, _what(limit)) for word, limit in CONDITIONS.items()),
    }


def _what(parameter: Parameter) -> str:
    unit = f", {parameter.unit}" if isinstance(parameter.unit, str) and parameter.unit != "1" else ""
    choices = f": {' or '.join(parameter.choices)}" if parameter.choices else ""
    return f"{parameter.doc}{choices}{unit}"
