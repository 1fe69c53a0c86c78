"""Run whole systems in libcosim: `python libcosim_system.py JOBS ANSWERS`. See `systems.SystemJob`."""

from __future__ import annotations

from typing import Any

import worker
from libcosimpy.CosimEnums import CosimVariableType
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
from libcosimpy.CosimObserver import CosimObserver

NANOSECONDS = 1_000_000_000


def run(job: dict[str, Any]) -> worker.Rows:
    """The recorded values after each step."""
    if job["format"] == "osp":
        execution = CosimExecution.from_osp_config_file(job["path"])
    elif job["step"] is None:
        execution = CosimExecution.from_ssp_file(job["path"])
    else:
        execution = CosimExecution.from_ssp_file(job["path"], round(job["step"] * NANOSECONDS))
    observer = CosimObserver.create_last_value()
    if not execution.add_observer(observer):
        raise RuntimeError("libcosim takes no observer")
    found: dict[str, tuple[int, int]] = {}
    for slave in execution.slave_infos():
        for variable in execution.slave_variables(slave.index):
            if variable.type == CosimVariableType.REAL.value:
                found[f"{slave.name.decode()}.{variable.name.decode()}"] = (slave.index, variable.reference)
    rows = []
    for k in range(job["steps"]):
        if not execution.step():
            raise RuntimeError(f"libcosim stopped in step {k + 1}: {execution.status()}")
        rows.append([observer.last_real_values(found[n][0], [found[n][1]])[0] for n in job["record"]])
    return rows


log_output_level(CosimLogLevel.ERROR)
worker.main(run)
