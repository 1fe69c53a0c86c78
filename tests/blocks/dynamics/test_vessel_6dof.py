"""Vessel6DOF: its forces and its acceleration, against the textbook's matrices and against conservation laws."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from blocks.dynamics import Vessel6DOF
from blocks.errors import ParameterError, SimulationError

Array = NDArray[np.float64]
Skew = Callable[[Array], Array]
ATTITUDES = ("euler", "quaternion")
ARM = np.array([0.1, -0.05, 0.2])


def rotation(eta: Array) -> Array:
    return np.asarray(Rotation.from_euler("ZYX", np.asarray(eta)[5:2:-1]).as_matrix())


def coriolis_matrix(mass: Array, nu: Array, skew: Skew) -> Array:
    """Fossen (2021), Theorem 3.2."""
    a, b = np.split(mass @ nu, 2)
    return np.block([[np.zeros((3, 3)), -skew(a)], [-skew(a), -skew(b)]])


@pytest.fixture
def matrices(skew: Skew) -> dict[str, Any]:
    """A body without any symmetry."""
    root = np.random.default_rng(5).normal(size=(6, 6))
    return {
        "rigid_body_inertia": np.block(
            [[30.0 * np.eye(3), -30.0 * skew(ARM)], [30.0 * skew(ARM), np.diag([6.0, 7.0, 8.0])]]
        ),
        "added_mass": root @ root.T + 5.0 * np.eye(6),
        "linear_damping": np.diag([5.0, 6.0, 7.0, 2.0, 3.0, 4.0]) + 0.3 * root,
        "quadratic_damping": np.diag([9.0, 8.0, 7.0, 6.0, 5.0, 4.0]) + 0.2 * root.T,
        "weight": 300.0,
        "buoyancy": 310.0,
        "centre_of_gravity": ARM,
        "centre_of_buoyancy": [0.01, 0.02, -0.1],
    }


@pytest.fixture
def situation() -> dict[str, Array]:
    """A moment of a motion in all six degrees of freedom."""
    random = np.random.default_rng(7)
    return {
        "eta": random.uniform(-1.0, 1.0, 6),
        "nu": random.normal(size=6),
        "current": random.normal(size=3),
        "force": 20.0 * random.normal(size=6),
        "disturbance": 5.0 * random.normal(size=6),
    }


def at(vessel: Vessel6DOF, eta: Array, nu: Array, **inputs: Array) -> Any:
    """Evaluate at a pose and velocity, however the attitude is held."""
    moved = vessel.copy()
    moved.set(initial_eta=eta, initial_nu=nu)
    return moved.evaluate(**inputs)


@pytest.mark.parametrize("attitude", ATTITUDES)
def test_every_term_of_the_equation_of_motion(
    matrices: dict[str, Any], situation: dict[str, Array], skew: Skew, attitude: str
) -> None:
    found = at(Vessel6DOF(**matrices, attitude=attitude), **situation)
    eta, nu, r = situation["eta"], situation["nu"], rotation(situation["eta"])
    rigid, added = matrices["rigid_body_inertia"], matrices["added_mass"]
    nu_c = np.r_[r.T @ situation["current"], np.zeros(3)]
    nu_r = nu - nu_c
    k = r.T @ [0.0, 0.0, 1.0]
    gravity = np.r_[300.0 * k, np.cross(ARM, 300.0 * k)] - np.r_[310.0 * k, np.cross([0.01, 0.02, -0.1], 310.0 * k)]
    nu_c_dot = np.r_[-np.cross(nu[3:], nu_c[:3]), np.zeros(3)]
    expected = {
        "eta": eta,
        "nu": nu,
        "nu_r": nu_r,
        "restoring_force": -gravity,
        "damping_force": matrices["linear_damping"] @ nu_r + matrices["quadratic_damping"] @ (np.abs(nu_r) * nu_r),
        "coriolis_force": coriolis_matrix(rigid, nu, skew) @ nu
        + coriolis_matrix(added, nu_r, skew) @ nu_r
        - added @ nu_c_dot,
    }
    for name, value in expected.items():
        np.testing.assert_allclose(found.outputs[name], value, rtol=1e-12, atol=1e-12, err_msg=name)
    balance = (
        situation["force"]
        + situation["disturbance"]
        - found.outputs["coriolis_force"]
        - found.outputs["damping_force"]
        - found.outputs["restoring_force"]
    )
    np.testing.assert_allclose((rigid + added) @ found.outputs["acceleration"], balance, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(found.derivatives["nu"], found.outputs["acceleration"], rtol=1e-14)
    position = found.derivatives["eta"][:3] if attitude == "euler" else found.derivatives["position"]
    np.testing.assert_allclose(position, r @ nu[:3], rtol=1e-13, atol=1e-13)


def test_euler_rates_and_quaternion_rates_turn_the_body_alike(
    matrices: dict[str, Any], situation: dict[str, Array], skew: Skew
) -> None:
    # dR/dt = R S(omega), by a central difference along the rates that the block gives
    eta, nu = situation["eta"], situation["nu"]
    expected = rotation(eta) @ skew(nu[3:])
    by_euler = at(Vessel6DOF(**matrices), eta, nu).derivatives["eta"]
    h = 1e-6
    found = (rotation(eta + h * by_euler) - rotation(eta - h * by_euler)) / (2.0 * h)
    np.testing.assert_allclose(found, expected, atol=1e-8)

    q = Rotation.from_matrix(rotation(eta)).as_quat(scalar_first=True)
    vessel = Vessel6DOF(**matrices, attitude="quaternion")
    rates = vessel.evaluate(states={"quaternion": q, "nu": nu}).derivatives["quaternion"]
    assert q @ rates == pytest.approx(0.0, abs=1e-15)
    ahead, behind = (Rotation.from_quat(q + s * h * rates, scalar_first=True).as_matrix() for s in (1.0, -1.0))
    np.testing.assert_allclose((ahead - behind) / (2.0 * h), expected, atol=1e-8)


def test_the_norm_of_the_quaternion_does_not_matter_and_is_drawn_to_one(
    matrices: dict[str, Any], situation: dict[str, Array]
) -> None:
    vessel = Vessel6DOF(**matrices, attitude="quaternion")
    q = np.array([0.5, -0.5, 0.1, 0.7])
    given = {name: situation[name] for name in ("force", "disturbance", "current")}
    unit, longer = (
        vessel.evaluate(states={"quaternion": c * q / np.linalg.norm(q), "nu": situation["nu"]}, **given)
        for c in (1.0, 1.3)
    )
    for name in unit.outputs:
        np.testing.assert_allclose(longer.outputs[name], unit.outputs[name], rtol=1e-13, atol=1e-13)
    along = q @ longer.derivatives["quaternion"] / np.linalg.norm(q)
    assert along == pytest.approx(0.5 * (1.0 - 1.3**2) * 1.3, rel=1e-12)  # time constant 1 s near one


def test_coriolis_forces_do_no_work_for_any_mass_matrix(situation: dict[str, Array]) -> None:
    any_matrix = np.random.default_rng(3).normal(size=(6, 6)) + 10.0 * np.eye(6)
    nu = situation["nu"]
    found = at(Vessel6DOF(rigid_body_inertia=any_matrix, added_mass=np.eye(6)), situation["eta"], nu)
    assert np.linalg.norm(found.outputs["coriolis_force"]) > 1.0
    assert nu @ found.outputs["coriolis_force"] == pytest.approx(0.0, abs=1e-12)


def test_without_coriolis_none_of_it_is_left(matrices: dict[str, Any], situation: dict[str, Array]) -> None:
    found = at(Vessel6DOF(**matrices, coriolis=False), **situation)
    assert not np.any(found.outputs["coriolis_force"])
    balance = (
        situation["force"]
        + situation["disturbance"]
        - found.outputs["damping_force"]
        - found.outputs["restoring_force"]
    )
    mass = matrices["rigid_body_inertia"] + matrices["added_mass"]
    np.testing.assert_allclose(mass @ found.outputs["acceleration"], balance, rtol=1e-11, atol=1e-11)


def test_damping_takes_energy_away(situation: dict[str, Array]) -> None:
    root = np.random.default_rng(2).normal(size=(6, 6))
    vessel = Vessel6DOF(
        rigid_body_inertia=np.eye(6), linear_damping=root @ root.T, quadratic_damping=np.diag(np.arange(1.0, 7.0))
    )
    for seed in range(20):
        nu = np.random.default_rng(seed).normal(size=6)
        assert nu @ at(vessel, situation["eta"], nu).outputs["damping_force"] > 0.0


def test_restoring_force_and_moment_of_a_heeled_and_trimmed_body() -> None:
    # Fossen (2021), eq. 4.6 for r_g = (0, 0, z_g) and r_b = 0: X = (W - B) sin(theta), K = z_g W cos(theta) sin(phi),
    # M = z_g W sin(theta)
    vessel = Vessel6DOF(rigid_body_inertia=np.eye(6), weight=100.0, buoyancy=103.0, centre_of_gravity=[0, 0, 0.2])
    phi, theta = 0.3, -0.2
    found = vessel.evaluate(states={"eta": [0, 0, 0, phi, theta, 2.0]}).outputs["restoring_force"]
    c, s = np.cos, np.sin
    expected = [
        -3.0 * s(theta),
        3.0 * c(theta) * s(phi),
        3.0 * c(theta) * c(phi),
        20.0 * c(theta) * s(phi),
        20.0 * s(theta),
        0.0,
    ]
    np.testing.assert_allclose(found, expected, atol=1e-13)


@pytest.mark.parametrize("attitude", ATTITUDES)
def test_both_attitudes_start_from_initial_eta_and_initial_nu(attitude: str) -> None:
    eta, nu = [1.0, 2.0, 3.0, 0.1, -0.2, 2.5], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    found = Vessel6DOF(rigid_body_inertia=np.eye(6), attitude=attitude, initial_eta=eta, initial_nu=nu).evaluate()
    np.testing.assert_allclose(found.outputs["eta"], eta, rtol=1e-14)
    np.testing.assert_allclose(found.outputs["nu"], nu, rtol=1e-14)
    assert set(found.derivatives) == ({"eta", "nu"} if attitude == "euler" else {"position", "quaternion", "nu"})


@pytest.mark.parametrize("pitch", [np.pi / 2, -np.pi / 2, 2.0])
def test_euler_angles_stop_at_vertical_pitch_and_say_what_to_do(pitch: float) -> None:
    vessel = Vessel6DOF(rigid_body_inertia=np.eye(6), initial_eta=[0, 0, 0, 0, pitch, 0], initial_nu=np.ones(6))
    with pytest.raises(SimulationError, match=r'pitch angle has reached ±90°.*use attitude="quaternion"'):
        vessel.evaluate()
    vessel.set(attitude="quaternion")
    assert np.all(np.isfinite(vessel.evaluate().derivatives["quaternion"]))


@pytest.mark.parametrize(
    ("mass", "message"),
    [
        (np.diag([1.0, 1, 0, 1, 1, 1]), r"rigid_body_inertia \+ added_mass is singular: the inertia of heave is 0"),
        (
            np.diag([1.0, 1, 1, 1, -2, 1]),
            r"not positive definite: the inertia of pitch is -2.*added mass with positive",
        ),
        (
            np.eye(6) + np.eye(6)[[1, 0, 2, 3, 4, 5]] * [[1.0], [1], [0], [0], [0], [0]],
            "singular: surge and sway together",
        ),
    ],
)
def test_a_singular_mass_matrix_is_refused_by_name(mass: Array, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Vessel6DOF(rigid_body_inertia=mass)
    vessel = Vessel6DOF(rigid_body_inertia=np.eye(6))
    with pytest.raises(ParameterError, match=message):
        vessel.set(rigid_body_inertia=mass)
    np.testing.assert_array_equal(vessel.rigid_body_inertia, np.eye(6))


def test_kilograms_beside_small_moments_of_inertia_are_not_singular() -> None:
    vessel = Vessel6DOF(rigid_body_inertia=np.diag([1e9, 1e9, 1e9, 1e-6, 1e-6, 1e-6]))
    accelerations = vessel.evaluate(force=[1e9, 0, 0, 0, 0, 1e-6]).outputs["acceleration"]
    np.testing.assert_allclose(accelerations, [1.0, 0, 0, 0, 0, 1.0], rtol=1e-13)


def test_a_matrix_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"rigid_body_inertia must be an array of 6×6.*not an array of 3×3"):
        Vessel6DOF(rigid_body_inertia=np.eye(3))
