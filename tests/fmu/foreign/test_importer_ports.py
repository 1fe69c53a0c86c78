"""Further variables of an FMU as ports, and start values of inputs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from foreign_fmus import build

from blocks import Diagram, simulate
from blocks.basic import Ramp
from blocks.errors import ParameterError
from fmu import FmuBlock


@pytest.fixture(scope="module")
def carrier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("carrier", tmp_path_factory.mktemp("carrier"))


def coupled(carrier: Path, first: str, **settings: object) -> Diagram:
    """The mass of the second one is a tenth of the ballast of the first one. `first`: which one is added first."""
    diagram = Diagram()
    for name in sorted(("a", "b"), reverse=first == "b"):
        ports, values = ("ballast", {"mass": 3.0}) if name == "a" else (["mass", "ballast"], {"u": 2.0})
        diagram.add(name, FmuBlock(carrier, 0.1, ports=ports, parameters=values, **settings))
    diagram.connect("a.ballast", "b.mass")
    return diagram


@pytest.mark.parametrize("first", ["a", "b"])
@pytest.mark.parametrize("feedthrough", [True, False])
@pytest.mark.parametrize("isolate", [False, True])
def test_a_parameter_takes_what_another_fmu_has_calculated(
    carrier: Path, first: str, feedthrough: bool, isolate: bool
) -> None:
    """It is fixed: this FMU refuses to be given it after its initialization."""
    run = simulate(coupled(carrier, first, feedthrough=feedthrough, isolate=isolate), 0.3, step=0.1)
    np.testing.assert_allclose(run.values("b.ballast"), 300.0)  # from the beginning
    np.testing.assert_allclose(run.values("b.y"), 60.0)


def test_what_changes_after_the_beginning_is_not_taken(carrier: Path) -> None:
    diagram = Diagram()
    diagram.add("mass", Ramp(1.0, offset=5.0))
    diagram.add("b", FmuBlock(carrier, 0.1, ports="mass", parameters={"u": 1.0, "mass": 7.0}))
    diagram.connect("mass.y", "b.mass")
    run = simulate(diagram, 0.3, step=0.1)
    assert run.values("mass.y")[-1] == pytest.approx(5.3)
    np.testing.assert_allclose(run.values("b.y"), 5.0)
    diagram.disconnect("b.mass")
    np.testing.assert_allclose(simulate(diagram, 0.3, step=0.1).values("b.y"), 7.0)


def test_inputs_that_are_not_connected_keep_a_start_value(carrier: Path) -> None:
    block = FmuBlock(carrier, 0.1, parameters={"u": 1.5})
    assert (block.initial_u, block.input_ports["u"].default, block.copy().input_ports["u"].default) == (1.5, 1.5, 1.5)
    assert type(block)(carrier, 0.1).input_ports["u"].default == 0.0
    diagram = Diagram()
    diagram.add("b", block)
    assert simulate(diagram, 0.1, step=0.1).values("b.y")[-1] == 3.0
    diagram.inputs(u="b.u")
    assert simulate(diagram, 0.1, step=0.1).values("b.y")[-1] == 3.0
    assert simulate(diagram, 0.1, step=0.1, inputs={"u": 4.0}).values("b.y")[-1] == 8.0


def test_enumerations_start_by_name(tmp_path: Path) -> None:
    block = FmuBlock(build("mixer", tmp_path), parameters={"level": "high", "enabled": False})
    assert block.input_ports["level"].default == 4.0
    assert block.input_ports["enabled"].default == 0.0


def test_what_cannot_be_a_port_is_said(carrier: Path, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"there is no variable 'balast' in .*carrier.fmu; did you mean 'ballast'"):
        FmuBlock(carrier, 0.1, ports="balast")
    with pytest.raises(ParameterError, match=r"FmuBlock.ports must be a list of names, or text with semicolons"):
        FmuBlock(carrier, 0.1, ports=3)
    mixer = build("mixer", tmp_path)
    with pytest.raises(ParameterError, match=r"variable 'n' of .*mixer.fmu is a structural parameter, which cannot be"):
        FmuBlock(mixer, ports=["n"])
    with pytest.raises(ParameterError, match=r"variable 'label' of .*mixer.fmu is of type String, which cannot be"):
        FmuBlock(mixer, ports="label")
    block = FmuBlock(carrier, 0.1, ports=["own", "y"])
    assert (block.ports, list(block.output_ports)) == ("own; y", ["y", "own", "ratio"])
    with pytest.raises(ParameterError, match="ports decides the ports and cannot change"):
        block.set(ports="ballast")


def test_a_scenario_names_them(carrier: Path, tmp_path: Path) -> None:
    from blocks.scenario import Scenario

    (tmp_path / "s.yaml").write_text(
        f"""\
keelblocks: 1
name: s
diagram:
  blocks:
    mass: {{type: basic.Constant, parameters: {{value: 4.0}}}}
    b: {{type: FmuBlock, parameters: {{path: {carrier}, communication_step: 0.1, ports: [mass, ballast]}}}}
  connections: {{mass.y: b.mass}}
run: {{end: 0.2, step: 0.1}}
""",
        encoding="utf-8",
    )
    scenario = Scenario.load(tmp_path / "s.yaml")
    assert scenario.run().values("b.ballast").tolist() == [40.0, 40.0, 40.0]
