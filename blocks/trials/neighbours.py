"""A block writes nothing but its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.basic import Constant, LimitedIntegrator, Sine, UnitDelay
from blocks.block import Block
from blocks.diagram import Diagram
from blocks.plan import Plan
from blocks.run.failure import explain
from blocks.trials.circumstances import connect_source
from blocks.trials.errors import TrialError
from blocks.trials.samples import Sample

_STOPS = (0.09, 0.3, 0.75)
_MEND = "its kernel writes where it may not; a checked build says where: keelblocks build --checked"


def check_neighbours(sample: Sample) -> None:
    """Its neighbours in memory do what they do without it, and its inputs and parameters stay what they are."""
    for solver in ("rk4", "dopri5"):
        _check(sample, solver)


def _check(sample: Sample, solver: str) -> None:
    settings: dict[str, Any] = {"step": 0.03, "solver": solver, "max_step": 0.03}
    plan, alone = _crowd(sample).plan(**settings), _crowd(None).plan(**settings)
    engine, reference = plan.engine(), alone.engine()
    _go(sample, plan, engine, engine.start(0.0))
    reference.start(0.0)
    own = [
        place.slice
        for name, place in {**plan.outputs, **plan.parameters}.items()
        if name.startswith("input_") or (name.startswith("block.") and name in plan.parameters)
    ]
    before = [engine.values[part].tobytes() for part in own]
    engine.look(0.0)
    reference.look(0.0)
    _compare(sample, plan, engine, alone, reference)
    for t in _STOPS if solver == "rk4" else ():  # whose steps do not depend on what else there is
        _go(sample, plan, engine, engine.advance(t))
        reference.advance(t)
        engine.look(t)
        reference.look(t)
        _compare(sample, plan, engine, alone, reference)
    if solver != "rk4":
        _go(sample, plan, engine, engine.advance(_STOPS[-1]))
    if [engine.values[part].tobytes() for part in own] != before:
        raise sample.fault(f"its inputs or parameters change while it runs: {_MEND}")
    plan.close(engine)


def _go(sample: Sample, plan: Plan, engine: Any, status: int) -> None:
    if status:
        raise sample.fault(explain(plan, engine, status))


def _compare(sample: Sample, plan: Plan, engine: Any, alone: Plan, reference: Any) -> None:
    found, wanted = _values(plan, engine), _values(alone, reference)
    if changed := [name for name, value in wanted.items() if found[name] != value]:
        raise _fault(sample, changed)


def _fault(sample: Sample, changed: list[str]) -> TrialError:
    return sample.fault(f"it changes what belongs to other blocks ({', '.join(changed)}): {_MEND}")


def _neighbours() -> dict[str, Block]:
    """Blocks with everything that a kernel could write into: outputs, states, derivatives, modes, crossings."""
    return {
        "held": LimitedIntegrator(lower=[-1.0, -1.0], upper=[1.0, 1.0], initial_x=[0.3, -0.2]),
        "delay": UnitDelay(period=0.1, initial_x=[0.7, 0.8]),
        "sine": Sine([1.0, 2.0], 2.0),
    }


def _crowd(sample: Sample | None) -> Diagram:
    """A block between neighbours, which do not depend on it; or the neighbours alone."""
    diagram = Diagram()
    for side in ("before", "after"):
        if side == "after" and sample is not None:
            block = diagram.add("block", sample())
            for port, shape in sample.shapes.inputs.items():
                constant = Constant(np.full(shape[:1], 0.6) if shape else 0.6)
                connect_source(diagram, f"input_{port}", constant, sample, block, port)
        for name, neighbour in _neighbours().items():
            diagram.add(f"{side}_{name}", neighbour)
        diagram.connect(f"{side}_sine.y", f"{side}_held.u", f"{side}_delay.u")
    return diagram


def _values(plan: Plan, engine: Any) -> dict[str, bytes]:
    """Everything that belongs to the neighbours, and all parameters and constants, as bytes."""
    found = {}
    for table in (plan.outputs, plan.parameters, plan.states):
        for name, place in table.items():
            if name.startswith(("before_", "after_")):
                found[name] = engine.values[place.slice].tobytes()
                if table is plan.states and not place.discrete:
                    at = place.first + plan.derivative_offset
                    found[f"d{name}/dt"] = engine.values[at : at + place.count].tobytes()
    return found
