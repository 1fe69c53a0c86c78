"""Plans compiled whole against the engine, and against the loop of the benchmark model written by hand in C.

All are run by turns in one process, and the ratio of what stood side by side is what counts. Before anything is timed,
the compiled plans are compared with the engine bit by bit.
"""

import sys
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks import c_loop, diagram
from benchmarks.model import END, BenchmarkError, check_end_state
from benchmarks.report import arguments, processor, show, spread
from blocks import Scenario
from blocks.compiled import building
from blocks.compiled.opening import Compiled, compiled
from blocks.compiled.structure import Structure
from blocks.errors import KeelblocksError
from blocks.plan import Plan

ROUNDS = 40
MISSION = Path(__file__).parents[1] / "examples" / "minerva_los.yaml"


def fresh(plan: Plan) -> Compiled:
    """The code of a plan, compiled now."""
    building.forget(Structure(plan.stored))
    return compiled(plan)


def benchmark_model(rounds: int) -> dict[str, dict[str, object]]:
    """Engine, compiled plan and C loop by turns."""
    code = fresh(diagram.plan(END))
    check_end_state("the compiled plan", diagram.run(END, code).end_state)
    check_end_state("the C loop", c_loop.run(END).end_state)
    if diagram.run(END, code).end_state != diagram.run(END).end_state:
        raise BenchmarkError("the compiled plan does not end where the engine does")
    engine, whole, by_hand = [], [], []
    for _ in range(rounds):
        engine.append(diagram.run(END).microseconds_per_step)
        whole.append(diagram.run(END, code).microseconds_per_step)
        by_hand.append(c_loop.run(END).microseconds_per_step)
    return {
        "benchmark model: compile": {"value": code.seconds, "unit": "s"},
        "benchmark model: engine, per step": spread(engine, "µs"),
        "benchmark model: compiled, per step": spread(whole, "µs"),
        "benchmark model: C by hand, per step": spread(by_hand, "µs"),
        "benchmark model: compiled over C by hand": spread(_ratios(whole, by_hand), "×") | {"target": "≤ 0.9"},
        "benchmark model: compiled over engine": spread(_ratios(whole, engine), "×"),
    }


def mission(rounds: int) -> dict[str, dict[str, object]]:
    """Minerva's mission, as `keelblocks run` runs it, by the engine and compiled by turns."""
    scenario = Scenario.load(MISSION)
    reference = scenario.run()
    first = scenario.run(compiled=True)
    assert first.ran is not None
    code = fresh(first.ran.plan)
    for name in reference:
        if not np.array_equal(reference.values(name), first.values(name)):
            raise BenchmarkError(f"{name} of the mission differs from the engine's")
    engine, whole = [], []
    for _ in range(rounds):
        engine.append(1e3 * float(scenario.run().attributes["wall_seconds"]))
        whole.append(1e3 * float(scenario.run(compiled=True).attributes["wall_seconds"]))
    return {
        "Minerva's mission: compile": {"value": code.seconds, "unit": "s"},
        "Minerva's mission: engine": spread(engine, "ms"),
        "Minerva's mission: compiled": spread(whole, "ms"),
        "Minerva's mission: compiled over engine": spread(_ratios(whole, engine), "×") | {"target": "≤ 0.6"},
        "Minerva's mission: pays after": {
            "value": code.seconds / max(1e-3 * (median(engine) - median(whole)), 1e-9), "unit": "runs",
        },
    }  # fmt: skip


def _ratios(ours: list[float], theirs: list[float]) -> list[float]:
    return [a / b for a, b in zip(ours, theirs, strict=True)]


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    rounds = options.rounds or ROUNDS
    try:
        figures = benchmark_model(rounds) | mission(rounds)
    except (BenchmarkError, KeelblocksError) as problem:
        print(problem, file=sys.stderr)
        return 2
    show(f"Plans compiled whole, RK4, on {processor()}", figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
