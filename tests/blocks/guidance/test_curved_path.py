"""CurvedPath: the curve, the law that follows it, where it starts and how it ends."""

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline, PchipInterpolator

from blocks import simulate
from blocks.environment import UniformCurrent
from blocks.errors import ParameterError
from blocks.guidance import CurvedPath, DubinsPath
from blocks.plan import make_plan
from blocks.run.probe import Evaluation

BENDS = np.array([[0.0, 0.0, 0.0], [40.0, 10.0, 5.0], [60.0, 50.0, 3.0], [20.0, 80.0, 2.0], [10.0, 120.0, 2.0]])
CHORDS = np.hypot(*np.diff(BENDS[:, :2], axis=0).T)
KNOTS = np.concatenate([[0.0], np.cumsum(CHORDS)])
AT_REST = np.zeros(6)


def guidance(waypoints: object = BENDS, **changes: object) -> CurvedPath:
    return CurvedPath(**({"waypoints": waypoints, "cruise_speed": 1.5, "lookahead": 5.0} | changes))


def at(
    path: CurvedPath, theta: float, eta: object = AT_REST, nu: object = AT_REST, ahead: float | None = None
) -> Evaluation:
    """What the guidance gives where it follows the point θ of the path, waypoint `ahead` being the next one; 0: any."""
    states = {"path_parameter": theta, "phase": 1.0} | ({} if ahead is None else {"next_waypoint": ahead})
    return path.evaluate(1.0, states, eta=eta, nu=nu)


def parabolic(knots: np.ndarray, values: np.ndarray) -> CubicHermiteSpline:
    """NumPy's second-order differences on uneven points are the slopes of the parabolas."""
    slopes = np.gradient(values, knots, axis=0, edge_order=2)
    return CubicHermiteSpline(knots, values, slopes)


@pytest.mark.parametrize(("interpolation", "reference"), [("hermite", parabolic), ("pchip", PchipInterpolator)])
def test_the_curve_is_that_of_numpy_and_scipy(interpolation: str, reference: object) -> None:
    """Position, depth and course; the curvature by a turn of the heading at one metre per second."""
    path, curve = guidance(interpolation=interpolation), reference(KNOTS, BENDS)
    for theta in np.linspace(0.0, KNOTS[-1], 12, endpoint=False) + 3.0:
        point, slope, bend = curve(theta), curve(theta, 1), curve(theta, 2)
        course = np.arctan2(slope[1], slope[0])
        along = [*point, 0.0, 0.0, course]
        got = at(path, theta, along, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]).outputs
        assert got["position"] == pytest.approx(point, abs=1e-10)
        assert got["depth"] == pytest.approx(point[2], abs=1e-10)
        assert got["heading"] == pytest.approx(course, abs=1e-10)
        turn = (slope[0] * bend[1] - slope[1] * bend[0]) / np.hypot(slope[0], slope[1]) ** 3
        assert got["course_rate"] == pytest.approx(turn, abs=1e-10)


def test_a_loop_is_as_smooth_where_it_closes_as_elsewhere() -> None:
    """With or without the first waypoint repeated at the end; the reference is the same lap three times."""
    laps = np.vstack([BENDS, BENDS, BENDS, BENDS[:1]])
    chords = np.hypot(*np.diff(laps[:, :2], axis=0).T)
    knots = np.concatenate([[0.0], np.cumsum(chords)])
    for interpolation, reference in (("hermite", parabolic), ("pchip", PchipInterpolator)):
        curve, length = reference(knots, laps), knots[5]
        for points in (BENDS, laps[:6]):
            path = guidance(points, interpolation=interpolation, at_end="loop")
            for theta in (0.0, 1.0, length - 1.0, length + 30.0, -20.0):
                got = at(path, theta, ahead=0.0).outputs["position"]
                assert got == pytest.approx(curve(length + theta), abs=1e-9)


def test_two_waypoints_make_a_straight_line_that_goes_on() -> None:
    path = guidance([[0.0, 0.0], [30.0, 40.0]])
    for theta in (-10.0, 0.0, 20.0, 50.0, 70.0):
        got = at(path, theta).outputs
        assert got["position"] == pytest.approx([0.6 * theta, 0.8 * theta, 0.0], abs=1e-12)
    assert guidance().evaluate(eta=[-9.0, 0.0, 0.0, 0.0, 0.0, 0.0], nu=AT_REST).outputs["depth"] == pytest.approx(0.0)


def test_the_point_moves_with_the_vehicle_and_to_abeam_of_it() -> None:
    """On a straight path at -30° with the vehicle 2 m ahead and 3 m to starboard, drifting."""
    course, psi = np.radians(-30.0), np.radians(25.0)
    c, s = np.cos(course), np.sin(course)
    path = guidance([[0.0, 0.0], [100.0 * c, 100.0 * s]], along_track_gain=0.8, lookahead=4.0)
    eta = [12.0 * c - 3.0 * s, 12.0 * s + 3.0 * c, 0.0, 0.0, 0.0, psi]
    got = at(path, 10.0, eta, [1.2, -0.4, 0.1, 0.0, 0.0, 0.0])
    along = 1.2 * np.cos(psi - course) + 0.4 * np.sin(psi - course)
    assert got.derivatives["path_parameter"] == pytest.approx(along + 0.8 * 2.0 / np.sqrt(1.0 + (2.0 / 4.0) ** 2))
    assert got.outputs["cross_track_error"] == pytest.approx(3.0)
    assert got.outputs["heading"] == pytest.approx(course - np.arctan(3.0 / 4.0))


def test_a_curve_is_followed_closely(mission) -> None:
    """A vehicle that steers at once stays on the curve, and the point abeam of it; the speed limits the integration."""
    for interpolation in ("hermite", "pchip"):
        path = guidance(interpolation=interpolation, speed_taper=False)
        run = simulate(mission(path), 80.0, step=0.2)
        place, point = run.values("vehicle.eta")[:, :2], run.values("guidance.position")[:, :2]
        assert np.abs(run.values("guidance.cross_track_error")).max() < 0.01
        assert np.hypot(*(place - point).T).max() < 0.02
        heading = np.unwrap(run.values("guidance.heading"))
        assert np.abs(np.diff(heading)).max() < 0.05
        rate = run.values("guidance.course_rate")
        smooth = np.abs(np.gradient(rate)) < 0.01  # the curvature steps at waypoints
        assert smooth.mean() > 0.9
        assert np.gradient(heading, run.time)[smooth] == pytest.approx(rate[smooth], abs=0.02)


def test_it_starts_at_the_nearest_point_of_the_first_leg_or_of_all(mission) -> None:
    """Out and back, 10 m apart: nearer to the way back, a vehicle still goes out first, unless told otherwise."""
    hairpin = [[0.0, 0.0], [60.0, 0.0], [60.0, 10.0], [0.0, 10.0]]
    place = (5.0, 6.5, 0.0)
    run = simulate(mission(guidance(hairpin, lookahead=3.0), initial_position=place), 120.0, step=0.25)
    position, waypoint = run.values("guidance.position"), run.values("guidance.waypoint")
    assert (waypoint[0], waypoint[-1]) == (2.0, 4.0)
    assert run.values("vehicle.eta")[:, 0].max() > 59.0
    assert np.abs(np.diff(np.unwrap(run.values("guidance.heading")))).max() < 0.3
    near = guidance(hairpin, start_on="path").evaluate(eta=[*place, 0.0, 0.0, 0.0], nu=AT_REST).outputs
    assert near["waypoint"] == 4.0
    curve = parabolic(np.array([0.0, 60.0, 70.0, 130.0]), np.array(hairpin))
    for point, leg in ((position[0], np.linspace(0.0, 60.0, 2000)), (near["position"], np.linspace(70.0, 130.0, 2000))):
        away = np.hypot(*(curve(leg) - place[:2]).T)
        assert np.hypot(*(point[:2] - place[:2])) == pytest.approx(away.min(), abs=1e-4)


@pytest.mark.parametrize("solver", ["rk4", "dopri5"])
def test_at_the_end_it_stops_with_the_course_and_depth_of_the_path(mission, solver: str) -> None:
    path = guidance(acceptance_radius=2.0)
    run = simulate(mission(path, ideal=False, turning=1.0), 140.0, step=0.25, solver=solver)
    finished = run.values("guidance.finished") == 1.0
    waypoint = run.values("guidance.waypoint")
    k = int(np.argmax(finished))
    assert finished[-1]
    assert np.all(np.diff(waypoint) >= 0.0)
    assert (waypoint[0], waypoint[-1]) == (2.0, 5.0)
    assert np.hypot(*(run.values("vehicle.eta")[k, :2] - BENDS[-1, :2])) == pytest.approx(2.0, abs=0.4)
    slope = parabolic(KNOTS, BENDS)(KNOTS[-1], 1)
    assert np.all(run.values("guidance.speed")[k:] == 0.0)
    assert run.values("guidance.heading")[k:] == pytest.approx(np.arctan2(slope[1], slope[0]), abs=1e-9)
    assert run.values("guidance.depth")[k:] == pytest.approx(2.0)


def test_one_that_misses_the_circle_is_done_abeam_of_the_end(mission) -> None:
    """Pushed aside by a current, without anything against it."""
    path = guidance([[0.0, 0.0], [60.0, 0.0]], acceptance_radius=0.5, speed_taper=False)
    diagram = mission(path, UniformCurrent(0.75, np.pi / 2))
    run = simulate(diagram, 80.0, step=0.1, stop="guidance.finished")
    assert run.status == "stopped"
    north, east = run.values("vehicle.eta")[-1, :2]
    assert east > 1.0
    assert north == pytest.approx(60.0, abs=0.3)


def test_a_loop_goes_on_and_counts_all_waypoints(mission) -> None:
    run = simulate(mission(guidance(at_end="loop")), 400.0, step=0.25)
    waypoint = run.values("guidance.waypoint")
    order = waypoint[np.concatenate([[0], np.flatnonzero(np.diff(waypoint)) + 1])]
    assert list(order[:8]) == [2.0, 3.0, 4.0, 5.0, 1.0, 2.0, 3.0, 4.0]
    assert not run.values("guidance.finished").any()
    assert np.abs(run.values("guidance.cross_track_error")).max() < 0.05


def test_sideslip_compensation_holds_the_curve_in_a_current(mission) -> None:
    current = UniformCurrent(0.5, np.radians(100.0))
    errors = []
    for compensated in (False, True):
        path = guidance(sideslip_compensation=compensated, speed_taper=False)
        run = simulate(mission(path, current.copy(), ideal=False, turning=0.3), 80.0, step=0.2)
        errors.append(np.abs(run.values("guidance.cross_track_error")[100:]).max())
    assert errors[0] > 1.0
    assert errors[1] < 0.2 * errors[0]


def test_corners_of_pchip_are_passed(mission) -> None:
    """Along the axes both slopes are nil at a corner: straight legs, and the course steps there."""
    path = guidance([[0.0, 0.0], [20.0, 0.0], [20.0, 20.0], [0.0, 20.0]], interpolation="pchip", lookahead=2.0)
    for theta, wanted in ((19.999, 0.0), (20.0, np.pi / 2), (20.001, np.pi / 2)):
        got = at(path, theta).outputs
        assert got["position"][:2] == pytest.approx([20.0, 0.0] if theta > 19.9999 else got["position"][:2], abs=1e-4)
        assert at(path, theta, [*got["position"], 0.0, 0.0, 0.0]).outputs["heading"] == pytest.approx(wanted, abs=1e-9)
        assert np.isfinite(got["course_rate"])
    run = simulate(mission(path, ideal=False), 60.0, step=0.1)
    assert run.values("guidance.finished")[-1] == 1.0
    assert np.abs(run.values("guidance.cross_track_error")).max() < 1.0


def test_a_corner_is_gone_round_once() -> None:
    """At (20, 0) the path turns back by 153°: before it its course is 0, after it that of the leg back."""
    path = guidance([[0.0, 0.0], [20.0, 0.0], [0.0, 10.0]], interpolation="pchip", lookahead=2.0)
    north = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    beyond = [20.3, 0.0, 0.0, 0.0, 0.0, 0.0]
    before = at(path, 20.5, beyond, north, ahead=2.0)
    assert before.outputs["heading"] == pytest.approx(0.0)  # straight on, until the next waypoint is counted
    assert before.derivatives["path_parameter"] > 0.0
    after = at(path, 19.5, beyond, north, ahead=3.0)
    assert after.outputs["position"] == pytest.approx([20.0, 0.0, 0.0])
    assert after.derivatives["path_parameter"] == 0.0  # it waits there
    assert after.updated["next_waypoint"] == 3.0
    assert abs(after.outputs["heading"]) > np.pi / 2
    assert at(path, 19.5, beyond, north, ahead=2.0).outputs["position"][0] < 20.0  # not round the corner yet


@pytest.mark.parametrize("at_end", ["hold", "loop"])
def test_turning_straight_back_is_the_same_to_all_solvers(mission, at_end: str) -> None:
    path = guidance([[0.0, 0.0], [20.0, 0.0]] + [[0.0, 0.0]] * (at_end == "hold"), interpolation="pchip", at_end=at_end)
    changes = []
    for solver in ("rk4", "dopri5"):
        run = simulate(mission(path.copy(), ideal=False), 50.0, step=0.1, solver=solver)
        changes.append(run.time[1:][np.diff(run.values("guidance.waypoint")) != 0.0])
        if at_end == "hold":
            assert run.values("guidance.finished")[-1] == 1.0
    assert len(changes[0]) == len(changes[1]) == (1 if at_end == "hold" else 3)
    assert changes[0] == pytest.approx(changes[1], abs=0.5)


def test_points_are_of_the_whole_path() -> None:
    """On a loop with corners, too, at which the point that is followed would wait."""
    square = [[0.0, 0.0], [20.0, 0.0], [20.0, 20.0], [0.0, 20.0]]
    points = guidance(square, interpolation="pchip", at_end="loop").points(17)
    assert points[::4, :2] == pytest.approx(np.array([*square, square[0]]))
    assert guidance(square).points().shape == (200, 3)
    for count in (1, -1, 2.5, True):
        with pytest.raises(ParameterError, match=rf"CurvedPath.points: a whole number of points from 2 .* {count!r}$"):
            guidance().points(count)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"waypoints": BENDS[:1]}, r"waypoints: a path needs at least two waypoints, .* given: only 1"),
        ({"waypoints": BENDS[[0, 1, 1]]}, r"waypoints 2 and 3 coincide, at north and east \(40, 10\) m, where a curve"),
        (
            {"waypoints": [[0, 0, 0], [0, 0, 9]]},
            r"waypoints 1 and 2 differ in depth only, .* or take LineOfSight for a",
        ),
        (
            {"waypoints": [[0, 0], [9, 0], [4, 0]]},
            r"turns straight back at waypoint 2, .* or take interpolation='pchip'",
        ),
        ({"waypoints": [[0, 0], [9, 9]], "at_end": "loop"}, r"turns straight back at waypoint 2"),
        (
            {"waypoints": [*BENDS, BENDS[0] + [0, 0, 5]], "at_end": "loop"},
            r"last waypoint of a loop lies at the first one, but at a depth of 5 m, not 0 m: give both the same depth",
        ),
        ({"interpolation": "spline"}, r"interpolation must be one of 'hermite', 'pchip', not 'spline'"),
        ({"along_track_gain": 0.0}, r"along_track_gain must be > 0 1/s, not 0"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        guidance(**given)


@pytest.mark.parametrize("path", [guidance(), DubinsPath(BENDS, 0.3, 5.0, cruise_speed=1.0)])
def test_waypoints_that_are_moved_while_a_plan_runs_must_not_meet(path) -> None:
    plan = make_plan(path, step=0.5)
    engine = plan.engine()
    engine.start(0.0)
    place = next(place for name, place in plan.parameters.items() if name.endswith(".waypoints"))
    points = engine.values[place.slice].reshape(place.shape)
    points[1] += 3.0
    engine.parameters_changed()
    assert engine.advance(1.0) == 0
    points[1] = points[2]
    engine.parameters_changed()
    assert engine.advance(2.0) != 0
    assert path.faults[engine.failure[3] - 1].startswith("two waypoints in a row coincide")
