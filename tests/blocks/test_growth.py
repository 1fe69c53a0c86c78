"""How the work of building, planning and starting grows with a diagram: counted in lines that run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import blocks
from blocks import Diagram, simulate
from blocks.basic import Constant, Demux, FirstOrderLag, Gain, MatrixGain, Mux, Sum, UnitDelay

OWN = str(Path(blocks.__file__).parent)


def chain(
    size: int, *, backwards: bool = False, last: Any = None, make: Callable[[int], Any] = lambda _: Gain()
) -> Diagram:
    """A source and blocks one after the other, added in either direction."""
    diagram = Diagram()
    members = [("b0", Constant(1.0)), *((f"b{i}", make(i)) for i in range(1, size))]
    if last is not None:
        members.append((f"b{size}", last))
    for name, block in reversed(members) if backwards else members:
        diagram.add(name, block)
    for (source, _), (sink, _) in pairwise(members):
        diagram.connect(f"{source}.y", f"{sink}.u")
    return diagram


def unconnected(size: int) -> Diagram:
    """Nothing decides any of the sizes."""
    diagram = Diagram()
    for i in range(size):
        diagram.add(f"b{i}", Constant(1.0))
    return diagram


def ring(size: int) -> Diagram:
    """Delays, each of which takes its unit from the one before."""
    diagram = Diagram()
    for i in range(size):
        diagram.add(f"b{i}", UnitDelay(period=0.1))
    for i in range(size):
        diagram.connect(f"b{i}.y", f"b{(i + 1) % size}.u")
    return diagram


def fan(size: int) -> Diagram:
    """One source of many sinks."""
    diagram = Diagram()
    diagram.add("source", Constant(1.0))
    for i in range(size):
        diagram.add(f"b{i}", Gain())
    diagram.connect("source.y", *(f"b{i}.u" for i in range(size)))
    return diagram


def gathered(block: Any, size: int) -> Diagram:
    """A block with many inputs."""
    diagram = Diagram()
    diagram.add("block", block)
    for i in range(size):
        diagram.add(f"b{i}", Constant(1.0))
        diagram.connect(f"b{i}.y", f"block.in{i + 1}")
    return diagram


def spread(size: int) -> Diagram:
    """A block with many outputs."""
    diagram = Diagram()
    diagram.add("whole", Constant([1.0] * size))
    diagram.add("parts", Demux([1] * size))
    diagram.connect("whole.y", "parts.u")
    for i in range(size):
        diagram.add(f"b{i}", Gain())
        diagram.connect(f"parts.out{i + 1}", f"b{i}.u")
    return diagram


def muxes(size: int) -> Diagram:
    """Each within the next one."""
    diagram = Diagram()
    diagram.add("b0", Gain())
    diagram.inputs(u="b0.u")
    for i in range(1, size):
        diagram.add(f"b{i}", Mux([1]))
        diagram.connect(f"b{i - 1}.y", f"b{i}.in1")
    return diagram


def side_by_side(size: int) -> Diagram:
    """Many diagrams in one."""
    diagram = Diagram()
    diagram.add("d0", Constant(1.0))
    for i in range(1, size):
        inner = diagram.add(f"d{i}", Diagram())
        inner.add("gain", Gain())
        inner.inputs(u="gain.u")
        inner.outputs(y="gain.y")
        diagram.connect(f"d{i - 1}.y", f"d{i}.u")
    return diagram


def many_ports(size: int) -> Diagram:
    """A diagram with many inputs and outputs."""
    inner, outer = Diagram(), Diagram()
    for i in range(size):
        inner.add(f"b{i}", FirstOrderLag(1.0))
    inner.inputs(**{f"u{i}": f"b{i}.u" for i in range(size)})
    inner.outputs(**{f"y{i}": f"b{i}.y" for i in range(size)})
    outer.add("inner", inner)
    for i in range(size):
        outer.connect(f"inner.y{i}", f"inner.u{(i + 1) % size}")
    return outer


def nested(depth: int) -> Diagram:
    """One diagram in the other."""
    diagram = Diagram()
    diagram.add("gain", Gain())
    diagram.inputs(u="gain.u")
    diagram.outputs(y="gain.y")
    for _ in range(depth - 2):
        outer = Diagram()
        outer.add("inner", diagram)
        outer.inputs(u="inner.u")
        outer.outputs(y="inner.y")
        diagram = outer
    top = Diagram()
    top.add("source", Constant(1.0))
    top.add("inner", diagram)
    top.connect("source.y", "inner.u")
    return top


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
    "a chain": chain,
    "a chain added from its end": lambda n: chain(n, backwards=True),
    "a chain whose size is known at its end": lambda n: chain(n, last=MatrixGain([[1.0, 2.0]])),
    "delays, each with its own rate": lambda n: chain(n, make=lambda i: UnitDelay(period=0.01 * i)),
    "a ring of delays": ring,
    "unconnected blocks": unconnected,
    "one source of many sinks": fan,
    "a sum of many terms": lambda n: gathered(Sum("+" * n), n),
    "a mux of many parts": lambda n: gathered(Mux([1] * n), n),
    "a demux of many parts": spread,
    "muxes in one another": muxes,
    "diagrams side by side": side_by_side,
    "a diagram with many ports": many_ports,
}


@pytest.mark.parametrize("make", SHAPES.values(), ids=SHAPES)
def test_work_grows_with_the_number_of_blocks(make: Callable[[int], Diagram]) -> None:
    """Twice as many blocks more are twice as much work more, where four times as much would be quadratic."""
    assert max(growth(make, (40, 80, 160))) < 2.1


def test_nesting_does_not_double_the_work() -> None:
    """A level asks the one within for its ports, which asks the next: that is quadratic where it is built."""
    building, starting = growth(nested, (4, 8, 16))
    assert building < 4.1
    assert starting < 2.1
