"""Check what a scenario says of its environment, without Gymnasium and before anything runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from blocks.live.learning.commands import Commands
from blocks.live.learning.draws import Draws
from blocks.live.learning.setup import Setup
from blocks.live.learning.task import Task
from blocks.plan import make_plan
from blocks.scenario import Scenario


def check_environment(scenario: Scenario) -> None:
    """Raise ScenarioError, WiringError or SimulationError for what keeps `environment:` from being used."""
    setup = Setup(scenario, None, False, {})
    plan = make_plan(setup.diagram, **setup.settings)
    places = {**plan.outputs, **plan.inputs}

    def view(name: str) -> NDArray[np.float64]:
        return np.zeros((1, places[name].count))

    Commands(setup, plan, view, 1)
    Task(setup.declaration, plan, setup.aliases, view, 1, setup.interval)
    Draws(setup.declaration, plan, setup.diagram)
