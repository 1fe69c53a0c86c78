"""Sizes: how large every port is, as far as blocks leave that to what they are connected to.

Numbers go forward along wires, from sources to sinks; where that leaves a size open, backward; and where nothing says
more it is 1. A wire is looked at again only when there is news at the end that it would pass on, so that the effort
grows with the number of wires.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from blocks.errors import WiringError, raise_all
from blocks.model import wiring
from blocks.plan.flatten import Feed, Flat, Leaf, check_inputs
from blocks.signal import AnySignal, Signal

OpenShape = tuple[int | str, ...]
"""A shape in which names stand for sizes that are not known."""
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Sized(Flat):
    """A flattened diagram in which every size is known."""

    sizes: Mapping[Leaf, Mapping[str, int]]
    """Those of each block, by name."""
    input_shapes: Mapping[str, Shape]
    """Of external inputs."""

    def shape(self, leaf: Leaf, signal: Signal) -> Shape:
        """The shape of a port or state of a block."""
        return _numbers(_shape(signal, self.sizes[leaf]))

    def width(self, leaf: Leaf, signal: Signal) -> int:
        """How many elements a port or state of a block has."""
        return wiring.width(_shape(signal, self.sizes[leaf]))

    def feed_shape(self, feed: Feed) -> Shape:
        """The shape of what an input reads."""
        return _numbers(_feed_shape(feed, self.sizes, self.input_shapes))


def find_sizes(flat: Flat, input_shapes: Mapping[str, Shape] | None = None) -> Sized:
    """Find all sizes. `input_shapes` are shapes of external inputs whose size nothing else decides.

    Raises WiringError where two shapes that are connected differ, and for an input that is not there.
    """
    check_inputs(input_shapes or (), flat.externals)
    found = sizes_as_they_are(flat, input_shapes)
    raise_all([fault for _, fault in size_faults(found)])
    return found


def sizes_as_they_are(flat: Flat, input_shapes: Mapping[str, Shape] | None = None) -> Sized:
    """All sizes, whether they agree or not."""
    return _Search(flat, input_shapes or {}).found()


def size_faults(found: Sized) -> Iterator[tuple[tuple[Leaf, str], WiringError]]:
    """The inputs whose shape differs from that of what they read."""
    for leaf in found.leaves:
        for name, feed in found.feeds[leaf].items():
            whole = wiring.width(found.feed_shape(replace(feed, start=None, stop=None)))
            if feed.stop is not None and feed.stop > whole:
                text = f"{feed}, which feeds {leaf.name}.{name}: there are only {whole} elements"
                yield (leaf, name), WiringError(text, code="unknown-element", block=leaf.name, port=name)
                continue
            got, want = found.feed_shape(feed), found.shape(leaf, leaf.inputs[name].signal)
            if got != want and not wiring.width(got) == wiring.width(want) == 1:
                text = f"cannot connect {feed} to {leaf.name}.{name}: shapes {_text(got)} and {_text(want)} differ"
                yield (leaf, name), WiringError(text, code="shape-mismatch", block=leaf.name, port=name)


class _Search:
    """The sizes known so far, and the wires that have something to pass on in each direction."""

    def __init__(self, flat: Flat, input_shapes: Mapping[str, Shape]) -> None:
        self.flat = flat
        self.sizes = {leaf: leaf.block.known_sizes() for leaf in flat.leaves}
        self.input_shapes: dict[str, OpenShape] = {}
        for name, external in flat.externals.items():
            shape: OpenShape = external.signal.shape
            if len(input_shapes.get(name, shape)) == len(shape):
                pairs = zip(input_shapes.get(name, shape), shape, strict=True)
                shape = tuple(given if isinstance(own, str) else own for given, own in pairs)
            self.input_shapes[name] = shape
        self.wires: list[tuple[Leaf, str, Feed]] = []
        self.into: dict[Leaf, list[int]] = {leaf: [] for leaf in flat.leaves}
        self.out_of: dict[Leaf | str, list[int]] = {leaf: [] for leaf in flat.leaves}
        """The wires from each block, and from each external input by its name."""
        self.out_of |= {name: [] for name in flat.externals}
        for leaf in flat.leaves:
            for name, feed in flat.feeds[leaf].items():
                self.into[leaf].append(len(self.wires))
                self.out_of[feed.block or feed.port].append(len(self.wires))
                self.wires.append((leaf, name, feed))
        self.forward = _Rounds(len(self.wires))
        self.backward = _Rounds(len(self.wires))

    def found(self) -> Sized:
        """Go forward while there is anything to pass on, then one round backward, and so on."""
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
                    shapes = {name: _numbers(shape) for name, shape in self.input_shapes.items()}
                    return Sized(**vars(self.flat), sizes=self.sizes, input_shapes=shapes)
                self._tell(owner)

    def _pass_forward(self, number: int) -> None:
        leaf, name, feed = self.wires[number]
        shape = _feed_shape(feed, self.sizes, self.input_shapes)
        if _learn(self.sizes[leaf], leaf.inputs[name].signal, shape):
            self._tell(leaf)

    def _pass_backward(self, number: int) -> bool:
        leaf, name, feed = self.wires[number]
        shape = _shape(leaf.inputs[name].signal, self.sizes[leaf])
        if feed.start is not None or not _is_known(shape):
            return False
        if feed.block is not None:
            learned = _learn(self.sizes[feed.block], feed.block.outputs[feed.port].signal, shape)
        else:
            learned = not _is_known(self.input_shapes[feed.port])
            if learned:
                self.input_shapes[feed.port] = shape
        if learned:
            self._tell(feed.block or feed.port)
        return learned

    def _tell(self, owner: Leaf | str) -> None:
        """A size of a block or of an external input has become known, and with it perhaps others of the block."""
        for number in self.out_of[owner]:
            self.forward.add(number)
        if isinstance(owner, Leaf):
            self.sizes[owner].update(owner.block.sizes_that_follow(self.sizes[owner]))
            for number in self.into[owner]:
                self.backward.add(number)

    def _undecided(self) -> Iterator[Leaf | str]:
        """Make sizes 1 that nothing has decided by then, one after the other; whose each was."""
        for leaf in self.flat.leaves:
            signals = [port.signal for port in (*leaf.inputs.values(), *leaf.outputs.values())]
            shapes = [s.shape for s in signals] + [p.shape for p in leaf.block.all_parameters().values()]
            for dimension in dict.fromkeys(d for shape in shapes for d in shape if isinstance(d, str)):
                if dimension not in self.sizes[leaf]:
                    self.sizes[leaf][dimension] = 1
                    yield leaf
        for name, shape in self.input_shapes.items():
            if not _is_known(shape):
                self.input_shapes[name] = tuple(d if isinstance(d, int) else 1 for d in shape)
                yield name


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


def _shape(signal: Signal, sizes: Mapping[str, int]) -> OpenShape:
    """The shape of a port as far as it is known. A port for any signal that carries one number is a scalar."""
    shape = tuple(sizes.get(d, d) if isinstance(d, str) else d for d in signal.shape)
    return () if shape == (1,) and signal == AnySignal else shape


def _feed_shape(
    feed: Feed, sizes: Mapping[Leaf, Mapping[str, int]], input_shapes: Mapping[str, OpenShape] | Mapping[str, Shape]
) -> OpenShape:
    if feed.start is not None and feed.stop is not None:
        return () if feed.stop - feed.start == 1 else (feed.stop - feed.start,)
    if feed.block is None:
        return input_shapes[feed.port]
    return _shape(feed.block.outputs[feed.port].signal, sizes[feed.block])


def _learn(sizes: dict[str, int], signal: Signal, shape: OpenShape) -> bool:
    """Take over sizes of a block from a shape that is wired to one of its ports; whether one was not known."""
    if not shape and len(signal.shape) == 1:
        shape = (1,)
    if len(shape) != len(signal.shape):
        return False
    learned = False
    for dimension, number in zip(signal.shape, shape, strict=True):
        if isinstance(dimension, str) and isinstance(number, int) and dimension not in sizes:
            sizes[dimension] = number
            learned = True
    return learned


def _is_known(shape: OpenShape) -> bool:
    return all(isinstance(dimension, int) for dimension in shape)


def _numbers(shape: OpenShape) -> Shape:
    return tuple(int(dimension) for dimension in shape)


def _text(shape: Shape) -> str:
    return "×".join(map(str, shape)) or "1"
