"""Underwater vehicles of MSS and PythonVehicleSimulator against their equations, written anew from the sources."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

from blocks.dynamics import ComplexVessel6DOF
from blocks.thrust import AzimuthThrusters, ControlSurfaces

Vector = Any


def accelerated(vessel: Any, nu: Vector, force: Vector, angles: Vector = (0.0, 0.0, 0.0)) -> Vector:
    """dν/dt of a vessel in still water."""
    states = {"nu": np.asarray(nu, dtype=float), "eta": np.array([0.0, 0.0, 0.0, *angles])}
    return np.asarray(vessel.evaluate(states=states, force=force).outputs["acceleration"])


def turned_momentum(mass: Vector, nu: Vector) -> Vector:
    """C(ν) ν of any mass matrix."""
    a, b = np.split(mass @ nu, 2)
    v, omega = np.split(np.asarray(nu, dtype=float), 2)
    return np.concatenate([np.cross(omega, a), np.cross(v, a) + np.cross(omega, b)])


# --- NPS AUV II -------------------------------------------------------------------------------------------------------

L, RHO, WEIGHT, Z_G = 5.3, 1025.0, 53400.0, 0.061
M = WEIGHT / 9.81
R2, R3, R4, R5 = (0.5 * RHO * L**k for k in (2, 3, 4, 5))
IX, IY, IZ, IXY = 2038.0, 13587.0, 13587.0, -13.58


def nps_mass() -> Vector:
    """M of the paper."""
    rigid = np.zeros((6, 6))
    rigid[:3, :3] = M * np.eye(3)
    rigid[0, 4] = rigid[4, 0] = M * Z_G
    rigid[1, 3] = rigid[3, 1] = -M * Z_G
    rigid[3:, 3:] = [[IX, -IXY, -IXY], [-IXY, IY, -IXY], [-IXY, -IXY, IZ]]
    added = np.diag([7.6e-3 * R3, 5.5e-2 * R3, 2.4e-1 * R3, 1e-3 * R5, 1.7e-2 * R5, 3.4e-3 * R5])
    added[1, 3] = added[3, 1] = -1.2e-4 * R4
    added[1, 5] = added[5, 1] = -1.2e-3 * R4
    added[2, 4] = added[4, 2] = 6.8e-3 * R4
    added[3, 5] = added[5, 3] = 3.4e-5 * R5
    return rigid + added


def nps_forces(nu: Vector, delta: Vector, n: float, turned: float = 1.0) -> Vector:
    """Forces of the paper with the propeller at self-propulsion or near it, but for drag across the flow and weight.

    `turned` is the sign of the Coriolis force in heave and of the gyroscopic moment in pitch, -1 as in MSS.
    """
    u, v, w, p, q, r = nu
    rudder, stern, port, starboard = delta
    bow = port + starboard
    x = R2 * (5.3e-2 * v * v + 1.7e-1 * w * w + 0.00385 * ((0.012 * n) ** 2 - u * u))
    x += R3 * (2e-2 * v * r - 2e-1 * w * q - 3e-3 * v * p) + M * (v * r - w * q)
    x += R4 * (-1.5e-2 * q * q + 4e-3 * r * r + 7.5e-4 * p * r + 7e-3 * p * p) - M * Z_G * p * r
    x += R3 * (-1e-3 * u * r * rudder + (2.5e-2 * stern - 1.3e-3 * bow) * u * q)
    x += R2 * (
        1.7e-3 * u * v * rudder + (4.6e-2 * stern + 0.5e-2 * bow) * u * w - 1e-2 * u * u * (stern**2 + rudder**2)
    )
    y = R2 * (-1e-1 * u * v + 6.8e-2 * v * w + 2.7e-2 * u * u * rudder)
    y += R3 * (3e-3 * u * p + 3e-2 * u * r + 2.4e-2 * v * q + 2.3e-1 * w * p - 1.9e-2 * w * r)
    y += R4 * (4e-3 * p * q - 6.5e-3 * q * r) - M * (u * r - w * p + Z_G * q * r)
    z = R2 * (-3e-1 * u * w - 6.8e-2 * v * v + u * u * (-7.3e-2 * stern - 1.3e-2 * bow))
    z += R3 * (-1.4e-1 * u * q - 4.8e-2 * v * p + 4.5e-2 * v * r)
    z += R4 * (1.3e-4 * p * p + 6.7e-3 * p * r - 7.4e-3 * r * r)
    z += turned * M * (u * q - v * p + Z_G * (p * p + q * q))
    k = R3 * (3.1e-3 * u * v - 1.9e-1 * v * w)
    k += R4 * (-1.1e-2 * u * p - 8.4e-4 * u * r - 5.1e-3 * v * q - 1.3e-4 * w * p + 1.4e-2 * w * r)
    k += R5 * (-6.9e-5 * p * q + 1.7e-2 * q * r)
    k += (IY - IZ) * q * r - IXY * p * r - (r * r - q * q) * IXY + IXY * p * q + M * Z_G * (u * r - w * p)
    m = R3 * (1e-1 * u * w - 2.6e-2 * v * v + u * u * (-4.1e-2 * stern + 3.5e-3 * bow))
    m += R4 * (-6.8e-2 * u * q + 1.2e-3 * v * p + 1.7e-2 * v * r)
    m += R5 * (5.3e-5 * p * p + 5e-3 * p * r + 2.9e-3 * r * r)
    m += turned * (IZ - IX) * p * r + IXY * q * r - IXY * p * q - (p * p - r * r) * IXY - M * Z_G * (w * q - v * r)
    t = R3 * (-7.4e-3 * u * v - 2.7e-2 * v * w - 1.3e-2 * u * u * rudder)
    t += R4 * (-8.4e-4 * u * p - 1.6e-2 * u * r - 1e-2 * v * q - 1.7e-2 * w * p + 7.4e-3 * w * r)
    t += R5 * (-2.1e-2 * p * q + 2.7e-3 * q * r) + (IX - IY) * p * q + (p * p - q * q) * IXY + IXY * p * r - IXY * q * r
    return np.array([x, y, z, k, m, t])


def nps_righting(phi: float, theta: float) -> Vector:
    moment = -Z_G * WEIGHT
    return np.array([0, 0, 0, moment * math.cos(theta) * math.sin(phi), moment * math.sin(theta), 0])


@pytest.mark.parametrize("seed", range(4))
def test_the_nps_auv_moves_by_the_equations_of_the_paper(seed: int) -> None:
    rng = np.random.default_rng(seed)
    nu = np.array([1.5, 0.2, 0.2, 0.15, 0.15, 0.15]) * rng.uniform(-1.0, 1.0, 6)
    nu[0] = abs(nu[0]) + 0.3
    delta = rng.uniform(-0.3, 0.3, 4)
    phi, theta = rng.uniform(-0.3, 0.3, 2)
    n = nu[0] / 0.012  # where the slipstream has no effect
    vessel = ComplexVessel6DOF.from_vehicle("npsauv", cross_flow_length=0.0)
    surfaces = ControlSurfaces.from_vehicle("npsauv", response="instant")
    propeller = AzimuthThrusters.from_vehicle("npsauv", response="instant", speed_limit_forward=[100.0])
    force = surfaces.evaluate(command=delta, nu_r=nu).outputs["force"]
    force = force + propeller.evaluate(command=[n / (2.0 * math.pi)], nu_r=nu).outputs["force"]
    found = accelerated(vessel, nu, force, (phi, theta, 0.7))
    righting = nps_righting(phi, theta)
    expected = np.linalg.solve(nps_mass(), nps_forces(nu, delta, n) + righting)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)  # parameters have nine digits
    as_mss = np.linalg.solve(nps_mass(), nps_forces(nu, delta, n, turned=-1.0) + righting)
    u, v, _, p, q, r = nu
    wrong = [0, 0, -2.0 * M * (u * q - v * p + Z_G * (p * p + q * q)), 0, -2.0 * (IZ - IX) * p * r, 0]
    np.testing.assert_allclose(as_mss - found, np.linalg.solve(nps_mass(), wrong), rtol=1e-4, atol=1e-8)


def test_the_nps_auv_is_steady_where_the_propeller_says() -> None:
    vessel = ComplexVessel6DOF.from_vehicle("npsauv")
    full = AzimuthThrusters.from_vehicle("npsauv", response="instant").evaluate(command=[25.0]).outputs["force"]
    drag = vessel.evaluate(states={"nu": [0.012 * 50.0 * math.pi, 0, 0, 0, 0, 0]}).outputs["damping_force"]
    assert full[0] == pytest.approx(drag[0], rel=1e-8)


def test_drag_across_the_nps_auv_is_its_integral_in_either_plane() -> None:
    vessel = ComplexVessel6DOF.from_vehicle("npsauv", derivatives={}, quadratic_damping=np.zeros((6, 6)))
    v, r, w, q = 0.3, 0.2, -0.2, 0.15

    def integral(speed: Any, moment: bool) -> float:
        return float(quad(lambda x: speed(x) * abs(speed(x)) * (x if moment else 1.0), -L / 2, L / 2, points=[0.0])[0])

    sway = vessel.evaluate(states={"nu": [0.0, v, 0, 0, 0, r]}).outputs["damping_force"]
    heave = vessel.evaluate(states={"nu": [0.0, 0, w, 0, q, 0]}).outputs["damping_force"]
    side, up = 0.5 * RHO * 0.5 * 0.53, 0.5 * RHO * 0.6 * 0.53
    assert sway[1] == pytest.approx(side * integral(lambda x: v + x * r, False), rel=1e-3)
    assert sway[5] == pytest.approx(side * integral(lambda x: v + x * r, True), rel=1e-3)
    assert heave[2] == pytest.approx(up * integral(lambda x: w - x * q, False), rel=1e-3)
    assert heave[4] == pytest.approx(-up * integral(lambda x: w - x * q, True), rel=1e-3)


# --- DSRV -------------------------------------------------------------------------------------------------------------


def test_the_dsrv_dives_by_its_derivatives() -> None:
    length, rho, u0 = 5.0, 1025.0, 4.11
    vessel = ComplexVessel6DOF.from_vehicle("dsrv")
    planes = ControlSurfaces.from_vehicle("dsrv", response="instant")
    w, q, theta, delta = 0.2, 0.05, -0.1, 0.15
    nu = [u0, 0.0, w, 0.0, q, 0.0]
    force = planes.evaluate(command=[delta], nu_r=nu).outputs["force"]
    found = accelerated(vessel, nu, force, (0.0, theta, 0.0))
    scale = 0.5 * rho * length**3
    m, z_w, z_q, m_w, m_q = 0.036391, -0.043938, -0.017455, 0.011175, -0.01131
    mean = 0.5 * (0.000130 + 0.000146)
    inertia = scale * np.array([[m + 0.031545, mean * length], [mean * length, (0.001925 + 0.001573) * length**2]])
    z_g = 0.156276 * 0.3048**2 / (m * 9.81)
    heave = scale * (z_w * u0 * w / length + (z_q + m) * u0 * q - 0.027695 * u0**2 / length * delta + m * z_g * q**2)
    pitch = scale * (m_w * u0 * w + m_q * length * u0 * q - 0.012797 * u0**2 * delta)
    pitch -= scale * m * z_g * (9.81 * math.sin(theta) + w * q)
    pitch -= scale * m * z_g * found[0]  # the centre of gravity below the origin
    np.testing.assert_allclose(found[[2, 4]], np.linalg.solve(inertia, [heave, pitch]), rtol=1e-6)
    np.testing.assert_allclose(found[[1, 3, 5]], 0.0, atol=1e-12)


def test_the_dsrv_is_stable_straight_ahead_and_its_planes_dive_it() -> None:
    z_w, z_q, m_w, m_q, m = -0.043938, -0.017455, 0.011175, -0.01131, 0.036391
    assert z_w * m_q - m_w * (z_q + m) > 0.0  # the criterion of straight-line stability in the vertical plane
    force = ControlSurfaces.from_vehicle("dsrv", response="instant").evaluate(command=[0.1], nu_r=[4.11, 0, 0, 0, 0, 0])
    wrench = force.outputs["force"]
    assert wrench[4] < 0.0  # the bow goes down
    assert -wrench[4] / wrench[2] == pytest.approx(-0.462 * 5.0, rel=1e-3)  # as of a plane that far aft


# --- Torpedo ----------------------------------------------------------------------------------------------------------


def torpedo_lift(u: float, across: float) -> tuple[float, float]:
    """Force along and across the hull at an angle of attack, as published."""
    area, breadth, drag_0 = 0.7 * 1.6 * 0.19, 0.19, 0.42 * math.pi * 0.095**2 / (0.7 * 1.6 * 0.19)
    aspect = breadth**2 / area
    alpha, square = math.atan2(across, u), u * u + across * across
    lift = math.pi * aspect * alpha / (1.0 + math.sqrt(1.0 + (0.5 * aspect) ** 2))
    drag = drag_0 + lift * lift / (math.pi * 0.7 * aspect)
    pressure = 0.5 * 1026.0 * square * area
    return (
        pressure * (lift * math.sin(alpha) - drag * math.cos(alpha)),
        -pressure * (lift * math.cos(alpha) + drag * math.sin(alpha)),
    )


def test_the_torpedo_has_the_lift_and_drag_of_its_wing_in_both_planes() -> None:
    vessel = ComplexVessel6DOF.from_vehicle("torpedo", cross_flow_length=0.0, linear_damping=np.zeros((6, 6)))
    for across in (1e-3, 0.03):
        along, pushed = torpedo_lift(2.0, across)
        tolerance = (across / 2.0) ** 2 + 1e-7
        for row, nu in ((2, [2.0, 0.0, across, 0, 0, 0]), (1, [2.0, across, 0.0, 0, 0, 0])):
            outputs = vessel.evaluate(states={"nu": nu}).outputs
            assert -outputs["damping_force"][0] == pytest.approx(along, rel=tolerance)
            assert -outputs["damping_force"][row] == pytest.approx(pushed, rel=10.0 * tolerance)
            both = np.asarray(outputs["damping_force"]) + np.asarray(outputs["coriolis_force"])
            np.testing.assert_allclose(both[3:], 0.0, atol=1e-6)  # no Munk moment is left


def test_the_torpedo_is_a_spheroid_with_the_published_masses() -> None:
    vessel = ComplexVessel6DOF.from_vehicle("torpedo")
    a, b = 0.8, 0.095
    m = 4.0 / 3.0 * math.pi * 1026.0 * a * b * b
    e = math.sqrt(1.0 - (b / a) ** 2)
    log = math.log((1.0 + e) / (1.0 - e))
    alpha, beta = 2.0 * (1.0 - e * e) / e**3 * (0.5 * log - e), 1.0 / e**2 - (1.0 - e * e) / (2.0 * e**3) * log
    inertia = m * (a * a + b * b) / 5.0
    k = e**4 * (beta - alpha) / ((2.0 - e * e) * (2.0 * e * e - (2.0 - e * e) * (beta - alpha)))
    added = [m * alpha / (2.0 - alpha), *2 * [m * beta / (2.0 - beta)], 0.3 * 0.4 * m * b * b, *2 * [k * inertia]]
    np.testing.assert_allclose(np.diag(vessel.added_mass), added, rtol=1e-8)
    assert vessel.rigid_body_inertia[0, 0] == pytest.approx(m, rel=1e-8)
    assert vessel.rigid_body_inertia[4, 4] == pytest.approx(inertia + m * 0.02**2, rel=1e-8)


def test_the_fins_of_the_torpedo_turn_it_as_their_note_says() -> None:
    fins = ControlSurfaces.from_vehicle("torpedo", response="instant")
    lift = 0.5 * 1026.0 * 0.00665 * 2.0**2 * 0.1  # per unit of lift coefficient, at 0.1 rad
    turning = fins.evaluate(command=[0.1, -0.1, 0.0, 0.0], nu_r=[2.0, 0, 0, 0, 0, 0]).outputs["force"]
    np.testing.assert_allclose(turning, [0, -2 * 0.5 * lift, 0, 0, 0, 2 * 0.5 * lift * 0.8], rtol=1e-6, atol=1e-9)
    diving = fins.evaluate(command=[0.0, 0.0, -0.1, 0.1], nu_r=[2.0, 0, 0, 0, 0, 0]).outputs["force"]
    np.testing.assert_allclose(diving, [0, 0, -2 * 0.7 * lift, 0, -2 * 0.7 * lift * 0.8, 0], rtol=1e-6, atol=1e-9)
