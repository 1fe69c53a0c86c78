"""The true values and points that `python -m benchmarks.elementary` has."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cython_kernels import elementary

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def silence() -> Iterator[None]:
    """Flags of the processor are not promised, and numpy warns of them."""
    with np.errstate(all="ignore"):
        yield


@pytest.fixture
def greatest_error(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], float]:
    """How many units in the last place a function is off, at most, at every hard corner and so many seeded points."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT)])  # last: what is tested may be an installed wheel
    pytest.importorskip("mpmath")
    from benchmarks.elementary.accuracy import accuracy
    from benchmarks.elementary.functions import FUNCTIONS

    def error(name: str, count: int) -> float:
        points = FUNCTIONS[name].points(count, 1)
        own: Any = getattr(elementary, name)
        found = own(*points.T) if points.ndim == 2 else own(points)
        return accuracy(FUNCTIONS[name], points, found).ulps

    return error
