"""FMUs compiled for one model beside the ordinary ones: time of a step, and bytes.

python -m benchmarks.fmu.compiled
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import fmpy
from fmpy.fmi2 import FMU2Slave

import fmu
from benchmarks.report import arguments, show, spread
from blocks import Scenario
from blocks.report import add_outputs

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MISSIONS = {"minerva_mission": 0.02, "minerva_los": 0.01, "otter_los": 0.02}
STEPS = 2000
ROUNDS = 15


def opened(path: Path, folder: Path) -> FMU2Slave:
    """An initialized instance."""
    unpacked = fmpy.extract(str(path), str(folder))
    described = fmpy.read_model_description(unpacked)
    slave = FMU2Slave(
        guid=described.guid, unzipDirectory=unpacked, modelIdentifier=described.coSimulation.modelIdentifier,
        instanceName="one",
    )  # fmt: skip
    slave.instantiate()
    slave.setupExperiment(startTime=0.0)
    slave.enterInitializationMode()
    slave.exitInitializationMode()
    return slave


def measure(name: str, step: float, folder: Path, rounds: int) -> dict[str, dict[str, Any]]:
    """Of one mission, both kinds in turns."""
    scenario = Scenario.load(EXAMPLES / f"{name}.yaml")
    add_outputs(scenario.diagram, scenario.report)
    paths = {
        kind: fmu.export(
            scenario.diagram, folder / f"{name}_{kind}.fmu", step=step, compiled=kind == "compiled", interfaces="cs",
            platforms=None, name=name,
        )
        for kind in ("ordinary", "compiled")
    }  # fmt: skip
    slaves = {kind: opened(path, folder / f"{name}_{kind}") for kind, path in paths.items()}
    spent: dict[str, list[float]] = {kind: [] for kind in slaves}
    t = 0.0
    for _ in range(rounds):
        for kind, slave in slaves.items():
            began = time.perf_counter()
            slave.doStep(t, STEPS * step)
            spent[kind].append(time.perf_counter() - began)
        t += STEPS * step
    ratios = [one / other for one, other in zip(spent["compiled"], spent["ordinary"], strict=True)]
    found = {
        f"{name}: {kind}, a step of the solver": spread([1e6 * s / STEPS for s in times], "us")
        for kind, times in spent.items()
    }
    found[f"{name}: compiled over ordinary"] = spread(ratios, "")
    for kind, path in paths.items():
        found[f"{name}: {kind}, the file"] = {"value": path.stat().st_size / 1000, "unit": "kB"}
    return found


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    figures: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, step in MISSIONS.items():
            figures |= measure(name, step, Path(folder), options.rounds or ROUNDS)
    show("FMUs that are compiled for one model", figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
