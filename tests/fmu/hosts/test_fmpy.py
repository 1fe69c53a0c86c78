"""Every block and the Minerva mission in FMPy: valid to two checkers, with the numbers of the run in this process."""

from __future__ import annotations

from unittest.mock import patch

import fmpy
import numpy as np
import pytest
from agreement import assert_agree
from fmpy.simulation import Input
from foreign_checks import complaints
from subjects import MINERVA, SUBJECTS

from fmu.exporting.export import INTERFACES, VERSIONS

CVODE_TOLERANCE = 1e-10
MODEL_EXCHANGE = 1e-6
"""CVode keeps its tolerance per step; over a run, and through events that it locates, errors add up."""


class InputsOfAllShapes(Input):
    """FMPy's inputs, in groups of equal shape: FMPy puts all that have one type into one array."""

    def __init__(self, fmu, modelDescription, signals, set_input_derivatives=False):
        columns = signals.dtype.names[1:] if signals is not None else ()
        shapes = dict.fromkeys(signals.dtype[name].shape for name in columns)
        groups = [["time", *(name for name in columns if signals.dtype[name].shape == shape)] for shape in shapes]
        self.parts = [Input(fmu, modelDescription, signals[group], set_input_derivatives) for group in groups]

    def apply(self, time, **choice):
        for part in self.parts:
            part.apply(time, **choice)

    def nextEvent(self, time):
        return min((part.nextEvent(time) for part in self.parts), default=np.inf)


def input_table(subject, version):
    """The inputs as FMPy takes them: each value is held until the next communication point, where it jumps."""
    columns = subject.input_columns(version)
    if not columns:
        return None
    types = [(name, float, values.shape[1:]) for name, values in columns.items()]
    table = np.zeros(2 * len(subject.time), dtype=[("time", float), *types])
    table["time"] = np.append(np.repeat(subject.time, 2)[1:], subject.time[-1] + subject.communication_step)
    for name, values in columns.items():
        table[name] = np.repeat(values, 2, axis=0)
    return table


def simulated(path, subject, version, **settings):
    """All outputs at the communication points."""
    names = subject.output_names(version)
    with patch("fmpy.simulation.Input", InputsOfAllShapes):
        recorded = fmpy.simulate_fmu(
            path, validate=False, stop_time=subject.time[-1], output_interval=subject.communication_step,
            input=input_table(subject, version), output=names, **settings,
        )  # fmt: skip
    np.testing.assert_allclose(recorded["time"], subject.time, rtol=0.0, atol=1e-9)
    return np.column_stack([recorded[name].reshape(len(subject.time), -1) for name in names])


def _turn(number, interface):
    """The version of FMI that the C host does not take: together they have each block in each version and interface."""
    return VERSIONS[(number + 1 + INTERFACES.index(interface)) % len(VERSIONS)]


def _turns(interface):
    """A mission with each version, a block by turns with one."""
    return [
        pytest.param((subject, version), id=f"{subject.name}-{version}")
        for number, subject in enumerate(SUBJECTS)
        for version in VERSIONS
        if subject in MINERVA or version == _turn(number, interface)
    ]


@pytest.mark.parametrize("given", _turns("cs"), scope="session")
def test_checkers_find_nothing_wrong_and_co_simulation_agrees(given, export):
    subject, version = given
    path = export(subject, version)
    assert complaints(path) == []
    assert_agree(simulated(path, subject, version, fmi_type="CoSimulation"), subject.run)


@pytest.mark.skipif("me" not in INTERFACES, reason="needs an export for model exchange")
@pytest.mark.parametrize("given", _turns("me") if "me" in INTERFACES else (), scope="session")
def test_checkers_find_nothing_wrong_and_model_exchange_agrees(given, export):
    """CVode integrates, and FMPy handles events.

    Those are the jumps of the inputs, samples, and crossings that it locates. Inputs are held, because FMPy does not
    interpolate them where CVode evaluates derivatives.
    """
    subject, version = given
    path = export(subject, version)
    assert complaints(path) == []
    settings = {"fmi_type": "ModelExchange", "solver": "CVode", "relative_tolerance": CVODE_TOLERANCE}
    found = simulated(path, subject, version, record_events=False, **settings)
    assert_agree(found, subject.precise_run, MODEL_EXCHANGE)
