"""Metrics of runs in studies: the same numbers as of a run by itself, one for each leg, and angles that wrap."""

from __future__ import annotations

import numpy as np
import pytest

from blocks import Diagram
from blocks.basic import Constant, TimeSeries
from blocks.control import PID, ComposeWrench
from blocks.dynamics import KinematicVehicle
from blocks.environment import UniformCurrent
from blocks.guidance import LineOfSight
from blocks.metrics import measure
from blocks.sensors import Compass
from blocks.study import Factor, Study, StudyError

SQUARE = [[0, 0, 0], [20, 0, 0], [20, 20, 0], [0, 20, 0]]


def boat() -> Diagram:
    """A boat without dynamics along three sides of a square."""
    made = Diagram("boat")
    made.add("guidance", LineOfSight(waypoints=SQUARE, acceptance_radius=2, switching="along_track", cruise_speed=1))
    made.add("heading", PID(kp=1, derivative="none", angle=True))
    made.add("ahead", Constant(1.0))
    made.add("wrench", ComposeWrench())
    made.add("current", UniformCurrent(0.0, "90 deg"))
    made.add("boat", KinematicVehicle())
    for source, sink in (
        ("guidance.heading", "heading.reference"), ("boat.eta[psi]", "heading.measurement"), ("ahead.y", "wrench.X"),
        ("heading.output", "wrench.N"), ("wrench.force", "boat.force"), ("current.current", "boat.current"),
        ("boat.eta", "guidance.eta"), ("boat.nu", "guidance.nu"),
    ):  # fmt: skip
        made.connect(source, sink)
    return made


TEXTS = {
    "error": "rms(guidance.cross_track_error, leg=2)",
    "settling": "settling_time(boat.eta[psi], guidance.heading, leg=2, band=0.1)",
    "length": "path_length(boat.eta, after=2 s)",
    "time": "duration()",
}


def test_a_study_measures_what_a_run_by_itself_does() -> None:
    study = Study(boat(), {"current.speed": [0.0, 0.2]}, TEXTS, end=60.0, step=0.1)
    outcome = study.run("serial")
    assert outcome.units == {"error": "m", "settling": "s", "length": "m", "time": "s"}
    for number in (0, 1):
        alone = measure(study.simulate(number), TEXTS)
        assert [outcome.values(name)[number] for name in TEXTS] == [one.value for one in alone.values()]
    assert outcome.values("error")[1] > outcome.values("error")[0]


def test_a_metric_for_each_leg_is_a_column_for_each() -> None:
    texts = {"error": "largest(guidance.cross_track_error, leg=all)", "time": "duration(leg=1)"}
    study = Study(boat(), {"ahead.value": [0.3, 1.0]}, texts, end=60.0, step=0.1)
    assert list(study.metrics) == ["error_leg_1", "error_leg_2", "error_leg_3", "time"]
    outcome = study.run("serial")
    alone = measure(study.simulate(1), texts)
    assert [float(outcome.values(name)[1]) for name in alone] == [one.value for one in alone.values()]
    assert np.isnan(outcome.values("error_leg_2")[0])  # it has not come so far
    assert outcome.reasons[0].startswith(
        "metric 'error_leg_2': largest(guidance.cross_track_error, leg=2): leg 2 was not followed there; those that "
        "were are 1"
    )
    assert 0 in outcome.reasons
    assert 1 not in outcome.reasons


def test_a_loop_has_a_leg_more() -> None:
    looped = boat()
    looped["guidance"].set(at_end="loop")
    study = Study(looped, {"current.speed": [0.0]}, ["duration(leg=all)"], end=100.0, step=0.1)
    assert list(study.metrics) == [f"duration(leg={leg})" for leg in (1, 2, 3, 4)]
    times = [float(study.run("serial").values(name)[0]) for name in study.metrics]
    assert times == pytest.approx([20.0] * 4, abs=4.0)


def test_there_is_a_column_for_each_leg_of_the_longest_path() -> None:
    longer = [*SQUARE, [0, 0, 0], [20, 0, 0]]
    exchanged = boat()["guidance"].copy()
    exchanged.set(waypoints=longer[:5], at_end="loop")
    for level in ({"guidance.waypoints": longer}, {"guidance": exchanged}):
        study = Study(boat(), {"path": {"short": {}, "long": level}}, ["duration(leg=all)"], end=1.0, step=0.1)
        assert list(study.metrics) == [f"duration(leg={leg})" for leg in (1, 2, 3, 4, 5)]


def test_the_mean_of_an_angle_that_wraps_is_a_direction() -> None:
    """A vehicle that lies at 180°, as a compass shows it: half of the samples at 179°, half at -179°."""
    swinging = Diagram("swinging")
    pose = np.zeros((21, 6))
    pose[:, 5] = np.radians(180.0) + np.radians(1.0) * (-1.0) ** np.arange(21)
    swinging.add("eta", TimeSeries(np.arange(21.0), pose, interpolation="hold"))
    swinging.add("compass", Compass(period=1.0))
    swinging.connect("eta.y", "compass.eta")
    study = Study(
        swinging, {"compass.bias": [0.0]},
        {"mean": "mean(compass.heading)", "scatter": "standard_deviation(compass.heading)", "rms": "rms(eta.y[5])"},
        end=20.0, step=0.5,
    )  # fmt: skip
    outcome = study.run("serial")
    assert abs(float(outcome.values("mean")[0])) == pytest.approx(np.pi, abs=1e-3)
    assert float(outcome.values("scatter")[0]) < np.radians(1.01)
    assert study.description["metrics"]["rms"] == {"statistic": "rms(eta.y[5])"}


def test_directions_of_members_can_be_averaged() -> None:
    lying = Diagram("lying")
    lying.add("eta", Constant(np.zeros(6)))
    lying.add("compass", Compass(period=1.0))
    lying.connect("eta.y", "compass.eta")
    biases = Factor(np.radians([179.0, -179.0]), of="compass.bias")
    study = Study(lying, {"bias": biases}, {"psi": "mean(compass.heading)"}, end=2.0, step=0.5)
    outcome = study.run("serial")
    assert outcome.values("psi") == pytest.approx(np.radians([179.0, -179.0]))
    assert np.ptp(outcome.continuous("psi")) == pytest.approx(np.radians(2.0))
    assert abs(outcome.continuous("psi").mean()) == pytest.approx(np.pi)


BAD = {
    "steady(boat.eta[ps])": r"metric 'a': steady\(boat.eta\[ps\]\): boat.eta has no element 'ps'",
    "settling_time(boat.eta[psi], ahead.value)": "no output 'ahead.value'",
    "rms_error(boat.eta[psi], guidance.cross_track_error)": "is in rad, but its reference .* in m",
    "rms(ahead.y, leg=all, leg=2)": "leg is given twice",
}


@pytest.mark.parametrize("text", BAD)
def test_what_every_member_would_say_is_told_before(text: str) -> None:
    with pytest.raises(StudyError, match=BAD[text]):
        Study(boat(), {"current.speed": [0.0]}, {"a": text}, end=1.0)


def test_two_metrics_of_one_name_are_refused() -> None:
    for names in (("a", "a_leg_2"), ("a_leg_2", "a")):
        texts = dict.fromkeys(names, "rms(ahead.y)") | {"a": "rms(guidance.cross_track_error, leg=all)"}
        with pytest.raises(StudyError, match="metric 'a': there is another metric 'a_leg_2'"):
            Study(boat(), {"current.speed": [0.0]}, {name: texts[name] for name in names}, end=1.0)


def test_no_legs_where_nothing_has_waypoints() -> None:
    kept = Diagram("kept")
    kept.add("level", Constant(1.0))
    with pytest.raises(StudyError, match="leg= needs the one output 'waypoint' that tells the leg, and there is none"):
        Study(kept, {"level.value": [1.0]}, {"a": "rms(level.y, leg=all)"}, end=1.0)
