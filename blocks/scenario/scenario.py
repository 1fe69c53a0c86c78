"""Scenario: a diagram, how it is run and what is reported, read from YAML and written to it."""

from __future__ import annotations

import itertools
import os
import re
from os import PathLike
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from blocks.diagram import Diagram
from blocks.errors import KeelblocksError, ScenarioError, as_one
from blocks.files.writing import path_of, replacing
from blocks.plan import Plan, make_plan
from blocks.plan.faults import find_faults
from blocks.plan.flatten import flatten_as_is
from blocks.problems import Problem
from blocks.run.engine_run import RunStopped
from blocks.run.recording import check_every
from blocks.run.result import Result
from blocks.scenario.building import Notation
from blocks.scenario.inputs import input_value
from blocks.scenario.model import FORMAT
from blocks.scenario.names import name_faults
from blocks.scenario.places import item_of
from blocks.scenario.reading import SETTINGS as SETTINGS
from blocks.scenario.reading import Reading, read_scenario
from blocks.scenario.writing import diagram_data, settings_data
from blocks.simulation import simulate
from blocks.simulator import Simulator
from blocks.yaml.modeline import modeline, schema_near, with_modeline
from blocks.yaml.reading import read, read_text
from blocks.yaml.writing import write


class Scenario:
    """A diagram, how it is run and what is reported.

    `settings` are what `run` in the file says and what `simulate` takes; `report`, `live` and `environment` are what
    the file says under these names. Reading a
    scenario that was written gives an equal one, whose diagram has the same plan to the last bit; parameters that
    were not changed are written as they were, with their units.
    """

    def __init__(
        self,
        diagram: Diagram,
        name: str = "",
        *,
        title: str = "",
        description: str = "",
        settings: dict[str, Any] | None = None,
        report: dict[str, Any] | None = None,
        live: dict[str, Any] | None = None,
        environment: dict[str, Any] | None = None,
    ) -> None:
        self.diagram = diagram
        self.name = name or diagram.own_name or "scenario"
        self.title = title
        self.description = description
        self.settings = dict(settings or {})
        self.report = dict(report or {})
        self.live = dict(live or {})
        self.environment = dict(environment or {})
        self.path: Path | None = None
        self._notation: Notation = WeakKeyDictionary()
        self._header = ""

    # --- YAML ------------------------------------------------------------------------------------------------------

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Scenario:
        """Read a scenario file. Raises ScenarioError, with file and line, if it is not in order."""
        text, file = read_text(path, "a scenario"), Path(path)
        scenario = cls.from_text(text, str(file))
        scenario.path = file
        return scenario

    @classmethod
    def from_text(cls, text: str, file: str = "scenario") -> Scenario:
        """Read a scenario from YAML text; `file` is its name in messages, and paths in it are seen from there."""
        reading = read_scenario(text, file)
        if reading.problems:
            lines = dict.fromkeys(map(str, reading.problems))
            raise ScenarioError("\n".join(lines), problems=reading.problems)
        return cls.of(reading)

    @classmethod
    def of(cls, reading: Reading) -> Scenario:
        """The scenario of a file that was read, as far as it could be."""
        entry, diagram = reading.entry, reading.diagram
        scenario = cls(
            diagram,
            entry.name,
            title=entry.title,
            description=entry.description,
            settings=reading.settings,
            report=_given(entry.report.model_dump()),
            live=reading.document.data.get("live"),
            environment=reading.document.data.get("environment"),
        )
        scenario._notation = reading.builder.notation
        scenario._header = _leading_comments(reading.document.text)
        return scenario

    def to_data(self, folder: Path | None = None) -> dict[str, Any]:
        """What the file says, as plain data."""
        data: dict[str, Any] = {"keelblocks": FORMAT, "name": self.name}
        for key in ("title", "description"):
            if getattr(self, key):
                data[key] = getattr(self, key)
        data["diagram"] = diagram_data(self.diagram, self._notation, folder)
        for key, said in (("title", self.title), ("doc", self.description)):
            if data["diagram"].get(key) == said:
                del data["diagram"][key]
        run = settings_data(self.settings, folder)
        sections = {"run": run, "report": self.report, "live": self.live, "environment": self.environment}
        data |= {key: _plain(section) for key, section in sections.items() if section}
        return data

    def to_yaml(self) -> str:
        """The scenario as YAML text."""
        return self._header + write(self.to_data())

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the scenario to a file. Raises ScenarioError if that is not possible."""
        target = path_of(path, "a scenario", ScenarioError)
        text = self._header_in(target.parent) + write(self.to_data(target.parent))
        try:
            with replacing(target) as part:
                part.write_text(text, encoding="utf-8")
        except OSError as problem:
            raise ScenarioError(f"cannot write {target}: {problem.strerror or problem}") from None
        return target

    @property
    def comment(self) -> str:
        """The comment lines with which the file begins."""
        return self._header

    @comment.setter
    def comment(self, text: str) -> None:
        self._header = "".join(f"# {line}".rstrip() + "\n" for line in text.splitlines())

    def _header_in(self, folder: Path) -> str:
        """The comment at the top, with the way from a folder to the schema: to the one that lies there, if one does."""
        near = schema_near(folder)
        if near is not None:
            return with_modeline(self._header, modeline(near, folder))

        def moved(match: re.Match[str]) -> str:
            assert self.path is not None
            return match[1] + Path(os.path.relpath(self.path.parent / match[2], folder)).as_posix()

        return self._header if self.path is None else re.sub(r"(\$schema=)(?!\w+:)(\S+)", moved, self._header)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and self.to_data() == other.to_data()

    __hash__ = None  # type: ignore[assignment]

    # --- use -------------------------------------------------------------------------------------------------------

    def set(self, path: str, value: Any) -> None:
        """Change one parameter: `set("plant.current.speed", "0.4 kn")`. Raises ScenarioError if there is none."""
        owner, _, name = path.rpartition(".")
        blocks = self.diagram.blocks()
        if owner not in blocks:
            every = [f"{block}.{parameter}" for block, item in blocks.items() for parameter in item.all_parameters()]
            raise ScenarioError(f"no parameter '{path}'", code="unknown-parameter", wrong=path, valid=every)
        block = blocks[owner]
        name = block.parameter_name(name)
        block.set(**{name: value})
        self._notation.setdefault(block, {})[name] = (_plain(value), block.values[name])

    def run(self, **overrides: Any) -> Result:
        """Run the scenario. `overrides` take precedence over `settings`; both are what `simulate` takes."""
        merged = self.settings | overrides
        end = merged.pop("end", None)
        if end is None or end == float("inf"):
            raise ScenarioError(f"scenario {self.name}: 'end' is missing under run: say when the run ends")
        if merged.get("inputs"):
            merged["inputs"] = {name: input_value(value) for name, value in merged["inputs"].items()}
        try:
            result = simulate(self.diagram, end, **merged)
        except RunStopped as problem:
            problem.result.topics = self.topics
            problem.place(self._placed(problem.problems))
            raise
        result.topics = self.topics
        return result

    def _placed(self, problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
        """Problems of a run with the places of their blocks, where the file that was read is there still."""
        if self.path is None:
            return problems
        try:
            document = read(read_text(self.path, "a scenario"), str(self.path))
        except ScenarioError:
            return problems
        return tuple(
            document.problem(problem, item_of(document, problem.block), key=True) if problem.block else problem
            for problem in problems
        )

    @property
    def topics(self) -> dict[str, Any] | None:
        """Which signals make which messages of ROS 2: what `live` says for logs, or else for the node."""
        found: dict[str, Any] | None = self.live.get("topics")
        return (self.live.get("ros2") or {}).get("topics") if found is None else found

    def simulator(self, **overrides: Any) -> Simulator:
        """The scenario as a `Simulator`, to go on with step by step; its `end` is in `settings`.

        `overrides` take precedence over `settings`; both are what `Simulator` takes.
        """
        merged = {key: value for key, value in (self.settings | overrides).items() if key != "end"}
        if merged.get("inputs"):
            merged["inputs"] = {name: input_value(value) for name, value in merged["inputs"].items()}
        return Simulator(self.diagram, **merged)

    def plan(self, **overrides: Any) -> Plan:
        """The plan of the diagram under the scenario's settings."""
        settings = {key: value for key, value in (self.settings | overrides).items() if key in SETTINGS}
        return make_plan(self.diagram, stop=self.settings.get("stop"), **settings)

    def check(self) -> Plan:
        """The plan, if the scenario could be run as it is.

        Raises WiringError, ParameterError, SimulationError or ScenarioError for what keeps it from running.
        """
        try:
            plan = self.plan()
        except KeelblocksError as fault:
            found = find_faults(self.diagram)
            if not any(one.code == "no-blocks" for one in found):
                found += [one for _, one in name_faults(self, flatten_as_is(self.diagram)[0])]
            found = found or [fault]
        else:
            check_every(self.settings.get("every", 1))
            found = [fault for _, fault in name_faults(self, plan.flat)]
            if not found:
                return plan
        raise as_one(found)

    def __repr__(self) -> str:
        return f"<Scenario {self.name}: {self.title or self.diagram!r}>"


def _given(section: dict[str, Any]) -> dict[str, Any]:
    """What is said, without what is left out."""
    return {key: value for key, value in section.items() if value is not None and value != {}}


def _plain(value: Any) -> Any:
    """Settings as YAML has them: arrays as lists."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def _leading_comments(text: str) -> str:
    """The comment lines with which a file begins."""
    lines = text.removeprefix("\ufeff").splitlines(keepends=True)
    return "".join(itertools.takewhile(lambda line: line.startswith("#"), lines))
