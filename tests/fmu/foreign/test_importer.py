"""An FMU as a block: its ports, units, parameters and start values, as its description has them."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from foreign_fmus import build

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.errors import FmuError, ParameterError, WiringError
from fmu import FmuBlock, FmuWarning
from fmu.foreign.units import conversion


@pytest.fixture(scope="module")
def tank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("tank", tmp_path_factory.mktemp("tank"))


@pytest.fixture(scope="module")
def mixer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("mixer", tmp_path_factory.mktemp("mixer"))


# --- ports -----------------------------------------------------------------------------------------------------------


def test_ports_are_typed_by_the_description(tank: Path) -> None:
    block = FmuBlock(tank)
    assert list(block.input_ports) == ["inflow", "supply_temperature", "opening", "pumps", "valve"]
    assert list(block.output_ports) == ["volume", "power", "level", "steps", "overflow"]
    inflow, level = block.input_ports["inflow"], block.output_ports["level"]
    assert (inflow.signal.unit, inflow.signal.shape, inflow.doc) == ("m^3/s", (), "what flows in")
    assert (level.signal.unit, level.signal.shape, level.doc) == ("m^3", (3,), "level")
    assert block.input_ports["supply_temperature"].doc == "temperature of what flows in (supply.temperature)"
    assert block.input_ports["opening"].signal.unit is None
    assert block.input_ports["pumps"].signal.unit == "1"
    assert (type(block).__name__, type(block).__doc__) == ("Heated_tank", "A heated tank\n\nMade by a test.")


def test_ports_are_found_by_the_names_of_the_variables_too(tank: Path) -> None:
    block = FmuBlock(tank)
    assert str(block.port("supply.temperature")) == "Heated_tank.supply_temperature"
    assert str(block.supply_temperature) == "Heated_tank.supply_temperature"
    with pytest.raises(WiringError, match=r"no port 'inflw' on Heated_tank; did you mean 'inflow'"):
        block.port("inflw")


def test_values_are_converted_to_si_and_back(tank: Path) -> None:
    """In: l/min and °C from m³/s and K; out: barrels as m³. power = 4186·inflow·(temperature − 10 °C), l/s."""
    found = FmuBlock(tank).evaluate(inflow=2e-3, supply_temperature=303.15).outputs
    assert found["power"] == pytest.approx(4186.0 * 2.0 * 20.0, rel=1e-12)
    assert found["level"] == pytest.approx(0.5 * np.array([1.0, 2.0, 3.0]) * 0.158987294928, rel=1e-12)


def test_start_values_are_defaults_of_the_inputs_in_si(tank: Path) -> None:
    ports = FmuBlock(tank).input_ports
    assert ports["inflow"].default == pytest.approx(1e-4)
    assert ports["supply_temperature"].default == pytest.approx(293.15)
    assert (ports["pumps"].default, ports["valve"].default) == (1.0, 1.0)


def test_arrays_and_types_of_fmi_3(mixer: Path) -> None:
    block = FmuBlock(mixer)
    assert block.input_ports["u"].signal.shape == (3,)
    assert block.input_ports["u"].signal.unit == "N*m"
    assert block.input_ports["u"].default == [0.5, 0.25, 0.125]
    found = block.evaluate(u=[1.0, 2.0, 3.0], gain=0.5, level=4).outputs
    assert found["y"] == pytest.approx([28.0, 64.0])
    assert found["length"] == 2.0
    assert np.all(block.evaluate(u=[1.0, 2.0, 3.0], enabled=0).outputs["y"] == 0.0)


def test_a_structural_parameter_decides_shapes(mixer: Path) -> None:
    block = FmuBlock(mixer, parameters={"n": 2, "A": [[1.0, 0.0], [2.0, 3.0]]})
    assert block.input_ports["u"].signal.shape == (2,)
    assert block.evaluate(u=[5.0, 7.0]).outputs["y"] == pytest.approx([5.0, 31.0])
    with pytest.raises(ParameterError, match=r"n decides the ports and cannot change: make a new FmuBlock"):
        block.set(n=3)
    assert FmuBlock(mixer).input_ports["u"].signal.shape == (3,)


def test_matrices_of_the_structured_convention(tmp_path: Path) -> None:
    elements = [(1, 1), (1, 2), (2, 1), (2, 2)]
    text = "".join(
        f'<ScalarVariable name="m[{i},{j}]" valueReference="{9 + k}" causality="parameter" variability="tunable">'
        f'<Real start="{10 * i + j}"/></ScalarVariable>'
        for k, (i, j) in enumerate(elements)
    )
    lone = (
        '<ScalarVariable name="x[3]" valueReference="14" causality="parameter" variability="tunable">'
        '<Real start="7"/></ScalarVariable>'
    )
    path = build("tank", tmp_path, replace={"</ModelVariables>": f"{text}{lone}</ModelVariables>"})
    block = FmuBlock(path)
    assert block.m.tolist() == [[11.0, 12.0], [21.0, 22.0]]
    assert block.x_3 == 7.0
    start = [(s.name, s.values) for s in block.face.settings["m"].start_values(np.array([[1.0, 2.0], [3.0, 4.0]]))]
    assert start == [("m[1,1]", (1.0,)), ("m[1,2]", (2.0,)), ("m[2,1]", (3.0,)), ("m[2,2]", (4.0,))]


def test_units_meet_at_the_wires(tank: Path) -> None:
    diagram = Diagram()
    diagram.add("tank", FmuBlock(tank))
    diagram.add("other", FmuBlock(tank))
    with pytest.raises(
        WiringError, match=r"tank.power \(Real, W\) to other.inflow \(Real, m\^3/s\): units W and m\^3/s"
    ):
        diagram.connect("tank.power", "other.inflow")
    diagram.connect("tank.level[0]", "other.opening")


def test_units_by_name_and_by_definition() -> None:
    def base(factor: float = 1.0, offset: float = 0.0, **exponents: int) -> SimpleNamespace:
        names = dict.fromkeys(("kg", "m", "s", "A", "K", "mol", "cd", "rad"), 0)
        return SimpleNamespace(**names | exponents, factor=factor, offset=offset)

    def as_tuple(*arguments: object, **named: bool) -> tuple[object, ...]:
        found = conversion(*arguments, **named)  # type: ignore[arg-type]
        return found.unit, found.scale, found.offset

    newton_metre = base(kg=1, m=2, s=-2)
    assert as_tuple("N.m", newton_metre) == ("N*m", 1.0, 0.0)
    assert as_tuple("kN.m", base(1e3, kg=1, m=2, s=-2)) == ("N*m", 1e3, 0.0)
    assert as_tuple("deg", base(math.pi / 180, rad=1)) == ("rad", math.pi / 180, 0.0)
    assert as_tuple("rpm", base(2 * math.pi / 60, rad=1, s=-1)) == ("rev/s", 1 / 60, 0.0)
    assert as_tuple("rev/s", base(2 * math.pi, rad=1, s=-1)) == ("rev/s", 1.0, 0.0)
    assert as_tuple("degC", base(offset=273.15, K=1)) == ("K", 1.0, 273.15)
    assert as_tuple("degC", base(offset=273.15, K=1), relative=True) == ("K", 1.0, 0.0)
    assert as_tuple("barrel", base(0.159, m=3)) == ("m^3", 0.159, 0.0)
    assert as_tuple("N.m", base(5.0, kg=1)) == ("kg", 5.0, 0.0), "the definition decides"
    assert as_tuple("m/s2") == ("m/s^2", 1.0, 0.0)
    assert as_tuple("W/(m2.K)") == ("W/m^2/K", 1.0, 0.0)
    assert as_tuple("degF")[0] == "K"
    assert as_tuple("degF")[1:] == pytest.approx((5 / 9, 459.67 * 5 / 9))
    assert as_tuple("smoot-ish") == (None, 1.0, 0.0)
    assert as_tuple("") == (None, 1.0, 0.0)


# --- parameters ------------------------------------------------------------------------------------------------------


def test_parameters_have_their_types_and_defaults(tank: Path) -> None:
    block = FmuBlock(tank)
    assert (block.outlet_k, block.mode, block.label, block.initial_volume) == (0.01, "low", "tank", 0.5)
    assert block.parameters["outlet_k"].tunable
    assert not block.parameters["mode"].tunable
    assert block.parameters["mode"].choices == ("off", "low", "high")
    assert (block.communication_step, block.fmu_timeout, block.timeout) == (0.1, 3.0, 30.0)


def test_parameters_by_the_names_of_the_variables(tank: Path) -> None:
    block = FmuBlock(tank, 0.05, parameters={"outlet.k": 0.02, "mode": "high", "label": "blå", "volume": "200 l"})
    assert (block.outlet_k, block.mode, block.label) == (0.02, "high", "blå")
    assert block.initial_volume == pytest.approx(0.2)
    assert block.communication_step == 0.05
    block.set(timeout=10.0)
    assert (block.timeout, block.fmu_timeout) == (10.0, 3.0)
    block = FmuBlock(tank, parameters={"timeout": 5.0})
    assert (block.timeout, block.fmu_timeout) == (30.0, 5.0)


def test_what_is_set_arrives_in_the_fmu(tank: Path, mixer: Path) -> None:
    """V' = pumps·inflow·(mode − 1) − k·opening, one Euler step of 0.1 s."""
    block = FmuBlock(tank, parameters={"volume": 0.3, "mode": "high", "outlet.k": 0.04})
    run = simulate(block, 0.1, step=0.1, inputs={"inflow": 1e-3, "pumps": 3, "opening": 0.25})
    assert run.values("heated_tank.volume") == pytest.approx([0.3, 0.3 + 0.1 * (3 * 1e-3 * 4 - 0.04 * 0.25)], rel=1e-12)
    run = simulate(block, 0.1, step=0.1, inputs={"inflow": 0.0, "valve": 0})
    assert run.values("heated_tank.volume") == pytest.approx([0.3, 0.3], rel=1e-15)
    assert FmuBlock(mixer, parameters={"label": "blåbær"}).evaluate().outputs["length"] == 8, "bytes of UTF-8"


def test_an_enumeration_by_its_number(tank: Path) -> None:
    assert FmuBlock(tank, parameters={"mode": 5}).mode == "high"
    with pytest.raises(ParameterError, match=r"mode must be one of 'off', 'low', 'high', not 4"):
        FmuBlock(tank, parameters={"mode": 4})


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"outlet.j": 1.0}, r"no parameter 'outlet.j' in .*tank.fmu; did you mean 'outlet.k' or 'outlet_k'"),
        ({"outlet.k": -1.0}, r"Heated_tank.outlet_k must be ≥ 0, not -1"),
        ({"mode": "hihg"}, r"must be one of 'off', 'low', 'high', not 'hihg'; did you mean 'high'"),
        ({"label": 3}, r"label must be text, not 3"),
        ({"volume": "3 m"}, r"'3 m' is in m, but m\^3 is wanted"),
    ],
)
def test_wrong_parameters(tank: Path, parameters: dict[str, object], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        FmuBlock(tank, parameters=parameters)


def test_numbers_that_a_type_cannot_hold(tank: Path, mixer: Path) -> None:
    with pytest.raises(ParameterError, match=r"limit must be ≥ 0 and ≤ 255, not 300"):
        FmuBlock(mixer, parameters={"limit": 300})
    with pytest.raises(Exception, match=r"its input pumps takes whole numbers \(Integer\), not 1.5"):
        FmuBlock(tank).evaluate(pumps=1.5)
    with pytest.raises(Exception, match=r"its input pumps takes whole numbers \(Integer\), not 3e\+09"):
        FmuBlock(tank).evaluate(pumps=3e9)


def test_own_options_are_checked(tank: Path) -> None:
    with pytest.raises(ParameterError, match=r"FmuBlock\.path is missing"):
        FmuBlock()
    with pytest.raises(ParameterError, match=r"interface must be one of auto, cs, me, not 'mee'; did you mean 'me'"):
        FmuBlock(tank, interface="mee")
    with pytest.raises(
        FmuError, match=r"tank.fmu does not offer Model Exchange, which interface='me' asks for; it has"
    ):
        FmuBlock(tank, interface="me")
    with pytest.raises(ParameterError, match="isolate must be true or false"):
        FmuBlock(tank, isolate="yes")
    with pytest.raises(ParameterError, match="no parameter 'isolated' on Heated_tank; did you mean 'isolate'"):
        FmuBlock(tank, isolated=True)
    block = FmuBlock(tank)
    with pytest.raises(ParameterError, match="path decides the ports and cannot change"):
        block.set(path="other.fmu")


def test_the_communication_step(tank: Path, mixer: Path, tmp_path: Path) -> None:
    assert FmuBlock(tank, "20 ms").communication_step == 0.02
    assert FmuBlock(mixer).communication_step == 0.05, "its own internal step"
    silent = build("tank", tmp_path, replace={' stepSize="0.1"': ""})
    with pytest.raises(
        ParameterError, match=r"tank.fmu: its description names no step size; say one: communication_step"
    ):
        FmuBlock(silent)
    assert FmuBlock(silent, 0.2).communication_step == 0.2


def test_a_communication_step_between_the_fmus_own_steps_is_said(tmp_path: Path) -> None:
    """FMI only recommends multiples; such an FMU stays at the last of its own steps."""
    diagram = Diagram()
    with pytest.warns(FmuWarning, match=r"communication_step of 0.25 s is no multiple of 0.1 s, the internal step of"):
        block = diagram.add("carrier", FmuBlock(build("carrier", tmp_path), 0.25, ports="own"))
    block.set(mass=3.0)  # said once
    assert simulate(diagram, 1.0, step=0.25).values("carrier.own") == pytest.approx([0.0, 0.2, 0.5, 0.7, 1.0])


# --- copies and the rest ---------------------------------------------------------------------------------------------


def test_a_copy_is_the_same_block(tank: Path) -> None:
    block = FmuBlock(tank, 0.05, parameters={"volume": 0.2, "label": "x"}, feedthrough=False)
    copy = block.copy()
    assert type(copy) is type(block)
    assert copy.values == block.values
    assert Diagram("a").add("b", copy).path == "b"
    assert repr(block) == (
        f"Heated_tank(feedthrough=False, path={str(tank)!r}, communication_step=0.05, initial_volume=0.2, label='x')"
    )


def test_a_description_that_is_not_in_order_is_used_with_a_warning(tmp_path: Path) -> None:
    path = build("tank", tmp_path, replace={'<Real unit="degC" start="20"/>': '<Real unit="degC"/>'})
    with pytest.warns(FmuWarning, match=r"tank.fmu: its modelDescription.xml is not in order: .*supply.temperature"):
        block = FmuBlock(path)
    assert block.input_ports["supply_temperature"].default == pytest.approx(273.15)
    assert len(block.description.problems) == 1


def test_a_connected_constant_drives_it(tank: Path) -> None:
    diagram = Diagram()
    diagram.add("flow", Constant(2e-3))
    diagram.add("tank", FmuBlock(tank))
    diagram.connect("flow.y", "tank.inflow")
    run = simulate(diagram, 0.2, step=0.1)
    assert run.values("tank.steps").tolist() == [0.0, 1.0, 2.0]
