"""Comparisons: metrics of all kinds, what is shown, and what comes out in numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant, Function, Integrator, MatrixGain, WhiteNoise
from blocks.control import PID, ComposeWrench
from blocks.dynamics import KinematicVehicle
from blocks.environment import UniformCurrent
from blocks.guidance import LineOfSight
from blocks.lab.comparison import Comparison, ComparisonError, View
from blocks.lab.comparison.figures.frame import colours_of
from blocks.lab.comparison.levels import Axis
from blocks.lab.comparison.summary import grouped_reasons, pareto, spread
from blocks.sensors import Compass
from blocks.study import StudyError

METRICS = {
    "error": "rms(guidance.cross_track_error)",
    "recorded": "rms(guidance.cross_track_error, after=0 s)",
    "offset": "steady(guidance.cross_track_error)",
    "arrival": "arrival_time(guidance.finished)",
    "duration": "duration()",
    "energy": "final(meter.y)",
}
FACTORS = {"guidance.lookahead": [5.0, 10.0], "current.speed": {"slack": 0.0, "ebb": "0.3 m/s", "flood": "0.5 m/s"}}


def river() -> Diagram:
    """A boat without dynamics on one leg of 40 m, and something that looks like an energy meter."""
    made = Diagram("river")
    made.add(
        "guidance",
        LineOfSight(waypoints=[[0, 0, 0], [40, 0, 0]], acceptance_radius=2, switching="along_track", cruise_speed=1),
    )
    made.add("heading", PID(kp=1, derivative="none", angle=True))
    made.add("ahead", Constant(1.0))
    made.add("wrench", ComposeWrench())
    made.add("current", UniformCurrent("0.3 m/s", "90 deg"))
    made.add("boat", KinematicVehicle())
    made.add("meter", Integrator())
    for source, sink in (
        ("guidance.heading", "heading.reference"), ("boat.eta[psi]", "heading.measurement"), ("ahead.y", "wrench.X"),
        ("heading.output", "wrench.N"), ("wrench.force", "boat.force"), ("current.current", "boat.current"),
        ("boat.eta", "guidance.eta"), ("boat.nu", "guidance.nu"), ("ahead.y", "meter.u"),
    ):  # fmt: skip
        made.connect(source, sink)
    return made


@pytest.fixture(scope="module")
def compared():
    view = View(objectives=["error", "energy"], levels={"current.speed": ["ebb", "flood"]})
    return Comparison(river(), FACTORS, METRICS, view=view, end=60.0, step=0.2).run()


def test_the_engine_and_what_is_recorded_give_the_same(compared) -> None:
    own = compared.comparison.study.description["metrics"]
    assert own["error"] == {"statistic": "rms(guidance.cross_track_error)"}
    assert own["recorded"]["metric"] == "rms(guidance.cross_track_error, after=0 s)"
    assert compared.metrics["recorded"][1:] == pytest.approx(compared.metrics["error"][1:], rel=0.01)
    assert compared.outcome.units == {
        "error": "m", "recorded": "m", "offset": "m", "arrival": "s", "duration": "s", "energy": "1",
    }  # fmt: skip
    assert compared.metrics["duration"] == pytest.approx(60.0)


def test_the_members_that_are_shown_are_those_of_the_study(compared) -> None:
    assert [run.member for run in compared.runs] == [1, 2, 4, 5]
    assert [run.levels for run in compared.runs][1:3] == [
        {"guidance.lookahead": 0, "current.speed": 2}, {"guidance.lookahead": 1, "current.speed": 1},
    ]  # fmt: skip
    alone = river()
    alone["guidance"].set(lookahead=10.0)
    alone["current"].set(speed=0.5)
    expected = simulate(alone, 60.0, step=0.2)
    shown = compared.runs[-1]
    assert np.array_equal(shown.signals["boat.eta"], expected.values("boat.eta"))
    assert shown.planned is not None
    assert shown.planned.radius == 2.0
    assert shown.planned.waypoints.tolist() == [[0, 0, 0], [40, 0, 0]]


def test_rows_are_means_and_spreads_by_level(compared) -> None:
    table = compared.table
    by_level = table.groupby("guidance.lookahead").error.agg(["mean", "std", "min", "max", "count"])
    found = [row.metrics["error"] for row in compared.rows if row.factor == "guidance.lookahead"]
    assert [[one.mean, one.deviation, one.least, one.greatest, one.count] for one in found] == pytest.approx(
        by_level.to_numpy()
    )
    assert [(row.level, row.members) for row in compared.rows] == [
        ("5 m", 3), ("10 m", 3), ("slack", 2), ("ebb", 2), ("flood", 2),
    ]  # fmt: skip
    assert len(compared.combinations) == 6
    assert compared.combinations[4].level == "10 m · ebb"
    assert compared.combinations[4].metrics["error"].mean == compared.metrics["error"][4]


def test_the_best_member_and_the_front(compared) -> None:
    assert compared.best("error", 1) == [int(np.argmin(compared.metrics["error"]))]
    assert compared.levels(5) == {"guidance.lookahead": "10 m", "current.speed": "flood"}
    assert compared.front == compared.best("error", 1)  # all take the same energy


def test_the_front_is_what_none_beats() -> None:
    x, y = np.random.default_rng(2).random((2, 200)).round(2)
    x[3] = np.nan
    beaten = [
        any((x[j] <= x[i] and y[j] <= y[i]) and (x[j] < x[i] or y[j] < y[i]) for j in range(200)) or np.isnan(x[i])
        for i in range(200)
    ]
    points = {(x[i], y[i]) for i in range(200) if not beaten[i]}
    assert {(x[i], y[i]) for i in pareto(x, y)} == points
    assert 2 < len(points) < 30


def test_spread_leaves_out_what_is_no_number() -> None:
    found = spread(np.array([1.0, np.nan, 3.0]))
    assert (found.mean, found.deviation, found.count) == (2.0, pytest.approx(np.sqrt(2.0)), 2)
    assert np.isnan(spread(np.array([np.nan])).mean)


def test_reasons_that_differ_in_numbers_are_one() -> None:
    reasons = {3: "x: fault at t = 1.5 s", 5: "x: fault at t = 2e-3 s", 7: "y: fault at t = 2 s"}
    assert grouped_reasons(reasons) == [("x: fault at t = 1.5 s", 2, 3), ("y: fault at t = 2 s", 1, 7)]


def test_a_failed_member_stops_nothing_and_is_counted() -> None:
    blow_up = Diagram("blow_up")
    blow_up.add("x", Integrator())
    blow_up.add("square", Function("square"))
    blow_up.connect("x.y", "square.u")
    blow_up.connect("square.y", "x.u")
    made = Comparison(blow_up, {"x.initial_x": [0.1, 2.0, 3.0]}, {"peak": "largest(x.y)"}, end=1.0, step=0.05).run()
    assert made.counts() == "2 of 3 failed"
    assert [row.failed for row in made.rows] == [0, 1, 1]
    assert made.rows[1].metrics["peak"].count == 0
    ((reason, count, first),) = made.reasons
    assert (count, first) == (2, 1)
    assert "square: output y is not a finite number" in reason
    assert [run.member for run in made.runs] == [0]
    assert "2 of 3 failed" in made.report()


def test_a_metric_that_cannot_be_taken_is_counted_too() -> None:
    made = Comparison(river(), {"ahead.value": [0.1, 1.0]}, {"arrival": METRICS["arrival"]}, end=60.0, step=0.2).run()
    assert made.counts() == "0 of 2 failed, 1 without some metric"
    assert "did not arrive" in made.reasons[0][0]
    assert made.metrics["arrival"][1] == pytest.approx(38.0 / np.sqrt(1.0 - 0.3**2), abs=1.0)


def test_replicates_have_boxes_and_seeds() -> None:
    noisy = Diagram("noisy")
    noisy.add("noise", WhiteNoise(period=0.1))
    made = Comparison(
        noisy, {"noise.spectral_density": [0.1, 0.4]}, {"spread": "standard_deviation(noise.y)"}, end=5.0, step=0.1,
        replicates=20, seeds="noise.seed",
    ).run()  # fmt: skip
    assert set(made.figures()) == {"boxes"}
    low, high = (row.metrics["spread"] for row in made.rows)
    assert high.mean == pytest.approx(2.0 * low.mean, rel=0.15)  # √4; 1000 samples each
    assert low.count == 20
    assert low.deviation > 0.0


def test_studies_of_other_metrics_are_others() -> None:
    one, other = (
        Comparison(river(), FACTORS, {"a": f"steady(guidance.cross_track_error, share={share})"}, end=1.0).study
        for share in (0.1, 0.2)
    )
    assert one.identity != other.identity


BAD = [
    ({"a": "rsm(guidance.cross_track_error)"}, {}, "metric 'a': the metric 'rsm(guidance.cross_track_error)': there is "
     "no 'rsm'; did you mean 'rms'"),
    ({"a": "rms(guidance.cross_track, leg=1)"}, {}, "metric 'a': no output 'guidance.cross_track'; did you mean "
     "'guidance.cross_track_error'"),
    ({"a": "steady(boat.eta)"}, {}, "metric 'a': steady(boat.eta): boat.eta has 6 elements (x, y, z, phi, theta, psi); "
     "name one: boat.eta[x]"),
    ({"a": "steady(boat.eta[yaw])"}, {}, "metric 'a': steady(boat.eta[yaw]): boat.eta has no element 'yaw'"),
    ({}, {}, "a study needs at least one metric"),
    (METRICS, {"figures": ["track"]}, "figures: there is no figure 'track'; did you mean 'tracks'?"),
    (METRICS, {"figures": ["commands"]}, "figures: commands cannot be drawn: no block has an input 'command'"),
    ({"a": METRICS["offset"]}, {"figures": ["pareto"]}, "no two metrics of an error and an energy among a; say which"),
    (METRICS, {"compare": "lookahead"}, "show: compare: there is no factor 'lookahead' with levels; did you mean "
     "'guidance.lookahead'"),
    (METRICS, {"levels": {"current.speed": ["eb"]}}, "factor 'current.speed' has no level 'eb'; did you mean 'ebb'?"),
    (METRICS, {"members": [6]}, "show: members: there is no member 6: they go from 0 to 5"),
    (METRICS, {"objectives": ["error", "enrgy"]}, "objectives: there is no metric 'enrgy'; did you mean 'energy'?"),
    (METRICS, {"objectives": ["error", "error"]}, "objectives: two different metrics are wanted, such as"),
    (METRICS, {"levels": {"current.speed": []}}, "show: levels: a list of levels of 'current.speed' is wanted, not []"),
    (METRICS, {"parts": {"vessel": "boot"}}, "parts: no block 'boot' to be its vessel; did you mean 'boat'?"),
]  # fmt: skip


@pytest.mark.parametrize(("metrics", "view", "message"), BAD, ids=[message[:40] for *_, message in BAD])
def test_what_is_wrong_is_told_before_anything_runs(metrics, view, message) -> None:
    with pytest.raises((ComparisonError, StudyError)) as told:
        Comparison(river(), FACTORS, metrics, view=View(**view), end=1.0)
    assert message in str(told.value)


def test_directions_are_averaged_as_such() -> None:
    """Headings of 179° and -179°: a mean of 180° with a scatter of √2°, and 0° of what is no direction."""
    diagram = Diagram("headings")
    diagram.add("psi", Constant(0.0))
    diagram.add("compass", Compass(period=1.0))
    diagram.add("eta", MatrixGain([[0.0]] * 5 + [[1.0]]))
    diagram.connect("psi.y", "eta.u")
    diagram.connect("eta.y", "compass.eta")
    made = Comparison(
        diagram, {"compass.bias": {"a": np.radians(179.0), "b": np.radians(-179.0)}, "compass.delay": [0]},
        {"heading": "final(compass.heading)", "square": "rms(compass.heading)"}, end=2.0, step=0.5,
    ).run("serial")  # fmt: skip
    (row,) = (row for row in made.rows if row.factor == "compass.delay")
    assert abs(row.metrics["heading"].mean) == pytest.approx(np.pi)
    assert row.metrics["heading"].deviation == pytest.approx(np.radians(np.sqrt(2.0)))
    assert made.metrics["heading"] == pytest.approx(np.radians([179.0, -179.0]))


def test_a_level_is_found_by_its_value_in_any_unit() -> None:
    view = View(levels={"current.direction": ["90 deg", math.pi]}, objectives=["error", "energy"])
    made = Comparison(river(), {"current.direction": ["90 deg", "180 deg", "270 deg"]}, METRICS, view=view, end=1.0)
    assert [run.levels for run in made.run("serial").runs] == [{"current.direction": 0}, {"current.direction": 1}]
    assert made.levels() == {"current.direction": "90°, 180°, 270°"}


def test_a_level_has_one_colour_in_all_figures() -> None:
    labels = ("LOS, Δ 4 m", "LOS, Δ 8 m", "ILOS")
    few = colours_of(Axis("law", labels, labels))
    assert len(set(few)) == 3
    many = tuple(f"{law}, {gain}" for law in ("LOS", "ILOS", "ALOS") for gain in (1, 2, 3))
    shared = colours_of(Axis("law", many, many))
    assert [shared[0], shared[3], shared[6]] == few
    assert shared[:3] == [few[0]] * 3


def test_a_factor_that_names_no_parameter() -> None:
    with pytest.raises(StudyError, match=r"no parameter, input or component 'guidance.lokahead'; did you mean"):
        Comparison(river(), {"guidance.lokahead": [1.0]}, METRICS, end=1.0)


VIEWS = [
    ({"figures": 3}, "figures: a list of names of figures is wanted, not 3"),
    ({"compare": 3}, "show: compare: the name of a factor is wanted, not 3"),
    ({"levels": ["ebb"]}, r"show: levels: a mapping of factors to lists of levels is wanted, not \['ebb'\]"),
    ({"members": ["a"]}, "show: members: the number of a member is wanted, not 'a'"),
    ({"best": {"error": "most"}}, "best: error: least or greatest is wanted, not 'most'"),
    ({"parts": {"vesel": "boat"}}, "parts: there is no part 'vesel' of figures; did you mean 'vessel'"),
]


@pytest.mark.parametrize(("view", "message"), VIEWS, ids=[message[:30] for _, message in VIEWS])
def test_a_view_says_what_it_may_be(view, message) -> None:
    with pytest.raises(ComparisonError, match=message):
        View(**view)
    assert View(figures="boxes").figures == ("boxes",)


def test_what_is_asked_of_an_outcome_has_to_be_there(compared) -> None:
    with pytest.raises(ComparisonError, match="there is no metric 'eror'; did you mean 'error'"):
        compared.best("eror")
    with pytest.raises(ComparisonError, match="there is no member 6: they go from 0 to 5"):
        compared.levels(6)
