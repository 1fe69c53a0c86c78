"""Ships of the fleet on their stations, and the NPS AUV in its dive: forces balance what the water takes."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The names of the example, run in an empty folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("fleet"))
        return runpy.run_path(str(EXAMPLES / "fleet.py"))


@pytest.mark.parametrize("name", ["supply_dp", "osv_dp", "semisub_station_keeping"])
def test_thrust_holds_what_the_current_takes(fleet: dict[str, Any], name: str) -> None:
    result = fleet["ships"][name]
    eta = result.values("vessel.eta")[-1]
    assert np.hypot(eta[0], eta[1]) < 0.05
    assert abs(eta[5]) < 1e-3
    force = result.values("thrusters.force")[-1]
    drag = result.values("vessel.damping_force")[-1] + result.values("vessel.coriolis_force")[-1]
    scale = np.abs(drag[[0, 1, 5]]).max()
    np.testing.assert_allclose(force[[0, 1, 5]], drag[[0, 1, 5]], atol=0.01 * scale)


def test_the_current_on_the_supply_vessel_is_that_of_its_damping(fleet: dict[str, Any]) -> None:
    mass, ratio = 6000e3, np.sqrt(9.81 / 76.2)
    force = fleet["ships"]["supply_dp"].values("thrusters.force")[-1]
    through = 0.4 * np.sqrt(0.5)  # from the southwest, on ahead and starboard alike
    assert force[0] == pytest.approx(-0.0358 * mass * ratio * through, rel=0.02)
    assert force[1] == pytest.approx(-0.1183 * mass * ratio * through, rel=0.02)


def test_the_nps_auv_follows_its_legs_down_and_up(fleet: dict[str, Any]) -> None:
    result = fleet["dive"]
    assert result.values("guidance.finished")[-1] == 1.0
    depth, wanted = result.values("vessel.eta[z]"), result.values("guidance.depth")
    assert depth.max() == pytest.approx(25.8, abs=0.3)
    assert np.abs(depth - wanted).max() < 1.6
    dive = (result.time > 360.0) & (result.time < 480.0)  # steady, on the way down
    pitch = result.values("vessel.eta[theta]")[dive]
    assert np.ptp(pitch) < 0.002
    u, w = result.values("vessel.nu[u]")[dive], result.values("vessel.nu[w]")[dive]
    path = np.arctan2(u * np.sin(-pitch) + w * np.cos(pitch), u * np.cos(pitch) + w * np.sin(pitch))
    assert np.tan(path.mean()) == pytest.approx(20.0 / 300.0, rel=0.02)
