"""DubinsPath: the shortest of all words, its geometry, and that it can be followed."""

import numpy as np
import pytest

from blocks import simulate
from blocks.errors import ParameterError
from blocks.guidance import DubinsPath

AT_REST = np.zeros(6)
WORDS = ("LSL", "RSR", "LSR", "RSL", "RLR", "LRL")
SIDES = {"L": -1.0, "S": 0.0, "R": 1.0}


def path(waypoints: object, headings: object, radius: float = 1.0, **changes: object) -> DubinsPath:
    return DubinsPath(waypoints, headings, radius, **({"cruise_speed": 1.0, "lookahead": 3.0} | changes))


def length(x: float, y: float, begin: float, end: float, radius: float = 1.0) -> float:
    return float(path([[0.0, 0.0], [x, y]], [begin, end], radius).length)


def led(word: str, lengths: object, start: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> tuple[float, float, float]:
    """Where a word leads: pose after arcs of radius 1 and straight lines, by complex numbers."""
    place, course = complex(*start[:2]), start[2]
    for letter, way in zip(word, lengths, strict=True):
        side = SIDES[letter]
        if side:
            centre = place + 1j * side * np.exp(1j * course)
            place = centre + (place - centre) * np.exp(1j * side * way)
        else:
            place += way * np.exp(1j * course)
        course += side * way
    return place.real, place.imag, course


@pytest.mark.parametrize(
    ("pose", "wanted"),
    [
        ((5.0, 0.0, 0.0, 0.0), 5.0),  # straight ahead
        ((0.0, 2.0, 0.0, np.pi), np.pi),  # half a circle
        ((0.0, 5.0, 0.0, np.pi), np.pi + 3.0),  # two quarters and a line
        ((0.0, 0.0, 0.0, np.pi), 7.0 * np.pi / 3.0),  # about on the spot: three arcs
        ((-4.0, 0.0, 0.0, 0.0), 4.0 + 2.0 * np.pi),  # back behind: all the way round
        ((np.sin(0.7), 1.0 - np.cos(0.7), 0.0, 0.7), 0.7),  # on along one circle
        ((2.0, 2.0, 0.0, 0.0), np.pi),  # two quarters to the other side
    ],
)
def test_known_lengths(pose: tuple[float, float, float, float], wanted: float) -> None:
    x, y, begin, end = pose
    assert length(x, y, begin, end) == pytest.approx(wanted, abs=1e-7)
    assert length(3.0 * x, 3.0 * y, begin, end, radius=3.0) == pytest.approx(3.0 * wanted, abs=1e-6)
    assert length(x, -y, -begin, -end) == pytest.approx(wanted, abs=1e-7)  # mirrored
    assert length(-x, -y, end + np.pi, begin + np.pi) == pytest.approx(wanted, abs=1e-7)  # the way back


def test_nothing_is_shorter() -> None:
    """Poses are made by words of any lengths: none may beat the path, and words that must be shortest equal it.

    Those are short arcs about a long line, and three arcs of which the middle one is more than half a circle and the
    others together are less than it.
    """
    random = np.random.default_rng(5)
    for k in range(36):
        word = WORDS[k % 6]
        if k < 18:
            lengths = random.uniform(0.0, 1.9 * np.pi, 3)
        elif word[1] == "S":
            lengths = np.array([*random.uniform(0.1, 1.2, 2), random.uniform(4.0, 6.0)])[[0, 2, 1]]
        else:
            lengths = np.array([0.3, random.uniform(1.1, 1.3) * np.pi, 0.3])
        x, y, course = led(word, lengths)
        found = length(x, y, 0.0, course)
        assert found <= lengths.sum() + 1e-7
        if k >= 18 and word[1] == "S":
            assert found == pytest.approx(lengths.sum(), abs=1e-7)


def test_six_words_are_all_there_are() -> None:
    """Of the formulas of each word, solved on their own over a grid of courses and distances, the least."""

    def turn(angle: float) -> float:
        angle %= 2.0 * np.pi
        return angle if angle < 2.0 * np.pi - 1e-9 else 0.0

    def solutions(d: float, a: float, b: float) -> list[float]:
        found = []
        for first in (1.0, -1.0):
            begin, end = 1j * first * np.exp(1j * a), d + 1j * first * np.exp(1j * b)
            between = end - begin
            theta = np.angle(between)
            found.append(turn(first * (theta - a)) + abs(between) + turn(first * (b - theta)))
            if abs(between) < 4.0:
                for lean in (1.0, -1.0):
                    middle = begin + 2.0 * np.exp(1j * (theta + lean * np.arccos(abs(between) / 4.0)))
                    one = np.angle(middle - begin) + first * np.pi / 2.0
                    other = np.angle(middle - end) + first * np.pi / 2.0
                    found.append(turn(first * (one - a)) + turn(first * (one - other)) + turn(first * (b - other)))
            opposite = d - 1j * first * np.exp(1j * b) - begin
            if abs(opposite) > 2.0:
                theta = np.angle(opposite) + first * np.arcsin(2.0 / abs(opposite))
                way = np.sqrt(abs(opposite) ** 2 - 4.0)
                found.append(turn(first * (theta - a)) + way + turn(first * (theta - b)))
        return found

    courses = np.radians([-170.0, -100.0, -20.0, 0.1, 75.0, 130.0])
    poses = [(d, a, b) for d in (0.6, 3.1) for a in courses for b in courses[::2]]
    for d, a, b in poses[::2]:
        assert length(d, 0.0, a, b) == pytest.approx(min(solutions(d, a, b)), abs=1e-7)


POINTS = np.array([[0.0, 0.0, 0.0], [30.0, 5.0, 4.0], [34.0, 20.0, 1.0], [10.0, 24.0, 1.0]])
HEADINGS = np.radians([20.0, 90.0, 170.0, -100.0])


def test_every_pose_is_reached_by_pieces_of_one_radius() -> None:
    """Along the path: poses in order, no step in place or course, and curvatures of 0 and ±1/ρ only."""
    guidance = path(POINTS, HEADINGS, 4.0)
    thetas = np.linspace(0.0, float(guidance.length), 121)
    ahead = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    places, courses, rates = [], [], []
    for theta in thetas:
        states = {"path_parameter": theta, "phase": 1.0}
        point = guidance.evaluate(1.0, states, eta=AT_REST, nu=AT_REST).outputs["position"]
        got = guidance.evaluate(1.0, states, eta=[*point, 0.0, 0.0, 0.0], nu=ahead).outputs
        places.append(point)
        courses.append(got["heading"])
        rates.append(got["course_rate"] / np.cos(got["heading"]))
    places, courses = np.array(places), np.unwrap(courses)
    step = thetas[1]
    assert np.hypot(*np.diff(places[:, :2], axis=0).T).max() <= step + 1e-9
    assert np.abs(np.diff(courses)).max() <= step / 4.0 + 1e-9
    assert set(np.round(rates, 9)) == {-0.25, 0.0, 0.25}
    for point, heading in zip(POINTS, HEADINGS, strict=True):
        k = int(np.argmin(np.hypot(*(places[:, :2] - point[:2]).T)))
        assert np.hypot(*(places[k, :2] - point[:2])) < step
        assert np.cos(courses[k] - heading) > np.cos(step / 4.0 + 1e-9)
        assert places[k, 2] == pytest.approx(point[2], abs=0.5)


def test_it_begins_straight_however_far_behind_it_is() -> None:
    """Before the first pose the path is the line of its heading: a vessel on it has no error, and steers along it."""
    guidance = path(POINTS, HEADINGS, 4.0)
    course = np.array([np.cos(HEADINGS[0]), np.sin(HEADINGS[0])])
    for behind in (0.5, 20.0):
        place = POINTS[0, :2] - behind * course + 0.7 * np.array([-course[1], course[0]])
        states = {"path_parameter": -behind, "phase": 1.0}
        found = guidance.evaluate(1.0, states, eta=[*place, 0.0, 0.0, 0.0, HEADINGS[0]], nu=AT_REST).outputs
        assert found["cross_track_error"] == pytest.approx(0.7)
        assert found["position"] == pytest.approx([*(POINTS[0, :2] - behind * course), POINTS[0, 2]])


def test_it_is_followed_and_ends_in_the_last_pose(mission) -> None:
    guidance = path(POINTS, HEADINGS, 4.0, speed_taper=False, acceptance_radius=0.5)
    run = simulate(mission(guidance), 110.0, step=0.2)
    finished = run.values("guidance.finished") == 1.0
    assert np.abs(run.values("guidance.cross_track_error")).max() < 0.05
    assert run.time[np.argmax(finished)] == pytest.approx(float(guidance.length) - 0.5, abs=0.5)
    assert run.values("guidance.heading")[-1] == pytest.approx(HEADINGS[-1])
    assert run.values("guidance.depth")[-1] == pytest.approx(1.0)
    speed = np.diff(run.values("guidance.depth")) / 0.2
    assert np.ptp(speed[5:100]) < 0.01  # down at an even rate


def test_a_loop_comes_back_to_the_first_pose() -> None:
    """Through three poses on a circle it is that circle; with the first one repeated nothing is added."""
    angles = np.radians([0.0, 120.0, 240.0])
    circle = 5.0 * np.column_stack([np.cos(angles), np.sin(angles)])
    full = 2.0 * np.pi
    closed = [*circle, circle[0]]
    for points, headings in ((circle, angles), (closed, [*angles, angles[0]]), (closed, [*angles, angles[0] + full])):
        guidance = path(points, np.array(headings) + np.pi / 2, 5.0, at_end="loop")
        assert guidance.length == pytest.approx(10.0 * np.pi, abs=1e-7)
        states = {"path_parameter": 35.0, "phase": 1.0}
        point = guidance.evaluate(1.0, states, eta=AT_REST, nu=AT_REST).outputs["position"]
        assert point[:2] == pytest.approx([5.0 * np.cos(7.0), 5.0 * np.sin(7.0)], abs=1e-7)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"waypoints": POINTS[:1], "headings": 0.0}, r"a path needs at least two waypoints, .* given: only 1"),
        ({"headings": HEADINGS[:3]}, r"waypoints has 4 entries, headings has 3: they must have the same"),
        ({"waypoints": POINTS[[0, 1, 1, 2]], "headings": 0.3}, r"waypoints 2 and 3 coincide .* with the same heading"),
        (
            {"waypoints": POINTS[[0, 0]], "headings": ["0 deg", "360 deg"]},
            r"waypoints 1 and 2 coincide .* the same head",
        ),
        (
            {"waypoints": [*POINTS, POINTS[0] + [0, 0, 5]], "headings": [*HEADINGS, HEADINGS[0]], "at_end": "loop"},
            r"the last waypoint of a loop lies at the first one, but at a depth of ",
        ),
        ({"turning_radius": 0.0}, r"turning_radius must be > 0 m, not 0"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, object], message: str) -> None:
    usual = {"waypoints": POINTS, "headings": HEADINGS, "turning_radius": 2.0, "cruise_speed": 1.0}
    with pytest.raises(ParameterError, match=message):
        DubinsPath(**(usual | given))


def test_a_turn_on_the_spot_is_a_leg() -> None:
    assert length(0.0, 0.0, 0.3, 0.3 + np.pi) == pytest.approx(7.0 * np.pi / 3.0)


def test_points_show_every_arc() -> None:
    """Two turns of a radius of 1 m with 200 m between them, to a thousandth of the length."""
    far = path([[0.0, 0.0], [0.0, 200.0]], np.zeros(2), 1.0)
    ways = np.linalg.norm(np.diff(far.points(), axis=0), axis=1)
    assert ways.max() < 0.11
    assert ways.sum() == pytest.approx(far.length, rel=1e-3)
