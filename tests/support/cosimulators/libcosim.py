"""Run jobs in libcosim (libcosimpy): `python libcosim.py JOBS ANSWERS`, as `cosimulation.py` starts and describes it.

The master is libcosim's fixed-step algorithm: it steps all slaves from one communication point, then transfers.
"""

from __future__ import annotations

from typing import Any

import worker
from libcosimpy.CosimEnums import CosimVariableType
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
from libcosimpy.CosimManipulator import CosimManipulator
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave

NANOSECONDS = 1_000_000_000
REAL = CosimVariableType.REAL.value


def run(job: dict[str, Any]) -> worker.Rows:
    """The recorded values after each step."""
    execution = CosimExecution.from_step_size(round(job["step"] * NANOSECONDS))
    observer = CosimObserver.create_last_value()
    manipulator = CosimManipulator.create_override()
    if not (execution.add_observer(observer) and execution.add_manipulator(manipulator)):
        raise RuntimeError("libcosim takes no observer or manipulator")
    slaves = {}  # libcosim holds pointers into them
    indices: dict[str, int] = {}
    references: dict[str, tuple[int, int]] = {}
    for name, path in job["models"].items():
        slaves[name] = CosimLocalSlave(path, name)
        indices[name] = execution.add_local_slave(slaves[name])
        if indices[name] < 0:
            raise RuntimeError(f"libcosim does not take {path}")
        for variable in execution.slave_variables(indices[name]):
            if variable.type == REAL:
                references[f"{name}.{variable.name.decode()}"] = (indices[name], variable.reference)
    for source, sink in job["connections"]:
        if execution.connect_real_variables(*references[source], *references[sink]) != 0:
            raise RuntimeError(f"libcosim does not connect {source} to {sink}")
    for name, value in job["start"].items():
        if not execution.real_initial_value(*references[name], value):
            raise RuntimeError(f"libcosim does not set {name}")

    def read() -> list[float]:
        return [observer.last_real_values(references[n][0], [references[n][1]])[0] for n in job["record"]]

    rows = []
    for k in range(job["steps"]):
        for name, values in job["inputs"].items() if k else ():  # an override would hide the start value
            slave, reference = references[name]
            manipulator.slave_real_values(slave, [reference], [values[k]])
        if not execution.step():
            raise RuntimeError(f"libcosim stopped in step {k + 1}: {execution.status()}")
        rows.append(read())
    return rows


log_output_level(CosimLogLevel.WARNING)
worker.main(run)
