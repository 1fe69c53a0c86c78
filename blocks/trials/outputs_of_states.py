"""Outputs that are declared to be states are those."""

from __future__ import annotations

import numpy as np

from blocks.run.probe import evaluate
from blocks.trials.circumstances import equal, some_inputs, some_states
from blocks.trials.samples import Sample


def check_outputs_of_states(sample: Sample) -> None:
    """An output with `state="x"` is that state."""
    block = sample()
    pairs = {name: state for name in block.output_ports if (state := block.state_of(name))}
    if not pairs:
        return
    states = some_states(sample, block)
    outputs = evaluate(block, 0.3, states, some_inputs(sample)).outputs
    for name, state in pairs.items():
        if not equal(np.ravel(outputs[name]), np.ravel(states[state])):
            raise sample.fault(f"{name} is declared to be the state {state}, and is {outputs[name]}: who writes it?")
