"""What the tests of propellers share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest


@pytest.fixture
def pair() -> dict[str, Any]:
    """Two unlike propellers side by side, pushing ahead: arms of 0.3 m give yaw."""
    return {
        "allocation_matrix": [[1.0, 1.0], [0, 0], [0, 0], [0, 0], [0, 0], [0.3, -0.3]],
        "diameter": [0.2, 0.25],
        "density": 1000.0,
        "thrust_coefficient_forward": [0.5, -0.66, -0.25, 0.24],
        "thrust_coefficient_reverse": [0.025, -0.28, 0.17, 0.15],
        "advance_range_forward": [-0.16, 1.04],
        "advance_range_reverse": [-1.04, 0.317],
        "loss_forward": [0.9, 0.7],
        "loss_reverse": [0.8, 0.6],
        "speed_limit_forward": 20.0,
        "speed_limit_reverse": [15.0, 10.0],
    }


@pytest.fixture
def surge() -> Any:
    """Makes a relative velocity straight ahead."""

    def ahead(u: float) -> np.ndarray:
        return np.array([u, 0.0, 0.0, 0.0, 0.0, 0.0])

    return ahead
