"""Missions in WebAssembly against the engine for Python: wasmtime, and V8 where there is node.

Whole runs, nothing recorded, by turns in one go; processor time, and the ratio of a round is what counts. Each host has
run the mission before it is measured. The engine for Python takes the widest vectors that the processor has,
WebAssembly those of two numbers: among waves there is a line for the engine with vectors of two numbers, too.
"""

from __future__ import annotations

import math
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from benchmarks import sea
from benchmarks.model import BenchmarkError
from benchmarks.report import arguments, show, spread
from blocks import Diagram
from blocks.basic import Constant
from blocks.errors import ExportError
from blocks.plan import Plan, make_plan
from blocks.scenario import Scenario
from cython_kernels import engine as native
from fmu.runtime.webassembly.engine import Engine, Host
from fmu.runtime.webassembly.module import engine_module

EXAMPLES = Path(__file__).parents[1] / "examples"
HOST = Path(__file__).with_name("wasm_host.mjs")
ROUNDS = 9
LEAST = 0.1  # s of processor time in a round: short missions are run several times
Run = Callable[[int], float]
"""The processor time [s] of so many runs."""


def missions() -> dict[str, Plan]:
    """The plans that are run to their ends."""
    waves = Diagram("waves")
    waves.add("force", Constant(sea.FORCE))
    waves.add("smarty", sea.diagram(15, 5))
    waves.connect("force.y", "smarty.force")
    return {
        "Minerva, line of sight": Scenario.load(EXAMPLES / "minerva_los.yaml").plan(),
        "Minerva, survey": Scenario.load(EXAMPLES / "minerva_survey.yaml").plan(),
        "SMARTY, 75 waves": make_plan(waves, step=sea.STEP, end=600.0),
        "Otter, dopri5": Scenario.load(EXAMPLES / "otter_los.yaml").plan(solver="dopri5"),
    }


def in_python(engine: native.Engine | Engine, plan: Plan, simd: str = "avx512") -> Run:
    """Runs in this process."""
    engine.visit()

    def run(count: int) -> float:
        native.use_simd(simd)
        began = time.process_time()
        for _ in range(count):
            engine.start(plan.settings.start)
            engine.come_back()
            if engine.proceed(plan.settings.end, closed=True) not in (0, 2):
                raise BenchmarkError(f"a run stopped: {engine.failure}")
        taken = time.process_time() - began
        native.use_simd()
        return taken

    return run


def in_node(process: subprocess.Popen[str]) -> Run:
    """Runs in a process of node that waits for them."""
    assert process.stdin
    assert process.stdout
    into, out = process.stdin, process.stdout

    def run(count: int) -> float:
        print(count, file=into, flush=True)
        line = out.readline()
        if not line:
            raise BenchmarkError("node ended, see above")
        return float(line)

    return run


def measure(plan: Plan, hosts: dict[str, Run], rounds: int) -> dict[str, list[float]]:
    """Seconds per run of each host, by turns."""
    once = min(hosts["native"](1) for _ in range(3))
    count = max(1, math.ceil(LEAST / once))
    for run in hosts.values():
        run(count)
    times: dict[str, list[float]] = {name: [] for name in hosts}
    for _ in range(rounds):
        for name, run in hosts.items():
            times[name].append(run(count) / count)
    return times


def figures(rounds: int) -> dict[str, dict[str, object]]:
    """All missions in all hosts. Raises ExportError without a module or wasmtime."""
    found: dict[str, dict[str, object]] = {}
    node = shutil.which("node")
    content = engine_module()
    for title, plan in missions().items():
        with ExitStack() as stack:
            hosts = {"native": in_python(plan.engine(), plan)}
            if "waves" in title:
                hosts["native, two numbers"] = in_python(plan.engine(), plan, "baseline")
            hosts["wasmtime"] = in_python(Engine(plan.stored, host=Host(content)), plan)
            if node:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                (folder / "engine.wasm").write_bytes(content)
                (folder / "plan.bin").write_bytes(plan.stored)
                command = [node, str(HOST), str(folder / "engine.wasm"), str(folder / "plan.bin")]
                process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
                stack.enter_context(process)
                hosts["node"] = in_node(process)
            times = measure(plan, hosts, rounds)
        found[f"{title}: native"] = spread([1e3 * t for t in times["native"]], "ms")
        for name in [*times][1:]:
            ratios = [a / b for a, b in zip(times[name], times["native"], strict=True)]
            found[f"{title}: {name} over native"] = spread(ratios, "×")
    return found


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    try:
        found = figures(options.rounds or ROUNDS)
    except (BenchmarkError, ExportError) as problem:
        print(problem, file=sys.stderr)
        return 2
    show("Missions in WebAssembly", found, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
