"""What descriptions of FMI 1.0 say in their own words: aliases, parameters, dependencies, start values, dialects."""

from __future__ import annotations

from pathlib import Path

import pytest
from foreign_fmus import FMI1_COSIMULATION, build, description, write

from blocks import Diagram, simulate
from blocks.basic import Constant
from fmu import FmuBlock


@pytest.fixture(scope="module")
def winch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("winch_fmi1", tmp_path_factory.mktemp("winch"))


def test_ports_and_parameters(winch: Path) -> None:
    block = FmuBlock(winch, 0.1)
    assert list(block.input_ports) == ["command", "gear", "brake"]
    assert list(block.output_ports) == ["length", "speed", "tension", "paid_in", "reverse", "free", "tolerance"]
    assert list(block.face.settings) == [
        "initial_length", "initial_speed", "initial_command", "motor_T", "initial_gear", "mode", "initial_brake",
        "label", "logs",
    ], "no second parameter for an alias, none for what the FMU calculates"  # fmt: skip
    assert (block.output_ports["speed"].signal.unit, block.output_ports["length"].signal.unit) == ("m/s", "m")
    assert block.values["mode"] == "sharp"
    assert "label" in FmuBlock(winch, 0.1, mode=2, label="no label").values


def test_what_outputs_depend_on(winch: Path) -> None:
    """What DirectDependency names; without one, on every input, of Co-Simulation on none."""
    ports = FmuBlock(winch, 0.1, ports=["slack", "twice"]).output_ports
    assert ports["length"].feedthrough == ()
    assert ports["tension"].feedthrough == ("command",)
    assert ports["tolerance"].feedthrough == ports["slack"].feedthrough == ("command", "gear", "brake")
    assert ports["twice"].feedthrough == (), "calculated from parameters"


def test_aliases_have_the_value_or_minus_the_value(winch: Path, tmp_path: Path) -> None:
    given = {"gear": -2, "brake": False, "length": 3.0}
    names = ["drum.length", "slack"]
    for path in (winch, build("winch_fmi1", tmp_path, replace=FMI1_COSIMULATION)):
        run = simulate(FmuBlock(path, 0.1, ports=names, parameters=given), 1.0, step=0.1)
        length = run.values("winch.length")
        assert length[0] == 3.0
        assert length[-1] < 2.8
        assert run.values("winch.paid_in").tolist() == (-length).tolist()
        assert run.values("winch.drum_length").tolist() == length.tolist()
        assert run.values("winch.slack").tolist() == (-run.values("winch.tension")).tolist()
        assert set(run.values("winch.reverse")) == {2.0}
        assert set(run.values("winch.free")) == {1.0}


def test_inputs_and_start_values_of_negated_aliases(tmp_path: Path) -> None:
    """As the FMU SDK has gravity: the alias is what can be set, and the value of its reference is minus that."""
    changed = build(
        "winch_fmi1", tmp_path,
        replace={
            'name="command" valueReference="2" causality="input" variability="continuous"':
                'name="command" valueReference="2" causality="input" alias="negatedAlias"',
            'name="brake" valueReference="0" causality="input" variability="discrete"':
                'name="brake" valueReference="0" causality="input" variability="discrete" alias="negatedAlias"',
            'name="gear" valueReference="0" causality="input" variability="discrete"':
                'name="gear" valueReference="0" causality="input" variability="discrete" alias="negatedAlias"',
            'name="motor.T" valueReference="3" causality="internal" variability="parameter"':
                'name="motor.T" valueReference="3" variability="parameter" alias="negatedAlias"',
            '<Real unit="s" start="0.8" min="0.1"/>': '<Real unit="s" start="-0.8" max="-0.1"/>',
            '<Real unit="s" start="0.8"/>': '<Real unit="s"/>',
        },
    )  # fmt: skip
    block = FmuBlock(changed, 0.1)
    assert (block.values["motor_T"], block.values["initial_command"]) == (-0.8, 0.5)
    diagram = Diagram("minus")
    diagram.add("command", Constant(-0.5))
    diagram.add("gear", Constant(-1.0))
    diagram.add("brake", Constant(1.0))  # which is not on
    diagram.add("winch", FmuBlock(changed, 0.1, parameters={"motor.T": -0.4}))
    for name in ("command", "gear", "brake"):
        diagram.connect(f"{name}.y", f"winch.{name}")
    found = simulate(diagram, 1.0, step=0.1)
    plain = build("winch_fmi1", tmp_path, name="plain")
    expected = simulate(FmuBlock(plain, 0.1, parameters={"motor.T": 0.4}), 1.0, step=0.1)
    assert found.values("winch.length").tolist() == expected.values("winch.length").tolist()
    still = simulate(FmuBlock(changed, 0.1, parameters={"brake": False}), 1.0, step=0.1)
    assert set(still.values("winch.length")) == {2.0}


def test_words_that_tools_use(tmp_path: Path) -> None:
    """Attributes and elements as JModelica, Dymola and the FMU SDK write them; none is a problem."""
    experiment = '<DefaultExperiment startTime="0" stopTime="3" tolerance="1e-9"/>'
    path = build(
        "ball_fmi1", tmp_path, name="dialect",
        replace={
            experiment: '<DefaultExperiment startTime="0.0" stopTime="3.0" tolerance="1E-9"/><VendorAnnotations>'
                        '<Tool name="OCT"><Annotation name="CompilerVersion" value="r1"/></Tool></VendorAnnotations>',
            '<Real start="0.7" fixed="true"/>': '<Real relativeQuantity="false" quantity="" start="7.0E-1"/>',
            'name="push"': 'alias="noAlias" description="a push" name="push"',
            'causality="internal" variability="parameter"': 'variability="parameter"',
            'encoding="UTF-8"?>': 'encoding="ISO-8859-1"?><!-- by hand -->',
        },
    )  # fmt: skip
    one = simulate(FmuBlock(path, 0.1), 1.0, step=0.1)
    other = simulate(FmuBlock(build("ball_fmi1", tmp_path), 0.1), 1.0, step=0.1)
    assert one.values("ball.h").tolist() == other.values("ball.h").tolist()


def test_an_fmu_without_outputs_shows_what_is_asked_for(tmp_path: Path) -> None:
    path = build("ball_fmi1", tmp_path, replace={' causality="output"': "", "<DirectDependency/>": ""})
    block = FmuBlock(path, 0.1, ports=["h", "v"])
    assert list(block.output_ports) == ["h", "v"]
    assert simulate(block, 0.2, step=0.1).values("ball.h")[-1] == pytest.approx(1.0 - 0.5 * 9.81 * 0.04, abs=1e-8)


def test_a_description_is_looked_at_for_another_platform(tmp_path: Path) -> None:
    content = {"modelDescription.xml": description("ball_fmi1").encode(), "binaries/win32/ball_fmi1.dll": b""}
    path = write(tmp_path / "ball.fmu", content)
    assert list(FmuBlock.of(path).declared_inputs) == ["push"]
