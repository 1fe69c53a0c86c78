"""What in a plan depends on what: outputs on inputs and parameters, and the plan's layout on parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from blocks.block import Block
from blocks.declare import Parameter
from blocks.errors import KeelblocksError
from blocks.flatten import Feed, Flat, Leaf
from cython_kernels import engine as native


@dataclass
class Reach:
    """What an output depends on at the same instant."""

    externals: set[tuple[str, int]] = field(default_factory=set)
    """Elements of external inputs: (name, index)."""
    leaves: set[str] = field(default_factory=set)
    """Names of the blocks whose parameters and states take part."""


def reach(flat: Flat, feed: Feed) -> Reach:
    """What the output that `feed` names depends on, by feedthrough per port, through all nested diagrams."""
    found = Reach()
    seen: set[tuple[str, str]] = set()
    waiting = [feed]
    while waiting:
        here = waiting.pop()
        if here.block is None:
            found.externals |= {(here.port, i) for i in _elements(flat, here)}
        elif (here.block.name, here.port) not in seen:
            seen.add((here.block.name, here.port))
            found.leaves.add(here.block.name)
            waiting += _read_at_once(here.block, here.port)
    return found


def _elements(flat: Flat, feed: Feed) -> Iterable[int]:
    count = int(np.prod([int(d) for d in flat.externals[feed.port].shape], dtype=int))
    return range(feed.start or 0, count if feed.stop is None else feed.stop)


def _read_at_once(leaf: Leaf, output: str) -> Iterator[Feed]:
    """Where the inputs come from that an output depends on at the same instant.

    A block that is not sampled and has an update can change its modes as soon as an input changes, and any of its
    outputs with them.
    """
    block = leaf.block
    counts = native.kernel_counts(block.kernel)
    has_modes = counts is not None and counts[8] and not block.sampled
    for name in block.input_ports if has_modes else block.feedthrough(output):
        if name in leaf.feeds:
            yield leaf.feeds[name]


def structural_parameters(leaf: Leaf) -> set[str]:
    """The parameters of a block that the layout of the plan hangs on, so that they cannot change in an FMU.

    Those are the ones of which another value gives the block other ports, states, sizes or feedthrough. Enumerations
    and switches are tried in all their values, whole numbers at their limits, arrays with one added to each element.
    """
    block = leaf.block
    found: set[str] = set()
    trial = block.copy()
    before = _shape_of(trial, leaf)
    for name, parameter in block.all_parameters().items():
        value = block.values[name]
        if parameter.tunable:
            continue
        shared = block.sampled and name in ("period", "offset")  # blocks of equal rate take those of the first
        word = isinstance(value, str) and not parameter.choices
        open_ended = parameter.integer and (parameter.at_least is None or parameter.at_most is None)
        if (
            shared
            or word
            or open_ended
            or any(_differs(trial, leaf, name, other, before) for other in _other_values(parameter, value))
        ):
            found.add(name)
    return found


def _other_values(parameter: Parameter, value: Any) -> Iterator[Any]:
    if parameter.choices:
        yield from (choice for choice in parameter.choices if choice != value)
    elif parameter.switch:
        yield not value
    elif parameter.integer:
        yield from (np.full(np.shape(value), limit) for limit in (parameter.at_least, parameter.at_most))
    else:
        yield np.asarray(value) + 1.0


def _differs(trial: Block, leaf: Leaf, name: str, other: Any, before: tuple[object, ...]) -> bool:
    old = trial.values[name]
    try:
        trial.set(**{name: other})
        return _shape_of(trial, leaf) != before
    except KeelblocksError:
        # Out of range says nothing about arrays; a choice that is refused belongs with the other parameters.
        return isinstance(other, (str, bool))
    finally:
        trial.values[name] = old


def _shape_of(block: Block, leaf: Leaf) -> tuple[object, ...]:
    """Everything about a block that a plan is laid out by."""
    sizes = leaf.sizes | block.known_sizes()
    return (
        block.kernel, sizes, block.kernel_sizes(sizes), block.work_size(sizes), block.crossing_count(sizes),
        tuple(block.input_ports), tuple(block.states),
        tuple((name, block.feedthrough(name)) for name in block.output_ports),
    )  # fmt: skip
