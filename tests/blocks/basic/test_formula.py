"""Formula: what is declared becomes ports, parameters and states; what is wrong is told; files keep it."""

from __future__ import annotations

import copy
import functools
import math
import pickle

import jsonschema
import numpy as np
import pytest
import yaml

from blocks import Diagram
from blocks.basic import Formula, Ramp, Sine
from blocks.difference import draw_difference, scenario_difference
from blocks.dynamics import ComplexVessel6DOF
from blocks.errors import KeelblocksError, ParameterError, SimulationError, WiringError
from blocks.scenario import Scenario
from blocks.scenario.schema import schema
from blocks.study import Study
from blocks.swarm import Swarm


def drag(**changes: object) -> Formula:
    """Quadratic and linear drag."""
    given = {"k": "3 N*s^2/m^2", "d": "10 N*s/m"} | changes
    return Formula({"force": "k*u*abs(u) + d*u"}, inputs={"u": "m/s"}, parameters=given)


def test_ports_have_the_units_that_follow() -> None:
    block = drag()
    assert block.type_name() == "basic.Formula"
    assert block.output_ports["force"].signal.unit == "N"
    assert block.evaluate(u=-2.0).outputs["force"] == -32.0


def test_parameters_are_read_with_their_units_and_change() -> None:
    block = drag(k="3 kN*s^2/m^2")
    assert block.values["k"] == 3000.0
    block.set(k="1 N*s^2/m^2", d=0.0)
    assert block.evaluate(u=2.0).outputs["force"] == 4.0
    with pytest.raises(ParameterError, match="kg/m is wanted"):
        block.set(k="1 kg")


def test_equal_declarations_share_a_class_and_values_are_their_own() -> None:
    one, other = drag(), drag(k="4 N*s^2/m^2")
    assert type(one) is type(other)
    assert one.values["k"] != other.values["k"]


@pytest.mark.parametrize("again", [copy.deepcopy, lambda block: pickle.loads(pickle.dumps(block)), Formula.copy])
def test_a_copy_is_the_same_block(again: object) -> None:
    block = drag(k="5 N*s^2/m^2")
    other = again(block)  # type: ignore[operator]
    assert type(other) is type(block)
    assert other.values == block.values
    assert other.evaluate(u=1.0).outputs["force"] == 15.0


def test_a_continuous_state_follows_its_analytic_solution(response) -> None:
    """dx/dt = -x/T from x = 1 m: x = exp(-t/T), by RK4 at steps of T/100, whose error is about (T/100)^4/120."""
    lag = Formula({"x": "x", "rate": "-x/T"}, states={"x": "-x/T"}, parameters={"T": "2 s"}, initial_x="1 m")
    assert (lag.output_ports["x"].signal.unit, lag.output_ports["rate"].signal.unit) == ("m", "m/s")
    assert lag.state_of("x") == "x"
    _, x = response(lag, port="x", end=4.0, step=0.02)
    assert x[-1] == pytest.approx(math.exp(-2.0), rel=1e-9)


def test_a_sampled_formula_acts_at_its_samples(response) -> None:
    """Samples at 0, 0.5 … 2 s: five, which n counts up to the one before; `held` is the ramp at each, times 0.5 s."""
    counter = Formula({"n": "n", "held": "u*period"}, inputs={"u": "N"}, update={"n": "n + 1"}, period="0.5 s")
    other = counter.copy()
    t, n = response(counter, port="n", u=Ramp(slope=1.0), end=2.2, step=0.1)
    np.testing.assert_array_equal(n, np.floor(t / 0.5 + 1e-9))
    t, held = response(other, port="held", u=Ramp(slope=1.0), end=2.2, step=0.1)
    np.testing.assert_allclose(held, 0.25 * np.floor(t / 0.5 + 1e-9), atol=1e-12)


def test_a_run_stops_at_the_place_without_a_value(response) -> None:
    ratio = Formula({"y": "1/(v - w)"}, inputs={"v": "m/s"}, parameters={"w": "0 m/s"})
    with pytest.raises(SimulationError, match="division by zero") as told:
        response(ratio, v=Sine(amplitude=1.0, frequency=0.25), end=1.0, step=0.1)
    assert "1/(v - w)" in str(told.value)
    assert "division by zero, with v = 0" in str(told.value)


def test_operators_leave_their_names_to_quantities() -> None:
    block = Formula({"power": "u*equal"}, inputs={"u": "V"}, parameters={"equal": "2 A"})
    assert (block.evaluate(u=3.0).outputs["power"], block.power.signal.unit) == (6.0, "W")


DEEP: list[object] = functools.reduce(lambda inner, _: [inner], range(3000), [1.0])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "a formula needs outputs, such as"),
        ({"outputs": "2*u"}, "outputs must be a mapping"),
        ({"outputs": {"y": "x"}, "update": {"x": "x + 1"}}, "needs a period"),
        ({"outputs": {"y": "x"}, "states": {"x": "-x"}, "period": 0.1}, "states have derivatives"),
        ({"outputs": {"y": "path"}, "parameters": {"path": 1.0}}, "called 'path'"),
        ({"outputs": {"y": "u"}, "inputs": {"u": "kn"}}, "in m/s and not in kn"),
        ({"outputs": {"y": "u"}, "inputs": {"u": "m/ss"}}, "did you mean 's'"),
        ({"outputs": {"y": "u"}, "inputs": {"u": "Forse"}}, "did you mean 'Force'"),
        ({"outputs": {"y": "u"}, "inputs": {"u": "m [x]"}}, "no shape"),
        ({"outputs": {"y": "u"}, "inputs": {"u": f"m [{'9' * 5000}]"}}, "no shape"),
        ({"outputs": {"y": "u[0]"}, "inputs": {"u": "m [100000000]"}}, "100000000 elements, and 16000 is the most"),
        ({"outputs": {"y": "u"}, "inputs": {"u": "m^99"}}, "exponents are 20 at most"),
        (
            {"outputs": {"y": "u"}, "inputs": {"u": {"unit": "m [3]", "default": [1, 2]}}},
            "must be an array of 3",
        ),
        ({"outputs": {"y": "u"}, "inputs": {"u": {"default": math.nan}}}, "inputs.u.default must be finite"),
        ({"outputs": {"y": "u"}, "inputs": {"u": {"unit": "m/s", "default": "2 kg"}}}, "in kg, but m/s is wanted"),
        ({"outputs": {"y": "u"}, "inputs": {"u": "m"}, "units": {"u": "m"}}, "an input, whose unit stands at inputs.u"),
        ({"outputs": {"y": "q"}, "let": {"q": "t"}, "units": {"q": "s"}}, "a line of let, whose unit follows"),
        ({"outputs": {"y": "t"}, "units": {"y": "kn"}}, "units.y: signals are in SI, in m/s and not in kn"),
        ({"outputs": {"y": "t"}, "units": {"y": "wrench"}}, "did you mean 'Wrench'"),
        ({"outputs": {"y": "[t, t]"}, "units": {"y": "s [3]"}}, "y is stated as a vector of 3, and"),
        ({"outputs": {"y": "x"}, "states": {"x": "1"}, "initial": {"x": "2 s"}}, "parameters={'initial_x': …}"),
        ({"outputs": {"y": "x"}, "states": {"x": "0"}, "units": {"x": "N"}, "initial_x": "1 m"}, "but N is wanted"),
        ({"outputs": {"y": "states"}, "inputs": {"states": ""}}, "called 'states'"),
        ({"outputs": {"y": "self"}, "inputs": {"self": ""}}, "called 'self'"),
        ({"outputs": {"y": 10**5000}}, "must be an expression"),
        ({"outputs": {"y": DEEP}}, "must be an expression"),
        ({"outputs": {"y": "k"}, "parameters": {"k": DEEP}}, "at most 8 deep"),
        ({"outputs": {"y": "u"}, "inputs": {"u": "m", "y": "m"}}, "an input and an output"),
        ({"outputs": {"y": "t"}, "inputs": {"t": "s"}}, "is the time"),
        ({"outputs": {"y": "1"}, "units": {"z": "m"}}, "units names 'z'"),
        (
            {"outputs": {"y": "v"}, "states": {"v": "-v"}, "initial_v": [1.0, 2.0], "units": {"v": "Velocity"}},
            "units.v says a vector of 3, and initial_v is a vector of 2",
        ),
        ({"outputs": {"y": "x"}, "states": {"x": "-x"}, "inital_x": 1.0}, "did you mean 'initial_x'"),
        ({"outputs": {"y": "x"}, "states": {"x": "-x"}, "parameters": {"initial_y": 1.0}}, "no state 'y'"),
        (
            {"outputs": {"y": "k*u"}, "inputs": {"u": "m"}, "parameters": {"k": [[1.0], [1.0, 2.0]]}},
            "rows of different",
        ),
    ],
)
def test_what_is_wrong_is_told(given: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message.replace("(", r"\(").replace("*", r"\*")):
        Formula(**given)  # type: ignore[arg-type]


def test_a_default_is_read_as_every_value_is() -> None:
    for unit, given, default in (("m/s", "36 km/h", 10.0), ("m/s [2]", "36 km/h", 10.0), ("rad", 1, 1.0)):
        block = Formula({"y": "u"}, inputs={"u": {"unit": unit, "default": given}})
        assert block.declared_inputs["u"].default == default


def test_an_output_that_is_no_wrench_says_how_it_becomes_one() -> None:
    diagram = Diagram()
    diagram.add("push", Formula({"tau": "[F, 0, 0, 0, 0, 0]"}, parameters={"F": "3 N"}))
    diagram.add("hull", ComplexVessel6DOF(**ComplexVessel6DOF.examples[0]))
    with pytest.raises(WiringError, match=r"if push.tau is a Wrench, push says so: units: \{tau: Wrench\}"):
        diagram.connect("push.tau", "hull.force")


FILE = """\
keelblocks: 1
name: hull
diagram:
  blocks:
    thrust: {type: basic.Constant, parameters: {value: [40 N]}}
    hull:
      type: basic.Formula
      inputs: {X: N}
      parameters: {m: 20 kg, k: 3 N*s^2/m^2, d: 10 N*s/m, initial_u: 0 m/s}
      let: {drag: k*u*abs(u) + d*u}
      states: {u: (X - drag)/m}
      outputs: {u: u, drag: drag}
  connections: {thrust.y: hull.X}
run: {end: 30 s, step: 0.1 s}
"""


def test_a_file_runs_and_comes_back_as_it_was() -> None:
    """At rest the drag is the thrust: 3 u² + 10 u = 40."""
    scenario = Scenario.from_text(FILE)
    speed = scenario.run()["hull.u"][-1]
    assert speed == pytest.approx((-10.0 + math.sqrt(580.0)) / 6.0, abs=1e-12)
    again = Scenario(scenario.diagram, "hull")
    text = Scenario.from_text(again.to_yaml()).diagram.blocks()["hull"]
    assert text.declaration == scenario.diagram.blocks()["hull"].declaration
    assert text.values == scenario.diagram.blocks()["hull"].values


def test_a_parameter_that_an_edit_sets_keeps_its_unit() -> None:
    scenario = Scenario.from_text(FILE)
    scenario.edit.set("hull.k", 4.0)
    scenario.set("hull.d", 5.0)
    assert "k: 4.0 N*s^2/m^2, d: 5.0 N*s/m" in scenario.to_yaml()
    hull = Scenario.from_text(scenario.to_yaml()).diagram.blocks()["hull"]
    assert (hull.values["k"], hull.values["d"]) == (4.0, 5.0)


def test_sections_belong_to_formulas_only() -> None:
    with pytest.raises(KeelblocksError, match=r"'outputs' is of use with basic\.Formula"):
        Scenario.from_text(FILE.replace("basic.Constant, ", "basic.Constant, outputs: {y: 2}, "))


def test_edits_change_equations_and_refuse_wrong_ones() -> None:
    scenario = Scenario.from_text(FILE)
    edit, place = scenario.edit, ("diagram", "blocks", "hull", "outputs", "drag")
    edit.put(place, "2*drag")
    assert scenario.run()["hull.drag"][-1] == pytest.approx(80.0)
    with pytest.raises(KeelblocksError, match=r"scenario:12: hull: outputs.drag: .*did you mean 'drag'"):
        edit.put(place, "2*drg")
    edit.add("wake", "basic.Formula", {"w": 0.25}, inputs={"u": "m/s"}, outputs={"y": "(1 - w)*u"})
    edit.connect("hull.u", "wake.u")
    edit.swap("wake", "basic.Gain", {"gain": 2.0})
    assert "outputs: {y" not in scenario.to_yaml()
    edit.swap("wake", "basic.Formula", inputs={"u": ""}, outputs={"y": "3*u"})
    edit.swap("hull", "basic.Formula", {"d": "0 N*s/m"}, states={"u": "(X - drag)/m/2"})
    result = scenario.run()
    assert result["wake.y"][-1] == pytest.approx(3.0 * math.sqrt(40.0 / 3.0), rel=1e-4)
    while edit.undo():
        pass
    assert scenario.to_yaml() == FILE


def test_studies_and_swarms_vary_parameters_of_a_formula() -> None:
    """At rest 3 u² + d u = 40. Processes get the blocks pickled."""
    diagram = Scenario.from_text(FILE).diagram
    drags = [0.0, 10.0]
    wanted = [(-d + math.sqrt(d * d + 480.0)) / 6.0 for d in drags]
    study = Study(diagram, factors={"hull.d": drags}, metrics={"u": "final(hull.u)"}, end=60.0, step=0.1)
    np.testing.assert_allclose(study.run().values("u"), wanted, rtol=1e-6)
    swarm = Swarm(diagram, 2, parameters={"hull.d": drags}).run(60.0, step=0.1, record="hull.u")
    np.testing.assert_array_equal(swarm.values("hull.u")[:, -1], study.run().values("u"))


def test_differences_of_equations_are_told_and_drawn() -> None:
    other = Scenario.from_text(FILE.replace("drag: drag}", "drag: 2*drag}").replace("k: 3 N", "k: 4 N"))
    found = scenario_difference(Scenario.from_text(FILE), other)
    assert [str(change) for change in found.changes] == [
        "~ formula hull.outputs.drag: drag → 2*drag",
        "~ parameter hull.k: 3 N*s^2/m^2 → 4 N*s^2/m^2",
    ]
    assert "drag → 2*drag" in draw_difference(Scenario.from_text(FILE), other)


def test_the_schema_knows_formulas() -> None:
    valid = jsonschema.Draft202012Validator(schema()).is_valid
    data = yaml.safe_load(FILE)
    assert valid(data)
    hull = data["diagram"]["blocks"]["hull"]
    for section, wrong in (("outputs", {"y": {"u": 1}}), ("inputs", {"u": 3}), ("output", {"y": "u"})):
        assert not valid({**data, "diagram": {"blocks": {"hull": hull | {section: wrong}}}}), section
