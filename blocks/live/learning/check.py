"""Check what a scenario says of its environment, without Gymnasium and before anything runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from blocks.errors import KeelblocksError
from blocks.live.learning.commands import Commands
from blocks.live.learning.declaration import Declaration
from blocks.live.learning.draws import Draws
from blocks.live.learning.setup import Setup
from blocks.live.learning.task import Task
from blocks.plan import make_plan
from blocks.plan.flatten import flatten_as_is
from blocks.plan.settings import Settings
from blocks.plan.surface import surface_as_it_is, surface_of
from blocks.scenario import Scenario
from blocks.scenario.environment_model import ActionEntry, EnvironmentEntry, ObservationEntry
from blocks.yaml.places import ItemPath
from blocks.yaml.reading import Document

_MOST = 200
_PLAIN = ActionEntry.model_construct(range=(-1.0, 1.0))


def environment_faults(
    scenario: Scenario, entry: EnvironmentEntry, document: Document, planned: bool
) -> list[KeelblocksError]:
    """All that keeps `environment:` from being used, with the lines of `document`, which is the section.

    planned: whether the diagram itself is in order. What is at fault is left out to find what else is, but for what
    follows from that.
    """
    declaration = Declaration({}, document, entry)
    found: list[KeelblocksError] = []
    gone: set[str] = set()
    while len(found) < _MOST:
        try:
            _check(scenario, declaration, planned)
            return found
        except KeelblocksError as fault:
            problem = fault.problems[0]
            item = problem.path[len(document.within) :]
            if not item and not planned:  # it is not the environment's
                return found
            if problem.wrong not in gone and str(fault) not in map(str, found):
                found.append(fault)
            if not item and planned:  # wires that are cut leave what cannot be planned
                planned = False
                continue
            less = _without(declaration, item, scenario)
            if less is None:
                return found
            if len(item) > 1 and item[1] not in getattr(less.entry, str(item[0])):
                gone.add(str(item[1]).partition("[")[0])
            declaration = less
    return found


def _without(declaration: Declaration, item: ItemPath, scenario: Scenario) -> Declaration | None:
    """The same without what is at fault; None if it cannot be without it."""
    step, entry = scenario.settings.get("step", Settings().step), declaration.entry
    if item == ("interval",) and entry.interval != step:
        return declaration.but(interval=step, episode=step)
    if item == ("episode",) and entry.episode != entry.interval:
        return declaration.but(episode=entry.interval)
    if len(item) < 2 or item[1] not in (getattr(entry, str(item[0])) or ()):
        return None
    if item[0] == "action" and entry.action[str(item[1])].range != _PLAIN.range:  # others may name it
        return declaration.but(action=entry.action | {str(item[1]): _PLAIN})
    less = declaration.without(str(item[0]), str(item[1]))
    return less if less.entry.observation else less.but(observation={"time": ObservationEntry(of="time", range=None)})


def _check(scenario: Scenario, declaration: Declaration, planned: bool) -> None:
    """Raise ScenarioError, WiringError or SimulationError for the first that is wrong."""
    inputs = scenario.settings.get("inputs", {})
    known = {name: value for name, value in inputs.items() if name in scenario.diagram.input_ports}
    setup = Setup(scenario, declaration, False, {"inputs": known})
    if planned:
        surface = surface_of(make_plan(setup.diagram, **setup.settings))
    else:
        surface = surface_as_it_is(flatten_as_is(setup.diagram)[0])
    places = {**surface.outputs, **surface.inputs}

    def view(name: str) -> NDArray[np.float64]:
        return np.zeros((1, places[name].count))

    Draws(setup.declaration, surface, setup.diagram)
    Commands(setup, surface, view, 1)
    Task(setup.declaration, surface, setup.aliases, view, 1, setup.interval)
