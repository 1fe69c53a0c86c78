"""How near foreign tools have to come to a run in this process."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CO_SIMULATION = 1e-9
"""The same engine with the same steps: what remains is the rounding of another build."""


def assert_agree(found: NDArray[np.float64], expected: NDArray[np.float64], relative: float = CO_SIMULATION) -> None:
    """Equal within a fraction of each column's largest magnitude; of 1 where a column is zero but for rounding."""
    assert found.shape == expected.shape
    assert np.all(np.isfinite(found))
    largest = np.abs(expected).max(axis=0)
    size = np.where(largest > 1e-9, largest, 1.0)
    np.testing.assert_allclose(found / size, expected / size, rtol=0.0, atol=relative)
