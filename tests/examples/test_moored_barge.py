"""The moored barge: the chains hold it against swell and current, by both blocks alike."""

import runpy
from pathlib import Path

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "moored_barge.py"


@pytest.mark.slow
def test_the_port_bow_chain_holds_the_barge_by_both_blocks() -> None:
    swell = runpy.run_path(str(EXAMPLE))["swell"]
    means = []
    for lumped in (False, True):
        run, _ = swell(lumped, 240.0)
        late = run.time > 120.0
        means.append(run.values("mooring.tension")[late].mean(axis=0))
        assert np.abs(run.values("barge.eta")[:, :2]).max() < 15.0
        assert np.all(run.values("barge.eta")[late, 0] < 0.0)
    assert np.argmax(means[0]) == 1  # port bow: swell and current come from there
    assert np.argmin(means[0]) == 2  # and starboard stern is in their lee
    assert means[1] == pytest.approx(means[0], rel=0.05)
