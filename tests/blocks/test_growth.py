"""How the work of building, planning and starting grows with a diagram: counted in lines that run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import blocks
from benchmarks import shapes
from blocks import Diagram, simulate
from blocks.basic import MatrixGain, Mux, Sum, UnitDelay

OWN = str(Path(blocks.__file__).parent)


def lines(call: Callable[..., Any], *given: Any) -> tuple[int, Any]:
    """How many lines of Keelblocks run in a call, rounds of loops counted each, and what the call returns."""
    count = 0

    def line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def entered(frame: FrameType, event: str, argument: Any) -> Any:
        return line if frame.f_code.co_filename.startswith(OWN) else None

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        result = call(*given)
    finally:
        sys.settrace(before)
    return count, result


def start(diagram: Diagram) -> None:
    simulate(diagram, 0.02, step=0.01, inputs=dict.fromkeys(diagram.input_ports, 1.0))


def growth(make: Callable[[int], Diagram], sizes: tuple[int, int, int]) -> tuple[float, float]:
    """How many times the work of the first step from size to size the second one is: to build and to start."""
    built = [lines(make, size) for size in sizes]
    counts = [[count for count, _ in built], [lines(start, diagram)[0] for _, diagram in built]]
    building, starting = ((third - second) / (second - first) for first, second, third in counts)
    return building, starting


SHAPES: dict[str, Callable[[int], Diagram]] = {
    "a chain": lambda n: shapes.chain(n),
    "a chain added from its end": lambda n: shapes.chain(n, backwards=True),
    "a chain whose size is known at its end": lambda n: shapes.chain(n, last=MatrixGain([[1.0, 2.0]])),
    "delays, each with its own rate": lambda n: shapes.chain(n, make=lambda i: UnitDelay(period=0.01 * i)),
    "a ring of delays": lambda n: shapes.ring(n),
    "unconnected blocks": lambda n: shapes.unconnected(n),
    "one source of many sinks": lambda n: shapes.fan(n),
    "a sum of many terms": lambda n: shapes.gathered(Sum("+" * n), n),
    "a mux of many parts": lambda n: shapes.gathered(Mux([1] * n), n),
    "a demux of many parts": lambda n: shapes.taken_apart(n),
    "muxes in one another": lambda n: shapes.muxes(n),
    "diagrams side by side": lambda n: shapes.side_by_side(n),
    "a diagram with many ports": lambda n: shapes.many_ports(n),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_work_grows_with_the_number_of_blocks(shape: str) -> None:
    """Twice as many blocks more are twice as much work more, where four times as much would be quadratic."""
    assert max(growth(SHAPES[shape], (40, 80, 160))) < 2.1


def test_nesting_does_not_double_the_work() -> None:
    """A level asks the one within for its ports, which asks the next: that is quadratic where it is built."""
    building, starting = growth(shapes.nested, (4, 8, 16))
    assert building < 4.1
    assert starting < 2.1
