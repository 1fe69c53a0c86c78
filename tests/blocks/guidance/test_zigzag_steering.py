"""ZigzagSteering on a vessel that turns at once, at a rate that goes with its rudder."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from blocks import Diagram, Input, Output, Parameter, PythonBlock, State, simulate
from blocks.errors import ParameterError
from blocks.guidance import ZigzagSteering
from blocks.signal import Angle, Pose

TEN = np.radians(10.0)


class Turner(PythonBlock, abstract=True):
    """dψ/dt = K δ, with a heading that wraps at ±π if wanted."""

    rudder = Input(Angle)
    eta = Output(Pose, feedthrough=False)
    gain = Parameter(0.5, unit="1/s")
    wraps = Parameter(False)
    psi = State(Angle)

    def outputs(self, t: float, states: Mapping, inputs: Mapping) -> Mapping:
        psi = float(states["psi"])
        return {"eta": [0.0] * 5 + [(psi + np.pi) % (2.0 * np.pi) - np.pi if self.wraps else psi]}

    def derivatives(self, t: float, states: Mapping, inputs: Mapping) -> Mapping:
        return {"psi": self.gain * inputs["rudder"]}


def steered(helm: ZigzagSteering, **vessel: object) -> Diagram:
    diagram = Diagram("steered")
    craft = diagram.add("vessel", Turner(**vessel))
    diagram.add("helm", helm)
    diagram.connect(craft.eta, helm.eta)
    diagram.connect(helm.rudder, craft.rudder)
    return diagram


@pytest.mark.parametrize("vessel", [{}, {"initial_psi": 3.1, "wraps": True}, {"initial_psi": 9.0}])
@pytest.mark.parametrize("side", ["starboard", "port"])
def test_the_rudder_is_reversed_where_the_heading_has_changed_far_enough(vessel: dict, side: str) -> None:
    """χ/(K δ) = 2 s to the second execute, 4 s each to those that follow, 2 s back to the approach heading."""
    helm = ZigzagSteering(TEN, TEN, start_time=1.0, first_side=side, executes=4)
    run = simulate(steered(helm, **vessel), 30.0, solver="dopri5", step=0.25, stop="helm.finished")
    assert run.time[-1] == pytest.approx(1.0 + 2.0 + 4.0 + 4.0 + 2.0, abs=1e-9)
    way = 1.0 if side == "starboard" else -1.0
    order = run.values("helm.rudder")
    for begin, end, expected in ((0, 1, 0.0), (1, 3, way), (3, 7, -way), (7, 11, way), (11, 13, -way)):
        inside = (run.time > begin + 1e-6) & (run.time < end - 1e-6)
        assert order[inside] == pytest.approx(expected * TEN)
    assert run.values("helm.execute").tolist() == [float(k) for k in np.searchsorted([1, 3, 7, 11], run.time, "right")]
    turned = np.unwrap(run.values("vessel.eta[psi]")) - vessel.get("initial_psi", 0.0)
    assert np.abs(turned).max() <= TEN + 1e-9
    assert turned[-1] == pytest.approx(0.0, abs=1e-9)
    assert order[-1] == 0.0


def test_with_a_fixed_step_it_is_the_first_step_at_which_an_execute_is_due() -> None:
    run = simulate(steered(ZigzagSteering(TEN, TEN), gain=0.45), 8.0, step=0.1)
    second = run.time[np.flatnonzero(run.values("helm.execute") == 2.0)[0]]
    assert second == pytest.approx(0.1 * np.ceil(10.0 / 0.45), abs=1e-9)


def test_a_vessel_that_turns_the_other_way_is_not_taken_for_one_that_has_come_round() -> None:
    """It turns by more than a full turn to port, with a heading that jumps from -180° to 180°."""
    run = simulate(steered(ZigzagSteering(TEN, TEN), gain=-4.0, wraps=True), 12.0, step=0.1)
    assert np.unwrap(run.values("vessel.eta[psi]"))[-1] < -2.0 * np.pi
    assert set(run.values("helm.execute")) == {1.0}


def test_values_out_of_range_are_told() -> None:
    with pytest.raises(ParameterError, match=r"ZigzagSteering\.rudder_angle must be > 0 and ≤ 1\.5708 rad, not 10"):
        ZigzagSteering(10.0, 10.0)
    with pytest.raises(ParameterError, match=r"ZigzagSteering\.executes must be ≥ 2 and ≤ 1000, not 1"):
        ZigzagSteering(executes=1)
