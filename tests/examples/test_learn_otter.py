"""The policy that lies beside the example: what the page says of it, in fewer episodes."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "learn_otter.py"


@pytest.fixture(scope="module")
def names() -> Any:
    """The names of the example."""
    return runpy.run_path(str(EXAMPLE))


def test_the_policy_beats_line_of_sight_but_not_with_sideslip_compensation(names: Any) -> None:
    policy = names["Policy"].load(EXAMPLE.with_name("otter_policy.npz"))
    found = names["compare"](policy, 40, threads=1)  # threads wait for each other where tests run side by side
    learned = found["policy"]
    assert learned.ended_by == ["time limit"] * 40
    for law in ("LOS, Δ 6 m", "LOS, Δ 3 m"):
        ahead = learned.returns - found[law].returns
        assert ahead.mean() > 3.0 * ahead.std(ddof=1) / np.sqrt(len(ahead))
    behind = found["LOS, Δ 3 m, sideslip"].returns - learned.returns
    assert 0.0 < behind.mean() < 8.0


def test_speed_through_the_water_is_that_of_the_run(names: Any) -> None:
    waypoints, poses, speeds = names["track"](1, None)
    assert (waypoints.shape, poses.shape, speeds.shape) == ((5, 3), (401, 6), (401,))
    assert np.all(np.abs(speeds[100:] - 1.0) < 0.05)


def test_a_policy_is_read_as_it_was_written(names: Any, tmp_path: Path) -> None:
    policy = names["Policy"].load(EXAMPLE.with_name("otter_policy.npz"))
    policy.save(tmp_path / "again.npz")
    seen = np.random.default_rng(1).uniform(-1.0, 1.0, (5, 8))
    assert names["Policy"].load(tmp_path / "again.npz")(seen).tobytes() == policy(seen).tobytes()
    assert np.all(np.abs(policy(100.0 * seen)) <= 1.0)
