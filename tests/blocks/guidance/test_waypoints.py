"""The waypoint schedule, by LineOfSight: switching, dives on the spot, the end of the path, and bad input."""

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.errors import ParameterError
from blocks.guidance import CurvedPath, LineOfSight, LineOfSight3D, MinimumSnapTrajectory

SQUARE = [[0.0, 0.0, 0.0], [20.0, 0.0, 1.0], [20.0, 15.0, 1.0], [0.0, 15.0, 3.0]]


def guidance(waypoints: object = SQUARE, **changes: object) -> LineOfSight:
    given = {"waypoints": waypoints, "acceptance_radius": 1.0, "cruise_speed": 1.0, "lookahead": 3.0}
    return LineOfSight(**(given | changes))


def state_after(los: LineOfSight, eta: list[float], **states: float) -> tuple[float, float]:
    """Number of the waypoint, and phase, after an update in mid-run."""
    given = {"active_waypoint": 2.0, "phase": 1.0, "start_time": 0.0} | states
    updated = los.evaluate(t=10.0, states=given, eta=eta, nu=np.zeros(6)).updated
    return updated["active_waypoint"], updated["phase"]


def pose(north: float, east: float, down: float = 0.0, psi: float = 0.0) -> list[float]:
    return [north, east, down, 0.0, 0.0, psi]


@pytest.mark.parametrize("solver", ["rk4", "dopri5"])
@pytest.mark.parametrize("switching", ["circle", "along_track"])
def test_each_waypoint_is_passed_once_and_near(mission, solver: str, switching: str) -> None:
    run = simulate(mission(guidance(switching=switching), ideal=False), 100.0, step=0.05, solver=solver)
    waypoint, finished = run.values("guidance.waypoint"), run.values("guidance.finished")
    assert waypoint[0] == 2.0
    assert waypoint[-1] == 4.0
    changes = np.flatnonzero(np.diff(waypoint))
    assert list(waypoint[changes + 1]) == [3.0, 4.0]
    assert np.count_nonzero(np.diff(finished)) == 1
    eta = run.values("vehicle.eta")
    for k, reached in zip([*changes, np.flatnonzero(np.diff(finished))[0]], SQUARE[1:], strict=True):
        miss = np.hypot(*(eta[k + 1, :2] - reached[:2]))
        assert 1.0 - 0.051 <= miss <= 1.0 + 0.051


def test_at_the_end_it_stops_and_keeps_heading_and_depth(mission) -> None:
    run = simulate(mission(guidance(), ideal=False), 100.0, step=0.05)
    after = run.values("guidance.finished") == 1.0
    assert np.all(run.values("guidance.speed")[after] == 0.0)
    assert np.all(run.values("guidance.depth")[after] == 3.0)
    heading = run.values("guidance.heading")[after]
    assert np.ptp(heading) == 0.0
    assert abs(abs(heading[0]) - np.pi) < 0.1  # the last leg leads south
    assert np.all(run.values("guidance.waypoint")[after] == 4.0)


@pytest.mark.parametrize("switching", ["circle", "along_track"])
def test_an_adaptive_run_switches_at_the_exact_radius(mission, switching: str) -> None:
    los = guidance([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0]], switching=switching, speed_taper=False)
    diagram = mission(los, initial_position=(0.0, 1.5, 0.0))
    tight = {"relative_tolerance": 1e-9, "absolute_tolerance": 1e-9}
    run = simulate(diagram, 60.0, step=1.0, solver="dopri5", stop="guidance.finished", **tight)
    north, east = run.values("vehicle.eta")[-1, :2]
    distance = np.hypot(10.0 - north, east) if switching == "circle" else 10.0 - north
    assert run.status == "stopped"
    assert abs(east) > 0.01  # so that the two rules differ
    assert distance == pytest.approx(1.0, abs=1e-9)


def test_an_adaptive_run_does_not_step_over_a_circle(mission) -> None:
    """On a straight line the solver would take hundreds of metres at once, and the circle is one metre wide."""
    los = guidance([[0.0, 0.0, 0.0], [1000.0, 0.0, 0.0]], acceptance_radius=0.5)
    run = simulate(mission(los), 2000.0, step=100.0, solver="dopri5", stop="guidance.finished")
    assert run.attributes["steps"] < 50
    assert run.values("vehicle.eta")[-1, 0] == pytest.approx(999.5, abs=1e-6)


def test_the_circle_includes_its_rim() -> None:
    assert state_after(guidance(), pose(19.0, 0.0)) == (3.0, 1.0)
    assert state_after(guidance(), pose(19.0 - 1e-9, 0.0)) == (2.0, 1.0)


def test_a_missed_waypoint_is_passed_along_track_only() -> None:
    abeam = pose(21.0, -5.0)
    assert state_after(guidance(switching="circle"), abeam) == (2.0, 1.0)
    assert state_after(guidance(switching="along_track"), abeam) == (3.0, 1.0)


def test_a_vehicle_that_starts_at_the_second_waypoint_goes_for_the_third(mission) -> None:
    run = simulate(mission(guidance(), initial_position=(20.0, 0.5, 0.0)), 1.0, step=0.1)
    assert np.all(run.values("guidance.waypoint") == 3.0)
    assert run.values("guidance.heading")[0] == pytest.approx(np.pi / 2)


def test_passed_waypoints_do_not_come_back() -> None:
    """Back at waypoint 2 while steering for waypoint 4: nothing changes."""
    assert state_after(guidance(), pose(20.0, 0.0), active_waypoint=4.0) == (4.0, 1.0)
    assert state_after(guidance(), pose(20.0, 0.0), active_waypoint=4.0, phase=2.0) == (4.0, 2.0)


@pytest.mark.parametrize("closing", [[], [SQUARE[0]]])
def test_a_loop_goes_round(mission, closing: list[list[float]]) -> None:
    """With or without the first waypoint repeated at the end it is the same loop."""
    run = simulate(mission(guidance(SQUARE + closing, at_end="loop"), ideal=False), 150.0, step=0.05)
    waypoint = run.values("guidance.waypoint")
    order = [int(waypoint[0]), *(int(w) for w in waypoint[1:][np.diff(waypoint) != 0])]
    first = 5 if closing else 1
    assert order[:9] == [2, 3, 4, first, 2, 3, 4, first, 2]
    assert not np.any(run.values("guidance.finished"))


def test_a_loop_within_reach_of_every_waypoint_at_once_stays_where_it_is() -> None:
    triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    for closing in ([], [triangle[0]]):
        los = guidance(triangle + closing, acceptance_radius=5.0, at_end="loop")
        assert state_after(los, pose(0.2, 0.2)) == (2.0, 1.0)


def test_a_dive_on_the_spot_keeps_the_heading(mission) -> None:
    path = [[0.0, 0.0, 0.0], [0.0, 0.0, 10.0], [0.0, 5.0, 10.0], [0.0, 5.0, 0.0]]
    los = guidance(path, acceptance_radius=0.25)
    run = simulate(mission(los, ideal=False, initial_psi=1.0), 40.0, step=0.05)
    waypoint, heading = run.values("guidance.waypoint"), run.values("guidance.heading")
    dive, ascent = waypoint == 2.0, waypoint == 4.0
    assert np.all(heading[dive] == 1.0)
    assert np.all(run.values("guidance.depth")[dive] == 10.0)
    assert np.all(run.values("guidance.speed")[dive | ascent] == 0.0)
    down = run.values("vehicle.eta")[:, 2]
    assert down[dive][-1] < 9.75 <= down[np.count_nonzero(dive)] + 1e-9
    assert np.ptp(heading[ascent]) == 0.0
    assert heading[ascent][0] == pytest.approx(np.pi / 2, abs=0.05)
    assert run.values("guidance.finished")[-1] == 1.0
    assert down[-1] < 0.25


def test_before_the_first_step_a_dive_has_the_heading_of_the_vehicle() -> None:
    los = guidance([[0.0, 0.0, 0.0], [0.0, 0.0, 10.0]])
    assert los.evaluate(eta=pose(0.0, 0.0, psi=0.7), nu=np.zeros(6)).outputs["heading"] == 0.7


def test_offset_during_a_dive_is_seen_along_the_kept_heading() -> None:
    los = guidance([[0.0, 0.0, 0.0], [0.0, 0.0, 10.0]])
    got = los.evaluate(
        states={"phase": 1.0, "kept_heading": np.pi / 2}, eta=pose(-2.0, 7.0, psi=0.3), nu=np.zeros(6)
    ).outputs
    assert got["cross_track_error"] == pytest.approx(2.0)
    assert got["heading"] == np.pi / 2


def test_the_heading_at_the_start_is_taken_after_the_inputs_have_settled() -> None:
    """A second update at the first instant, with another heading, counts; one later does not."""
    los = guidance([[0.0, 0.0, 0.0], [0.0, 0.0, 10.0]])
    begun = {"phase": 1.0, "kept_heading": 0.1, "start_time": 3.0, "active_waypoint": 2.0}
    for t, kept in ((3.0, 0.7), (3.1, 0.1)):
        updated = los.evaluate(t=t, states=begun, eta=pose(0.0, 0.0, psi=0.7), nu=np.zeros(6)).updated
        assert updated["kept_heading"] == pytest.approx(kept)


def test_waypoints_can_be_far_apart_from_the_origin() -> None:
    """A leg to the west-south-west across the origin: course and error are those of plain trigonometry."""
    los = guidance([[300.0, 400.0, 0.0], [-500.0, -200.0, 0.0]])
    got = los.evaluate(eta=pose(300.0 + 6.0, 400.0 - 8.0), nu=np.zeros(6)).outputs
    assert got["cross_track_error"] == pytest.approx(10.0)
    assert got["heading"] == pytest.approx(np.arctan2(-600.0, -800.0) - np.arctan(10.0 / 3.0) + 2.0 * np.pi)


BAD = [
    ({"waypoints": [[0.0, 0.0, 0.0]]}, r"LineOfSight\.waypoints: a path needs at least two waypoints.*given: only 1"),
    ({"waypoints": 3.0}, r"LineOfSight\.waypoints: a path needs at least two waypoints.*given: a single number"),
    (
        {"waypoints": [[0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]},
        r"LineOfSight\.waypoints: waypoints 2 and 3 coincide at \(1, 2, 3\) m",
    ),
    ({"waypoints": [[0.0] * 4, [1.0] * 4]}, r"\.waypoints must be an array of n×3 in m, not an array of 2×4"),
    ({"acceptance_radius": 0.0}, r"LineOfSight\.acceptance_radius must be > 0 m, not 0"),
    ({"lookahead": -1.0}, r"LineOfSight\.lookahead must be > 0 m, not -1"),
    ({"enclosure_radius": 0.0}, r"LineOfSight\.enclosure_radius must be > 0 m, not 0"),
    (
        {"steering": "lookahed"},
        r"\.steering must be one of 'lookahead', 'enclosure', 'proportional_integral', not 'lookahed'; did you mean "
        r"'lookahead'\?",
    ),
    (
        {"integral_gain": 0.2},
        r"^no parameter 'integral_gain' on LineOfSight: integral action with the gain κ is the block "
        r"IntegralLineOfSight; LineOfSight has it with steering='proportional_integral' and the gain ki$",
    ),
    ({"cruise_speed": "2 kg"}, r"LineOfSight\.cruise_speed: '2 kg' is in k.*, but m/s is wanted"),
    (
        {"switching": "circel"},
        r"\.switching must be one of 'circle', 'along_track', not 'circel'; did you mean 'circle'\?",
    ),
    ({"at_end": "stop"}, r"LineOfSight\.at_end must be one of 'hold', 'loop', not 'stop'"),
]


@pytest.mark.parametrize(("changes", "message"), BAD)
def test_bad_parameters_are_named(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        guidance(**changes)


def test_a_bad_change_leaves_the_path_as_it_was() -> None:
    los = guidance()
    diagram = Diagram()
    diagram.add("guidance", los)
    diagram.add("unrelated", Constant(1.0))
    with pytest.raises(ParameterError, match=r"guidance\.waypoints: waypoints 1 and 2 coincide"):
        los.set(waypoints=[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]], lookahead=9.0)
    assert np.array_equal(los.waypoints, SQUARE)
    assert los.lookahead == 3.0


def test_two_columns_are_waypoints_at_depth_0() -> None:
    flat = [["0 m", "1 km"], [30.0, 0.0]]
    deep = [[0.0, 1000.0, 0.0], [30.0, 0.0, 0.0]]
    for law in (LineOfSight, LineOfSight3D):
        assert law(waypoints=flat, acceptance_radius=1.0, cruise_speed=1.0).waypoints.tolist() == deep
    assert MinimumSnapTrajectory(np.array(deep)[:, :2]).waypoints.tolist() == deep
    assert CurvedPath.all_parameters()["waypoints"].read(flat, "from a file").tolist() == deep
    with pytest.raises(ParameterError, match=r"waypoints must be an array of n×3 in m, not \[\[0, 0\], \[1, 2, 3\]\]"):
        LineOfSight(waypoints=[[0, 0], [1, 2, 3]], acceptance_radius=1.0, cruise_speed=1.0)
