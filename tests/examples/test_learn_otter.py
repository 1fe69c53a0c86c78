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


def test_the_policy_beats_line_of_sight_on_its_own_reward(names: Any) -> None:
    policy = names["Policy"].load(EXAMPLE.with_name("otter_policy.npz"))
    found = names["compare"](policy, 40)
    learned, own = found["policy"], found["LOS, Δ 3 m, sideslip"]
    ahead = learned.returns - own.returns
    assert ahead.mean() > 2.0 * ahead.std(ddof=1) / np.sqrt(len(ahead)) > 0.0
    assert learned.ended_by == ["time limit"] * 40
    for law in ("LOS, Δ 6 m", "LOS, Δ 3 m", "ILOS, Δ 3 m"):  # each further one counters the current better
        assert found[law].returns.mean() < own.returns.mean()


def test_a_policy_is_read_as_it_was_written(names: Any, tmp_path: Path) -> None:
    policy = names["Policy"].load(EXAMPLE.with_name("otter_policy.npz"))
    policy.save(tmp_path / "again.npz")
    seen = np.random.default_rng(1).uniform(-1.0, 1.0, (5, 8))
    assert names["Policy"].load(tmp_path / "again.npz")(seen).tobytes() == policy(seen).tobytes()
    assert np.all(np.abs(policy(100.0 * seen)) <= 1.0)
