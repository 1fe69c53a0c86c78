"""The identification of the example, from shorter trials that are logged at 5 Hz."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "identify_otter.py"


def test_damping_and_added_mass_are_found_within_five_percent() -> None:
    example = runpy.run_path(str(EXAMPLE))
    logged = example["logged"]
    logged.__globals__["INTERVAL"] = 0.2
    random = np.random.default_rng(1)
    logs = [logged(name, 1.0, random) for name in example["trials"]()]
    found = example["identify"](
        example["forgetful"](), logs[:3], inputs={"force[X]": "thrust", "force[N]": "moment"},
        outputs={f"nu[{column}]": column for column in example["NOISE"]}, parameters=dict.fromkeys(example["TRUTH"]),
        hold_out=logs[3], noise={f"nu[{column}]": deviation for column, deviation in example["NOISE"].items()},
    )  # fmt: skip
    inside = 0
    for name, truth in example["TRUTH"].items():
        assert found.values[name] == pytest.approx(truth, rel=0.05), name
        low, high = found.intervals[name]
        inside += low <= truth <= high
        assert high - low < 0.1 * truth
    assert inside >= 5  # of seven, at 95 %
    assert min(found.scores.values()) > 0.85
