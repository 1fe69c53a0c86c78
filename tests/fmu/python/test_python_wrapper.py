"""FMUs with blocks written in Python where tools load PythonFMU's wrapper itself, as on Windows: without the stub."""

from __future__ import annotations

import numpy as np
import pytest
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import FMU2Slave
from python_models import moody, tethered, turning

import fmu
from blocks import simulate
from fmu.python.instance import DISCARD

STEP = 0.02
MODELS = {"tethered": tethered, "turning": turning, "moody": moody}


@pytest.fixture
def without_stub(tmp_path, tool):
    """Opens an FMU whose stub is replaced by the wrapper."""

    def make(name, **settings):
        with pytest.warns(fmu.PythonNeeded):
            one = tool(fmu.export(MODELS[name](), tmp_path / "m.fmu", step=STEP, **settings))
        library = one.folder / "binaries" / "linux64" / f"{name}.so"
        library.with_name(f"{name}_wrapper.so").replace(library)
        one.slave.freeLibrary()
        again = FMU2Slave(
            guid=one.guid, unzipDirectory=str(one.folder), modelIdentifier=name, instanceName="tool"
        )  # fmt: skip
        one.slave = again
        one._log = lambda *message: one.messages.append(message[4].decode())  # the wrapper's own have no category
        return one

    return make


def test_the_numbers_are_the_same(without_stub):
    one = without_stub("tethered").instantiate(logging=True)
    one.set({"thrust": 6.0})
    one.initialize()
    expected = simulate(tethered(), 3.0, step=STEP, inputs={"thrust": 6.0})
    rows = np.array(one.run(150, "stretch", "total"))
    np.testing.assert_array_equal(rows[:, 0], expected.values("tether.stretch")[1:])
    np.testing.assert_array_equal(rows[:, 1], expected.values("tally.total")[1:])
    assert "initialized at t = 0 s" in one.messages


def test_a_failure_is_fatal_but_ends_nothing(without_stub):
    one = without_stub("moody").instantiate(logging=True).initialize()
    one.set({"u": 1.5})
    with pytest.raises(FMICallException) as failed:
        one.get("y")
    assert failed.value.status == 4
    assert any("block stopped the run at t = 0 s: ValueError in outputs: 100 %% too" in m for m in one.messages)
    for _ in range(3):
        with pytest.raises(FMICallException):
            one.slave.getReal([999999])
    one.slave.fmi2FreeInstance(one.slave.component)
    one.slave.component = None
    assert one.instantiate(logging=True).initialize().run(2, "y") == [[1.0], [1.0]]


def test_a_model_that_ends_the_run_discards_the_step(without_stub):
    one = without_stub("turning", stop="counter.warning").instantiate(logging=True)
    one.set({"rate": 1.0, "counter.most": 0.01})
    one.initialize()
    with pytest.raises(FMICallException) as ended:
        one.run(50, "turns")
    assert ended.value.status == DISCARD
    assert "the model ends the simulation at t = 0.08 s" in one.messages[-1]
