"""The Minerva missions: all waypoints in order, depth held, and nothing that swings for ever."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from blocks.lab.design import look
from blocks.report import Mission, summarise
from blocks.run.result import Result
from blocks.scenario import Scenario
from blocks.vehicles.vehicle import describe

EXAMPLES = Path(__file__).parents[2] / "examples"
LOS, SURVEY = EXAMPLES / "minerva_los.yaml", EXAMPLES / "minerva_survey.yaml"


def went(scenario: Scenario, **overrides: object) -> tuple[Result, Mission]:
    """A run and how its mission went."""
    result = scenario.run(**overrides)
    mission = Mission.of(result, scenario.diagram, scenario.report)
    assert mission is not None
    return result, mission


def in_current(path: Path, speed: float, direction: float) -> Scenario:
    scenario = Scenario.load(path)
    scenario.set("plant.current.speed", speed)
    scenario.set("plant.current.direction", np.radians(direction))
    return scenario


def assert_success(mission: Mission) -> None:
    """The criteria of the missions."""
    assert None not in mission.reached
    assert mission.reached == sorted(mission.reached)  # type: ignore[type-var]
    assert len(set(mission.reached)) == len(mission.waypoints)
    horizontal = np.linalg.norm(mission.eta[:, None, :2] - mission.waypoints[None, :, :2], axis=2).min(axis=0)
    assert np.all(horizontal <= mission.planned.radius)
    assert mission.dives
    assert all(dive.duration is not None and dive.duration < 60.0 for dive in mission.dives)
    depth_error = mission.depth_error_after_dive
    assert depth_error is not None
    assert depth_error <= 0.1
    assert abs(mission.eta[-1, 2] - mission.waypoints[-1, 2]) <= 0.1


def test_the_short_mission_is_the_published_one() -> None:
    guidance = Scenario.load(LOS).diagram["autopilot.guidance"]
    assert guidance.waypoints.tolist() == [[0, 0, 0], [2, 0, 0], [2, 4, 0], [6, 4, 2]]  # type: ignore[attr-defined]
    assert guidance.cruise_speed == guidance.acceptance_radius == 0.1  # type: ignore[attr-defined]
    assert guidance.taper_angle == np.pi / 2  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", [LOS, SURVEY], ids=["los", "survey"])
def test_every_number_of_the_vehicle_is_the_vehicle_files(path: Path) -> None:
    """The scenarios say what differs, and that is not the hull, the propellers, or a published gain that works."""
    blocks = Scenario.load(path).to_data()["diagram"]["blocks"]
    plant, autopilot = blocks["plant"]["diagram"]["blocks"], blocks["autopilot"]["diagram"]["blocks"]
    own = {**plant, **autopilot}
    for name in ("vessel", "thrusters", "surge", "depth", "heading", "allocation"):
        assert own[name]["vehicle"] == "minerva"
    assert own["guidance"].get("vehicle") == {LOS: "minerva", SURVEY: None}[path]  # the survey has a law of its own
    assert "parameters" not in own["vessel"]
    assert "parameters" not in own["allocation"]
    assert "parameters" not in own["surge"]
    assert set(own["thrusters"]["parameters"]) == {"response", "time_constant"}
    if path == LOS:
        assert "parameters" not in own["depth"]
        assert set(own["heading"]["parameters"]) == {"derivative", "kd"}
    else:  # gains with margins that are worth copying
        assert set(own["depth"]["parameters"]) == {"kp", "ki", "kd"}
        assert set(own["heading"]["parameters"]) == {"derivative", "kp", "ki", "kd"}
    sections = describe("minerva").sections
    gains = {n: [sections[n].parameters[g].value for g in ("kp", "ki", "kd")] for n in ("surge", "depth", "heading")}
    assert gains == {"surge": [100, 20, 10], "depth": [120, 15, 30], "heading": [150, 30, 20]}


def test_the_short_mission_succeeds() -> None:
    result, mission = went(Scenario.load(LOS))
    assert result.status == "end"
    assert_success(mission)
    assert mission.closest.max() <= 0.1  # in three dimensions, and so at the depth of the last waypoint, too
    assert mission.cross_track_rms < 0.25
    assert mission.path_length < 1.2 * mission.planned.length
    values = {item.key: item.value for item in summarise(result, Scenario.load(LOS).diagram)}
    assert values["arrived"]
    assert values["arrival_time"] == pytest.approx(118.0, abs=1.0)
    assert values["thruster_energy"] == pytest.approx(
        np.trapezoid(
            result.values("plant.thrusters.power").sum(axis=1)[mission.underway], result.time[mission.underway]
        ),
        rel=1e-3,
    )


@pytest.mark.parametrize("direction", range(0, 360, 60))
def test_the_short_mission_succeeds_in_currents_from_all_sides(direction: float) -> None:
    _, mission = went(in_current(LOS, 0.02, direction), step=0.02)
    assert_success(mission)


def test_the_short_mission_succeeds_under_the_published_conditions() -> None:
    _, mission = went(in_current(LOS, 0.0, 0.0))
    assert_success(mission)


def test_a_finer_step_changes_nothing() -> None:
    coarse, _ = went(Scenario.load(LOS))
    fine, _ = went(Scenario.load(LOS), step=0.0025, every=20)
    np.testing.assert_allclose(fine.values("plant.vessel.eta"), coarse.values("plant.vessel.eta"), rtol=0.0, atol=0.02)


def test_heading_and_shafts_come_to_rest_after_arrival() -> None:
    result, mission = went(Scenario.load(LOS))
    assert mission.arrival_time is not None
    late = result.time > mission.arrival_time + 35.0
    assert late.sum() > 100
    assert np.degrees(np.ptp(mission.eta[late, 5])) < 0.05
    assert 60.0 * np.ptp(result.values("plant.thrusters.speed")[late], axis=0).max() < 30.0


@pytest.mark.parametrize("speed", [0.0, 0.02])
def test_heading_and_shafts_come_to_rest_on_a_long_leg(speed: float) -> None:
    """A limit cycle would go on for as long as the leg does."""
    scenario = in_current(LOS, speed, 45.0)
    scenario.set("autopilot.guidance.waypoints", [[0, 0, 0], [2, 0, 0], [2, 60, 0]])
    result, mission = went(scenario, end=400.0)
    late = result.time > 300.0
    assert mission.reached[1] is not None
    assert np.degrees(np.ptp(mission.eta[late, 5])) < 0.01
    assert 60.0 * np.ptp(result.values("plant.thrusters.speed")[late], axis=0).max() < 0.1
    assert np.abs(mission.cross_track_error[late]).max() < 0.1


def test_the_published_steering_limit_cycles() -> None:
    """What docs/minerva.md says of the published steering gain; it also shows that the tests above can fail."""
    scenario = in_current(LOS, 0.0, 0.0)
    scenario.set("autopilot.guidance.lookahead", 1.0 / 40.0)
    result, mission = went(scenario, end=300.0)
    assert not mission.arrived
    assert np.degrees(np.ptp(np.unwrap(mission.eta[:, 5])[result.time > 200.0])) > 180.0


def test_the_published_depth_step_overshoots() -> None:
    """Why the wanted depth is filtered: docs/minerva.md."""
    scenario = Scenario.load(LOS)
    scenario.set("autopilot.depth_filter.time_constant", 0.05)
    _, mission = went(scenario)
    assert mission.eta[:, 2].max() == pytest.approx(2.78, abs=0.02)
    assert mission.depth_error_after_dive > 0.5  # type: ignore[operator]


def test_five_newtons_of_buoyancy_are_taken_by_the_integral() -> None:
    scenario = Scenario.load(LOS)
    scenario.set("plant.vessel.weight", 4920.56575)
    result, mission = went(scenario)
    assert_success(mission)
    assert result.values("autopilot.depth.output")[-1] == pytest.approx(5.0, abs=0.1)


def test_the_survey_succeeds() -> None:
    scenario = Scenario.load(SURVEY)
    result, mission = went(scenario)
    assert result.status == "stopped"
    assert_success(mission)
    assert mission.planned.length > 300.0
    assert mission.cross_track_rms < 0.4  # most of it where corners are cut at 2 m
    found = look(scenario)
    assert found is not None
    assert all(one.phase is None or one.phase > math.radians(55.0) for one in found.margins.values())
    assert all(one.gain is None or one.gain > 2.0 for one in found.margins.values())
    assert found.disk > 0.7
    assert np.ptp(mission.waypoints[:, 2]) == 10.0
    speed = result.values("plant.vessel.nu")[:, 0]
    assert np.median(speed) == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("direction", [0.0, 90.0, 150.0, 240.0])
def test_the_survey_keeps_to_its_lines_in_any_current(direction: float) -> None:
    result, mission = went(in_current(SURVEY, 0.2, direction), step=0.02, every=10)
    assert result.status == "stopped"
    assert_success(mission)
    for begin, end in list(zip(mission.reached, mission.reached[1:], strict=False))[::2]:  # the long lines
        assert begin is not None
        assert end is not None
        last = (result.time > end - 15.0) & (result.time < end - 1.0)
        assert np.abs(mission.cross_track_error[last]).max() < 0.15
        assert np.degrees(np.ptp(mission.eta[last, 5])) < 0.5
