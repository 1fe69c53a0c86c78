"""FMUs beside the run in this process: one FMU of a whole diagram, and FMUs of its parts that are co-simulated.

FMPy runs the FMUs. Parts exchange their outputs at communication points only, so a co-simulation differs from the run
by a coupling error that shrinks with the communication step.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import fmpy
import numpy as np
from fmpy.fmi2 import FMU2Slave
from numpy.typing import NDArray

from blocks.diagram import Diagram
from blocks.errors import SimulationError
from blocks.run.result import Result
from blocks.simulation import simulate
from fmu.identifiers import resolve

_INDICES = re.compile(r"\[[\d,]+\]\Z")

Scheme = Literal["jacobi", "gauss-seidel"]
Table = dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Difference:
    """How far two runs are apart in an output, or in those of its elements that have one unit."""

    name: str
    unit: str
    largest: float
    """At the worst instant."""
    rms: float
    """Root mean square over the run, of the worst element."""
    relative: float
    """The largest one to the largest magnitude over the run."""


def run_in_process(diagram: Diagram, end: float, step: float, **settings: Any) -> Result:
    """The run to compare with: all outputs of the diagram at every step."""
    return simulate(diagram, end, step=step, record=list(diagram.output_ports), **settings)


def compare_whole(path: Path, reference: Result, step: float) -> list[Difference]:
    """Simulate the FMU of a whole diagram by FMPy and compare every output of the diagram with the run."""
    description = fmpy.read_model_description(path)
    names = [v.name for v in description.modelVariables if v.causality == "output"]
    recorded = fmpy.simulate_fmu(
        path, start_time=reference.time[0], stop_time=reference.time[-1], step_size=step, output_interval=step,
        output=names,
    )  # fmt: skip
    table = {port: _stack(recorded, _elements(names, port)) for port in reference}
    return _differences(table, np.asarray(recorded["time"]), reference)


def compare_parts(
    diagram: Diagram,
    paths: Mapping[str, Path],
    reference: Result,
    communication_step: float,
    scheme: Scheme = "jacobi",
) -> list[Difference]:
    """Co-simulate the FMUs of a diagram's components and compare every output of the diagram with the run."""
    time, table = co_simulate(diagram, paths, float(reference.time[-1]), communication_step, scheme)
    return _differences(table, time, reference)


def co_simulate(
    diagram: Diagram, paths: Mapping[str, Path], end: float, communication_step: float, scheme: Scheme = "jacobi"
) -> tuple[NDArray[np.float64], Table]:
    """Step the FMUs of all components of a diagram, wired as there; times, and the diagram's outputs at them.

    scheme: "jacobi" steps all from the same communication point; "gauss-seidel" one after the other, in the order of
    the diagram, each with what the ones before have computed.
    """
    missing = [name for name in diagram.components if name not in paths]
    if missing:
        raise SimulationError(f"there is no FMU of {', '.join(missing)}; one of each component is needed")
    count = round(end / communication_step)
    time = np.linspace(0.0, count * communication_step, count + 1)
    with ExitStack() as stack:
        slaves = {name: stack.enter_context(Slave(name, paths[name])) for name in diagram.components}
        wires = _wires(diagram, slaves)
        for slave in slaves.values():
            slave.fmu.setupExperiment(startTime=0.0)
            slave.fmu.enterInitializationMode()
        for _ in slaves:  # outputs may depend on inputs at once: as often as a value can travel
            _exchange(wires, slaves)
        for slave in slaves.values():
            slave.fmu.exitInitializationMode()
        shown = _shown(diagram, slaves)
        rows = [_read(shown)]
        for t in time[:-1]:
            if scheme == "jacobi":
                _exchange(wires, slaves)
            for name, slave in slaves.items():
                if scheme == "gauss-seidel":
                    _exchange([wire for wire in wires if wire.sink == name], slaves)
                slave.fmu.doStep(currentCommunicationPoint=t, communicationStepSize=communication_step)
            rows.append(_read(shown))
    return time, {name: np.array([row[name] for row in rows]) for name in rows[0]}


class Slave:
    """An FMU in FMPy, unpacked and instantiated; variables by port."""

    def __init__(self, name: str, path: Path) -> None:
        self.description = fmpy.read_model_description(path)
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.folder = fmpy.extract(path)
        self.fmu = FMU2Slave(
            guid=self.description.guid,
            unzipDirectory=self.folder,
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName=name,
        )

    def __enter__(self) -> Slave:
        self.fmu.instantiate()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.fmu.freeInstance()
        shutil.rmtree(self.folder, ignore_errors=True)

    def port(self, name: str, start: int | None = None, stop: int | None = None) -> list[int]:
        """Value references of the elements of a port, or of some of them."""
        return [self.references[element] for element in _elements(list(self.references), name)[start:stop]]


@dataclass(frozen=True)
class _Wire:
    source: str
    outputs: list[int]
    sink: str
    inputs: list[int]


def _elements(names: list[str], port: str) -> list[str]:
    """The variables that make up a port, in order."""
    ports = [(_INDICES.sub("", name), name) for name in names]
    shown = resolve(port, dict(ports))
    return [name for own, name in ports if own == shown]


def _wires(diagram: Diagram, slaves: Mapping[str, Slave]) -> list[_Wire]:
    return [
        _Wire(
            source.component.name, slaves[source.component.name].port(source.port, source.start, source.stop),
            sink.name, slaves[sink.name].port(port),
        )
        for (sink, port), source in diagram.wires.items()
        if source.component is not None
    ]  # fmt: skip


def _exchange(wires: list[_Wire], slaves: Mapping[str, Slave]) -> None:
    """Read all outputs, then set all inputs."""
    values = [slaves[wire.source].fmu.getReal(wire.outputs) for wire in wires]
    for wire, value in zip(wires, values, strict=True):
        slaves[wire.sink].fmu.setReal(wire.inputs, value)


def _shown(diagram: Diagram, slaves: Mapping[str, Slave]) -> dict[str, tuple[Slave, list[int]]]:
    """Where each output of the diagram is read."""
    return {
        name: (slave := slaves[ref.block.name], slave.port(ref.name, ref.start, ref.stop))
        for name, ref in diagram.boundary_outputs.items()
    }


def _read(shown: Mapping[str, tuple[Slave, list[int]]]) -> dict[str, list[float]]:
    return {name: slave.fmu.getReal(references) for name, (slave, references) in shown.items()}


def _stack(recorded: NDArray[Any], names: list[str]) -> NDArray[np.float64]:
    return np.column_stack([recorded[name] for name in names])


def _differences(table: Table, time: NDArray[np.float64], reference: Result) -> list[Difference]:
    """Compare at the times that both have."""
    step = reference.time[1] - reference.time[0]
    rows = np.clip(np.searchsorted(reference.time, time - 1e-6 * step), 0, len(reference) - 1)
    common = np.abs(reference.time[rows] - time) <= 1e-6 * step
    found = []
    for name in reference:
        expected = reference.values(name).reshape(len(reference), -1)[rows[common]]
        off = table[name][common] - expected
        units = np.array(reference.element_units(name))
        for unit in dict.fromkeys(units):
            found.append(_difference(name, str(unit), off[:, units == unit], expected[:, units == unit]))
    return found


def _difference(name: str, unit: str, off: NDArray[np.float64], expected: NDArray[np.float64]) -> Difference:
    if unit == "rad":  # the short way round
        off = (off + np.pi) % (2.0 * np.pi) - np.pi
    largest = float(np.abs(off).max())
    size = float(np.abs(expected).max())
    rms = float(np.sqrt((off**2).mean(axis=0)).max())
    return Difference(name, unit, largest, rms, largest / size if size > 0.0 else largest)
