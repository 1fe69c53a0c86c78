"""The true values and points that `python -m benchmarks.elementary` has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cython_kernels import elementary

Array = NDArray[np.float64]


@pytest.fixture(autouse=True)
def silence() -> Iterator[None]:
    """Flags of the processor are not promised, and numpy warns of them."""
    with np.errstate(all="ignore"):
        yield


@pytest.fixture
def greatest_error() -> Callable[[str, int | Array], float]:
    """How many units in the last place a function is off, at most, at points.

    A number of points stands for every hard corner and so many seeded ones.
    """
    from benchmarks.elementary.accuracy import accuracy
    from benchmarks.elementary.functions import FUNCTIONS

    def error(name: str, at: int | Array) -> float:
        points = FUNCTIONS[name].points(at, 1) if isinstance(at, int) else at
        own: Any = getattr(elementary, name)
        found = own(*points.T) if points.ndim == 2 else own(points)
        return accuracy(FUNCTIONS[name], points, found).ulps

    return error
