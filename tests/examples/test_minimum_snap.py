"""Minerva on a minimum-snap trajectory: through all waypoints, within a hand or two."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np

EXAMPLE = Path(__file__).parents[2] / "examples" / "minimum_snap.py"


def test_minerva_follows_and_stays_at_the_end() -> None:
    example = runpy.run_path(str(EXAMPLE))
    result = example["run"]()
    wanted, was = result.values("trajectory.position"), result.values("vessel.eta")[:, :3]
    assert np.linalg.norm(was - wanted, axis=1).max() < 0.2
    assert np.linalg.norm(was[-1] - example["WAYPOINTS"][-1]) < 0.01
    for point in example["WAYPOINTS"]:
        assert np.linalg.norm(wanted - point, axis=1).min() < 0.05  # the reference passes through each of them
    assert np.linalg.norm(result.values("trajectory.velocity")[-1]) == 0.0
    assert len(example["draw"](result).axes) == 4
