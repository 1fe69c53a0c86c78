"""LineOfSight3D: errors by rotation matrices, spheres, the pitch, and what it settles at in a current."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import fsolve
from scipy.spatial.transform import Rotation

from blocks import Block, Diagram, simulate
from blocks.basic import Constant
from blocks.control import PID, ComposeWrench
from blocks.dynamics import KinematicVehicle
from blocks.guidance import LineOfSight, LineOfSight3D
from blocks.guidance.line_of_sight_law import LineOfSightLaw

DESCENT = [[0.0, 0.0, 0.0], [4000.0, 0.0, 1000.0]]
SLOPE = np.arctan(-0.25)
SPEED, ACROSS, DOWN = 1.5, 0.3, 0.2  # of the vehicle, and of the water to starboard and down, m/s


def guidance(waypoints: object = DESCENT, **changes: Any) -> LineOfSight3D:
    given = {"waypoints": waypoints, "acceptance_radius": 2.0, "cruise_speed": SPEED, "speed_taper": False}
    return LineOfSight3D(**(given | {"lookahead": 6.0, "vertical_lookahead": 4.0} | changes))


def outputs(block: LineOfSightLaw, eta: object, nu: object = (0.0,) * 6, **states: float) -> dict[str, Any]:
    return block.evaluate(states=states, eta=eta, nu=nu).outputs


# --- equations --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_errors_and_angles_are_those_of_the_path_frame(seed: int) -> None:
    """(x_e, y_e, z_e) = R_y(α_v)ᵀ R_z(α_h)ᵀ (p - p_k), with the rotations of SciPy."""
    random = np.random.default_rng(seed)
    begin, end, place = random.uniform(-40.0, 40.0, (3, 3))
    north, east, down = end - begin
    azimuth, slope = np.arctan2(east, north), np.arctan2(-down, np.hypot(north, east))
    _, y, z = Rotation.from_euler("ZY", [azimuth, slope]).inv().apply(place - begin)
    beta, alpha, psi = random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(-6.0, 6.0)
    block = guidance([begin, end], adaptive=True, adaptation_gain=0.01, vertical_adaptation_gain=0.02)
    got = block.evaluate(
        states={"sideslip_estimate": beta, "angle_of_attack_estimate": alpha},
        eta=[*place, 0.1, 0.2, psi],
        nu=np.zeros(6),
    )
    assert got.outputs["cross_track_error"] == pytest.approx(y, abs=1e-11)
    assert got.outputs["vertical_track_error"] == pytest.approx(z, abs=1e-11)
    heading = np.exp(1j * (azimuth - beta - np.arctan(y / 6.0)))
    assert np.exp(1j * got.outputs["heading"]) == pytest.approx(heading, abs=1e-11)
    limited = np.clip(slope + alpha + np.arctan(z / 4.0), -np.pi / 2, np.pi / 2)
    assert got.outputs["pitch"] == pytest.approx(limited, abs=1e-11)
    assert got.derivatives["sideslip_estimate"] == pytest.approx(0.01 * 6.0 * y / np.hypot(6.0, y))
    assert got.derivatives["angle_of_attack_estimate"] == pytest.approx(0.02 * 4.0 * z / np.hypot(4.0, z))


def test_each_estimate_stops_at_its_own_limit() -> None:
    """One at the limit and driven beyond it, the other well within: the first rests, and the second goes on."""
    names = ("sideslip_estimate", "angle_of_attack_estimate")
    block = guidance([[0.0, 0.0, 0.0], [50.0, 0.0, 0.0]], adaptive=True, sideslip_limit=0.3)
    for one, other in (names, names[::-1]):
        got = block.evaluate(states={one: 0.3, other: 0.0}, eta=[10.0, 4.0, 5.0, 0, 0, 0], nu=np.zeros(6))
        assert got.derivatives[one] == 0.0
        assert got.derivatives[other] > 1e-4


def test_on_a_level_leg_it_is_line_of_sight_in_the_plane() -> None:
    level = [[1.0, 2.0, 3.0], [31.0, 42.0, 3.0]]
    eta, nu = [8.0, 3.0, 5.0, 0.0, 0.0, 0.4], [1.0, 0.3, 0.0, 0.0, 0.0, 0.0]
    for choice in ({}, {"sideslip_compensation": True}, {"depth_reference": "leg", "speed_taper": True}):
        given = {"acceptance_radius": 2.0, "cruise_speed": SPEED, "lookahead": 6.0, "speed_taper": False} | choice
        found = outputs(guidance(level, **choice), eta, nu)
        wanted = outputs(LineOfSight(waypoints=level, **given), eta, nu)
        assert {name: found[name] for name in wanted} == pytest.approx(wanted, abs=1e-14)
        assert found["vertical_track_error"] == 2.0
        assert found["pitch"] == pytest.approx(np.arctan(2.0 / 4.0), abs=1e-14)  # below the leg: bow up


@pytest.mark.parametrize("attitude", [(0.0, 0.0, 0.3), (0.4, -0.2, 1.0), (-0.3, 0.5, -2.0)])
def test_measured_drift_turns_the_motion_onto_the_leg(attitude: tuple[float, float, float]) -> None:
    """ψ_d is turned by the course over ground less the heading, θ_d by the pitch less the climb, both by SciPy.

    The climb is that of the motion in the vertical plane of the heading: without what goes to starboard.
    """
    phi, theta, psi = attitude
    velocity = np.array([1.2, 0.2, -0.15])
    turn = Rotation.from_euler("ZYX", [psi, theta, phi])
    north, east, down = turn.apply(velocity)
    forward = np.hypot(north, east) * np.cos(np.arctan2(east, north) - psi)
    eta = [10.0, 0.4, 2.0, phi, theta, psi]
    plain, turned = (
        outputs(guidance(sideslip_compensation=choice), eta, [*velocity, 0.0, 0.0, 0.0]) for choice in (False, True)
    )
    crab = np.exp(1j * (turned["heading"] - plain["heading"] + np.arctan2(east, north) - psi))
    assert crab == pytest.approx(1.0, abs=1e-12)
    assert turned["pitch"] - plain["pitch"] == pytest.approx(theta - np.arctan2(-down, forward), abs=1e-12)


def test_the_pitch_stays_within_its_limit_and_is_level_where_there_is_no_leg() -> None:
    far_below, far_above = [10.0, 0.0, 500.0, 0, 0, 0], [10.0, 0.0, -500.0, 0, 0, 0]
    assert outputs(guidance(pitch_limit="30 deg"), far_below)["pitch"] == pytest.approx(np.pi / 6)
    assert outputs(guidance(pitch_limit="30 deg"), far_above)["pitch"] == pytest.approx(-np.pi / 6)
    assert outputs(guidance(), far_above)["pitch"] == pytest.approx(-np.pi / 2)
    spot = guidance([[0.0, 0.0, 0.0], [0.0, 0.0, 50.0], [9.0, 0.0, 50.0]])
    diving = outputs(spot, [-3.0, 1.0, 20.0, 0.0, 0.0, 0.0], phase=1.0, kept_heading=0.0)
    assert (diving["pitch"], diving["speed"], diving["depth"]) == (0.0, 0.0, 50.0)
    assert diving["vertical_track_error"] == pytest.approx(3.0)  # its nose down the leg, it lies behind it, so below
    assert outputs(guidance(), far_below, phase=2.0)["pitch"] == 0.0


# --- spheres ----------------------------------------------------------------------------------------------------------


def waypoint_after(block: Block, eta: list[float]) -> float:
    given = {"active_waypoint": 2.0, "phase": 1.0, "start_time": 0.0}
    updated = block.evaluate(t=10.0, states=given, eta=[*eta, 0.0, 0.0, 0.0], nu=np.zeros(6)).updated
    return float(updated["active_waypoint"])


def test_a_leg_is_done_within_a_sphere_or_along_its_slope() -> None:
    path = [[0.0, 0.0, 0.0], [30.0, 0.0, 40.0], [60.0, 0.0, 40.0]]
    sphere, along = guidance(path), guidance(path, switching="along_track")
    assert waypoint_after(sphere, [30.0, 0.0, 38.1]) == 3.0
    assert waypoint_after(sphere, [30.0, 0.0, 37.9]) == 2.0  # abeam of it in the plane, too high in space
    assert waypoint_after(sphere, [29.0, 1.0, 38.6]) == 3.0
    assert waypoint_after(sphere, [29.0, 1.0, 38.5]) == 2.0
    for left, expected in ((2.01, 2.0), (1.99, 3.0), (-5.0, 3.0)):
        place = np.array([30.0, 0.0, 40.0]) - left * np.array([0.6, 0.0, 0.8])
        aside = [-0.8 * 7.0, 3.0, 0.6 * 7.0]  # however far from the leg
        assert waypoint_after(along, [*(place + aside)]) == expected


# --- in a current -----------------------------------------------------------------------------------------------------


def loop(block: LineOfSight3D, water: tuple[float, float, float], **vehicle: Any) -> Diagram:
    """A vehicle that turns and pitches as told, in water that flows."""
    diagram = Diagram("loop")
    craft = diagram.add("craft", KinematicVehicle(mobility=[1.0, 0.0, 0.0, 0.0, 1.0, 1.0], **vehicle))
    wrench = diagram.add("wrench", ComposeWrench())
    current, speed = diagram.add("current", Constant(water)), diagram.add("speed", Constant(SPEED))
    diagram.add("guidance", block)
    for axis, reference, angle in (("M", block.pitch, "theta"), ("N", block.heading, "psi")):
        controller = diagram.add(axis, PID(kp=1.0, derivative="none", angle=True))
        diagram.connect(reference, controller.reference)
        diagram.connect(craft.eta[angle], controller.measurement)
        diagram.connect(controller.output, wrench.port(axis))
    diagram.connect(speed.y, wrench.X)
    diagram.connect(wrench.force, craft.force)
    diagram.connect(current.y, craft.current)
    diagram.connect(craft.eta, block.eta)
    diagram.connect(craft.nu, block.nu)
    return diagram


def at_the_end(block: LineOfSight3D, water: tuple[float, float, float], end: float = 250.0) -> dict[str, float]:
    run = simulate(loop(block, water, initial_eta=[0, 5, 3, 0, 0, 0]), end, step=0.05, every=100)
    return {
        "y_e": run.values("guidance.cross_track_error")[-1],
        "z_e": run.values("guidance.vertical_track_error")[-1],
        "theta": run.values("craft.eta[theta]")[-1],
        "psi": run.values("craft.eta[psi]")[-1],
        **{name: run.values(f"guidance.{name}")[-1] for name in block.states if name.endswith("estimate")},
    }


def test_a_descending_leg_in_a_vertical_current() -> None:
    """Normal to the leg the vehicle has to make up for the water: U sin(θ - α_v) = c cos α_v."""
    attack = np.arcsin(DOWN * np.cos(SLOPE) / SPEED)
    plain = at_the_end(guidance(), (0.0, 0.0, DOWN))
    assert plain["theta"] == pytest.approx(SLOPE + attack, abs=1e-6)
    assert plain["z_e"] == pytest.approx(4.0 * np.tan(attack), rel=1e-6)
    assert plain["y_e"] == pytest.approx(0.0, abs=1e-6)
    measured = at_the_end(guidance(sideslip_compensation=True), (0.0, 0.0, DOWN))
    assert measured["z_e"] == pytest.approx(0.0, abs=1e-6)


def test_adaptation_takes_both_offsets_away() -> None:
    """And the estimates end where heading and pitch then have to be."""
    water = (0.0, ACROSS, DOWN)
    gains = {"adaptation_gain": 0.01, "vertical_adaptation_gain": 0.02}
    learnt = at_the_end(guidance(adaptive=True, **gains), water)
    assert abs(learnt["y_e"]) < 0.001
    assert abs(learnt["z_e"]) < 0.001

    def off_the_leg(angles: NDArray[np.float64]) -> NDArray[np.float64]:
        """Velocity over ground at right angles to the leg, across and down."""
        psi, theta = angles
        velocity = SPEED * np.array([np.cos(theta) * np.cos(psi), np.cos(theta) * np.sin(psi), -np.sin(theta)]) + water
        return np.array([velocity[1], velocity[2] * np.cos(SLOPE) + velocity[0] * np.sin(SLOPE)])

    psi, theta = fsolve(off_the_leg, [0.0, SLOPE])
    assert (learnt["psi"], learnt["theta"]) == pytest.approx((psi, theta), abs=1e-4)
    assert learnt["sideslip_estimate"] == pytest.approx(-psi, abs=1e-3)
    assert learnt["angle_of_attack_estimate"] == pytest.approx(theta - SLOPE, abs=1e-3)
    plain = at_the_end(guidance(), water)
    assert plain["y_e"] > 1.0
    assert plain["z_e"] > 0.5
    assert plain["y_e"] == pytest.approx(-6.0 * np.tan(plain["psi"]), rel=1e-3)
    assert plain["z_e"] == pytest.approx(4.0 * np.tan(plain["theta"] - SLOPE), rel=1e-3)


def test_sideslip_is_compensated_with_roll_and_pitch() -> None:
    """Pitched down in a turn the vehicle rolls, and keeps that; its motion still ends on the leg."""
    run = simulate(
        loop(guidance(sideslip_compensation=True), (0.0, ACROSS, 0.0), initial_eta=[0, 8, 0, 0.3, -0.3, -1.0]),
        150.0, step=0.05, every=100,
    )  # fmt: skip
    assert abs(run.values("craft.eta[phi]")[-1]) > 0.1
    assert run.values("guidance.cross_track_error")[-1] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("switching", ["circle", "along_track"])
def test_an_adaptive_run_switches_at_the_exact_distance_in_space(switching: str) -> None:
    block = guidance([[0.0, 0.0, 0.0], [60.0, 0.0, 20.0]], switching=switching)
    diagram = loop(block, (0.0, 0.0, 0.0), initial_eta=[0, 3, 4, 0, 0, 0])
    tight: dict[str, Any] = {"relative_tolerance": 1e-9, "absolute_tolerance": 1e-9}
    run = simulate(diagram, 90.0, step=1.0, solver="dopri5", stop="guidance.finished", **tight)
    left = np.array([60.0, 0.0, 20.0]) - run.values("craft.eta")[-1, :3]
    distance = np.linalg.norm(left) if switching == "circle" else left @ [60.0, 0.0, 20.0] / np.hypot(60.0, 20.0)
    assert run.status == "stopped"
    assert distance == pytest.approx(2.0, abs=1e-8)


def test_it_dives_and_climbs_along_a_loop() -> None:
    path = [[0.0, 0.0, 0.0], [40.0, 0.0, 10.0], [40.0, 30.0, 10.0], [0.0, 30.0, 0.0]]
    block = guidance(path, at_end="loop", acceptance_radius=3.0)
    run = simulate(loop(block, (0.0, 0.0, 0.0)), 200.0, step=0.05, every=4)
    waypoint = run.values("guidance.waypoint")
    order = [int(waypoint[0]), *(int(w) for w in waypoint[1:][np.diff(waypoint) != 0])]
    assert order[:6] == [2, 3, 4, 1, 2, 3]
    places = run.values("craft.eta")[:, :3]
    assert all(np.linalg.norm(places - point, axis=1).min() < 3.1 for point in path)
