"""How the time that a diagram takes grows with it: per block of 10 000 blocks, over that per block of 1 000.

Timed are building it in Python, its plan, the start of a run (plan, tables, and one step) and the list of an FMU's
variables, in processor time. Both sizes are measured one after the other in each round.
"""

import gc
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from benchmarks.report import arguments, show, spread
from benchmarks.shapes import chain, fan, gathered, nested, side_by_side, taken_apart, unconnected
from blocks import Diagram, simulate
from blocks.basic import FirstOrderLag, Mux, Sum, UnitDelay
from fmu.description.catalogue import catalogue

ROUNDS = 3
MANY = (1_000, 10_000)
PORTS = (200, 2_000)
"""Of one block."""
LEVELS = (8, 32)
"""Diagrams in one another, of which 32 is the most."""
TARGET = "≤ 1.5"


SHAPES: dict[str, tuple[tuple[int, int], Callable[[int], Diagram]]] = {
    "chain": (MANY, chain),
    "chain of lags": (MANY, lambda size: chain(size, make=lambda _: FirstOrderLag(1.0))),
    "chain of delays": (MANY, lambda size: chain(size, make=lambda _: UnitDelay(period=0.01))),
    "one source of all": (MANY, fan),
    "unconnected": (MANY, unconnected),
    "diagrams side by side": (MANY, side_by_side),
    "sum of all": (PORTS, lambda size: gathered(Sum("+" * size), size)),
    "mux of all": (PORTS, lambda size: gathered(Mux([1] * size), size)),
    "demux to all": (PORTS, taken_apart),
    "in one another": (LEVELS, nested),
}
STAGES = ("build", "plan", "start", "FMU variables")


def seconds(make: Callable[[int], Diagram], size: int) -> dict[str, float]:
    """Processor time of each stage: other programs then disturb less."""
    found: dict[str, float] = {}

    def timed(stage: str, call: Callable[..., Any], *given: Any) -> Any:
        gc.collect()
        began = time.process_time()
        result = call(*given)
        found[stage] = time.process_time() - began
        return result

    diagram = timed("build", make, size)
    plan = timed("plan", Diagram.plan, diagram)
    timed("start", lambda: simulate(diagram, 0.01, step=0.01))
    timed("FMU variables", lambda: catalogue(plan, alone=False, local_variables=True, continuous=True))
    return found


def measure(rounds: int) -> dict[str, dict[str, object]]:
    """Both sizes of every shape by turns."""
    figures: dict[str, dict[str, object]] = {}
    chain(100).plan()
    for shape, ((small, large), make) in SHAPES.items():
        pairs = [(seconds(make, small), seconds(make, large)) for _ in range(rounds)]
        for stage in STAGES:
            ratios = [(more[stage] / large) / (less[stage] / small) for less, more in pairs]
            each = 1e6 * median(more[stage] / large for _, more in pairs)
            name = f"{shape}, {small:,} and {large:,}: {stage}"
            figures[name] = {**spread(ratios, f"times per block, of {each:.0f} µs"), "target": TARGET}
    return figures


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    show("Time per block as diagrams grow", measure(options.rounds or ROUNDS), options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
