"""Vessel6DOF: motions whose outcome is known."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from blocks.dynamics import Vessel6DOF
from blocks.run.result import Result

Sail = Callable[..., Result]
ATTITUDES = ("euler", "quaternion")
RIGID = np.diag([40.0, 40.0, 40.0, 5.0, 6.0, 7.0])
ADDED = np.diag([10.0, 30.0, 35.0, 1.0, 2.0, 3.0])
INITIAL_NU = np.array([0.8, -0.3, 0.2, 0.1, -0.15, 0.3])


@pytest.mark.parametrize("attitude", ATTITUDES)
def test_surge_from_rest_with_linear_and_quadratic_damping(sail: Sail, attitude: str) -> None:
    # u' = 2 - u - u^2 from rest
    body = Vessel6DOF(
        rigid_body_inertia=np.eye(6), linear_damping=np.eye(6), quadratic_damping=np.eye(6), attitude=attitude
    )
    run = sail(body, 2.0, step=0.001, inputs={"force": [2.0, 0, 0, 0, 0, 0]})
    u = run.values("vessel.nu")[-1, 0]
    assert u == pytest.approx(0.996286474190, abs=1e-12)
    assert u == pytest.approx(2.0 * (1.0 - np.exp(-6.0)) / (2.0 + np.exp(-6.0)), abs=1e-12)


def test_torque_free_spin_for_an_hour(sail: Sail) -> None:
    # A body with I_1 = I_2 turns at L/I_1 about the fixed L, and at (1 - I_3/I_1) r about its own third axis.
    vessel = Vessel6DOF(
        rigid_body_inertia=np.diag([50.0, 50.0, 50.0, 200.0, 200.0, 100.0]),
        attitude="quaternion",
        initial_nu=[0.0, 0.0, 0.0, 0.05, 0.0, 0.01],
    )
    run = sail(vessel, 3600.0, step=0.01, record="vessel.eta", every=36000)
    assert run.time[-1] == 3600.0
    for t, eta in zip(run.time, run.values("vessel.eta"), strict=True):
        about_momentum = Rotation.from_rotvec(t * np.array([0.05, 0.0, 0.005]))
        about_own_axis = Rotation.from_rotvec(t * np.array([0.0, 0.0, 0.005]))
        found = Rotation.from_euler("ZYX", eta[5:2:-1])
        assert ((about_momentum * about_own_axis).inv() * found).magnitude() < 1e-12


@pytest.mark.parametrize("attitude", ATTITUDES)
def test_energy_stays_without_damping_and_forces(sail: Sail, attitude: str) -> None:
    root = np.random.default_rng(11).normal(size=(6, 6))
    mass = RIGID + root @ root.T
    vessel = Vessel6DOF(rigid_body_inertia=RIGID, added_mass=root @ root.T, initial_nu=INITIAL_NU, attitude=attitude)
    nu = sail(vessel, 20.0, step=0.01).values("vessel.nu")
    energy = 0.5 * np.einsum("ti,ij,tj->t", nu, mass, nu)
    assert np.ptp(nu[:, 3]) > 0.05  # it does tumble
    np.testing.assert_allclose(energy, energy[0], rtol=1e-10)


def test_momentum_of_a_rigid_body_stays_in_ned(sail: Sail) -> None:
    vessel = Vessel6DOF(rigid_body_inertia=RIGID, initial_nu=INITIAL_NU, attitude="quaternion")
    run = sail(vessel, 20.0, step=0.01)
    turned = Rotation.from_euler("ZYX", run.values("vessel.eta")[:, 5:2:-1])
    nu = run.values("vessel.nu")
    for part in (nu[:, :3] * np.diag(RIGID)[:3], nu[:, 3:] * np.diag(RIGID)[3:]):
        momentum = turned.apply(part)
        np.testing.assert_allclose(momentum, np.broadcast_to(momentum[0], momentum.shape), atol=1e-9)


def vehicle(**changes: Any) -> Vessel6DOF:
    """A damped vehicle that is stable in roll and pitch."""
    parameters: dict[str, Any] = {
        "rigid_body_inertia": RIGID,
        "added_mass": ADDED,
        "linear_damping": np.diag([20.0, 30, 40, 5, 6, 7]),
        "quadratic_damping": np.diag([50.0, 60, 70, 8, 9, 10]),
        "weight": 400.0,
        "buoyancy": 400.0,
        "centre_of_gravity": [0.0, 0.0, 0.05],
        "initial_nu": INITIAL_NU,
    }
    return Vessel6DOF(**(parameters | changes))


def test_euler_angles_and_quaternion_give_the_same_motion(sail: Sail) -> None:
    inputs = {"force": [30.0, 5.0, -8.0, 1.0, 2.0, 4.0], "current": [0.3, -0.2, 0.1]}
    runs = [sail(vehicle(attitude=attitude), 30.0, step=0.01, inputs=inputs) for attitude in ATTITUDES]
    euler, quaternion = (run.values("vessel.eta") for run in runs)
    assert np.ptp(euler[:, 5]) > 2.0 * np.pi  # more than a full turn
    np.testing.assert_allclose(quaternion[:, :5], euler[:, :5], atol=1e-8)
    np.testing.assert_allclose(np.exp(1j * quaternion[:, 5]), np.exp(1j * euler[:, 5]), atol=1e-8)


def test_a_quaternion_passes_vertical_pitch(sail: Sail) -> None:
    vessel = Vessel6DOF(rigid_body_inertia=np.eye(6), attitude="quaternion", initial_nu=[0, 0, 0, 0, np.pi / 2, 0])
    eta = sail(vessel, 4.0, step=0.01).values("vessel.eta")
    np.testing.assert_allclose(np.abs(eta[100, 4]), np.pi / 2, atol=1e-7)  # a quarter of the loop
    np.testing.assert_allclose(eta[150, 3:], [np.pi, np.pi / 4, np.pi], atol=1e-9)
    np.testing.assert_allclose(eta[400, 3:], 0.0, atol=1e-9)


@pytest.mark.parametrize("attitude", ATTITUDES)
def test_a_turning_vehicle_moves_in_a_current_as_in_still_water_plus_drift(sail: Sail, attitude: str) -> None:
    # Seen from the water nothing changes: a steady uniform current is another inertial frame.
    force = [30.0, 5.0, -8.0, 1.0, 2.0, 4.0]
    current = np.array([0.4, -0.3, 0.2])
    still = sail(vehicle(attitude=attitude), 20.0, inputs={"force": force})
    moved = vehicle(attitude=attitude, initial_nu=INITIAL_NU + np.r_[current, np.zeros(3)])  # its attitude is 0
    drifting = sail(moved, 20.0, inputs={"force": force, "current": current})
    drift = np.outer(still.time, np.r_[current, np.zeros(3)])
    assert np.ptp(still.values("vessel.eta")[:, 5]) > np.pi
    np.testing.assert_allclose(drifting.values("vessel.eta") - drift, still.values("vessel.eta"), atol=1e-8)
    np.testing.assert_allclose(drifting.values("vessel.nu_r"), still.values("vessel.nu"), atol=1e-8)


def test_a_vehicle_left_alone_ends_up_drifting_with_the_current(sail: Sail) -> None:
    # Linear damping takes over at the end: the slowest motion, sway, decays with 30/70 1/s.
    run = sail(vehicle(initial_eta=[0, 0, 0, 0, 0, 1.0]), 120.0, inputs={"current": [0.2, 0.1, -0.05]})
    np.testing.assert_allclose(run.values("vessel.nu_r")[-1], 0.0, atol=1e-8)
    eta, step = run.values("vessel.eta"), run.time[-1] - run.time[-101]
    np.testing.assert_allclose((eta[-1, :3] - eta[-101, :3]) / step, [0.2, 0.1, -0.05], atol=1e-8)


def test_motion_does_not_depend_on_the_compass(sail: Sail) -> None:
    inputs = {"force": [30.0, 5.0, -8.0, 1.0, 2.0, 4.0]}
    north = sail(vehicle(), 10.0, inputs=inputs).values("vessel.eta")
    turned = sail(vehicle(initial_eta=[0, 0, 0, 0, 0, 2.0]), 10.0, inputs=inputs).values("vessel.eta")
    c, s = np.cos(2.0), np.sin(2.0)
    np.testing.assert_allclose(turned[:, 0], c * north[:, 0] - s * north[:, 1], atol=1e-12)
    np.testing.assert_allclose(turned[:, 1], s * north[:, 0] + c * north[:, 1], atol=1e-12)
    np.testing.assert_allclose(turned[:, 2:] - north[:, 2:], np.tile([0, 0, 0, 2.0], (len(north), 1)), atol=1e-12)


def test_small_roll_swings_with_the_period_of_a_pendulum(sail: Sail) -> None:
    # (I_x + K_pdot) phi'' + z_g W phi = 0, uncoupled as z_g adds no inertia term here
    inertia, moment = 6.0, 0.05 * 400.0
    vessel = Vessel6DOF(
        rigid_body_inertia=RIGID,
        added_mass=ADDED,
        weight=400.0,
        buoyancy=400.0,
        centre_of_gravity=[0, 0, 0.05],
        initial_eta=[0, 0, 0, 1e-4, 0, 0],
    )
    run = sail(vessel, 10.0, step=0.01)
    expected = 1e-4 * np.cos(np.sqrt(moment / inertia) * run.time)
    np.testing.assert_allclose(run.values("vessel.eta")[:, 3], expected, atol=1e-10)
