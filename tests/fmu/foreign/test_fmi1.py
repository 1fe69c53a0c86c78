"""FMI 1.0, both kinds: against the same equations in FMI 2.0, exact solutions, and other tools."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import fmpy
import numpy as np
import pytest
from cosimulation import Job, cosimulate
from foreign_fmus import FMI1_COSIMULATION, build

from blocks import Diagram, simulate
from blocks.basic import Sine
from blocks.run.result import Result
from blocks.scenario import Scenario
from blocks.study import Study
from fmu import FmuBlock


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fmi1")


@pytest.fixture(scope="module")
def fmus(folder: Path) -> Mapping[str, Path]:
    made = {name: build(name, folder) for name in ("ball", "tank", "winch", "ball_fmi1", "tank_fmi1", "winch_fmi1")}
    return made | {"winch_cs_fmi1": build("winch_fmi1", folder, name="winch_cs_fmi1", replace=FMI1_COSIMULATION)}


def same(one: Result, other: Result, *names: str) -> None:
    """Equal to the last bit in these."""
    for name in names:
        np.testing.assert_array_equal(one.values(name), other.values(name), err_msg=name)


def hoist(path: Path, interface: str, **settings: object) -> Diagram:
    """A winch whose command moves, by a sine."""
    diagram = Diagram("hoist")
    diagram.add("command", Sine(0.5, 3.0))
    diagram.add("winch", FmuBlock(path, 0.1, interface=interface, **settings))
    diagram.connect("command.y", "winch.command")
    return diagram


@pytest.mark.parametrize("isolate", [False, True])
def test_a_ball_is_the_one_of_fmi_2_to_the_last_bit(fmus: Mapping[str, Path], isolate: bool) -> None:
    """State events, time events and a step event, by the same integrator."""
    one = simulate(FmuBlock(fmus["ball_fmi1"], 0.05, isolate=isolate), 2.0, step=0.05)
    other = simulate(FmuBlock(fmus["ball"], 0.05), 2.0, step=0.05)
    same(one, other, *(f"ball.{name}" for name in ("h", "v", "bounces", "ticks", "step_events")))
    assert one.values("ball.step_events")[-1] == 1.0
    fall = math.sqrt(2.0 / 9.81)
    falling = one.time[one.time < fall]
    assert one.values("ball.h")[: falling.size] == pytest.approx(1.0 - 0.5 * 9.81 * falling**2, abs=1e-6)
    assert one.values("ball.v")[-1] == pytest.approx(-0.54636, abs=1e-5)


@pytest.mark.parametrize("isolate", [False, True])
def test_a_tank_is_the_one_of_fmi_2_to_the_last_bit(fmus: Mapping[str, Path], isolate: bool) -> None:
    given = {"outlet.k": 0.02, "supply.temperature": 313.15, "valve": True, "pumps": 2, "mode": "low"}
    one = simulate(FmuBlock(fmus["tank_fmi1"], 0.1, parameters=given, isolate=isolate), 2.0, step=0.1)
    other = simulate(FmuBlock(fmus["tank"], 0.1, parameters=given), 2.0, step=0.1)
    same(one, other, *(f"heated_tank.{name}" for name in ("volume", "power", "steps", "overflow")))
    assert one.values("heated_tank.volume")[-1] == pytest.approx(0.5 + 2.0 * (2 * 6.0 / 60000.0 - 0.02 * 0.5))


@pytest.mark.parametrize(("name", "interface"), [("winch_fmi1", "me"), ("winch_cs_fmi1", "cs")])
def test_inputs_that_move(fmus: Mapping[str, Path], name: str, interface: str) -> None:
    one = simulate(hoist(fmus[name], interface), 3.0, step=0.1)
    other = simulate(hoist(fmus["winch"], interface), 3.0, step=0.1)
    same(one, other, "winch.length", "winch.speed", "winch.tension")
    length, speed = 2.0, 0.0  # the exact solution from point to point
    for k, t in enumerate(one.time):
        assert one.values("winch.length")[k] == pytest.approx(length, abs=1e-7)
        command = 0.5 * math.sin(3.0 * t)
        assert one.values("winch.tension")[k] == pytest.approx(100.0 * length + 5.0 * command, abs=1e-5), "at once"
        left = (speed - command) * math.exp(-0.1 / 0.8)
        length, speed = length + 0.1 * command + 0.8 * (speed - command - left), command + left


def test_fmpy_gives_the_same(fmus: Mapping[str, Path]) -> None:
    settings = {"start_time": 0.0, "stop_time": 2.0, "output_interval": 0.1, "relative_tolerance": 1e-9}
    for name, tolerance in (("winch_fmi1", 1e-7), ("winch_cs_fmi1", 1e-13)):
        theirs = fmpy.simulate_fmu(str(fmus[name]), output=["length", "tension"], **settings)
        ours = simulate(FmuBlock(fmus[name], 0.1), 2.0, step=0.1)
        for output in ("length", "tension"):
            assert ours.values(f"winch.{output}") == pytest.approx(theirs[output], rel=tolerance)
    ball = fmpy.simulate_fmu(str(fmus["ball_fmi1"]), output=["h", "ticks"], record_events=False, **settings)
    ours = simulate(FmuBlock(fmus["ball_fmi1"], 0.1), 2.0, step=0.1)
    assert ours.values("ball.h") == pytest.approx(ball["h"], abs=1e-6)
    assert ours.values("ball.ticks")[:-1].tolist() == ball["ticks"][:-1].tolist()


@pytest.mark.parametrize("tool", ["libcosim", "ecos"])
def test_libcosim_and_ecos_give_the_same(fmus: Mapping[str, Path], folder: Path, tool: str) -> None:
    job = Job(
        {"winch": fmus["winch_cs_fmi1"]}, 0.1, 20, ["winch.length", "winch.tension"], start={"winch.command": 0.7}
    )
    (theirs,) = cosimulate(tool, [job], folder)
    assert not isinstance(theirs, str), theirs
    ours = simulate(FmuBlock(fmus["winch_cs_fmi1"], 0.1, parameters={"command": 0.7}), 2.0, step=0.1)
    for column, output in enumerate(("length", "tension")):
        assert theirs[:, column] == pytest.approx(ours.values(f"winch.{output}")[1:], rel=1e-12)


def test_a_step_that_goes_on_after_the_call(fmus: Mapping[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = simulate(FmuBlock(fmus["tank_fmi1"], 0.1), 1.0, step=0.1)
    monkeypatch.setenv("FMI1_PENDING", "1")
    same(at_once, simulate(FmuBlock(fmus["tank_fmi1"], 0.1), 1.0, step=0.1), "heated_tank.volume")


def test_the_tolerance_reaches_the_fmu_and_its_time_events_begin_when_the_run_does(fmus: Mapping[str, Path]) -> None:
    run = simulate(FmuBlock(fmus["winch_fmi1"], 0.1, tolerance=1e-4), 0.1, step=0.1)
    assert run.values("winch.tolerance")[-1] == 1e-4
    assert simulate(FmuBlock(fmus["winch_fmi1"], 0.1), 0.1, step=0.1).values("winch.tolerance")[-1] == 1e-9
    late = simulate(FmuBlock(fmus["ball_fmi1"], 0.1), 11.0, start=10.0, step=0.1)
    assert late.values("ball.ticks")[[2, 4, -1]].tolist() == [0.0, 1.0, 3.0]


def test_a_scenario_and_a_study_of_one(fmus: Mapping[str, Path], folder: Path) -> None:
    file = folder / "hoist.yaml"
    file.write_text(
        """keelblocks: 1
name: Hoist
diagram:
  blocks:
    winch:
      type: fmu.FmuBlock
      parameters: {path: winch_cs_fmi1.fmu, communication_step: 50 ms, motor.T: 500 ms, mode: soft}
run: {end: 1 s, step: 0.05 s}
""",
        encoding="utf-8",
    )
    scenario = Scenario.load(file)
    run = scenario.run()
    left = -0.5 * math.exp(-1.0)
    assert run.values("winch.length")[-1] == pytest.approx(2.5 + 1.0 * (0.0 - 0.5 - left), rel=1e-12)
    study = Study(scenario.diagram, {"winch.motor_T": [0.5, 1.0]}, {"far": "final(winch.length)"}, end=1.0, step=0.05)
    assert study.run().values("far")[0] == pytest.approx(run.values("winch.length")[-1], rel=1e-12)
