"""Sizes: how large every port is, as far as the blocks leave that to what they are connected to.

Numbers go forward along wires, from sources to sinks; where that leaves a size open, backward; and where nothing says
more it is 1. A wire is looked at again only when there is news at the end that it would pass on, so that the effort
grows with the number of wires.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from blocks.errors import WiringError
from blocks.model import wiring
from blocks.plan.flatten import Feed, Flat, Leaf
from blocks.signal import Signal

Shape = tuple[int | str, ...]


def resolve_sizes(flat: Flat) -> None:
    """Find all sizes. Raises WiringError where two that are connected differ."""
    _Sizes(flat).resolve()
    for leaf in flat.leaves:
        for name, feed in leaf.feeds.items():
            whole = wiring.width(source_shape(flat, Feed(feed.block, feed.port)))
            if feed.stop is not None and feed.stop > whole:
                raise WiringError(f"{feed}, which feeds {leaf.name}.{name}: there are only {whole} elements")
            got, want = source_shape(flat, feed), leaf.shape(leaf.inputs[name].signal)
            if got != want and not wiring.width(got) == wiring.width(want) == 1:
                raise WiringError(
                    f"cannot connect {feed} to {leaf.name}.{name}: shapes {_text(got)} and {_text(want)} differ"
                )


class _Sizes:
    """The wires of a diagram, and which of them have something to pass on in each direction."""

    def __init__(self, flat: Flat) -> None:
        self.flat = flat
        self.wires: list[tuple[Leaf, str, Feed]] = []
        self.into: dict[Leaf, list[int]] = {leaf: [] for leaf in flat.leaves}
        self.out_of: dict[Leaf | str, list[int]] = {leaf: [] for leaf in flat.leaves}
        """Blocks, and external inputs by their names."""
        for name in flat.externals:
            self.out_of[name] = []
        for leaf in flat.leaves:
            for name, feed in leaf.feeds.items():
                self.into[leaf].append(len(self.wires))
                self.out_of[feed.block or feed.port].append(len(self.wires))
                self.wires.append((leaf, name, feed))
        self.forward = _Rounds(len(self.wires))
        self.backward = _Rounds(len(self.wires))

    def resolve(self) -> None:
        """Forward while there is anything to pass on, then one round backward, and so on."""
        undecided = self._undecided()
        while True:
            while self.forward:
                for number in self.forward.next_round():
                    self._pass_forward(number)
            learned = False
            for number in self.backward.next_round():
                learned |= self._pass_backward(number)
            if not learned:
                owner = next(undecided, None)
                if owner is None:
                    return
                self._tell(owner)

    def _pass_forward(self, number: int) -> None:
        leaf, name, feed = self.wires[number]
        if _learn(leaf, leaf.inputs[name].signal, source_shape(self.flat, feed)):
            self._tell(leaf)

    def _pass_backward(self, number: int) -> bool:
        leaf, name, feed = self.wires[number]
        shape = leaf.shape(leaf.inputs[name].signal)
        if feed.start is not None or not _is_known(shape):
            return False
        if feed.block is not None:
            learned = _learn(feed.block, feed.block.outputs[feed.port].signal, shape)
        else:
            external = self.flat.externals[feed.port]
            learned = not _is_known(external.shape)
            if learned:
                external.shape = shape
        if learned:
            self._tell(feed.block or feed.port)
        return learned

    def _tell(self, owner: Leaf | str) -> None:
        """A size of a block or of an external input has become known."""
        for number in self.out_of[owner]:
            self.forward.add(number)
        if isinstance(owner, Leaf):
            for number in self.into[owner]:
                self.backward.add(number)

    def _undecided(self) -> Iterator[Leaf | str]:
        """Give the sizes that nothing has decided by then the value 1, one after the other."""
        for leaf in self.flat.leaves:
            signals = [port.signal for port in (*leaf.inputs.values(), *leaf.outputs.values())]
            shapes = [s.shape for s in signals] + [p.shape for p in leaf.block.all_parameters().values()]
            for dimension in dict.fromkeys(d for shape in shapes for d in shape if isinstance(d, str)):
                if dimension not in leaf.sizes:
                    leaf.sizes[dimension] = 1
                    yield leaf
        for external in self.flat.externals.values():
            if not _is_known(external.shape):
                external.shape = tuple(d if isinstance(d, int) else 1 for d in external.shape)
                yield external.name


class _Rounds:
    """Numbers to be taken in order, round by round. One that comes up behind where a round is waits for the next."""

    def __init__(self, count: int) -> None:
        self._ahead = list(range(count))
        self._behind: list[int] = []
        self._waiting = set(self._ahead)
        self._at = -1

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, number: int) -> None:
        if number not in self._waiting:
            self._waiting.add(number)
            if number > self._at:
                heapq.heappush(self._ahead, number)
            else:
                self._behind.append(number)

    def next_round(self) -> Iterator[int]:
        while self._ahead:
            self._at = heapq.heappop(self._ahead)
            self._waiting.discard(self._at)
            yield self._at
        self._ahead, self._behind, self._at = sorted(self._behind), [], -1


def _is_known(shape: Shape) -> bool:
    return all(isinstance(dimension, int) for dimension in shape)


def _learn(leaf: Leaf, signal: Signal, shape: Shape) -> bool:
    """Take over the sizes of a block from a shape that is wired to one of its ports; True if one was not known."""
    if not shape and len(signal.shape) == 1:
        shape = (1,)
    if len(shape) != len(signal.shape):
        return False
    learned = False
    for dimension, number in zip(signal.shape, shape, strict=True):
        if isinstance(dimension, str) and isinstance(number, int) and dimension not in leaf.sizes:
            leaf.sizes[dimension] = number
            learned = True
    return learned


def source_shape(flat: Flat, feed: Feed) -> Shape:
    """The shape of what an input reads, as far as sizes are known."""
    if feed.start is not None and feed.stop is not None:
        return () if feed.stop - feed.start == 1 else (feed.stop - feed.start,)
    if feed.block is None:
        return flat.externals[feed.port].shape
    return feed.block.shape(feed.block.outputs[feed.port].signal)


def _text(shape: Shape) -> str:
    return "×".join(map(str, shape)) or "1"
