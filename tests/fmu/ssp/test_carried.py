"""FMUs from elsewhere as parts of an SSP or an OSP system: files, units, values, steps, types; tools that run them."""

from __future__ import annotations

import re
import warnings
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import fmpy
import foreign_fmus
import numpy as np
import pytest
from lxml import etree
from systems import COMMUNICATION_STEP, NS, STEP, SystemJob, refusal, run_system, structure, unpacked, wire

import fmu
from blocks import Diagram, simulate
from blocks.basic import Constant, FirstOrderLag, Gain, Integrator
from blocks.errors import ExportError, FmuError
from fmu import ExportWarning, FmuBlock

SCHEMA = Path(fmpy.__file__).parent / "ssp" / "schema" / "SystemStructureDescription.xsd"
OSP = "{http://opensimulationplatform.com/MSMI/OSPSystemStructure}"
K = 0.3
pytestmark = pytest.mark.filterwarnings("ignore:connections that change units:fmu.ExportWarning")


@pytest.fixture(scope="module")
def tank(tmp_path_factory):
    return foreign_fmus.build("tank", tmp_path_factory.mktemp("fmus"))


def plant(tank, **given):
    """Two tanks of one file in a row, the second one inside of a diagram; flows are in l/min in the FMU, m3/s here."""
    top = Diagram("plant", title="Tanks")
    top.add("supply", Constant(2e-4))
    top.add("first", FmuBlock(tank, COMMUNICATION_STEP, parameters={"outlet.k": K}, **given))
    inner = top.add("inner", Diagram("inner"))
    inner.add("valve", Gain(1e-4))
    inner.add("second", FmuBlock(tank, COMMUNICATION_STEP))
    wire(inner, ("valve.y", "second.inflow"))
    inner.inputs(level="valve.u")
    inner.outputs(volume="second.volume", level="second.level")
    wire(top, ("supply.y", "first.inflow"), ("first.volume", "inner.level"))
    top.outputs(first="first.volume", second="inner.volume", middle="inner.level[1]")
    return top


def test_the_package_holds_each_foreign_fmu_once_as_it_is(tank, tmp_path):
    with pytest.warns(ExportWarning, match=r"change units.*OMSimulator 2 pass over: supply\.y to first\.inflow, inner"):
        path = fmu.export_ssp(plant(tank), tmp_path)
    with zipfile.ZipFile(path) as archive:
        assert [name for name in archive.namelist() if "tank" in name] == ["resources/tank.fmu"]
        assert archive.read("resources/tank.fmu") == tank.read_bytes()
        assert "resources/inner_second.ssv" not in archive.namelist()  # nothing was set
        etree.XMLSchema(file=str(SCHEMA)).assertValid(etree.fromstring(archive.read("SystemStructure.ssd")))
        values = ET.fromstring(archive.read("resources/first.ssv"))
    assert [(p.get("name"), p[0].get("value")) for p in values.iter(f"{{{NS['ssv']}}}Parameter")] == [
        ("outlet.k", str(K))
    ]
    root = structure(path)
    components = {c.get("name"): c for c in root.iter(f"{{{NS['ssd']}}}Component")}
    assert list(components) == ["supply", "first", "inner_valve", "inner_second"]  # what holds an FMU is opened
    assert components["first"].get("source") == components["inner_second"].get("source") == "resources/tank.fmu"
    kinds = {c.get("name"): c[0].tag.partition("}")[2] for c in components["first"].iter(f"{{{NS['ssd']}}}Connector")}
    assert (kinds["inflow"], kinds["steps"], kinds["overflow"]) == ("Real", "Integer", "Boolean")
    change = [c for c in root.iter(f"{{{NS['ssd']}}}Connection") if c.get("suppressUnitConversion") == "true"]
    assert [c.get("endConnector") for c in change] == ["inflow", "inflow"]
    assert float(change[0][0].get("factor")) == pytest.approx(6e4, rel=1e-12)


def test_what_comes_back_is_the_same_system(tank, tmp_path):
    before = plant(tank)
    expected = simulate(before, 2.0, step=STEP, record=["first", "second", "middle"])
    after = fmu.read_ssp(fmu.export_ssp(before, tmp_path, step=STEP))
    again = fmu.read_ssp(fmu.export_ssp(after, tmp_path / "again.ssp", step=STEP))
    for system in (after, again):
        found = simulate(system, 2.0, step=COMMUNICATION_STEP, record=["first", "second", "middle"])
        assert float(system["first"].values["communication_step"]) == COMMUNICATION_STEP
        for name in ("first", "second", "middle"):
            # blocks that were one FMU's now exchange at communication points only, as the tanks always did
            np.testing.assert_allclose(found.values(name)[-1], expected.values(name)[-1], rtol=1e-4)
        assert found.values("first")[-1] == pytest.approx(expected.values("first")[-1], rel=1e-12)


def test_libcosim_and_ecos_run_it_with_its_units_and_values(tank, tmp_path):
    diagram, steps = plant(tank), 16
    names = ["first.volume", "inner_second.volume", "inner_second.level[2]"]
    ssp = fmu.export_ssp(diagram, tmp_path, step=STEP)
    osp = fmu.export_osp(diagram, tmp_path / "osp", step=STEP)
    (simulator,) = [
        s for s in ET.parse(osp / "OspSystemStructure.xml").iter(f"{OSP}Simulator") if s.get("name") == "first"
    ]
    assert simulator.find(f".//{OSP}InitialValue").get("variable") == "outlet.k"
    here = run_system("libcosim", SystemJob(unpacked(ssp, tmp_path / "ssp"), steps, names), tmp_path)
    other = run_system("libcosim", SystemJob(osp, steps, names, format="osp"), tmp_path)
    np.testing.assert_allclose(other, here, rtol=1e-9)
    ecos = run_system("ecos", SystemJob(ssp, steps, names, parameter_set="parameters"), tmp_path)
    np.testing.assert_allclose(ecos, here, rtol=1e-9)
    end = steps * COMMUNICATION_STEP
    found = simulate(diagram, end, step=COMMUNICATION_STEP, record=["first", "middle"])
    assert here[-1, 0] == pytest.approx(found.values("first")[-1], rel=1e-12)
    barrel = 0.158987294928
    assert here[-1, 2] * barrel == pytest.approx(found.values("middle")[-1], rel=1e-4)


def test_a_parameter_of_one_element_is_set(tmp_path):
    """Its variable is called x[1], and the parameter of the block x."""
    fmu.export(FirstOrderLag([0.5]), tmp_path / "lag.fmu", step=STEP)
    diagram = Diagram("one")
    diagram.add("lag", FmuBlock(tmp_path / "lag.fmu", STEP, parameters={"time_constant": 2.0}))
    diagram.outputs(y="lag.y")
    found = fmu.read_ssp(fmu.export_ssp(diagram, tmp_path, boundary=True))["lag"]
    assert float(np.ravel(found.values["time_constant"])[0]) == 2.0


def test_two_files_of_one_name_and_one_content_in_two_files(tank, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    copy = tmp_path / "a" / "copy.fmu"
    copy.write_bytes(tank.read_bytes())
    other = foreign_fmus.build("ball", tmp_path / "b", name="tank")
    diagram = Diagram("files")
    diagram.add("tank", Gain(2.0))  # its FMU is called tank.fmu, too
    for name, file in (("a", tank), ("b", copy), ("c", other)):
        diagram.add(name, FmuBlock(file, 0.1))
    diagram.connect("a.volume", "tank.u")
    message = r"c .*tank.fmu.* offers Model Exchange only: tools that co-simulate refuse"
    with pytest.warns(ExportWarning, match=message) as said:
        path = fmu.export_ssp(diagram, tmp_path)
    assert [warning.filename for warning in said] == [__file__]
    sources = {c.get("name"): c.get("source") for c in structure(path).iter(f"{{{NS['ssd']}}}Component")}
    assert sources == {
        "tank": "resources/tank.fmu", "a": "resources/tank_2.fmu", "b": "resources/tank_2.fmu",
        "c": "resources/tank_3.fmu",
    }  # fmt: skip
    implementations = {
        c.get("name"): c.get("implementation") for c in structure(path).iter(f"{{{NS['ssd']}}}Component")
    }
    assert (implementations["a"], implementations["c"]) == ("CoSimulation", "ModelExchange")


def test_units_of_one_name_and_different_meaning_get_different_names(tank, tmp_path):
    meant = 'name="barrel"><BaseUnit m="3" factor="0.158987294928"/>'
    other = foreign_fmus.build(
        "tank", tmp_path, name="beer", replace={meant: 'name="barrel"><BaseUnit m="3" factor="0.119240471196"/>'}
    )
    diagram = Diagram("barrels")
    diagram.add("oil", FmuBlock(tank, 0.1))
    diagram.add("beer", FmuBlock(other, 0.1))
    root = structure(fmu.export_ssp(diagram, tmp_path))
    units = {u.get("name"): u[0].get("factor") for u in root.iter(f"{{{NS['ssc']}}}Unit")}
    assert (units["barrel"], units["barrel_2"]) == ("0.158987294928", "0.119240471196")
    with pytest.raises(ExportError, match=r"'beer': another FMU is called 'Heated tank', too.*another model name"):
        fmu.export_osp(diagram, tmp_path / "osp")


def test_how_the_block_runs_its_fmu_is_noted(tank, tmp_path):
    diagram = Diagram("noted")
    diagram.add("fast", FmuBlock(tank, 0.1, isolate=True, timeout=3.0))
    diagram.add("slow", FmuBlock(tank, 0.2, feedthrough=False))
    with pytest.warns(ExportWarning, match=r"slow will be stepped every 0.1 s, .*, not every 0.2 s as here"):
        path = fmu.export_ssp(diagram, tmp_path)
    note = {e.get("element"): e.attrib for e in structure(path).iter("{urn:keelblocks:ssp}FmuBlock")}
    assert dict(note["fast"]) == {"element": "fast", "isolate": "true", "timeout": "3.0"}
    assert dict(note["slow"]) == {"element": "slow", "communication_step": "0.2", "feedthrough": "false"}
    read = fmu.read_ssp(path)
    values = {name: read[name].values for name in ("fast", "slow")}
    assert [values["fast"][key] for key in ("isolate", "timeout", "communication_step")] == [True, 3.0, 0.1]
    assert [values["slow"][key] for key in ("feedthrough", "communication_step")] == [False, 0.2]
    assert fmu.read_ssp(path, communication_step=0.05, isolate=False)["fast"].values["isolate"] is False
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # OSP has a step for each
        osp = fmu.export_osp(diagram, tmp_path / "osp")
    root = ET.parse(osp / "OspSystemStructure.xml").getroot()
    assert {s.get("name"): s.get("stepSize") for s in root.iter(f"{OSP}Simulator")} == {"fast": "0.1", "slow": "0.2"}
    assert root.find(f"{OSP}BaseStepSize").text == "0.1"


def test_an_enumeration_that_was_set_is_written_and_said(tank, tmp_path):
    diagram = Diagram("mode")
    diagram.add("tank", FmuBlock(tank, COMMUNICATION_STEP, parameters={"mode": "high"}))
    with pytest.warns(ExportWarning, match=r"tank\.mode: an enumeration that was set; libcosim, Ecos .* refuse"):
        path = fmu.export_ssp(diagram, tmp_path)
    assert fmu.read_ssp(path)["tank"].values["mode"] == "high"
    with zipfile.ZipFile(path) as archive:
        given = ET.fromstring(archive.read("resources/tank.ssv"))
    assert [value.attrib for value in given.iter(f"{{{NS['ssv']}}}Enumeration")] == [{"value": "high", "name": "Mode"}]
    (shown,) = given.iter(f"{{{NS['ssc']}}}Enumeration")
    assert (shown.get("name"), [(item.get("name"), item.get("value")) for item in shown]) == (
        "Mode", [("off", "1"), ("low", "2"), ("high", "5")],
    )  # fmt: skip
    for tool, job in (
        ("libcosim", SystemJob(unpacked(path, tmp_path / "ssp"), 1, [])),
        ("ecos", SystemJob(path, 1, [])),
    ):
        assert refusal(tool, job, tmp_path)  # as the warning says
    with pytest.raises(
        ExportError, match=r"'tank' .*: mode was set, and libcosim sets no variables of type Enumeration"
    ):
        fmu.export_osp(diagram, tmp_path / "osp")


def test_fmi_3_needs_ssp_2_and_no_osp(tmp_path):
    mixer = foreign_fmus.build("mixer", tmp_path)
    diagram = Diagram("mixing")
    diagram.add("mixer", FmuBlock(mixer, 0.1, parameters={"A": [[6, 5, 4], [3, 2, 1]], "label": "a b"}))
    diagram.add("torque", Constant([1.0, 2.0, 3.0]))
    diagram.add("on", Constant(1.0))
    diagram.connect("torque.y", "mixer.u")
    diagram.outputs(y="mixer.y")
    path = fmu.export_ssp(diagram, tmp_path)
    root = structure(path)
    assert root.get("version") == "2.0"
    (u,) = [c for c in root.iter(f"{{{NS['ssd']}}}Connector") if c.get("name") == "u"]
    assert (u[0].tag.partition("}")[2], u.find("ssc:Dimension", NS).get("size")) == ("Float64", "3")
    found = fmu.read_ssp(path)["mixer"]
    assert found.values["A"].tolist() == [[6, 5, 4], [3, 2, 1]]
    assert found.values["label"] == "a b"
    with pytest.raises(ExportError, match=r'mixer.fmu is of FMI 3.0, whose types and arrays SSP 1.0 .* version="2.0"'):
        fmu.export_ssp(diagram, tmp_path, version="1.0")
    with pytest.raises(ExportError, match=r"'mixer' .*mixer.fmu\) is of FMI 3.0; .* FMI 2.0 only: export an SSP"):
        fmu.export_osp(diagram, tmp_path / "osp")
    diagram.connect("on.y", "mixer.enabled")
    with pytest.warns(ExportWarning, match=r"types.*may refuse: on\.y \(Real\) to mixer\.enabled \(Boolean\)"):
        fmu.export_ssp(diagram, tmp_path)


def test_model_exchange_is_not_for_osp_and_files_that_changed_are_said(tmp_path):
    ball = foreign_fmus.build("ball", tmp_path)
    diagram = Diagram("bounce")
    diagram.add("ball", FmuBlock(ball, 0.1))
    diagram.add("way", Integrator())
    diagram.connect("ball.v", "way.u")
    with pytest.raises(ExportError, match=r"'ball' .*ball.fmu\) offers Model Exchange only; .* for Co-Simulation, too"):
        fmu.export_osp(diagram, tmp_path / "osp")
    ball.write_bytes(ball.read_bytes() + b"\0")
    with pytest.raises((ExportError, FmuError), match=r"'ball': .*the file has changed since it was opened"):
        fmu.export_ssp(diagram, tmp_path)


def test_parameters_that_are_ports_are_parameter_connectors(tmp_path):
    carrier = foreign_fmus.build("carrier", tmp_path)
    diagram = Diagram("ports")
    diagram.add("b", FmuBlock(carrier, 0.1, ports=["mass", "ballast"], parameters={"u": 2.0}))
    diagram.inputs(mass="b.mass")
    with pytest.warns(ExportWarning, match=r"parameters of FMUs there: mass to b\.mass\. read_ssp makes values"):
        path = fmu.export_ssp(diagram, tmp_path)
    root = structure(path)
    kinds = [(c.get("name"), c.get("kind")) for c in root.iter(f"{{{NS['ssd']}}}Connector")]
    assert kinds[0] == ("mass", "parameter")  # of the system
    assert {("mass", "parameter"), ("ballast", "calculatedParameter"), ("y", "output")} <= set(kinds[1:])
    diagram = Diagram("fed")
    diagram.add("b", FmuBlock(carrier, 0.1, ports=["mass"]))
    diagram.add("m", Constant(3.0))
    diagram.connect("m.y", "b.mass")
    with pytest.raises(ExportError, match=r"m\.y is an output and feeds b\.mass, a parameter of its FMU; .* set the"):
        fmu.export_ssp(diagram, tmp_path / "fed.ssp")


@pytest.mark.parametrize("port", ["length", "paid_in"])
def test_fmi_1_leaves_in_ssp_1_and_in_osp(tmp_path, port):
    """libcosim runs the OSP system, Ecos the SSP, and both as here; a negated alias is told of."""
    winch = foreign_fmus.build("winch_fmi1", tmp_path, replace=foreign_fmus.FMI1_COSIMULATION)
    diagram = Diagram("lift")
    diagram.add("command", Constant(0.7))
    diagram.add("winch", FmuBlock(winch, COMMUNICATION_STEP, parameters={"motor.T": 0.5}))
    diagram.add("sum", Integrator())
    wire(diagram, ("command.y", "winch.command"), (f"winch.{port}", "sum.u"))
    expected = simulate(diagram, 1.0, step=COMMUNICATION_STEP)
    signed = r"connections with negated aliases of FMI 1\.0, which FMPy, libcosim .*: winch\.paid_in"
    unset = r"winch\.motor\.T: set in FMUs of FMI 1\.0, whose values in an SSP libcosim .* passes over; an OSP"
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        ssp = fmu.export_ssp(diagram, tmp_path, step=STEP, boundary=False)
        osp = fmu.export_osp(diagram, tmp_path / "osp", step=STEP)
    texts = [str(warning.message) for warning in said if issubclass(warning.category, ExportWarning)]
    assert [bool(re.match(signed, text)) for text in texts].count(True) == (2 if port == "paid_in" else 0)
    assert [bool(re.match(unset, text)) for text in texts].count(True) == 1
    assert structure(ssp).get("version") == "1.0"
    names, sign = ["sum.y", "winch.length"], 1.0 if port == "length" else -1.0
    for tool, job in (
        ("libcosim", SystemJob(osp, 16, names, format="osp")),
        ("ecos", SystemJob(ssp, 16, names, parameter_set="parameters")),
    ):
        found = run_system(tool, job, tmp_path)[-1]
        assert found[1] == pytest.approx(expected.values("winch.length")[-1], rel=1e-9)
        assert found[0] == pytest.approx(sign * expected.values("sum.y")[-1], rel=1e-9)
    back = simulate(fmu.read_ssp(ssp), 1.0, step=COMMUNICATION_STEP)
    np.testing.assert_allclose(back.values("sum.y"), expected.values("sum.y"), rtol=1e-12)
