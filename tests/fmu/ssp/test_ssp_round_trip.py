"""A package that is read, changed and written again is the same system."""

from __future__ import annotations

import zipfile
from importlib.resources import files as packaged
from pathlib import Path

import numpy as np
import pytest
from foreign_fmus import build
from handwritten_ssp import U, Y, component, connect, inline, number, real, system, write_ssp
from lxml import etree
from systems import NS, oscillator, structure

import fmu
from blocks import simulate
from blocks.basic import Gain
from blocks.errors import ExportError
from fmu import FmuBlock

pytestmark = pytest.mark.filterwarnings("ignore::fmu.ExportWarning")  # of what other tools do with such systems

STEP = 0.1
SSP2 = Path(str(packaged("pyssp_standard"))) / "resources" / "ssp2"
FOREIGN = ("carrier", "mixer", "tank")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("foreign")
    return {f"resources/{name}.fmu": build(name, folder).read_bytes() for name in FOREIGN}


@pytest.fixture
def read(tmp_path, files):
    return lambda text: fmu.read_ssp(write_ssp(tmp_path / "hand.ssp", text, files), communication_step=STEP)


def ends(path):
    """Components, and connections from and to."""
    root = structure(path)
    wires = {
        tuple(f"{c.get(f'{side}Element')}.{c.get(f'{side}Connector')}[{c.get(f'{side}Indices', '')}]"
              for side in ("start", "end"))
        for c in root.iter(f"{{{NS['ssd']}}}Connection")
    }  # fmt: skip
    return [c.get("name") for c in root.iter(f"{{{NS['ssd']}}}Component")], wires


def same(diagram, path, *names, inputs=None, end=1.0):
    """The diagrams that are read from an export of it: one and, from that, another one; both with the same numbers."""
    expected = simulate(diagram, end, step=STEP, inputs=inputs, record=names)
    found = diagram
    for turn in ("once", "twice"):
        file = fmu.export_ssp(found, path / f"{turn}.ssp", communication_step=STEP)
        found = fmu.read_ssp(file)
        run = simulate(
            found, end, step=STEP, inputs=inputs, record=[name.replace("inner.", "inner_") for name in names]
        )
        for name in names:
            np.testing.assert_allclose(
                run.values(name.replace("inner.", "inner_")), expected.values(name), rtol=1e-12, atol=1e-12
            )
    return file, found


LINEAR = '<ssc:LinearTransformation factor="2" offset="-1"/>'
TABLE = '<ssc:IntegerMappingTransformation><ssc:MapEntry source="1" target="4"/></ssc:IntegerMappingTransformation>'
RATIO, LEVEL = ("ratio", "output", "<ssc:Int32/>"), ("level", "input", '<ssc:Enumeration name="Level"/>')


def test_units_transformations_and_tables(read, tmp_path):
    inner = system(
        component("t", "tank", real("inflow", "input"), real("volume", "output")), connect("in", "t.inflow", LINEAR)
        + connect("t.volume", "out"), [real("in", "input"), real("out", "output")], name="inner",
    )  # fmt: skip
    text = system(
        inner + component("c", "carrier", U, Y, RATIO) + component("m", "mixer", LEVEL),
        connect("x", "c.u", LINEAR) + connect("c.y", "inner.in") + connect("c.ratio", "m.level", TABLE)
        + connect("inner.out", "seen"),
        [real("x", "input"), real("seen", "output")],
    )  # fmt: skip
    diagram = read(text)
    diagram["c"].set(mass=1e-4)
    file, again = same(diagram, tmp_path, "seen", "inner.t.volume", inputs={"x": 3.0})
    assert ends(file)[0] == ["inner_t", "c", "m"]
    assert ends(file)[1] == {
        ("None.x[]", "c.u[]"), ("c.y[]", "inner_t.inflow[]"), ("c.ratio[]", "m.level[]"),
        ("inner_t.volume[]", "None.seen[]"),
    }  # fmt: skip
    assert again["c"].mass == 1e-4


def test_arrays_of_several_sources_and_inputs_with_start_values(read, tmp_path):
    triple = [real(f"{p}[{i}]", k) for p, k in (("u", "input"), ("y", "output")) for i in (1, 2, 3)]
    text = system(
        component("a", "triple", *triple) + component("b", "triple", *triple, bindings=inline(("u[2]", number(7.0))))
        + component("c", "carrier", U, Y),
        connect("c.y", "b.u[1]", LINEAR) + connect("a.y[1]", "b.u[3]") + connect("v[2]", "a.u[1]")
        + connect("v[1]", "c.u"), [real("v[1]", "input"), real("v[2]", "input")],
    )  # fmt: skip
    file, again = same(read(text), tmp_path, "b.y", inputs={"v": [2.0, 5.0]})
    assert ends(file)[0] == ["a", "b", "c"]
    assert ends(file)[1] == {
        ("c.y[]", "b.u[1][]"), ("a.y[1][]", "b.u[3][]"), ("None.v[2][]", "a.u[1][]"), ("None.v[1][]", "c.u[]")
    }  # fmt: skip
    assert again["b"].input_ports["u"].default == [0.0, 7.0, 0.0]


def test_what_is_calculated_and_parameters(read, tmp_path):
    mass, ballast = real("mass", "parameter"), real("ballast", "calculatedParameter", "t")
    gear = inline(("gear", '<ssv:Enumeration value="high"/>'))
    text = system(
        component("a", "carrier", ballast, real("own", "local"), bindings=gear) + component("b", "carrier", mass, U, Y),
        connect("a.ballast", "b.mass", LINEAR) + connect("a.own", "b.u"),
    )
    file, again = same(read(text), tmp_path, "b.y")
    assert ends(file)[1] == {("a.ballast[]", "b.mass[]"), ("a.own[]", "b.u[]")}
    assert again["a"].gear == "high"


def test_a_changed_parameter_and_another_fmu(read, tmp_path):
    text = system(
        component("c", "carrier", U, Y, bindings=inline(("u", number(3.0))))
        + component("g", "gain", U, Y), connect("c.y", "g.u", LINEAR) + connect("g.y", "out"),
        [real("out", "output")],
    )  # fmt: skip
    diagram = read(text)
    diagram.replace(
        "g", FmuBlock(fmu.export(Gain(1.0), tmp_path / "new.fmu", step=STEP), STEP, parameters={"gain": 5.0})
    )
    diagram["c"].set(mass=4.0)
    file, again = same(diagram, tmp_path, "out")
    assert ends(file)[0] == ["c", "g"]
    assert simulate(again, STEP, step=STEP, record=["out"]).values("out")[-1] == 5.0 * (2 * 12.0 - 1.0)


def test_what_no_connection_can_do_is_said(read, tmp_path):
    triple = [real(f"u[{i}]", "input") for i in (1, 2, 3)]
    diagram = read(system(component("a", "triple", *triple), connect("v", "a.u[2]", LINEAR), [real("v", "input")]))
    for name, block in diagram.blocks().items():
        if name.endswith("_start"):
            block.set(value=3.0)
    with pytest.raises(
        ExportError, match=r"of a.u are held at \[3.0\], and are \[0.0\] by themselves: .*\(initial_u\)"
    ):
        fmu.export_ssp(diagram, tmp_path, communication_step=STEP)


def test_a_package_of_pyssp_standard_comes_back_as_it_reads_it(tmp_path, files):
    """Written by that library, read and written here, and read and checked by it again; its schemas accept what is
    written."""
    from pyssp_standard.ssd import Component, Connection, Connector, ParameterBinding, System
    from pyssp_standard.ssp import SSP
    from pyssp_standard.ssv import SSV

    fmu_file, values = tmp_path / "carrier.fmu", tmp_path / "values.ssv"
    fmu_file.write_bytes(files["resources/carrier.fmu"])
    with SSV(values, mode="w") as ssv:
        ssv.name, ssv.version = "values", "1.0"
        ssv.add_unit("t", {"kg": 1, "factor": 1000})
        ssv.add_parameter("m", value=3.0, unit="t")
    given = [
        ("a", "ballast", "calculatedParameter"),
        ("a", "mass", "parameter"),
        ("b", "mass", "parameter"),
        ("b", "y", "output"),
        ("b", "u", "input"),
    ]
    with SSP(tmp_path / "theirs.ssp", mode="w") as ssp:
        ssp.add_resource(fmu_file)
        ssp.add_resource(values)
        with ssp.system_structure as ssd:
            ssd.name, ssd.version = "theirs", "1.0"
            ssd.system = System(None, "theirs")
            ssd.system.connectors.append(Connector(None, "m", "parameter"))
            ssd.system.parameter_bindings.append(ParameterBinding(source="resources/values.ssv"))
            for name in ("a", "b"):
                component = Component()
                component.name, component.source = name, "resources/carrier.fmu"
                component.component_type = "application/x-fmu-sharedlibrary"
                component.connectors = [Connector(None, port, kind) for owner, port, kind in given if owner == name]
                ssd.system.elements.append(component)
            ssd.add_connection(Connection(start_connector="m", end_element="a", end_connector="mass"))
            ssd.add_connection(
                Connection(start_element="a", start_connector="ballast", end_element="b", end_connector="mass")
            )
    diagram = fmu.read_ssp(tmp_path / "theirs.ssp", communication_step=STEP)
    assert diagram["a"].mass == 3000.0
    diagram["b"].set(initial_u=2.0)
    file, _ = same(diagram, tmp_path, "b.y")
    with SSP(file, mode="r") as ssp, ssp.system_structure as ssd:
        wires = [(c.start_element, c.start_connector, c.end_element, c.end_connector) for c in ssd.connections()]
        assert wires == [("a", "ballast", "b", "mass")]
        assert [component.name for component in ssd.system.elements] == ["a", "b"]
    schema = etree.XMLSchema(file=str(SSP2 / "SystemStructureDescription.xsd"))
    with zipfile.ZipFile(file) as archive:
        schema.assertValid(etree.fromstring(archive.read("SystemStructure.ssd")))


@pytest.mark.parametrize(("given", "written"), [({}, ("5.0", "2400.0")), ({"end": 7.0, "start": 6.0}, ("6.0", "7.0"))])
def test_the_default_experiment_survives_reading_and_writing(tmp_path, given, written):
    first = fmu.export_ssp(oscillator(), tmp_path / "a.ssp", start=5.0, end=2400.0)
    second = fmu.export_ssp(fmu.read_ssp(first).copy(), tmp_path / "b.ssp", **given)
    experiment = structure(second).find(f"{{{NS['ssd']}}}DefaultExperiment")
    assert (experiment.get("startTime"), experiment.get("stopTime")) == written


def test_the_interface_that_is_asked_for_is_used(tmp_path):
    """Before the one that the file asks for."""
    gain = fmu.export(Gain(2.0), tmp_path / "gain.fmu", interfaces=("cs", "me"), step=STEP)
    text = system(component("g", "gain", U, Y)).replace(
        "<ssd:Component ", '<ssd:Component implementation="CoSimulation" '
    )
    path = write_ssp(tmp_path / "both.ssp", text, {"resources/gain.fmu": gain.read_bytes()})
    assert fmu.read_ssp(path)["g"].used_interface == "cs"
    assert fmu.read_ssp(path, interface="me")["g"].used_interface == "me"
