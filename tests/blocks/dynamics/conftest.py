"""What the tests of vessels share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from blocks.basic import Constant
from blocks.diagram import Diagram
from blocks.dynamics import Vessel
from blocks.run.result import Result
from blocks.simulation import simulate


@pytest.fixture
def sail() -> Callable[..., Result]:
    """Runs a vessel, named "vessel", in constant force, disturbance and current."""

    def run(vessel: Vessel, end: float, *, inputs: dict[str, Any] | None = None, **settings: Any) -> Result:
        diagram = Diagram()
        diagram.add("vessel", vessel)
        for name, value in ({"force": np.zeros(6)} | (inputs or {})).items():
            source = diagram.add(name, Constant(np.asarray(value, dtype=float)))
            diagram.connect(source.y, f"vessel.{name}")
        return simulate(diagram, end, **settings)

    return run


@pytest.fixture
def skew() -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """S(a), the matrix of the cross product a x."""

    def matrix(a: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])

    return matrix
