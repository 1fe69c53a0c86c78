"""Check a scenario: its text, its diagram, its plan, and what is said of runs, reports, topics and learners."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

from blocks.checking.sections import report_problems, section_problems
from blocks.checking.warnings import warnings_of
from blocks.errors import KeelblocksError, ScenarioError
from blocks.model.component import Component
from blocks.model.diagram import Diagram
from blocks.plan import Plan
from blocks.plan.faults import find_faults
from blocks.plan.flatten import Flat, flatten_as_is
from blocks.plan.surface import surface_as_it_is, surface_of
from blocks.problems import Problem
from blocks.scenario import Scenario
from blocks.scenario.names import name_faults
from blocks.scenario.places import item_of
from blocks.scenario.reading import Reading, read_scenario
from blocks.scenario.unbuilt import Unbuilt
from blocks.yaml.places import ItemPath
from blocks.yaml.reading import Document, read, read_text


@dataclass(frozen=True)
class Checked:
    """What was found. Without errors there are a scenario and its plan."""

    file: str
    text: str
    problems: tuple[Problem, ...]
    """In the order of the file."""
    scenario: Scenario | None = None
    plan: Plan | None = None

    @property
    def errors(self) -> tuple[Problem, ...]:
        """Those that keep the scenario from being run."""
        return tuple(problem for problem in self.problems if problem.severity == "error")

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What is legal and improbable."""
        return tuple(problem for problem in self.problems if problem.severity == "warning")


def check_file(path: str | PathLike[str]) -> Checked:
    """Check a scenario file. Nothing is raised for what is wrong with it: that is in the result."""
    file = str(Path(path))
    try:
        text = read_text(path, "a scenario")
    except KeelblocksError as fault:
        return Checked(file, "", _of_file(fault, file))
    return check_text(text, file)


def check_text(text: str, file: str = "scenario", *, loops: bool = True) -> Checked:
    """Check the text of a scenario; `file` is its name, and paths in it are seen from there.

    loops: whether to look at the stability of its loops too, for which it is run for a while.
    """
    try:
        reading = read_scenario(text, file)
    except KeelblocksError as fault:
        return Checked(file, text, _of_file(fault, file))
    if reading.made is None:
        return Checked(file, text, reading.problems)
    scenario = Scenario.of(reading)
    scenario.path = Path(file) if Path(file).is_file() else None
    found, plan = _examined(scenario, reading.document, reading)
    if plan is not None:
        found = [*warnings_of(scenario, plan, reading.document)]
        if loops:
            from blocks.checking.loops import loop_warnings  # they need the lab, which a run may do without

            found += loop_warnings(scenario, reading.document)
        return Checked(file, text, _in_order(found), scenario, plan)
    return Checked(file, text, _in_order([*reading.problems, *found]))


def _of_file(fault: KeelblocksError, file: str) -> tuple[Problem, ...]:
    return tuple(replace(problem, file=problem.file or file) for problem in fault.problems)


def require(scenario: Scenario) -> tuple[Plan, tuple[Problem, ...]]:
    """The plan of a scenario that was loaded, and perhaps changed, and the warnings, with places in its file.

    Raises ScenarioError, with all problems, if it cannot be run.
    """
    document = Document(scenario.name, "", {})
    if scenario.path is not None and scenario.path.is_file():
        document = read(read_text(scenario.path, "a scenario"), str(scenario.path))
    found, plan = _examined(scenario, document, None)
    if plan is None:
        problems = _in_order(found)
        raise ScenarioError("\n".join(dict.fromkeys(map(str, problems))), problems=problems)
    return plan, warnings_of(scenario, plan, document)


def _in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(dict.fromkeys(problems), key=lambda problem: (problem.line or 0, problem.column or 0)))


def _examined(scenario: Scenario, document: Document, reading: Reading | None) -> tuple[list[Problem], Plan | None]:
    """What keeps a scenario from being run, or its plan. reading: how its diagram was made, which may have gaps."""
    plan: Plan | None = None
    refused: tuple[Problem, ...] = ()
    gaps = bool(reading and reading.problems)
    if not gaps:
        try:
            plan = scenario.plan()
        except KeelblocksError as fault:
            refused = tuple(document.problem(problem, ()) for problem in fault.problems)
    found = [] if plan else list(_plan_problems(scenario.diagram, document, reading))
    flat = plan.flat if plan else _flattened(scenario.diagram)
    found += report_problems(scenario, document)
    if flat is not None:
        found += _name_problems(scenario, document, flat)
        sized = not any(problem.code == "shape-mismatch" for problem in found)
        if sized and (scenario.live or scenario.environment or scenario.report.get("plots")):
            surface = surface_of(plan) if plan else surface_as_it_is(flat)
            found += section_problems(scenario, surface, document, plan is not None, reading if gaps else None)
    return (found or list(refused), None) if found or refused or gaps else ([], plan)


def _flattened(diagram: Diagram) -> Flat | None:
    try:
        return flatten_as_is(diagram)[0]
    except KeelblocksError:
        return None


def _plan_problems(diagram: Diagram, document: Document, reading: Reading | None) -> Iterator[Problem]:
    """What keeps the diagram from being planned, but for what follows from other problems."""
    blocks = diagram.blocks()
    for fault in find_faults(diagram):
        for problem in fault.problems:
            loose = problem.code == "unconnected-input"
            if not (loose and reading and _is_unsure(reading, blocks[problem.block], problem.block, problem.port)):
                yield document.problem(problem, item_of(document, problem.block, problem.port), key=loose)
    for component in diagram.all_components():
        if isinstance(component, Unbuilt) and isinstance(component.parent, Diagram) and reading:
            for name in component.wanting():
                wired = (component, name) in component.parent.wires
                if not wired and not _is_unsure(reading, component, component.path, name):
                    text = f"{component.path}.{name} is not connected; it needs a source"
                    problem = Problem("error", "unconnected-input", text, block=component.path, port=name)
                    yield document.problem(problem, item_of(document, component.path), key=True)


def _is_unsure(reading: Reading, component: Component, block: str, port: str) -> bool:
    """Whether a wire to an input may be among those that are told of already."""
    around = item_of(reading.document, block)[:-2]
    return around in reading.structure.incomplete or reading.builder.wires.is_unsure(component, port)


def _name_problems(scenario: Scenario, document: Document, flat: Flat) -> Iterator[Problem]:
    """Names under `run` that are not in the diagram. Those of blocks that could not be made are not told."""
    unknown = {item.path for item in scenario.diagram.all_components() if isinstance(item, Unbuilt)}
    for item, fault in name_faults(scenario, flat):
        if not any(fault.wrong == path or fault.wrong.startswith(f"{path}.") for path in unknown):
            yield from document.located(fault, _written(document, item)).problems


def _written(document: Document, item: ItemPath) -> ItemPath:
    """A place of a list, which may stand there as a single text."""
    return item if item in document or not isinstance(item[-1], int) else item[:-1]
