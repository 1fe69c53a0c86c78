"""What is in an SSP: structure, connectors, connections, parameter sets, units, geometry, annotations; and refusals."""

from __future__ import annotations

import zipfile
from importlib.resources import files
from pathlib import Path

import fmpy
import numpy as np
import pytest
from lxml import etree
from systems import COMMUNICATION_STEP, NS, STEP, nested, oscillator, structure

import fmu
from blocks import Diagram
from blocks.basic import Gain, Integrator
from blocks.drawing import graph_of, layout
from blocks.dynamics import DiagonalVessel3DOF
from blocks.errors import ExportError, SimulationError, WiringError

SSP1 = Path(fmpy.__file__).parent / "ssp" / "schema"
SSP2 = Path(str(files("pyssp_standard"))) / "resources" / "ssp2"


def export(component, folder, **settings):
    return fmu.export_ssp(component, folder, step=STEP, communication_step=COMMUNICATION_STEP, **settings)


@pytest.fixture(scope="module")
def guided(models, tmp_path_factory):
    return export(models.guided_vessel(), tmp_path_factory.mktemp("ssp"), end=8)


def connectors(element):
    return {c.get("name"): c for c in element.findall("ssd:Connectors/ssd:Connector", NS)}


def components(root):
    return {c.get("name"): c for c in root.findall("ssd:System/ssd:Elements/ssd:Component", NS)}


def connections(root):
    return [
        tuple(c.get(k) for k in ("startElement", "startConnector", "endElement", "endConnector"))
        for c in root.findall("ssd:System/ssd:Connections/ssd:Connection", NS)
    ]


def validate(content, schema):
    etree.XMLSchema(file=str(schema)).assertValid(etree.fromstring(content))


@pytest.mark.parametrize(("version", "schemas"), [("1.0", SSP1), ("2.0", SSP2)])
@pytest.mark.parametrize("make", ["guided_vessel", "mixed", "fragile"])
def test_every_file_is_valid(models, tmp_path, version, schemas, make):
    path = export(getattr(models, make)(), tmp_path / "model.ssp", version=version)
    with zipfile.ZipFile(path) as archive:
        validate(archive.read("SystemStructure.ssd"), schemas / "SystemStructureDescription.xsd")
        sets = [name for name in archive.namelist() if name.endswith(".ssv")]
        assert sets
        for name in sets:
            validate(archive.read(name), schemas / "SystemStructureParameterValues.xsd")


def test_an_ssp_holds_an_fmu_and_a_parameter_set_for_each_component(guided):
    assert guided.name == "guided_vessel.ssp"
    assert zipfile.ZipFile(guided).namelist() == [
        "SystemStructure.ssd", "resources/plant.fmu", "resources/plant.ssv",
        "resources/autopilot.fmu", "resources/autopilot.ssv",
    ]  # fmt: skip
    root = structure(guided)
    assert (root.get("version"), root.get("name")) == ("1.0", "guided_vessel")
    assert root.get("description") == "A vessel that follows a course line"
    for name, component in components(root).items():
        assert component.get("source") == f"resources/{name}.fmu"
        assert component.get("type") == "application/x-fmu-sharedlibrary"
        assert component.get("implementation") == "CoSimulation"
    experiment = root.find("ssd:DefaultExperiment", NS)
    assert (experiment.get("startTime"), experiment.get("stopTime")) == ("0.0", "8.0")


def test_its_fmus_are_for_co_simulation_unless_more_is_asked_for(models, guided, tmp_path):
    def interfaces(path):
        with zipfile.ZipFile(path) as archive, archive.open("resources/plant.fmu") as part:
            described = fmpy.read_model_description(part)
        return described.coSimulation is not None, described.modelExchange is not None

    assert interfaces(guided) == (True, False)
    assert interfaces(export(models.guided_vessel(), tmp_path / "both.ssp", interfaces=("cs", "me"))) == (True, True)


def test_an_interface_alone_has_no_parameters_to_set(models, guided, tmp_path):
    bare = export(models.guided_vessel(), tmp_path / "bare.ssp", end=8, only_interface=True)
    with zipfile.ZipFile(bare) as archive:
        assert not [name for name in archive.namelist() if name.endswith(".ssv")]
    assert connections(structure(bare)) == connections(structure(guided))


def test_equal_diagrams_give_equal_bytes(models, guided, tmp_path):
    again = export(models.guided_vessel(), tmp_path / "again.ssp", end=8)
    assert again.read_bytes() == guided.read_bytes()


def test_vector_ports_are_the_scalars_of_the_fmu_with_their_units(guided):
    root = structure(guided)
    plant = connectors(components(root)["plant"])
    assert list(plant) == [f"{port}[{i}]" for port in ("force", "eta", "nu") for i in range(1, 7)]
    assert [plant[f"force[{i}]"].get("kind") for i in (1, 6)] == ["input", "input"]
    assert [plant[f"eta[{i}]"].find("ssc:Real", NS).get("unit") for i in (1, 4)] == ["m", "rad"]
    assert plant["force[6]"].find("ssc:Real", NS).get("unit") == "N.m"
    units = {u.get("name"): u.find("ssc:BaseUnit", NS).attrib for u in root.iterfind("ssd:Units/ssc:Unit", NS)}
    assert units["N.m"] == {"kg": "1", "m": "2", "s": "-2"}
    used = {e.get("unit") for e in root.iter(f"{{{NS['ssc']}}}Real")}
    assert used == set(units)


def test_connections_are_the_wires_element_by_element(models, guided):
    found = connections(structure(guided))
    wires = (("plant", "eta", "autopilot"), ("plant", "nu", "autopilot"), ("autopilot", "force", "plant"))
    expected = {(a, f"{port}[{i}]", b, f"{port}[{i}]") for a, port, b in wires for i in range(1, 7)}
    assert len(found) == len(expected)
    assert set(found) == expected


def test_selected_elements_and_opened_diagrams_are_connected_to_where_their_values_come_from(tmp_path):
    path = export(nested(), tmp_path, subsystems=["inner.gain"])
    root = structure(path)
    assert list(components(root)) == ["inner_lag", "inner_split", "inner_gain", "bias", "sum", "tail", "both"]
    found = connections(root)
    assert ("sum", "y[2]", "inner_lag", "u[2]") in found
    assert ("inner_lag", "y[2]", "tail", "u") in found
    assert ("inner_split", "out2[1]", "both", "in2") in found
    assert (None, "command[3]", "sum", "in1[3]") in found
    assert ("inner_lag", "y[3]", None, "last") in found
    assert ("inner_gain", "y", None, "doubled") in found


def test_inputs_that_nothing_feeds_are_no_connectors(models, guided):
    """Their start values are the defaults; FMPy does not open a file with a connector that is not connected."""
    diagram = Diagram("vessel")
    diagram.add("vessel", DiagonalVessel3DOF(inertia=(1, 1, 1)))
    diagram.add("gain", Gain([1, 0, 0, 0, 0, 0]))
    diagram.connect("vessel.nu", "gain.u")
    diagram.inputs(push="vessel.force")
    assert {"disturbance", "current"} <= set(diagram["vessel"].input_ports)
    path = export(diagram, guided.parent)
    names = connectors(components(structure(path))["vessel"])
    assert "force[1]" in names
    assert not [name for name in names if name.startswith(("disturbance", "current"))]
    without = components(structure(export(diagram, guided.parent / "without.ssp", boundary=False)))["vessel"]
    assert all(c.get("kind") == "output" for c in connectors(without).values())


def test_the_boundary_is_shown_where_there_are_inputs_or_on_request(tmp_path):
    closed, driven = oscillator(), oscillator(driven=True)
    assert connectors(structure(export(closed, tmp_path / "a.ssp")).find("ssd:System", NS)) == {}
    system = structure(export(closed, tmp_path / "b.ssp", boundary=True)).find("ssd:System", NS)
    assert {name: c.get("kind") for name, c in connectors(system).items()} == {"x": "output", "v": "output"}
    system = structure(export(driven, tmp_path / "c.ssp")).find("ssd:System", NS)
    assert {n: c.get("kind") for n, c in connectors(system).items()} == {"push": "input", "x": "output", "v": "output"}


def test_an_input_and_an_output_of_one_name_cannot_both_be_connectors(tmp_path):
    diagram = Diagram("twice")
    diagram.add("gain", Gain(2.0))
    diagram.inputs(u="gain.u")
    diagram.outputs(u="gain.y")
    with pytest.raises(ExportError, match=r"'u' is an input and an output of .*different names.*boundary=False"):
        export(diagram, tmp_path)
    assert export(diagram, tmp_path, boundary=False).exists()


def test_parameter_sets_hold_what_the_blocks_have(models, guided):
    with zipfile.ZipFile(guided) as archive:
        root = etree.fromstring(archive.read("resources/plant.ssv"))
    assert root.get("name") == "parameters"
    found = {p.get("name"): (float(p[0].get("value")), p[0].get("unit")) for p in root.iterfind(".//ssv:Parameter", NS)}
    vessel = models.guided_vessel()["plant.vessel"]
    assert found["vessel.linear_damping[2]"] == (vessel.linear_damping[1], "N.s/m")
    assert found["vessel.initial_eta[6]"] == (2.0, "rad")
    assert {unit.get("name") for unit in root.iterfind("ssv:Units/ssc:Unit", NS)} == {
        unit for _, unit in found.values() if unit is not None
    }
    binding = components(structure(guided))["plant"].find("ssd:ParameterBindings/ssd:ParameterBinding", NS)
    assert binding.attrib == {"source": "resources/plant.ssv"}


def test_enumerations_are_not_in_parameter_sets(models, tmp_path):
    """libcosim, Ecos and OMSimulator 3 refuse a whole file for one; their values are in the FMUs."""
    for version in ("1.0", "2.0"):
        path = export(models.guided_vessel(), tmp_path / f"{version}.ssp", version=version)
        with zipfile.ZipFile(path) as archive:
            root = etree.fromstring(archive.read("resources/autopilot.ssv"))
        assert list(root.iter(f"{{{NS['ssv']}}}Real"))
        assert not list(root.iter(f"{{{NS['ssv']}}}Enumeration"))


def test_boxes_stand_where_the_drawing_has_them(models, guided):
    diagram = models.guided_vessel()
    drawing = layout(graph_of(diagram), depth=0)
    root = structure(guided)
    for name, component in components(root).items():
        box = {k: float(v) for k, v in component.find("ssd:ElementGeometry", NS).attrib.items()}
        drawn = drawing.rectangle(name)
        assert [box["x1"], box["x2"]] == pytest.approx([drawn.x, drawn.right], abs=1e-3)
        assert [box["y1"], box["y2"]] == pytest.approx(
            [drawing.height - drawn.bottom, drawing.height - drawn.y], abs=1e-3
        )
        for point in (*drawing.boxes[name].inputs, *drawing.boxes[name].outputs):
            places = [
                {k: float(v) for k, v in c.find("ssd:ConnectorGeometry", NS).attrib.items()}
                for connector, c in connectors(component).items()
                if connector.partition("[")[0] == point.port.name
            ]
            x = box["x1"] + np.mean([p["x"] for p in places]) * (box["x2"] - box["x1"])
            y = box["y1"] + np.mean([p["y"] for p in places]) * (box["y2"] - box["y1"])
            assert (x, drawing.height - y) == pytest.approx(point.point, abs=0.1)
    assert root.find("ssd:System/ssd:SystemGeometry", NS) is None  # OMSimulator 2 ends at it


def test_the_first_annotation_is_omsimulators_master(guided):
    """Without it OMSimulator does not open the file, and it looks at the first one only."""
    system = structure(guided).find("ssd:System", NS)
    first, *others = system.findall("ssd:Annotations/ssc:Annotation", NS)
    assert first.get("type") == "org.openmodelica"
    (master,) = [e for e in first.iter() if e.tag.endswith("}FixedStepMaster")]
    assert (master.get("description"), master.get("stepSize")) == ("oms-ma", str(COMMUNICATION_STEP))
    assert [a.get("type") for a in others] == ["org.keelblocks"]
    # OMSimulator refuses annotations of the whole description
    assert structure(guided).find("ssd:Annotations", NS) is None


def test_a_block_alone_is_a_system_of_one_part(tmp_path):
    path = export(Integrator(initial_x=0.5), tmp_path)
    root = structure(path)
    assert path.name == "integrator.ssp"
    assert connections(root) == [(None, "u", "integrator", "u"), ("integrator", "y", None, "y")]


def test_pyssp_standard_reads_it_and_finds_no_fault(models, guided, tmp_path):
    from pyssp_standard.ssp import SSP

    open_one = export(nested(), tmp_path / "nested.ssp")
    second = export(models.guided_vessel(), tmp_path / "second.ssp", version="2.0")
    for path, count, sets in ((guided, 18, 2), (open_one, 19, 3), (second, 18, 2)):
        with SSP(path, mode="r") as ssp:
            with ssp.system_structure as ssd:
                assert len(ssd.connections()) == count
                # it takes outputs of a system for unconnected, because it looks for them by two different names
                assert ssd.check_connections(unconnected_inputs=path != open_one, connector_not_in_system=True) == []
            assert len(ssp.ssv) == sets
            for one in ssp.ssv:
                with one as values:
                    assert values.parameters


def test_refusals_say_what_and_where(models, tmp_path):
    diagram = oscillator()
    for settings, message in (
        ({"version": "3.0"}, "no export for the SSP version '3.0'; did you mean '2.0' or '1.0'"),
        (
            {"fmi": "3.0", "version": "1.0"},
            'SSP 1.0 does not know the types and arrays of FMI 3.0: export with version="2.0"',
        ),
        ({"interfaces": ("me",)}, "co-simulated: 'cs' has to be one of their interfaces"),
        ({"subsystems": ["sprin"]}, "no subsystem 'sprin' in .*; did you mean 'spring'"),
        ({"subsystems": ["spring.gain"]}, "no subsystem 'spring.gain'"),
        ({"solver": "LSODA"}, "component 'force': solver LSODA"),
    ):
        with pytest.raises(ExportError, match=message):
            export(diagram, tmp_path, **settings)
    with pytest.raises(ExportError, match=r"the name of an SSP must end in \.ssp, not 'oscillator.zip'"):
        export(diagram, tmp_path / "oscillator.zip")
    with pytest.raises(SimulationError, match=r"^communication_step must be > 0 s"):
        fmu.export_ssp(diagram, tmp_path, communication_step=0.0)
    with pytest.raises(SimulationError, match=r"^communication_step must be a number|^communication_step: .*abc"):
        fmu.export_ssp(diagram, tmp_path, communication_step="abc")
    with pytest.raises(ExportError, match="has no components to export"):
        export(Diagram("empty"), tmp_path)
    loose = Diagram("loose")
    loose.add("gain", Gain(1.0))
    with pytest.raises(WiringError, match=r"gain\.u .* is not connected"):
        export(loose, tmp_path)
    assert not list(tmp_path.iterdir())


def test_version_2_has_arrays_of_fmi_3(tmp_path):
    path = export(nested(), tmp_path, version="2.0", fmi="3.0", subsystems=["inner.lag"])
    root = structure(path)
    lag = connectors(components(root)["inner_lag"])
    assert list(lag) == ["u", "y"]
    assert lag["y"].find("ssc:Dimension", NS).get("size") == "3"
    assert ("sum", "y", "inner_lag", "u") in connections(root)
    (part,) = [c for c in root.iter(f"{{{NS['ssd']}}}Connection") if c.get("endElement") == "tail"]
    assert (part.get("startElement"), part.get("startIndices"), part.get("endIndices")) == ("inner_lag", "2", None)
    with zipfile.ZipFile(path) as archive:
        content = archive.read("resources/inner_lag.ssv")
        validate(archive.read("SystemStructure.ssd"), SSP2 / "SystemStructureDescription.xsd")
    validate(content, SSP2 / "SystemStructureParameterValues.xsd")
    values = {p.get("name"): p[0].get("value") for p in etree.fromstring(content).iterfind(".//ssv:Parameter", NS)}
    assert values["time_constant"] == "0.5 1.0 2.0"
