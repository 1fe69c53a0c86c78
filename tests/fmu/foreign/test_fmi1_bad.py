"""What FMI 1.0 cannot do, or an FMU of it does not: each with a message that says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from foreign_fmus import FMI1_COSIMULATION, binary, binary_path, build, description, files, write

from blocks import Diagram, RunStopped, simulate
from blocks.errors import FmuError, ParameterError, SimulationError
from blocks.simulator import Simulator
from fmu import FmuBlock
from fmu.foreign.model_exchange import make_instance

KINDS = {"segfault": 2, "exit": 4, "discard": 7, "terminate": 8, "error": 9, "fatal": 10, "nan": 11, "status": 13}


def stopped(block: FmuBlock) -> str:
    with pytest.raises(RunStopped) as caught:
        simulate(block, 1.0, step=0.1)
    return str(caught.value)


@pytest.fixture(scope="module")
def trouble(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("trouble_fmi1", tmp_path_factory.mktemp("trouble"))


@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("discard", r"its step from t = 0.4 s to 0.5 s was discarded: it got as far as t = 0.4 s; it says: discard: "
                    r"the step of 0.1 s is too long"),
        ("terminate", r"its step from t = 0.4 s to 0.5 s was discarded: it got as far as t = 0.4 s"),
        ("error", r"its step .* failed with an error \(fmi1DoStep\); it says: error: the tank bursts at 12.5 bar"),
        ("fatal", r"its step .* failed fatally \(fmi1DoStep\); it says: fatal: memory is corrupt"),
        ("nan", r"its output y is not a finite number"),
        ("status", r"its step .* gave the status 77, which FMI 1 does not have there \(fmi1DoStep\)"),
    ],
)  # fmt: skip
def test_statuses(trouble: Path, kind: str, said: str, isolate: bool) -> None:
    block = FmuBlock(trouble, 0.1, parameters={"kind": KINDS[kind]}, isolate=isolate)
    assert re.search(rf"trouble_fmi1.fmu: {said}", stopped(block))


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("segfault", "crashed: its process was ended by SIGSEGV during its step"),
        ("exit", "during its step from t = 0.4"),
    ],
)
def test_a_crash_of_an_isolated_fmu_stops_the_run(trouble: Path, kind: str, said: str) -> None:
    assert said in stopped(FmuBlock(trouble, 0.1, parameters={"kind": KINDS[kind]}, isolate=True))


@pytest.mark.parametrize("cosimulation", [False, True])
def test_another_guid(tmp_path: Path, cosimulation: bool) -> None:
    more = FMI1_COSIMULATION if cosimulation else {}
    path = build("winch_fmi1", tmp_path, replace={'guid="{winch}"': 'guid="{rope}"'} | more)
    assert re.search(
        r"winch_fmi1.fmu cannot be instantiated; it says: error: the GUID is {winch}, and {rope} was given",
        stopped(FmuBlock(path, 0.1)),
    )


def test_what_an_fmu_says_is_told_of_it_and_not_of_another_one(tmp_path: Path) -> None:
    """One C function hears all FMUs; the instance tells whose words they are."""
    path = build("winch_fmi1", tmp_path)
    instances = []
    for lag in (0.5, 0.7):
        block = FmuBlock(path, 0.1, label="no label", parameters={"motor.T": lag})
        instances.append(make_instance(block._spec(), f"winch{lag}"))
        instances[-1].begin(0.0)
        instances[-1].read(np.array([0.5, 1.0, 0.0]))
    first, second = instances
    first.begin(0.0)  # which speaks once more, while the second one was the last that was heard
    first.log.clear()
    second.log.clear()
    first._initialize(np.array([0.5, 1.0, 0.0]), first.all_inputs)
    assert first.log.words() == "; it says: warning: it has no label, and T = 0.5 s"
    assert second.log.words() == ""
    for instance in instances:
        instance.close()


def test_states_cannot_be_saved(tmp_path: Path) -> None:
    simulator = Simulator(FmuBlock(build("ball_fmi1", tmp_path), 0.1), step=0.1)
    with pytest.raises(
        SimulationError, match=r"ball_fmi1.fmu is of FMI 1.0, which cannot save the state of an FMU, so"
    ):
        simulator.save(tmp_path / "state")


def test_co_simulation_has_no_place_for_a_tolerance(tmp_path: Path) -> None:
    path = build("tank_fmi1", tmp_path)
    with pytest.raises(
        ParameterError, match=r"tolerance is for the FMU's solver, and FMI 1.0, of which .* leave it out"
    ):
        FmuBlock(path, 0.1, tolerance=1e-6)


def test_fmi_1_names_no_step(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"tank_fmi1.fmu: its description names no step size; say one: comm"):
        FmuBlock(build("tank_fmi1", tmp_path))


def test_an_interface_that_it_does_not_have(tmp_path: Path) -> None:
    with pytest.raises(
        FmuError, match=r"does not offer Co-Simulation, which interface='cs' asks for; it has Model Exc"
    ):
        FmuBlock(build("ball_fmi1", tmp_path), 0.1, interface="cs")
    with pytest.raises(FmuError, match=r"does not offer Model Exchange, .*; it has Co-Simulation"):
        FmuBlock(build("tank_fmi1", tmp_path), 0.1, interface="me")


def test_an_fmu_that_couples_a_tool(tmp_path: Path) -> None:
    text = description("tank_fmi1")
    tool = text[text.index("<CoSimulation_StandAlone>") : text.index("</CoSimulation_StandAlone>")]
    path = build(
        "tank_fmi1", tmp_path,
        replace={
            f"{tool}</CoSimulation_StandAlone>": tool.replace("StandAlone", "Tool")
            + '<Model entryPoint="http://localhost/tank" manualStart="false" type="application/x-simulationtool"/>'
            "</CoSimulation_Tool>",
        },
    )  # fmt: skip
    with pytest.raises(
        FmuError,
        match=r"tank_fmi1.fmu only connects to the tool that made it \(application/x-simulationtool, http://localhost/"
        r"tank\): .* CoSimulation_StandAlone can be used, and this is CoSimulation_Tool; export it to stand alone",
    ):
        FmuBlock(path, 0.1)


def test_no_binary_for_this_platform(tmp_path: Path) -> None:
    content = {"modelDescription.xml": description("ball_fmi1").encode()}
    for platform in ("win32", "win64"):
        content[f"binaries/{platform}/ball_fmi1.dll"] = b"MZ"
    if "win64" in binary_path("ball_fmi1"):
        pytest.skip("it has one for this platform")
    with pytest.raises(FmuError, match=r"has no binary for this platform \(\w+\): it has binaries for win32, win64"):
        FmuBlock(write(tmp_path / "ball.fmu", content), 0.1)


def test_a_binary_with_functions_of_another_name(tmp_path: Path) -> None:
    """The names of functions begin with the model identifier, and a library that was renamed has others."""
    content: dict[str, Any] = {
        "modelDescription.xml": description("ball_fmi1").replace("ball_fmi1", "globe").encode(),
        binary_path("ball_fmi1").replace("ball_fmi1", "globe"): binary("ball_fmi1"),
    }
    message = stopped(FmuBlock(write(tmp_path / "globe.fmu", content), 0.1))
    assert re.search(r"globe.fmu: its binary lacks a function that FMI wants: .*globe_fmi\w+", message)


@pytest.mark.filterwarnings("ignore::fmu.FmuWarning")
def test_descriptions_that_are_no_use(tmp_path: Path) -> None:
    for old, new, said in (
        (' numberOfContinuousStates="2"', "", "attribute 'numberOfContinuousStates' is required but missing"),
        ('valueReference="2"', 'valueReference="-x"', "cannot be used: .*valueReference"),
        ("</ModelVariables>", "", "is broken: mismatched tag"),
    ):
        path = build("ball_fmi1", tmp_path, name="bad", replace={old: new})
        with pytest.raises(FmuError, match=said):
            FmuBlock(path, 0.1)
    content = files("ball_fmi1")
    content["modelDescription.xml"] = content["modelDescription.xml"][:700]
    with pytest.raises(FmuError, match=r"cut.fmu: its modelDescription.xml is broken"):
        FmuBlock(write(tmp_path / "cut.fmu", content), 0.1)
    assert FmuBlock(build("ball_fmi1", tmp_path, name="odd", replace={' nominal="1"': ' nominal="1" odd="1"'}), 0.1)


def test_one_of_a_kind(trouble: Path) -> None:
    diagram = Diagram("two")
    for name in ("a", "b"):
        diagram.add(name, FmuBlock(trouble, 0.1))
    with pytest.raises(
        (RunStopped, FmuError), match=r"can be instantiated only once in a process: give all but one iso"
    ):
        simulate(diagram, 1.0, step=0.1)
