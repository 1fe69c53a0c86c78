"""An output that is declared to be held within limits stays within them."""

from __future__ import annotations

import numpy as np

from blocks.run.failure import explain
from blocks.trials.samples import Sample, plan_alone

_PUSHES = (-1e3, -3.0, 0.4, 3.0, 1e3)
"""Inputs: small ones, and such as drive most blocks to their limits."""
_STEPS = 20
_ROUNDING = 1e-12


def check_limits(sample: Sample) -> None:
    """An output with `within=(…)` stays within what these parameters say, however hard its inputs push."""
    block = sample()
    held = {name: output.within for name, output in type(block).declared_outputs.items() if output.within}
    if not held:
        return
    plan, _ = plan_alone(block)
    (leaf,) = plan.flat.leaves
    for push in _PUSHES:
        engine = plan.engine()
        for place in plan.inputs.values():
            engine.values[place.slice] = push
        status = engine.start(0.0) or engine.advance(_STEPS * plan.settings.step)
        if status:
            raise sample.fault(explain(plan, engine, status))
        engine.look(engine.time)
        for name in held.keys() & leaf.outputs.keys():
            low, high = (
                (-1.0 if limit.startswith("-") else 1.0)
                * engine.values[plan.parameters[f"{leaf.name}.{limit.removeprefix('-')}"].slice]
                for limit in held[name]
            )
            given = engine.values[plan.outputs[f"{leaf.name}.{name}"].slice]
            near = _ROUNDING * np.maximum(1.0, np.abs(given))
            if np.any(given < low - near) or np.any(given > high + near):
                raise sample.fault(f"output {name} is {given}, and is declared to be within {low} and {high}")
        plan.close(engine)
