"""The connections of one system as wires of a diagram: whole ports where they fit, else put together from pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from blocks.diagram import Diagram
from blocks.model.component import Component, PortRef
from fmu.ssp.changes import UNCHANGED, Change, Linear, Table
from fmu.ssp.on_wires import WireConstant, WireGain, WireMux, WireSum, WireTable
from fmu.ssp.read.ports import identifier


@dataclass(frozen=True)
class Feed:
    """What feeds one element: an element of an output of a component, or (None) of an input of the diagram."""

    component: Component | None
    port: str
    index: int
    change: Change = UNCHANGED


@dataclass(frozen=True)
class Run:
    """Neighbouring elements of one source, or (component and port of None) constants."""

    feeds: tuple[Feed | None, ...]

    @property
    def first(self) -> Feed | None:
        return self.feeds[0]


def runs_of(feeds: Sequence[Feed | None]) -> list[Run]:
    """The fewest pieces that make up a port."""
    runs: list[list[Feed | None]] = []
    for feed in feeds:
        before = runs[-1][-1] if runs else None
        if runs and _follows(before, feed):
            runs[-1].append(feed)
        else:
            runs.append([feed])
    return [Run(tuple(run)) for run in runs]


def _follows(before: Feed | None, feed: Feed | None) -> bool:
    if before is None or feed is None:
        return before is feed
    return (before.component, before.port, before.index + 1, before.change) == (
        feed.component, feed.port, feed.index, feed.change
    )  # fmt: skip


class Wirer:
    """Wires one diagram. Inputs are declared when they are first needed, with the sink that tells their type."""

    def __init__(self, diagram: Diagram, inputs: dict[str, int]) -> None:
        self.diagram = diagram
        self.inputs = inputs
        """Widths of the inputs that the system has, by name."""
        self._passed: dict[str, PortRef] = {}

    def split_inputs(self, sinks: Sequence[Sequence[Feed | None]], shown: Sequence[Sequence[Feed | None]]) -> None:
        """Let an input through a block unless all that it feeds takes it whole, so that its width is known.

        `shown` are outputs, which have to come from a block in any case.
        """
        whole = {feed.port: False for feeds in shown for feed in feeds if feed is not None and feed.component is None}
        for feeds in sinks:
            for feed in feeds:
                if feed is not None and feed.component is None:
                    fits = len(feeds) == self.inputs[feed.port] and len(runs_of(feeds)) == 1 and not feed.change
                    whole[feed.port] = whole.get(feed.port, True) and fits
        for port, fits in whole.items():
            if not fits:
                through = self._add(f"{port}_in", WireMux([self.inputs[port]]))
                self.diagram.inputs(**{port: through.input_port("in1")})
                self._passed[port] = through.port("y")

    def connect(self, component: Component, port: str, feeds: Sequence[Feed | None], start: Sequence[float]) -> None:
        """Feed an input. Elements that nothing feeds keep their start value."""
        runs = runs_of(feeds)
        if len(runs) == 1 and runs[0].first is None:
            return
        sink = component.input_port(port)
        only = runs[0].first
        if len(runs) == 1 and only is not None and only.component is None and only.port not in self._passed:
            if only.port in self.diagram.boundary_inputs:
                self.diagram.connect(only.port, sink)
            else:
                self.diagram.inputs(**{only.port: sink})
            return
        self.diagram.connect(self._joined(runs, f"{component.name}_{port}", len(feeds), start), sink)

    def show(self, name: str, feeds: Sequence[Feed | None]) -> None:
        """Declare an output, of which elements that nothing feeds are 0."""
        if any(feed is not None for feed in feeds):
            source = self._joined(runs_of(feeds), name, len(feeds), [0.0] * len(feeds))
            self.diagram.outputs(**{name: source})

    def _joined(self, runs: list[Run], name: str, width: int, start: Sequence[float]) -> PortRef:
        """One source for all elements of a port."""
        pieces, at = [], 0
        for run in runs:
            pieces.append(self._piece(run, name, width, start[at : at + len(run.feeds)]))
            at += len(run.feeds)
        if len(pieces) == 1:
            return pieces[0]
        mux = self._add(f"{name}_mux", WireMux([len(run.feeds) for run in runs]))
        for i, piece in enumerate(pieces, 1):
            self.diagram.connect(piece, mux.input_port(f"in{i}"))
        return mux.port("y")

    def _piece(self, run: Run, name: str, width: int, start: Sequence[float]) -> PortRef:
        feed = run.first
        if feed is None:
            return self._add(f"{name}_start", WireConstant(_values(start))).port("y")
        source = self._passed[feed.port] if feed.component is None else feed.component.port(feed.port)
        count = len(run.feeds)
        whole = feed.index == 0 and count == _width(source)
        taken = source if whole else source[feed.index] if count == 1 else source[feed.index : feed.index + count]
        return self._transformed(taken, feed.change, name, count)

    def _transformed(self, source: PortRef, change: Change, name: str, count: int) -> PortRef:
        for step in change:
            source = (
                self._linear(source, step, name, count) if isinstance(step, Linear) else self._table(source, step, name)
            )
        return source

    def _linear(self, source: PortRef, change: Linear, name: str, count: int) -> PortRef:
        if change.factor != 1.0:
            gain = self._add(f"{name}_gain", WireGain(change.factor))
            self.diagram.connect(source, gain.input_port("u"))
            source = gain.port("y")
        if change.offset != 0.0:
            offset = self._add(f"{name}_offset", WireConstant(_values([change.offset] * count)))
            total = self._add(f"{name}_sum", WireSum("++"))
            self.diagram.connect(source, total.input_port("in1"))
            self.diagram.connect(offset.port("y"), total.input_port("in2"))
            source = total.port("y")
        return source

    def _table(self, source: PortRef, change: Table, name: str) -> PortRef:
        """A piecewise linear function that is the table at whole numbers, and the identity outside."""
        given = dict(change.pairs)
        near = {x + step for x in given for step in (-2.0, -1.0, 0.0, 1.0, 2.0)}
        points = sorted(near)
        table = self._add(f"{name}_table", WireTable(points, [given.get(x, x) for x in points], extrapolation="linear"))
        self.diagram.connect(source, table.input_port("u"))
        return table.port("y")

    def _add(self, name: str, block: Component) -> Component:
        return self.diagram.add(identifier(name, self.diagram.components), block)


def _values(numbers: Sequence[float]) -> float | np.ndarray[tuple[int], np.dtype[np.float64]]:
    return float(numbers[0]) if len(numbers) == 1 else np.asarray(numbers, dtype=np.float64)


def _width(source: PortRef) -> int:
    shape = source.signal.shape
    sizes = source.block.known_sizes()
    total = 1
    for dimension in shape:
        total *= dimension if isinstance(dimension, int) else sizes.get(dimension, 1)
    return total
