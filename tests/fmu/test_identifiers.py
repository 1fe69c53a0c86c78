"""Names of FMUs that Modelica takes: which are changed, that they differ, and that old and new ones are read."""

from __future__ import annotations

import zipfile

import fmpy
import numpy as np
import pytest
from fmpy.validation import validate_fmu

import fmu
from blocks import Diagram, simulate
from blocks.basic import Compare, Gain, Integrator, Step
from blocks.control import PID
from blocks.environment import BretschneiderSea
from blocks.errors import FmuError, ParameterError
from fmu.compare import co_simulate
from fmu.identifiers import is_legal, legal_item, legal_items, legal_name, resolve, resolve_item


def renamed(path, target, **names):
    """An FMU as an earlier version wrote it: names in its description are others."""
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(target, "w") as old:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename == "modelDescription.xml":
                for new, name in names.items():
                    assert f'name="{new}"'.encode() in content
                    content = content.replace(f'name="{new}"'.encode(), f'name="{name}"'.encode())
            old.writestr(entry, content)
    return target


def rewritten(package, target, texts):
    """An SSP package with other texts in its description and its parameter sets."""
    with zipfile.ZipFile(package) as source, zipfile.ZipFile(target, "w") as changed:
        for entry in source.infolist():
            content = source.read(entry)
            for old, new in texts.items() if entry.filename.endswith((".ssv", ".ssd")) else ():
                content = content.replace(old.encode(), new.encode())
            changed.writestr(entry, content)
    return target


def variables_of(component, folder, **settings):
    path = fmu.export(component, folder / "m.fmu", **settings)
    assert validate_fmu(str(path)) == []
    return [v.name for v in fmpy.read_model_description(path).modelVariables]


@pytest.mark.parametrize(
    ("name", "legal"),
    [
        ("output", "output_"), ("time", "time_"), ("Real", "Real_"), ("size", "size_"), ("flowTime", "flowTime_"),
        ("plant.output", "plant.output"), ("output[1]", "output[1]"), ("der(x)", "der(x)"), ("outputs", "outputs"),
        ("sin", "sin"), ("max", "max"), ("λ", "_"), ("höhe.x", "h_he.x"),
    ],
)  # fmt: skip
def test_only_what_is_illegal_has_another_name(name, legal):
    assert legal_name(name) == legal
    assert is_legal(legal)
    assert legal_name(legal) == legal


@pytest.mark.parametrize(
    ("item", "legal"),
    [
        ("loop", "loop_"), ("initial", "initial_"), ("true", "true_"), ("time", "time_"), ("1st", "_1st"),
        ("equal-area", "equal_area"), (">=", "greater_equal"), ("!=", "not_equal"), ("a.b", "a_b"),
        ("size", "size"), ("hold", "hold"),
    ],
)  # fmt: skip
def test_only_illegal_items_have_another_name(item, legal):
    assert legal_item(item) == legal_item(legal) == legal


def test_items_differ():
    assert legal_items(("a-b", "a_b", "a b", "loop", "loop_")) == ("a_b_", "a_b", "a_b__", "loop__", "loop_")


def test_names_differ_after_the_replacement(tmp_path):
    """First what is legal, in the order of the list, then what is not."""
    diagram = Diagram("alike")
    inner = diagram.add("a", Diagram())
    inner.add("b", Gain([1.0, 2.0]))
    inner.inputs(u="b.u")
    inner.outputs(y="b.y")
    diagram.add("a_b", Gain([3.0, 4.0]))
    diagram.connect("a.y", "a_b.u")
    diagram.inputs(u="a.u")
    diagram.outputs(output="a_b.y", output_="a.y", fmi_input_u="a.y")
    names = variables_of(diagram, tmp_path, local_variables=True)
    assert {"u[1]", "fmi_input_u_[1]", "output[1]", "output_[1]", "a.b.gain[1]", "a_b.gain_[1]"} <= set(names)
    arrays = variables_of(diagram, tmp_path, local_variables=True, fmi="3.0")
    assert {"time", "u", "fmi_input_u_", "output__", "output_", "a.b.gain", "a_b.gain_"} <= set(arrays)
    for listed in (names, arrays):
        written = [name.translate(str.maketrans(dict.fromkeys(".[](), ", "_"))) for name in listed]
        assert len(set(written)) == len(written)


def test_a_state_and_its_derivative_are_called_alike(tmp_path):
    diagram = Diagram("states")
    diagram.add("total", Integrator())
    diagram.add("other", Integrator())
    diagram.inputs(u=["total.u", "other.u"])
    diagram.outputs(total_x="total.y", der_other_x_="other.y")
    names = variables_of(diagram, tmp_path)
    assert {"total.x_", "der(total.x_)", "other.x_", "der(other.x_)"} <= set(names)


def test_names_of_python_and_of_other_versions_are_found():
    assert resolve("output", ["output_", "u"]) == "output_"
    assert resolve("output_", ["output", "u"]) == "output"
    assert resolve("output", ["output", "output_"]) == "output"
    assert resolve("a_b.gain", ["a.b_gain", "a_b.gain_"]) == "a_b.gain_"
    assert resolve("eta", ["eta_1_", "eta_"]) == "eta_"
    assert resolve("y", ["y_", "u"]) is None  # nothing made a legal name give way: this is another FMU's own name
    assert resolve("gain_", ["gain"]) is None  # it never was another's name
    assert resolve_item("equal-area", ["equal_area"]) == resolve_item("equal_area", ["equal_area"]) == "equal_area"
    assert resolve_item(">=", ["greater", "greater_equal"]) == "greater_equal"
    assert resolve_item("loop_", ["hold", "loop"]) == "loop"
    assert resolve_item("loo", ["hold", "loop"]) is None


def test_a_block_of_an_fmu_reads_names_of_both_versions(tmp_path):
    new = fmu.export(Step(time=1.0), tmp_path / "step.fmu", step=0.1)
    old = renamed(new, tmp_path / "old.fmu", **{"time_": "time"})
    for path in (new, old):
        for name in ("time", "time_"):
            block = fmu.FmuBlock(path, parameters={name: 0.5})
            assert simulate(block, 1.0, step=0.1).values("step.y")[[4, 6]].tolist() == [0.0, 1.0]


def test_a_port_of_an_fmu_has_the_names_of_both_versions(tmp_path):
    new = fmu.export(PID(2.0), tmp_path / "pid.fmu", step=0.1)
    old = renamed(new, tmp_path / "old.fmu", **{"output_": "output"})
    for path in (new, old):
        block = fmu.FmuBlock(path)
        assert block.port("output").name == block.port("output_").name == "output"


def test_items_of_an_fmu_are_read_by_the_names_of_both_versions(tmp_path):
    new = fmu.export(Compare(">="), tmp_path / "compare.fmu", step=0.1)
    old = renamed(new, tmp_path / "old.fmu", less="&lt;", greater_equal="&gt;=")
    for path in (new, old):
        for item in ("<", "less"):
            block = fmu.FmuBlock(path, relation=item)
            assert simulate(block, 0.2, step=0.1, inputs={"u1": 1.0, "u2": 2.0}).values("compare.y")[-1] == 1.0
    with pytest.raises(ParameterError, match=r"must be one of 'less', .*, not 'larger'"):
        fmu.FmuBlock(new, relation="larger")


def test_a_parameter_set_may_have_the_names_of_both_versions(tmp_path):
    diagram = Diagram("system")
    diagram.add("step", Step(time=1.0))
    diagram.add("gain", Gain(2.0))
    diagram.connect("step.y", "gain.u")
    diagram.outputs(y="gain.y")
    package = fmu.export_ssp(diagram, tmp_path / "system.ssp", step=0.1)
    for name in ("time_", "time"):
        values = {'name="time_"': f'name="{name}"', 'value="1.0" unit="s"': 'value="0.5" unit="s"'}
        again = rewritten(package, tmp_path / f"{name}.ssp", values)
        run = simulate(fmu.read_ssp(again), 1.0, step=0.1)
        assert run.values("gain.y")[[4, 6]].tolist() == [0.0, 2.0], name


def test_parts_with_other_names_are_wired(tmp_path):
    diagram = Diagram("loop")
    diagram.add("pid", PID(2.0, ki=0.5))
    diagram.add("plant", Integrator())
    diagram.connect("pid.output", "plant.u")
    diagram.connect("plant.y", "pid.measurement")
    diagram.inputs(reference="pid.reference")
    diagram.outputs(y="plant.y", command="pid.output")
    package = fmu.export_ssp(diagram, tmp_path / "loop.ssp", step=0.01)
    given = {"reference": 1.0}
    expected = simulate(diagram, 1.0, step=0.01, inputs=given)
    for one in (package, rewritten(package, tmp_path / "old.ssp", {'"output_"': '"output"'})):
        run = simulate(fmu.read_ssp(one), 1.0, step=0.01, inputs=given)
        np.testing.assert_allclose(run.values("plant.y"), expected.values("plant.y"), atol=0.02)
    folder = fmu.export_osp(diagram, tmp_path / "osp", step=0.01)
    assert 'ref="output_"' in (folder / "pid_OspModelDescription.xml").read_text()
    parts = {name: folder / f"{name}.fmu" for name in ("pid", "plant")}
    assert co_simulate(diagram, parts, 0.1, 0.01)[1]["command"].shape == (11, 1)


def test_a_choice_that_no_version_has_is_refused(tmp_path):
    path = fmu.export(BretschneiderSea(significant_height=1.0, period=5.0), tmp_path / "sea.fmu", step=0.1)
    assert fmu.FmuBlock(path, bands="equal-step").bands == "equal_step"
    with pytest.raises((FmuError, ParameterError), match="equal_area"):
        fmu.FmuBlock(path, bands="equal")
