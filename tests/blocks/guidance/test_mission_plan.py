"""Missions in phases: when each begins and ends, where the vehicle goes, and what is said of other words."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from blocks import Diagram, Result, simulate
from blocks.basic import Step
from blocks.errors import ParameterError
from blocks.guidance import MissionPlan

Make = Callable[..., Diagram]


def fly(mission: Make, phases: object, end: float, **parameters: object) -> tuple[Result, MissionPlan]:
    """A point vehicle at 1 m/s, by a solver that locates events."""
    plan = MissionPlan(phases, **{"cruise_speed": 1.0, "acceptance_radius": 1.0, "speed_taper": False} | parameters)
    return simulate(mission(plan), end, solver="dopri5", step=0.5), plan


def begun(run: Result) -> dict[int, float]:
    """When each phase began, by the first sample that is in it."""
    phase = run.values("guidance.phase").astype(int)
    return {int(number): float(run.time[np.argmax(phase == number)]) for number in dict.fromkeys(phase)}


def test_phases_begin_when_the_ones_before_are_done(mission: Make) -> None:
    phases = [{"hold": "3 s"}, {"go to": [20, 0]}, {"stay until": "40 s"}, {"go to": [20, 10]}]
    run, plan = fly(mission, phases, 60.0)
    # 19 m at 1 m/s to the circle of acceptance; from there 9.055 m to 1 m before the next waypoint, by its leg
    times = begun(run)
    assert times[1] == 0.0
    assert times[2] == pytest.approx(3.0, abs=1e-9)
    assert times[3] == pytest.approx(22.0, abs=1e-9)
    assert times[4] == pytest.approx(40.0, abs=1e-9)
    assert run.values("guidance.finished")[-1] == 1.0
    assert plan.phase_names == ("hold", "go to", "stay until", "go to 2")
    held = run.values("guidance.phase") == 1
    assert np.all(run.values("guidance.cross_track_error")[held] == 0.0)
    assert np.all(run.values("vehicle.eta")[held][:, :2] == 0.0)


def test_a_survey_covers_its_box(mission: Make) -> None:
    box = {"corner": [10, 5], "length": 20, "width": 10, "direction": "90 deg", "spacing": "4 m", "side": "port"}
    run, plan = fly(mission, [{"survey": box}], 250.0, lookahead=1.0)
    points = plan.route()
    # 3 gaps of 10/3 m keep 4 m; lines go east from the corner, the box lies to port, so to the north
    assert len(points) == 8
    assert points[:, 0] == pytest.approx(10.0 + np.repeat([0.0, 10.0 / 3.0, 20.0 / 3.0, 10.0], 2))
    assert points[:, 1] == pytest.approx([5.0, 25.0, 25.0, 5.0, 5.0, 25.0, 25.0, 5.0])
    assert run.values("guidance.finished")[-1] == 1.0
    track = run.values("vehicle.eta")[:, :2]
    for north in np.linspace(10.0, 20.0, 11):
        for east in np.linspace(5.0, 25.0, 21):
            assert np.linalg.norm(track - [north, east], axis=1).min() < 2.0 + 0.5  # half the spacing, and the corners


@pytest.mark.parametrize("side", ["starboard", "port"])
def test_a_circle_is_gone_round_as_often_as_told(mission: Make, side: str) -> None:
    circle = {"circle": {"around": [0, 20], "radius": 8, "turns": 2, "side": side}}
    run, _ = fly(mission, [circle], 200.0, lookahead=4.0)
    phase, eta = run.values("guidance.phase"), run.values("vehicle.eta")[:, :2] - [0.0, 20.0]
    away = np.linalg.norm(eta, axis=1)
    on = (phase == 1) & (run.time > 40.0)
    assert away[on] == pytest.approx(8.0, abs=0.01)  # the law has the circle for its limit, and the vehicle is ideal
    counted = (phase == 1) & (away < 12.0 + 1e-6)
    bearing = np.unwrap(np.arctan2(eta[:, 1], eta[:, 0]))[counted]
    sign = 1.0 if side == "starboard" else -1.0
    assert sign * (bearing[-1] - bearing[0]) == pytest.approx(4.0 * np.pi, abs=2 * 0.5 / 8.0)  # a sample at each end
    error = run.values("guidance.cross_track_error")
    assert error[on] == pytest.approx(sign * (8.0 - away[on]), abs=1e-12)


def test_a_vehicle_that_cannot_stop_waits_on_a_circle(mission: Make) -> None:
    run, _ = fly(mission, [{"go to": [30, 0]}, {"hold": "100 s"}], 120.0, loiter_radius=6.0, lookahead=3.0)
    late = (run.values("guidance.phase") == 2) & (run.time > 60.0)
    assert np.linalg.norm(run.values("vehicle.eta")[late][:, :2] - [30.0, 0.0], axis=1) == pytest.approx(6.0, abs=0.01)
    assert np.all(run.values("guidance.speed") == 1.0)
    assert np.all(run.values("guidance.following")[late] == 0.0)


def test_what_cannot_stop_comes_to_its_place_at_its_speed_and_slows_for_a_dock_only(mission: Make) -> None:
    def slowest(phase: object, **parameters: float) -> float:
        run, _ = fly(mission, [phase], 29.0, lookahead=3.0, **parameters)
        return float(run.values("guidance.speed").min())

    hold, dock = {"hold": {"for": "60 s", "at": [30, 0]}}, {"dock": {"at": [30, 0], "heading": 0}}
    assert slowest(hold, loiter_radius=6.0) == 1.0
    assert slowest(hold) < 0.9
    assert slowest(dock, loiter_radius=6.0) < 0.9


def test_names_that_phases_were_given_are_theirs() -> None:
    phases = [{"hold": 1}, {"hold": 1}, {"hold": {"for": 1, "name": "hold 2"}}]
    assert MissionPlan(phases, cruise_speed=1.0).phase_names == ("hold", "hold 3", "hold 2")
    late = {"at most": 1, "if late": [{"hold": {"for": 1, "name": "a"}}]}
    plan = MissionPlan([{"go to": {"place": [9, 0], **late}}, {"go to": {"place": [0, 0], **late}}], cruise_speed=1.0)
    assert plan.phase_names == ("go to", "go to 2", "late: a", "late: a 2")


def test_a_dive_ends_within_its_tolerance(mission: Make) -> None:
    run, _ = fly(mission, [{"dive to": "5 m"}, {"hold": "9 s"}], 20.0, depth_tolerance=0.5)
    # z = 5 (1 - exp(-t)) is 4.5 at t = ln 10
    assert begun(run)[2] == pytest.approx(np.ceil(np.log(10.0) / 0.5) * 0.5)
    assert np.all(run.values("guidance.speed") == 0.0)
    assert run.values("vehicle.eta")[-1, 2] == pytest.approx(5.0, abs=1e-6)


@pytest.mark.parametrize(
    ("late", "phase", "aborted"),
    [("go on", 2, 0), ("stop", 0, -1), ({"return": {}}, 3, -1)],
    ids=["on", "stop", "back"],
)
def test_a_phase_that_takes_too_long_is_left(mission: Make, late: object, phase: int, aborted: int) -> None:
    far = {"go to": {"place": [50, 0], "at most": "10 s", "if late": late}}
    run, plan = fly(mission, [far, {"go to": [0, 50]}], 12.0)
    assert run.values("guidance.phase")[run.time < 9.9].max() == 1.0
    assert run.values("guidance.phase")[-1] == phase
    assert run.values("guidance.aborted")[-1] == aborted
    assert plan.phase_names[:2] == ("go to", "go to 2")


def test_the_abort_that_stands_first_interrupts_the_others(mission: Make) -> None:
    aborts = [
        {"when": {"battery below": "20 %"}, "then": {"return": {}}},
        {"when": {"later than": "15 s"}, "then": [{"go to": [0, -30]}, {"dive to": 3}]},
    ]
    plan = MissionPlan([{"go to": [100, 0]}], aborts=aborts, cruise_speed=1.0, speed_taper=False)
    diagram = mission(plan)
    battery = diagram.add("battery", Step(before=1.0, after=0.1, time=20.0))
    diagram.connect(battery.y, plan.state_of_charge)
    run = simulate(diagram, 60.0, solver="dopri5", step=0.5)
    aborted, phase = run.values("guidance.aborted"), run.values("guidance.phase")
    assert aborted[run.time < 14.9].max() == 0.0
    assert aborted[(run.time > 15.1) & (run.time < 19.9)] == pytest.approx(2.0)
    assert aborted[run.time > 20.1] == pytest.approx(1.0)
    assert plan.phase_names == ("go to", "abort: return", "abort: go to", "abort: dive to")
    assert phase[run.time < 14.9].max() == 1.0
    assert set(phase[(run.time > 15.1) & (run.time < 19.9)]) == {3.0}
    assert run.values("vehicle.eta")[-1, :2] == pytest.approx(0.0, abs=2.0)  # home, and finished
    assert run.values("guidance.finished")[-1] == 1.0


@pytest.mark.parametrize(
    ("condition", "at"),
    [("deeper than", np.log(2.0)), ("farther than", 4.0), ("off track by", 4.0), ("sensor lost for", 5.0)],
)
def test_each_condition_aborts_when_it_is_met(mission: Make, condition: str, at: float) -> None:
    dives = condition == "deeper than"
    phases = [{"dive to": 5.0} if dives else {"go to": [30, 0]}]
    limit = {"deeper than": 2.5, "farther than": 4.0, "off track by": 2.0, "sensor lost for": 2.0}[condition]
    plan = MissionPlan(phases, aborts=[{"when": {condition: limit}}], cruise_speed=1.0, speed_taper=False)
    flow = Step(before=[0.0, 0.5, 0.0], after=[0.0, 0.5, 0.0], time=0.0) if condition == "off track by" else None
    diagram = mission(plan)
    if flow is not None:  # the drift across is 0.5 m/s less what the lookahead makes of it
        diagram.add("flow", flow)
        diagram.connect(flow.y, diagram["vehicle"].current)
    if condition == "sensor lost for":
        sensor = diagram.add("sensor", Step(before=1.0, after=0.0, time=3.0))
        diagram.connect(sensor.y, plan.sensor_valid)
    run = simulate(diagram, 20.0, solver="dopri5", step=0.01)
    first = float(run.time[np.argmax(run.values("guidance.aborted") == 1.0)])
    if condition == "off track by":
        error = run.values("guidance.cross_track_error")
        assert abs(error[run.time < first - 0.005]).max() == pytest.approx(2.0, abs=0.01)
    else:
        assert first == pytest.approx(at, abs=0.0101)
    assert run.values("guidance.speed")[-1] == 0.0 or condition == "off track by"


def test_a_target_is_followed_at_its_side_and_met_at_the_dock(mission: Make) -> None:
    from blocks.basic import Constant, Integrator

    plan = MissionPlan(
        [{"follow": {"for": "80 s", "offset": [0, 3, 1], "speed": 1}}, {"dock": {"at": [60, 3], "heading": 0}}],
        cruise_speed=1.0,
        speed_taper=False,
        slow_distance=2.0,
    )
    diagram = mission(plan)
    speed = diagram.add("moving", Constant([0.5, 0.0, 0.0]))
    place = diagram.add("place", Integrator(initial_x=[10.0, 0.0, 2.0]))
    diagram.connect(speed.y, place.u)
    diagram.connect(place.y, plan.target)
    diagram.connect(speed.y, plan.target_velocity)
    run = simulate(diagram, 220.0, solver="dopri5", step=0.5)
    k = int(np.searchsorted(run.time, 79.0))
    beside = run.values("vehicle.eta")[k, :3] - run.values("place.y")[k]
    assert beside == pytest.approx([0.0, 3.0, 1.0], abs=0.05)
    assert run.values("guidance.finished")[-1] == 1.0
    assert run.values("vehicle.eta")[-1, :2] == pytest.approx([60.0, 3.0], abs=0.51)


@pytest.mark.parametrize(
    ("phases", "message"),
    [
        ([{"hover": 3}], "phase.*there is no phase 'hover'; valid: circle, dive to"),
        ([{"hold": 3}, {"survey": {"spaceing": 3}}], "phase 2, survey: there is no 'spaceing'; did you mean 'spacing"),
        ([{"survey": {"corner": [0, 0], "length": 3}}], "survey lacks 'width' \\(from the first line.*'spacing'"),
        (
            [{"survey": {"corner": [0, 0], "length": 3, "width": 30, "spacing": "1 um"}}],
            "spacing 1e-06 m makes 3e\\+07 lines of a width of 30 m",
        ),
        ([{"hold": "3 m"}], "hold: for: '3 m' is in m, but s is wanted; minutes are 'min'"),
        ([{"dive to": -5}], "depth must be ≥ 0 m, not -5; depth is positive down"),
        ([{"dock": {"at": [0, 0], "heading": 270}}], "heading: 270 rad .* in degrees it is '270 deg'"),
        ([{"hold": -1}], "hold: for must be ≥ 0 s, not -1"),
        ([{"hold": 1, "return": None}], "must be one of hold, dive to.*begin each with '- '"),
        ([{"hold": 1, "name": "wait"}], "what it needs goes inside: {'hold': {'for': 1, 'name': 'wait'}}"),
        ([], "must be a list of phases"),
        ([{"hold": {"for": 3, "if late": "stop"}}], "'if late' needs 'at most'"),
        ([{"circle": 3}], "circle must have keys \\(around, radius\\)"),
        ([{"go to": [1]}], "must be north and east in m"),
        ([{"hold": {"for": 1, "name": "a"}}, {"return": {"name": "a"}}], "two phases have the name 'a'"),
        (["follow", "return"], "no phase comes after a follow without 'for' or 'at most'"),
        ("[nonsense", "not the text"),
    ],
)  # fmt: skip
def test_words_that_mean_nothing_are_told(phases: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        MissionPlan(phases, cruise_speed=1.0)


@pytest.mark.parametrize(
    ("when", "message"),
    [
        ({"battery below": 20}, "must be ≥ 0 and ≤ 1, not 20; in percent it is '20 %'"),
        ({"battery below": "20 V"}, "is in V, but a number without a unit is wanted"),
    ],
)
def test_a_battery_in_percent_without_its_sign_is_told(when: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        MissionPlan(["return"], aborts=[{"when": when, "then": "return"}], cruise_speed=1.0)


def test_legs_begin_where_the_ones_before_ended() -> None:
    plan = MissionPlan([{"go along": [[10, 0], [10, 0, 4], [10, 20]]}, "return"], cruise_speed=1.0)
    steps = [row.step for row in plan.main.rows]
    assert steps == ["go", "dive", "go", "go", "end"]
    assert all(np.isfinite(row.numbers()).all() for row in plan.main.rows)
    assert [b.waypoint - a.waypoint for a, b in pairwise(plan.main.rows)] == [0, 1, 1, 0]
