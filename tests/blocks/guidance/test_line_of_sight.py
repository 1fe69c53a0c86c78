"""LineOfSight on one leg: geometry, heading, speed, depth and sideslip."""

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.environment import UniformCurrent
from blocks.errors import WiringError
from blocks.guidance import LineOfSight

OBLIQUE = [[1.0, 2.0, 0.0], [4.0, 6.0, 5.0]]  # length 5, cos 0.6, sin 0.8
LONG = [[0.0, 0.0, 0.0], [1e4, 0.0, 0.0]]
AT_REST = np.zeros(6)


def guidance(waypoints: object = LONG, **changes: object) -> LineOfSight:
    return LineOfSight(**({"waypoints": waypoints, "acceptance_radius": 0.5, "cruise_speed": 1.0} | changes))


def pose(north: float, east: float, psi: float = 0.0, down: float = 0.0) -> list[float]:
    return [north, east, down, 0.0, 0.0, psi]


def on_oblique(along: float, error: float, psi: float = 0.0) -> list[float]:
    return pose(1.0 + 0.6 * along - 0.8 * error, 2.0 + 0.8 * along + 0.6 * error, psi)


@pytest.mark.parametrize("error", [-3.0, 0.0, 0.25])
def test_heading_aims_at_a_point_ahead_on_the_leg(error: float) -> None:
    got = guidance(OBLIQUE, lookahead=2.0).evaluate(eta=on_oblique(1.5, error), nu=AT_REST).outputs
    assert got["cross_track_error"] == pytest.approx(error, abs=1e-12)
    assert got["heading"] == pytest.approx(np.arctan2(0.8, 0.6) - np.arctan(error / 2.0), abs=1e-12)
    assert (got["waypoint"], got["finished"]) == (2.0, 0.0)


def test_heading_stays_within_half_a_turn() -> None:
    """Course 170°, vehicle to port: the heading passes 180° and comes out on the other side."""
    course = np.radians(170.0)
    end = [100.0 * np.cos(course), 100.0 * np.sin(course), 0.0]
    port = pose(5.0 * np.sin(course), -5.0 * np.cos(course))
    got = guidance([[0.0, 0.0, 0.0], end], lookahead=5.0).evaluate(eta=port, nu=AT_REST).outputs
    assert got["cross_track_error"] == pytest.approx(-5.0)
    assert np.degrees(got["heading"]) == pytest.approx(170.0 + 45.0 - 360.0)


def test_speed_tapers_with_the_heading_error_the_short_way_round() -> None:
    west_of_north = [[0.0, 0.0, 0.0], [100.0 * np.cos(np.radians(-10)), 100.0 * np.sin(np.radians(-10)), 0.0]]
    for psi, wanted in ((10.0, 1 - 20 / 90), (350.0, 1.0), (-10.0, 1.0), (90.0, 0.0), (170.0, 0.0), (-100.0, 0.0)):
        got = guidance(west_of_north, cruise_speed=1.0).evaluate(eta=pose(0, 0, np.radians(psi)), nu=AT_REST)
        assert got.outputs["speed"] == pytest.approx(wanted, abs=1e-12)


def test_speed_taper_can_be_widened_and_switched_off() -> None:
    astern = pose(0.0, 0.0, np.radians(120.0))
    assert guidance().evaluate(eta=astern, nu=AT_REST).outputs["speed"] == 0.0
    wide = guidance(taper_angle="180 deg", cruise_speed=1.5).evaluate(eta=astern, nu=AT_REST)
    assert wide.outputs["speed"] == pytest.approx(0.5)
    assert guidance(speed_taper=False).evaluate(eta=astern, nu=AT_REST).outputs["speed"] == 1.0


def test_depth_of_the_next_waypoint_or_along_the_leg() -> None:
    for along, wanted in ((-1.0, 0.0), (0.0, 0.0), (2.0, 2.0), (4.0, 4.0), (6.0, 5.0)):
        eta = on_oblique(along, 0.7)
        assert guidance(OBLIQUE).evaluate(eta=eta, nu=AT_REST).outputs["depth"] == 5.0
        sloping = guidance(OBLIQUE, depth_reference="leg").evaluate(eta=eta, nu=AT_REST)
        assert sloping.outputs["depth"] == pytest.approx(wanted, abs=1e-12)


def test_approach_follows_the_closed_form(mission, time_to_approach) -> None:
    los = guidance(lookahead=6.0, cruise_speed=0.5, speed_taper=False)
    run = simulate(mission(los, initial_position=(0.0, 8.0, 0.0)), 40.0, step=0.1)
    error = run.values("guidance.cross_track_error")
    for k in (50, 200, 400):
        assert time_to_approach(8.0, error[k], 0.5, 6.0) == pytest.approx(run.time[k], abs=1e-6)


# β: angle between heading and course that a current of 0.5 m/s abeam gives a vehicle of 1 m/s
DRIFT = np.arcsin(0.5)


def steady_error(mission, los: LineOfSight, end: float = 300.0, **vehicle: object) -> np.ndarray:
    diagram = mission(los, UniformCurrent(0.5, "90 deg"), **vehicle)
    return simulate(diagram, end, step=0.1, record="guidance.cross_track_error").values("guidance.cross_track_error")


@pytest.mark.parametrize("lookahead", [2.0, 10.0])
def test_plain_los_settles_beside_the_path_in_a_current(mission, lookahead: float) -> None:
    error = steady_error(mission, guidance(lookahead=lookahead, speed_taper=False), end=40.0 * lookahead)
    assert error[-1] == pytest.approx(lookahead * np.tan(DRIFT), rel=1e-6)


def test_sideslip_compensation_removes_the_offset(mission) -> None:
    los = guidance(lookahead=5.0, sideslip_compensation=True, speed_taper=False)
    error = steady_error(mission, los, end=120.0, ideal=False, turning=0.5)
    assert np.max(error) > 0.1
    assert abs(error[-1]) < 1e-6


def sideslip(u: float, v: float) -> float:
    los = guidance(sideslip_compensation=True, sideslip_speed=0.1)
    return -float(los.evaluate(eta=pose(0.0, 0.0), nu=[u, v, 0, 0, 0, 0]).outputs["heading"])


def test_sideslip_is_the_angle_of_the_course_to_the_heading() -> None:
    assert sideslip(1.0, 1.0) == pytest.approx(np.pi / 4)
    assert sideslip(2.0, -0.5) == pytest.approx(np.arcsin(-0.5 / np.hypot(2.0, 0.5)))
    # asin(v/U) with the desired speed of 1 m/s has no value here
    assert sideslip(0.0, 3.0) == pytest.approx(np.pi / 2)


def test_sideslip_fades_out_at_low_speed() -> None:
    assert sideslip(0.0, 0.0) == 0.0
    assert sideslip(0.0, 0.05) == pytest.approx(np.pi / 4)  # half of π/2 at half the speed
    assert sideslip(0.0, 0.1) == pytest.approx(sideslip(0.0, 0.1 + 1e-9), abs=1e-6)
    tiny = [sideslip(1e-6 * np.cos(a), 1e-6 * np.sin(a)) for a in np.linspace(0.0, 2.0 * np.pi, 13)]
    assert np.max(np.abs(tiny)) < 2e-5


@pytest.mark.parametrize("compensated", [False, True])
@pytest.mark.parametrize("taper", [False, True])
@pytest.mark.parametrize("depth_reference", ["waypoint", "leg"])
def test_feedthrough_is_what_the_outputs_react_to(compensated: bool, taper: bool, depth_reference: str) -> None:
    los = guidance(
        OBLIQUE, sideslip_compensation=compensated, speed_taper=taper, depth_reference=depth_reference, lookahead=2.0
    )
    start = {"eta": np.array(on_oblique(1.0, 0.3, psi=0.2)), "nu": np.array([0.8, 0.1, 0.0, 0.0, 0.0, 0.0])}
    before = los.evaluate(**start).outputs
    for name in los.output_ports:
        reacts = {
            port for port in start if los.evaluate(**(start | {port: start[port] + 0.05})).outputs[name] != before[name]
        }
        assert reacts == set(los.feedthrough(name)), name


def test_the_velocity_is_needed_where_sideslip_is_compensated_only() -> None:
    diagram = Diagram("open")
    diagram.add("place", Constant([0.0, 1.0, 0.0, 0.0, 0.0, 0.0]))
    los = diagram.add("los", LineOfSight(waypoints=[[0, 0, 0], [9, 0, 0]], acceptance_radius=1, cruise_speed=1))
    diagram.connect("place.y", los.eta)
    run = simulate(diagram, 1.0, step=0.5)
    assert run.values("los.heading") == pytest.approx(-np.arctan2(1.0, 10.0))
    los.sideslip_compensation = True
    with pytest.raises(WiringError, match=r"los\.nu .* is not connected; .* needed with sideslip_compensation only"):
        simulate(diagram, 1.0, step=0.5)
