"""SMARTY in an irregular sea: the engine against a loop written by hand in C, and a swarm against real time.

One step of 40 ms is the sea, its load, and the motion. The C loop is what one would write: five cosines and an
exponential for each component, compiled with -O3 -march=native. Both are run by turns in one process and have to end in
the same state. ASVLite 1.1 was measured beforehand on a similar machine, per vehicle and step, Euler, 75
components: 34.8 µs as it builds itself, 15.9 µs with link-time optimisation, 5.8 µs with its phases reduced first.
"""

import ctypes
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

import numpy as np
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave
from numpy.typing import NDArray

import fmu
from benchmarks.compiling import compiled
from benchmarks.model import BenchmarkError
from benchmarks.report import arguments, show, spread
from blocks import Diagram, Swarm, simulate
from blocks.dynamics import FloatingVehicle
from blocks.environment import BretschneiderSea, WaveLoad
from cython_kernels import engine as native

SOURCE = Path(__file__).with_name("sea_loop.c")
FLAGS = ("-std=c99", "-D_POSIX_C_SOURCE=199309L", "-O3", "-march=native")
STEP = 0.04
FORCE = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
AREAS = (0.026, 0.026, 0.0707)
ROUNDS = 7
TARGETS = {(75, "euler"): "≤ 0.6", (260, "euler"): "≤ 1.8", (75, "rk4"): "≤ 2.2"}


def diagram(frequencies: int, directions: int) -> Diagram:
    """The vehicle in a sea of so many components."""
    smarty = Diagram("smarty")
    sea = BretschneiderSea(0.5, 4.0, frequencies=frequencies, directions=directions, seed=1)
    smarty.add("sea", sea)
    load = smarty.add("load", WaveLoad(length=0.3, breadth=0.3, areas=AREAS))
    vessel = smarty.add("vessel", FloatingVehicle.from_vehicle("smarty"))
    smarty.connect("sea.waves", load.waves)
    smarty.connect(load.disturbance, vessel.disturbance)
    smarty.connect(vessel.eta, load.eta)
    smarty.inputs(force=vessel.input_port("force"))
    return smarty


@cache
def library() -> ctypes.CDLL:
    """The C loop, compiled by $CC or cc. Raises BenchmarkError."""
    loaded = compiled(SOURCE, FLAGS)
    loaded.run.restype = ctypes.c_double
    return loaded


def in_c(smarty: Diagram, steps: int, solver: str) -> tuple[float, NDArray[np.float64]]:
    """µs per step of the C loop, and where the vehicle ends."""
    load, vessel = smarty["load"], smarty["vessel"]
    derived = vessel.evaluate().calculated
    numbers = np.array([
        load.length, load.breadth, *load.areas, load.pressure_depth, load.density, load.gravity,
        *np.diag(derived["mass_matrix"]), *np.diag(vessel.linear_damping), *np.diag(derived["quadratic_damping"]),
        *np.diag(derived["stiffness"]), *FORCE,
    ])  # fmt: skip
    waves = np.ascontiguousarray(smarty["sea"].evaluate().outputs["waves"])
    state = np.zeros(12)
    seconds = library().run(
        numbers.ctypes, waves.ctypes, ctypes.c_int(waves.shape[1]), ctypes.c_double(STEP), ctypes.c_long(steps),
        ctypes.c_int(solver == "rk4"), state.ctypes,
    )  # fmt: skip
    return 1e6 * seconds / steps, state[:6]


def in_engine(smarty: Diagram, steps: int, solver: str) -> tuple[float, NDArray[np.float64]]:
    """µs per step of the engine, and where the vehicle ends."""
    result = simulate(
        smarty, steps * STEP, solver=solver, step=STEP, inputs={"force": FORCE}, record=["vessel.eta"], every=steps
    )
    return 1e6 * float(result.attributes["wall_seconds"]) / steps, result.values("vessel.eta")[-1]


def fmus(rounds: int, steps: int = 5_000) -> dict[str, dict[str, object]]:
    """75 components in an FMU, one communication step for all, beside the engine."""
    smarty = diagram(15, 5)
    smarty.outputs(eta="vessel.eta")
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        path = fmu.export(smarty, Path(folder, "smarty.fmu"), step=STEP)
        description = read_model_description(str(path))
        unpacked = extract(str(path), str(Path(folder, "unpacked")))
        references = {variable.name: variable.valueReference for variable in description.modelVariables}
        for _ in range(rounds):
            model = FMU2Slave(
                guid=description.guid,
                modelIdentifier=description.coSimulation.modelIdentifier,
                unzipDirectory=unpacked,
                instanceName="smarty",
            )
            model.instantiate()
            model.setReal([references[name] for name in references if name.startswith("force")], FORCE)
            model.setupExperiment(startTime=0.0)
            model.enterInitializationMode()
            model.exitInitializationMode()
            start = time.perf_counter()
            model.doStep(0.0, steps * STEP)
            ratios.append(1e6 * (time.perf_counter() - start) / steps / in_engine(smarty, steps, "rk4")[0])
            model.freeInstance()
    return {"75 components, rk4: FMU over engine": spread(ratios, "×")}


def measure(rounds: int, steps: int = 20_000) -> dict[str, dict[str, object]]:
    """By turns, for 75 and 260 components and two methods."""
    figures: dict[str, dict[str, object]] = {}
    for frequencies, directions in ((15, 5), (52, 5)):
        smarty = diagram(frequencies, directions)
        count = frequencies * directions
        for solver in ("euler", "rk4"):
            check = (in_engine(smarty, 500, solver)[1], in_c(smarty, 500, solver)[1])
            if not np.allclose(*check, rtol=1e-9, atol=1e-9):
                raise BenchmarkError(f"engine and C loop do not end alike: {check[0]} and {check[1]}")
            ours, theirs = [], []
            for _ in range(rounds):
                ours.append(in_engine(smarty, steps, solver)[0])
                theirs.append(in_c(smarty, steps // 10, solver)[0])
            target = {"target": TARGETS[count, solver]} if (count, solver) in TARGETS else {}
            name = f"{count} components, {solver}"
            figures[f"{name}: engine"] = spread(ours, "µs") | target
            figures[f"{name}: C by hand"] = spread(theirs, "µs")
            figures[f"{name}: C over engine"] = spread([b / a for a, b in zip(ours, theirs, strict=True)], "×")
    return figures | fmus(rounds) | instructions(rounds) | swarm(rounds)


def instructions(rounds: int, steps: int = 5_000) -> dict[str, dict[str, object]]:
    """75 components with the instructions of each kind that the machine has, beside the widest of them."""
    smarty = diagram(15, 5)
    paths = [path for path in native.SIMD if native.use_simd(path) == path]
    found: dict[str, list[float]] = {path: [] for path in paths}
    for _ in range(rounds):
        for path, times in found.items():
            native.use_simd(path)
            times.append(in_engine(smarty, steps, "euler")[0])
    native.use_simd()
    widest = paths[-1]
    return {
        f"75 components, euler: {path} over {widest}": spread(
            [a / b for a, b in zip(times, found[widest], strict=True)], "×"
        )
        for path, times in found.items()
        if path != widest
    }


def swarm(rounds: int, vehicles: int = 500, seconds: float = 40.0) -> dict[str, dict[str, object]]:
    """500 vehicles with 75 components each, on one thread and on two."""
    start = np.zeros((vehicles, 6))
    start[:, :2] = np.random.default_rng(1).uniform(0.0, 1000.0, (vehicles, 2))
    fleet = Swarm(diagram(15, 5), vehicles, parameters={"vessel.initial_eta": start}, inputs={"force": FORCE})
    found: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for threads, factors in found.items():
            result = fleet.run(seconds, solver="euler", step=STEP, record=[], summarise="vessel.eta", threads=threads)
            factors.append(float(result.attributes["real_time_factor"]))
    return {
        f"swarm of {vehicles}, 75 components, threads: {threads}": spread(factors, "× real time")
        | ({"target": "≥ 100 on two cores"} if threads == 2 else {})
        for threads, factors in found.items()
    }


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    try:
        figures = measure(options.rounds or ROUNDS)
    except BenchmarkError as problem:
        print(problem, file=sys.stderr)
        return 2
    show("SMARTY in an irregular sea, per step of 40 ms", figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
