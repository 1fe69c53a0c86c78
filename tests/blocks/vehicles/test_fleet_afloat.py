"""Ships, a rig and a boat of MSS and PythonVehicleSimulator against their equations, written anew from the sources."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

from blocks.dynamics import ComplexVessel6DOF, Vessel3DOF, Vessel6DOF
from blocks.thrust import AzimuthThrusters, DifferentialThrust, Rudder
from blocks.vehicles.vehicle import describe

Matrix = Any
G, RHO = 9.81, 1025.0


def skew(r: Any) -> Matrix:
    x, y, z = r
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def moved(matrix: Matrix, r: Any) -> Matrix:
    """A 6×6 matrix about a point at r, seen from the origin: Hᵀ M H."""
    shift = np.eye(6)
    shift[:3, 3:] = skew(r).T
    return shift.T @ matrix @ shift


def turned_momentum(mass: Matrix, nu: Any) -> Matrix:
    """C(ν) ν of any mass matrix."""
    a, b = np.split(mass @ nu, 2)
    v, omega = np.split(np.asarray(nu, dtype=float), 2)
    return np.concatenate([np.cross(omega, a), np.cross(v, a) + np.cross(omega, b)])


def across(length: float, draught: float, coefficient: float, nu: Any) -> Matrix:
    """Drag across the flow in sway and yaw, with the sign of damping."""
    v, r = nu[1], nu[5]

    def at(x: float) -> float:
        return 0.5 * RHO * draught * coefficient * abs(v + x * r) * (v + x * r)

    zero = [x for x in (-v / r if r else 0.0,) if abs(x) < length / 2]
    ends = (-length / 2, length / 2)
    side = quad(at, *ends, points=zero or None)[0]
    turn = quad(lambda x: x * at(x), *ends, points=zero or None)[0]
    return np.array([0.0, side, 0.0, 0.0, 0.0, turn])


# --- Supply vessel ----------------------------------------------------------------------------------------------------


def test_the_supply_vessel_is_that_of_the_bis_system() -> None:
    length, mass = 76.2, 6000e3
    scale = np.diag([1.0, 1.0, length])
    inertia = mass * scale @ [[1.1274, 0, 0], [0, 1.8902, -0.0744], [0, -0.0744, 0.1278]] @ scale
    damping = (
        mass * math.sqrt(G / length) * scale @ [[0.0358, 0, 0], [0, 0.1183, -0.0124], [0, -0.0041, 0.0308]] @ scale
    )
    vessel = Vessel3DOF.from_vehicle("supply")
    np.testing.assert_allclose(vessel.mass_matrix, inertia, rtol=1e-9)
    np.testing.assert_allclose(vessel.linear_damping, damping, rtol=1e-9)
    rng = np.random.default_rng(2)
    for _ in range(3):
        nu, tau = rng.uniform(-1.0, 1.0, 3) * [1.0, 0.5, 0.01], rng.uniform(-1e5, 1e5, 3)
        six = [nu[0], nu[1], 0.0, 0.0, 0.0, nu[2]]
        out = vessel.evaluate(states={"nu": six}, force=[tau[0], tau[1], 0.0, 0.0, 0.0, tau[2]]).outputs
        turning = np.asarray(out["coriolis_force"])[[0, 1, 5]]  # which the source leaves out
        found = np.asarray(out["acceleration"])[[0, 1, 5]] + np.linalg.solve(inertia, turning)
        np.testing.assert_allclose(found, np.linalg.solve(inertia, tau - damping @ nu), rtol=1e-8)


@pytest.mark.parametrize(
    ("name", "revolutions", "per_square", "arms"),
    [
        ("supply", [250, 250, 160, 160], [2.4, 2.4, 17.6, 17.6], [30.0, 22.0, -7.0, 7.0]),
        ("semisub", [250, 250, 160, 160, 160, 160], [3.5, 3.5, 25, 25, 25, 25], [30, 20, -20, -30, -21, 21]),
        (
            "osv",
            [140, 140, 150, 200],
            [300e3 / 140**2, 300e3 / 140**2, 420e3 / 150**2, 655e3 / 200**2],
            [37, 35, -7, 7],
        ),
    ],
)
def test_thrusters_push_as_published(name: str, revolutions: Any, per_square: Any, arms: Any) -> None:
    block = AzimuthThrusters.from_vehicle(name, response="instant")
    tunnels = len(revolutions) - 2
    for i, (n, k, arm) in enumerate(zip(revolutions, per_square, arms, strict=True)):
        command = np.zeros(len(revolutions))
        command[i] = -n / 60.0
        force = block.evaluate(command=command, angle=np.zeros(len(revolutions))).outputs["force"]
        assert force[1 if i < tunnels else 0] == pytest.approx(-k * n * n, rel=1e-7)
        assert force[5] == pytest.approx(-k * n * n * arm, rel=1e-7)
        np.testing.assert_allclose(force[2:5], 0.0, atol=1e-9)


# --- Offshore supply vessel -------------------------------------------------------------------------------------------


def osv_matrices() -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """M_RB, M_A, D and G of the source."""
    length, breadth, draught, area = 83.0, 18.0, 5.0, 0.8
    volume = 0.65 * length * breadth * draught
    mass, centre = RHO * volume, np.array([-4.5, 0.0, -1.2])
    radii = mass * np.array([(0.35 * breadth) ** 2, (0.25 * length) ** 2, (0.25 * length) ** 2])
    rigid = moved(np.diag([mass, mass, mass, *radii]), centre)
    added = np.zeros((6, 6))
    added[[0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5]] = [0.0010, 0.0034, 0.0083, 0.0840, 3.5072, 1.7444]
    for i, j, value in ((1, 3, 0.0047), (1, 5, 0.0107), (2, 4, 0.0529), (3, 5, -0.1282)):
        added[i, j] = added[j, i] = value
    added *= 1e9
    waterplane = area * length * breadth
    keel_to_buoyancy = (2.5 * draught - volume / waterplane) / 3.0
    apart = draught - keel_to_buoyancy - centre[2]
    shape = 6.0 * area**3 / ((1.0 + area) * (1.0 + 2.0 * area))
    gm_t = shape * breadth**3 * length / 12.0 / volume - apart
    gm_l = 0.7 * length**3 * breadth / 12.0 / volume - apart
    weight = RHO * G * volume
    stiffness = moved(np.diag([0, 0, RHO * G * waterplane, weight * gm_t, weight * gm_l, 0]), [-0.5, 0.0, 0.0])
    m, k = np.diag(rigid + added), np.diag(stiffness)
    ratios = {2: 0.2, 3: 0.15, 4: 0.3}
    damping = [
        2.0 * ratios[i] * math.sqrt(k[i] * m[i]) if i in ratios else m[i] / t for i, t in enumerate([100] * 5 + [1])
    ]
    return rigid, added, np.diag(damping), stiffness


@pytest.mark.parametrize("seed", range(3))
def test_the_offshore_vessel_moves_by_its_equations(seed: int) -> None:
    rigid, added, damping, stiffness = osv_matrices()
    rng = np.random.default_rng(seed)
    nu = rng.uniform(-1.0, 1.0, 6) * [4.0, 1.0, 0.3, 0.05, 0.05, 0.05]
    eta = rng.uniform(-1.0, 1.0, 6) * [50.0, 50.0, 0.5, 0.1, 0.05, 3.0]
    tau = rng.uniform(-1e5, 1e5, 6)
    resisted = damping @ nu
    resisted[0] *= math.exp(-3.0 * math.sqrt(nu[0] ** 2 + nu[1] ** 2 + nu[2] ** 2))
    resisted[0] += 1075e3 / 7.7**2 * abs(nu[0]) * nu[0]
    resisted += across(83.0, 5.0, np.interp(1.8, [1.63918, 1.85998], [0.691442, 0.657076]), nu)
    level = np.array([0.0, 0.0, *eta[2:5], 0.0])
    expected = tau - turned_momentum(rigid, nu) - turned_momentum(added, nu) - resisted - stiffness @ level
    vessel = ComplexVessel6DOF.from_vehicle("osv")
    found = vessel.evaluate(states={"nu": nu, "eta": eta}, force=tau).outputs["acceleration"]
    # strips take 1e-4 of the drag; parameters have nine digits
    np.testing.assert_allclose(found, np.linalg.solve(rigid + added, expected), rtol=2e-3, atol=2e-6)


def test_the_offshore_vessel_reaches_the_top_speed_at_the_greatest_thrust() -> None:
    thrust = AzimuthThrusters.from_vehicle("osv", response="instant").evaluate(command=[0.0, 0.0, 2.5, 10.0 / 3.0])
    drag = ComplexVessel6DOF.from_vehicle("osv").evaluate(states={"nu": [7.7, 0, 0, 0, 0, 0]}).outputs["damping_force"]
    assert thrust.outputs["force"][0] == pytest.approx(drag[0], rel=1e-6)


def test_no_current_turns_the_offshore_vessel_that_goes_straight_through_the_water() -> None:
    vessel = ComplexVessel6DOF.from_vehicle("osv")
    carried = np.array([1.0, 1.0, 0.0, 0.0, 0.0, 0.0])  # ahead at 1 m/s through water that flows across at 1 m/s
    found = vessel.evaluate(states={"nu": carried}, current=[0.0, 1.0, 0.0]).outputs["coriolis_force"]
    assert found[5] == pytest.approx(0.0, abs=1e-6)
    added = osv_matrices()[1]
    a, through = (added @ carried)[:3], np.array([1.0, 0.0, 0.0])
    as_published = np.cross(through, a)[2]  # C_A(ν) ν_r, the matrix of one velocity times the other
    assert abs(as_published) > 1e6


# --- Semi-submersible -------------------------------------------------------------------------------------------------

AS_PUBLISHED = 1e10 * np.array(
    [
        [0.0017, 0, 0, 0, -0.0255, 0],
        [0, 0.0042, 0, 0.0365, 0, 0],
        [0, 0, 0.0021, 0, 0, 0],
        [0, 0.0365, 0, 1.3416, 0, 0],
        [-0.0255, 0, 0, 0, 2.2267, 0],
        [0, 0, 0, 0, 0, 3.2049],
    ]
)
"""Added mass as PythonVehicleSimulator prints it."""


def test_the_semi_submersible_has_the_published_masses() -> None:
    vessel = Vessel6DOF.from_vehicle("semisub")
    mass = 27162500.0
    rigid = moved(mass * np.diag([1, 1, 1, 30.0**2, 32.0**2, 37.0**2]), [-0.5, 0.0, -19.5])
    np.testing.assert_allclose(vessel.rigid_body_inertia, rigid, rtol=1e-9, atol=1.0)
    np.testing.assert_allclose(vessel.added_mass, AS_PUBLISHED, rtol=2e-3, atol=6e5)  # two to five digits; 1026 kg/m³


def test_the_legs_of_the_semi_submersible_right_it_by_their_waterplane() -> None:
    area, volume = (
        0.8 * 16.0 * 12.0,
        2 * 0.75 * 84.6 * 12.0 * 13.0 + 4 * 0.8 * 16.0 * 12.0 * 10.6 + 60 * math.pi * 0.85**2,
    )
    centre = (
        -(2 * 0.75 * 84.6 * 12 * 13 * 6.5 + 4 * 0.8 * 16 * 12 * 10.6 * 18.3 + 60 * math.pi * 0.85**2 * 12.0) / volume
    )
    own = np.array([16.0 * 12.0**3 / 12.0, 12.0 * 16.0**3 / 12.0])
    places = np.array([21.0**2, 24.0**2])
    apart = centre + 19.5
    right = 4.0 * (area * places + 0.8 * own) / volume - apart
    wrong = 4.0 * area * (places + own) / volume - apart  # the area once more
    found = np.diag(Vessel6DOF.from_vehicle("semisub").stiffness)
    np.testing.assert_allclose(found[3:5], RHO * G * volume * right, rtol=1e-8)
    np.testing.assert_allclose(RHO * G * volume * wrong, [1.4296e10, 2.6212e10], rtol=2e-3)  # as published
    assert right[0] == pytest.approx(0.5, abs=0.05)  # what the data of the source say of the loaded rig
    assert wrong[0] > 50.0


def test_motions_of_the_semi_submersible_have_its_time_constants() -> None:
    vessel = Vessel6DOF.from_vehicle("semisub")
    centre = np.array([0.5, 0.0, 19.5])
    about = [moved(np.asarray(part), centre) for part in (vessel.mass_matrix, vessel.linear_damping, vessel.stiffness)]
    mass, damping, stiffness = (np.diag(part) for part in about)
    np.testing.assert_allclose(mass[[0, 1, 5]] / damping[[0, 1, 5]], [100.0, 200.0, 80.0], rtol=1e-7)
    ratio = 0.5 * damping[2:5] / np.sqrt(mass[2:5] * stiffness[2:5])
    np.testing.assert_allclose(ratio, math.sqrt(1.0 - 0.995**2), rtol=1e-6)
    periods = 2.0 * math.pi * np.sqrt(mass[2:5] / stiffness[2:5])
    assert periods == pytest.approx([17.5, 113.2, 42.5], rel=3e-3)


# --- Clarke's ship ----------------------------------------------------------------------------------------------------


def test_the_clarke_ship_turns_by_the_regressions() -> None:
    length, breadth, draught, block, speed = 50.0, 7.0, 5.0, 0.7, 3.0
    b_t, b_l, s = breadth / draught, breadth / length, math.pi * (draught / length) ** 2
    mass = RHO * block * length * breadth * draught
    y_v, y_r = -s * (1 + 0.4 * block * b_t), -s * (-0.5 + 2.2 * b_l - 0.08 * b_t)
    n_v, n_r = -s * (0.5 + 2.4 * draught / length), -s * (0.25 + 0.039 * b_t - 0.56 * b_l)
    y_a, n_a = s * (1 + 0.16 * block * b_t - 5.1 * b_l**2), s * (1 / 12 + 0.017 * block * b_t - 0.33 * b_l)
    coupled = s * np.array([0.67 * b_l - 0.0033 * b_t**2, 1.1 * b_l - 0.041 * b_t])
    r2 = 0.5 * RHO * length**2
    vessel = Vessel3DOF.from_vehicle("clarke_ship")
    found = np.asarray(vessel.mass_matrix)
    assert found[1, 1] == pytest.approx(mass + r2 * length * y_a, rel=1e-9)
    assert found[2, 2] == pytest.approx(mass * 12.5**2 + r2 * length**3 * n_a, rel=1e-9)
    assert found[1, 2] == found[2, 1] == pytest.approx(r2 * length**2 * coupled.mean(), rel=1e-9)
    assert np.ptp(coupled) / coupled.mean() == pytest.approx(0.10, abs=0.01)  # the fault
    derivatives = -r2 * speed * np.array([[y_v, y_r * length], [n_v * length, n_r * length**2]])
    derivatives[0, 1] += mass * speed  # which the sources leave out
    small = 1e-6
    for column, nu in enumerate(([speed, small, 0, 0, 0, 0], [speed, 0, 0, 0, 0, small])):
        out = vessel.evaluate(states={"nu": nu}).outputs
        resisted = (np.asarray(out["damping_force"]) + np.asarray(out["coriolis_force"]))[[1, 5]] / small
        np.testing.assert_allclose(resisted, derivatives[:, column], rtol=1e-6)


def test_the_regression_of_sway_by_turning_is_without_the_mass() -> None:
    """As measured of the Mariner, whose printed Y_r has m' in it: without, it is positive; with it, negative."""
    measured = describe("mariner").sections["dynamics"].parameters["derivatives"].value["Y_r"]
    assert measured < 0.0 < measured + 798e-5
    for b_l, b_t in ((0.14, 1.4), (0.144, 2.8), (0.17, 2.8)):  # this ship, the Mariner, a tanker
        regression = 0.5 - 2.2 * b_l + 0.08 * b_t
        assert regression > 0.0


def test_the_rudder_of_the_clarke_ship_steers_as_published_and_brakes() -> None:
    rudder = Rudder.from_vehicle("clarke_ship", response="instant")
    area, slope, hull = (0.7 * 5.0) ** 2 / 0.7, 6.13 * 0.7 / (0.7 + 2.25), 0.4
    for delta in (0.1, -0.5):
        force = rudder.evaluate(command=delta, nu_r=[3.0, 0, 0, 0, 0, 0]).outputs["force"]
        lift = 0.25 * RHO * 9.0 * area * slope * math.sin(2.0 * delta)
        assert force[1] == pytest.approx(-(1.0 + hull) * lift, rel=1e-7)
        assert force[5] == pytest.approx((0.45 + hull) * 50.0 * lift, rel=1e-7)
        braked = 0.5 * (0.28 * 0.7 + 0.55) * RHO * 9.0 * area * slope * math.sin(delta) ** 2
        assert force[0] == pytest.approx(-braked, rel=1e-7)  # which is +braked in the source


# --- Otter with payload -----------------------------------------------------------------------------------------------


def test_the_loaded_otter_moves_by_the_equations_of_today() -> None:
    hull, load, centre, deck = 55.0, 25.0, np.array([0.2, 0.0, -0.2]), np.array([0.05, 0.0, -0.35])
    mass, volume = hull + load, (hull + load) / RHO
    common = (hull * centre + load * deck) / mass
    about = np.diag(hull * np.array([0.4 * 1.08, 0.5, 0.5]) ** 2)
    about = (
        about - hull * skew(centre - common) @ skew(centre - common) - load * skew(deck - common) @ skew(deck - common)
    )
    rigid = moved(np.block([[mass * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), about]]), common)
    added = np.diag([2.7 * RHO * (hull / RHO) ** (5 / 3) / 4.0, 82.5, 55.0, *np.diag(about) * [0.2, 0.8, 1.7]])
    draught, area = volume / (2 * 0.4 * 0.25 * 2.0), 2 * 0.75 * 2.0 * 0.25
    shape = 6 * 0.75**3 / (1.75 * 2.5)
    second = np.array([2 / 12 * 2.0 * 0.25**3 * shape + area * 0.395**2, 0.8 * 2 / 12 * 0.25 * 8.0])
    heights = (2.5 * draught - 0.5 * volume / 0.5) / 3.0 + second / volume - (draught - common[2])
    stiffness = moved(np.diag([0, 0, RHO * G * area, *mass * G * heights, 0]), [-0.2, 0.0, 0.0])
    m, k = np.diag(rigid + added), RHO * G * area
    ratios = np.array([0.3, 0.2, 0.4]) * 2.0 * np.sqrt(m[2:5] * [k, *mass * G * heights])
    damping = np.array([24.4 * G / (6 * 0.5144), m[1], *ratios, m[5]])
    rng = np.random.default_rng(3)
    vessel = Vessel6DOF.from_vehicle("otter_payload")
    rest = np.asarray(vessel.equilibrium)
    carried = stiffness @ rest
    np.testing.assert_allclose(carried[[2, 4]], [load * G, -deck[0] * load * G], rtol=1e-7)
    for _ in range(3):
        nu = rng.uniform(-1.0, 1.0, 6) * [2.0, 0.5, 0.2, 0.2, 0.2, 0.5]
        eta = rng.uniform(-1.0, 1.0, 6) * [10.0, 10.0, 0.05, 0.1, 0.1, 3.0]
        tau = rng.uniform(-50.0, 50.0, 6)
        resisted = damping * nu + across(2.0, draught, float(vessel.cross_flow_sway_coefficient), nu)
        resisted[5] += 10.0 * damping[5] * abs(nu[5]) * nu[5]
        level = np.array([0.0, 0.0, *(eta - rest)[2:5], 0.0])
        total = tau - turned_momentum(rigid, nu) - turned_momentum(added, nu) - resisted - stiffness @ level
        found = vessel.evaluate(states={"nu": nu, "eta": eta}, force=tau).outputs["acceleration"]
        np.testing.assert_allclose(found, np.linalg.solve(rigid + added, total), rtol=2e-3, atol=1e-5)


def test_both_otters_have_the_same_propellers_and_differ_as_their_file_says() -> None:
    light, loaded = (Vessel6DOF.from_vehicle(name) for name in ("otter", "otter_payload"))
    thrusters = [DifferentialThrust.from_vehicle(name) for name in ("otter", "otter_payload")]
    assert thrusters[0].thrust_limit_forward == thrusters[1].thrust_limit_forward
    ratio = np.diag(loaded.mass_matrix) / np.diag(light.mass_matrix)
    assert ratio[[1, 3, 5]] == pytest.approx([1.18, 1.18, 0.93], abs=0.005)
    sway = [
        vessel.evaluate(states={"nu": [0, 0.5, 0, 0, 0, 0]}).outputs["damping_force"][1] for vessel in (light, loaded)
    ]
    assert sway == pytest.approx([69.0, 131.0], abs=0.6)
    assert "131 N for 69 N" in " ".join(describe("otter_payload").faults)
