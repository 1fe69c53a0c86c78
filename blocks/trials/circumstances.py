"""Where a sample is tried: random inputs and states, the same in every run, and diagrams around it."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from blocks.basic import Sine
from blocks.block import Block
from blocks.diagram import Diagram
from blocks.environment import BretschneiderSea
from blocks.run.probe import evaluate
from blocks.trials.samples import Sample


def generator(sample: Sample, salt: int = 0) -> np.random.Generator:
    """Random numbers that are the same in every run, and others for every block."""
    return np.random.default_rng(zlib.crc32(f"{sample.name} {salt}".encode()))


def some_inputs(sample: Sample, salt: int = 0) -> dict[str, Any]:
    """Inputs in a range where every block has a value."""
    random = generator(sample, salt)
    return {name: random.uniform(0.3, 1.2, shape) for name, shape in sample.shapes.inputs.items()}


def some_states(sample: Sample, block: Block, salt: int = 0) -> dict[str, Any]:
    """Continuous states near where they begin, and discrete ones as they are after the first instant."""
    random = generator(sample, salt + 1000)
    states: dict[str, Any] = {}
    if any(state.discrete for state in block.states.values()):
        states |= evaluate(block, 0.0, {}, some_inputs(sample, salt)).updated
    for name, state in block.states.items():
        if not state.discrete:
            states[name] = random.uniform(0.1, 0.4, sample.shapes.states[name])
            if name == "quaternion":
                states[name] /= np.linalg.norm(states[name])
    return states


def equal(one: Any, other: Any) -> bool:
    """To the last bit; an infinity or a not-a-number would count as equal to itself."""
    return np.asarray(one, dtype=float).tobytes() == np.asarray(other, dtype=float).tobytes()


def connect_source(diagram: Diagram, name: str, source: Block, sample: Sample, block: Block, port: str) -> None:
    """Feed an input by the only output of a source; a matrix by a sea, the one thing that gives any."""
    shape = sample.shapes.inputs[port]
    if len(shape) == 2:
        source = BretschneiderSea(0.5, 3.0, frequencies=shape[1], directions=1, depth=2.0)
    (output,) = diagram.add(name, source).output_ports
    diagram.connect(source.port(output), block.input_port(port))


def driven(sample: Sample, block: Block | None = None) -> Diagram:
    """The block with a sine on every input, positive and of incommensurable frequencies."""
    block = sample() if block is None else block
    diagram = Diagram()
    diagram.add("block", block)
    for k, (port, shape) in enumerate(sample.shapes.inputs.items()):
        amplitude = np.full(shape[:1], 0.4) if shape else 0.4
        sine = Sine(amplitude, 1.7 + 0.613 * k, offset=0.85)
        connect_source(diagram, f"source_{port}", sine, sample, block, port)
    return diagram
