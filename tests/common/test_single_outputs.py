"""A kernel that is asked for one output at a time, as loops may demand, gives what it gives for all at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace

import numpy as np
from probing import Probe

from blocks.plan import Plan
from blocks.plan.encode import encode
from blocks.plan.memory_layout import MemoryLayout
from blocks.plan.order import Call


def parted(calls: Iterable[Call]) -> tuple[Call, ...]:
    """A call for each output."""
    return tuple(Call(call.leaf, frozenset([output])) for call in calls for output in sorted(call.outputs))


def one_at_a_time(plan: Plan) -> Plan:
    """The same plan with calls for one output each."""
    steady = len(parted(plan.majors[: plan.flat.steady]))
    flat = replace(plan.flat, majors=parted(plan.majors), minors=parted(plan.minors), steady=steady)
    parts = {field.name: getattr(plan, field.name) for field in fields(MemoryLayout)} | {"flat": flat}
    return Plan(**parts, stored=encode(MemoryLayout(**parts)))


def test_an_output_alone_is_what_it_is_among_others(sample):
    probe = Probe(sample())
    ends = []
    for plan in (probe.plan, one_at_a_time(probe.plan)):
        engine = plan.engine()
        for part in probe.inputs.values():
            engine.values[part] = np.linspace(0.3, 1.2, part.stop - part.start)
        assert (engine.start(0.0), engine.advance(3.0 * plan.settings.step)) == (0, 0)
        engine.look(engine.time)
        ends.append(engine.values[: plan.regions.dx].tobytes())
    assert ends[0] == ends[1]
