"""What is published of the vehicles beside their parameters, found again with them."""

from typing import Any

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.dynamics import DiagonalVessel3DOF, FloatingVehicle, Vessel6DOF
from blocks.environment import WindLoad
from blocks.thrust import (
    AirFan,
    AzimuthAllocation,
    AzimuthThrusters,
    DifferentialThrust,
    Foil,
    MeasuredThruster,
    Rudder,
)
from blocks.vehicles.vehicle import describe


def steady_speed(vessel: Any, thrust: float, stop: float = 60.0) -> float:
    """Surge velocity after a long time at a constant thrust."""
    diagram = Diagram()
    diagram.add("vessel", vessel)
    push = diagram.add("push", Constant([thrust, 0.0, 0.0, 0.0, 0.0, 0.0]))
    diagram.connect(push.y, vessel.force)
    return float(simulate(diagram, stop, step=0.02)["vessel.nu"][-1, 0])


def skew(r: Any) -> Any:
    x, y, z = r
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def about_origin(mass: float, inertia: Any, r: Any) -> Any:
    """M_RB of a body with its centre of gravity at r, moved there once."""
    cross = mass * skew(r)
    return np.block([[mass * np.eye(3), -cross], [cross, np.asarray(inertia) - mass * skew(r) @ skew(r)]])


# --- Tito Neri --------------------------------------------------------------------------------------------------------


def test_tito_neri_goes_straight_at_its_published_speed() -> None:
    diagram = Diagram()
    vessel = diagram.add("vessel", Vessel6DOF.from_vehicle("tito_neri"))
    thrusters = diagram.add("thrusters", AzimuthThrusters.from_vehicle("tito_neri"))
    command = diagram.add("command", Constant([60.0, 60.0, 0.0]))
    diagram.connect(command.y, thrusters.command)
    diagram.connect(thrusters.force, vessel.force)
    diagram.connect(vessel.nu_r, thrusters.nu_r)
    result = simulate(diagram, 120.0, step=0.01)
    np.testing.assert_allclose(result["thrusters.thrust"][-1], [4.7946, 4.7946, 0.0], atol=1e-9)
    assert result["vessel.nu"][-1, 0] == pytest.approx(3.630, abs=5e-4)
    np.testing.assert_allclose(result["vessel.nu"][-1, 1:], 0.0, atol=1e-12)
    reached = result["thrusters.speed"][:, 0]
    assert np.diff(reached).max() <= 120.0 * 0.01 * (1.0 + 1e-9)  # the published rate limit


def test_tito_neri_keeps_its_kinetic_energy_without_damping() -> None:
    vessel = Vessel6DOF.from_vehicle(
        "tito_neri", linear_damping=np.zeros((6, 6)), initial_nu=[0.3, 0.08, 0.0, 0.0, 0.0, 0.05]
    )
    diagram = Diagram()
    diagram.add("vessel", vessel)
    push = diagram.add("push", Constant(np.zeros(6)))
    diagram.connect(push.y, vessel.force)
    nu = simulate(diagram, 60.0, step=1.0 / 200.0, solver="rk4")["vessel.nu"].values
    energy = 0.5 * np.einsum("ti,ij,tj->t", nu, np.asarray(vessel.mass_matrix), nu)
    assert np.ptp(nu[:, 1]) > 0.01  # it does move about
    assert np.abs(energy / energy[0] - 1.0).max() < 1e-9


def test_the_bow_thruster_pushes_to_starboard_and_turns_the_bow_there() -> None:
    block = AzimuthThrusters.from_vehicle("tito_neri", response="instant")
    force = block.evaluate(command=[0.0, 0.0, 1.0], angle=[0.0, 0.0, 1.570796]).outputs["force"]
    assert force[1] == pytest.approx(3.575, rel=1e-9)
    assert force[5] == pytest.approx(3.575 * 0.28, rel=1e-9)


# --- Boats of usv_sim -------------------------------------------------------------------------------------------------


def test_lutra_prop_was_identified_at_the_speeds_that_it_reaches() -> None:
    vessel = DiagonalVessel3DOF.from_vehicle("lutra_prop")
    both = DifferentialThrust.from_vehicle("lutra_prop").evaluate(command=[100.0, 100.0]).outputs["force"]
    assert both[0] == 23.0
    assert both[0] / vessel.linear_damping[0] == pytest.approx(1.35 * 23.0 / 22.0, rel=1e-3)  # eq. 5.4 takes 22 N
    m = 9.7
    assert vessel.inertia[0] == pytest.approx(m + 0.05)
    assert m * (1.06**2 + 0.48**2) / 12 + 0.064 == pytest.approx(vessel.inertia[2], rel=1e-3)
    assert m + 0.5 * 997.0 * np.pi * 0.02**2 * 1.06 == pytest.approx(vessel.inertia[1], rel=1e-4)  # eq. 5.2
    assert vessel.inertia[0] * 0.92 * 0.25 / 0.22 == pytest.approx(vessel.linear_damping[1], rel=1e-4)  # eq. 5.5


def test_lutra_prop_as_simulated_reaches_the_measured_speed() -> None:
    speed = steady_speed(Vessel6DOF.from_vehicle("lutra_prop", "simulated"), 22.54)
    assert speed == pytest.approx(1.41, abs=0.005)  # table 3.2


def test_lutra_wind_coefficients_make_those_of_the_power_model() -> None:
    load = WindLoad.from_vehicle("lutra_prop")
    found = load.evaluate(wind=[-1.0, 0.0, 0.0], eta=np.zeros(6), nu=[1.0, 0, 0, 0, 0, 0]).outputs["disturbance"]
    assert -found[0] == pytest.approx(0.032, abs=5e-4)  # eq. 5.7, for 1 m/s from ahead, over ground
    across = load.evaluate(wind=[0.0, 1.0, 0.0], eta=np.zeros(6)).outputs["disturbance"]
    assert across[1] == pytest.approx(0.5 * 1.184 * 1.11 * 0.18, rel=1e-12)  # 0.118; eq. 5.7 has 0.105


def test_airboat_reaches_the_measured_speed() -> None:
    fan = AirFan.from_vehicle("lutra_airboat").evaluate(command=10.0).outputs
    assert fan["thrust"] == 3.1
    assert steady_speed(Vessel6DOF.from_vehicle("lutra_airboat"), 3.1) == pytest.approx(0.67, abs=0.005)  # table 3.2


@pytest.mark.parametrize("name", ["usv_rudder_boat", "usv_sailboat"])
def test_rudders_turn_their_boats_to_starboard(name: str) -> None:
    rudder = Rudder.from_vehicle(name)
    found = rudder.evaluate(command=0.2, nu_r=[1.0, 0, 0, 0, 0, 0]).outputs
    area = {"usv_rudder_boat": 0.02, "usv_sailboat": 1.0}[name]
    lift = 0.5 * 1000.0 * area * 1.5 * np.sin(0.4)
    assert abs(found["lift"]) == pytest.approx(lift, rel=1e-12)
    assert found["force"][5] > 0.0


def test_the_keel_of_the_sailboat_holds_it_against_leeway() -> None:
    keel = Foil.from_vehicle("usv_sailboat")
    force = keel.evaluate(nu_r=[0.8, 0.1, 0, 0, 0, 0]).outputs["force"]
    assert force[1] < 0.0
    assert force @ [0.8, 0.1, 0, 0, 0, 0] < 0.0


# --- SMARTY -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("block", [Vessel6DOF, FloatingVehicle])
def test_smarty_has_the_matrices_of_its_simulator(block: Any) -> None:
    vessel = block.from_vehicle("smarty")
    diagonal = np.diag(np.asarray(vessel.mass_matrix))
    np.testing.assert_allclose(diagonal, [14.4202981] * 3 + [0.04592, 0.04592, 0.0806183], rtol=1e-7)
    drag = np.diag(np.asarray(vessel.quadratic_damping))
    np.testing.assert_allclose(drag, [15.375, 15.375, 68.8303315, 0.075, 0.075, 0.075], rtol=1e-8)
    stiffness = np.diag(np.asarray(vessel.stiffness))
    np.testing.assert_allclose(stiffness, [0.0, 0.0, 710.763739, 3.99804603, 3.99804603, 0.0], rtol=1e-8)


# --- Vehicles from other literature -----------------------------------------------------------------------------------


def test_otter_is_moved_to_the_body_origin_once() -> None:
    vessel = Vessel6DOF.from_vehicle("otter")
    m, length, beam = 55.0, 2.0, 1.08
    inertia = m * np.diag([(0.4 * beam) ** 2, (0.25 * length) ** 2, (0.25 * length) ** 2])
    once = about_origin(m, inertia, [0.2, 0.0, -0.2])
    np.testing.assert_allclose(np.asarray(vessel.rigid_body_inertia), once, atol=1e-9)
    moments = np.diag(once)[3:]
    added = [2.7 * 1025.0 * (m / 1025.0) ** (5 / 3) / length**2, 1.5 * m, m, *(np.array([0.2, 0.8, 1.7]) * moments)]
    np.testing.assert_allclose(np.diag(np.asarray(vessel.added_mass)), added, rtol=1e-6)


def test_otter_with_payload_has_the_smaller_of_two_published_moments() -> None:
    """25 kg at (0.05, 0, -0.35) m: 10.7 kg m^2 about the common centre of gravity, and not 16.7."""
    hull, load, at_hull, at_load = 55.0, 25.0, np.array([0.2, 0.0, -0.2]), np.array([0.05, 0.0, -0.35])
    common = (hull * at_hull + load * at_load) / (hull + load)
    inertia = hull * np.diag([0.432**2, 0.25, 0.25])
    right = about_origin(hull, inertia, at_hull - common) + about_origin(load, np.zeros((3, 3)), at_load - common)
    wrong = inertia - hull * skew(common) @ skew(common) - load * skew(at_load) @ skew(at_load)
    assert right[3, 3] == pytest.approx(10.7, abs=0.05)
    assert wrong[0, 0] == pytest.approx(16.7, abs=0.05)
    assert any("16.7 instead of 10.7" in fault for fault in describe("otter").faults)


def test_otter_runs_six_knots_and_damps_as_specified() -> None:
    vessel, thrusters = Vessel6DOF.from_vehicle("otter"), DifferentialThrust.from_vehicle("otter")
    force = thrusters.evaluate(command=[1e3, 1e3]).outputs["force"]
    assert force[0] == pytest.approx(24.4 * 9.81, rel=1e-6)
    assert force[0] / vessel.linear_damping[0, 0] == pytest.approx(6 * 0.5144, rel=1e-6)
    mass, damping = (np.diag(np.asarray(m)) for m in (vessel.mass_matrix, vessel.linear_damping))
    assert damping[1] == pytest.approx(mass[1])  # 1 s in sway
    assert damping[5] == pytest.approx(mass[5])  # 1 s in yaw
    heave = vessel.stiffness[2, 2]
    metacentric = np.array([heave, vessel.stiffness[3, 3], vessel.stiffness[4, 4] - 0.2**2 * heave])
    ratios = damping[2:5] / (2.0 * np.sqrt(metacentric * mass[2:5]))
    np.testing.assert_allclose(ratios, [0.3, 0.2, 0.4], rtol=1e-5)
    assert metacentric[1] / (55.0 * 9.81) == pytest.approx(1.997, abs=1e-3)


def test_otter_floats_where_it_is_put_and_trims_about_its_centre_of_flotation() -> None:
    vessel = Vessel6DOF.from_vehicle("otter")
    # turned about the centre of flotation, 0.2 m aft, the pontoons displace as much as before
    force = vessel.evaluate(states={"eta": [0.0, 0.0, -0.2 * 0.01, 0.0, 0.01, 0.0]}).outputs["restoring_force"]
    assert force[2] == pytest.approx(0.0, abs=1e-9)
    assert force[4] > 0.0


@pytest.mark.parametrize(("name", "speed"), [("wam_v", 7.71667), ("wam_v_vrx2", 5.278)])
def test_wam_v_top_speeds(name: str, speed: float) -> None:
    thrusters = DifferentialThrust.from_vehicle(name)
    force = thrusters.evaluate(command=[1e4, 1e4]).outputs["force"]
    vessel = Vessel6DOF.from_vehicle(name)
    drag = vessel.evaluate(states={"nu": [speed, 0, 0, 0, 0, 0]}).outputs["damping_force"]
    assert drag[0] == pytest.approx(force[0], rel=1e-3)


def test_wam_v_is_hull_engines_and_propellers() -> None:
    total = about_origin(180.0, np.diag([120.0, 393.0, 446.0]), np.zeros(3))
    for side in (-1.0, 1.0):
        engine = np.array([-2.373776, side * 1.027135, -0.318237])
        propeller = engine + np.array([-0.278156, 0.0, 0.509371])
        total = total + about_origin(15.0, np.diag([0.889245, 0.911125, 0.078125]), engine)
        total = total + about_origin(0.5, np.diag([0.008545, 0.008545, 0.0144]), propeller)
    np.testing.assert_allclose(np.asarray(Vessel6DOF.from_vehicle("wam_v").rigid_body_inertia), total, atol=1e-4)


def test_bluerov2_adds_its_added_mass() -> None:
    vessel = Vessel6DOF.from_vehicle("bluerov2_heavy")
    np.testing.assert_allclose(
        np.diag(np.asarray(vessel.mass_matrix)), [19.86, 20.62, 32.18, 0.449, 0.365, 0.592], rtol=1e-12
    )
    assert vessel.weight - vessel.buoyancy == pytest.approx(0.982, abs=1e-9)  # in fresh water it sinks


def test_remus_runs_at_its_design_speed() -> None:
    vessel = Vessel6DOF.from_vehicle("remus100", "dynamics")
    drag = vessel.evaluate(states={"nu": [1.54, 0, 0, 0, 0, 0]}).outputs["damping_force"]
    assert drag[0] == pytest.approx(3.86, rel=0.01)  # X_prop of table C.9


def test_fins_of_remus_do_what_the_hull_with_fins_has_at_the_design_speed() -> None:
    """Y_uv, Y_ur, N_uv and N_ur of the fins follow from two foils 0.638 m aft."""
    bare, whole = (Vessel6DOF.from_vehicle("remus100", section) for section in ("bare_hull", "dynamics"))
    rudder, planes = Rudder.from_vehicle("remus100", "rudder"), Foil.from_vehicle("remus100", "stern_planes")
    small = 1e-4
    for motion in (1, 2, 4, 5):
        nu = np.array([1.54, 0, 0, 0, 0, 0])
        nu[motion] = small
        fins = rudder.evaluate(command=0.0, nu_r=nu).outputs["force"] + planes.evaluate(nu_r=nu).outputs["force"]
        damping = (np.asarray(whole.linear_damping) - np.asarray(bare.linear_damping))[:, motion] * small
        np.testing.assert_allclose(fins[1:], -damping[1:], atol=2e-3 * np.abs(damping).max())


def test_fins_of_remus_deflected() -> None:
    force = Rudder.from_vehicle("remus100").evaluate(command=0.01, nu_r=[1.54, 0, 0, 0, 0, 0]).outputs["force"]
    assert force[1] == pytest.approx(-9.64 * 1.54**2 * 0.01, rel=2e-3)  # Y_uudr, the sign of delta turned
    assert force[5] == pytest.approx(6.15 * 1.54**2 * 0.01, rel=2e-3)  # N_uudr


def test_added_mass_of_remus_makes_its_published_cross_terms() -> None:
    """N_uv of added mass is -34.6 kg and N_ur 1.93 kg m, the Munk moment among them, by the Coriolis matrix."""
    vessel = Vessel6DOF.from_vehicle("remus100", "dynamics", rigid_body_inertia=np.zeros((6, 6)) + 1e-12 * np.eye(6))
    sway = vessel.evaluate(states={"nu": [1.0, 1.0, 0, 0, 0, 0]}).outputs["coriolis_force"]
    assert -sway[5] == pytest.approx(-34.6, abs=0.05)
    yaw = vessel.evaluate(states={"nu": [1.0, 0, 0, 0, 0, 1.0]}).outputs["coriolis_force"]
    assert -yaw[1] == pytest.approx(-0.93, abs=1e-6)
    assert -yaw[5] == pytest.approx(1.93, abs=1e-6)


def test_thrusters_of_bluerov2_reach_all_six_motions_and_follow_the_published_polynomial() -> None:
    thrusters = MeasuredThruster.from_vehicle("bluerov2_heavy")
    assert np.linalg.matrix_rank(np.asarray(thrusters.allocation_matrix)) == 6
    at = np.array([0.156, 0.111, 0.085])
    direction = np.array([1.0, -1.0, 0.0]) / np.sqrt(2.0)
    first = np.asarray(thrusters.allocation_matrix)[:, 0]
    np.testing.assert_allclose(first, [*direction, *np.cross(at, direction)], atol=1e-5)
    for v in (0.25, 0.5, 0.75):
        published = -140.3 * v**9 + 389.9 * v**7 - 404.1 * v**5 + 176.0 * v**3 + 8.9 * v
        for sign in (1.0, -1.0):
            thrust = thrusters.evaluate(command=np.full(8, sign * v)).outputs["thrust"]
            np.testing.assert_allclose(thrust, sign * published, rtol=0.01)


def test_allocation_of_tito_neri_gives_what_is_wanted() -> None:
    allocation = AzimuthAllocation.from_vehicle("tito_neri")
    thrusters = AzimuthThrusters.from_vehicle("tito_neri", response="instant")
    wanted = [3.0, 0.5, 0.0, 0.0, 0.0, 0.4]
    found = allocation.evaluate(force=wanted).outputs
    given = thrusters.evaluate(command=found["command"], angle=found["angle"]).outputs["force"]
    np.testing.assert_allclose(given, wanted, atol=1e-6)
