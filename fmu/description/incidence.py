"""What in a flattened diagram depends on what at one instant, element by element, through wires and blocks.

Blocks say what each element of an output, a derivative, a mode or a start value reads (`blocks.plan.dependencies`);
wires lead from there to external inputs, continuous states and parameters. A block that is not sampled settles its
modes at the same instant, so whatever reads a mode depends on what the mode does. An output of a sampled block counts
as at a hit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from blocks.model.wiring import width
from blocks.plan.dependencies import BlockDependencies, Dependence, Kind
from blocks.plan.flatten import Feed, Leaf
from blocks.plan.kernel import kernel_functions
from blocks.plan.sizes import Sized


@dataclass(frozen=True)
class Known:
    """What an element depends on. An incidence gives the same object for equal sets."""

    inputs: frozenset[tuple[str, int]]
    """Elements of external inputs: (name, index)."""
    states: frozenset[tuple[str, str, int]]
    """Elements of continuous states: (name of the block, state, index)."""
    parameters: frozenset[tuple[str, str]]
    """Parameters: (name of the block, parameter). Structural ones are constants, and not here."""
    time: bool
    """Whether it depends on the time itself."""


Phase = Literal["run", "start"]
"""In a run states are what they are; at the start they are what their start values make them."""

_Node = tuple[Leaf, Kind, str, Phase]
_Bits = list[int]
"""For each element of a quantity everything that it depends on: a bit for each item of `Incidence._items`."""


class Incidence:
    """The dependencies of a flattened diagram."""

    def __init__(self, flat: Sized) -> None:
        self.flat = flat
        self._items: list[tuple[object, ...]] = [("time",)]
        self._inputs: dict[str, int] = {}
        self._states: dict[tuple[Leaf, str], int] = {}
        self._parameters: dict[tuple[Leaf, str], int] = {}
        self._declared: dict[tuple[Leaf, Kind, str], Dependence] = {}
        self._bits: dict[_Node, _Bits] = {}
        self._known: dict[int, Known] = {}
        for name, shape in flat.input_shapes.items():
            self._inputs[name] = len(self._items)
            self._items += [("input", name, i) for i in range(width(shape))]
        self._sources = {leaf: BlockDependencies(flat, leaf) for leaf in flat.leaves}
        for leaf, sources in self._sources.items():
            for name, state in sources.states.items():
                if not state.discrete:
                    self._states[leaf, name] = len(self._items)
                    self._items += [("state", leaf.name, name, i) for i in range(flat.width(leaf, state.signal))]
            for name in sources.parameters:
                self._parameters[leaf, name] = len(self._items)
                self._items.append(("parameter", leaf.name, name))

    def output(self, feed: Feed, element: int) -> Known:
        """What an element (from 0) of an output, or of a selection of one, depends on in a run."""
        return self._decoded(self._fed(feed, "run", element))

    def derivative(self, leaf: Leaf, state: str, element: int) -> Known:
        """What the derivative of an element of a continuous state depends on in a run."""
        return self._decoded(self._settled((leaf, "state", state, "run"))[element])

    def initial_output(self, feed: Feed, element: int) -> Known:
        """What the value of an output at the start depends on: inputs and parameters."""
        return self._decoded(self._fed(feed, "start", element))

    def initial_derivative(self, leaf: Leaf, state: str, element: int) -> Known:
        """What the derivative of a continuous state at the start depends on."""
        return self._decoded(self._settled((leaf, "state", state, "start"))[element])

    def initial_state(self, leaf: Leaf, state: str, element: int) -> Known:
        """What the start value of a state depends on."""
        return self._decoded(self._settled((leaf, "start", state, "start"))[element])

    def start_is_parameter(self, leaf: Leaf, state: str) -> bool:
        """Whether the start value of a state is just its parameter."""
        block = leaf.block
        computed = kernel_functions(block)["start"] or block.start_sources(state, self.flat.sizes[leaf]) is not None
        return not computed and not leaf.states[state].private

    def calculated(self, leaf: Leaf, name: str) -> Known:
        """The parameters that a calculated parameter follows from."""
        depends = leaf.block.calculated_parameters[name].depends
        names = [n for n in depends if n not in self._sources[leaf].structural]
        return self._decoded(sum(1 << self._parameters[leaf, n] for n in names))

    def _decoded(self, bits: int) -> Known:
        found = self._known.get(bits)
        if found is None:
            kinds: dict[str, list[tuple[object, ...]]] = {"time": [], "input": [], "state": [], "parameter": []}
            for number in _set_bits(bits):
                kind, *rest = self._items[number]
                kinds[str(kind)].append(tuple(rest))
            found = Known(
                frozenset(kinds["input"]),  # type: ignore[arg-type]
                frozenset(kinds["state"]),  # type: ignore[arg-type]
                frozenset(kinds["parameter"]),  # type: ignore[arg-type]
                bool(kinds["time"]),
            )
            self._known[bits] = found
        return found

    def _fed(self, feed: Feed, phase: Phase, element: int) -> int:
        number = (feed.start or 0) + element
        if feed.block is None:
            return 1 << self._inputs[feed.port] + number
        return self._settled((feed.block, "output", feed.port, phase))[number]

    def _settled(self, node: _Node) -> _Bits:
        """The bits of a quantity: those of all that it reads are found first, and go round until they rest.

        Only modes can lead back to where they come from, as outputs in a ring would be an algebraic loop.
        """
        if node not in self._bits:
            order, rings = self._reached(node)
            for here in order:
                self._bits[here] = [0] * self._dependence(here).count
            changed = True
            while changed:
                changed = False
                for here in order:
                    bits = self._gathered(here)
                    changed = (changed or bits != self._bits[here]) and rings
                    self._bits[here] = bits
        return self._bits[node]

    def _reached(self, start: _Node) -> tuple[list[_Node], bool]:
        """All quantities that count and are not known yet, each after those that it reads; whether there are rings."""
        order: list[_Node] = []
        under_way = {start}
        found = {start}
        rings = False
        stack = [(start, self._read(start))]
        while stack:
            here, rest = stack[-1]
            for node in rest:
                rings = rings or node in under_way
                if node not in found and node not in self._bits:
                    found.add(node)
                    under_way.add(node)
                    stack.append((node, self._read(node)))
                    break
            else:
                stack.pop()
                under_way.discard(here)
                order.append(here)
        return order, rings

    def _dependence(self, node: _Node) -> Dependence:
        key = node[:3]
        if key not in self._declared:
            self._declared[key] = self._sources[node[0]].of(node[1], node[2])
        return self._declared[key]

    def _read(self, node: _Node) -> Iterator[_Node]:
        """The quantities of blocks that a quantity reads."""
        leaf, _, _, phase = node
        declared = self._dependence(node)
        for name in declared.inputs:
            feed = self.flat.feeds[leaf].get(name)
            if feed is not None and feed.block is not None:
                yield feed.block, "output", feed.port, phase
        for name in declared.states:
            yield from self._behind(leaf, name, phase)

    def _behind(self, leaf: Leaf, state: str, phase: Phase) -> Iterator[_Node]:
        """What stands behind a state that is read: its start value at the start, and what a mode settles by."""
        if phase == "start":
            yield leaf, "start", state, phase
        if state in self._sources[leaf].modes:
            yield leaf, "state", state, phase

    def _gathered(self, node: _Node) -> _Bits:
        """The bits of a quantity from those of what it reads."""
        leaf, _, _, phase = node
        declared = self._dependence(node)
        bits = list(declared.time) or [0] * declared.count  # the time is item 0
        for name, masks in declared.parameters.items():
            place = self._parameters[leaf, name]
            bits = [have | mask << place for have, mask in zip(bits, masks, strict=True)]
        for name, masks in declared.inputs.items():
            feed = self.flat.feeds[leaf].get(name)
            if feed is None:
                continue
            first = feed.start or 0
            if feed.block is None:
                place = self._inputs[feed.port] + first
                bits = [have | mask << place for have, mask in zip(bits, masks, strict=True)]
            else:
                _add(bits, masks, self._bits[feed.block, "output", feed.port, phase], first)
        for name, masks in declared.states.items():
            if phase == "run" and (leaf, name) in self._states:
                place = self._states[leaf, name]
                bits = [have | mask << place for have, mask in zip(bits, masks, strict=True)]
            for behind in self._behind(leaf, name, phase):
                _add(bits, masks, self._bits[behind], 0)
        return bits


def _add(bits: _Bits, masks: Iterable[int], source: _Bits, first: int) -> None:
    """Add to each element what the elements of a source depend on that its mask names, counted from `first`."""
    alike = source[0] if source.count(source[0]) == len(source) else None
    unions: dict[int, int] = {}
    for i, mask in enumerate(masks):
        if alike is not None:
            bits[i] |= alike if mask else 0
            continue
        if mask not in unions:
            union = 0
            for j in _set_bits(mask):
                union |= source[first + j]
            unions[mask] = union
        bits[i] |= unions[mask]


def _set_bits(number: int) -> Iterator[int]:
    digits = f"{number:b}"[::-1]
    place = digits.find("1")
    while place >= 0:
        yield place
        place = digits.find("1", place + 1)
