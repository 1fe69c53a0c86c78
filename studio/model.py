"""All that a page knows of one plan: what it records, what may be changed, what the views show."""

from __future__ import annotations

import base64
import gzip
import math
from collections.abc import Iterable
from typing import Any

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.dynamics.planar import PlanarVessel
from blocks.errors import ScenarioError
from blocks.guidance.mission_plan import MissionPlan
from blocks.plan import Plan
from blocks.plan.place import Place
from blocks.plan.settings import ADAPTIVE
from blocks.report.mission import find_parts
from blocks.report.planned import Planned
from blocks.report.references import wanted_of
from blocks.vehicles.vehicle import describe
from studio.pictures import pictures
from studio.quantities import limits, parameters, quantity
from studio.subject import Subject

MOST_RECORDED = 4_000_000
"""Numbers of one run that a page keeps; of longer runs it takes fewer points."""


def model_of(subject: Subject) -> dict[str, Any]:
    """The plan of a subject as a page has it: see `Model` in `studio/web/src/page/data.ts`."""
    plan, settings = subject.plan, subject.plan.settings
    channels = [quantity(place) | {"path": name} for name, place in _seen(plan, subject.recorded).items()]
    numbers = {at for one in channels for at in range(one["first"], one["first"] + one["count"])}
    rows = (settings.end - settings.start) / (settings.step * subject.every) + 3.0
    thinned = max(1, math.ceil(rows * len(numbers) / MOST_RECORDED))
    return {
        "plan": packed(plan.stored),
        "solver": settings.solver,
        "adaptive": settings.solver in ADAPTIVE,
        "step": settings.step,
        "start": settings.start,
        "end": settings.end,
        "tolerance": settings.relative_tolerance,
        "every": subject.every * thinned,
        "thinned": thinned,
        "recorded": list(subject.recorded),
        "channels": channels,
        "parameters": list(parameters(plan, subject.inputs, subject.added)),
        "limits": list(limits(plan)),
        "blocks": [
            {"name": leaf.name, "outputs": list(leaf.outputs), "faults": list(type(leaf.block).faults)}
            for leaf in plan.flat.leaves
        ],
        **_parts(subject),
        "plots": _plots(subject),
        "pictures": pictures(subject.component, plan) if isinstance(subject.component, Diagram) else [],
    }


def packed(content: bytes) -> str:
    """Bytes as text, deflated: equal ones give equal text."""
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode("ascii")


def _seen(plan: Plan, recorded: Iterable[str]) -> dict[str, Place]:
    """All inputs and outputs of blocks, and those outputs of the diagram that a run records by their own name."""
    own = {name: plan.external_outputs[name] for name in recorded if name in plan.external_outputs}
    return {**plan.inputs, **plan.outputs, **own}


def _parts(subject: Subject) -> dict[str, Any]:
    """The blocks that the views are about, and the craft."""
    component, plan = subject.component, subject.plan
    blocks = {leaf.name: leaf.block for leaf in plan.flat.leaves if isinstance(leaf.block, Block)}
    moving = [name for name, block in blocks.items() if {"eta", "nu"} <= set(block.output_ports)]
    vessels = [name for name in moving if blocks[name].family == "dynamics"] or moving
    found: dict[str, Any] = {"guidance": None, "vessel": None, "thrusters": None, "meter": None}
    if isinstance(component, Diagram):
        try:
            found = vars(find_parts(component, subject.report)).copy()
        except ScenarioError:
            found = vars(find_parts(component)).copy()
    if found["vessel"] is None and len(vessels) == 1:
        found["vessel"] = vessels[0]
    planned = None
    if found["guidance"] is not None:
        planned = _planned(blocks[found["guidance"]], found["guidance"])
    depths = [
        {"path": f"{feed.block.name}.{feed.port}", "element": feed.start or 0}
        for quantity, feed in wanted_of(plan.flat)
        if quantity == "depth" and feed.block is not None
    ]
    currents = [name for name in plan.outputs if name.rpartition(".")[2] == "current" and plan.outputs[name].count >= 2]
    return {
        "parts": found,
        "vessels": [
            {"name": name, "planar": isinstance(blocks[name], PlanarVessel), **_craft(blocks[name])} for name in vessels
        ],
        "planned": planned,
        "depths": depths,
        "current": currents[0] if len(currents) == 1 else None,
        "depthTolerance": float(subject.report.get("depth_tolerance", 0.1))
        if isinstance(subject.report.get("depth_tolerance", 0.1), (int, float))
        else 0.1,
    }


def _planned(guidance: Block, name: str) -> dict[str, Any]:
    """The path that a guidance block was given."""
    found = {"radius": f"{name}.acceptance_radius" if "acceptance_radius" in guidance.all_parameters() else None}
    if isinstance(guidance, MissionPlan):
        return {**found, "waypoints": "", "curved": False, "loops": False, "line": [], "phases": _phases(guidance)}
    path = Planned.of(guidance)
    return {
        **found,
        "waypoints": f"{name}.waypoints",
        "curved": path.curved,
        "loops": path.loops,
        "line": path.line.tolist() if path.curved else [],
        "phases": None,
    }


def _phases(plan: MissionPlan) -> dict[str, Any]:
    """The way of a mission in phases, which hangs on where it begins, and what its numbers mean."""
    return {
        "steps": [
            {
                "point": list(row.point),
                "home": row.place == "start",
                "deep": row.depth == "given",
                "circle": [row.radius, row.turns] if row.step == "circle" else None,
                "leg": row.step == "go",
            }
            for row in plan.main.rows
        ],
        "names": list(plan.phase_names),
        "main": len(plan.main.names),
        "last": plan.main.last_waypoint,
        "reasons": list(plan.abort_reasons),
    }


_SIZES = ("length", "breadth", "height")


def _craft(block: Block) -> dict[str, Any]:
    """The size of a craft, m, where it is known: what its vehicle's file says, or its own main dimensions."""
    found: dict[str, Any] = {}
    for name in _SIZES:
        given = block.values.get(name)
        if isinstance(given, float):
            found[name] = given
    if not found and block.taken_from is not None:
        vehicle = describe(block.taken_from[0])
        found["title"] = vehicle.title
        sizes = vehicle.dimensions
        metres = (sizes.metres("length"), sizes.metres("breadth"), sizes.metres("height"))
        found |= {name: size for name, size in zip(_SIZES, metres, strict=True) if size is not None}
    return found


def _plots(subject: Subject) -> list[str]:
    """Signals that the scenario wants to be plotted, as `keelblocks run` plots them."""
    return [str(name) for name in subject.report.get("plots") or ()]
