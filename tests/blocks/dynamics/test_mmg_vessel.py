"""The hull of the MMG standard method: its polynomials, mass, current, energy, shallow water and roll."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from blocks.dynamics import MMGVessel, MMGVessel4DOF
from blocks.errors import ParameterError
from blocks.run.result import Result

Sail = Callable[..., Result]
WATER = ("water_depth", "breadth")
SHIP: dict[str, Any] = {name: value for name, value in MMGVessel.examples[0].items() if name not in WATER}
ROLLING: dict[str, Any] = {name: value for name, value in MMGVessel4DOF.examples[0].items() if name not in WATER}
BARE = {
    "resistance": 0.0,
    "surge_derivatives": np.zeros(4),
    "sway_derivatives": np.zeros(6),
    "yaw_derivatives": np.zeros(6),
    "added_mass": np.zeros(3),
}
DRIFT = {name: value for name, value in MMGVessel.examples[2].items() if "derivatives" in name}
NO_HEEL = {"heel_derivatives": np.zeros(2)}
LENGTH, AREA = 7.0, 0.5 * 1000.0 * 7.0 * 0.46
"""L and ½ρLd."""


def hull_force(vessel: MMGVessel, u: float, v: float, r: float) -> np.ndarray:
    """(X_H, Y_H, N_H)."""
    found = vessel.evaluate(states={"nu": [u, v, 0, 0, 0, r]}, force=np.zeros(6)).outputs["damping_force"]
    return np.asarray(-found[[0, 1, 5]])


@pytest.mark.parametrize(("u", "v", "r"), [(1.2, 0.0, 0.0), (1.0, -0.3, 0.1), (0.6, -0.25, 0.07), (0.9, 0.2, -0.06)])
def test_forces_are_the_published_polynomials(u: float, v: float, r: float) -> None:
    """Yasukawa and Yoshimura (2015), written in primes as they are printed."""
    speed = np.hypot(u, v)
    b, w = v / speed, r * LENGTH / speed
    x = -0.022 - 0.040 * b**2 + 0.002 * b * w + 0.011 * w**2 + 0.771 * b**4
    y = -0.315 * b + 0.083 * w - 1.607 * b**3 + 0.379 * b**2 * w - 0.391 * b * w**2 + 0.008 * w**3
    n = -0.137 * b - 0.049 * w - 0.030 * b**3 - 0.294 * b**2 * w + 0.055 * b * w**2 - 0.013 * w**3
    expected = AREA * speed**2 * np.array([x, y, n * LENGTH])
    np.testing.assert_allclose(hull_force(MMGVessel(**SHIP), u, v, r), expected, rtol=1e-13)


def test_the_equations_of_motion_are_the_published_ones() -> None:
    u, v, r, x_g = 1.1, -0.2, 0.08, 0.25
    m, (m_x, m_y) = 3270.0, AREA * LENGTH * np.array([0.022, 0.223])
    i_z, j_z = m * 1.75**2, 0.011 * AREA * LENGTH**3
    vessel = MMGVessel(**SHIP)
    force = np.array([50.0, -20.0, 0, 0, 0, 90.0])
    found = vessel.evaluate(states={"nu": [u, v, 0, 0, 0, r]}, force=force).outputs["acceleration"]
    x, y, n = hull_force(vessel, u, v, r) + force[[0, 1, 5]]
    assert (m + m_x) * found[0] - (m + m_y) * v * r - x_g * m * r**2 == pytest.approx(x, rel=1e-12)
    assert (m + m_y) * found[1] + (m + m_x) * u * r + x_g * m * found[5] == pytest.approx(y, rel=1e-12)
    assert (i_z + x_g**2 * m + j_z) * found[5] + x_g * m * (found[1] + u * r) == pytest.approx(n, rel=1e-12)


@pytest.mark.parametrize("kind", [MMGVessel, MMGVessel4DOF])
def test_sets_for_the_drift_angle_are_the_published_polynomials(kind: type[MMGVessel]) -> None:
    """As Yoshimura and Masumoto (2012) write them, with m_y and m_x in two of the terms: the equations have m."""
    levers = {} if kind is MMGVessel else {name: ROLLING[name] for name in ("metacentric_height", "roll_gyration")}
    vessel = kind(**SHIP | DRIFT | levers)
    m, x_g, force = 3270.0, 0.25, np.array([50.0, -20.0, 0, 0, 0, 90.0])
    m_x, m_y, j_z = AREA * LENGTH * np.array([0.022, 0.223, 0.011 * LENGTH**2])
    for u, v, r in ((1.2, 0.0, 0.0), (1.0, -0.3, 0.1), (0.9, 0.4, -0.08)):
        speed, b = np.hypot(u, v), np.arctan2(-v, u)
        w = r * LENGTH / speed
        x = -0.022 - 0.055 * b**2 - 0.108 * b * w - 0.012 * w**2 - 0.042 * b**4
        y = 0.225 * b + 0.040 * w + 1.718 * b**3 - 0.483 * b**2 * w + 0.834 * b * w**2 - 0.005 * w**3
        n = 0.111 * b - 0.047 * w + 0.175 * b**3 - 0.617 * b**2 * w + 0.051 * b * w**2 - 0.039 * w**3
        hull = AREA * speed**2 * np.array([x, y, n * LENGTH])
        np.testing.assert_allclose(hull_force(vessel, u, v, r), hull, rtol=1e-12)
        found = vessel.evaluate(states={"nu": [u, v, 0, 0, 0, r]}, force=force).outputs["acceleration"]
        x, y, n = hull + force[[0, 1, 5]]
        assert (m + m_x) * found[0] - m * v * r - x_g * m * r**2 == pytest.approx(x, rel=1e-12)
        assert (m + m_y) * found[1] + m * u * r + x_g * m * found[5] == pytest.approx(y, rel=1e-12)
        assert (m * (1.75**2 + x_g**2) + j_z) * found[5] + x_g * m * (found[1] + u * r) == pytest.approx(n, rel=1e-12)


def test_for_small_drift_both_kinds_of_sets_are_one() -> None:
    """To third order in β, with m_y and m_x moved over and the signs of odd powers of β reversed; in any depth."""
    water, nu = {"water_depth": 0.7, "breadth": 1.27}, [1.0, -1e-4, 0, 0, 0, 0.01]
    surge, sway, yaw = (np.array(SHIP[f"{name}_derivatives"]) for name in ("surge", "sway", "yaw"))
    of_drift = {
        "surge_derivatives": surge * [1, -1, 1, 1] - [0, 0.223, 0, 0],
        "sway_derivatives": sway * [-1, 1, -1, 1, -1, 1] - [0, 0.022, 0, 0, 0, 0],
        "yaw_derivatives": yaw * [-1, 1, -1, 1, -1, 1],
        "derivatives_of": "drift_angle",
    }
    one, other = (
        MMGVessel(**SHIP | water | given).evaluate(states={"nu": nu}, force=np.zeros(6)).outputs["acceleration"]
        for given in ({}, of_drift)
    )
    np.testing.assert_allclose(other, one, rtol=1e-7)


@pytest.mark.parametrize("given", [{}, DRIFT])
def test_a_hull_alike_fore_and_aft_beyond_the_fit(given: dict[str, Any]) -> None:
    """Astern mirrors ahead; pure sway gives neither thrust nor a turn; a spin is braked; all go to zero at rest."""
    vessel = MMGVessel(**SHIP | given)
    ahead, astern = hull_force(vessel, 0.9, 0.1, 0.05), hull_force(vessel, -0.9, 0.1, -0.05)
    np.testing.assert_allclose(astern, ahead * [-1, 1, -1], rtol=1e-13)
    x, y, n = hull_force(vessel, 0.0, 0.3, 0.0)
    assert x == n == 0.0
    assert y < 0.0
    assert hull_force(vessel, 0.0, 0.0, 0.1)[2] < 0.0
    assert np.abs(hull_force(vessel, 1e-9, 1e-9, 1e-6)).max() < 1e-6
    np.testing.assert_array_equal(hull_force(vessel, 0.0, 0.0, 0.0), 0.0)
    for angle in np.radians([44.9, 45.1]):  # no step where the fit ends
        force = hull_force(vessel, np.cos(angle), -np.sin(angle), 0.1)
        np.testing.assert_allclose(force, hull_force(vessel, np.sqrt(0.5), -np.sqrt(0.5), 0.1), rtol=2e-2)


@pytest.mark.parametrize("vessel", [MMGVessel(**SHIP), MMGVessel4DOF(**ROLLING)])
def test_port_is_the_mirror_image_of_starboard(vessel: MMGVessel) -> None:
    mirror = np.array([1, -1, 1, -1, 1, -1])
    nu, eta = np.array([0.9, -0.2, 0, 0.03, 0, 0.1]), np.array([0, 0, 0, 0.1, 0, 0.0])
    if type(vessel) is MMGVessel:
        nu[3] = eta[3] = 0.0
    force = np.array([30.0, -5.0, 0, 7.0, 0, 12.0])
    one = vessel.evaluate(states={"nu": nu, "eta": eta}, force=force).outputs["acceleration"]
    other = vessel.evaluate(states={"nu": mirror * nu, "eta": mirror * eta}, force=mirror * force)
    np.testing.assert_allclose(other.outputs["acceleration"], mirror * one, rtol=1e-13)


def test_a_mass_without_water_keeps_its_energy(sail: Sail) -> None:
    """Without added mass and hull forces; the centre of gravity ahead of the origin goes straight on."""
    vessel = MMGVessel(**SHIP | BARE, initial_nu=[1.0, 0.2, 0, 0, 0, 0.4])
    run = sail(vessel, 20.0, step=0.01)
    nu, eta = run.values("vessel.nu")[:, [0, 1, 5]], run.values("vessel.eta")
    energy = np.einsum("ti,ij,tj->t", nu, vessel.mass_matrix, nu)
    np.testing.assert_allclose(energy, energy[0], rtol=1e-8)
    centre = eta[:, :2] + 0.25 * np.column_stack([np.cos(eta[:, 5]), np.sin(eta[:, 5])])
    np.testing.assert_allclose(centre - np.outer(run.time, [1.0, 0.3]), np.tile([0.25, 0.0], (len(eta), 1)), atol=1e-6)


def test_a_rolling_mass_keeps_its_energy(sail: Sail) -> None:
    """Kinetic and that of the righting moment, to second order in roll: what is left out is of third order."""
    still = {"roll_damping": 0.0, "quadratic_roll_damping": 0.0}
    vessel = MMGVessel4DOF(**ROLLING | BARE | NO_HEEL | still, initial_nu=[1.0, 0.1, 0, 0.02, 0, 0.1])
    run = sail(vessel, 20.0, step=0.005)
    u, v, _, p, _, r = run.values("vessel.nu").T
    m, x_g, z_g = 3270.0, 0.25, 0.05
    motion = m * (u**2 + (v + x_g * r - z_g * p) ** 2) + m * (1.75 * r) ** 2 + 1.2 * m * (0.5 * p) ** 2
    energy = 0.5 * motion + m * 9.81 * 0.125 * (1.0 - np.cos(run.values("vessel.eta")[:, 3]))
    np.testing.assert_allclose(energy, energy[0], rtol=1e-8)


@pytest.mark.parametrize(
    ("kind", "given"),
    [(MMGVessel, SHIP), (MMGVessel, SHIP | DRIFT), (MMGVessel4DOF, ROLLING), (MMGVessel4DOF, ROLLING | DRIFT)],
)
def test_a_steady_current_carries_the_ship(sail: Sail, kind: type[MMGVessel], given: dict[str, Any]) -> None:
    """A turn in a current is the turn in still water plus the drift; a ship that goes with the water feels no force."""
    current, force = np.array([0.3, -0.2, 0.0]), [60.0, 4.0, 0, 3.0, 0, 30.0]
    still = sail(kind(**given, initial_nu=[1.0, 0, 0, 0, 0, 0]), 40.0, step=0.02, inputs={"force": force})
    moved = sail(
        kind(**given, initial_nu=[1.3, -0.2, 0, 0, 0, 0]), 40.0, step=0.02, inputs={"force": force, "current": current}
    )
    eta = still.values("vessel.eta").copy()
    assert eta[-1, 5] > 0.7
    eta[:, :3] += np.outer(still.time, current)
    np.testing.assert_allclose(moved.values("vessel.eta"), eta, atol=1e-7)
    found = kind(**given).evaluate(states={"nu": [*current, 0, 0, 0]}, current=current, force=np.zeros(6))
    np.testing.assert_allclose(found.outputs["acceleration"], 0.0, atol=1e-15)


def test_shallow_water_multiplies_the_derivatives() -> None:
    """By hand for h = 0.5 and 1/1.2: Kijima and Nakiri (1990), Ankudinov et al. (1990); and deep is deep."""
    fullness = 3.27 / (7.0 * 0.46**2)  # C_B B/d
    for h in (0.5, 1 / 1.2):
        found = MMGVessel(**SHIP, water_depth=0.46 / h, breadth=1.27).depth_factors
        assert found[4] == pytest.approx((1 - h) ** (-0.4 * fullness) - h)
        assert found[11] == pytest.approx((1 - h) ** -(1.5 - 14.28 * 0.46 / 7.0) - h)
    np.testing.assert_array_equal(MMGVessel(**SHIP).depth_factors, 1.0)
    deep = MMGVessel(**SHIP, water_depth=1000.0, breadth=1.27).depth_factors
    np.testing.assert_allclose(deep, 1.0, atol=5e-3)
    depths = [MMGVessel(**SHIP, water_depth=0.46 * k, breadth=1.27).depth_factors for k in (1.2, 1.5, 2.0, 3.0, 6.0)]
    sway, drift = np.array(depths)[:, [4, 10]].T
    assert np.all(np.diff(sway) < 0.0)
    assert np.all(np.diff(drift) < 0.0)
    assert sway[0] > 3.0  # the sway damping of a tanker with a fifth of its draught under the keel


def test_without_levers_a_rolling_ship_moves_as_one_that_does_not(sail: Sail) -> None:
    levers = ("centre_of_gravity_depth", "added_mass_depth", "hull_force_depth")
    stiff = MMGVessel4DOF(**ROLLING | dict.fromkeys(levers, 0.0) | NO_HEEL, initial_nu=[1.0, 0, 0, 0, 0, 0])
    flat = MMGVessel(**SHIP, initial_nu=[1.0, 0, 0, 0, 0, 0])
    one, other = (sail(v, 30.0, step=0.05, inputs={"force": [50, 3, 0, 0, 0, 40]}) for v in (stiff, flat))
    np.testing.assert_allclose(one.values("vessel.eta"), other.values("vessel.eta"), atol=1e-12)


def test_roll_period_and_decay(sail: Sail) -> None:
    """About a centre of gravity at the origin: T = 2π √((I_x + J_x)/(m g GM)), decrement 2πζ/√(1 - ζ²)."""
    inertia, stiffness, z = 3270.0 * 0.25 * 1.2, 3270.0 * 9.81 * 0.125, 0.05
    alone = {
        "centre_of_gravity_depth": 0.0, "added_mass_depth": 0.0, "hull_force_depth": 0.0, "quadratic_roll_damping": 0.0,
        "roll_damping": z,
    }  # fmt: skip
    vessel = MMGVessel4DOF(**ROLLING | alone | NO_HEEL, initial_eta=[0, 0, 0, 0.001, 0, 0])
    run = sail(vessel, 20.0, step=0.005)
    natural = np.sqrt(stiffness / inertia)
    damped = natural * np.sqrt(1 - z * z)
    t = run.time
    expected = 0.001 * np.exp(-z * natural * t) * (np.cos(damped * t) + z / np.sqrt(1 - z * z) * np.sin(damped * t))
    np.testing.assert_allclose(run.values("vessel.eta")[:, 3], expected, atol=1e-9)  # sin φ = φ to 2e-7


def test_a_turning_ship_heels_outwards(sail: Sail) -> None:
    """In a steady turn φ is that of the moments: righting, centrifugal at the masses and hydrodynamic at z_H."""
    vessel = MMGVessel4DOF(**ROLLING | NO_HEEL, initial_nu=[1.0, 0, 0, 0, 0, 0])
    run = sail(vessel, 400.0, step=0.05, inputs={"force": [120, 0, 0, 0, 0, 120.0]})
    nu, phi = run.values("vessel.nu")[-1], run.values("vessel.eta")[-1, 3]
    u, v, r = nu[[0, 1, 5]]
    assert abs(nu[3]) < 1e-9
    side = hull_force(MMGVessel(**SHIP), u, v, r)[1]
    moment = (3270.0 * 0.05 + 0.022 * AREA * LENGTH * 0.2) * u * r - 0.25 * side
    assert 3270.0 * 9.81 * 0.125 * np.sin(phi) == pytest.approx(moment, rel=1e-6)
    assert r > 0.0
    assert phi < 0.0  # to port in a turn to starboard


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"water_depth": 0.4, "breadth": 1.27},
            "water_depth must be more than the draught, 0.46 m, not 0.4 m: the ship would be",
        ),
        ({"water_depth": 0.6}, "breadth, in m, is wanted in shallow water"),
        ({"water_depth": 0.6, "breadth": 0.2}, "the block coefficient, is 5.08; ships have 0.4 to 0.9"),
        ({"length": 0.0}, "length must be > 0"),
        ({"displacement": 3270.0}, "displacement must be at most length² × draught, 22.54 m^3, not 3270 m^3"),
        ({"gyration": 1.75}, "gyration must be > 0 and < 1, not 1.75"),
        ({"added_mass": [250.0, 2500.0, 6000.0]}, "m_x' must be at most 5, not 250: added mass is dimensionless here"),
        ({"resistance": 22.0}, "R_0' must be at most 1, not 22: hydrodynamic derivatives are dimensionless"),
        ({"sway_derivatives": [-2.1e4, 1, 0, 0, 0, 0]}, "Y_v' must be within ±5, not -21000"),
        ({"yaw_derivatives": [-0.1, 0, 0, 0, -700, 0]}, "N_vrr' must be within ±50, not -700"),
        ({"sway_derivatives": [0.3, 0, 0, 0, 0, 0]}, "Y_v' must not be positive, not 0.3"),
        (
            {"sway_derivatives": [0.3, 0, 0, 0, 0, 0]},
            "If the source's are for the other, derivatives_of is drift_angle",
        ),
        ({"derivatives_of": "drift_angle"}, "Y_β' must not be negative, not -0.315"),
        ({"sway_derivatives": [-0.02, 0, 0, 0, 0, 0]}, "Is it over ½ρL²U²? The MMG standard method has ½ρLdU²"),
    ],
)
def test_mistakes_are_explained(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        MMGVessel(**SHIP | given)
    assert message in str(caught.value)


def test_a_rolling_ship_does_not_start_pitching() -> None:
    with pytest.raises(
        ParameterError, match=r"initial_nu: a ship in surge, sway, roll and yaw has w, q = 0, not 0, 0.1"
    ):
        MMGVessel4DOF(**ROLLING, initial_nu=[1, 0, 0, 0.1, 0.1, 0])


def test_the_hull_takes_energy_from_every_motion_down_to_what_is_warned_of() -> None:
    """P = f_d · ν at all drift angles and to r' = 1.5, in deep water and at 1.2 draughts; at 1.05 some make energy."""

    def least(depth: float) -> float:
        ship, found = MMGVessel.from_vehicle("kvlcc2", water_depth=depth), []
        for drift in np.radians(np.arange(-180.0, 180.0, 10.0)):
            for turn in np.arange(-1.5, 1.6, 0.25):
                nu = np.array([5.0 * np.cos(drift), -5.0 * np.sin(drift), 0, 0, 0, turn * 5.0 / 320.0])
                outputs = ship.evaluate(states={"nu": nu, "eta": np.zeros(6)}, force=np.zeros(6)).outputs
                found.append(float(np.asarray(outputs["damping_force"]) @ nu))
        return min(found)

    assert least(1e300) > 0.0
    assert least(1.2 * 20.8) > 0.0
    assert least(1.05 * 20.8) < 0.0


def test_what_no_hull_has_is_warned_of() -> None:
    water = {"breadth": 1.27, "water_depth": 1.1 * 0.46}
    yaw = [-0.137, 0.049, -0.03, -0.294, 0.055, -0.013]
    (shallow,) = MMGVessel(**SHIP | water).improbable()
    assert "water_depth is 1.1 draughts, and the corrections for shallow water grow without bound" in shallow.message
    (turning,) = MMGVessel(**SHIP | {"yaw_derivatives": yaw}).improbable()
    assert "N_r' is 0.049, a hull that speeds its own turn up" in turning.message
    assert not list(MMGVessel(**SHIP | water | {"water_depth": 1.2 * 0.46}).improbable())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"yaw_derivatives": [0.137, -0.049, -0.03, -0.294, 0.055, -0.013]},
            "N_v' is 0.137, a hull that turns its bow",
        ),
        ({"added_mass": [0.0014, 0.0145, 0.0007]}, "m_y' is 0.05 times the ship's mass, and ships have 0.5 to 1.5"),
        ({"centre_of_gravity": 1.0}, "centre_of_gravity is 1 m from midship"),
    ],
)
def test_signs_systems_and_origins_that_may_be_others(given: dict[str, Any], message: str) -> None:
    """Axes that count to the other side, prime I for MMG's ½ρL²d, and what counts from the aft perpendicular."""
    assert not list(MMGVessel(**SHIP).improbable())
    (told,) = MMGVessel(**SHIP | given).improbable()
    assert message in told.message


def test_a_drift_angle_to_the_other_side_is_warned_of() -> None:
    kcs = MMGVessel.from_vehicle("kcs")
    assert not list(kcs.improbable())
    kcs.yaw_derivatives = -np.asarray(kcs.yaw_derivatives) * [1.0, -1.0, 1.0, -1.0, 1.0, -1.0]
    (told,) = kcs.improbable()
    assert "N_β' is -0.1111" in told.message


def test_a_centre_of_gravity_off_the_ship_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"centre_of_gravity must be within ±L/2, 160 m, not 171 m"):
        MMGVessel.from_vehicle("kvlcc2", centre_of_gravity=171.0)


def test_derivatives_per_degree_are_refused_with_their_factor() -> None:
    sway = [0.2252 / 57.3, 0.0398, 1.7179 / 57.3**3, -0.4832 / 57.3**2, 0.8341 / 57.3, -0.0050]
    with pytest.raises(ParameterError, match=r"Y_β'. = 0\.0039.*per degree of β\? Multiply by 180/π"):
        MMGVessel.from_vehicle("kcs", sway_derivatives=sway)
