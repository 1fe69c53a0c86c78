"""The moored barge: the chains hold it against swell and current, by both blocks alike."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.dynamics import SeakeepingVessel
from blocks.environment import RegularWave, WaveForceRAO

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
        assert run.values("barge.eta")[late, 0].mean() < 0.0
    assert np.argmax(means[0]) == 1  # port bow: swell and current come from there
    assert np.argmin(means[0]) == 2  # and starboard stern is in their lee
    assert means[1] == pytest.approx(means[0], rel=0.05)


def test_first_order_loads_leave_no_mean_force_without_coriolis_terms_of_waves() -> None:
    """In waves of 8 s from ahead: drift is that of `mean_drift`; Coriolis terms alone would make 48 kN per m².

    With those of slow motion 1/(1 + ω²T²) of these stays.
    """
    file, period, soft = str(EXAMPLE.with_suffix("") / "barge.yaml"), 8.0, 2e4
    read = SeakeepingVessel.from_vehicle(file)
    stiffness, damping = read.stiffness + np.diag([soft, 0, 0, 0, 0, 0]), read.linear_damping + np.diag([1e5, *[0] * 5])
    mean = []
    for choice in ({"coriolis": False}, {}, {"slow_motion_time": 10.0}):
        diagram = Diagram()
        given = {"stiffness": stiffness, "linear_damping": damping} | choice
        vessel = diagram.add("vessel", SeakeepingVessel.from_vehicle(file, **given))
        waves = diagram.add("waves", WaveForceRAO.from_vehicle(file, mean_drift=0.0))
        sea = diagram.add("sea", RegularWave(0.2, period, direction="180 deg", depth=50.0))
        diagram.connect(sea.waves, waves.waves)
        for port in (waves.eta, vessel.force):
            diagram.connect(diagram.add(f"no_{port.name}", Constant(np.zeros(6))).y, port)
        diagram.connect(waves.disturbance, vessel.disturbance)
        run = simulate(diagram, 200 * period, step=period / 100)
        mean.append(soft * run.values("vessel.eta")[-5000:, 0].mean() / 0.2**2)
    assert abs(mean[0]) < 1.2e3
    assert mean[1] == pytest.approx(-48e3, rel=0.05)
    left = 1.0 / (1.0 + (10.0 * 2.0 * np.pi / period) ** 2)
    assert mean[2] - mean[0] == pytest.approx(left * (mean[1] - mean[0]), rel=0.05)
