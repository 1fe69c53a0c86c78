"""What the tests of FMUs share: models, and an importing tool that keeps every message."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Iterator, Mapping
from ctypes import byref
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import fmpy
import omsimulator
import pytest
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import (
    FMU2Model,
    FMU2Slave,
    fmi2CallbackAllocateMemoryTYPE,
    fmi2CallbackFreeMemoryTYPE,
    fmi2CallbackFunctions,
    fmi2CallbackLoggerTYPE,
)

import fmu
import fmu.ssp.ssp
from blocks import Diagram
from blocks.basic import (
    Compare,
    Constant,
    DiscreteIntegrator,
    FirstOrderLag,
    GaussianNoise,
    Integrator,
    MatrixGain,
    Product,
    Saturation,
    Selector,
    Sine,
    Sum,
    UnitDelay,
)
from blocks.control import PID, ComposeWrench
from blocks.dynamics import DiagonalVessel3DOF
from blocks.guidance import CourseLine
from blocks.model.component import Component

STEP = 0.02
MODEL_EXCHANGE, CO_SIMULATION = 0, 1  # fmi2Type


def _wire(diagram: Diagram, *wires: tuple[str, ...]) -> None:
    for source, *sinks in wires:
        diagram.connect(source, *sinks)


def _guided_vessel() -> Diagram:
    """A vessel that follows a course line: two nested diagrams, `plant` and `autopilot`, in a closed loop."""
    top = Diagram("guided_vessel", title="A vessel that follows a course line")
    plant = top.add("plant", Diagram("plant"))
    vessel = DiagonalVessel3DOF(
        inertia=(9.75, 10.364, 1.158), linear_damping=(16.296, 10.193, 4.63), initial_eta=(0, 10, 0, 0, 0, 2.0)
    )
    plant.add("vessel", vessel)
    plant.inputs(force="vessel.force")
    plant.outputs(eta="vessel.eta", nu="vessel.nu")
    autopilot = top.add("autopilot", Diagram("autopilot"))
    autopilot.add("guidance", CourseLine(course=0.5, lookahead=4.0))
    autopilot.add("heading", PID(4.0, 0.2, 1.0, lower=-1.84, upper=1.84, derivative="rate", angle=True))
    autopilot.add("speed", PID(40.0, 20.0, lower=-23.0, upper=23.0, derivative="none"))
    autopilot.add("cruise", Constant(1.0))
    autopilot.add("wrench", ComposeWrench())
    for name, index in (("psi", 5), ("u", 0), ("r", 5)):
        autopilot.add(name, Selector([index]))
    _wire(
        autopilot,
        ("guidance.heading", "heading.reference"), ("cruise.y", "speed.reference"), ("speed.output", "wrench.X"),
        ("heading.output", "wrench.N"), ("psi.y", "heading.measurement"), ("r.y", "heading.rate"),
        ("u.y", "speed.measurement"),
    )  # fmt: skip
    autopilot.inputs(eta=["guidance.eta", "psi.u"], nu=["u.u", "r.u"])
    autopilot.outputs(force="wrench.force", cross_track_error="guidance.cross_track_error")
    _wire(top, ("plant.eta", "autopilot.eta"), ("plant.nu", "autopilot.nu"), ("autopilot.force", "plant.force"))
    top.outputs(eta="plant.eta", nu="plant.nu", force="autopilot.force", error="autopilot.cross_track_error")
    return top


def _mixed() -> Diagram:
    """An input, continuous states, samples at two rates, modes, crossings and noise."""
    diagram = Diagram("mixed")
    for name, block in {
        "wave": Sine([0.3], [7.0]),
        "noise": GaussianNoise(standard_deviation=0.01, seed=7, period=0.1),
        "load": Sum("+++"),
        "lag": FirstOrderLag(0.4),
        "position": Integrator(initial_x=0.25),
        "limited": Saturation(lower=-0.2, upper=0.9),
        "above": Compare(),
        "delayed": UnitDelay(period=0.06),
        "count": DiscreteIntegrator(period=0.1),
    }.items():
        diagram.add(name, block)
    _wire(
        diagram, ("wave.y", "load.in1"), ("noise.y", "load.in2"), ("load.y", "lag.u"), ("lag.y", "position.u"),
        ("position.y", "limited.u", "above.u1", "delayed.u"), ("limited.y", "above.u2"), ("delayed.y", "count.u"),
    )  # fmt: skip
    diagram.inputs(push="load.in3")
    diagram.outputs(position="position.y", limited="limited.y", above="above.y", delayed="delayed.y", count="count.y")
    return diagram


def _fragile() -> Diagram:
    """y = 1/u, its integral, and a matrix gain: what a NaN, a range or an index needs to be shown."""
    diagram = Diagram("fragile")
    diagram.add("inverse", Product("/"))
    diagram.add("total", Integrator())
    diagram.add("lag", FirstOrderLag(0.5))
    diagram.add("mixer", MatrixGain([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
    _wire(diagram, ("inverse.y", "total.u", "lag.u"))
    diagram.inputs(u="inverse.in1", v="mixer.u")
    diagram.outputs(y="inverse.y", total="total.y", mixed="mixer.y")
    return diagram


@pytest.fixture(scope="session")
def models() -> SimpleNamespace:
    """Functions that make a fresh diagram each."""
    return SimpleNamespace(guided_vessel=_guided_vessel, mixed=_mixed, fragile=_fragile, step=STEP)


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The FMU of a model by its name, exported once."""
    folder = tmp_path_factory.mktemp("fmus")
    makers: dict[str, Callable[[], Component]] = {
        "guided_vessel": _guided_vessel,
        "plant": lambda: _guided_vessel()["plant"],
        "autopilot": lambda: _guided_vessel()["autopilot"],
        "mixed": _mixed,
        "fragile": _fragile,
    }

    def get(name: str) -> Path:
        path = folder / f"{name}.fmu"
        if not path.exists():
            fmu.export(makers[name](), path, step=STEP)
        return path

    return get


class Tool:
    """An importing tool with one instance of an FMU: variables by name, and every message that was logged."""

    def __init__(self, path: Path, guid: str | None = None) -> None:
        self.description = fmpy.read_model_description(path)
        self.variables = {v.name: v for v in self.description.modelVariables}
        self.folder = Path(fmpy.extract(path))
        self.messages: list[str] = []
        self.categories: list[str] = []
        self.allocated = 0
        self.allocations_left = math.inf
        self.guid = guid or self.description.guid
        self.slave = FMU2Slave(
            guid=self.guid,
            unzipDirectory=str(self.folder),
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName="tool",
        )

    def _log(self, environment: object, name: bytes, status: int, category: bytes, message: bytes) -> None:
        self.messages.append(message.decode())
        self.categories.append(category.decode())

    def _allocate(self, count: int, size: int) -> int:
        self.allocations_left -= 1
        if self.allocations_left < 0:
            return 0
        self.allocated += 1
        return int(fmpy.calloc(count, size))

    def _free(self, memory: int) -> None:
        if memory:
            self.allocated -= 1
            fmpy.free(memory)

    def instantiate(self, *, logging: bool = False, location: str | None = None, kind: int = CO_SIMULATION) -> Tool:
        """Instantiate; raises FMICallException if the FMU refuses."""
        callbacks = fmi2CallbackFunctions()
        callbacks.logger = fmi2CallbackLoggerTYPE(self._log)
        callbacks.allocateMemory = fmi2CallbackAllocateMemoryTYPE(self._allocate)
        callbacks.freeMemory = fmi2CallbackFreeMemoryTYPE(self._free)
        self.callbacks = callbacks  # the FMU holds pointers into it
        location = location if location is not None else (self.folder / "resources").as_uri()
        component = self.slave.fmi2Instantiate(
            b"tool", kind, self.guid.encode(), location.encode(), byref(callbacks), 0, int(logging)
        )
        if component is None:
            raise FMICallException(function="fmi2Instantiate", status=3)
        self.slave.component = component
        return self

    def initialize(
        self,
        *,
        start: float = 0.0,
        stop: float | None = None,
        tolerance: float | None = None,
        inputs: Mapping[str, float] | None = None,
    ) -> Tool:
        """Up to the first communication point, or to the first event of model exchange."""
        self.slave.setupExperiment(startTime=start, stopTime=stop, tolerance=tolerance)
        self.slave.enterInitializationMode()
        self.set(inputs or {})
        self.slave.exitInitializationMode()
        return self

    def exchange(self, **settings: Any) -> FMU2Model:
        """Instantiate for model exchange, initialize, and return the functions for that, in event mode."""
        self.instantiate(kind=MODEL_EXCHANGE).initialize(**settings)
        model = FMU2Model(
            guid=self.guid, unzipDirectory=str(self.folder), instanceName="tool",
            modelIdentifier=self.description.coSimulation.modelIdentifier,
        )  # fmt: skip
        model.component = self.slave.component
        return model

    def begin(self, **settings: Any) -> Tool:
        """Instantiate and initialize."""
        return self.instantiate().initialize(**settings)

    def references(self, *names: str) -> list[int]:
        """Value references."""
        return [self.variables[name].valueReference for name in names]

    def get(self, *names: str) -> list[float]:
        """Real values by name."""
        return list(self.slave.getReal(self.references(*names)))

    def set(self, values: Mapping[str, float]) -> None:
        """Set reals by name."""
        self.slave.setReal(self.references(*values), list(values.values()))

    def step(self, t: float, size: float = STEP) -> None:
        """fmi2DoStep."""
        self.slave.doStep(currentCommunicationPoint=t, communicationStepSize=size)

    def run(self, steps: int, *names: str, size: float = STEP, first: int = 0) -> list[list[float]]:
        """Values after each of some steps."""
        rows = []
        for k in range(first, first + steps):
            self.step(k * size, size)
            rows.append(self.get(*names))
        return rows

    def outputs(self) -> list[str]:
        """Names of all outputs."""
        return [name for name, variable in self.variables.items() if variable.causality == "output"]

    def close(self) -> None:
        """Free the instance and what was unpacked."""
        if getattr(self.slave, "component", None):
            self.slave.fmi2FreeInstance(self.slave.component)
            self.slave.component = None
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture
def tool() -> Iterator[Callable[..., Tool]]:
    """Opens FMUs and frees them after the test."""
    tools: list[Tool] = []

    def open_fmu(path: Path, guid: str | None = None) -> Tool:
        tools.append(Tool(path, guid))
        return tools[-1]

    yield open_fmu
    for one in tools:
        one.close()


@pytest.fixture(scope="session", autouse=True)
def _every_package_opens_in_omsimulator() -> Iterator[None]:
    """Every SSP file that a test exports is read as OMSimulator 2 and 3 read it, by their sources."""
    written = fmu.ssp.write

    def write(path: Path, content: bytes) -> None:
        written(path, content)
        omsimulator.check(path)

    fmu.ssp.write = write
    yield
    fmu.ssp.write = written
