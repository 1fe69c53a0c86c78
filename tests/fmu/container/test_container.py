"""Diagrams with FMUs from elsewhere as one FMU, in FMPy, libcosim and Ecos: its numbers are those of `simulate`."""

from __future__ import annotations

import zipfile
from xml.etree import ElementTree as ET

import fmpy
import foreign_fmus
import numpy as np
import pytest
from containers import END, FIXED, H, expected, run
from cosimulation import Job, cosimulate
from fmpy.fmi2 import FMU2Slave
from foreign_checks import complaints
from python_models import TurnCounter
from systems import SystemJob, run_system, wire

import fmu
from blocks import Diagram, simulate
from blocks.basic import FirstOrderLag, Gain, MatrixGain, Sine, Step, Sum
from fmu import FmuBlock

POINTS = round(END / H)


def station(tank):
    """A tank in a diagram within a diagram, its level fed back: flows are in l/min in the FMU, m3/s here."""
    top = Diagram("plant", title="A tank that is kept full")
    inner = top.add("station", Diagram("station"))
    given = {"mode": "high", "outlet.k": 0.02}
    inner.add("tank", FmuBlock(tank, H, parameters=given, feedthrough=False))
    inner.inputs(inflow="tank.inflow", opening="tank.opening")
    inner.outputs(volume="tank.volume", level="tank.level", power="tank.power")
    top.add("lag", FirstOrderLag(0.3))
    top.add("control", Gain(2e-4))
    top.add("swell", Sine(0.2, 1.0, offset=0.5))
    wire(top, ("station.volume", "lag.u"), ("lag.y", "control.u"), ("control.y", "station.inflow"))
    wire(top, ("swell.y", "station.opening"))
    top.outputs(volume="station.volume", level="station.level", lag="lag.y", inflow="control.y", power="station.power")
    return top


SHOWN = {"volume": "station.tank.volume", "lag": "lag.y", "inflow": "control.y", "power": "station.tank.power"}


@pytest.fixture(scope="module")
def plant(tank, fmus):
    return fmu.export(station(tank), fmus / "plant.fmu", step=0.05, end=END)


def test_the_numbers_are_those_of_simulate_to_the_last_bit(tank, plant):
    """The container steps its FMUs as `simulate` does, with values of the same instants: there is nothing between."""
    ours, theirs = expected(station(tank), SHOWN.values()), run(plant, SHOWN)
    assert ours.tobytes() == theirs.tobytes()
    assert ours[0, 3] == pytest.approx(4186.0 * 0.1 * 10.0)  # of the start values of what flows in


@pytest.mark.parametrize("tool", ["libcosim", "ecos"])
def test_libcosim_and_ecos_get_the_same_numbers(tool, tank, plant, tmp_path):
    record = [f"plant.{name}" for name in SHOWN]
    changed = {"plant.control.gain[1]": 4e-4, "plant.station.tank.outlet.k": 0.05}
    jobs = [Job({"plant": plant}, H, POINTS, record, start=start) for start in ({}, changed)]
    other = station(tank)
    other["control"].set(gain=4e-4)
    other["station.tank"].set(**{"outlet.k": 0.05})
    for found, diagram in zip(cosimulate(tool, jobs, tmp_path), (station(tank), other), strict=True):
        assert not isinstance(found, str), found
        assert found.tobytes() == expected(diagram, SHOWN.values())[1:].tobytes()  # both begin with their first step


def test_it_is_a_block_here_too_whose_parameters_count(tank, plant):
    """The runtime of the container takes start values back when an experiment is set up: so that comes first."""
    around = Diagram("around")
    around.add("plant", FmuBlock(plant, H, parameters={"station.tank.outlet.k": 0.05}, feedthrough=False))
    found = simulate(around, END, step=H).values("plant.volume")
    other = station(tank)
    other["station.tank"].set(**{"outlet.k": 0.05})
    assert found[1:].tobytes() == expected(other, ["station.tank.volume"])[1:, 0].tobytes()


def test_nobody_finds_fault_with_it(plant):
    assert complaints(plant) == []


def test_variables_are_those_of_any_fmu_of_ours_and_parameters_of_the_others(tank, plant):
    model = fmpy.read_model_description(str(plant))
    found = {v.name: (v.causality, v.variability, v.unit, v.description) for v in model.modelVariables}
    assert found["volume"] == ("output", "continuous", "m3", "water in the tank")
    assert found["level[3]"][:3] == ("output", "continuous", "m3")
    assert found["lag.time_constant[1]"] == ("parameter", "tunable", "s", "time constant T")
    assert found["station.tank.outlet.k"] == ("parameter", "tunable", None, "size of the outlet")
    assert not [name for name in found if name.startswith(("fmu1", "station.tank._"))]
    starts = {v.name: v.start for v in model.modelVariables if v.name.startswith("station.tank")}
    assert starts == {
        "station.tank.outlet.k": "0.02", "station.tank.mode": "5", "station.tank.label": "tank",
        "station.tank.timeout": "3",
    }  # fmt: skip
    experiment = model.defaultExperiment
    assert (model.modelName, experiment.stepSize, experiment.stopTime) == ("plant", "0.1", "2.0")
    assert model.description == "A tank that is kept full"
    assert model.modelExchange is None


def test_what_is_in_it(plant):
    with zipfile.ZipFile(plant) as archive:
        names = set(archive.namelist())
        page = archive.read("documentation/index.html").decode()
        licence = archive.read("documentation/licenses/fmu_manipulation_toolbox.txt").decode()
    assert {"model.png", "resources/container.txt", "documentation/licenses/license.txt"} < names
    assert {"resources/00/modelDescription.xml", "resources/01/resources/plan.bin"} < names
    assert "tank.fmu" in page
    assert "<svg" in page
    assert "Renault SAS" in licence


def test_equal_diagrams_give_equal_bytes(tank, plant, tmp_path):
    again = fmu.export(station(tank), tmp_path / "plant.fmu", step=0.05, end=END)
    assert again.read_bytes() == plant.read_bytes()
    other = station(tank)
    other["station.tank"].set(**{"outlet.k": 0.021})
    changed = fmu.export(other, tmp_path / "other.fmu", step=0.05, end=END)
    guids = {fmpy.read_model_description(str(path)).guid for path in (plant, again, changed)}
    assert len(guids) == 2


def test_longer_communication_steps_of_the_tool_change_nothing(tank, plant):
    found = fmpy.simulate_fmu(str(plant), stop_time=END, output_interval=2 * H, output=["volume", "lag"])
    ours = expected(station(tank), ("station.tank.volume", "lag.y"))[::2]
    assert np.column_stack([found["volume"], found["lag"]]).tobytes() == ours.tobytes()


def test_it_begins_anew_after_a_reset_and_at_any_time(tank, plant, tmp_path):
    model = fmpy.read_model_description(str(plant))
    references = [v.valueReference for v in model.modelVariables if v.name in SHOWN]
    folder = fmpy.extract(str(plant), tmp_path / "plant")
    slave = FMU2Slave(
        guid=model.guid, unzipDirectory=folder, modelIdentifier=model.coSimulation.modelIdentifier, instanceName="plant"
    )
    slave.instantiate()
    begins = []
    for start in (0.0, 0.0, 3.0):
        slave.setupExperiment(startTime=start)
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        rows = [slave.getReal(references)]
        for k in range(5):
            slave.doStep(start + k * H, H)
            rows.append(slave.getReal(references))
        begins.append(rows)
        slave.reset()
    slave.freeInstance()
    order = [v.name for v in model.modelVariables if v.name in SHOWN]
    for start, rows in zip((0.0, 0.0, 3.0), begins, strict=True):
        run = simulate(station(tank), start + 0.5, start=start, step=0.05, every=2)
        ours = np.column_stack([run.values(SHOWN[name]) for name in order])
        assert np.array(rows)[1:] == pytest.approx(ours[1:], rel=1e-12, abs=1e-15)


def test_an_ssp_at_the_same_step_has_the_same_numbers_where_nothing_follows_at_once(tank, tmp_path):
    """Its master exchanges values after each step, which delays what follows an input at once; a lag does not."""
    diagram = Diagram("slow")
    diagram.add("tank", FmuBlock(tank, H, feedthrough=False))
    diagram.add("lag", FirstOrderLag(0.3))
    wire(diagram, ("tank.volume", "lag.u"), ("lag.y", "tank.opening"))
    diagram.outputs(volume="tank.volume", lag="lag.y")
    one = fmu.export(diagram, tmp_path / "slow.fmu", step=0.05)
    system = fmu.export_ssp(diagram, tmp_path / "slow.ssp", step=0.05)
    folder = tmp_path / "slow"
    zipfile.ZipFile(system).extractall(folder)
    several = run_system("libcosim", SystemJob(folder, POINTS, ["tank.volume", "lag.y"], step=None), tmp_path)
    assert run(one, ("volume", "lag"))[1:].tobytes() == np.asarray(several).tobytes()


def test_numbers_of_all_kinds_and_inputs_of_the_whole(tank, tmp_path):
    """Degrees Celsius, whole numbers and switches; an input that leads to the FMU as it is arrives at once."""
    diagram = Diagram("kinds")
    diagram.add("tank", FmuBlock(tank, H, feedthrough=False))
    diagram.add("warm", Sine(5.0, 2.0, offset=300.0))
    diagram.add("count", Step(time=0.4, before=1.0, after=3.0))
    diagram.add("shut", Step(time=0.7, before=1.0, after=0.0))
    diagram.add("sum", Sum("++"))
    wire(diagram, ("warm.y", "tank.supply_temperature"), ("count.y", "tank.pumps"), ("shut.y", "tank.valve"))
    wire(diagram, ("tank.steps", "sum.in1"), ("tank.overflow", "sum.in2"))
    diagram.inputs(inflow="tank.inflow", opening="tank.opening")
    diagram.outputs(volume="tank.volume", sum="sum.y", power="tank.power")
    path = fmu.export(diagram, tmp_path / "kinds.fmu", step=0.05)
    times = np.arange(0.0, END, H)
    opening = 0.5 + 0.1 * np.sin(times)
    columns = [("time", float), ("inflow", float), ("opening", float)]
    given = np.array([(t, 2e-3, o) for t, o in zip(times, opening, strict=True)], dtype=columns)
    theirs = run(path, ("volume", "sum", "power"), input=given)
    inputs = {"inflow": 2e-3, "opening": (times, opening)}
    ours = expected(diagram, ("tank.volume", "sum.y", "tank.power"), inputs=inputs)
    assert theirs.tobytes() == ours.tobytes()
    assert fmpy.read_model_description(str(path)).modelVariables[0].unit == "m3/s"


def test_an_array_of_fmi_3_and_the_same_fmu_twice(fmus, tmp_path):
    own_starts = {'start="0.5 0.25 0.125"': 'start="0 0 0"'}  # those that it has while nothing is set
    mixer = foreign_fmus.build("mixer", fmus, name="mixer0", replace=FIXED | own_starts)
    carrier = foreign_fmus.build("carrier", fmus)
    diagram = Diagram("mixed")
    diagram.add("mixer", FmuBlock(mixer, H, feedthrough=False))
    diagram.add("wave", Sine([1.0, 2.0, 3.0], 3.0))
    diagram.add("first", Gain(0.1))
    for name, gear in (("low", "low"), ("high", "high")):
        diagram.add(name, FmuBlock(carrier, H, parameters={"gear": gear}, feedthrough=False))
    wire(diagram, ("wave.y", "mixer.u"), ("mixer.y[0]", "first.u"), ("first.y", "low.u"), ("low.y", "high.u"))
    diagram.outputs(y="high.y", mixed="mixer.y", gear="high.ratio", other="low.ratio")
    path = fmu.export(diagram, tmp_path / "mixed.fmu", step=0.05)
    assert complaints(path) == []
    names = ("y", "mixed[1]", "mixed[2]", "gear", "other")
    run_of_ours = simulate(diagram, END, step=0.05, every=2)
    ours = [run_of_ours.values("high.y"), *run_of_ours.values("mixer.y").T]
    ours += [run_of_ours.values("high.ratio"), run_of_ours.values("low.ratio")]
    assert run(path, names).tobytes() == np.column_stack(ours).tobytes()


def test_an_array_of_the_whole_and_inputs_that_nothing_feeds(fmus, tmp_path):
    """Where there are none, as of a gain, sizes are those of the FMU's ports; what is not fed has its start value."""
    mixer = foreign_fmus.build("mixer", fmus, replace=FIXED)
    alone, fed = Diagram("alone"), Diagram("fed")
    for diagram in (alone, fed):
        diagram.add("mixer", FmuBlock(mixer, H, feedthrough=False))
        diagram.outputs(total="mixer.total")
    fed.add("double", Gain(2.0))
    fed.connect("double.y", "mixer.u")
    fed.inputs(u="double.u")
    ours = expected(alone, ["mixer.total"])
    assert ours[-1, 0] == pytest.approx(END * 0.875)
    assert run(fmu.export(alone, tmp_path / "alone.fmu", step=0.05), ["total"]).tobytes() == ours.tobytes()
    path = fmu.export(fed, tmp_path / "fed.fmu", step=0.05)
    found = run(path, ["total"], start_values={f"u[{i}]": float(i) for i in (1, 2, 3)})
    assert found.tobytes() == expected(fed, ["mixer.total"], inputs={"u": [1.0, 2.0, 3.0]}).tobytes()
    fed.replace("double", MatrixGain(np.ones((3, 2))))
    path = fmu.export(fed, tmp_path / "two.fmu", step=0.05)
    inputs = [v.name for v in fmpy.read_model_description(str(path)).modelVariables if v.causality == "input"]
    assert inputs == ["u[1]", "u[2]"]


def test_an_output_without_elements_is_left_out(fmus, tmp_path):
    empty = '<Float64 name="none" valueReference="77" causality="output"><Dimension start="0"/></Float64>'
    unknowns = '<Output valueReference="77" dependencies=""/><InitialUnknown valueReference="77" dependencies=""/>'
    first = '<InitialUnknown valueReference="4"'
    changed = FIXED | {'<Float64 name="total"': f'{empty}<Float64 name="total"', first: unknowns + first}
    diagram = Diagram("little")
    diagram.add("mixer", FmuBlock(foreign_fmus.build("mixer", fmus, name="little", replace=changed), H))
    diagram.outputs(total="mixer.total")
    path = fmu.export(diagram, tmp_path / "little.fmu", local_variables=True)
    found = {v.name for v in fmpy.read_model_description(str(path)).modelVariables}
    assert {"mixer.y[1]", "mixer.length", "total"} <= found
    assert not {name for name in found if "none" in name}


def test_many_fmus_take_little_time(tank, tmp_path, monkeypatch):
    """What is ours of a diagram has many more blocks than that, and is not drawn."""
    drawn = []
    search = fmu.description.drawing.layout
    monkeypatch.setattr(fmu.description.drawing, "layout", lambda graph: drawn.append(graph) or search(graph))
    diagram = Diagram("cascade")
    for i in range(7):
        diagram.add(f"tank{i}", FmuBlock(tank, H, feedthrough=False))
        if i:
            diagram.connect(f"tank{i - 1}.volume", f"tank{i}.opening")
    diagram.outputs(volume="tank6.volume")
    path = fmu.export(diagram, tmp_path / "cascade.fmu", step=H)
    assert len(drawn) == 1
    with zipfile.ZipFile(path) as archive:
        assert archive.read("resources/07/model.png") == archive.read("model.png")


def test_local_variables_and_chosen_parameters(tank, tmp_path):
    path = fmu.export(station(tank), tmp_path / "all.fmu", step=0.05, local_variables=True, parameters=["station.*"])
    found = {v.name: v.causality for v in fmpy.read_model_description(str(path)).modelVariables}
    assert {name for name, causality in found.items() if causality == "local"} == {
        "station.tank.volume", "station.tank.power", "station.tank.level[1]", "station.tank.level[2]",
        "station.tank.level[3]", "station.tank.steps", "station.tank.overflow", "control.y", "lag.y", "swell.y",
    }  # fmt: skip
    assert {name for name, causality in found.items() if causality == "parameter"} == {
        "station.tank.outlet.k", "station.tank.mode", "station.tank.label", "station.tank.timeout",
    }  # fmt: skip
    least = fmu.export(station(tank), tmp_path / "least.fmu", only_interface=True, parameters="control.gain[1]")
    found = {v.name: v.causality for v in fmpy.read_model_description(str(least)).modelVariables}
    assert [name for name, causality in found.items() if causality != "output"] == ["control.gain[1]"]
    names = ("station.tank.power", "station.tank.steps", "swell.y")
    assert run(path, names).tobytes() == expected(station(tank), names).tobytes()
    some = fmu.export(station(tank), tmp_path / "some.fmu", only_interface=True, parameters=["l*[1]", "swell.*e[1]"])
    found = {v.name: v.causality for v in fmpy.read_model_description(str(some)).modelVariables}
    assert {name for name, causality in found.items() if causality == "parameter"} == {
        "lag.time_constant[1]", "lag.initial_x[1]", "swell.amplitude[1]", "swell.phase[1]",
    }  # fmt: skip


def test_blocks_written_in_python_are_the_part_that_needs_python(tank, tmp_path):
    diagram = Diagram("counted")
    diagram.add("tank", FmuBlock(tank, H, feedthrough=False))
    diagram.add("rate", Gain(1e-4))
    diagram.add("turns", TurnCounter())
    wire(diagram, ("tank.power", "rate.u"), ("rate.y", "turns.rate"))
    diagram.outputs(turns="turns.turns")
    with pytest.warns(fmu.PythonNeeded):
        path = fmu.export(diagram, tmp_path / "counted.fmu", step=0.05)
    found = run(path, ["turns"])
    assert found[-1, 0] > 0.1
    assert found.tobytes() == expected(diagram, ["turns.turns"]).tobytes()


def test_outputs_depend_on_what_they_follow_at_once(tank, tmp_path):
    diagram = Diagram("both")
    diagram.add("tank", FmuBlock(tank, H))
    diagram.add("double", Gain(2.0))
    diagram.add("sum", Sum("++"))
    wire(diagram, ("tank.volume", "sum.in1"), ("double.y", "sum.in2"))
    diagram.inputs(u="double.u")
    diagram.outputs(y="sum.y", volume="tank.volume")
    with zipfile.ZipFile(fmu.export(diagram, tmp_path / "both.fmu")) as archive:
        outputs = ET.fromstring(archive.read("modelDescription.xml")).findall("ModelStructure/Outputs/Unknown")
    assert [unknown.attrib for unknown in outputs] == [
        {"index": "2", "dependencies": "1"}, {"index": "3", "dependencies": ""},
    ]  # fmt: skip
