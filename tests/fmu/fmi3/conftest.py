"""What the tests of FMI 3 share: FMUs of both interfaces, and an importing tool that keeps every message."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import fmpy
import numpy as np
import pytest
from fmpy.fmi3 import FMU3Model, FMU3Slave
from numpy.typing import NDArray

import fmu
from blocks import simulate
from blocks.model.block import Component

STEP = 0.02
SETTERS = {"Float64": "Float64", "Int32": "Int32", "Enumeration": "Int64", "Boolean": "Boolean", "UInt64": "UInt64"}


def _export(component: Component, path: Path, **settings: Any) -> Path:
    return fmu.export(component, path, step=STEP, fmi="3.0", interfaces=("cs", "me"), **settings)


@pytest.fixture(scope="session")
def export() -> Callable[..., Path]:
    """Writes an FMU of FMI 3 with both interfaces."""
    return _export


@pytest.fixture(scope="session")
def exported(models: SimpleNamespace, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The FMU of a model by its name, exported once."""
    folder = tmp_path_factory.mktemp("fmus3")

    def get(name: str) -> Path:
        path = folder / f"{name}.fmu"
        return path if path.exists() else _export(getattr(models, name)(), path)

    return get


@pytest.fixture(scope="session")
def reference(models: SimpleNamespace) -> Callable[..., NDArray[np.float64]]:
    """All outputs of a model, a row per step, by the run in this process."""

    def rows(name: str, end: float, **settings: Any) -> NDArray[np.float64]:
        diagram = getattr(models, name)()
        inputs = dict.fromkeys(diagram.input_ports, 0.0)
        ports = list(diagram.output_ports)
        result = simulate(diagram, end, step=STEP, record=ports, inputs=inputs, **settings)
        return np.column_stack([result.values(port).reshape(len(result), -1) for port in ports])

    return rows


class Tool:
    """An importing tool with one instance of an FMU: variables by name, and every message that was logged."""

    def __init__(self, path: Path) -> None:
        self.description = fmpy.read_model_description(path)
        self.variables = {v.name: v for v in self.description.modelVariables}
        self.folder = Path(fmpy.extract(path))
        self.messages: list[str] = []
        self.categories: list[str] = []
        self.slave: Any = None

    def _log(self, environment: object, status: int, category: bytes, message: bytes) -> None:
        self.messages.append(message.decode())
        self.categories.append(category.decode())

    def _make(self, kind: type[FMU3Slave] | type[FMU3Model], folder: Path | str | None, token: str | None) -> None:
        self.slave = kind(
            guid=self.description.guid if token is None else token,
            unzipDirectory=str(self.folder),
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName="tool",
        )
        if folder is not None:
            self.slave.unzipDirectory = str(folder)  # where it looks for resources, the library being loaded

    def instantiate(
        self,
        *,
        logging: bool = False,
        events: bool = False,
        early: bool = False,
        update: Callable[..., None] | None = None,
        required: Sequence[str] = (),
        folder: Path | str | None = None,
        token: str | None = None,
    ) -> Tool:
        """Instantiate for co-simulation; raises Exception if the FMU refuses."""
        self._make(FMU3Slave, folder, token)
        self.slave.instantiate(
            loggingOn=logging, eventModeUsed=events, earlyReturnAllowed=early, logMessage=self._log,
            intermediateUpdate=update, requiredIntermediateVariables=self.references(*required),
        )  # fmt: skip
        return self

    def exchange(self, *, logging: bool = False) -> Tool:
        """Instantiate for model exchange."""
        self._make(FMU3Model, None, None)
        self.slave.instantiate(loggingOn=logging, logMessage=self._log)
        return self

    def initialize(self, *, start: float = 0.0, stop: float | None = None, tolerance: float | None = None) -> Tool:
        """Up to the first communication point, or the first event."""
        self.slave.enterInitializationMode(startTime=start, stopTime=stop, tolerance=tolerance)
        self.slave.exitInitializationMode()
        return self

    def begin(self, **settings: Any) -> Tool:
        """Instantiate for co-simulation and initialize."""
        return self.instantiate(**settings).initialize()

    def references(self, *names: str) -> list[int]:
        """Value references."""
        return [self.variables[name].valueReference for name in names]

    def count(self, name: str) -> int:
        """How many elements a variable has, as exported."""
        return int(np.prod(self.variables[name].shape or (1,)))

    def get(self, *names: str, count: int | None = None) -> list[float]:
        """The elements of Float64 variables, one after the other."""
        total = sum(map(self.count, names)) if count is None else count
        return list(self.slave.getFloat64(self.references(*names), nValues=total))

    def set(self, values: Mapping[str, float | Sequence[float]]) -> None:
        """Set variables of one type, by the type of the first."""
        kind = SETTERS[self.variables[next(iter(values))].type]
        getattr(self.slave, f"set{kind}")(self.references(*values), np.hstack([*values.values()]).tolist())

    def step(self, t: float, size: float = STEP) -> tuple[bool, bool, bool, float]:
        """fmi3DoStep: event handling needed, terminate, early return, last successful time."""
        return tuple(self.slave.doStep(t, size))

    def run(self, steps: int, *names: str, size: float = STEP, first: int = 0) -> list[list[float]]:
        """Values after each of some steps."""
        rows = []
        for k in range(first, first + steps):
            self.step(k * size, size)
            rows.append(self.get(*names))
        return rows

    def outputs(self) -> list[str]:
        """Names of all outputs that are numbers."""
        return [name for name, v in self.variables.items() if v.causality == "output" and v.type == "Float64"]

    def clocks(self) -> list[str]:
        """Names of all clocks."""
        return [name for name, variable in self.variables.items() if variable.type == "Clock"]

    def close(self) -> None:
        """Free the instance and what was unpacked."""
        if getattr(self.slave, "component", None):
            self.slave.fmi3FreeInstance(self.slave.component)
            self.slave.component = None
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture
def tool() -> Iterator[Callable[[Path], Tool]]:
    """Opens FMUs and frees them after the test."""
    tools: list[Tool] = []

    def open_fmu(path: Path) -> Tool:
        tools.append(Tool(path))
        return tools[-1]

    yield open_fmu
    for one in tools:
        one.close()
