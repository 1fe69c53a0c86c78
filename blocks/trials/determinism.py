"""Equal arguments give equal bits."""

from __future__ import annotations

import numpy as np

from blocks.run.probe import evaluate
from blocks.trials.circumstances import equal, some_inputs, some_states
from blocks.trials.samples import Sample

_POINTS = 3


def check_determinism(sample: Sample) -> None:
    """Two blocks with equal arguments give equal bits, and finite ones: a kernel keeps nothing beside its states."""
    blocks = sample(), sample()
    for salt in range(_POINTS):
        inputs = some_inputs(sample, salt)
        one, other = (evaluate(block, 0.7, some_states(sample, block, salt), inputs) for block in blocks)
        pairs = {
            **{name: (value, other.outputs[name]) for name, value in one.outputs.items()},
            **{f"d{name}/dt": (value, other.derivatives[name]) for name, value in one.derivatives.items()},
            **{f"the next {name}": (value, other.updated[name]) for name, value in one.updated.items()},
            "crossings": (one.crossings, other.crossings),
        }
        for name, (first, second) in pairs.items():
            if not np.all(np.isfinite(first)) and not name.startswith(("the next", "crossings")):
                raise sample.fault(f"{name} is {first} at t = 0.7 s, which is not finite, with the inputs {inputs}")
            if not equal(first, second):
                raise sample.fault(
                    f"{name} is {first} and then {second} for the same time, states, inputs and parameters: keep "
                    f"nothing in globals or static variables, declare a State(…), and take random numbers by the key "
                    f"of the block"
                )
