"""Diagrams of any size, to see how work grows with it: for `benchmarks.planning` and a test."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from blocks import Diagram
from blocks.basic import Constant, Demux, FirstOrderLag, Gain, Mux, UnitDelay


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
    """Blocks that have nothing to do with each other; nothing decides their sizes."""
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
