"""What the tests of the general blocks share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.simulation import simulate


@pytest.fixture
def wired() -> Callable[..., Diagram]:
    """Makes a diagram of a block named "block" with a source on each input; the source has the input's name."""

    def make(block: Block, **sources: Block) -> Diagram:
        diagram = Diagram()
        diagram.add("block", block)
        for name, source in sources.items():
            diagram.add(name, source)
            diagram.connect(f"{name}.y", f"block.{name}")
        return diagram

    return make


@pytest.fixture
def response(wired: Callable[..., Diagram]) -> Callable[..., tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Runs such a diagram and returns the times and the block's output, (times,) or (times, elements)."""

    def run(block: Block, *, port: str = "y", **arguments: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        sources = {name: item for name, item in arguments.items() if isinstance(item, Block)}
        settings = {name: item for name, item in arguments.items() if name not in sources}
        result = simulate(wired(block, **sources), record=f"block.{port}", **settings)
        values = result.values(f"block.{port}")
        return result.time, values.ravel() if values.size == len(result) else values

    return run


@pytest.fixture
def tight() -> dict[str, Any]:
    """Settings of an adaptive run whose error at kinks is below 1e-6."""
    return {"solver": "dopri5", "relative_tolerance": 1e-9, "absolute_tolerance": 1e-9}


@pytest.fixture
def integral(wired: Callable[..., Diagram]) -> Callable[..., float]:
    """Runs a diagram of a block and an integrator of its output, and returns the integral at the end."""
    from blocks.basic import Integrator

    def run(block: Block, end: float, **arguments: Any) -> float:
        sources = {name: item for name, item in arguments.items() if isinstance(item, Block)}
        settings = {name: item for name, item in arguments.items() if name not in sources}
        diagram = wired(block, **sources)
        diagram.add("integrator", Integrator())
        diagram.connect("block.y", "integrator.u")
        return float(simulate(diagram, end, record="integrator.y", **settings).values("integrator.y").ravel()[-1])

    return run
