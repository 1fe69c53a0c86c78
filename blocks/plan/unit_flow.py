"""Units through blocks that take any signal: what they make of those of their inputs, and where that is not wanted."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from blocks.errors import ParameterError
from blocks.model.block import Units
from blocks.model.wiring import width
from blocks.plan.check import Checked, feed_signal
from blocks.plan.flatten import Feed, Leaf, Node
from blocks.problems import Problem
from blocks.unit_products import agree, product

_WIDEST = 64
"""Elements of signals that are followed."""


def unit_warnings(checked: Checked) -> Iterator[Problem]:
    """Inputs that want a unit and, by the blocks in between, get another one; terms of different units."""
    found = find_units(checked)
    for leaf in checked.leaves:
        first: tuple[Feed, str] | None = None
        for name, feed in checked.feeds[leaf].items():
            wanted = leaf.inputs[name].signal.unit
            given = _fed(checked, feed, found)
            if wanted is None:
                if leaf.block.alike and given and given[0]:
                    if first is not None and not _agree(given[0], first[1]):
                        yield _differ(leaf, name, feed, given[0], f"{first[0]} in {first[1]}")
                    first = first or (feed, given[0])
                continue
            if feed_signal(checked, feed, checked.signals).unit is not None:
                continue  # which `check` has seen
            for i, unit in enumerate(given):
                want = wanted[i] if isinstance(wanted, tuple) and i < len(wanted) else wanted
                if unit and isinstance(want, str) and not _agree(unit, want):
                    yield _lost(leaf, name, feed, unit, want)
                    break


def _lost(leaf: Leaf, name: str, feed: Feed, given: str, wanted: str) -> Problem:
    return Problem(
        "warning",
        "unit-lost",
        f"{feed} is in {given} by what it is made of, and {leaf.name}.{name} takes it in {wanted}",
        hint=f"where that is meant, a gain with its unit says so: gain: 1 {_by(wanted, given)}",
        block=leaf.name,
        port=name,
    )


def _by(one: str, other: str) -> str:
    """The unit of a quotient, as people write it."""
    other = product((other, 1))
    if other == "1":
        return one
    return f"{one}/({other})" if any(sign in other for sign in "*/^") else f"{one}/{other}"


def _differ(leaf: Leaf, name: str, feed: Feed, given: str, other: str) -> Problem:
    return Problem(
        "warning",
        "unit-lost",
        f"{leaf.name} takes {other} together with {feed} in {given}, by what they are made of",
        hint="a gain with its unit brings one to the unit of the other",
        block=leaf.name,
        port=name,
    )


def _agree(one: str, other: str) -> bool:
    try:
        return agree(one, other)
    except ParameterError:  # a unit that somebody's own port has, and no one knows
        return True


def find_units(checked: Checked) -> Mapping[Node, Units]:
    """The units of all outputs, as far as they are known: those of ports, and what general blocks make of them."""
    found: dict[Node, Units] = {}
    open_ones: list[Leaf] = []
    for leaf in checked.leaves:
        for name in leaf.outputs:
            signal = checked.signals[leaf, name]
            count = min(width(signal.shape), _WIDEST)
            found[leaf, name] = signal.units(count)[:count]
            if signal.unit is None and (not open_ones or open_ones[-1] is not leaf):
                open_ones.append(leaf)
    readers: dict[Leaf, list[Leaf]] = {}
    for leaf in open_ones:
        for feed in checked.feeds[leaf].values():
            if feed.block is not None:
                readers.setdefault(feed.block, []).append(leaf)
    waiting = deque(open_ones)
    while waiting:
        leaf = waiting.popleft()
        if _learn(checked, leaf, found):
            waiting += readers.get(leaf, ())
    return found


def _learn(checked: Checked, leaf: Leaf, found: dict[Node, Units]) -> bool:
    """Find units of a block's outputs that were not known; whether there were any."""
    inputs = {name: _fed(checked, feed, found) for name, feed in checked.feeds[leaf].items()}
    if any(not units for units in inputs.values()):
        return False
    learned = False
    for name, port in leaf.outputs.items():
        before = found[leaf, name]
        if None not in before:
            continue
        try:
            units = inputs.get(port.like, ()) if port.like else leaf.block.output_units(name, inputs)
        except ParameterError:  # a unit that no one knows
            continue
        units = units * len(before) if len(units) == 1 else units
        if len(units) == len(before):
            after = tuple(old or new for old, new in zip(before, units, strict=True))
            learned |= after != before
            found[leaf, name] = after
    return learned


def _fed(checked: Checked, feed: Feed, found: Mapping[Node, Units]) -> Units:
    """The units of what an input reads."""
    if feed.block is None:
        signal = checked.externals[feed.port].signal
        whole = signal.units(min(width(checked.input_shapes[feed.port]), _WIDEST))
    else:
        whole = found[feed.block, feed.port]
    return whole if feed.start is None or feed.stop is None else whole[feed.start : feed.stop]
