"""Instruments as tests use them: a vehicle that stands or moves, and what is read from it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks import Block, Diagram
from blocks.basic import Constant

Floats = NDArray[np.float64]

STEADY: dict[str, Any] = {
    "eta": [3.0, -2.0, 1.0, 0.2, -0.1, 0.7],
    "nu": [1.0, 0.2, -0.1, 0.03, -0.02, 0.1],
    "nu_r": [1.0, 0.2, -0.1, 0.03, -0.02, 0.1],
    "acceleration": np.zeros(6),
}


def watched(**instruments: Block) -> Diagram:
    """Instruments that read the same constants."""
    diagram = Diagram()
    for name, block in instruments.items():
        diagram.add(name, block)
    for port, value in STEADY.items():
        sinks = [b.input_port(port) for b in instruments.values() if port in b.input_ports]
        if sinks:
            diagram.connect(diagram.add(f"true_{port}", Constant(value)).y, *sinks)
    return diagram
