"""NomotoVessel and KinematicVehicle: responses in closed form, currents, and what they share with other vessels."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.signal import TransferFunction, step

from blocks.dynamics import KinematicVehicle, NomotoVessel, Vessel, Vessel3DOF, Vessel6DOF
from blocks.errors import ParameterError, SimulationError
from blocks.run.result import Result

Sail = Callable[..., Result]
SHIP: dict[str, Any] = {
    "gain": 0.5,
    "time_constant": 3.0,
    "rudder_moment": 2.0,
    "surge_gain": 0.2,
    "surge_time_constant": 4.0,
}
SECOND = SHIP | {"order": "second", "second_time_constant": 0.7, "lead_time_constant": 1.5}
CURRENT = np.array([0.3, -0.2, 0.0])


def test_first_order_response(sail: Sail) -> None:
    run = sail(NomotoVessel(**SHIP), 10.0, step=0.01, inputs={"force": [5.0, 0, 0, 0, 0, 0.4]})
    t, nu, eta = run.time, run.values("vessel.nu"), run.values("vessel.eta")
    rate = 0.5 * 0.4 / 2.0
    np.testing.assert_allclose(nu[:, 0], 1.0 - np.exp(-t / 4.0), atol=1e-9)
    np.testing.assert_allclose(nu[:, 5], rate * (1.0 - np.exp(-t / 3.0)), atol=1e-9)
    np.testing.assert_allclose(eta[:, 5], rate * (t - 3.0 * (1.0 - np.exp(-t / 3.0))), atol=1e-9)


def test_second_order_response(sail: Sail) -> None:
    run = sail(NomotoVessel(**SECOND), 10.0, step=0.01, inputs={"force": [0, 0, 0, 0, 0, 0.4]})
    transfer = TransferFunction([0.5 * 1.5, 0.5], [3.0 * 0.7, 3.7, 1.0])
    _, rate = step(transfer, T=run.time)
    np.testing.assert_allclose(run.values("vessel.nu")[:, 5], 0.2 * rate, atol=1e-9)


def test_the_second_order_with_equal_lead_and_lag_is_the_first(sail: Sail) -> None:
    inputs = {"force": [1.0, 0, 0, 0, 0, 0.4]}
    alike = SECOND | {"lead_time_constant": 0.7}
    one, other = (sail(NomotoVessel(**given), 10.0, step=0.01, inputs=inputs) for given in (SHIP, alike))
    np.testing.assert_allclose(other.values("vessel.eta"), one.values("vessel.eta"), atol=1e-9)


def test_a_diagonal_vessel_without_sway_is_a_nomoto_vessel() -> None:
    (m11, _, m33), (d11, _, d33) = m, d = (10.0, 12.0, 2.0), (5.0, 8.0, 4.0)
    nomoto = NomotoVessel(
        gain=1.0,
        rudder_moment=d33,
        time_constant=m33 / d33,
        surge_gain=1.0 / d11,
        surge_time_constant=m11 / d11,
    )
    states = {"nu": [0.6, 0, 0, 0, 0, 0.0], "eta": [0, 0, 0, 0, 0, 0.7]}
    inputs = {"force": [3.0, 0, 0, 0, 0, 0.5], "current": CURRENT * [1.0, np.tan(0.7) / (-2 / 3), 0]}  # along the hull
    for one, other in zip(
        *(v.evaluate(states=states, **inputs).derivatives.values() for v in (nomoto, Vessel3DOF.diagonal(m=m, d=d))),
        strict=True,
    ):
        np.testing.assert_allclose(one, other, atol=1e-12)


@pytest.mark.parametrize(
    "vessel",
    [
        NomotoVessel(**SHIP),
        NomotoVessel(**SECOND),
        KinematicVehicle(mobility=[0.2, 0.1, 0.1, 0.02, 0.01, 0.3], response_time=0.5),
    ],
)
def test_a_current_carries_a_turning_vessel_along(sail: Sail, vessel: Vessel) -> None:
    force = [5.0, 1.0, 0, 0, 0, 0.4]
    still = sail(vessel, 20.0, step=0.01, inputs={"force": force})
    adrift = vessel.copy()
    adrift.set(initial_nu=np.r_[CURRENT, np.zeros(3)])
    drifting = sail(adrift, 20.0, step=0.01, inputs={"force": force, "current": CURRENT})
    drift = np.outer(still.time, np.r_[CURRENT, np.zeros(3)])
    assert np.ptp(still.values("vessel.eta")[:, 5]) > 0.9
    np.testing.assert_allclose(drifting.values("vessel.eta") - drift, still.values("vessel.eta"), atol=1e-8)


def test_an_unstable_ship_runs_away_from_its_course(sail: Sail) -> None:
    ship = NomotoVessel(**SHIP | {"gain": -0.5, "time_constant": -3.0}, initial_nu=[0, 0, 0, 0, 0, 1e-3])
    run = sail(ship, 6.0, step=0.01)
    np.testing.assert_allclose(run.values("vessel.nu")[:, 5], 1e-3 * np.exp(run.time / 3.0), rtol=1e-8)


def test_steady_forces_are_what_the_motion_takes(sail: Sail) -> None:
    force = np.array([5.0, 0, 0, 0, 0, 0.4])
    for vessel in (NomotoVessel(**SHIP), KinematicVehicle(mobility=[0.2, 0, 0, 0, 0, 0.3])):
        run = sail(vessel, 100.0, step=0.02, inputs={"force": force})
        np.testing.assert_allclose(run.values("vessel.damping_force")[-1], force, rtol=1e-8, atol=1e-12)
        assert not run.values("vessel.coriolis_force").any()
        assert not run.values("vessel.restoring_force").any()


def test_a_kinematic_vehicle_takes_on_the_velocity_it_is_told(sail: Sail) -> None:
    force = np.array([1.0, -0.5, 0.2, 0.0, 0.0, 0.1])
    run = sail(KinematicVehicle(response_time=0.5), 5.0, step=0.01, inputs={"force": force})
    expected = np.outer(1.0 - np.exp(-run.time / 0.5), force)
    np.testing.assert_allclose(run.values("vessel.nu"), expected, atol=1e-8)


def test_its_kinematics_are_those_of_the_6_dof_vessel() -> None:
    states = {"eta": [1.0, 2.0, 3.0, 0.3, -0.4, 0.8], "nu": [0.5, -0.2, 0.1, 0.3, 0.2, -0.4]}
    one = KinematicVehicle().evaluate(states=states, current=CURRENT)
    other = Vessel6DOF(rigid_body_inertia=np.eye(6)).evaluate(states=states, current=CURRENT)
    np.testing.assert_array_equal(one.derivatives["eta"], other.derivatives["eta"])
    np.testing.assert_array_equal(one.outputs["nu_r"], other.outputs["nu_r"])


def test_bad_parameters() -> None:
    with pytest.raises(ParameterError, match=r"NomotoVessel.time_constant must not be 0: give it a value"):
        NomotoVessel(**SHIP | {"time_constant": 0.0})
    with pytest.raises(ParameterError, match=r'second_time_constant must not be 0: give it a value, or order="first"'):
        NomotoVessel(**SHIP, order="second")
    with pytest.raises(ParameterError, match=r"KinematicVehicle.mobility\[5\] must be ≥ 0, not -1"):
        KinematicVehicle(mobility=[1, 1, 1, 0, 0, -1])
    with pytest.raises(SimulationError, match="pitch angle has reached ±90°"):
        KinematicVehicle(initial_eta=[0, 0, 0, 0, np.pi / 2, 0]).evaluate()
