"""Step an FMU in a tool: `python -m benchmarks.fmu.worker TOOL FMU STEPS VARIABLE ...`; a process for each.

Prints the seconds that all steps took in the quickest of some runs, and then the values of the variables.
"""

import sys
import time
from pathlib import Path

from benchmarks import model


def in_fmpy(path: Path, steps: int, names: list[str]) -> list[float]:
    """A loop over `doStep` in Python."""
    from fmpy import extract, read_model_description
    from fmpy.fmi2 import FMU2Slave

    description = read_model_description(path, validate=False)
    references = {variable.name: variable.valueReference for variable in description.modelVariables}
    slave = FMU2Slave(
        guid=description.guid, unzipDirectory=extract(path), instanceName="benchmark",
        modelIdentifier=description.coSimulation.modelIdentifier,
    )  # fmt: skip
    slave.instantiate()
    slave.setupExperiment(startTime=0.0)
    slave.enterInitializationMode()
    slave.exitInitializationMode()
    began = time.perf_counter()
    for k in range(steps):
        slave.doStep(k * model.STEP, model.STEP)
    return [time.perf_counter() - began, *slave.getReal([references[name] for name in names])]


def in_libcosim(path: Path, steps: int, names: list[str]) -> list[float]:
    """Its fixed-step algorithm, with an observer of the last values."""
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave

    log_output_level(CosimLogLevel.FATAL)
    execution = CosimExecution.from_step_size(round(model.STEP * 1e9))
    slave = CosimLocalSlave(str(path), "benchmark")
    index = execution.add_local_slave(slave)
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)
    references = {v.name.decode(): v.reference for v in execution.slave_variables(index)}
    execution.step(1)  # initializes
    began = time.perf_counter()
    execution.step(steps - 1)
    seconds = (time.perf_counter() - began) * steps / (steps - 1)
    return [seconds, *observer.last_real_values(index, [references[name] for name in names])]


def in_ecos(path: Path, steps: int, names: list[str]) -> list[float]:
    """Its fixed-step algorithm."""
    from ecospy import EcosLib, EcosSimulation, EcosSimulationStructure

    EcosLib.set_log_level("off")
    with EcosSimulationStructure() as structure:
        structure.add_model("benchmark", path)
        with EcosSimulation(model.STEP, structure=structure) as simulation:
            simulation.init()
            began = time.perf_counter()
            simulation.step(steps)
            seconds = time.perf_counter() - began
            return [seconds, *(simulation.get_real(f"benchmark::{name}") for name in names)]


RUNS = 5
"""One takes milliseconds, in which whatever else the machine does shows."""
TOOLS = {"FMPy": in_fmpy, "libcosim": in_libcosim, "Ecos": in_ecos}

if __name__ == "__main__":
    tool, path, steps, *names = sys.argv[1:]
    print(*min(TOOLS[tool](Path(path), int(steps), names) for _ in range(RUNS)), sep="\n")
