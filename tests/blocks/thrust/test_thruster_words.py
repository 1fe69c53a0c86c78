"""Thrusters in words: where they are and which way they push."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blocks.errors import ParameterError, ScenarioError
from blocks.scenario import Scenario
from blocks.thrust import AzimuthThrusters, KnownThrustAllocation, KnownThrusters, MeasuredAllocation, MeasuredThruster
from blocks.vehicles.vehicle import VehicleError

LIMITS = {"thrust_limit_forward": 40.0, "thrust_limit_reverse": 30.0}


def known(*thrusters: Any) -> KnownThrusters:
    return KnownThrusters(thrusters=list(thrusters), **LIMITS)


def test_a_column_is_the_direction_and_its_moment() -> None:
    block = known({"at": ["20 cm", -0.1, 0.3], "along": [3.0, -4.0, 0.0]})
    direction = np.array([0.6, -0.8, 0.0])
    column = np.r_[direction, np.cross([0.2, -0.1, 0.3], direction)]
    assert np.asarray(block.allocation_matrix)[:, 0] == pytest.approx(column)
    assert KnownThrusters(allocation_matrix=column.reshape(6, 1), **LIMITS).allocation_matrix == pytest.approx(
        block.allocation_matrix
    )


@pytest.mark.parametrize(
    ("thruster", "words"),
    [
        ({"at": [0, 0, 0], "along": [0, 0, 0]}, "thrusters[1].along is the direction in which the thruster"),
        ({"along": [1, 0, 0]}, "thrusters[1].at is missing: where it is, from the body origin"),
        ({"at": [0, 0, 0]}, "thrusters[1].along is missing: the direction of its positive thrust"),
        ({"at": [0, 0, 0], "allong": [1, 0, 0]}, "has an unknown key 'allong'; did you mean 'along'"),
        ({"at": [0, 0, 0], "along": [1, 0, 0], "power": 3}, "all else are parameters of their own"),
        ({"at": ["3 kg", 0, 0], "along": [1, 0, 0]}, "thrusters[1].at: '3 kg'"),
        ({"at": [0, 0], "along": [1, 0, 0]}, "thrusters[1].at must be an array of 3 in m"),
        ([1, 0, 0], "must be a thruster, such as {at: "),
    ],
)
def test_errors_teach(thruster: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(words)):
        known({"at": [0, 0, 0], "along": [1, 0, 0]}, thruster)


def test_one_thruster_is_a_list_too_and_both_names_are_one() -> None:
    with pytest.raises(ParameterError, match="must be a list of thrusters"):
        KnownThrusters(thrusters={"at": [0, 0, 0], "along": [1, 0, 0]}, **LIMITS)
    with pytest.raises(ParameterError, match="thrusters and allocation_matrix are the same: give one of them"):
        KnownThrusters(thrusters=[{"at": [0, 0, 0], "along": [1, 0, 0]}], allocation_matrix=np.zeros((6, 1)), **LIMITS)


def test_what_each_gives_at_most_may_stand_there_too() -> None:
    words = [
        {"at": [0, 0, 0], "along": [1, 0, 0], "max": "40 N", "reverse": 30},
        {"at": [0, 1, 0], "along": [1, 0, 0], "max": 50.0},
    ]
    block = KnownThrusters(thrusters=words)
    assert block.thrust_limit_forward == pytest.approx([40.0, 50.0])
    assert block.thrust_limit_reverse == pytest.approx([30.0, 50.0])
    assert KnownThrusters(thrusters=words, thrust_limit_reverse=7.0).thrust_limit_reverse == 7.0  # by itself
    with pytest.raises(ParameterError, match=r"thrusters\[1\].max is missing: where one has it, all have"):
        KnownThrusters(thrusters=[words[0], {"at": [0, 0, 0], "along": [1, 0, 0]}])
    with pytest.raises(ParameterError, match=r"KnownThrusters.thrusters.0..max: '40 m' is in m, but N is wanted"):
        KnownThrusters(thrusters=[words[0] | {"max": "40 m"}])
    turning = [{"at": [0, 0, 0], "max": 5, "angle_min": "-30 deg", "angle_max": "30 deg"}]
    azimuth = AzimuthThrusters(thrusters=turning, thrust_coefficient=[[1, 0, 0]])
    assert azimuth.angle_max == pytest.approx(np.radians([30.0]))
    assert azimuth.speed_limit_reverse == pytest.approx([5.0])


def test_it_is_a_parameter_like_others() -> None:
    block = known({"at": [0, 0, 0], "along": [1, 0, 0]})
    block.thrusters = [{"at": [0, 1, 0], "along": [1, 0, 0], "max": 2.0}]  # type: ignore[attr-defined]
    assert np.asarray(block.thrusters)[5] == pytest.approx([-1.0])  # type: ignore[attr-defined]
    assert block.thrust_limit_reverse == pytest.approx([2.0])
    with pytest.raises(ParameterError, match=r"no parameter 'trusters'.*did you mean 'thrusters'"):
        KnownThrusters(trusters=[])
    with pytest.raises(ParameterError, match="unknown key 'maxx'; did you mean 'max'"):
        KnownThrusters(thrusters=[{"at": [0, 0, 0], "along": [1, 0, 0], "maxx": 5}])


def test_a_bench_file_goes_with_it(tmp_path: Path) -> None:
    bench = tmp_path / "bench.csv"
    bench.write_text("PWM (us),Thrust (N),RPM,Power (W)\n1100,-40,-3000,300\n1500,0,0,0\n1900,50,3100,350\n")
    block = MeasuredThruster.from_file(bench, thrusters=[{"at": [0, 1, 0], "along": [1, 0, 0]}])
    assert np.asarray(block.allocation_matrix)[5] == pytest.approx([-1.0])


def test_those_that_turn_have_places_only() -> None:
    given = {"thrust_coefficient": [[1, 0, 0]], "speed_limit_forward": 1.0, "speed_limit_reverse": 1.0}
    block = AzimuthThrusters(thrusters=[{"at": ["-2 m", 0, 0.5]}], **given)
    assert block.positions == pytest.approx(np.array([[-2.0, 0.0, 0.5]]))
    with pytest.raises(ParameterError, match="`angle_min` and `angle_max`, equal where one is fixed"):
        AzimuthThrusters(thrusters=[{"at": [0, 0, 0], "along": [1, 0, 0]}], **given)


SCENARIO = """
keelblocks: 1
name: rov
diagram:
  blocks:
    wanted: {{type: basic.Constant, parameters: {{value: [20, 5, -10, 0.4, 0.3, 1]}}}}
    allocation:
      type: thrust.MeasuredAllocation
      vehicle: bluerov2_heavy
    thrusters:
      type: thrust.KnownThrusters
      parameters:
        thrusters:
          - {{at: [0.2, 10 cm, 0], along: [1, -1, 0], max: 40 N}}
          - {{at: [0.2, -10 cm, 0], {along}: [1, 1, 0], max: 50 N}}
  connections:
    wanted.y: allocation.force
    allocation.thrust[0:2]: thrusters.command
run: {{start: 0, end: 1 s, step: 0.1 s}}
"""


def test_scenarios_and_vehicle_files_have_them() -> None:
    scenario = Scenario.from_text(SCENARIO.format(along="along"))
    blocks = scenario.diagram.components
    assert isinstance(blocks["allocation"], MeasuredAllocation)
    assert blocks["allocation"].allocation_matrix == pytest.approx(
        MeasuredThruster.from_vehicle("bluerov2_heavy").allocation_matrix
    )
    assert blocks["thrusters"].thrust_limit_forward == pytest.approx([40.0, 50.0])  # type: ignore[attr-defined]
    assert scenario.to_yaml().count("10 cm") == 2
    assert Scenario.from_text(scenario.to_yaml()) == scenario
    run = scenario.run()
    assert run.values("allocation.missing")[-1] == pytest.approx(np.zeros(6), abs=1e-9)


VEHICLE = """
title: A raft
references: {own: measured}
sections:
  thrusters:
    type: thrust.KnownThrusters
    parameters:
      thrusters:
        value: [{at: [0, 1, 0], along: [1, 0, 0], max: 40 N}, {at: [0, -1, 0], along: [1, 0, 0], max: 50}]
        source: own
"""


def test_vehicle_files_have_all_of_it(tmp_path: Path) -> None:
    file = tmp_path / "raft.yaml"
    file.write_text(VEHICLE, encoding="utf-8")
    thrusters = KnownThrusters.from_vehicle(file)
    assert thrusters.thrust_limit_forward == pytest.approx([40.0, 50.0])
    assert set(thrusters.sources.values()) == {"measured"}
    allocation = KnownThrustAllocation.from_vehicle(file)
    assert allocation.thrust_limit_reverse == pytest.approx([40.0, 50.0])
    file.write_text(VEHICLE.replace(", max: 50", ""), encoding="utf-8")
    with pytest.raises(VehicleError, match=r"raft.yaml:8: .*thrusters\[1\].max is missing"):
        KnownThrusters.from_vehicle(file)


def test_numbers_in_the_place_of_words_leave_what_else_they_said() -> None:
    scenario = Scenario.from_text(SCENARIO.format(along="along"))
    scenario.set("thrusters.allocation_matrix", np.ones((6, 2)))
    text = scenario.to_yaml()
    assert Scenario.from_text(text) == scenario
    assert "thrust_limit_forward: [40" in text
    with pytest.raises(ScenarioError, match="allocation_matrix and thrusters are the same"):
        Scenario.from_text(
            SCENARIO.format(along="along").replace(
                "        thrusters:\n", "        allocation_matrix: 1\n        thrusters:\n"
            )
        )


def test_a_fault_in_a_scenario_has_its_line() -> None:
    with pytest.raises(ScenarioError, match=r":15: thrusters.thrusters.1.*unknown key 'alon'.*did you mean 'along'"):
        Scenario.from_text(SCENARIO.format(along="alon"))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (("max: 50 N", "max: 0"), ":15: thrusters.thrusters[1].max must be > 0 N, not 0"),
        (("max: 50 N", "max: 50 kg"), ":15: thrusters.thrusters[1].max: '50 kg' is in kg, but N is wanted"),
        ((", max: 50 N", ""), ":15: thrusters.thrusters[1].max is missing: where one has it, all have"),
        (("along: [1, -1, 0]", "along: ahead"), ":14: thrusters.thrusters[0].along must be three numbers, ahead is"),
        (("{at: [0.2, 10", "{position: [0.2, 10"), "unknown key 'position'; here that is 'at', where it is"),
        ((", max: ", ", limit: "), "unknown key 'limit'; here that is 'max'"),
    ],
)
def test_faults_in_words_are_told_in_these_words(wrong: tuple[str, str], words: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape(words)) as told:
        Scenario.from_text(SCENARIO.format(along="along").replace(*wrong))
    assert "thrust_limit" not in str(told.value)


def test_what_is_missing_may_stand_in_the_words() -> None:
    with pytest.raises(ScenarioError, match=r"thrust_limit_forward is missing.*or `max` of each in `thrusters`"):
        Scenario.from_text(re.sub(r", max: \d+ N", "", SCENARIO.format(along="along")))
    with pytest.raises(ParameterError) as told:
        KnownThrusters()
    assert "thrust_limit" not in str(told.value)  # they may come with the thrusters, which are missing
