"""A scenario file as it is read: what could be made of it, and all that is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from blocks.diagram import Diagram
from blocks.errors import ScenarioError
from blocks.plan.settings import Settings
from blocks.problems import Problem
from blocks.scenario.building import Builder
from blocks.scenario.checking import WORDS
from blocks.scenario.inputs import checked_inputs
from blocks.scenario.libraries import load_named
from blocks.scenario.model import ScenarioFile
from blocks.scenario.reuse import Reuse
from blocks.scenario.structure import Structure, read_structure
from blocks.yaml.reading import Document, read

SETTINGS = ("solver", "step", "start", "end", "relative_tolerance", "absolute_tolerance", "max_step")
"""Keys of `run` that are settings of the solver."""


@dataclass
class Reading:
    """What a file says. With problems the diagram has gaps, and is good for finding further ones only."""

    document: Document
    structure: Structure
    builder: Builder
    problems: tuple[Problem, ...] = ()
    """In the order of the file."""
    settings: dict[str, Any] = field(default_factory=dict)
    made: Diagram | None = None

    @property
    def entry(self) -> ScenarioFile:
        """Its structure, without what is wrong. Raises ScenarioError if there is none."""
        if self.structure.entry is None:
            raise _refused(self.problems)
        return self.structure.entry

    @property
    def diagram(self) -> Diagram:
        """Its diagram. Raises ScenarioError if there is none."""
        if self.made is None:
            raise _refused(self.problems)
        return self.made

    def in_order(self) -> Reading:
        """The same, if nothing is wrong. Raises ScenarioError for all that is."""
        if self.problems:
            raise _refused(self.problems)
        return self


def read_scenario(text: str, file: str) -> Reading:
    """Read a scenario from YAML text; `file` is its name in messages, and paths in it are seen from there.

    Raises ScenarioError if it is no YAML, or another kind of file; all else that is wrong is in `problems`.
    """
    return _read(read(text, file), Path(file).parent)


def read_document(document: Document, folder: Path, reuse: Reuse | None = None) -> Reading:
    """Read a scenario, with paths as seen from a folder. Raises ScenarioError for all that is wrong.

    reuse: what was built of the text as it was before; it is put back as it was if this one is not in order.
    """
    try:
        return _read(document, folder, reuse).in_order()
    except BaseException:
        if reuse is not None:
            reuse.restore()
        raise


def _read(document: Document, folder: Path, reuse: Reuse | None = None) -> Reading:
    lacking = load_named(document, folder)
    structure = read_structure(document, WORDS)
    if structure.entry is not None and "libraries" not in document.data:  # its key may be misspelt
        lacking |= load_named(document, folder, structure.entry.libraries)
    builder = Builder(document, folder, reuse=reuse, faults=[*lacking.values()], lacking=lacking.keys())
    reading = Reading(document, structure, builder)
    entry = structure.entry
    if entry is not None:
        reading.made = builder.found(entry.diagram, ("diagram",), entry.name)
        reading.made.title = reading.made.title or entry.title
        reading.made.doc = reading.made.doc or entry.description
        reading.settings = _settings(builder, entry)
    problems = [*structure.problems, *(problem for fault in builder.faults for problem in fault.problems)]
    if problems:
        reading.problems = tuple(sorted(dict.fromkeys(problems), key=_in_the_file))
    return reading


def _settings(builder: Builder, entry: ScenarioFile) -> dict[str, Any]:
    """What `run` says, checked."""
    document, faults = builder.document, builder.faults
    settings = {key: value for key, value in entry.run.model_dump(exclude_none=True).items() if value != {}}
    solver = {key: value for key, value in settings.items() if key in SETTINGS}
    before = len(faults)
    for key, value in solver.items():
        with document.noting(faults, ("run", key)):
            Settings(**{key: value})
    if len(faults) == before:
        with document.noting(faults, ("run", "end")):
            Settings(**solver)
    given = settings.get("inputs", {})
    for name, value in given.items():
        try:
            given[name] = checked_inputs(builder, {name: value})[name]
        except ScenarioError as fault:
            faults.append(fault)
    return settings


def _in_the_file(problem: Problem) -> tuple[int, int]:
    return problem.line or 0, problem.column or 0


def _refused(problems: tuple[Problem, ...]) -> ScenarioError:
    return ScenarioError("\n".join(dict.fromkeys(map(str, problems))), problems=problems)
