"""Routes against what is known of the best way, and what is said where there is none."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from blocks.environment import CurrentField, UniformCurrent
from blocks.errors import ParameterError
from blocks.routes import Chart, RouteError, Soundings, find_route
from blocks.routes.stream import stream_of

ISLAND = [[20, -30], [20, 30], [60, 30], [60, -30]]


def island() -> Chart:
    chart = Chart()
    chart.add(ISLAND, "land", name="island")
    return chart


def round_the_island(margin: float) -> float:
    """The least length from (0, 0) to (100, 0): tangents of circles about two corners, a straight line, two arcs."""
    legs = [np.hypot(20.0, 30.0), np.hypot(40.0, 30.0)]
    turns = [np.arctan2(30.0, 20.0), np.arctan2(30.0, 40.0)]
    return 40.0 + sum(
        np.sqrt(leg**2 - margin**2) + margin * (turn + np.arcsin(margin / leg))
        for leg, turn in zip(legs, turns, strict=True)
    )


@pytest.mark.parametrize("radius", [0.0, 2.9])
def test_the_shortest_way_round_a_corner_is_found(radius: float) -> None:
    """Arcs of the route are 2 % wider than asked for; with those of the margin it is the best path itself."""
    route = find_route(island(), [0, 0], [100, 0], speed=2.0, margin=3.0, turning_radius=radius)
    best = round_the_island(3.0)
    assert best * (1.0 - 1e-4) < route.length < best * 1.004  # 0.1 % of the margin may be missing
    assert route.duration == pytest.approx(route.length / 2.0)
    assert route.least_clearance > 2.99


def test_a_straight_course_in_a_current_takes_what_its_triangle_says() -> None:
    route = find_route(Chart(), [0, 0], [300, 400], speed=2.0, margin=5.0, current=UniformCurrent(1.2, "90 deg"))
    along, across = 1.2 * 0.8, 1.2 * 0.6
    assert route.duration == pytest.approx(500.0 / (along + np.sqrt(4.0 - across**2)), rel=1e-9)
    assert len(route.corners) == 2


def zermelo(shear: float, distance: float) -> float:
    """The least time to so far north at 1 m/s, in a current to east that grows by the shear, 1/s, with the way north.

    Zermelo (1931): dψ/dt = k sin²ψ for a current (0, k x), by shooting for the course that arrives.
    """

    def end(course: float) -> np.ndarray:
        arrived = lambda t, y: y[0] - distance  # noqa: E731
        arrived.terminal = True  # type: ignore[attr-defined]
        run = solve_ivp(
            lambda t, y: [np.cos(y[2]), np.sin(y[2]) + shear * y[0], shear * np.sin(y[2]) ** 2],
            (0.0, 20.0 * distance), [0.0, 0.0, course], events=arrived, rtol=1e-10, atol=1e-10,
        )  # fmt: skip
        return np.array([run.y[1, -1], run.t[-1]])

    return float(end(brentq(lambda course: end(course)[0], -1.0, 0.0))[1])


def test_the_quickest_way_through_a_shear_is_that_of_zermelo() -> None:
    flow = lambda places: np.column_stack([0.0 * places[:, 0], 0.008 * places[:, 0]])  # noqa: E731
    route = find_route(Chart(), [0, 0], [100, 0], speed=1.0, margin=2.0, current=flow)
    straight = find_route(Chart(), [0, 0], [100, 0], speed=1.0, margin=2.0, current=flow, objective="distance")
    best = zermelo(0.008, 100.0)
    assert best <= route.duration < 1.0005 * best
    assert straight.length == pytest.approx(100.0, rel=1e-4)
    assert straight.duration > 1.01 * best


def test_turns_and_clearance_are_kept_and_courses_at_both_ends() -> None:
    route = find_route(
        island(), [0, 0], [100, 0], speed=1.0, margin=3.0, turning_radius=8.0, start_course=np.pi, goal_course="90 deg"
    )
    path = route.dubins_path()
    points = path.points(4000)[:, :2]
    legs = np.diff(points, axis=0)
    course, length = np.unwrap(np.arctan2(legs[:, 1], legs[:, 0])), np.hypot(*legs.T)
    bend = np.abs(np.diff(course)) / (0.5 * (length[1:] + length[:-1]))
    assert bend.max() < 1.01 / 8.0
    assert abs(np.cos(course[0]) + 1.0) < 1e-3
    assert course[-1] % (2.0 * np.pi) == pytest.approx(np.pi / 2.0, abs=0.01)
    assert route.clearance_at(points).min() > 3.0 * (1.0 - 2e-3)
    assert path.length == pytest.approx(route.length, rel=5e-3)
    assert np.all(np.diff(route.distance) > 0.0)
    assert np.hypot(*np.diff(route.place, axis=0).T).max() < 2.0  # in order along the path
    assert len(route.line_of_sight().waypoints) == len(route.corners)


def test_least_energy_takes_the_speed_that_needs_least_per_metre() -> None:
    """Of P_0 + P_V (V/U)³ over V: V = U (P_0/(2 P_V))^(1/3); here 1 m/s of 2."""
    route = find_route(
        Chart(), [0, 0], [300, 0], speed=2.0, margin=5.0, objective="energy", hotel_power=50.0, propulsion_power=200.0,
        lowest_speed=0.5,
    )  # fmt: skip
    assert route.speed.max() == pytest.approx(1.0, abs=0.02)
    assert route.energy[-1] == pytest.approx((50.0 + 25.0) * 300.0, rel=1e-3)


def test_a_current_that_bars_one_way_leads_round_the_other() -> None:
    """East of the island the current is stronger than the craft."""

    def flow(places: np.ndarray) -> np.ndarray:
        return np.column_stack([np.where(places[:, 1] > 0.0, -1.5, 0.0), np.zeros(len(places))])

    chart = island()
    chart.add([[-60, -90], [-60, 90], [160, 90], [160, -90]], "water")
    route = find_route(chart, [0, -5], [100, -5], speed=1.0, margin=3.0, current=flow)
    assert route.corners[:, 1].max() <= 0.0
    back = find_route(chart, [100, 5], [-30, 5], speed=1.0, margin=3.0, current=flow)
    assert back.corners[:, 1].min() >= 0.0
    with pytest.raises(RouteError, match=r"the current is too strong: it sets 1\.50 m/s towards 180°.*makes 1\.00 m/s"):
        find_route(chart, [0, 50], [100, 50], speed=1.0, margin=3.0, current=[-1.5, 0.0])


def basin(gap: float) -> Chart:
    """A wall right across the water with one gap, of rock on both sides."""
    chart = Chart()
    chart.add([[0, 0], [0, 100], [100, 100], [100, 0]], "water", name="basin")
    chart.add([[45, -5], [45, 50 - gap / 2], [55, 50 - gap / 2], [55, -5]], "land", name="west wall")
    chart.add([[45, 50 + gap / 2], [45, 105], [55, 105], [55, 50 + gap / 2]], "land", name="east wall")
    return chart


def test_what_is_in_the_way_is_said() -> None:
    ends = {"start": [20, 50], "goal": [80, 50], "speed": 1.0}
    assert find_route(basin(12.0), **ends, margin=4.0).least_clearance > 3.99
    with pytest.raises(
        RouteError,
        match=r"widest way .* about [4-6](\.\d)? m wide at its narrowest place, at north \d+ m, east (49|50|51) m",
    ):
        find_route(basin(6.0), **ends, margin=4.0)
    with pytest.raises(
        RouteError,
        match=r"no water leads from start to goal: at north [45]\d m, east \d+ m, in land '(east|west) wall', the way",
    ):
        find_route(basin(-1.0), **ends, margin=4.0)
    with pytest.raises(RouteError, match=r"the start, north 50 m, east 10 m, is in land 'west wall'"):
        find_route(basin(12.0), [50, 10], [80, 50], speed=1.0, margin=4.0)
    with pytest.raises(RouteError, match=r"the goal, .* is 2 m from the border of water 'basin', and margin is 4 m"):
        find_route(basin(12.0), [20, 50], [98, 50], speed=1.0, margin=4.0)
    with pytest.raises(RouteError, match=r"outside of water 'basin'"):
        find_route(basin(12.0), [20, 50], [120, 50], speed=1.0, margin=4.0)
    with pytest.raises(RouteError, match=r"turn with a radius of 60 m|turning with a radius of 60 m"):
        find_route(basin(12.0), [20, 20], [80, 20], speed=1.0, margin=4.0, turning_radius=60.0, start_course="180 deg")
    with pytest.raises(ParameterError, match=r"objective must be one of time, energy, distance"):
        find_route(basin(12.0), **ends, margin=4.0, objective="fuel")
    with pytest.raises(ParameterError, match=r"resolution: .* more than 2000000 nodes; take 0\.071 m or more"):
        find_route(basin(12.0), **ends, margin=4.0, resolution=1e-12)
    for resolution in (15.0, 500.0):
        with pytest.raises(ParameterError, match=r"too coarse for 100 m to north and 100 m to east; take 10 m or less"):
            find_route(basin(12.0), **ends, margin=4.0, resolution=resolution)
    with pytest.raises(ParameterError, match=r"margin, 1e-06 m, is too small to be kept on a way of 60 m: take 0.0006"):
        find_route(basin(12.0), **ends, margin=1e-6)
    with pytest.raises(ParameterError, match=r"turning_radius, 1e\+09 m, is too large for a way of 60 m: 6e\+03 m"):
        find_route(basin(12.0), **ends, margin=4.0, turning_radius=1e9)
    with pytest.raises(ParameterError, match=r"margin must be > 0 m"):
        find_route(basin(12.0), **ends, margin=0.0)


def shoal() -> Chart:
    """A ridge across, 2 m deep but for a channel of 4 m at 70 m east; 6 m elsewhere."""
    north, east = np.arange(0.0, 101.0, 2.0), np.arange(0.0, 101.0, 2.0)
    x, y = np.meshgrid(north, east, indexing="ij")
    ridge = np.clip(1.0 - np.abs(x - 50.0) / 15.0, 0.0, 1.0)
    channel = np.clip(1.0 - np.abs(y - 70.0) / 15.0, 0.0, 1.0)
    return Chart(soundings=Soundings(north, east, 6.0 - ridge * (4.0 - 2.0 * channel)))


def test_draught_decides_the_way_over_a_shoal() -> None:
    ends = {"start": [10, 20], "goal": [90, 20], "speed": 1.0, "margin": 2.0}
    over = find_route(shoal(), **ends, draught=1.0, under_keel=0.5)
    round_ = find_route(shoal(), **ends, draught=2.5, under_keel=0.5)
    assert over.length == pytest.approx(80.0, rel=1e-3)
    assert round_.corners[:, 1].max() > 60.0
    assert (shoal().soundings.at(round_.place) > 3.0).all()  # type: ignore[union-attr]
    assert find_route(shoal(), **ends, draught=2.5, under_keel=0.5, water_level=1.5).length < 81.0
    with pytest.raises(
        RouteError, match=r"too shallow: the deepest way has 3\.\d m of charted depth, and 5 m are needed"
    ):
        find_route(shoal(), **ends, draught=5.0)


def test_a_current_on_a_grid_is_that_of_its_block() -> None:
    values = np.sin(np.arange(2.0 * 2 * 4 * 3)).reshape(2, 2, 4, 3)
    field = CurrentField(
        x=[0.0, 1.0, 3.0, 4.0], y=[-1.0, 0.0, 2.0], times=[0.0, 10.0], depths=[0.0, 5.0], north=values, east=values**2,
        outside="fill", fill=[0.1, 0.2],
    )  # fmt: skip
    places = np.array([[0.5, 0.5], [3.9, 1.7], [9.0, 0.0]])
    even = CurrentField(x=[0.0, 9.0], y=[-1.0, 2.0], north=0.3, east=-0.1)
    assert stream_of(even)(places[:2]) == pytest.approx(np.array([[0.3, -0.1]] * 2))  # type: ignore[misc]
    found = stream_of(field, 4.0, 2.0)(places)  # type: ignore[misc]
    for place, flow in zip(places, found, strict=True):
        block = field.evaluate(4.0, eta=[*place, 2.0, 0.0, 0.0, 0.0]).outputs["current"]
        assert flow == pytest.approx(block[:2])
