"""Run jobs in Ecos (ecospy): `python ecos.py JOBS ANSWERS`. Started by `cosimulation.py`, which tells the format.

The master is Ecos' fixed-step algorithm: it steps all models from one communication point, then transfers.
"""

from __future__ import annotations

from typing import Any

import worker
from ecospy import EcosLib, EcosSimulation, EcosSimulationStructure


def run(job: dict[str, Any]) -> worker.Rows:
    """The recorded values after each step."""

    def identifier(name: str) -> str:
        return name.replace(".", "::", 1)

    with EcosSimulationStructure() as structure:
        for name, path in job["models"].items():
            structure.add_model(name, path)
        for source, sink in job["connections"]:
            structure.make_real_connection(identifier(source), identifier(sink))
        structure.add_parameter_set("start", {identifier(name): float(v) for name, v in job["start"].items()})
        with EcosSimulation(job["step"], structure=structure) as simulation:
            if not simulation.init(parameter_set="start"):
                raise RuntimeError(f"Ecos does not begin: {EcosLib.get_last_error()}")
            rows = []
            for k in range(job["steps"]):
                for name, values in job["inputs"].items():
                    simulation.set_real(identifier(name), values[k])
                simulation.step()
                rows.append([simulation.get_real(identifier(name)) for name in job["record"]])
            simulation.terminate()
    return rows


EcosLib.set_log_level("warn")
worker.main(run)
