"""Run SSP files in Ecos: `python ecos_system.py JOBS ANSWERS`. See `systems.SystemJob`."""

from __future__ import annotations

from typing import Any

import worker
from ecospy import EcosLib, EcosSimulation


def run(job: dict[str, Any]) -> worker.Rows:
    """The recorded values after each step."""
    with EcosSimulation(job["step"], ssp_path=job["path"]) as simulation:
        if not simulation.init(parameter_set=job["parameter_set"]):
            raise RuntimeError(f"Ecos does not begin: {EcosLib.get_last_error()}")
        rows = []
        for _ in range(job["steps"]):
            simulation.step()
            rows.append([simulation.get_real(name.replace(".", "::", 1)) for name in job["record"]])
        simulation.terminate()
    return rows


EcosLib.set_log_level("warn")
worker.main(run)
