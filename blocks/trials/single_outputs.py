"""An output that is asked for alone is what it is among others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace

import numpy as np

from blocks.plan import Plan
from blocks.plan.encode import encode
from blocks.plan.memory_layout import MemoryLayout
from blocks.plan.order import Call
from blocks.run.failure import explain
from blocks.trials.samples import Sample, plan_alone


def check_single_outputs(sample: Sample) -> None:
    """A kernel that is asked for one output at a time, the others NULL, gives what it gives for all at once."""
    together, _ = plan_alone(sample())
    ends = []
    for plan in (together, one_at_a_time(together)):
        engine = plan.engine()
        for place in plan.inputs.values():
            engine.values[place.slice] = np.linspace(0.3, 1.2, place.count)
        status = engine.start(0.0) or engine.advance(3.0 * plan.settings.step)
        if status:
            raise sample.fault(explain(plan, engine, status))
        engine.look(engine.time)
        ends.append(engine.values[: plan.regions.dx].copy())
        plan.close(engine)
    if ends[0].tobytes() != ends[1].tobytes():
        (leaf,) = together.flat.leaves
        other = [
            name.removeprefix(f"{leaf.name}.")
            for name, place in (together.outputs | together.states).items()
            if ends[0][place.slice].tobytes() != ends[1][place.slice].tobytes()
        ]
        raise sample.fault(
            f"asked for one output at a time it gives another {', '.join(other) or 'result'} than for all at once: an "
            f"output is to be computed whether the others are wanted or not"
        )


def one_at_a_time(plan: Plan) -> Plan:
    """The same plan with calls for one output each."""
    steady = len(_parted(plan.majors[: plan.flat.steady]))
    flat = replace(plan.flat, majors=_parted(plan.majors), minors=_parted(plan.minors), steady=steady)
    parts = {field.name: getattr(plan, field.name) for field in fields(MemoryLayout)} | {"flat": flat}
    return Plan(**parts, stored=encode(MemoryLayout(**parts)))


def _parted(calls: Iterable[Call]) -> tuple[Call, ...]:
    """A call for each output."""
    return tuple(Call(call.leaf, frozenset([output])) for call in calls for output in sorted(call.outputs))
