"""What stands in WAMIT's files, before it is turned and scaled."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from blocks.hydro.degrees import Array, Complex


@dataclass
class Found:
    """What is in the files, in WAMIT's axes and without dimension, as leads; by frequency, heading, mode."""

    omega: Array = field(default_factory=lambda: np.empty(0))
    added_mass: Array = field(default_factory=lambda: np.empty((0, 6, 6)))
    damping: Array = field(default_factory=lambda: np.empty((0, 6, 6)))
    loads: dict[str, tuple[Array, Array, Complex]] = field(default_factory=dict)
    """By name, `excitation_force`, `rao`, `mean_drift`: frequencies, degrees, n×m×6."""
