"""Study files: a scenario, factors, metrics and a design as YAML."""

from __future__ import annotations

import math
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel

from blocks.errors import KeelblocksError, ScenarioError
from blocks.scenario import Scenario, yaml_text
from blocks.scenario.building import Builder
from blocks.scenario.checking import validated
from blocks.scenario.model import BlockEntry, RunEntry
from blocks.scenario.scenario import SETTINGS, input_value
from blocks.scenario.yaml_text import Document, Place
from blocks.study.design import DESIGNS, Design, Grid
from blocks.study.distribution import DISTRIBUTIONS, Choice
from blocks.study.factor import Factor
from blocks.study.file_model import FORMAT, DesignEntry, FactorEntry, RangeEntry, SeedsEntry, StudyFile
from blocks.study.seeds import Seeds
from blocks.study.study import Study
from blocks.units import to_unit

_VALUES = ("levels", "range", "circle", *DISTRIBUTIONS)


class StudyDocument:
    """A study as its file says it. `study` makes it, after `seed` and the like may have been changed."""

    def __init__(self, document: Document, entry: StudyFile, path: Path) -> None:
        self.document, self.entry, self.path = document, entry, path
        self.name = entry.name
        self.title = entry.title or entry.name
        self.scenario = Scenario.load(path.parent / entry.scenario)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> StudyDocument:
        """Read a study file. Raises ScenarioError, with file and line, if it is not in order."""
        file = Path(path)
        try:
            content = file.read_bytes()
        except OSError as problem:
            raise ScenarioError(f"cannot read {file}: {problem.strerror or problem}") from None
        document = yaml_text.read(yaml_text.decode(content, str(file)), str(file))
        data = document.data
        if not isinstance(data, dict) or "keelblocks_study" not in data:
            hint = (
                "; this is a scenario, which `keelblocks run` takes"
                if isinstance(data, dict) and "keelblocks" in data
                else ""
            )
            raise document.error((), f"a study is a mapping that begins with 'keelblocks_study: {FORMAT}'{hint}")
        if data["keelblocks_study"] != FORMAT or isinstance(data["keelblocks_study"], bool):
            raise document.error(
                ("keelblocks_study",),
                f"the format is {data['keelblocks_study']!r}, but this version reads format {FORMAT} only",
            )
        return cls(document, validated(document, StudyFile, _model_at), file)

    def study(self, **changes: Any) -> Study:
        """The study; `changes` are settings of runs, or the `seed`, instead of those in the file.

        Raises ScenarioError, with file and line where that is known.
        """
        builder = Builder(self.document, self.path.parent)
        for name, value in self.entry.parameters.items():
            with builder.at(("parameters", name)):
                self.scenario.set(name, value)
        own = {key: value for key, value in self.entry.run.model_dump().items() if value not in (None, {})}
        run = {**self.scenario.settings, **own, **{k: v for k, v in changes.items() if v is not None}}
        factors = {name: self._factor(builder, entry, ("factors", name)) for name, entry in self.entry.factors.items()}
        settings = {key: run[key] for key in (*SETTINGS, "stop", "every") if key in run}
        if "end" not in settings:
            raise self.document.error(("run",), "'end' is missing under run: say when the runs end")
        taken = {target for factor in factors.values() for target in _targets(factor)} | set(factors)
        inputs = {name: input_value(value) for name, value in run.get("inputs", {}).items() if name not in taken}
        try:
            return Study(
                self.scenario.diagram,
                factors,
                self.entry.metrics,
                inputs=inputs,
                design=_design(self.entry.design),
                replicates=self.entry.replicates,
                seeds=_seeds(self.entry.seeds),
                seed=run.get("seed", self.entry.seed),
                **settings,
            )
        except KeelblocksError as problem:
            raise ScenarioError(f"{self._where(str(problem))}: {problem}") from None

    def _where(self, message: str) -> str:
        """The line of the factor or metric that a message is about."""
        named = [(section, name) for section in ("metrics", "factors") for name in getattr(self.entry, section)]
        named.sort(key=lambda place: -len(place[1]))
        for form in ("'{}'", "{} = "):
            for place in named:
                if form.format(place[1]) in message:
                    return self.document.where(place)
        return self.document.where(("seeds",) if message.startswith("seeds") else ())

    def _factor(self, builder: Builder, entry: FactorEntry, place: Place) -> Factor:
        given = [key for key in _VALUES if getattr(entry, key) is not None]
        if len(given) != 1:
            said = f"not {' and '.join(given)}" if given else "none is given"
            raise self.document.error(place, f"factor '{place[-1]}' needs one of {', '.join(_VALUES)}; {said}")
        values: Any
        if given[0] == "levels":
            levels = entry.levels
            here = (*place, "levels")
            if isinstance(levels, dict):
                values = {label: self._value(builder, value, (*here, label)) for label, value in levels.items()}
            else:
                values = [self._value(builder, value, (*here, i)) for i, value in enumerate(levels or [])]
        elif entry.range is not None:
            with builder.at((*place, "range")):
                values = _range(entry.range)
        elif entry.circle is not None:
            values = [i * 2.0 * math.pi / entry.circle for i in range(entry.circle)]
        else:
            values = DISTRIBUTIONS[given[0]](*getattr(entry, given[0]))
        circular = True if entry.circle is not None else entry.circular
        return Factor(Choice(values) if entry.sampled else values, of=entry.of, circular=circular)

    def _value(self, builder: Builder, value: Any, place: Place) -> Any:
        """A level: a number, text, a list, a block, or a mapping of targets to those."""
        if not isinstance(value, dict) or set(value) == {"diag"}:
            return value
        if "type" in value:
            entry = validated(_part(self.document, place, value), BlockEntry, lambda document, at: BlockEntry)
            return builder.block(entry, place, str(place[-1]))
        return {target: self._value(builder, item, (*place, target)) for target, item in value.items()}


def _part(document: Document, place: Place, value: Any) -> Document:
    """A part of a document as one of its own, which knows its lines."""
    lines = {where[len(place) :]: line for where, line in document.lines.items() if where[: len(place)] == place}
    return Document(document.file, value, lines)


def _range(entry: RangeEntry) -> list[float]:
    ends = [to_unit(end, None) if isinstance(end, str) else float(end) for end in (entry.start, entry.stop)]
    return [float(value) for value in np.linspace(ends[0], ends[1], entry.count)]


def _targets(factor: Factor) -> set[str]:
    """Every name that a factor may change."""
    values = factor.values.levels if isinstance(factor.values, Choice) else factor.values
    levels = values.values() if isinstance(values, dict) else ()
    return {*(factor.of or ()), *(target for level in levels if isinstance(level, dict) for target in level)}


def _design(entry: DesignEntry) -> Design:
    given = {key: count for key, count in entry.model_dump().items() if count is not None}
    if not given:
        return Grid()
    if len(given) != 1:
        raise ScenarioError(f"design: one of {', '.join(entry.model_dump())} is wanted, such as latin_hypercube: 100")
    ((name, count),) = given.items()
    return DESIGNS[name](count)  # type: ignore[call-arg]


def _seeds(entry: SeedsEntry | None) -> Seeds | None:
    return Seeds(*entry.parameters, common=entry.common) if entry is not None else None


def _model_at(document: Document, place: Place) -> type[BaseModel]:
    """The model of the mapping at a place."""
    if place[:1] == ("factors",) and len(place) > 1:
        return RangeEntry if place[-1] == "range" else FactorEntry
    models: dict[Place, type[BaseModel]] = {("run",): RunEntry, ("seeds",): SeedsEntry, ("design",): DesignEntry}
    return models.get(place, StudyFile)
