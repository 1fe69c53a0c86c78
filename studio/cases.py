"""The models of a page of many runs: a plan for each combination of levels that differ in more than numbers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import SimulationError
from blocks.plan import Plan
from blocks.run.asked import names_of
from blocks.run.inputs import input_numbers
from blocks.run.recording import choose
from blocks.scenario import Scenario
from blocks.study import Study
from blocks.study.programs import Case
from cython_kernels import engine as native
from studio.errors import ShareError
from studio.model import model_of
from studio.quantities import given_values
from studio.subject import Subject, room_of

MOST_PLANS = 400
MOST_MODELS = 40
MOST_BYTES = 5_000_000
"""Of all models of a page, diagrams and all."""
_CHECKSUM = slice(16, 24)
"""Where the checksum stands in a plan."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Placed:
    """The members of a case in a page: which model runs them, and with which numbers."""

    subject: Subject
    model: int
    members: NDArray[np.int64]
    begins: Array
    """The inputs and parameters that the model begins with."""
    own: Array
    """Those of the case."""
    places: NDArray[np.intp]
    """Where its members differ."""
    matrix: Array
    """By what: a row for each."""

    def values(self, row: int) -> Array:
        """All inputs and parameters of a member, by its row."""
        values: Array = self.own.copy()
        values[self.places] = self.matrix[row]
        return values

    def writes(self, row: int) -> list[list[float]]:
        """Places and values that a member has otherwise than the model, to the last bit."""
        values = self.values(row)
        differing = np.flatnonzero(values.view(np.int64) != self.begins.view(np.int64))
        return [[int(place), plain(float(values[place]))] for place in differing]


class Cases:
    """The cases of a study in a page: equal models stand in it once.

    Raises ShareError for plans that are too many.
    """

    def __init__(self, study: Study, name: str, scenario: Scenario, report: Mapping[str, Any]) -> None:
        if len(study.cases) > MOST_PLANS:
            raise ShareError(
                f"this study has {len(study.cases):,} plans, one for each combination of levels that differ in more "
                f"than numbers, and a page takes {MOST_PLANS}: {_fewer(study)}"
            )
        self.models: list[dict[str, Any]] = []
        self.subjects: list[Subject] = []
        """Of each model."""
        self._known: dict[str, int] = {}
        self.placed = [self._place(study, case, name, scenario, report) for case in study.cases]
        size = sum(len(json.dumps(model)) for model in self.models)
        if len(self.models) > MOST_MODELS or size > MOST_BYTES:
            raise ShareError(
                f"this study takes {len(self.models)} models of {size / 1e6:.1f} MB, for levels that differ in more "
                f"than numbers, and a page holds {MOST_MODELS} of {MOST_BYTES / 1e6:.0f} MB: {_fewer(study)}"
            )

    def __iter__(self) -> Iterator[Placed]:
        return iter(self.placed)

    def _place(self, study: Study, case: Case, name: str, scenario: Scenario, report: Mapping[str, Any]) -> Placed:
        changed = {target for factor in case.factors for target in factor.all_targets()}
        plan = case.prepared.again(capacities=room_of(case.prepared.component, changed))
        subject = _subject(case, plan, name, scenario, report)
        model = model_of(subject)
        number = self._known.setdefault(_key(plan, model), len(self.models))
        if number == len(self.models):
            self.models.append(model)
            self.subjects.append(subject)
        numbers = study.numbers(case, plan)
        own = given_values(plan).copy()
        for input_name, value in subject.inputs.items():
            own[plan.inputs[input_name].slice] = value
        everyone = np.arange(len(case.members), dtype=np.int64)
        begins = _begins(self.subjects[number].plan, self.models[number])
        return Placed(subject, number, case.members, begins, own, numbers.places, numbers.matrix(everyone))


def _subject(case: Case, plan: Plan, name: str, scenario: Scenario, report: Mapping[str, Any]) -> Subject:
    """What the page tells of a case: as of the scenario, whose settings of recording it has."""
    constants = {key: input_numbers(plan.inputs[key], value) for key, value in case.prepared.constants.items()}
    names = names_of("record", scenario.settings.get("record"))
    try:
        recorded = tuple(choose(plan, names)) if names != [] else ()
    except SimulationError:  # of blocks that another one stands in place of
        recorded = tuple(choose(plan, None))
    every = int(scenario.settings.get("every", 1))
    title = f"{scenario.title or scenario.name}{f', {case.where}' if case.where else ''}"
    return Subject(name, title, "", case.prepared.component, plan, constants, every, recorded, report)


def _key(plan: Plan, model: Mapping[str, Any]) -> str:
    """Equal for plans that differ in start values only, and are shown alike."""
    stored = bytearray(plan.stored)
    stored[_CHECKSUM] = bytes(8)
    first = native.HEADER_SIZE
    size = 8 * len(given_values(plan))
    stored[first : first + size] = bytes(size)
    shown = {key: value for key, value in model.items() if key not in ("plan", "parameters")}
    alike = [{key: value for key, value in one.items() if key != "values"} for one in model["parameters"]]
    text = json.dumps([shown, alike, sorted(plan.digests.items())])
    return hashlib.sha256(bytes(stored) + text.encode()).hexdigest()


def _begins(plan: Plan, model: Mapping[str, Any]) -> Array:
    """What the page writes before each run of a model: its plan, and the constant inputs that it lists."""
    values: Array = given_values(plan).copy()
    for one in model["parameters"]:
        if one["kind"] == "input":
            values[one["first"] : one["first"] + one["count"]] = one["values"]
    return values


def _fewer(study: Study) -> str:
    """The way out."""
    numeric = study.cases[0].factors
    names = [f"'{factor.name}'" for factor in study.factors if factor not in numeric]
    return (
        f"take fewer levels of {' and '.join(names) or 'its factors'}, or share single members as scenarios: "
        "keelblocks study member"
    )


def plain(value: float) -> float | int:
    """A number as JSON has it in the fewest letters; the same to the last bit."""
    if value.is_integer() and abs(value) < 2.0**53 and not (value == 0.0 and np.signbit(value)):
        return int(value)
    return value
