"""Study files: a scenario, factors, metrics and a design as YAML."""

from __future__ import annotations

import math
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import KeelblocksError, ScenarioError
from blocks.files.writing import is_file
from blocks.scenario import Scenario
from blocks.scenario.building import Builder
from blocks.scenario.checking import validated
from blocks.scenario.inputs import SERIES, input_value
from blocks.scenario.many_runs import settings_of_runs
from blocks.scenario.model import BlockEntry, NestedEntry
from blocks.scenario.reading import SETTINGS
from blocks.study.design import DESIGNS, Design, Grid
from blocks.study.distribution import DISTRIBUTIONS, Choice
from blocks.study.factor import Factor
from blocks.study.file_model import (
    VALUES,
    FactorEntry,
    MetricEntry,
    RangeEntry,
    SeedsEntry,
    StudyFile,
)
from blocks.study.functions import function_named
from blocks.study.metric import Metric
from blocks.study.seeds import Seeds
from blocks.study.study import Study
from blocks.units import to_unit
from blocks.yaml.kinds import read_kind
from blocks.yaml.places import ItemPath
from blocks.yaml.reading import Document


class StudyDocument:
    """A study as its file says it. `study` makes it, after `seed` and the like may have been changed."""

    def __init__(self, document: Document, entry: StudyFile, path: Path) -> None:
        self.document, self.entry, self.path = document, entry, path
        self.name = entry.name
        self.title = entry.title or entry.name
        try:
            self.scenario = Scenario.load(path.parent / entry.scenario)
        except ScenarioError as problem:
            if is_file(path.parent / entry.scenario):
                raise
            raise document.error(("scenario",), str(problem)) from None

    @classmethod
    def load(cls, path: str | PathLike[str]) -> StudyDocument:
        """Read a study file. Raises ScenarioError, with file and line, if it is not in order."""
        document = read_kind(path, "keelblocks_study")
        return cls(document, validated(document, StudyFile), Path(path))

    def study(self, metrics: Mapping[str, Any] | None = None, **changes: Any) -> Study:
        """The study; `changes` are settings of runs, or the `seed`, instead of those in the file, as are `metrics`.

        Raises ScenarioError, with file and line where that is known.
        """
        builder = Builder(self.document, self.path.parent)
        for name, value in self.entry.parameters.items():
            with builder.document.at(("parameters", name)):
                self.scenario.set(name, value)
        run = settings_of_runs(self.document, builder, self.scenario, self.entry.run, changes, "a study")
        factors = {name: self._factor(builder, entry, ("factors", name)) for name, entry in self.entry.factors.items()}
        settings = {key: run[key] for key in (*SETTINGS, "stop", "every") if key in run}
        taken = {target for factor in factors.values() for target in _targets(factor)} | set(factors)
        inputs = {name: input_value(value) for name, value in run.get("inputs", {}).items() if name not in taken}
        if metrics is None:
            metrics = {
                name: self._metric(builder, entry, ("metrics", name)) for name, entry in self.entry.metrics.items()
            }
        design = self._design()
        try:
            return Study(
                self.scenario.diagram,
                factors,
                metrics,
                inputs=inputs,
                design=design,
                replicates=self.entry.replicates,
                seeds=_seeds(self.entry.seeds),
                seed=run.get("seed", self.entry.seed),
                **settings,
            )
        except KeelblocksError as problem:
            raise ScenarioError(f"{self._where(str(problem))}: {problem}") from None

    def member(self, study: Study, number: int, **changes: Any) -> Scenario:
        """One member of the study as a scenario by itself. Raises StudyError if there is none of that number."""
        diagram, inputs = study.member(number)
        assert isinstance(diagram, Diagram)
        builder = Builder(self.document, self.path.parent)
        run = settings_of_runs(self.document, builder, self.scenario, self.entry.run, changes, "a study")
        run["inputs"] = _written(inputs)
        for key in ("record", "every"):
            if key in self.scenario.settings:
                run[key] = self.scenario.settings[key]
        run.pop("seed", None)
        title = f"{self.title}, member {number}"
        return Scenario(diagram, f"{self.name}_{number}", title=title, settings=run, report=self.scenario.report)

    def _metric(self, builder: Builder, entry: MetricEntry, item: ItemPath) -> str | Metric:
        if entry.function is None:
            return str(entry.statistic)
        with builder.document.at((*item, "function"), f"metric '{item[-1]}': "):
            return Metric(function_named(entry.function), entry.needs or (), unit=entry.unit)

    def _design(self) -> Design:
        given = {key: count for key, count in self.entry.design.model_dump().items() if count is not None}
        if not given:
            return Grid()
        if len(given) != 1:
            names = ", ".join(self.entry.design.model_dump())
            raise self.document.error(("design",), f"design: one of {names} is wanted, such as latin_hypercube: 100")
        ((name, count),) = given.items()
        return DESIGNS[name](count)  # type: ignore[call-arg]

    def _where(self, message: str) -> str:
        """The line of what a message is about."""
        named = [(section, name) for section in ("metrics", "factors") for name in getattr(self.entry, section)]
        named.sort(key=lambda item: -len(item[1]))
        for form in ("'{}'", "{} = "):
            for item in named:
                if form.format(item[1]) in message:
                    return self.document.where(item)
        about = {
            "seeds": ("seeds",), "no output": ("run", "stop"), "no input": ("run", "inputs"), "end": ("run", "end"),
            "input ": ("run", "inputs"),
        }  # fmt: skip
        if " replicates would" in message:
            return self.document.where(("replicates",))
        if " samples factors" in message:
            return self.document.where(("design",))
        return self.document.where(next((item for begin, item in about.items() if message.startswith(begin)), ()))

    def _factor(self, builder: Builder, entry: FactorEntry, item: ItemPath) -> Factor:
        given = [key for key in VALUES if getattr(entry, key) is not None]
        if len(given) != 1:
            said = f"not {' and '.join(given)}" if given else "none is given"
            raise self.document.error(item, f"factor '{item[-1]}' needs one of {', '.join(VALUES)}; {said}")
        if entry.sampled and given[0] in DISTRIBUTIONS:
            raise self.document.error(
                item, f"factor '{item[-1]}': 'sampled' is for levels; what is {given[0]} is drawn anyway"
            )
        values: Any
        if given[0] == "levels":
            levels = entry.levels
            here = (*item, "levels")
            if isinstance(levels, dict):
                values = {label: self._value(builder, value, (*here, label)) for label, value in levels.items()}
            else:
                values = [self._value(builder, value, (*here, i)) for i, value in enumerate(levels or [])]
        elif entry.range is not None:
            with builder.document.at((*item, "range"), f"factor '{item[-1]}': "):
                values = _range(entry.range, self._unit((entry.of or [str(item[-1])])[0]))
        elif entry.circle is not None:
            values = [i * 2.0 * math.pi / entry.circle for i in range(entry.circle)]
        else:
            values = DISTRIBUTIONS[given[0]](*getattr(entry, given[0]))
        circular = True if entry.circle is not None else entry.circular
        return Factor(Choice(values) if entry.sampled else values, of=entry.of, circular=circular)

    def _unit(self, target: str) -> str | None:
        """The unit of a parameter or an input, as far as it is known."""
        diagram = self.scenario.diagram
        owner, _, name = target.rpartition(".")
        block = diagram.blocks().get(owner)
        found: Any = None
        if target in diagram.input_ports:
            found = diagram.input_ports[target].signal.unit
        elif isinstance(block, Block) and block.parameter_name(name) in block.all_parameters():
            found = block.all_parameters()[block.parameter_name(name)].unit
        return found if isinstance(found, str) else None

    def _value(self, builder: Builder, value: Any, item: ItemPath) -> Any:
        """A level: a number, text, a list, a block or a diagram, or a mapping of targets to those."""
        if not isinstance(value, dict) or set(value) == {"diag"}:
            return value
        if "diagram" in value:
            nested = validated(self.document.part(item, value), NestedEntry)
            return builder.diagram(nested.diagram, (*item, "diagram"), "")
        if "type" in value:
            entry = validated(self.document.part(item, value), BlockEntry)
            return builder.block(entry, item, str(item[-1]))
        return {target: self._value(builder, inner, (*item, target)) for target, inner in value.items()}


def _range(entry: RangeEntry, unit: str | None) -> list[float]:
    ends = [to_unit(end, unit) if isinstance(end, str) else float(end) for end in (entry.start, entry.stop)]
    return [float(value) for value in np.linspace(ends[0], ends[1], entry.count)]


def _written(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs as a scenario has them."""
    return {
        name: dict(zip(SERIES, value, strict=False)) if isinstance(value, tuple) else value
        for name, value in inputs.items()
    }


def _targets(factor: Factor) -> set[str]:
    """Every name that a factor may change."""
    values = factor.values.levels if isinstance(factor.values, Choice) else factor.values
    levels = values.values() if isinstance(values, dict) else ()
    return {*(factor.of or ()), *(target for level in levels if isinstance(level, dict) for target in level)}


def _seeds(entry: SeedsEntry | None) -> Seeds | None:
    return Seeds(*entry.parameters, common=entry.common) if entry is not None else None
