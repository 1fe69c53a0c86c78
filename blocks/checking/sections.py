"""What is wrong with what a file says beside its diagram and its run: `report`, `live` and `environment`."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator

from blocks.errors import KeelblocksError
from blocks.model.diagram import Diagram
from blocks.plan.surface import Surface
from blocks.problems import Problem
from blocks.report import find_parts
from blocks.run.named import element_of
from blocks.run.result import ResultError
from blocks.scenario import Scenario
from blocks.scenario.checking import validated
from blocks.scenario.environment_model import EnvironmentEntry
from blocks.scenario.live_model import LiveEntry
from blocks.scenario.reading import Reading
from blocks.scenario.unbuilt import Unbuilt
from blocks.yaml.reading import Document

_OF_NAMES = ("unknown-output", "unknown-input", "unknown-name", "unknown-parameter", "bad-parameter")
"""What can be told of a diagram with gaps, if the name is not in a gap."""


def section_problems(
    scenario: Scenario, surface: Surface, document: Document, planned: bool, reading: Reading | None
) -> Iterator[Problem]:
    """What does not fit the diagram. reading: how the diagram was made, if it has gaps; else None."""
    doubt = _Doubt(reading) if reading else None
    for fault in (
        *_plots(scenario, surface, document),
        *_all(_live(scenario, surface, document, reading)),
        *_all(_environment(scenario, document, planned, reading)),
    ):
        yield from (problem for problem in fault.problems if doubt is None or doubt.is_sure(problem))


def report_problems(scenario: Scenario, document: Document) -> Iterator[Problem]:
    """Blocks that a report is to be about and cannot."""
    unknown = {item.path for item in scenario.diagram.all_components() if isinstance(item, Unbuilt)}
    for kind, name in scenario.report.items():
        if isinstance(name, str) and name not in unknown:
            try:
                find_parts(scenario.diagram, {kind: name})
            except KeelblocksError as fault:
                yield from document.located(fault, ("report", kind)).problems


class _Doubt:
    """What may be there in what the file means, though it is not in what could be made of it."""

    def __init__(self, reading: Reading) -> None:
        diagram, problems = reading.diagram, reading.problems
        self.missing = {item.path for item in diagram.all_components() if isinstance(item, Unbuilt)}
        made = {item.name for item in diagram.all_components() if not isinstance(item, Unbuilt)}
        said = {str(p.path[i + 1]) for p in problems for i in range(len(p.path) - 1) if p.path[i] == "blocks"}
        self.parts = said - made
        self.ports = ("diagram",) in reading.structure.incomplete or any(
            problem.path[:2] in (("diagram", "inputs"), ("diagram", "outputs")) for problem in problems
        )
        self.known = {*diagram.boundary_inputs, *diagram.boundary_outputs}

    def is_sure(self, problem: Problem) -> bool:
        """Whether a problem is none of what is missing."""
        wrong = problem.wrong
        if problem.code not in _OF_NAMES:
            return problem.path[:2] in (("environment", "interval"), ("environment", "episode"))
        if "." not in wrong and wrong and (self.ports or wrong in self.known):
            return False
        missing = any(wrong == path or wrong.startswith(f"{path}.") for path in self.missing)
        return not missing and not self.parts.intersection(wrong.split("."))


def _all(faults: Iterator[KeelblocksError]) -> Iterator[KeelblocksError]:
    """Faults that are told, then the one that nothing can be told beyond."""
    try:
        yield from faults
    except KeelblocksError as fault:
        yield fault


def _plots(scenario: Scenario, surface: Surface, document: Document) -> Iterator[KeelblocksError]:
    """Signals that are to be plotted and are not there, or are not recorded."""
    record = scenario.settings.get("record")
    patterns = [record] if isinstance(record, str) else record
    given = scenario.report.get("plots") or []
    for number, name in enumerate([given] if isinstance(given, str) else given):
        item = ("report", "plots", number) if isinstance(given, list) else ("report", "plots")
        bare, _, element = str(name).partition("[")
        try:
            if bare not in surface.signals:
                text = f"plots: no output '{bare}'"
                raise ResultError(text, code="unknown-output", wrong=bare, valid=surface.signals)
            if element:
                element_of(surface.signals[bare], name)
            if patterns is not None and not any(fnmatch.fnmatchcase(bare, one) for one in patterns):
                raise ResultError(f"plots: '{bare}' is not recorded; add it to 'record' under run", code="bad-setting")
        except KeelblocksError as fault:
            yield document.located(fault, item)


def _live(
    scenario: Scenario, surface: Surface, document: Document, reading: Reading | None
) -> Iterator[KeelblocksError]:
    if not scenario.live:
        return
    from blocks.live.check import live_faults

    part = document.part(("live",), scenario.live)
    entry = reading.entry.live if reading else validated(part, LiveEntry)
    if entry is not None:
        yield from live_faults(entry, surface, part)


def _environment(
    scenario: Scenario, document: Document, planned: bool, reading: Reading | None
) -> Iterator[KeelblocksError]:
    if not scenario.environment or not _is_whole(scenario.diagram):
        return
    from blocks.live.learning.check import environment_faults

    part = document.part(("environment",), scenario.environment)
    entry = reading.entry.environment if reading else validated(part, EnvironmentEntry)
    if entry is None:
        return
    for found in environment_faults(scenario, entry, part, planned):
        placed = all(problem.path for problem in found.problems)
        yield found if placed else part.located(found, (), "environment: ", key=True)


def _is_whole(diagram: Diagram) -> bool:
    """Whether a diagram has nothing in it that stands for what could not be made: only then it can be copied."""
    for one in (diagram, *(inner for inner in diagram.all_components() if isinstance(inner, Diagram))):
        there = {id(component) for component in one.components.values()}
        ends = [source.component for source in one.wires.values()] + [sink for sink, _ in one.wires]
        ends += [ref.block for refs in one.boundary_inputs.values() for ref in refs]
        ends += [ref.block for ref in one.boundary_outputs.values()]
        if any(end is not None and (isinstance(end, Unbuilt) or id(end) not in there) for end in ends):
            return False
        if any(isinstance(component, Unbuilt) for component in one.components.values()):
            return False
    return True
