"""Scenarios: reading, building, running, changing, and writing what reads as the same."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from blocks import Block, Diagram
from blocks.basic import Constant, FirstOrderLag, Gain, Integrator, MatrixGain, Sum
from blocks.control import PID
from blocks.dynamics import Vessel6DOF
from blocks.errors import KeelblocksError, ParameterError, ScenarioError
from blocks.scenario import Scenario

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))

SMALL = """\
# a comment at the top
keelblocks: 1
name: small
title: A loop
diagram:
  blocks:
    plant:
      diagram:
        title: First order
        blocks:
          state: {type: basic.FirstOrderLag, parameters: {time_constant: 500 ms, initial_x: 1}}
        inputs: {u: state.u}
        outputs: {y: state.y}
  inputs: {u: plant.u}
  outputs: {y: plant.y}
run:
  step: 10 ms
  end: 1
  inputs: {u: 0}
"""


def rebuilt(scenario: Scenario) -> Scenario:
    return Scenario.from_text(scenario.to_yaml())


def test_runs_as_the_file_says() -> None:
    scenario = Scenario.from_text(SMALL)
    result = scenario.run()
    assert result.attributes["step"] == 0.01
    assert result.values("plant.state.y")[-1] == pytest.approx(np.exp(-2.0), rel=1e-7)
    assert scenario.diagram.title == "A loop"


def test_overrides_take_precedence() -> None:
    result = Scenario.from_text(SMALL).run(end="2 s", solver="heun", inputs={"u": 2.0})
    assert result.time[-1] == 2.0
    assert result.attributes["solver"] == "heun"
    assert result.values("plant.state.y")[-1] == pytest.approx(2.0 - np.exp(-4.0), rel=1e-5)


def test_inputs_over_time() -> None:
    text = SMALL.replace("{u: 0}", "{u: {times: [0, 1], values: [0, 1]}}").replace("initial_x: 1", "initial_x: 0")
    end = Scenario.from_text(text).run().values("plant.state.y")[-1]
    assert end == pytest.approx(0.5 + 0.5 * np.exp(-2.0), rel=1e-6)  # 0.5 x' = t - x


def test_elements_of_a_diagrams_input() -> None:
    text = SMALL.replace("inputs: {u: plant.u}\n", "inputs: {u: wide.u}\n  connections: {'u[1]': plant.u}\n").replace(
        "  blocks:\n    plant", "  blocks:\n    wide: {type: basic.Gain, parameters: {gain: [1, 1]}}\n    plant"
    )
    scenario = Scenario.from_text(text.replace("{u: 0}", "{u: [0, 1]}").replace("initial_x: 1", "initial_x: 0"))
    assert scenario.run().values("plant.state.y")[-1] == pytest.approx(1.0 - np.exp(-2.0), rel=1e-7)
    assert "u[1]: plant.u" in Scenario(scenario.diagram).to_yaml()
    assert rebuilt(scenario) == scenario


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_survive_a_round_trip(path: Path) -> None:
    scenario = Scenario.load(path)
    again = rebuilt(scenario)
    assert again == scenario
    assert again.to_yaml() == scenario.to_yaml()
    assert again.plan().stored == scenario.plan().stored


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_diagrams_survive_a_round_trip(path: Path) -> None:
    diagram = Scenario.load(path).diagram.copy()
    assert rebuilt(Scenario(diagram)).plan().stored == diagram.plan().stored


def test_every_block_survives_a_round_trip(sample: Callable[[], Block]) -> None:
    block = sample()
    diagram = Diagram("around")
    diagram.add("it", block)
    again = rebuilt(Scenario(diagram)).diagram["it"]
    assert isinstance(again, type(block))
    for name, value in block.values.items():
        assert np.shape(again.values[name]) == np.shape(value)
        if isinstance(value, str):
            assert again.values[name] == value
        else:
            assert np.asarray(again.values[name], dtype=float).tobytes() == np.asarray(value, dtype=float).tobytes()


def test_wires_of_every_kind_survive() -> None:
    inner = Diagram("inner")
    gain = inner.add("gain", Gain(2.0))
    other = inner.add("other", Gain([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
    part = inner.add("part", Gain([1.0, 1.0]))
    inner.inputs(vector=[other.u], again=gain.u)
    inner.connect("vector[1:3]", part.u)
    inner.outputs(y=gain.y, two=part.y, last=other.y[5])
    outer = Diagram("outer")
    outer.add("inner", inner)
    vessel = outer.add("vessel", Vessel6DOF.from_vehicle("minerva"))
    outer.connect(vessel.eta, inner.input_port("vector"))
    outer.connect(vessel.nu["r"], inner.input_port("again"))
    total = outer.add("total", Sum("++"))
    outer.connect(inner.y, total.in1, total.in2)
    constant = outer.add("force", Constant(np.zeros(6)))
    outer.connect(constant.y, vessel.force)
    outer.outputs(total=total.y, position=vessel.eta[0:3])
    scenario = Scenario(outer)
    again = rebuilt(scenario)
    assert again.plan().stored == scenario.plan().stored
    assert again == scenario
    text = scenario.to_yaml()
    for line in ("vector[1:3]: part.u", "vessel.nu[r]: inner.again", "inner.y: [total.in1, total.in2]",
                 "position: vessel.eta[0:3]", "last: other.y[5]"):  # fmt: skip
        assert line in text


def test_numbers_are_exact() -> None:
    diagram = Diagram("numbers")
    matrix = np.array([[0.1, -0.0], [1.0 / 3.0, 5e-324]])
    diagram.add("full", MatrixGain(matrix))
    diagram.add("diagonal", MatrixGain(np.diag([np.pi, np.e])))
    diagram.add("signed", MatrixGain(np.array([[1.0, -0.0], [0.0, 1.0]])))
    text = Scenario(diagram).to_yaml()
    again = Scenario.from_text(text).diagram
    for name in diagram.components:
        before, after = diagram[name], again[name]
        assert isinstance(before, Block)
        assert isinstance(after, Block)
        assert after.values["matrix"].tobytes() == before.values["matrix"].tobytes()  # type: ignore[union-attr]
    assert "{diag: [3.141592653589793, 2.718281828459045]}" in text
    assert text.count("diag: ") == 1  # -0.0 is no zero of a diagonal matrix


def test_notation_is_kept_until_a_value_changes() -> None:
    scenario = Scenario.from_text(SMALL)
    assert "time_constant: 500 ms" in scenario.to_yaml()
    state = scenario.diagram["plant.state"]
    assert isinstance(state, FirstOrderLag)
    state.set(time_constant=2.0)
    assert "time_constant: 2.0" in scenario.to_yaml()
    scenario.set("plant.state.time_constant", "0.1 min")
    assert "time_constant: 0.1 min" in scenario.to_yaml()
    assert state.time_constant == 6.0


def test_what_is_default_is_left_out() -> None:
    diagram = Diagram("d")
    diagram.add("pid", PID(3.0, filter_coefficient=100.0))
    text = Scenario(diagram).to_yaml()
    assert "kp: 3.0" in text
    assert "filter_coefficient" not in text


def test_vehicles_are_written_by_name_with_what_differs() -> None:
    diagram = Diagram("d")
    diagram.add("vessel", Vessel6DOF.from_vehicle("minerva", weight=4920.0))
    diagram.add("heading", PID.from_vehicle("minerva", section="heading"))
    data = Scenario(diagram).to_data()["diagram"]["blocks"]
    assert data["vessel"] == {
        "type": "dynamics.Vessel6DOF", "vehicle": "minerva", "parameters": {"weight": 4920.0},
    }  # fmt: skip
    assert data["heading"] == {"type": "control.PID", "vehicle": "minerva", "section": "heading"}


def test_vehicle_files_of_ones_own_are_seen_from_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "boats").mkdir()
    (tmp_path / "boats" / "tug.yaml").write_text(
        "title: Tug\nreferences: {me: measured}\nsections:\n  speed:\n    type: control.PID\n"
        "    parameters:\n      kp: {value: 7.0, source: me}\n",
        encoding="utf-8",
    )
    text = "keelblocks: 1\nname: tug\ndiagram:\n  blocks:\n    pid: {type: control.PID, vehicle: boats/tug.yaml}\n"
    (tmp_path / "tug.yaml").write_text(text, encoding="utf-8")
    scenario = Scenario.load(tmp_path / "tug.yaml")
    assert scenario.diagram["pid"].values["kp"] == 7.0  # type: ignore[attr-defined]
    moved = scenario.save(tmp_path / "elsewhere" / "tug.yaml")
    assert "vehicle: ../boats/tug.yaml" in moved.read_text(encoding="utf-8")
    assert Scenario.load(moved).diagram["pid"].values["kp"] == 7.0  # type: ignore[attr-defined]


def test_the_comment_at_the_top_is_kept_with_the_way_to_the_schema(tmp_path: Path) -> None:
    file = tmp_path / "a" / "small.yaml"
    file.parent.mkdir()
    file.write_text(f"# yaml-language-server: $schema=../docs/schema.json\n{SMALL}", encoding="utf-8")
    saved = Scenario.load(file).save(tmp_path / "a" / "b" / "small.yaml").read_text(encoding="utf-8")
    assert saved.startswith(
        "# yaml-language-server: $schema=../../docs/schema.json\n# a comment at the top\nkeelblocks: 1\n"
    )


def test_set_names_the_nearest_parameter() -> None:
    scenario = Scenario.from_text(SMALL)
    with pytest.raises(KeelblocksError, match=r"no parameter 'inital_x' on plant\.state; did you mean 'initial_x'"):
        scenario.set("plant.state.inital_x", 1.0)
    with pytest.raises(ScenarioError, match=r"no parameter 'plnt\.state\.initial_x'; did you mean"):
        scenario.set("plnt.state.initial_x", 1.0)
    with pytest.raises(KeelblocksError, match=r"plant\.state\.initial_x"):
        scenario.set("plant.state.initial_x", "fast")


def test_equality_is_by_content() -> None:
    assert Scenario.from_text(SMALL) == Scenario.from_text(SMALL.replace("# a comment at the top\n", ""))
    assert Scenario.from_text(SMALL) != Scenario.from_text(SMALL.replace("500 ms", "501 ms"))
    assert Scenario.from_text(SMALL) != "small"


def test_swapping_a_block_is_written() -> None:
    scenario = Scenario.from_text(SMALL)
    scenario.diagram.replace("plant.state", Integrator(initial_x=2.0))
    assert "type: basic.Integrator" in scenario.to_yaml()
    assert rebuilt(scenario).plan().stored == scenario.plan().stored


def test_unwritable_files(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ScenarioError, match=r"cannot write .*small\.yaml"):
        Scenario.from_text(SMALL).save(tmp_path / "file" / "small.yaml")


def test_import_stays_light() -> None:
    """The package itself does not need what scenarios and reports need."""
    import subprocess

    heavy = ("pydantic", "yaml", "matplotlib", "pint", "xarray", "scipy", "rich", "click")
    code = f"import sys, blocks; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_element_of_a_parameter_is_set_and_written() -> None:
    scenario = Scenario.load(ROOT / "examples" / "tanker_turns.yaml")
    scenario.set("vessel.sway_derivatives[Y_v]", -0.3)
    scenario.set("vessel.initial_nu[u]", "10 kn")
    again = Scenario.from_text(scenario.to_yaml())
    hull = again.diagram["vessel"]
    np.testing.assert_array_equal(hull.sway_derivatives, [-0.3, 0.083, -1.607, 0.379, -0.391, 0.008])  # type: ignore[attr-defined]
    assert hull.initial_nu[0] == pytest.approx(10 * 1852 / 3600, rel=1e-15)  # type: ignore[attr-defined]
    with pytest.raises(ParameterError, match=r"vessel\.sway_derivatives has no element 'Y_w'; did you mean 'Y_v'"):
        scenario.set("vessel.sway_derivatives[Y_w]", -0.3)
    with pytest.raises(ParameterError, match=r"vessel\.derivatives_of has no elements"):
        scenario.set("vessel.derivatives_of[0]", -0.3)
