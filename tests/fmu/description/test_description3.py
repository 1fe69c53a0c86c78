"""modelDescription.xml and terminalsAndIcons.xml of FMI 3.0: valid by FMPy's judgement, complete, and true."""

from __future__ import annotations

import struct
from pathlib import Path
from zipfile import ZipFile

import fmpy
import numpy as np
import pytest
from fmpy.validation import validate_fmu
from lxml import etree

import fmu
from blocks import Diagram
from blocks.basic import Constant, Gain, Mux, Sine, Step
from blocks.dynamics import Vessel3DOF, Vessel6DOF
from blocks.errors import ExportError, ParameterError
from blocks.guidance import LineOfSight

SCHEMAS = Path(fmpy.__file__).parent / "schema" / "fmi3"
LEGS = {"waypoints": [[0, 0, 0], [9, 3, 1], [9, 9, 2]], "acceptance_radius": 1.0, "cruise_speed": 1.0}


@pytest.fixture(scope="module")
def written(models, tmp_path_factory):
    """The FMU of a model by its name, exported once."""
    folder = tmp_path_factory.mktemp("fmus3")

    def get(name):
        path = folder / f"{name}.fmu"
        if not path.exists():
            parts = ("plant", "autopilot")
            component = models.guided_vessel()[name] if name in parts else getattr(models, name)()
            fmu.export(component, path, fmi="3.0", step=models.step)
        return path

    return get


@pytest.fixture(scope="module")
def described(written):
    """Its description."""
    return lambda name: fmpy.read_model_description(written(name))


def by_name(description):
    """Variables by name, aliases among them."""
    return {v.name: v for v in description.modelVariables}


def export3(component, folder, **settings):
    """The description of a component's FMU."""
    path = fmu.export(component, folder / "m.fmu", fmi="3.0", **settings)
    assert validate_fmu(str(path)) == []
    return fmpy.read_model_description(path)


@pytest.mark.parametrize("name", ["guided_vessel", "plant", "autopilot", "mixed", "fragile"])
def test_descriptions_are_valid(written, name):
    assert validate_fmu(str(written(name))) == []
    assert fmpy.read_model_description(written(name)).fmiVersion == "3.0"


def test_value_references_count_the_variables_from_the_time(described):
    for name in ("plant", "mixed"):
        variables = described(name).modelVariables
        assert [v.valueReference for v in variables if v.alias is None] == list(range(len(variables)))
        assert (variables[0].name, variables[0].causality) == ("time", "independent")


def test_ports_parameters_and_states_are_arrays(described):
    found = by_name(described("plant"))
    assert {n: found[n].shape for n in ("force", "eta", "vessel.inertia", "der(vessel.nu)")} == {
        "force": (6,), "eta": (6,), "vessel.inertia": (3,), "der(vessel.nu)": (6,)
    }  # fmt: skip
    assert found["vessel.inertia"].start == "9.75 10.364 1.158"
    fragile = by_name(described("fragile"))
    assert fragile["mixer.matrix"].shape == (3, 2)
    assert fragile["mixer.matrix"].start == "1.0 2.0 3.0 4.0 5.0 6.0"


def test_elements_of_different_units_are_told_in_words(described, tmp_path):
    found = by_name(described("plant"))
    assert found["eta"].unit is None
    assert found["eta"].description.endswith(": x, y, z in m, phi, theta, psi in rad (ned)")
    assert found["force"].description.endswith("X, Y, Z in N, K, M, N in N.m (body)")
    assert found["vessel.inertia"].description.endswith(": m11, m22 in kg, m33 in kg.m2")
    matrix = by_name(export3(Vessel6DOF(rigid_body_inertia=np.eye(6)), tmp_path))["rigid_body_inertia"]
    assert matrix.description == "M_RB about the body origin: in kg, kg.m, kg.m2"


def test_units_and_types(described):
    found = by_name(described("autopilot"))
    assert (found["cross_track_error"].unit, found["cross_track_error"].declaredType.name) == ("m", "Keelblocks.Length")
    assert found["guidance.course"].displayUnit == "deg"
    names = set(found)
    assert not names & {t.name for t in described("autopilot").typeDefinitions}


def test_states_and_derivatives(described):
    plant = described("plant")
    assert [(u.variable.name, u.variable.derivative.name) for u in plant.derivatives] == [
        ("der(vessel.eta)", "vessel.eta"), ("der(vessel.nu)", "vessel.nu")
    ]  # fmt: skip
    assert plant.numberOfContinuousStates == 12


def test_inputs_are_not_told_how_they_begin(written):
    """It could be nothing but "exact", which is the default; CasADi refuses the attribute."""
    with ZipFile(written("plant")) as archive:
        variables = etree.fromstring(archive.read("modelDescription.xml")).find("ModelVariables")
    inputs = [v for v in variables if v.get("causality") == "input"]
    assert inputs
    assert all(v.get("start") is not None and v.get("initial") is None for v in inputs)
    assert all(v.get("initial") for v in variables if v.get("causality") in ("output", "parameter"))


def test_dependencies_are_those_of_any_element(described):
    plant = described("plant")
    derivatives = {u.variable.name: {v.name for v in u.dependencies} for u in plant.derivatives}
    assert derivatives["der(vessel.eta)"] == {"vessel.eta", "vessel.nu"}
    assert {"force", "vessel.nu", "vessel.inertia"} <= derivatives["der(vessel.nu)"]
    outputs = {u.variable.name: u for u in plant.outputs}
    assert ([v.name for v in outputs["eta"].dependencies], outputs["eta"].dependenciesKind) == (
        ["vessel.eta"], ["constant"]
    )  # fmt: skip
    initial = {u.variable.name: [v.name for v in u.dependencies] for u in plant.initialUnknowns}
    assert initial["eta"] == ["vessel.initial_eta"]


def test_only_parameters_that_can_change_are_known_while_the_model_runs(described):
    for name in ("plant", "autopilot", "mixed"):
        description = described(name)
        for unknown in (*description.outputs, *description.derivatives):
            assert all(v.causality != "parameter" or v.variability == "tunable" for v in unknown.dependencies)


def test_the_time_is_a_known_of_arrays_only(tmp_path):
    """OMSimulator, which takes no arrays, ends where dependencies without them name the time."""
    known = [
        {v.name for u in (*m.outputs, *m.initialUnknowns) for v in u.dependencies}
        for m in (export3(Sine(1.0, 2.0), tmp_path, arrays=arrays) for arrays in (True, False))
    ]
    assert "time" in known[0]
    assert "time" not in known[1]
    assert any(name.startswith("amplitude") for name in known[1])


def test_event_indicators_are_variables(described):
    mixed = described("mixed")
    assert [u.variable.name for u in mixed.eventIndicators] == ["limited.crossings", "above.crossings"]
    assert mixed.numberOfEventIndicators == sum(u.variable.shape[0] for u in mixed.eventIndicators) == 3


def test_every_sample_rate_is_a_clock(described):
    clocks = {v.name: v for v in described("mixed").modelVariables if v.type == "Clock"}
    assert list(clocks) == ["clock", "delayed.clock"]  # noise and count share a rate, delayed has its own
    assert clocks["delayed.clock"].intervalVariability == "triggered"
    assert clocks["clock"].description == "ticks every 0.1 s, when noise, count sample"
    assert {u.variable.name for u in described("mixed").outputs} >= set(clocks)


def test_a_size_that_may_change_is_a_structural_parameter(tmp_path):
    description = export3(LineOfSight(**LEGS), tmp_path, capacities={"n": 50})
    found = by_name(description)
    assert (found["n"].type, found["n"].causality, found["n"].start) == ("UInt64", "structuralParameter", "3")
    xml = etree.fromstring(ZipFile(tmp_path / "m.fmu").read("modelDescription.xml"))
    size = xml.find('.//UInt64[@name="n"]')
    assert (size.get("min"), size.get("max")) == ("2", "50")  # a leg has two ends
    waypoints = found["waypoints"]
    assert [d.variable and d.variable.name for d in waypoints.dimensions] == ["n", None]
    assert len(waypoints.start.split()) == 9  # those that are there, not those that there is room for


def test_room_that_cannot_be_made(tmp_path):
    diagram = Diagram("d")
    diagram.add("guidance", LineOfSight(**LEGS))
    diagram.inputs(eta="guidance.eta", nu="guidance.nu")
    with pytest.raises(ParameterError, match=r"no size 'guidance\.m' that can grow; did you mean 'guidance\.n'"):
        fmu.export(diagram, tmp_path / "m.fmu", fmi="3.0", capacities={"guidance.m": 9})
    with pytest.raises(ParameterError, match=r"capacity of guidance\.n must be a whole number of at least 3"):
        fmu.export(diagram, tmp_path / "m.fmu", fmi="3.0", capacities={"guidance.n": 2})
    with pytest.raises(ExportError, match=r"capacities \(guidance\.n\) need FMI 3\.0"):
        fmu.export(diagram, tmp_path / "m.fmu", capacities={"guidance.n": 9})


def test_local_variables_that_are_the_same_are_aliases(models, tmp_path):
    found = by_name(export3(models.mixed(), tmp_path, local_variables=True))
    assert found["position.y"].alias is found["position.x"]  # the output is the state
    assert found["lag.y"].valueReference == found["lag.x"].valueReference
    assert found["position"].alias is None  # outputs of the model have their own value reference


def test_a_part_that_stands_in_a_vector_is_no_alias_of_it(tmp_path):
    diagram = Diagram("joined")
    one, two = diagram.add("one", Constant([1.0, 2.0])), diagram.add("two", Constant(3.0))
    mux = diagram.add("mux", Mux([2, 1]))
    gain = diagram.add("gain", Gain([1.0, 1.0, 1.0]))
    diagram.connect(one.y, mux.in1)
    diagram.connect(two.y, mux.in2)
    diagram.connect(mux.y, gain.u)
    diagram.outputs(y=gain.y)
    found = by_name(export3(diagram, tmp_path, local_variables=True))
    assert (found["mux.y"].alias, found["one.y"].alias) == (None, None)


def test_a_tool_that_takes_no_arrays_gets_their_elements(models, tmp_path):
    scalars = export3(models.guided_vessel()["plant"], tmp_path, arrays=False, step=models.step)
    found = by_name(scalars)
    assert not any(v.dimensions for v in scalars.modelVariables)
    assert {"force[6]", "eta[6]", "vessel.inertia[3]", "vessel.nu[1]", "der(vessel.nu[1])"} <= set(found)
    assert (found["force[6]"].unit, found["eta[6]"].displayUnit) == ("N.m", "deg")
    assert found["eta[6]"].description.endswith(": psi (ned)")
    outputs = {u.variable.name: [v.name for v in u.dependencies] for u in scalars.outputs}
    assert outputs["eta[6]"] == ["vessel.eta[6]"]
    derivatives = {u.variable.name: {v.name for v in u.dependencies} for u in scalars.derivatives}
    assert "vessel.nu[6]" in derivatives["der(vessel.eta[6])"]
    assert "vessel.nu[1]" not in derivatives["der(vessel.eta[6])"]
    initial = {u.variable.name: [v.name for v in u.dependencies] for u in scalars.initialUnknowns}
    assert initial["vessel.eta[2]"] == ["vessel.initial_eta[2]"]
    members = {t.get("name"): [m.get("memberName") for m in t] for t in terminals(tmp_path / "m.fmu").iter("Terminal")}
    assert members["force"] == ["X", "Y", "Z", "K", "M", "N"]


@pytest.mark.parametrize("interface", ["CoSimulation", "ModelExchange"])
def test_elements_have_the_values_of_the_arrays(models, tmp_path, interface):
    rows = []
    for arrays in (True, False):
        path = fmu.export(models.guided_vessel(), tmp_path / "m.fmu", fmi="3.0", arrays=arrays, step=models.step)
        run = fmpy.simulate_fmu(
            path, fmi_type=interface, stop_time=1.0, output_interval=0.1, output=["eta"] if arrays else
            [f"eta[{i}]" for i in range(1, 7)],
        )  # fmt: skip
        rows.append([np.concatenate([np.atleast_1d(row[name]) for name in run.dtype.names]) for row in run])
    np.testing.assert_array_equal(*rows)


def test_rows_cannot_be_added_to_what_is_no_array(tmp_path):
    found = by_name(export3(LineOfSight(**LEGS), tmp_path, arrays=False))
    assert "n" not in found
    assert found["waypoints[3,2]"].start == "9.0"
    with pytest.raises(ExportError, match=r"capacities \(n\) need arrays"):
        fmu.export(LineOfSight(**LEGS), tmp_path / "m.fmu", fmi="3.0", arrays=False, capacities={"n": 9})


def test_aliases_of_elements(models, tmp_path):
    found = by_name(export3(models.guided_vessel(), tmp_path, arrays=False, local_variables=True))
    assert found["autopilot.speed.error"].alias is None
    found = by_name(export3(models.mixed(), tmp_path, arrays=False, local_variables=True))
    assert found["position.y"].alias is found["position.x"]


def test_a_tool_that_takes_no_clocks_gets_none(models, tmp_path):
    kinds = {v.type for v in export3(models.mixed(), tmp_path, clocks=False).modelVariables}
    assert "Clock" not in kinds


def test_the_time_has_another_name_where_a_block_has_its_own(tmp_path):
    found = by_name(export3(Step(time=1.0), tmp_path))
    assert (found["time_"].causality, found["simulation_time"].causality) == ("parameter", "independent")


def test_capabilities(models, tmp_path):
    fixed = export3(models.mixed(), tmp_path, step=0.02)
    cs, me = fixed.coSimulation, fixed.modelExchange
    assert cs.fixedInternalStepSize == "0.02"
    assert cs.hasEventMode
    assert cs.providesIntermediateUpdate
    assert cs.canReturnEarlyAfterIntermediateUpdate
    assert cs.mightReturnEarlyFromDoStep
    assert me.needsCompletedIntegratorStep
    for interface in (cs, me):
        assert interface.canSerializeFMUstate
        assert interface.providesAdjointDerivatives
        assert interface.providesPerElementDependencies
    assert export3(models.mixed(), tmp_path, solver="dopri5").coSimulation.fixedInternalStepSize is None


def test_continuous_ports_can_be_used_within_a_step(written):
    for v in etree.fromstring(ZipFile(written("mixed")).read("modelDescription.xml")).find("ModelVariables"):
        within = v.get("causality") in ("input", "output") and v.get("variability") == "continuous"
        assert (v.get("intermediateUpdate") == "true") is within


def terminals(path):
    """terminalsAndIcons.xml of an FMU, checked against its schema."""
    tree = etree.fromstring(ZipFile(path).read("terminalsAndIcons/terminalsAndIcons.xml"))
    etree.XMLSchema(file=SCHEMAS / "fmi3TerminalsAndIcons.xsd").assertValid(tree)
    return tree


def test_ports_of_a_family_are_terminals(models, tmp_path):
    path = fmu.export(models.guided_vessel()["plant"], tmp_path / "plant.fmu", fmi="3.0")
    found = {t.get("name"): t for t in terminals(path).iter("Terminal")}
    assert {name: t.get("terminalKind") for name, t in found.items()} == {
        "force": "_keelblocks_Wrench", "eta": "_keelblocks_Pose", "nu": "_keelblocks_BodyVelocity"
    }  # fmt: skip
    member = found["force"].find("TerminalMemberVariable")
    assert dict(member.attrib) == {"variableName": "force", "memberName": "Wrench", "variableKind": "signal"}
    assert found["force"].get("matchingRule") == "plug"


def test_single_numbers_and_parts_of_vectors_are_no_terminals(tmp_path):
    diagram = Diagram("parts")
    vessel = diagram.add("vessel", Vessel3DOF(mass=23.8, yaw_inertia=1.76))
    diagram.inputs(force=vessel.force)
    diagram.outputs(psi=vessel.eta["psi"], position=vessel.eta[0:3], nu=vessel.nu)
    path = fmu.export(diagram, tmp_path / "parts.fmu", fmi="3.0")
    assert [t.get("name") for t in terminals(path).iter("Terminal")] == ["force", "nu"]


def test_the_icon_is_where_its_picture_is(exported, tmp_path, models):
    path = fmu.export(models.mixed(), tmp_path / "m.fmu", fmi="3.0")
    with ZipFile(path) as archive:
        png = archive.read("terminalsAndIcons/icon.png")
        svg = etree.fromstring(archive.read("terminalsAndIcons/icon.svg"))
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    icon = terminals(path).find("GraphicalRepresentation/Icon")
    assert (icon.get("x2"), icon.get("y2")) == (str(width), str(height))
    assert min(width, height) >= 100
    assert float(svg.get("width")) / float(svg.get("height")) == pytest.approx(width / height, rel=0.02)
    with ZipFile(exported("mixed")) as archive:
        assert archive.read("model.png") == png
