"""What touching a run costs: `Fleet` against `Swarm.run`, and one `advance` of a `Simulator`, by turns in one process.

The model is `examples/otter_los.yaml`, a vessel with guidance and autopilot, on one core. A swarm runs each vehicle
ahead for many steps; a fleet goes through all of them at every advance, so that with few steps per advance the memory
of a thousand vehicles passes through the core's caches each time.
"""

import sys
import time
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.report import arguments, show, spread
from blocks import Fleet, Swarm
from blocks.scenario import Scenario

SCENARIO = Path(__file__).parents[1] / "examples" / "otter_los.yaml"
STEP = 0.05
STEPS = 80
ROUNDS = 25
COUNT = 1024
SHOWN = ["vessel.eta"]


def starts(count: int) -> dict[str, np.ndarray]:
    """Each vehicle begins beside the path, elsewhere."""
    eta = np.zeros((count, 6))
    eta[:, 1] = np.random.default_rng(1).normal(scale=3.0, size=count)
    return {"vessel.initial_eta": eta}


def ratios(count: int, per_advance: int, rounds: int) -> tuple[list[float], list[float]]:
    """Time of a fleet over that of a swarm, and µs per vehicle and step of the fleet, once for each round.

    The swarm is one advance of a fleet over all steps, which is what `Swarm.run` does when its plan is made.
    """
    diagram = Scenario.load(SCENARIO).diagram
    made = {"parameters": starts(count), "step": STEP, "outputs": SHOWN, "threads": 1}
    found, costs = [], []
    with Fleet(diagram, count, **made) as fleet, Fleet(diagram, count, **made) as batch:
        fleet["vessel.eta"]
        fleet.start()
        batch.start()
        for _ in range(rounds):
            began = time.thread_time()
            for _ in range(STEPS // per_advance):
                fleet.advance(STEP * per_advance)
            stepped = time.thread_time() - began
            began = time.thread_time()
            batch.advance(STEP * STEPS)
            found.append(stepped / (time.thread_time() - began))
            costs.append(1e6 * stepped / count / STEPS)
        swarm = Swarm(diagram, count, parameters=starts(count)).run(
            STEP * STEPS * rounds, step=STEP, record=SHOWN, every=STEPS * rounds, threads=1
        )
        if not np.array_equal(swarm.values("vessel.eta")[:, -1], fleet["vessel.eta"]):
            raise SystemExit("the fleet does not have the bits of the swarm")
    return found, costs


def advance_alone(rounds: int) -> list[float]:
    """µs that one advance of a Simulator costs besides its step."""
    costs = []
    with Scenario.load(SCENARIO).simulator(record=[], outputs=SHOWN, step=STEP, stop=None) as simulator:
        simulator.start()
        for _ in range(rounds):
            began = time.thread_time()
            for _ in range(1000):
                simulator.advance(STEP)
            single = time.thread_time() - began
            began = time.thread_time()
            simulator.advance(STEP * 1000)
            costs.append(1e3 * (single - (time.thread_time() - began)))
    return costs


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    rounds = options.rounds or ROUNDS
    figures = {}
    for per_advance in (10, 1):
        found, costs = ratios(COUNT, per_advance, rounds)
        what = f"{COUNT} vehicles, {per_advance} step{'s' if per_advance > 1 else ''} per advance"
        figures[f"Fleet over Swarm.run, {what}"] = spread(found, "times") | (
            {"target": "≤ 1.1"} if per_advance > 1 else {}
        )
        figures[f"Fleet, {what}"] = {"value": median(costs), "unit": "µs/step"}
    found, _ = ratios(64, 10, rounds)
    figures["Fleet over Swarm.run, 64 vehicles, 10 steps per advance"] = spread(found, "times")
    figures["Simulator.advance, besides the step"] = spread(advance_alone(rounds), "µs")
    show("Runs that are touched", figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
