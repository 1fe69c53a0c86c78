"""What a page is of: a diagram with its plan and settings, from a scenario or from a run."""

from __future__ import annotations

import math
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.model.component import Component
from blocks.plan import Plan
from blocks.prepared import prepare
from blocks.run.asked import names_of
from blocks.run.inputs import input_numbers
from blocks.run.recording import choose
from blocks.run.result import Result
from blocks.scenario import Scenario
from blocks.scenario.inputs import input_value
from blocks.scenario.reading import SETTINGS
from studio.errors import ShareError

ROOM = 12
"""Waypoints that may be added in the page."""


@dataclass(frozen=True)
class Subject:
    """A plan with all that a page tells of it."""

    name: str
    title: str
    description: str
    component: Diagram | Block
    """What the plan is of."""
    plan: Plan
    inputs: Mapping[str, NDArray[np.float64]]
    """The constant values of the diagram's inputs."""
    every: int
    """Which points of the grid a run records."""
    recorded: tuple[str, ...]
    """What a run records, by name."""
    report: Mapping[str, Any] = field(default_factory=dict)
    command: str = ""
    """How the same is run on a desk."""
    scenario: Scenario | None = None
    added: frozenset[str] = frozenset()
    """Blocks that stand for inputs over time."""


def of_scenario(scenario: Scenario, file: str = "", options: Sequence[str] = ()) -> Subject:
    """A scenario, as `keelblocks run` would run it. Raises what that would, before it runs.

    file, options: how it was named and what was changed on the command line, for the command that runs the same.
    """
    settings = dict(scenario.settings)
    end = settings.pop("end", None)
    inputs = {name: input_value(value) for name, value in (settings.pop("inputs", None) or {}).items()}
    every = int(settings.pop("every", 1))
    names = names_of("record", settings.pop("record", None))
    known = {key: value for key, value in settings.items() if key in SETTINGS}
    prepared = prepare(
        scenario.diagram, inputs, stop=settings.get("stop"), end=math.inf if end is None else end,
        capacities=room_of(scenario.diagram), **known,
    )  # fmt: skip
    plan = prepared.plan
    if not math.isfinite(plan.settings.end):
        raise ShareError(
            f"scenario {scenario.name} has no end: say when the run ends, 'end' under run or --end \"5 min\""
        )
    constants = {name: input_numbers(plan.inputs[name], value) for name, value in prepared.constants.items()}
    return Subject(
        scenario.name,
        scenario.title or scenario.name,
        scenario.description,
        prepared.component,
        plan,
        constants,
        every,
        tuple(choose(plan, names)) if names != [] else (),
        scenario.report,
        f"keelblocks run {shlex.join([file, *options])}" if file else "",
        scenario,
        _added(prepared.component, scenario.diagram),
    )


def of_result(result: Result) -> Subject:
    """What a result is of. Raises ShareError if that is not known, or has been changed since."""
    if result.ran is None:
        raise ShareError(
            "a page runs again what `simulate` ran; of a Simulator, a Fleet or a result that came from another process "
            "it is not known how: save those as .nc, or share the scenario"
        )
    ran, scenario = result.ran, result.scenario
    component = component_of(ran.plan)
    if scenario is None:
        name = component.own_name if isinstance(component, Diagram) else ""
        title = component.title if isinstance(component, Diagram) else ""
        about = (name or "run", title or name or type(component).__name__, getattr(component, "doc", ""))
    else:
        about = (scenario.name, scenario.title or scenario.name, scenario.description)
    path = scenario.path if scenario is not None else None
    return Subject(
        *about,
        component,
        ran.plan,
        ran.inputs,
        ran.every,
        tuple(result.places),
        scenario.report if scenario is not None else {},
        f"keelblocks run {Path(path).name}" if path else "",
        scenario,
        _added(component, scenario.diagram) if scenario is not None else frozenset(),
    )


def _added(component: Diagram | Block, own: Diagram) -> frozenset[str]:
    return frozenset(component.blocks()) - frozenset(own.blocks()) if isinstance(component, Diagram) else frozenset()


def component_of(plan: Plan) -> Diagram | Block:
    """The diagram, or the block, that a plan was made of. Raises ShareError if blocks have come or gone since."""
    first = plan.flat.leaves[0]
    component: Component = first.block
    if first.block.parent is None:
        assert isinstance(first.block, Block)
        return first.block
    for _ in first.name.split("."):
        assert component.parent is not None
        component = component.parent
    assert isinstance(component, Diagram)
    if list(component.blocks()) != [leaf.name for leaf in plan.flat.leaves]:
        raise ShareError("the diagram was changed after it ran: run it again, and save that")
    return component


def room_of(component: Diagram | Block, fixed: Collection[str] = ()) -> dict[str, int]:
    """Room for more waypoints than there are, by the names of sizes; none for the parameters that are `fixed`."""
    if not isinstance(component, Diagram):
        return {}
    return {
        f"{name}.{size}": block.known_sizes()[size] + ROOM
        for name, block in component.blocks().items()
        for size, parameters in block.resizable_sizes().items()
        if "waypoints" in parameters
        and size in block.known_sizes()
        and not any(f"{name}.{parameter}" in fixed for parameter in parameters)
    }
