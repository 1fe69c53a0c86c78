"""FMUs of FMI 3.0 with blocks written in Python: arrays, types, states, failures, and what the wrapper has not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import c_host
import fmpy
import numpy as np
import pytest
from cosimulation import Job, cosimulate
from fmpy.fmi3 import FMU3Slave
from foreign_checks import complaints
from python_models import moody, tethered, turning

import fmu
from blocks import simulate
from blocks.basic import LookupTable1D
from blocks.errors import ExportError

STEP = 0.02


def export(component, path, **settings):
    """Export for FMI 3, with the warning that it needs Python."""
    with pytest.warns(fmu.PythonNeeded):
        return fmu.export(component, path, **({"fmi": "3.0", "step": STEP} | settings))


class Tool:
    """An importing tool with one instance of an FMU."""

    def __init__(self, path):
        self.description = fmpy.read_model_description(path)
        self.variables = {v.name: v for v in self.description.modelVariables}
        self.folder = Path(fmpy.extract(path))
        self.messages: list[str] = []
        self.slave = FMU3Slave(
            guid=self.description.guid,
            unzipDirectory=str(self.folder),
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName="tool",
        )

    def _log(self, environment, status, category, message):
        self.messages.append(message.decode())

    def instantiate(self):
        """fmi3InstantiateCoSimulation."""
        self.slave.instantiate(logMessage=self._log)
        return self

    def initialize(self, **settings):
        """Up to the first communication point."""
        self.slave.enterInitializationMode(**settings)
        self.slave.exitInitializationMode()
        return self

    def references(self, *names):
        """Value references."""
        return [self.variables[name].valueReference for name in names]

    def get(self, *names):
        """Float64 values, arrays one after the other."""
        counts = [int(np.prod(self.variables[name].shape or (1,))) for name in names]
        return list(self.slave.getFloat64(self.references(*names), nValues=sum(counts)))

    def set(self, name, *values):
        """Set a Float64 variable."""
        self.slave.setFloat64(self.references(name), list(values))

    def run(self, steps, *names, first=0):
        """Values after each of some steps."""
        rows = []
        for k in range(first, first + steps):
            self.slave.doStep(currentCommunicationPoint=k * STEP, communicationStepSize=STEP)
            rows.append(self.get(*names))
        return rows


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    """The FMUs, exported once."""
    folder = tmp_path_factory.mktemp("python_fmi3")
    made = {
        "tethered": export(tethered(), folder / "tethered.fmu"),
        "turning": export(turning(), folder / "turning.fmu"),
        "moody": export(moody(), folder / "moody.fmu"),
        "stopping": export(turning(), folder / "stopping.fmu", stop="counter.warning"),
        "adaptive": export(tethered(), folder / "adaptive.fmu", solver="dopri5"),
    }
    return made


@pytest.fixture
def tool(paths):
    """Opens FMUs and frees them after the test."""
    tools = []

    def make(name):
        tools.append(Tool(paths[name]))
        return tools[-1].instantiate()

    yield make
    for one in tools:
        one.slave.freeInstance()
        shutil.rmtree(one.folder, ignore_errors=True)


def expected(steps, thrust=6.0):
    """The whole eta, and the stretch of the tether, from `simulate`."""
    result = simulate(tethered(), steps * STEP, step=STEP, inputs={"thrust": thrust})
    return np.column_stack([result.values("vessel.eta"), result.values("tether.stretch")])


def test_numbers_are_those_of_simulate_to_the_last_bit(tool):
    one = tool("tethered")
    one.set("thrust", 6.0)
    one.initialize()
    rows = [one.get("eta", "stretch"), *one.run(100, "eta", "stretch")]
    np.testing.assert_array_equal(rows, expected(100))
    assert one.get("time") == [2.0]


def test_nothing_is_wrong_with_the_description(paths):
    for name in ("tethered", "turning"):
        assert complaints(paths[name]) == []
    described = fmpy.read_model_description(paths["tethered"])
    assert described.modelExchange is None
    kind = described.coSimulation
    assert (kind.needsExecutionTool, kind.canGetAndSetFMUstate, kind.hasEventMode) == (True, True, False)
    variables = {v.name: v for v in described.modelVariables}
    assert (variables["eta"].shape, variables["stretch"].unit) == ((6,), "m")
    assert not [v for v in described.modelVariables if v.type in ("Clock", "Binary", "UInt64")]


def test_parameters_of_every_type(tool):
    one = tool("tethered")
    one.set("tether.anchor", 0.5, 1.0, 0.0)
    one.slave.setInt64(one.references("tether.law"), [2])
    one.slave.setBoolean(one.references("tether.slack"), [True])
    one.set("thrust", 6.0)
    one.initialize()
    assert one.get("tether.anchor") == [0.5, 1.0, 0.0]
    assert list(one.slave.getInt64(one.references("tether.law"))) == [2]
    assert list(one.slave.getBoolean(one.references("tether.slack"))) == [True]
    assert one.run(100, "stretch")[-1] == [0.0]


def test_a_saved_state_continues_bit_for_bit(tool):
    one = tool("tethered")
    one.set("thrust", 6.0)
    one.initialize()
    one.run(50, "eta")
    saved = one.slave.getFMUState()
    data = one.slave.serializeFMUState(saved)
    first = one.run(40, "eta", "total", first=50)
    one.slave.setFMUState(saved)
    assert one.run(40, "eta", "total", first=50) == first
    other = tool("tethered").initialize()
    restored = other.slave.deserializeFMUState(data)
    other.slave.setFMUState(restored)
    assert other.run(40, "eta", "total", first=50) == first
    one.slave.freeFMUState(saved)
    other.slave.freeFMUState(restored)


def test_the_experiment_reaches_the_model(tool):
    one = tool("tethered").initialize(startTime=3.0, stopTime=3.1)
    assert one.get("time") == [3.0]
    one.slave.doStep(currentCommunicationPoint=3.0, communicationStepSize=0.1)
    with pytest.raises(fmpy.fmi1.FMICallException):
        one.slave.doStep(currentCommunicationPoint=3.1, communicationStepSize=0.1)
    assert "goes beyond the stop time 3.1 s" in one.messages[-1]
    one.slave.reset()
    with pytest.raises(fmpy.fmi1.FMICallException):
        one.slave.enterInitializationMode(startTime=2.0, stopTime=1.0)
    assert "the stop time must be after the start time 2 s, not 1 s" in one.messages[-1]
    one.initialize()
    assert one.get("time") == [0.0]


def test_an_exception_is_an_error_and_messages_are_no_formats(tool):
    one = tool("moody").initialize()
    one.set("u", 1.5)
    with pytest.raises(fmpy.fmi1.FMICallException) as stopped:
        one.run(1, "y")
    assert stopped.value.status == 3
    assert one.messages[-1].startswith(
        "block stopped the run at t = 0 s: ValueError in outputs: 100 % too much: 1.50 at #"
    )
    one.slave.reset()
    assert one.initialize().run(2, "y") == [[1.0], [1.0]]


def test_an_output_that_ends_the_run(tool):
    one = tool("stopping")
    one.set("rate", 1.0)
    one.set("counter.most", 0.01)
    one.initialize()
    ended = False
    for k in range(50):
        _, ended, _, reached = one.slave.doStep(currentCommunicationPoint=k * STEP, communicationStepSize=STEP)
        if ended:
            break
    assert (ended, reached) == (True, 0.08)


def test_a_tolerance_that_the_tool_asks_for(tool):
    def error(tolerance):
        one = tool("adaptive")
        one.set("thrust", 6.0)
        one.initialize(tolerance=tolerance)
        one.slave.doStep(currentCommunicationPoint=0.0, communicationStepSize=3.0)
        return abs(one.get("eta")[0] - reference)

    reference = simulate(
        tethered(), 3.0, solver="dopri5", step=3.0, relative_tolerance=1e-11, absolute_tolerance=1e-13,
        inputs={"thrust": 6.0},
    ).values("vessel.eta")[-1, 0]  # fmt: skip
    assert error(1e-10) < 0.1 * error(1e-3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s, r: s.getFloat64([999]), "there is no variable with value reference 999"),
        (lambda s, r: s.getFloat64([2**32 - 1]), "there is no variable with value reference 4294967295"),
        (lambda s, r: s.getInt32(r("stretch")), "stretch is not of the type of this function"),
        (lambda s, r: s.getFloat64(r("eta"), nValues=5), "these variables have 6 values, but nValues is 5"),
        (lambda s, r: s.setFloat64(r("tether.anchor"), [1.0]), "these variables have 3 values, but nValues is 1"),
        (lambda s, r: s.setFloat64(r("time"), [1.0]), "time cannot be set"),
        (lambda s, r: s.setFloat64(r("stretch"), [1.0]), "stretch cannot be set: it is neither an input nor"),
        (lambda s, r: s.getClock(r("stretch")), "there is no Clock variable with value reference"),
        (lambda s, r: s.getUInt64(r("stretch")), "there is no UInt64 variable with value reference"),
        (lambda s, r: s.enterEventMode(), 'is not offered: modelDescription.xml says hasEventMode="false"'),
        (lambda s, r: s.enterConfigurationMode(), "there is no structural parameter"),
    ],
)
def test_calls_that_are_refused(tool, call, message):
    one = tool("tethered").initialize()
    with pytest.raises(fmpy.fmi1.FMICallException):
        call(one.slave, one.references)
    assert message in one.messages[-1]
    one.run(1, "eta")


def test_what_such_fmus_do_not_have_is_refused(tmp_path):
    for settings, message in (
        ({"interfaces": ["me"]}, "blocks written in Python leave for co-simulation only, not for model exchange"),
        ({"sources": True}, "blocks written in Python have no C sources"),
        ({"capacities": {"counter.n": 5}}, "with blocks written in Python arrays keep the size they have"),
    ):
        with pytest.raises(ExportError, match=message):
            fmu.export(turning(), tmp_path / "m.fmu", fmi="3.0", **settings)
    assert list(tmp_path.iterdir()) == []


def test_single_numbers_for_tools_that_take_no_arrays(tmp_path):
    one = Tool(export(tethered(), tmp_path / "scalars.fmu", arrays=False)).instantiate()
    one.set("thrust", 6.0)
    one.set("tether.anchor[2]", 0.0)
    one.initialize()
    rows = one.run(50, *[f"eta[{i}]" for i in range(1, 7)], "stretch")
    one.slave.freeInstance()
    np.testing.assert_array_equal(rows, expected(50)[1:])


def test_arrays_of_library_blocks_keep_their_size(tmp_path):
    diagram = tethered()
    diagram.add("table", LookupTable1D([0.0, 1.0, 2.0], [0.0, 2.0, 2.0]))
    diagram.connect("tether.stretch", "table.u")
    diagram.outputs(looked_up="table.y")
    path = export(diagram, tmp_path / "table.fmu")
    assert complaints(path) == []
    one = Tool(path).instantiate()
    one.set("table.table", 0.0, 4.0, 4.0)
    one.set("thrust", 6.0)
    one.initialize()
    rows = np.array(one.run(60, "stretch", "looked_up"))
    one.slave.freeInstance()
    assert rows[-1, 0] > 0.0
    np.testing.assert_allclose(rows[:, 1], 4.0 * rows[:, 0])


def test_in_ecos(paths, tmp_path):
    job = Job({"tether": paths["tethered"]}, STEP, 60, ["tether.stretch", "tether.count"])
    (rows,) = cosimulate("ecos", [job], tmp_path)
    assert not isinstance(rows, str), rows
    np.testing.assert_array_equal(rows[:, 0], expected(60, thrust=0.0)[1:, 6])


@pytest.mark.skipif(sys.platform != "linux" or c_host.MISSING, reason="needs Linux and a C compiler")
@pytest.mark.parametrize("python", [True, False])
def test_in_a_c_host(paths, tmp_path, python):
    described = fmpy.read_model_description(paths["tethered"])
    eta = next(v for v in described.modelVariables if v.name == "eta").valueReference
    folder = Path(fmpy.extract(paths["tethered"], unzipdir=tmp_path / "fmu"))
    program = c_host.compile_host("python3_host", tmp_path)
    library = folder / "binaries" / "x86_64-linux" / "tethered.so"
    arguments = [library, f"{folder}/resources/", described.guid, STEP, 60, eta, 6]
    environment = {"KEELBLOCKS_PYTHON": sys.executable if python else "/nowhere", "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [program, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False,
        env=environment | {"PYTHONPATH": str(Path(fmu.__file__).parents[1])},
    )  # fmt: skip
    if not python:
        assert done.returncode == 1
        assert (
            "[logStatusError, 3] fmi3InstantiateCoSimulation: this FMU has blocks written in Python and" in done.stderr
        )
        return
    assert (done.stderr, done.returncode) == ("", 0)
    rows = np.array([[float.fromhex(text) for text in line.split()] for line in done.stdout.splitlines()])
    np.testing.assert_array_equal(rows[:, 1:], expected(60, thrust=0.0)[:, :6])
