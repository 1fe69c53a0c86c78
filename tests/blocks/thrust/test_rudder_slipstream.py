"""Rudder behind a propeller: what the slipstream adds, from zero speed on."""

from typing import Any

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.errors import WiringError
from blocks.thrust import PropellerThrusters, Rudder

RUDDER: dict[str, Any] = {"position": [-1.5, 0.0, 0.0], "area": 0.04, "density": 1000.0}
DISC = 1000.0 * np.pi * 0.3**2 / 4.0  # ρ A_0 of a propeller of 0.3 m


def behind(speed: float, thrust: float, angle: float = 0.3, **changes: Any) -> dict[str, Any]:
    block = Rudder(**RUDDER, propeller_diameter=0.3, **changes)
    return block.evaluate(command=angle, nu_r=[speed, 0, 0, 0, 0, 0], thrust=thrust).outputs


def flow(found: dict[str, Any], angle: float = 0.3) -> float:
    """Speed of the water at the rudder, from its lift."""
    return float(np.sqrt(found["lift"] / (0.5 * 1000.0 * 0.04 * np.sin(2.0 * angle))))


def test_far_behind_it_the_water_has_the_momentum_that_the_propeller_gave_it() -> None:
    """T = ρ A_0 (u + u_R)/2 (u_R - u): mass flow through the disc times what the water has gained."""
    for speed in (0.0, 0.5, 3.0):
        u_r = flow(behind(speed, 60.0, slipstream_gain=1.0))
        assert DISC * 0.5 * (speed + u_r) * (u_r - speed) == pytest.approx(60.0, rel=1e-12)
        at_the_disc = flow(behind(speed, 60.0, slipstream_gain=0.5))
        assert at_the_disc == pytest.approx(0.5 * (speed + u_r), rel=1e-12)


def test_the_inflow_is_that_of_the_mmg_model() -> None:
    """u_R = u √(η (1 + κ (√(1 + 8 K_T/(π J²)) - 1))² + 1 - η) of Yasukawa and Yoshimura (2015), with ε = 1."""
    u, n, diameter, k_t, eta, kappa = 2.0, 12.0, 0.3, 0.2, 0.626, 0.5
    found = behind(u, 1000.0 * n**2 * diameter**4 * k_t, slipstream_share=eta, slipstream_gain=kappa)
    ratio = 1.0 + kappa * (np.sqrt(1.0 + 8.0 * k_t / (np.pi * (u / (n * diameter)) ** 2)) - 1.0)
    assert flow(found) == pytest.approx(u * np.sqrt(eta * ratio**2 + 1.0 - eta), rel=1e-12)


def test_it_steers_at_zero_speed() -> None:
    force = behind(0.0, 60.0)["force"]
    assert force[0] < 0.0
    assert force[1] < 0.0
    assert force[5] > 0.0  # to starboard, as with way ahead
    assert not np.any(behind(0.0, 0.0)["force"])


@pytest.mark.parametrize("response", ["instant", "first_order"])
def test_a_propeller_that_does_not_push_ahead_changes_nothing(response: str) -> None:
    nu, changes = [0.7, 0.2, 0.1, 0.3, 0.1, -0.2], {"response": response}
    alone = Rudder(**RUDDER, **changes).evaluate(command=0.2, nu_r=nu).outputs
    for inputs in ({}, {"thrust": 0.0}, {"thrust": -50.0}):
        found = Rudder(**RUDDER, propeller_diameter=0.3, **changes).evaluate(command=0.2, nu_r=nu, **inputs).outputs
        for name, value in alone.items():
            np.testing.assert_array_equal(found[name], value)


def test_lift_is_continuous_from_way_astern_to_way_ahead() -> None:
    speeds = np.linspace(-2.0, 2.0, 401)
    for share in (0.6, 1.0):
        forces = np.array([behind(u, 40.0, slipstream_share=share)["force"][1] for u in speeds])
        assert np.abs(np.diff(forces)).max() < 0.03 * np.ptp(forces)
        assert forces[-1] == forces.min()  # most push to port with way ahead


def test_no_share_in_the_slipstream_is_no_slipstream() -> None:
    assert behind(1.0, 60.0, slipstream_share=0.0)["lift"] == pytest.approx(behind(1.0, 0.0)["lift"], rel=1e-14)


def test_a_propeller_and_its_rudder_turn_the_bow_together() -> None:
    diagram = Diagram()
    propeller = diagram.add("propeller", PropellerThrusters(
        allocation_matrix=[[1.0], [0], [0], [0], [0], [0]], diameter=[0.3], density=1000.0,
        thrust_coefficient_forward=[0, 0, -0.3, 0.3], thrust_coefficient_reverse=[0, 0, -0.3, 0.3],
        advance_range_forward=[-1, 1], advance_range_reverse=[-1, 1],
        speed_limit_forward=20.0, speed_limit_reverse=20.0,
    ))  # fmt: skip
    rudder = diagram.add("rudder", Rudder(**RUDDER, propeller_diameter=0.3))
    nu_r = diagram.add("nu_r", Constant(np.zeros(6)))
    diagram.connect(diagram.add("speed", Constant([10.0])).y, propeller.command)
    diagram.connect(diagram.add("angle", Constant(0.3)).y, rudder.command)
    diagram.connect(nu_r.y, propeller.nu_r, rudder.nu_r)
    diagram.connect(propeller.thrust[0], rudder.thrust)
    run = simulate(diagram, 0.1, step=0.1)
    thrust = 1000.0 * 0.3**4 * 0.3 * 100.0
    np.testing.assert_allclose(run.values("rudder.force")[-1], behind(0.0, thrust)["force"], rtol=1e-13, atol=1e-13)


def test_without_a_propeller_there_is_no_port_for_its_thrust() -> None:
    rudder = Rudder(**RUDDER)
    assert "thrust" not in rudder.input_ports
    with pytest.raises(WiringError, match=r"no port 'thrust' on Rudder: .* say so by propeller_diameter, in m"):
        _ = rudder.thrust
