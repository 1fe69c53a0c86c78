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
from blocks import Diagram, simulate
from blocks.basic import Constant, Demux, FirstOrderLag, Gain, Mux, Sum, UnitDelay
from fmu.description.catalogue import catalogue

ROUNDS = 3
MANY = (1_000, 10_000)
PORTS = (200, 2_000)
"""Of one block."""
LEVELS = (8, 32)
"""Diagrams in one another, of which 32 is the most."""
TARGET = "≤ 1.5"


def chain(size: int, make: Callable[[], Any] = Gain) -> Diagram:
    """Blocks one after the other."""
    diagram = Diagram()
    diagram.add("b0", Constant(1.0))
    for i in range(1, size):
        diagram.add(f"b{i}", make())
        diagram.connect(f"b{i - 1}.y", f"b{i}.u")
    return diagram


def fan(size: int) -> Diagram:
    """One source of many sinks."""
    diagram = Diagram()
    diagram.add("source", Constant(1.0))
    for i in range(1, size):
        diagram.add(f"b{i}", Gain())
    diagram.connect("source.y", *(f"b{i}.u" for i in range(1, size)))
    return diagram


def unconnected(size: int) -> Diagram:
    """Blocks that have nothing to do with each other."""
    diagram = Diagram()
    for i in range(size):
        diagram.add(f"b{i}", Constant(1.0))
    return diagram


def gathered(block: Any, size: int) -> Diagram:
    """A block with many inputs."""
    diagram = Diagram()
    diagram.add("block", block)
    for i in range(size):
        diagram.add(f"b{i}", Constant(1.0))
        diagram.connect(f"b{i}.y", f"block.in{i + 1}")
    return diagram


def taken_apart(size: int) -> Diagram:
    """A block with many outputs."""
    diagram = Diagram()
    diagram.add("whole", Constant([1.0] * size))
    diagram.add("parts", Demux([1] * size))
    diagram.connect("whole.y", "parts.u")
    for i in range(size):
        diagram.add(f"b{i}", Gain())
        diagram.connect(f"parts.out{i + 1}", f"b{i}.u")
    return diagram


def side_by_side(size: int) -> Diagram:
    """Diagrams of one block each."""
    diagram = Diagram()
    diagram.add("d0", Constant(1.0))
    for i in range(1, size):
        inner = diagram.add(f"d{i}", Diagram())
        inner.add("gain", Gain())
        inner.inputs(u="gain.u")
        inner.outputs(y="gain.y")
        diagram.connect(f"d{i - 1}.y", f"d{i}.u")
    return diagram


def nested(levels: int) -> Diagram:
    """Diagrams in one another, each with a block beside the inner one."""
    diagram = chain(2)
    diagram.outputs(y="b1.y")
    for _ in range(levels - 1):
        outer = Diagram()
        outer.add("inner", diagram)
        outer.add("gain", Gain())
        outer.connect("inner.y", "gain.u")
        outer.outputs(y="gain.y")
        diagram = outer
    return diagram


SHAPES: dict[str, tuple[tuple[int, int], Callable[[int], Diagram]]] = {
    "chain": (MANY, chain),
    "chain of lags": (MANY, lambda size: chain(size, lambda: FirstOrderLag(1.0))),
    "chain of delays": (MANY, lambda size: chain(size, lambda: UnitDelay(period=0.01))),
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
