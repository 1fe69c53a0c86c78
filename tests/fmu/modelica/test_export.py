"""Modelica packages: what they say of ports and parameters, and what is refused, with words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from modelica_tool import Package, Simulation

from blocks import Diagram, Input, Output, PythonBlock
from blocks.basic import Constant, Gain, Integrator
from blocks.cli.commands import cli
from blocks.control import PID
from blocks.errors import ExportError
from blocks.signal import Number
from fmu.modelica.export import export_modelica

MISSION = str(Path(__file__).parents[3] / "examples" / "minerva_los.yaml")


class Twice(PythonBlock):
    """Twice what comes in."""

    u = Input(Number)
    y = Output(Number)

    def outputs(self, t: float, states: Any, inputs: Any) -> dict[str, Any]:
        return {"y": 2.0 * inputs["u"]}


def words(path: Path) -> str:
    return " ".join(path.read_text(encoding="utf-8").split())


def command(*arguments: str) -> str:
    done = CliRunner().invoke(cli, ["export", *arguments])
    assert done.exit_code != 0, done.output
    return done.output


def test_the_files_of_a_package(exported: Callable[..., Path]) -> None:
    path = exported("--only", "plant")
    assert (path / "package.order").read_text().split() == ["Plant", "Interfaces", "Types", "Internal"]
    there = {str(file.relative_to(path)) for file in path.rglob("*") if file.is_file()}
    classes = {"package.mo", "package.order", "Plant.mo", "Interfaces.mo", "Types.mo", "Internal.mo"}
    assert there == classes | {"Resources/Include/minerva_los_plant.h", "Resources/Images/Plant.svg"}


def test_ports_and_parameters_have_units_ranges_and_words(exported: Callable[..., Path]) -> None:
    text = words(exported("--only", "plant") / "Plant.mo")
    for wanted in (
        'Interfaces.RealInput command[5](each unit="rev/s", each displayUnit="rev/min")',
        'Interfaces.RealOutput eta[6](unit={"m", "m", "m", "rad", "rad", "rad"}',
        'parameter Real current_speed(unit="m/s", min=0) = 0.02 "horizontal speed V_c" '
        'annotation(Dialog(tab="current"));',
        "parameter Boolean vessel_coriolis = true",
        "= Types.PropellerThrustersAdvance_speed.axial",
        'assert(thrusters_density > 0, "thrusters.density must be > 0");',
        "start=vessel_initial_eta, each fixed=true",
        "eta = vessel_eta;",
        "vessel_nu = Internal.Plant.start(plan, time);",
        "experiment(StartTime=0, StopTime=160, Tolerance=1e-06, Interval=0.01)",
    ):
        assert wanted in text


def test_outputs_that_follow_no_input_at_once_are_in_no_loop(exported: Callable[..., Path]) -> None:
    """Plant and autopilot in a ring: commands follow the pose at once, the pose no command."""
    text = words(exported("--only", "autopilot") / "Autopilot.mo")
    assert "(depth, waypoint, finished) = Internal.Autopilot.outputs3(plan, time, eta);" in text
    assert "command = Internal.Autopilot.outputs1(plan, time, eta, nu, nu_r);" in text


def test_equal_models_give_equal_bytes(exported: Callable[..., Path]) -> None:
    one, other = exported(), exported()
    files = sorted(file.relative_to(one) for file in one.rglob("*") if file.is_file())
    assert files == sorted(file.relative_to(other) for file in other.rglob("*") if file.is_file())
    assert all((one / file).read_bytes() == (other / file).read_bytes() for file in files)


def test_one_file_has_the_c_in_it(tmp_path: Path) -> None:
    diagram = Diagram("decay")
    diagram.add("x", Integrator(initial_x=2.0))
    diagram.add("back", Gain(-1.0))
    diagram.connect(diagram["x"].port("y"), diagram["back"].input_port("u"))
    diagram.connect(diagram["back"].port("y"), diagram["x"].input_port("u"))
    diagram.outputs(value="x.y")
    path = export_modelica(diagram, tmp_path / "One.mo")
    assert [file.name for file in tmp_path.iterdir()] == ["One.mo"]
    package = Package(path, tmp_path / "host")
    simulation = Simulation([package])
    simulation.add("One.Decay")
    found = simulation.run(1.0, 0.5)
    simulation.close()
    assert found["value"] == pytest.approx([2.0, 2.0 * 0.6065306597, 2.0 * 0.3678794412], abs=1e-8)


def test_names_that_the_language_has_are_others(tmp_path: Path) -> None:
    """A model is called as the package, variables as what models have besides, and blocks as words of C."""
    diagram = Diagram("model")
    for name in ("plan", "startTime", "values", "int"):
        diagram.add(name, Gain(2.0))
    diagram.inputs(sample="plan.u", keelblocksPlan="startTime.u", t="values.u", o="int.u")
    diagram.outputs(output="plan.y", initial="startTime.y", samplePeriod="values.y", v="int.y")
    path = export_modelica({"model": diagram, "Types": diagram}, tmp_path, name="model", states="solver")
    package = Package(path, tmp_path / "host")
    assert {"Model.System", "Model.Types_"} <= {*package.classes}
    simulation = Simulation([package])
    simulation.add("Model.System", sample_=1.0, keelblocksPlan_=2.0, t=3.0, o=4.0)
    found = simulation.run(0.1, 0.1)
    simulation.close()
    assert [found[name][-1] for name in ("output_", "initial_", "v")] == [2.0, 4.0, 8.0]


def test_a_signal_that_ends_the_run_ends_the_simulation(tmp_path: Path) -> None:
    diagram = Diagram("run")
    diagram.add("slope", Constant(2.0))
    diagram.add("late", Integrator())
    diagram.connect(diagram["slope"].port("y"), diagram["late"].input_port("u"))
    diagram.outputs(late="late.y")
    for states, around in (("tool", "c"), ("solver", "c"), ("auto", "fmu")):
        path = export_modelica(
            diagram, tmp_path / (states + around), stop="late", step=0.1, states=states, around=around
        )
        assert "when stopSignal > 0.5 then terminate(" in words(path / "System.mo")
        package = Package(path, tmp_path / f"host_{states}_{around}")
        simulation = Simulation([package])
        simulation.add(f"{package.name}.System")
        found = simulation.run(0.5, 0.1)
        assert [value > 0.5 for value in found["stopSignal"]] == [False] * 3 + [True] * 3
        simulation.close()


@pytest.mark.parametrize("around", ["c", "fmu"])
def test_a_simulation_that_begins_late_begins_there(around: str, tmp_path: Path) -> None:
    """At its first instant the state is the initial one, whatever `startTime` says, as that of tools is."""
    diagram = Diagram("late")
    diagram.add("x", Integrator(initial_x=3.0))
    diagram.inputs(u="x.u")
    diagram.outputs(y="x.y")
    path = export_modelica(diagram, tmp_path, states="solver", around=around, step=0.1)  # type: ignore[arg-type]
    package = Package(path, tmp_path / "host")
    simulation = Simulation([package])
    simulation.add("Late.System", u=2.0)
    found = simulation.run(5.2, 0.1, start=5.0)
    simulation.close()
    assert found["y"] == pytest.approx([3.0, 3.2, 3.4])


def test_models_whose_names_differ_in_capitals_only_are_two(tmp_path: Path) -> None:
    """File systems may not know the difference, and names in C do not."""
    doubled = Diagram("doubled")
    doubled.add("gain", Gain(2.0))
    doubled.inputs(u="gain.u")
    doubled.outputs(y="gain.y")
    path = export_modelica({"imu": Gain(1.0), "IMU": doubled}, tmp_path, name="two", states="solver")
    package = Package(path, tmp_path / "host")
    found = {}
    for model in ("Imu", "IMU_"):
        simulation = Simulation([package])
        simulation.add(f"Two.{model}", u=3.0)
        found[model] = float(simulation.run(0.02, 0.01)["y"][-1])
        simulation.close()
    assert found == {"Imu": 3.0, "IMU_": 6.0}


def test_models_of_an_earlier_export_go(tmp_path: Path) -> None:
    """Else there would be models without their functions. What somebody else has put there stays."""
    folder = export_modelica({"one": Gain(1.0), "two": Gain(2.0)}, tmp_path, name="p", around="fmu")
    own = folder / "Resources" / "Include" / "mine.h"
    own.write_text("/* mine */")
    (folder / "Mine.mo").write_text("within P; model Mine end Mine;")
    export_modelica({"one": Gain(1.0)}, tmp_path, name="p")
    there = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    assert there == {
        "package.mo", "package.order", "One.mo", "Interfaces.mo", "Internal.mo", "Mine.mo",
        "Resources/Include/p_one.h", "Resources/Include/mine.h", "Resources/Images/One.svg",
    }  # fmt: skip
    assert (folder / "package.order").read_text().split() == ["One", "Interfaces", "Internal"]


def test_a_step_of_the_solver_is_wanted_where_it_integrates(tmp_path: Path) -> None:
    """Where the tool does, it may be any: the solver has no meaning."""
    assert export_modelica(Integrator(), tmp_path, solver="dopri5").is_dir()
    with pytest.raises(ExportError, match="a Modelica package has fixed ones: take euler, heun or rk4"):
        export_modelica(PID(kp=1.0), tmp_path, solver="dopri5")


def test_the_tool_does_not_integrate_what_has_samples_or_modes(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"a tool cannot integrate 'PID': pid has samples, modes or memories"):
        export_modelica(PID(kp=1.0), tmp_path, states="tool")
    said = command(MISSION, "--format", "modelica", "--output", str(tmp_path), "--states", "tool")
    assert "a tool cannot integrate 'minerva_los': autopilot.guidance" in said
    assert "--states solver" in said


def test_what_has_no_c_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="runs in Python"):
        export_modelica(Twice(), tmp_path)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--fmi", "3.0"), "--fmi is of FMUs, and --format modelica writes a Modelica package: leave it out"),
        (("--split", "plant.vessel"), "--split is of use with --format"),
        (("--states", "tol"), "'tol' is not one of 'auto', 'tool', 'solver'"),
        (("--around", "fmu", "--states", "tool"), "an FMU for co-simulation has its own solver"),
    ],
)
def test_options_that_do_not_fit(options: tuple[str, ...], said: str, tmp_path: Path) -> None:
    assert said in command(MISSION, "--format", "modelica", "--output", str(tmp_path), *options)


def test_other_formats_have_no_states_of_a_tool() -> None:
    said = command(MISSION, "--states", "tool")
    assert "--states is of use with --format modelica, not with single FMUs" in said


def test_fmus_have_no_place_in_one_file(tmp_path: Path) -> None:
    file = tmp_path / "One.mo"
    said = command(MISSION, "--format", "modelica", "--output", str(file), "--around", "fmu")
    assert "is one file, in which FMUs have no place: name a folder" in said


def test_nothing_of_others_is_replaced(tmp_path: Path) -> None:
    own = tmp_path / "Gain" / "package.mo"
    own.parent.mkdir()
    own.write_text("package Gain end Gain;")
    with pytest.raises(ExportError, match=r"package\.mo is there and not of such an export"):
        export_modelica(Gain(2.0), tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    assert own.read_text() == "package Gain end Gain;"
    with pytest.raises(ExportError, match="it is a file, and a folder is wanted"):
        export_modelica(Gain(2.0), tmp_path / "notes.txt")


def test_wrong_arguments(tmp_path: Path) -> None:
    for arguments, said in (
        ({"states": "tol"}, "states: there is no choice 'tol'; did you mean 'tool'?"),
        ({"around": "fmi"}, "around: there is no choice 'fmi'; did you mean 'fmu'?"),
    ):
        with pytest.raises(ExportError, match=said.replace("?", r"\?")):
            export_modelica(Constant(1.0), tmp_path, **arguments)  # type: ignore[arg-type]
    for arguments, said in (
        ({"name": 3}, "name must be text, not 3"),
        ({"about": 3}, "about must be text, not 3"),
    ):
        with pytest.raises(ExportError, match=said):
            export_modelica(Constant(1.0), tmp_path, **arguments)
    with pytest.raises(ExportError, match="the name of a component must be text, not 3"):
        export_modelica({3: Constant(1.0)}, tmp_path)  # type: ignore[dict-item]
    with pytest.raises(ExportError, match=r"would be called MyShip, and .*: call it MyShip\.mo"):
        export_modelica(Constant(1.0), tmp_path / "my_ship.mo")
    with pytest.raises(ExportError, match="at least one diagram or block"):
        export_modelica({}, tmp_path)
    with pytest.raises(ExportError, match="is made of a diagram or a block"):
        export_modelica(3, tmp_path)  # type: ignore[arg-type]
