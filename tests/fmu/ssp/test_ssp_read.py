"""SSP files as diagrams: what was exported comes back, and hand-written files mean what the standard says."""

from __future__ import annotations

import zipfile

import numpy as np
import pytest
from handwritten_ssp import U, Y, component, connect, inline, number, parts, real, system, values, write_ssp
from systems import COMMUNICATION_STEP, STEP, SystemJob, nested, oscillator, repacked, run_system, unpacked

import fmu
from blocks import Diagram, simulate
from blocks.errors import FmuError
from fmu.compare import run_in_process

STEPS = 64
END = STEPS * COMMUNICATION_STEP


def export(component, path, **settings):
    return fmu.export_ssp(component, path, step=STEP, communication_step=COMMUNICATION_STEP, **settings)


@pytest.fixture
def write(tmp_path):
    """Writes an SSP from the text of its system."""
    return lambda text, files=None: write_ssp(tmp_path / "hand.ssp", text, files)


# --- what was exported ------------------------------------------------------------------------------------------------


def test_an_exported_diagram_comes_back(models, tmp_path):
    diagram = fmu.read_ssp(export(models.guided_vessel(), tmp_path))
    assert diagram.own_name == "guided_vessel"
    assert diagram.title == "A vessel that follows a course line"
    assert list(diagram.components) == ["plant", "autopilot"]
    assert list(diagram.output_ports) == ["eta", "nu", "force", "error"]
    assert sorted(f"{source} -> {', '.join(map(str, sinks))}" for source, sinks in diagram.connections()) == [
        "autopilot.force -> plant.force", "plant.eta -> autopilot.eta", "plant.nu -> autopilot.nu",
    ]  # fmt: skip
    assert diagram["plant"].communication_step == COMMUNICATION_STEP
    assert diagram["plant"].output_ports["eta"].signal.unit == ("m", "m", "m", "rad", "rad", "rad")


def test_it_runs_as_the_tools_run_it(tmp_path):
    """Outputs that follow inputs at once included, when they are read at the end of a step as the tools do."""
    path = export(oscillator(), tmp_path)
    diagram = fmu.read_ssp(path, feedthrough=False)
    found = simulate(diagram, END, step=COMMUNICATION_STEP)
    names = ["position.y", "speed.y", "spring.y"]
    expected = run_system("libcosim", SystemJob(unpacked(path, tmp_path / "x"), STEPS, names), tmp_path)
    for column, name in enumerate(names):
        np.testing.assert_allclose(found.values(name)[1:], expected[:, column], rtol=1e-9, atol=1e-12)


def test_it_comes_near_the_run_in_this_process(models, tmp_path):
    reference = run_in_process(models.guided_vessel(), END, COMMUNICATION_STEP)
    diagram = fmu.read_ssp(export(models.guided_vessel(), tmp_path))
    found = simulate(diagram, END, step=COMMUNICATION_STEP, record=["eta"])
    off = np.abs(found.values("eta") - reference.values("eta")).max()
    assert 1e-6 < off < 0.05  # a coupling error, which there is, and which is small


def test_vectors_are_put_together_from_their_elements(tmp_path):
    path = export(nested(), tmp_path, subsystems=["inner.lag"])
    diagram = fmu.read_ssp(path, feedthrough=False)
    assert list(diagram.input_ports) == ["command"]
    assert list(diagram.output_ports) == ["y", "last", "pair", "doubled"]
    assert {n: o.signal.shape for n, o in diagram.output_ports.items()}["y"] == (3,)
    names = ["y", "last", "pair", "doubled"]
    how = {"step": COMMUNICATION_STEP, "inputs": {"command": [0.25, 0.5, -2.0]}, "record": names}
    run, here = simulate(diagram, 4.0, **how), simulate(nested(), 4.0, **how)
    for name in names:
        assert np.abs(run.values(name)[-1] - here.values(name)[-1]).max() < 0.2
    np.testing.assert_array_equal(run.values("last"), run.values("y")[:, 2])


def test_arrays_of_version_2_are_ports_too(tmp_path):
    runs = []
    for attempt, how in enumerate(({"version": "2.0", "fmi": "3.0"}, {})):
        path = export(nested(), tmp_path / f"{attempt}.ssp", subsystems=["inner.lag"], **how)
        diagram = fmu.read_ssp(path, feedthrough=False)
        inputs = {"command": [0.25, 0.5, -2.0]}
        runs.append(simulate(diagram, 4.0, step=COMMUNICATION_STEP, inputs=inputs, record=["y", "last", "pair"]))
    for name in ("y", "last", "pair"):
        np.testing.assert_allclose(runs[0].values(name), runs[1].values(name), rtol=1e-12, atol=1e-15)


def test_a_folder_is_read_too(tmp_path):
    folder = unpacked(export(oscillator(), tmp_path), tmp_path / "folder")
    assert list(fmu.read_ssp(folder, folder=tmp_path / "fmus").components) == [
        "force", "speed", "position", "spring", "push",
    ]  # fmt: skip
    assert len(list((tmp_path / "fmus").glob("resources/*.fmu"))) == 5


# --- what the standard says -------------------------------------------------------------------------------------------


def test_nested_systems_are_nested_diagrams(write):
    inner = system(
        component("g", "gain", U, Y), connect("in", "g.u") + connect("g.y", "out"),
        [real("in", "input"), real("out", "output")], name="inner",
    )  # fmt: skip
    path = write(
        system(
            inner + component("i", "integral", U, Y),
            connect("push", "inner.in") + connect("inner.out", "i.u") + connect("x", "i.y"),
            [real("push", "input"), real("x", "output")],
        )
    )  # fmt: skip
    diagram = fmu.read_ssp(path, communication_step=0.5)
    assert isinstance(diagram["inner"], Diagram)
    assert (list(diagram["inner"].input_ports), list(diagram["inner"].output_ports)) == (["in"], ["out"])
    run = simulate(diagram, 2.0, step=0.5, inputs={"push": 3.0}, record=["x"])
    assert run.values("x")[-1] == pytest.approx(12.0)


def test_an_input_that_is_an_output_and_parts_of_vectors(write):
    names = [f"v[{i}]" for i in (1, 2, 3)]
    path = write(
        system(
            component(
                "t", "triple", *[real(f"{p}[{i}]", k) for p, k in (("u", "input"), ("y", "output")) for i in (1, 2, 3)]
            ),
            connect("v[3]", "t.u[1]") + connect("v[1]", "t.u[3]") + connect("v[2]", "same") + connect("t.y[3]", "w"),
            [*[real(n, "input") for n in names], real("same", "output"), real("w", "output")],
        )
    )
    diagram = fmu.read_ssp(path, communication_step=0.5)
    run = simulate(diagram, 0.5, step=0.5, inputs={"v": [5.0, 7.0, 9.0]}, record=["same", "w", "t.y"])
    assert run.values("same")[-1] == 7.0
    assert run.values("w")[-1] == 15.0  # 3 v[1]
    assert run.values("t.y")[-1].tolist() == [9.0, 0.0, 15.0]  # nothing feeds the second


def test_connections_convert_units_and_transform(write):
    connectors = [
        real("distance", "input", "km"),
        real("near", "output", "m"),
        real("raw", "output", "m"),
        real("twice", "output", "m"),
    ]
    linear = '<ssc:LinearTransformation factor="2" offset="1"/>'
    raw = ' suppressUnitConversion="true"'
    path = write(
        system(
            component("g", "gain", U, Y),
            connect("distance", "near") + connect("distance", "raw", extra=raw) + connect("distance", "twice", linear)
            + connect("distance", "g.u", linear),
            connectors,
        )
    )  # fmt: skip
    names = ["near", "raw", "twice", "g.y"]
    diagram = fmu.read_ssp(path, communication_step=0.5)
    run = simulate(diagram, 0.5, step=0.5, inputs={"distance": 3000.0}, record=names)
    assert run.values("near")[-1] == 3000.0  # all is in SI here: 3 km are 3000 m
    assert run.values("raw")[-1] == pytest.approx(3.0)  # the number, as it is in km
    assert run.values("twice")[-1] == pytest.approx(2 * 3000.0 + 1.0)  # after the conversion
    assert run.values("g.y")[-1] == pytest.approx(2 * (2 * 3000.0 + 1.0))


def test_units_that_measure_different_things_are_refused(write):
    connectors = [real("angle", "input", "deg"), real("length", "output", "m")]
    path = write(system(component("g", "gain", U, Y), connect("angle", "length"), connectors))
    with pytest.raises(FmuError, match=r"hand.ssp.*connection from angle to length: units rad and m differ"):
        fmu.read_ssp(path, communication_step=0.5)


def test_bindings_convert_units_and_the_outer_and_later_ones_win(write):
    vessel = component(
        "v", "vessel", real("eta[6]", "output"),
        bindings='<ssd:ParameterBinding source="resources/v.ssv"/>' + inline(("initial_eta[2]", number(0.5, "km"))),
    )  # fmt: skip
    outer = inline(("v.initial_eta[6]", number(90, "deg")), ("w.initial_eta[6]", number(1)), ("nobody", number(1)))
    given = values(("initial_eta[1]", number(7)), ("initial_eta[2]", number(9)), ("initial_eta[6]", number(-1.0)))
    path = write(system(vessel, bindings=outer), {"resources/v.ssv": given})
    vessel = fmu.read_ssp(path)["v"]
    assert vessel.initial_eta.tolist() == pytest.approx([7.0, 500.0, 0.0, 0.0, 0.0, np.pi / 2])


def test_prefixes_mappings_and_transformations_of_parameters(write):
    mapping = (
        "<ssd:ParameterMapping><ssm:ParameterMapping version='1.0'>"
        "<ssm:MappingEntry source='g.stiffness' target='g.gain[1]'><ssc:LinearTransformation factor='2' offset='1'/>"
        "</ssm:MappingEntry></ssm:ParameterMapping></ssd:ParameterMapping>"
    )
    bindings = inline(("stiffness", number(5.0)), ("gain[1]", number(100.0)), prefix="g.", mapping=mapping)
    path = write(system(component("g", "gain", U, Y), bindings=bindings))
    assert fmu.read_ssp(path, communication_step=1.0)["g"].gain == 11.0  # what is not mapped is not applied


def test_values_of_inputs_hold_where_nothing_feeds_them(write):
    bound = inline(("u[1]", number(1.5)), ("u[3]", number(-2.0)))
    triple = component("t", "triple", real("u[2]", "input"), real("y[3]", "output"), bindings=bound)
    path = write(system(triple, connect("a", "t.u[2]"), [real("a", "input")]))
    run = simulate(fmu.read_ssp(path, communication_step=0.5), 0.5, step=0.5, inputs={"a": 10.0})
    assert run.values("t.y")[-1].tolist() == [1.5, 20.0, -6.0]


def test_the_step_is_that_of_the_annotations_or_of_the_fmus(write, tmp_path):
    assert fmu.read_ssp(export(oscillator(), tmp_path))["speed"].communication_step == COMMUNICATION_STEP
    assert fmu.read_ssp(write(system(component("i", "integral", U, Y))))["i"].communication_step == STEP


def test_another_variant_of_the_structure(tmp_path):
    path = export(oscillator(), tmp_path)
    with zipfile.ZipFile(path) as archive:
        text = archive.read("SystemStructure.ssd").decode()
    other = text.replace('name="oscillator"', 'name="another"')
    path = repacked(path, tmp_path / "two.ssp", {"Another.ssd": other.encode()})
    assert fmu.read_ssp(path, variant="Another").own_name == "another"
    with pytest.raises(FmuError, match=r"there is no Anoter.ssd in it; did you mean 'Another.ssd'"):
        fmu.read_ssp(path, variant="Anoter")


# --- where the FMUs are put -------------------------------------------------------------------------------------------


def test_fmus_whose_places_look_alike_are_not_mixed_up(write, tmp_path):
    gain = write(system(component("g", "gain", U, Y)))
    with zipfile.ZipFile(gain) as archive:
        two, three = archive.read("resources/gain.fmu"), archive.read("resources/triple.fmu")
    text = system(component("a", "a_b", U, Y) + component("b", "a/b", real("u[1]", "input"), real("y[1]", "output")))
    diagram = fmu.read_ssp(
        write(text, {"resources/a_b.fmu": two, "resources/a/b.fmu": three}), communication_step=COMMUNICATION_STEP
    )
    assert [component.input_ports["u"].signal.shape for component in diagram.components.values()] == [(), (3,)]


def test_a_folder_may_be_used_again(write, tmp_path):
    """By the same package, which an earlier diagram may still be using, and by another one."""
    folder = tmp_path / "fmus"

    def opened(source, connectors):
        path = write(system(component("g", source, *connectors)).replace(f"{source}.fmu", "part.fmu"),
                     {"resources/part.fmu": parts()[f"resources/{source}.fmu"]})  # fmt: skip
        return fmu.read_ssp(path, communication_step=COMMUNICATION_STEP, folder=folder)

    first, again = (opened("gain", (U, Y)) for _ in range(2))
    for diagram in (first, again):
        assert simulate(diagram, 0.5, step=COMMUNICATION_STEP).values("g.y")[-1] == 0.0
    other = opened("triple", (real("u[1]", "input"), real("y[1]", "output")))
    assert other["g"].input_ports["u"].signal.shape == (3,)
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    with pytest.raises(FmuError, match="cannot put FMUs into"):
        fmu.read_ssp(write(system(component("g", "gain", U, Y))), communication_step=1.0, folder=tmp_path / "file")
