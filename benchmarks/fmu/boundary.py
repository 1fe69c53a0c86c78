"""What the FMI front door adds to a step of the engine, and how long an export takes.

A C host without Python steps the FMU of the benchmark model and the same plan in the engine by turns.
"""

import statistics
import subprocess
import tempfile
import time
import zipfile
from pathlib import Path

import fmu
from benchmarks import model
from benchmarks.compiling import c_compiler
from benchmarks.diagram import diagram
from blocks import Diagram
from fmu.runtime import ENGINE_C, fmi_platform
from fmu.runtime.build.runtimes import FLAGS, fmi_headers

HOST = Path(__file__).with_name("boundary_host.c")


def export_seconds(component: Diagram, folder: Path, rounds: int) -> list[float]:
    """Times of several exports."""
    times = []
    for number in range(rounds + 1):
        began = time.perf_counter()
        fmu.export(component, folder / f"export_{number}.fmu", step=model.STEP)
        times.append(time.perf_counter() - began)
    return times[1:]  # the first one imports what the others find imported


def boundary(folder: Path, rounds: int) -> list[tuple[float, float, float]]:
    """(ns per doStep, ns per step in the engine, ns per getReal) of each round."""
    from fmpy import read_model_description

    archive = fmu.export(diagram(), folder / "benchmark.fmu", step=model.STEP, platforms=[fmi_platform()[0]])
    unpacked = folder / "unpacked"
    with zipfile.ZipFile(archive) as content:
        content.extractall(unpacked)
    description = read_model_description(str(archive))
    library = next((unpacked / "binaries" / fmi_platform()[0]).iterdir())
    reference = next(v.valueReference for v in description.modelVariables if v.name == "vessel.eta[1]")
    flags = [flag for flag in FLAGS if flag not in ("-shared", "-fPIC", "-fvisibility=hidden")]
    command = [
        *c_compiler(),
        *flags,
        f"-I{ENGINE_C.parent}",
        f"-I{fmi_headers()}",
        str(HOST),
        "-o",
        str(folder / "host"),
        "-ldl",
        "-lm",
    ]
    subprocess.run(command, check=True)
    arguments = [
        str(library),
        (unpacked / "resources").as_uri(),
        str(unpacked / "resources" / "plan.bin"),
        description.guid,
        repr(model.STEP),
        "15000",
        str(rounds),
        str(reference),
    ]
    done = subprocess.run([str(folder / "host"), *arguments], check=True, capture_output=True, text=True)
    return [tuple(map(float, line.split())) for line in done.stdout.splitlines()]  # type: ignore[misc]


def measure(rounds: int) -> dict[str, dict[str, object]]:
    """All figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        by_step, by_engine, by_get = zip(*boundary(folder, rounds), strict=True)
        added = [a - b for a, b in zip(by_step, by_engine, strict=True)]
        exports = [1e3 * seconds for seconds in export_seconds(diagram(), folder, rounds)]
        size = (folder / "benchmark.fmu").stat().st_size / 1e3
    return {
        "fmi2DoStep from a C host": _spread(by_step, "ns"),
        "the same step in the engine": _spread(by_engine, "ns"),
        "FMI boundary per step": _spread(added, "ns") | {"target": "≤ 10"},
        "fmi2GetReal of one value": _spread(by_get, "ns"),
        "export of the benchmark model": _spread(exports, "ms") | {"target": "≤ 30"},
        "size of its FMU, one platform": {"value": size, "unit": "kB"},
    }


def _spread(values: object, unit: str) -> dict[str, object]:
    numbers = list(values)  # type: ignore[call-overload]
    return {"value": statistics.median(numbers), "least": min(numbers), "most": max(numbers), "unit": unit}
