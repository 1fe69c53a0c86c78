"""SSP files in tools that no one here wrote: FMPy, libcosim and Ecos run them, and agree with each other.

All three step every FMU from one communication point and then exchange (Jacobi). They differ at the ends of a step:

- libcosim and Ecos exchange the outputs of the initialization before the first step; FMPy begins with all inputs at 0.
- Ecos reads outputs once more after the exchange, so what it shows of an output that follows an input at once is a
  step ahead; what it passes on is not.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from fmpy.ssp.simulation import simulate_ssp
from systems import COMMUNICATION_STEP, STEP, SystemJob, nested, oscillator, refusal, repacked, run_system, unpacked

import fmu
from blocks.scenario import Scenario
from fmu.compare import Slave, co_simulate

MISSION = Path(__file__).parents[3] / "examples" / "minerva_los.yaml"
TOLERANCE = 1e-9
STEPS = 64
END = STEPS * COMMUNICATION_STEP
FEEDTHROUGH_FREE = [f"plant.{port}[{i}]" for port in ("eta", "nu") for i in range(1, 7)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("ssp")


def export(component, path, **settings):
    return fmu.export_ssp(component, path, step=STEP, communication_step=COMMUNICATION_STEP, **settings)


def parts(ssp, folder):
    """The FMUs of an SSP by the names of its components."""
    unpacked(ssp, folder)
    return {path.stem: path for path in (folder / "resources").glob("*.fmu")}


def close(found, expected):
    assert np.abs(expected).max() > 1e-3
    np.testing.assert_allclose(found, expected, rtol=TOLERANCE, atol=TOLERANCE * np.abs(expected).max())


def test_single_blocks_agree_in_every_tool(folder):
    """All signals begin at 0, so that FMPy begins like the others."""
    diagram = oscillator()
    path = export(diagram, folder)
    where = unpacked(path, folder / "oscillator")
    _, table = co_simulate(diagram, parts(path, where), END, COMMUNICATION_STEP)
    expected = np.column_stack([table["x"][1:, 0], table["v"][1:, 0]])
    names = ["position.y", "speed.y"]
    fmpys = simulate_ssp(str(path), stop_time=END, step_size=COMMUNICATION_STEP)
    assert len(fmpys) == STEPS
    close(np.column_stack([fmpys[name] for name in names]), expected)
    close(run_system("libcosim", SystemJob(where, STEPS, names), folder), expected)
    close(run_system("ecos", SystemJob(path, STEPS, names), folder), expected)
    assert np.abs(expected).max() > 0.2


def test_a_closed_loop_of_subsystems_agrees_in_libcosim_and_ecos(models, folder):
    diagram = models.guided_vessel()
    path = export(diagram, folder)
    where = unpacked(path, folder / "guided")
    _, table = co_simulate(diagram, parts(path, where), END, COMMUNICATION_STEP)
    expected = np.hstack([table["eta"], table["nu"]])[1:]
    close(run_system("libcosim", SystemJob(where, STEPS, FEEDTHROUGH_FREE), folder), expected)
    close(run_system("libcosim", SystemJob(where, STEPS, FEEDTHROUGH_FREE, step=None), folder), expected)  # annotated
    job = SystemJob(path, STEPS, FEEDTHROUGH_FREE, parameter_set="parameters")
    close(run_system("ecos", job, folder), expected)


def zero_start(ssp, where, steps, names):
    """FMPy's master: all inputs are 0 in the first step, the outputs of the initialization are never passed on."""
    with zipfile.ZipFile(ssp) as archive:
        text = archive.read("SystemStructure.ssd").decode()
    ends = re.findall(r'startElement="(\w+)" startConnector="([^"]+)" endElement="(\w+)" endConnector="([^"]+)"', text)
    slaves = {name: Slave(name, path) for name, path in parts(ssp, where).items()}
    inputs = {(sink, target): 0.0 for _, _, sink, target in ends}
    rows = []
    try:
        for slave in slaves.values():
            slave.__enter__()
            slave.fmu.setupExperiment(startTime=0.0)
            slave.fmu.enterInitializationMode()
            slave.fmu.exitInitializationMode()
        for k in range(steps):
            for name, slave in slaves.items():
                mine = {slave.references[v]: value for (owner, v), value in inputs.items() if owner == name}
                slave.fmu.setReal(list(mine), list(mine.values()))
                slave.fmu.doStep(k * COMMUNICATION_STEP, COMMUNICATION_STEP)
            for source, output, sink, target in ends:
                (inputs[sink, target],) = slaves[source].fmu.getReal([slaves[source].references[output]])
            owned = [name.split(".", 1) for name in names]
            rows.append([slaves[part].fmu.getReal([slaves[part].references[name]])[0] for part, name in owned])
    finally:
        for slave in slaves.values():
            slave.__exit__(None, None, None)
    return np.array(rows)


def test_fmpy_begins_with_inputs_of_zero_and_agrees_from_there(models, folder):
    diagram = models.guided_vessel()
    path = export(diagram, folder / "fmpy.ssp")
    found = simulate_ssp(str(path), stop_time=END, step_size=COMMUNICATION_STEP)
    found = np.column_stack([found[name] for name in FEEDTHROUGH_FREE])
    close(found, zero_start(path, folder / "fmpy", STEPS, FEEDTHROUGH_FREE))
    _, table = co_simulate(diagram, parts(path, folder / "fmpy2"), END, COMMUNICATION_STEP)
    assert np.abs(found - np.hstack([table["eta"], table["nu"]])[1:]).max() > 1e-4  # the difference is real


def test_fmpy_drives_the_inputs_of_a_diagram(folder):
    diagram = oscillator(driven=True)
    path = export(diagram, folder / "driven.ssp")
    found = simulate_ssp(
        str(path),
        stop_time=END,
        step_size=COMMUNICATION_STEP,
        input={"push": lambda t: np.sin(2.0 * (t + COMMUNICATION_STEP))},
    )
    closed = simulate_ssp(str(export(oscillator(), folder / "closed.ssp")), stop_time=END, step_size=COMMUNICATION_STEP)
    close(found["x"], closed["position.y"])
    assert {"push", "x", "v"} <= set(found.dtype.names)


def test_libcosim_and_ecos_refuse_connectors_of_the_system(folder):
    """This is why the outputs of a closed diagram are not connectors by default."""
    path = export(oscillator(), folder / "boundary.ssp", boundary=True)
    where = unpacked(path, folder / "boundary")
    assert "Unable to create execution" in refusal("libcosim", SystemJob(where, 1, []), folder)
    assert "No element named" in refusal("ecos", SystemJob(path, 1, []), folder)


def test_a_diagram_with_inputs_runs_everywhere_without_its_boundary(folder):
    path = export(nested(), folder / "nested.ssp", boundary=False, subsystems=["inner.lag"])
    names = ["inner_lag.y[1]", "inner_lag.y[2]", "inner_lag.y[3]", "tail.y"]
    here = run_system("libcosim", SystemJob(unpacked(path, folder / "nested"), 8, names), folder)
    close(run_system("ecos", SystemJob(path, 8, names), folder), here)
    assert np.sign(here[-1]).tolist() == [1.0, -1.0, 1.0, -1.0]  # those of the bias


def test_a_changed_parameter_set_changes_the_run(folder):
    """libcosim applies every set, Ecos those of the name that it is given, and none without."""
    path = export(oscillator(), folder / "stiff.ssp")
    with zipfile.ZipFile(path) as archive:
        text = archive.read("resources/spring.ssv").decode()
    stiffer = text.replace('value="4.0"', 'value="9.0"')
    assert stiffer != text
    changed = repacked(path, folder / "stiffer.ssp", {"resources/spring.ssv": stiffer.encode()})
    direct = oscillator()
    direct["spring"].set(gain=9.0)
    wanted = export(direct, folder / "direct.ssp")
    names = ["position.y"]
    expected = run_system("libcosim", SystemJob(unpacked(wanted, folder / "direct"), STEPS, names), folder)
    close(run_system("libcosim", SystemJob(unpacked(changed, folder / "stiffer"), STEPS, names), folder), expected)
    close(run_system("ecos", SystemJob(changed, STEPS, names, parameter_set="parameters"), folder), expected)
    unset = run_system("ecos", SystemJob(changed, STEPS, names), folder)
    assert np.abs(unset - expected).max() > 0.01


def test_the_minerva_mission_agrees(folder):
    scenario = Scenario.load(MISSION)
    path = fmu.export_ssp(scenario.diagram, folder / "minerva.ssp", step=1 / 64, communication_step=COMMUNICATION_STEP)
    where = unpacked(path, folder / "minerva")
    _, table = co_simulate(scenario.diagram, parts(path, where), END, COMMUNICATION_STEP)
    expected = np.hstack([table["eta"], table["nu"]])[1:]
    close(run_system("libcosim", SystemJob(where, STEPS, FEEDTHROUGH_FREE), folder), expected)
    close(run_system("ecos", SystemJob(path, STEPS, FEEDTHROUGH_FREE, parameter_set="parameters"), folder), expected)
    fmpys = simulate_ssp(str(path), stop_time=END, step_size=COMMUNICATION_STEP)
    found = np.column_stack([fmpys[name] for name in FEEDTHROUGH_FREE])
    close(found, zero_start(path, folder / "minerva2", STEPS, FEEDTHROUGH_FREE))
