"""Vessels in the horizontal plane: the usual equations, and the same motion as the 6-DOF vessel kept in the plane."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from blocks.dynamics import DiagonalVessel3DOF, Vessel, Vessel3DOF, Vessel6DOF
from blocks.errors import ParameterError
from blocks.run.result import Result

Array = NDArray[np.float64]
Sail = Callable[..., Result]
PLANE = [0, 1, 5]
ETA = np.array([1.0, 2.0, 4.0, 0.0, 0.0, 0.5])
NU = np.array([0.9, -0.2, 0.0, 0.0, 0.0, 0.3])
MASS, YAW_INERTIA, CENTRE = 20.0, 3.0, (0.1, -0.05)
ADDED = np.array([[2.0, 0.0, 0.0], [0.0, 15.0, 0.8], [0.0, 0.8, 1.0]])
DAMPING = np.array([[4.0, 0.0, 0.0], [0.0, 9.0, 0.5], [0.0, 0.7, 2.0]])
FORCE = np.array([6.0, 1.0, 0.0, 0.0, 0.0, 0.4])
CURRENT = np.array([0.3, -0.2, 0.0])


def planar(**changes: Any) -> Vessel3DOF:
    return Vessel3DOF(
        mass=MASS,
        yaw_inertia=YAW_INERTIA,
        centre_of_gravity=CENTRE,
        added_mass=ADDED,
        linear_damping=DAMPING,
        **changes,
    )


def spatial(**changes: Any) -> Vessel6DOF:
    """The same vessel with six degrees of freedom, of which forces in the plane move three."""
    x_g, y_g = CENTRE
    rigid = np.diag([MASS, MASS, MASS, 1.0, 1.0, YAW_INERTIA])
    rigid[0, 5] = rigid[5, 0] = -MASS * y_g
    rigid[1, 5] = rigid[5, 1] = MASS * x_g
    rigid[2, 3] = rigid[3, 2] = MASS * y_g
    rigid[2, 4] = rigid[4, 2] = -MASS * x_g
    added, damping = np.zeros((6, 6)), np.eye(6)
    added[np.ix_(PLANE, PLANE)] = ADDED
    damping[np.ix_(PLANE, PLANE)] = DAMPING
    return Vessel6DOF(rigid_body_inertia=rigid, added_mass=added, linear_damping=damping, **changes)


def diagonal(**changes: Any) -> DiagonalVessel3DOF:
    return Vessel3DOF.diagonal(m=(9.75, 10.364, 1.158), d=(16.296, 10.193, 4.63), **changes)


def mass_matrix(vessel: Vessel) -> Array:
    if isinstance(vessel, DiagonalVessel3DOF):
        return np.diag([9.75, 10.364, 1.158])
    return np.asarray(spatial().rigid_body_inertia[np.ix_(PLANE, PLANE)] + ADDED)


def test_the_diagonal_vessel_has_the_usual_equations() -> None:
    (m11, m22, m33), (d11, d22, d33) = (9.75, 10.364, 1.158), (16.296, 10.193, 4.63)
    (x, y, psi), (u, v, r) = (3.0, -4.0, 0.7), (0.9, -0.2, 0.3)
    tau_x, tau_y, tau_n = 5.0, 1.5, 0.6
    found = diagonal().evaluate(
        states={"eta": [x, y, 0, 0, 0, psi], "nu": [u, v, 0, 0, 0, r]},
        force=[tau_x, tau_y, 7.0, 7.0, 7.0, 0.4],
        disturbance=[0.0, 0.0, 0.0, 0.0, 0.0, tau_n - 0.4],
    )
    acceleration = [
        (tau_x + m22 * v * r - d11 * u) / m11,
        (tau_y - m11 * u * r - d22 * v) / m22,
        (tau_n + (m11 - m22) * u * v - d33 * r) / m33,
    ]
    np.testing.assert_allclose(found.derivatives["nu"][PLANE], acceleration, rtol=1e-14)
    velocity = [u * np.cos(psi) - v * np.sin(psi), u * np.sin(psi) + v * np.cos(psi), r]
    np.testing.assert_allclose(found.derivatives["eta"][PLANE], velocity, rtol=1e-14)
    for derivative in found.derivatives.values():
        np.testing.assert_array_equal(derivative[2:5], 0.0)  # whatever pushes up, rolls or pitches
    np.testing.assert_allclose(found.outputs["acceleration"][PLANE], acceleration, rtol=1e-14)
    np.testing.assert_array_equal(found.outputs["eta"], [x, y, 0.0, 0.0, 0.0, psi])
    np.testing.assert_array_equal(found.outputs["nu"], [u, v, 0.0, 0.0, 0.0, r])
    np.testing.assert_array_equal(found.outputs["nu_r"], found.outputs["nu"])
    np.testing.assert_allclose(found.outputs["damping_force"][PLANE], [d11 * u, d22 * v, d33 * r], rtol=1e-15)
    np.testing.assert_array_equal(found.outputs["restoring_force"], np.zeros(6))


def test_full_matrices_that_are_diagonal_give_the_diagonal_vessel() -> None:
    state = {"eta": ETA, "nu": NU}
    full = Vessel3DOF(
        mass=8.0,
        yaw_inertia=1.0,
        added_mass=np.diag([1.75, 2.364, 0.158]),
        linear_damping=np.diag([16.296, 10.193, 4.63]),
    )
    one, other = (b.evaluate(states=state, force=FORCE, current=CURRENT) for b in (diagonal(), full))
    for name, value in one.outputs.items():
        np.testing.assert_allclose(other.outputs[name], value, rtol=1e-13, atol=1e-13, err_msg=name)


@pytest.mark.parametrize("current", [np.zeros(3), CURRENT])
def test_the_plane_is_that_of_the_6_dof_vessel(current: Array) -> None:
    state = {"eta": ETA, "nu": NU}
    three = planar().evaluate(states=state, force=FORCE, current=current)
    six = spatial().evaluate(states=state, force=FORCE, current=current)
    for name in ("eta", "nu", "nu_r", "damping_force", "coriolis_force", "acceleration"):
        np.testing.assert_allclose(
            three.outputs[name][PLANE], six.outputs[name][PLANE], rtol=1e-12, atol=1e-13, err_msg=name
        )


@pytest.mark.parametrize("make", [planar, diagonal])
def test_forces_balance_and_coriolis_does_no_work(make: Callable[..., Vessel]) -> None:
    vessel = make()
    still = vessel.evaluate(states={"nu": NU}, force=FORCE)
    assert np.linalg.norm(still.outputs["coriolis_force"]) > 1.0
    assert NU @ still.outputs["coriolis_force"] == pytest.approx(0.0, abs=1e-13)
    mass = mass_matrix(vessel)
    for current in (np.zeros(3), CURRENT):
        found = vessel.evaluate(states={"eta": ETA, "nu": NU}, force=FORCE, current=current).outputs
        balance = FORCE - found["coriolis_force"] - found["damping_force"]
        np.testing.assert_allclose(mass @ found["acceleration"][PLANE], balance[PLANE], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("make", [planar, diagonal])
def test_energy_stays_without_damping_and_forces(sail: Sail, make: Callable[..., Vessel]) -> None:
    vessel = make(initial_nu=[1.0, 0.4, 0, 0, 0, 0.2])
    vessel.set(linear_damping=np.zeros_like(vessel.values["linear_damping"]))
    nu = sail(vessel, 60.0, step=0.005).values("vessel.nu")[:, PLANE]
    mass = mass_matrix(vessel)
    energy = 0.5 * np.einsum("ti,ij,tj->t", nu, mass, nu)
    np.testing.assert_allclose(energy, energy[0], rtol=1e-9)


@pytest.mark.parametrize("make", [planar, diagonal])
def test_a_turning_vessel_moves_in_a_current_as_in_still_water_plus_drift(
    sail: Sail, make: Callable[..., Vessel]
) -> None:
    still = sail(make(), 30.0, inputs={"force": FORCE})
    drifting = sail(make(initial_nu=np.r_[CURRENT, np.zeros(3)]), 30.0, inputs={"force": FORCE, "current": CURRENT})
    drift = np.outer(still.time, np.r_[CURRENT, np.zeros(3)])
    assert np.ptp(still.values("vessel.eta")[:, 5]) > 1.0
    np.testing.assert_allclose(drifting.values("vessel.eta") - drift, still.values("vessel.eta"), atol=1e-8)


def test_steady_turn_radius_of_the_diagonal_vessel(sail: Sail) -> None:
    # At the end x and y run on a circle of radius sqrt(u^2 + v^2) / r.
    run = sail(diagonal(), 60.0, inputs={"force": [10.0, 0, 0, 0, 0, 1.0]})
    u, v, r = run.values("vessel.nu")[-1, PLANE]
    last = run.time > 60.0 - 2.0 * np.pi / r
    path = run.values("vessel.eta")[last, :2]
    assert np.ptp(path, axis=0) == pytest.approx(2.0 * np.hypot(u, v) / r, rel=1e-4)


def test_diagonal_is_a_constructor_with_all_parameters() -> None:
    vessel = Vessel3DOF.diagonal(m=(1, 2, 3), d=(4, 5, 6), initial_eta=[7, 8, 5, 0, 0, 0.9])
    assert isinstance(vessel, DiagonalVessel3DOF)
    np.testing.assert_array_equal(vessel.evaluate().outputs["eta"], [7.0, 8.0, 5.0, 0.0, 0.0, 0.9])


def test_bad_masses_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"DiagonalVessel3DOF.inertia\[1\] must be > 0, not -2"):
        Vessel3DOF.diagonal(m=(1.0, -2.0, 3.0), d=(1.0, 1.0, 1.0))
    with pytest.raises(
        ParameterError, match=r"from Vessel3DOF.mass, yaw_inertia.*sway and yaw together have no positive"
    ):
        Vessel3DOF(mass=10.0, yaw_inertia=1.0, centre_of_gravity=(1.0, 0.0))


@pytest.mark.parametrize("make", [planar, diagonal])
def test_it_cannot_start_out_of_the_plane(make: Callable[..., Vessel]) -> None:
    with pytest.raises(
        ParameterError, match=r"initial_nu: a vessel in the horizontal plane has w, p, q = 0, not 0, 0.1, 0"
    ):
        make(initial_nu=[1.0, 0, 0, 0.1, 0, 0])
    with pytest.raises(ParameterError, match=r"initial_eta: .* phi, theta = 0, not 0.2, 0"):
        make(initial_eta=[1.0, 0, 0, 0.2, 0, 0])
