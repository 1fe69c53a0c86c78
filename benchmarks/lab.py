"""The lab: 1 000 closed-loop runs of 600 s with their table, figures and report, and linearization.

The Otter of `examples/otter_los.yaml`: three degrees of freedom, line of sight, PIDs and a current; RK4 with 0.05 s.
The loop of `examples/minerva_los.yaml` is linearized about the point at which it is after 20 s.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import arguments, show, spread
from blocks.lab.analysis import linearize
from blocks.lab.analysis.linearization import linearized, stand_at
from blocks.lab.comparison import Compared, Comparison
from blocks.scenario import Scenario

SCENARIO = Path(__file__).resolve().parent.parent / "examples" / "otter_los.yaml"
SECONDS, STEP = 600.0, 0.05
ROUNDS = 3
LOOP, AFTER, TIMES = SCENARIO.with_name("minerva_los.yaml"), "20 s", 100
METRICS = {
    "error": "rms(guidance.cross_track_error)",
    "offset": "steady(guidance.cross_track_error)",
    "steering": "effort(heading.output)",
    "length": "path_length(vessel.eta)",
    "energy": "used(meter.energy)",
}


def comparison() -> Comparison:
    """Four lookahead distances, ten speeds and five directions of the current, five gains of the autopilot."""
    factors = {
        "guidance.lookahead": [4.0, 6.0, 8.0, 10.0],
        "current.speed": np.linspace(0.05, 0.5, 10),
        "current.direction": np.arange(5) * 2.0 * np.pi / 5,
        "heading.kp": [100.0, 150.0, 200.0, 250.0, 300.0],
    }
    diagram = Scenario.load(SCENARIO).diagram
    return Comparison(diagram, factors, METRICS, title="1 000 runs", end=SECONDS, step=STEP)


def measure(rounds: int, workers: int | None) -> dict[str, dict[str, Any]]:
    """Wall and processor time of each part, s."""
    taken: dict[str, list[float]] = {"checked and planned": [], "run": [], "table, figures, report": [], "in all": []}
    processor = []
    for _ in range(rounds):
        stamps, used = [time.perf_counter()], time.process_time()
        made = comparison()
        stamps.append(time.perf_counter())
        compared: Compared = made.run(workers=workers)
        stamps.append(time.perf_counter())
        with tempfile.TemporaryDirectory() as scratch:
            compared.save(scratch)
        stamps.append(time.perf_counter())
        processor.append(time.process_time() - used)
        for name, seconds in zip(taken, (*np.diff(stamps), stamps[-1] - stamps[0]), strict=True):
            taken[name].append(float(seconds))
    figures = {name: spread(times, "s") for name, times in taken.items()}
    figures["in all"]["target"] = "≤ 15"
    figures["processor time, in all"] = spread(processor, "s")
    return figures


def linearization(times: int) -> dict[str, dict[str, Any]]:
    """Wall time of a linearization, ms: from the diagram, and on a plan that is there."""
    loop = Scenario.load(LOOP).diagram
    point = linearize(loop, AFTER).point
    model = stand_at(loop, point, {})
    calls: dict[str, Callable[[], Any]] = {
        "linearize a loop, plan included": lambda: linearize(loop, point),
        "linearize it on a plan that is there": lambda: linearized(model, point.time, None, None, ()),
    }
    figures = {}
    for name, call in calls.items():
        taken = []
        for _ in range(times):
            begin = time.perf_counter()
            call()
            taken.append(1e3 * (time.perf_counter() - begin))
        figures[name] = {**spread(taken, "ms"), "target": "≤ 5"}
    model.close()
    return figures


def main() -> int:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--workers", type=int, metavar="N", help="threads (default: all cores)")
    options = parser.parse_args()
    figures = linearization(TIMES) | measure(options.rounds or ROUNDS, options.workers)
    show(f"{len(comparison()):,} runs of {SECONDS / STEP:,.0f} steps", figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
