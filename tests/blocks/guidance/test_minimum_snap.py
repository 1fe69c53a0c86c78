"""Minimum-snap trajectories: closed form, smoothness, optimality, times, and what a vehicle can be steered by."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from numpy.polynomial.polynomial import polyfit

from blocks import simulate
from blocks.errors import ParameterError
from blocks.guidance import MinimumSnapTrajectory
from blocks.plan import make_plan
from blocks.run.result import Result

POINTS = np.array([[0.0, 0.0, 0.0], [10.0, 0.0, 2.0], [12.0, 8.0, 5.0], [3.0, 9.0, 1.0], [0.0, -4.0, 0.0]])
TIMES = np.array([0.0, 5.0, 9.0, 15.0, 26.0])
START, END = np.array([1.0, 0.5, -0.2]), np.array([0.0, -1.0, 0.1])


def run_of(trajectory: MinimumSnapTrajectory, end: float, step: float = 0.25) -> Result:
    return simulate(trajectory, end, step=step)


def values(run: Result, name: str) -> np.ndarray:
    return run.values(f"minimum_snap_trajectory.{name}")


def pieces(times: np.ndarray, **velocities: np.ndarray) -> list[list[Polynomial]]:
    """The polynomials of each leg and axis on τ from 0 to 1, from eight points that the block gives."""
    tau = 0.5 - 0.5 * np.cos(np.pi * (np.arange(8) + 0.5) / 8.0)
    trajectory = MinimumSnapTrajectory(POINTS, times, **velocities)
    found = []
    for begin, end in pairwise(times):
        positions = np.array([trajectory.evaluate(t).outputs["position"] for t in begin + tau * (end - begin)])
        found.append([Polynomial(polyfit(tau, x, 7)) for x in positions.T])
    return found


@pytest.fixture(scope="module")
def legs() -> list[list[Polynomial]]:
    return pieces(TIMES, start_velocity=START, end_velocity=END)


def test_one_leg_is_the_closed_form() -> None:
    trajectory = MinimumSnapTrajectory([[1.0, 2.0, 3.0], [11.0, -2.0, 5.0]], [1.0, 5.0])
    run = run_of(trajectory, 6.0)
    tau = np.clip((run.time - 1.0) / 4.0, 0.0, 1.0)
    way, length = np.array([10.0, -4.0, 2.0]), np.hypot(10.0, 4.0)
    part = 35 * tau**4 - 84 * tau**5 + 70 * tau**6 - 20 * tau**7
    assert values(run, "position") == pytest.approx(np.array([1.0, 2.0, 3.0]) + np.outer(part, way), abs=1e-12)
    assert values(run, "speed") == pytest.approx(length * 140 * tau**3 * (1 - tau) ** 3 / 4.0, abs=1e-12)
    assert values(run, "speed").max() == pytest.approx(35 / 16 * length / 4.0)
    bend = (420 * tau**2 * (1 - tau) ** 3 - 420 * tau**3 * (1 - tau) ** 2) / 16.0
    assert values(run, "acceleration") == pytest.approx(np.outer(bend, way), abs=1e-12)
    assert values(run, "heading") == pytest.approx(np.full(len(tau), np.arctan2(-4.0, 10.0)), abs=1e-9)


def test_all_waypoints_are_passed_in_time_and_the_ends_as_wanted(legs) -> None:
    for k, leg in enumerate(legs):
        ends = np.array([[axis(0.0), axis(1.0)] for axis in leg]).T
        assert ends == pytest.approx(POINTS[k : k + 2], abs=1e-8)
    for leg, at, velocity, time in ((legs[0], 0.0, START, 5.0), (legs[-1], 1.0, END, 11.0)):
        for axis, wanted in zip(leg, velocity, strict=True):
            assert axis.deriv(1)(at) / time == pytest.approx(wanted, abs=1e-8)
            assert axis.deriv(2)(at) == pytest.approx(0.0, abs=1e-6)
            assert axis.deriv(3)(at) == pytest.approx(0.0, abs=1e-5)


@pytest.mark.parametrize("times", [TIMES, np.array([0.0, 0.3, 60.0, 61.0, 90.0])])
def test_derivatives_up_to_the_sixth_are_continuous(times: np.ndarray) -> None:
    """Also where a leg takes 200 times as long as the one before it."""
    found = pieces(times)
    lengths = np.diff(times)
    for before, after, h0, h1 in zip(found[:-1], found[1:], lengths[:-1], lengths[1:], strict=True):
        for order in range(7):
            left = np.array([axis.deriv(order)(1.0) if order else axis(1.0) for axis in before]) / h0**order
            right = np.array([axis.deriv(order)(0.0) if order else axis(0.0) for axis in after]) / h1**order
            size = max(np.abs(leg[i].coef).max() / h**order for leg, h in ((before, h0), (after, h1)) for i in range(3))
            assert left == pytest.approx(right, abs=1e-6 * size), order


def snap_integral(one: list[Polynomial], other: list[Polynomial], times: np.ndarray) -> float:
    """∫ of the product of two fourth derivatives, of polynomials on τ from 0 to 1 per leg."""
    product = 0.0
    for p, q, h in zip(one, other, np.diff(times), strict=True):
        whole = (p.deriv(4) * q.deriv(4)).integ()
        product += (whole(1.0) - whole(0.0)) / h**7
    return product


def test_no_admissible_bump_lowers_the_snap(legs) -> None:
    """A bump that is nil at waypoints, with velocity, acceleration and jerk at both ends, is orthogonal to the optimum.

    So ∫ |snap|² rises by that of the bump, whatever its size and sign.
    """
    for extra in ([1.0], [0.3, 1.0], [0.1, -0.4, 1.0]):
        whole = Polynomial(extra)
        for t in (*TIMES, *(0.0,) * 3, *(26.0,) * 3):
            whole *= Polynomial([-t / 26.0, 1.0 / 26.0])
        bump = [whole(Polynomial([t0, t1 - t0])) for t0, t1 in pairwise(TIMES)]
        size = snap_integral(bump, bump, TIMES)
        for axis in range(3):
            own = [leg[axis] for leg in legs]
            snap = snap_integral(own, own, TIMES)
            assert abs(snap_integral(own, bump, TIMES)) < 1e-7 * np.sqrt(snap * size)
            disturbed = [p + 0.5 * q for p, q in zip(own, bump, strict=True)]
            assert snap_integral(disturbed, disturbed, TIMES) > snap


def test_it_is_the_solution_of_the_quadratic_programme(legs) -> None:
    """All coefficients of all legs at once, by the conditions of Karush, Kuhn and Tucker."""
    count = 8 * len(legs)
    durations = np.diff(TIMES)

    def row(leg: int, tau: float, order: int) -> np.ndarray:
        found = np.zeros(count)
        for m in range(order, 8):
            found[8 * leg + m] = np.prod(np.arange(m - order + 1, m + 1)) * tau ** (m - order)
        return found / durations[leg] ** order

    nodes, weights = np.polynomial.legendre.leggauss(4)
    cost = np.zeros((count, count))
    for leg, h in enumerate(durations):
        for node, weight in zip(nodes, weights, strict=True):
            snap = row(leg, 0.5 + 0.5 * node, 4)
            cost += 0.5 * weight * h * np.outer(snap, snap)
    conditions, wanted = [], []
    for leg in range(len(legs)):
        conditions += [row(leg, 0.0, 0), row(leg, 1.0, 0)]
        wanted += [POINTS[leg], POINTS[leg + 1]]
    for order in (1, 2, 3):
        conditions += [row(0, 0.0, order), row(len(legs) - 1, 1.0, order)]
        wanted += [START, END] if order == 1 else [np.zeros(3)] * 2
        conditions += [row(leg, 1.0, order) - row(leg + 1, 0.0, order) for leg in range(len(legs) - 1)]
        wanted += [np.zeros(3)] * (len(legs) - 1)
    a = np.array(conditions)
    system = np.block([[cost, a.T], [a, np.zeros((len(a), len(a)))]])
    right = np.vstack([np.zeros((count, 3)), wanted])
    solution = np.linalg.lstsq(system, right, rcond=1e-15)[0][:count].reshape(len(legs), 8, 3)
    tau = np.linspace(0.0, 1.0, 9)
    for leg, coefficients in zip(legs, solution, strict=True):
        for axis in range(3):
            assert leg[axis](tau) == pytest.approx(Polynomial(coefficients[:, axis])(tau), abs=1e-7)


@pytest.fixture(scope="module")
def flight() -> Result:
    return run_of(MinimumSnapTrajectory(POINTS, TIMES, start_time=1.0), 30.0, step=0.01)


def test_outputs_are_derivatives_of_each_other(flight) -> None:
    inner = slice(150, 2650)  # the ends, where the course hangs on next to nothing, are tested for themselves
    step = 0.01
    for name, rate in (("position", "velocity"), ("velocity", "acceleration"), ("nu_d", "nu_dot_d")):
        slope = np.gradient(values(flight, name), step, axis=0)[inner]
        if name == "nu_d":
            slope = slope[:, [0, 2, 5]]
        wanted = values(flight, rate)[inner]
        assert slope == pytest.approx(wanted[:, [0, 2, 5]] if name == "nu_d" else wanted, abs=2e-3)
    heading = np.unwrap(values(flight, "heading"))
    assert np.gradient(heading, step)[inner] == pytest.approx(values(flight, "course_rate")[inner], abs=1e-3)


def test_pose_and_body_velocity_are_those_of_the_motion(flight) -> None:
    pose, nu, velocity = (values(flight, name) for name in ("eta_d", "nu_d", "velocity"))
    assert np.array_equal(pose[:, :3], values(flight, "position"))
    assert np.array_equal(values(flight, "depth"), pose[:, 2])
    assert not pose[:, 3:5].any()
    north = nu[:, 0] * np.cos(pose[:, 5]) - nu[:, 1] * np.sin(pose[:, 5])
    east = nu[:, 0] * np.sin(pose[:, 5]) + nu[:, 1] * np.cos(pose[:, 5])
    assert np.column_stack([north, east, nu[:, 2]]) == pytest.approx(velocity, abs=1e-12)
    assert np.array_equal(nu[:, 5], values(flight, "course_rate"))


def test_the_course_tends_to_its_limits_where_the_velocity_is_nil(flight) -> None:
    """At rest it is where the vehicle will set off to, or where it came in from."""
    heading, time = values(flight, "heading"), flight.time
    assert np.abs(np.diff(np.unwrap(heading))).max() < 0.02
    assert np.ptp(heading[time <= 1.0]) == 0.0
    assert np.ptp(heading[time >= 27.0]) == 0.0
    assert not values(flight, "course_rate")[time > 27.0].any()
    trajectory = MinimumSnapTrajectory(POINTS, TIMES)
    for end, inside in ((0.0, 1e-6), (26.0, 26.0 - 1e-6)):
        at, near = trajectory.evaluate(end).outputs, trajectory.evaluate(inside).outputs
        assert at["speed"] == 0.0
        assert at["heading"] == pytest.approx(near["heading"], abs=1e-6)
        assert at["course_rate"] == pytest.approx(near["course_rate"], abs=1e-5)


def test_courses_of_paths_that_have_none() -> None:
    """Straight down there is no course; where it turns back on itself it is the one after that."""
    dive = MinimumSnapTrajectory([[1.0, 1.0, 0.0], [1.0, 1.0, 9.0], [1.0, 1.0, 4.0]], [0.0, 3.0, 9.0])
    back = MinimumSnapTrajectory([[0.0, 0.0, 0.0], [7.0, 3.0, 0.0], [0.0, 0.0, 0.0]], [0.0, 4.0, 8.0])
    for t in (0.0, 1.0, 3.0, 9.0, 10.0):
        found = dive.evaluate(t).outputs
        assert (found["heading"], found["speed"], found["course_rate"]) == (0.0, 0.0, 0.0)
    course = np.arctan2(3.0, 7.0)
    for t, wanted in (
        (0.0, course),
        (3.9, course),
        (4.0, course - np.pi),
        (5.0, course - np.pi),
        (8.0, course - np.pi),
    ):
        found = back.evaluate(t).outputs
        assert found["heading"] == pytest.approx(wanted, abs=1e-9)
        assert found["course_rate"] == pytest.approx(0.0, abs=1e-9)


def test_it_goes_on_straight_before_and_after() -> None:
    trajectory = MinimumSnapTrajectory(POINTS, TIMES, start_velocity=START, end_velocity=END)
    for t, point, velocity in ((-2.0, POINTS[0] - 2.0 * START, START), (29.0, POINTS[-1] + 3.0 * END, END)):
        found = trajectory.evaluate(t).outputs
        assert found["position"] == pytest.approx(point, abs=1e-12)
        assert found["velocity"] == pytest.approx(velocity, abs=1e-12)
        assert not found["acceleration"].any()


def test_waypoints_are_counted(flight) -> None:
    time, waypoint, finished = flight.time, values(flight, "waypoint"), values(flight, "finished")
    for number, since in enumerate((1.0, 6.0, 10.0, 16.0), start=2):
        assert waypoint[np.searchsorted(time, since - 1e-9)] == number
        assert waypoint[np.searchsorted(time, since - 1e-9) - 1] == number - 1
    assert np.array_equal(finished == 1.0, time >= 27.0 - 1e-9)


def test_an_adaptive_run_stops_at_the_very_end() -> None:
    trajectory = MinimumSnapTrajectory(POINTS, TIMES, start_time=0.123)
    run = simulate(trajectory, 100.0, step=10.0, solver="dopri5", stop="minimum_snap_trajectory.finished")
    assert run.time[-1] == pytest.approx(26.123, abs=1e-9)


@pytest.mark.parametrize(("speed", "duration"), [(0.5, 20.0 / 0.5 + 0.5 / 0.2), (9.0, 2.0 * np.sqrt(20.0 / 0.2))])
def test_times_are_allotted_by_speed_and_acceleration(speed: float, duration: float) -> None:
    """Of a way of 20 m with even waypoints, also where it is too short to reach the speed."""
    points = [[0.0, 0.0, 0.0], [3.0, 4.0, 0.0], [3.0, 4.0, 5.0], [3.0, 4.0, 15.0]]
    trajectory = MinimumSnapTrajectory(points, cruise_speed=speed, cruise_acceleration=0.2)
    assert trajectory.timing == "allotted"
    assert trajectory.duration == pytest.approx(duration)
    if speed == 9.0:
        times = [0.0, np.sqrt(2 * 5 / 0.2), np.sqrt(2 * 10 / 0.2), duration]
    else:
        times = [0.0, 5 / 0.5 + 0.5 / 0.4, 10 / 0.5 + 0.5 / 0.4, duration]
    for t, point in zip(times, points, strict=True):
        assert trajectory.evaluate(t).outputs["position"] == pytest.approx(point, abs=1e-9)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"waypoints": POINTS[:1]}, r"waypoints: a trajectory needs at least two waypoints; given: only 1"),
        ({"times": TIMES[:4]}, r"times must be one per waypoint: 5 for as many waypoints, not 4"),
        ({"times": [0.0, 5.0, 5.0, 6.0, 7.0]}, r"times must increase .* \[1\] is 5 and \[2\] is 5"),
        ({"times": 5.0}, r"times must be an array, with one time in s for each waypoint, not the single number 5;"),
        ({"timing": "given"}, r"times must be an array of at least 2 elements, not a single number"),
        ({"times": TIMES, "timing": "allotted"}, r"times are given, but with timing='allotted' they would have no"),
        ({"waypoints": POINTS[[0, 1, 1, 2]]}, r"waypoints 2 and 3 coincide at \(10, 0, 2\) m, and no time can be"),
        ({"cruise_speed": 0.0}, r"cruise_speed must be > 0 m/s, not 0"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        MinimumSnapTrajectory(**({"waypoints": POINTS} | given))


def test_times_that_are_set_while_a_plan_runs_must_increase_too() -> None:
    trajectory = MinimumSnapTrajectory(POINTS, TIMES)
    plan = make_plan(trajectory, step=0.5)
    engine = plan.engine()
    engine.start(0.0)
    times = engine.values[plan.parameters["minimum_snap_trajectory.times"].slice]
    times[:] = 2.0 * TIMES
    engine.parameters_changed()
    assert engine.advance(1.0) == 0
    times[2] = times[1]
    engine.parameters_changed()
    assert engine.advance(2.0) != 0
    assert trajectory.faults[engine.failure[3] - 1] == "the times of the waypoints do not increase"
