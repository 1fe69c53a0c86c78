"""Systems for the Open Simulation Platform: structure, variable groups, and libcosim running them."""

from __future__ import annotations

import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from systems import COMMUNICATION_STEP, STEP, SystemJob, nested, oscillator, run_system

import fmu
from blocks import Diagram
from blocks.basic import Gain, Integrator
from blocks.dynamics import DiagonalVessel3DOF
from blocks.errors import ExportError
from blocks.scenario import Scenario
from fmu.compare import co_simulate
from fmu.ssp.interface import Element, Variable
from fmu.ssp.osp_groups import group_of

MISSION = Path(__file__).parents[3] / "examples" / "minerva_los.yaml"
SYSTEM = "{http://opensimulationplatform.com/MSMI/OSPSystemStructure}"
MODEL = "{https://open-simulation-platform.com/OspModelDescription/1.0.0}"
STEPS = 64
END = STEPS * COMMUNICATION_STEP

# The order in which OspModelDescription 1.0 wants groups, and how many variables a group may have
ORDER = [
    "Generic", "Force", "Torque", "Voltage", "Pressure", "LinearVelocity", "AngularVelocity", "Current",
    "VolumeFlowRate", "LinearDisplacement", "AngularDisplacement", "Charge", "Volume", "LinearAcceleration",
    "AngularAcceleration",
]  # fmt: skip
DIMENSIONS = {  # by exponents of kg, m, s and rad
    "Force": (1, 1, -2, 0), "Torque": (1, 2, -2, 0), "LinearVelocity": (0, 1, -1, 0), "AngularVelocity": (0, 0, -1, 1),
    "LinearDisplacement": (0, 1, 0, 0), "AngularDisplacement": (0, 0, 0, 1), "LinearAcceleration": (0, 1, -2, 0),
    "AngularAcceleration": (0, 0, -2, 1),
}  # fmt: skip


def export(component, folder, **settings):
    return fmu.export_osp(component, folder, step=STEP, communication_step=COMMUNICATION_STEP, **settings)


@pytest.fixture(scope="module")
def guided(models, tmp_path_factory):
    return export(models.guided_vessel(), tmp_path_factory.mktemp("osp"), end=8)


def structure(folder):
    return ET.parse(folder / "OspSystemStructure.xml").getroot()


def local(element):
    return element.tag.partition("}")[2]


def connected(root, kind):
    return [
        tuple((e.get("simulator"), e.get("name")) for e in connection)
        for connection in root.iter(f"{SYSTEM}{kind}Connection")
    ]


def check_model_description(path):
    """What the schema of OspModelDescription 1.0 and the rules of OSP-IS ask for."""
    root = ET.parse(path).getroot()
    assert (root.tag, root.get("version")) == (f"{MODEL}OspModelDescription", "1.0")
    assert [local(child) for child in root][-1] == "VariableGroups"
    units = {
        unit.get("name"): tuple(int(unit[0].get(name, "0")) for name in ("kg", "m", "s", "rad"))
        for unit in root.iter(f"{MODEL}Unit")
    }
    names = [g.get("name") for g in root.find(f"{MODEL}VariableGroups").iter() if g.get("name")]
    assert len(set(names)) == len(names)

    def check(parent):
        children = [local(child) for child in parent if local(child) != "Variable"]
        assert [local(child) for child in parent] == ["Variable"] * (len(parent) - len(children)) + children
        assert children == sorted(children, key=ORDER.index)
        for child in parent:
            if local(child) == "Variable":
                assert child.get("unit") is None or child.get("unit") in units
            elif local(child) == "Generic":
                check(child)
            else:
                assert 1 <= len(child) <= 3
                assert {units[v.get("unit")] for v in child} == {DIMENSIONS[local(child)]}

    check(root.find(f"{MODEL}VariableGroups"))
    return root


def test_a_system_is_a_folder_with_structure_fmus_and_groups(guided):
    assert sorted(path.name for path in guided.iterdir()) == [
        "OspSystemStructure.xml", "autopilot.fmu", "autopilot_OspModelDescription.xml", "plant.fmu",
        "plant_OspModelDescription.xml",
    ]  # fmt: skip
    root = structure(guided)
    assert (root.tag, root.get("version")) == (f"{SYSTEM}OspSystemStructure", "0.1")
    assert [local(child) for child in root] == [
        "StartTime", "EndTime", "BaseStepSize", "Algorithm", "Simulators", "Connections",
    ]  # fmt: skip
    assert [root.findtext(f"{SYSTEM}{name}") for name in ("StartTime", "EndTime", "BaseStepSize", "Algorithm")] == [
        "0.0", "8.0", str(COMMUNICATION_STEP), "fixedStep",
    ]  # fmt: skip
    assert [s.attrib for s in root.iter(f"{SYSTEM}Simulator")] == [
        {"name": name, "source": f"{name}.fmu", "stepSize": str(COMMUNICATION_STEP)} for name in ("plant", "autopilot")
    ]


def test_whole_ports_of_one_type_are_connected_as_groups(guided):
    root = structure(guided)
    assert connected(root, "VariableGroup") == [
        (("autopilot", "force"), ("plant", "force")),
        (("plant", "eta"), ("autopilot", "eta")),
        (("plant", "nu"), ("autopilot", "nu")),
    ]
    assert connected(root, "Variable") == []


def test_wrench_pose_and_velocity_are_groups_of_two_quantities(guided):
    root = check_model_description(guided / "plant_OspModelDescription.xml")
    check_model_description(guided / "autopilot_OspModelDescription.xml")
    groups = {g.get("name"): g for g in root.iter() if g.get("name") and local(g) != "Unit"}
    for port, inner in (
        ("force", {"Force": "force", "Torque": "torque"}),
        ("eta", {"LinearDisplacement": "linear_displacement", "AngularDisplacement": "angular_displacement"}),
        ("nu", {"LinearVelocity": "linear_velocity", "AngularVelocity": "angular_velocity"}),
    ):
        assert local(groups[port]) == "Generic"
        assert {local(g): g.get("name") for g in groups[port]} == {k: f"{port}.{v}" for k, v in inner.items()}
        refs = [v.get("ref") for v in groups[port].iter(f"{MODEL}Variable")]
        assert refs == [f"{port}[{i}]" for i in range(1, 7)]


def test_currents_accelerations_and_thrusters_of_the_library(tmp_path):
    diagram = Diagram("rov")
    diagram.add("vessel", DiagonalVessel3DOF(inertia=(1, 1, 1)))
    diagram.inputs(force="vessel.force", current="vessel.current")
    root = check_model_description(export(diagram, tmp_path / "rov") / "vessel_OspModelDescription.xml")
    types = {g.get("name"): local(g) for g in root.find(f"{MODEL}VariableGroups")}
    assert types["current"] == "LinearVelocity"
    kinds = {local(g) for g in root.find(f"{MODEL}VariableGroups/{MODEL}Generic[@name='acceleration']")}
    assert kinds == {"LinearAcceleration", "AngularAcceleration"}
    scenario = Scenario.load(MISSION)
    folder = export(scenario.diagram, tmp_path / "minerva", subsystems=["plant.vessel"])
    for path in folder.glob("*_OspModelDescription.xml"):
        check_model_description(path)


def elements(*units):
    return [Element(Variable(f"p[{i}]", "input", "continuous", "Real", u), ()) for i, u in enumerate(units, 1)]


@pytest.mark.parametrize(
    ("units", "kind", "inner"),
    [
        (["N"], "Force", []),
        (["rev/s"], "AngularVelocity", []),
        (["N.m"] * 3, "Torque", []),
        (["J"], "Generic", []),  # work or torque, one cannot tell
        (["N"] * 5, "Generic", []),  # more than three dimensions
        ([None], "Generic", []),
        (["rad", "m"], "Generic", ["LinearDisplacement", "AngularDisplacement"]),  # in the order of the schema
        (["m", "rad", "m"], "Generic", []),  # no quantity twice
    ],
)
def test_groups_follow_from_units(units, kind, inner):
    group = group_of("p", elements(*units))
    assert (group.type, [g.type for g in group.groups]) == (kind, inner)
    assert group.fits(group_of("q", elements(*units)))
    assert not group.fits(group_of("q", elements(*units, "kg")))


def test_parts_of_ports_are_connected_variable_by_variable(tmp_path):
    root = structure(export(nested(), tmp_path))
    pairs = connected(root, "Variable")
    assert (("inner", "y[2]"), ("tail", "u")) in pairs
    assert (("inner", "rest[1]"), ("both", "in2")) in pairs
    assert (("bias", "y"), ("sum", "in2")) in connected(root, "VariableGroup")


def test_values_of_the_inputs_of_a_diagram_are_initial_values(tmp_path):
    folder = export(nested(), tmp_path, inputs={"command": [0.5, 1.25, -1.0]})
    values = {
        (s.get("name"), v.get("variable")): float(v[0].get("value"))
        for s in structure(folder).iter(f"{SYSTEM}Simulator")
        for v in s.iter(f"{SYSTEM}InitialValue")
    }
    assert values == {("sum", "in1[1]"): 0.5, ("sum", "in1[2]"): 1.25, ("sum", "in1[3]"): -1.0}
    rows = run_system("libcosim", SystemJob(folder, 4, [f"sum.y[{i}]" for i in (1, 2, 3)], format="osp"), tmp_path)
    assert rows.tolist() == [[1.0, 1.0, 0.0]] * 4


@pytest.mark.parametrize("name", ["oscillator", "guided_vessel", "minerva"])
def test_libcosim_agrees_with_the_same_parts_coupled_here(models, tmp_path, name):
    if name == "oscillator":
        diagram, names, ports = oscillator(), ["position.y", "speed.y"], ("x", "v")
    else:
        diagram = models.guided_vessel() if name == "guided_vessel" else Scenario.load(MISSION).diagram
        names, ports = [f"plant.{port}[{i}]" for port in ("eta", "nu") for i in range(1, 7)], ("eta", "nu")
    folder = export(diagram, tmp_path / name, end=END)
    _, table = co_simulate(diagram, {path.stem: path for path in folder.glob("*.fmu")}, END, COMMUNICATION_STEP)
    expected = np.hstack([table[port] for port in ports])[1:]
    found = run_system("libcosim", SystemJob(folder, STEPS, names, format="osp"), tmp_path)
    assert np.abs(expected).max() > 0.1
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


def test_files_are_replaced_and_others_left(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    first = {p.name: p.read_bytes() for p in export(oscillator(), tmp_path).iterdir()}
    again = {p.name: p.read_bytes() for p in export(oscillator(), tmp_path).iterdir()}
    assert first == again
    assert first["notes.txt"] == b"mine"
    shutil.rmtree(tmp_path)


def test_refusals_say_what_and_where(tmp_path):
    with pytest.raises(ExportError, match=r"loads FMUs of FMI 2\.0 only, not 3.0"):
        export(oscillator(), tmp_path, fmi="3.0")
    with pytest.raises(ExportError, match=r"no input 'comand' of .*; did you mean 'command'"):
        export(nested(), tmp_path, inputs={"comand": 1.0})
    with pytest.raises(ExportError, match=r"input 'command' has 3 elements, not \[1.0, 2.0\]"):
        export(nested(), tmp_path, inputs={"command": [1.0, 2.0]})
    (tmp_path / "file").touch()
    with pytest.raises(ExportError, match="it is a file, and a folder is wanted"):
        export(Integrator(), tmp_path / "file")
    diagram = Diagram("one")
    diagram.add("gain", Gain(1.0))
    diagram.inputs(u="gain.u")
    with pytest.raises(ExportError, match="component 'gain': solver BDF"):
        export(diagram, tmp_path / "out", solver="BDF")
