"""A model of OpenModelica's FMU import: the Modelica that it writes around an FMU, and what it calls, in which order.

Written from its sources, as of the released versions up to 1.27.0 and of August 2026; nothing of OpenModelica runs.

* OMCompiler/Compiler/runtime/FMIImpl.c (both, the latter with FMI 3.0): each of ``. [ ] ( ) ,`` and the blank in names
  of variables and types becomes "_"; items of enumerations stay as they are, and nothing is quoted. Parameters are of
  causality `parameter`; what is calculated from them is a variable. FMI 3's independent variable is left out.
* OMCompiler/Compiler/Template/CodegenFMU.tpl (up to 1.27.0), `importFMU2ModelExchange`: the model is IDENTIFIER_me_FMU;
  what it declares besides the variables; a fixed parameter is bound to its start value, a tunable one has it as
  `start`; of enumerations a function is called with the number; real, integer and Boolean parameters are set after
  ExitInitializationMode, enumerations never. Since 20 August 2026 (pull request 16357) they are set before.
* OMCompiler/SimulationRuntime/c/fmi/FMI2Common.c and FMI2ModelExchange.c: every status but OK and warning is an error.
  Between ExitInitializationMode and the first event the FMU is in event mode, and states are set in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import fmpy
import numpy as np
from fmpy.fmi2 import FMU2Model

REPLACED = str.maketrans(dict.fromkeys(".[](), ", "_"))
CONNECTORS = {"Real": "Real", "Integer": "Integer", "Boolean": "Boolean"}
DECLARED = {
    "Real": "flowTime flowStatesInputs triggerDSSEvent nextEventTime fmi_x[1] fmi_x_new[1] fmi_z[1] flowStartTime "
    "flowEnterInitialization flowInitialized flowParamsStart flowInitInputs",
    "Boolean": "fmi_z_positive[1] callEventUpdate newStatesAvailable debugLogging",
    "Integer": "logLevel numberOfContinuousStates numberOfEventIndicators",
    "String": "fmuWorkingDir",
}
"""What the model declares for itself, by type."""
CALLED = ("change", "noEvent", "pre", "reinit", "size", "terminal", "fmi2Functions", "FMI2ModelExchange", "Modelica")
"""Names that it uses, which none of its own must hide."""


def written(name: str) -> str:
    """A name in Modelica."""
    return name.translate(REPLACED)


def declared_names(description: Any) -> list[str]:
    """Every name that is declared in the scope of the model."""
    names = []
    for variable in description.modelVariables:
        if variable.causality == "independent" or variable.type == "Clock":
            continue
        names.append(written(variable.name))
        if variable.causality == "input":
            names.append(f"fmi_input_{written(variable.name)}")
    types = [written(t.name) for t in description.typeDefinitions if t.items]
    names += types + [f"map_{name}_from_integer{s}" for name in types for s in ("", "s")]
    return [*names, *(n.partition("[")[0] for text in DECLARED.values() for n in text.split()), *CALLED]


def modelica(description: Any) -> str:
    """The declarations of the model around an FMU of FMI 2.0, and equations that use all of them."""
    name = f"{description.modelExchange.modelIdentifier}_me_FMU"
    return "\n".join(
        [f"model {name}", *_declarations(description), "equation", *_equations(description), f"end {name};"]
    )


def _declarations(description: Any) -> Iterator[str]:
    for declared in description.typeDefinitions:
        if declared.items:
            yield f"type {written(declared.name)} = enumeration({', '.join(item.name for item in declared.items)});"
    for kind, names in DECLARED.items():
        yield from (f"{kind} {name};" for name in names.split())
    for variable in description.modelVariables:
        text = (variable.description or "").replace("\\", "\\\\").replace('"', '\\"')
        yield f'{_prefixes(variable)} {written(variable.name)}{_start(variable)} "{text}";'
        if variable.causality == "input":
            yield f"{variable.type} fmi_input_{written(variable.name)};"


def _prefixes(variable: Any) -> str:
    kind = written(variable.declaredType.name) if variable.type == "Enumeration" else variable.type
    if variable.causality in ("input", "output") and kind in CONNECTORS:
        return f"Modelica.Blocks.Interfaces.{kind}{variable.causality.capitalize()}"
    causality = variable.causality if variable.causality in ("input", "output", "parameter") else ""
    variability = "constant" if variable.variability == "constant" else ""
    return " ".join(word for word in (variability, causality, kind) if word)


def _start(variable: Any) -> str:
    if variable.start is None:
        return ""
    if variable.type == "Enumeration":
        return f" = map_{written(variable.declaredType.name)}_from_integer({variable.start})"
    if variable.variability == "fixed" and variable.causality == "parameter":
        return f" = {variable.start}"
    return f"(start={variable.start},fixed=false)"


def _equations(description: Any) -> Iterator[str]:
    for variable in description.modelVariables:
        if variable.causality in ("output", "local") and variable.variability != "constant":
            yield f"{written(variable.name)} = flowStatesInputs;"


class Imported:
    """An instance of an FMU of FMI 2.0, model exchange, with its parameters set.

    digits: of the text that start values are written as. early: parameters are set before the initialization, as newer
    versions do, else after it, as the released ones up to 1.27.0. Raises fmpy.fmi1.FMICallException where OpenModelica
    stops with an error.
    """

    def __init__(self, path: Path, start: float = 0.0, *, digits: int = 16, early: bool = False) -> None:
        self.description = fmpy.read_model_description(path)
        exchange = self.description.modelExchange
        self.model = FMU2Model(
            guid=self.description.guid, unzipDirectory=fmpy.extract(path), instanceName=exchange.modelIdentifier,
            modelIdentifier=exchange.modelIdentifier,
        )  # fmt: skip
        self.time = start
        self.model.instantiate()
        if early:
            self.set_all(digits)
        self.model.setupExperiment(startTime=start)
        self.model.enterInitializationMode()
        self.model.exitInitializationMode()
        if not early:
            self.set_all(digits)

    def parameters(self) -> list[Any]:
        """The variables that it sets, with those that it does not: enumerations."""
        return [v for v in self.description.modelVariables if v.causality == "parameter" and v.start is not None]

    def set(self, variable: Any, value: float) -> None:
        """Set one variable."""
        setter = {"Real": self.model.setReal, "Boolean": self.model.setBoolean}.get(
            variable.type, self.model.setInteger
        )
        setter([variable.valueReference], [value if variable.type == "Real" else int(value)])

    def set_all(self, digits: int) -> None:
        """All parameters, with their start values as text of so many digits."""
        for variable in self.parameters():
            if variable.type != "Enumeration":
                self.set(variable, number(variable, digits))

    def set_inputs(self) -> None:
        """All inputs, as it does at every evaluation."""
        inputs = [v.valueReference for v in self.description.modelVariables if v.causality == "input"]
        self.model.setReal(inputs, [0.5] * len(inputs))

    def get(self) -> list[float]:
        """What it reads at every evaluation: outputs and local variables."""
        wanted = [v for v in self.description.modelVariables if v.causality in ("output", "local")]
        return list(self.model.getReal([v.valueReference for v in wanted if v.type == "Real"]))

    def run(self, steps: int, step: float) -> SimpleNamespace:
        """Euler's method, with events as they come: in event mode until the first, which is just after the start."""
        count = len(self.model_states())
        states = np.array(self.model_states())
        self.set_inputs()
        self.set_states(states)
        self.get()
        self.event(self.time + 1e-12)
        for _ in range(steps):
            rates = self.numbers(self.model.getDerivatives, count)
            states = np.array(self.model_states()) + step * np.array(rates)
            self.time += step
            self.model.setTime(self.time)
            self.set_inputs()
            self.set_states(states)
            self.get()
            if self.model.completedIntegratorStep()[0] or self.time > self.next_time:
                self.event(self.time)
        return SimpleNamespace(states=states, shown=self.get())

    def event(self, time: float) -> None:
        """fmi2EventUpdate of the runtime: one pass, and back to continuous time."""
        self.model.setTime(time)
        self.model.enterEventMode()
        _, _, _, _, defined, next_time = self.model.newDiscreteStates()
        self.next_time = next_time if defined else np.inf
        self.model.enterContinuousTimeMode()

    def model_states(self) -> list[float]:
        """fmi2GetContinuousStates."""
        count = len([v for v in self.description.modelVariables if v.derivative is not None])
        return self.numbers(self.model.getContinuousStates, count)

    def set_states(self, states: Any) -> None:
        """fmi2SetContinuousStates, which is not called without states."""
        if len(states):
            values = np.ascontiguousarray(states, dtype=np.float64)
            self.model.setContinuousStates(_pointer(values), len(values))

    @staticmethod
    def numbers(get: Any, count: int) -> list[float]:
        """What a function gives that fills an array."""
        values = np.zeros(count)
        if count:
            get(_pointer(values), count)
        return values.tolist()

    def close(self) -> None:
        """End it."""
        self.model.terminate()
        self.model.freeInstance()


def number(variable: Any, digits: int = 17) -> float:
    """The start value of a variable, as text gives it that was written with so many digits."""
    if variable.type == "Boolean":
        return float(variable.start in ("true", "1"))
    return float(f"{float(variable.start):.{digits}g}")


def _pointer(values: Any) -> Any:
    return values.ctypes.data_as(fmpy.fmi2.POINTER(fmpy.fmi2.fmi2Real))
