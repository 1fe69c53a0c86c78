"""What a summary says of the phases of a mission."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.dynamics import Vessel3DOF
from blocks.guidance import MissionPlan
from blocks.report.mission import Mission
from blocks.report.phases import Phases
from blocks.report.summary import summarise, summarise_mission
from blocks.scenario import Scenario

EXAMPLE = Path(__file__).parents[3] / "examples" / "minerva_mission.yaml"


@pytest.fixture(scope="module")
def given_up() -> tuple[Mission, dict[str, object]]:
    """The example with a third of the charge: it is given up in the survey."""
    scenario = Scenario.load(EXAMPLE)
    scenario.diagram["battery"].set(initial_state_of_charge=0.3)
    run = scenario.run()
    mission = Mission.of(run, scenario.diagram, scenario.report)
    assert mission is not None
    return mission, {item.key: item.value for item in summarise(run, scenario.diagram, scenario.report)}


def test_phases_are_told_with_what_became_of_them(given_up: tuple[Mission, dict[str, object]]) -> None:
    mission, found = given_up
    phases = {phase["name"]: phase for phase in found["phases"]}  # type: ignore[attr-defined]
    names = ["hold", "dive to", "survey", "inspect", "return", "surface", "abort: return", "abort: dive to"]
    assert list(phases) == names
    done = {name: phase["done"] for name, phase in phases.items()}
    assert done == dict.fromkeys(names, False) | {
        "hold": True, "dive to": True, "abort: return": True, "abort: dive to": True,
    }  # fmt: skip
    assert phases["hold"]["end"] == pytest.approx(10.0, abs=0.5)
    assert phases["inspect"]["begin"] is None
    assert found["aborted"] == 1
    assert found["arrived"] is False
    assert found["waypoints_reached"] == sum(time is not None for time in mission.reached[1:]) == 3


def afloat(*phases: object) -> Mission:
    """A still boat that floats 5 cm deep."""
    boat = Diagram("boat")
    plan = boat.add("plan", MissionPlan(list(phases), cruise_speed=1.0, lookahead=4.0))
    vessel = boat.add("vessel", Vessel3DOF.from_vehicle("otter", initial_eta=[0, 0, 0.05, 0, 0, 0]))
    boat.connect(vessel.eta, plan.eta)
    boat.connect(boat.add("rest", Constant(np.zeros(6))).y, vessel.force)
    found = Mission.of(simulate(boat, 10.0, step=0.5), boat)
    assert found is not None
    return found


def test_where_a_craft_floats_is_no_depth() -> None:
    boat = afloat({"go to": [0, 0]}, {"go to": [30, 0]})
    assert (boat.submerged, boat.depth_error_at_arrival) == (False, None)
    assert afloat({"go to": [30, 0, 2]}).submerged


def test_a_mission_without_a_way_has_no_waypoints_to_reach_and_nothing_to_be_off() -> None:
    labels = {item.label: item.text for item in summarise_mission(afloat({"hold": 5}))}
    assert not {"waypoints reached", "cross-track error, RMS", "cross-track error, largest"} & set(labels)
    assert labels["path length"] == "0 m"


def test_what_was_done_at_once_was_done() -> None:
    boat = Diagram("boat")
    plan = MissionPlan([{"go to": [0, 0]}, {"hold": 5}, "return"], cruise_speed=1.0, lookahead=4.0)
    boat.connect(boat.add("place", Constant(np.zeros(6))).y, boat.add("plan", plan).eta)
    run = simulate(boat, 10.0, step=0.5)
    phases = Phases.of(run, "plan", plan, np.zeros((len(run.time), 6)))
    assert phases is not None
    assert [(phase.begin, phase.end, phase.done) for phase in phases.all] == [
        (0.0, 0.0, True), (0.0, 5.0, True), (5.0, 5.0, True),
    ]  # fmt: skip
    assert phases.all[2].words == "done at once, at 5 s"


def test_what_follows_no_path_is_no_error(given_up: tuple[Mission, dict[str, object]]) -> None:
    mission, found = given_up
    assert mission.phases is not None
    on = mission.phases.following[:-1]
    error, steps = mission.cross_track_error[:-1][on], np.diff(mission.time)[on]
    assert found["cross_track_rms"] == pytest.approx(np.sqrt((steps * error**2).sum() / steps.sum()))
    assert not on[mission.time[:-1] < 10.0].any()
