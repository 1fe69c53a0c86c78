"""The order of calls: by direct feedthrough per port, and the whole path of an algebraic loop if there is none."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from blocks.errors import WiringError, raise_all
from blocks.plan.flatten import Feed, Flat, Leaf, Node
from blocks.plan.kernel import kernel_functions
from blocks.plan.rewrites import Rewritten

Needs = Mapping[Node, list[Node]]
"""Of each output the outputs that it depends on at the same instant."""
_MOST_STEPS = 12
"""Steps of an algebraic loop that are shown."""


@dataclass(frozen=True)
class Call:
    """One call of a block's kernel and the outputs that it has to compute."""

    leaf: Leaf
    outputs: frozenset[str]


@dataclass(frozen=True)
class Ordered(Rewritten):
    """A diagram with the calls that evaluate it."""

    majors: tuple[Call, ...]
    """Of a major step."""
    steady: int
    """The first so many of these depend on parameters alone."""
    minors: tuple[Call, ...]
    """Between major steps."""
    changing: frozenset[Node]
    """The outputs that can change between major steps."""
    stop: Feed | None
    """What ends the run when it exceeds 0.5."""


def order(diagram: Rewritten, wanted: Iterable[str] | None, stop: str | None) -> Ordered:
    """Order the calls that the outputs `wanted` need, by name, and those that the run itself needs; None means all.

    Raises WiringError for an output that is not there, and for an algebraic loop.
    """
    needs = _needs(diagram)
    states = {node for node in needs if node[0].state_of(node[1])}
    stepping: list[Node] = []
    differential: list[Node] = []
    for leaf in diagram.leaves:
        has = kernel_functions(leaf.block)
        read = [feed.node for feed in diagram.feeds[leaf].values() if feed.node is not None]
        read += [(leaf, name) for name in leaf.block.reads_outputs]
        if has["derivatives"]:
            differential += read
        if has["derivatives"] or has["update"] or has["crossings"]:
            stepping += read
    ends = _find(diagram, [stop])[0] if stop else None
    if wanted is None:
        goal = set(needs)
    else:
        named = [feed.node for feed in _find(diagram, [n for n in wanted if n not in diagram.externals]) if feed.node]
        goal = _closure([*named, *([ends.node] if ends and ends.node else []), *stepping], needs)
    constant = _steady(diagram)
    majors = [call for call in _ordered(diagram, goal - states, needs) if call.leaf not in diagram.elided]
    first = [call for call in majors if call.leaf in constant]
    changing = _changing(diagram)
    minors = _ordered(diagram, (_closure(differential, needs) & changing) - states, needs)
    return Ordered(
        **vars(diagram),
        majors=(*first, *(call for call in majors if call.leaf not in constant)),
        steady=len(first),
        minors=tuple(call for call in minors if call.leaf not in diagram.elided),
        changing=frozenset(changing),
        stop=ends,
    )


def _find(flat: Flat, names: list[str]) -> list[Feed]:
    """Outputs by their names: of the diagram itself, or of a block in it."""
    known = {f"{leaf.name}.{output}": Feed(leaf, output) for leaf in flat.leaves for output in leaf.outputs}
    known |= flat.outputs
    for name in names:
        if name not in known:
            raise WiringError(f"no output '{name}'", code="unknown-output", wrong=name, valid=known)
    return [known[name] for name in names]


def _needs(flat: Flat) -> Needs:
    """Every output of every block, with the outputs that have to be known first."""
    found: dict[Node, list[Node]] = {}
    for leaf in flat.leaves:
        nodes = {name: feed.node for name, feed in flat.feeds[leaf].items() if feed.node is not None}
        for output in leaf.outputs:
            fed = [nodes[name] for name in leaf.block.feedthrough(output) if name in nodes]
            found[leaf, output] = list(dict.fromkeys(fed))
    return found


def _closure(start: Iterable[Node], needs: Needs) -> set[Node]:
    """These outputs and all that they depend on at the same instant."""
    found: set[Node] = set()
    waiting = list(start)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += needs[node]
    return found


def _ordered(flat: Flat, wanted: AbstractSet[Node], needs: Needs) -> list[Call]:
    """Calls that compute the wanted outputs, each after what it depends on.

    Next comes the first block of the diagram that can be called for all that is left of it, and if there is none the
    first that can be called for a part of it.
    """
    waits = {node: sum(one in wanted for one in needs[node]) for node in wanted}
    readers: dict[Node, list[Node]] = {node: [] for node in wanted}
    left = dict.fromkeys(flat.leaves, 0)
    for node in wanted:
        left[node[0]] += 1
        for one in needs[node]:
            if one in wanted:
                readers[one].append(node)
    ready: dict[Leaf, list[str]] = {leaf: [] for leaf in flat.leaves}
    whole: list[int] = []  # heaps of blocks by their numbers, some of which may have been called meanwhile
    part: list[int] = []

    def set_ready(node: Node) -> None:
        leaf, output = node
        ready[leaf].append(output)
        heapq.heappush(whole if len(ready[leaf]) == left[leaf] else part, leaf.number)

    for node, count in waits.items():
        if not count:
            set_ready(node)
    calls: list[Call] = []
    while whole or part:
        leaf = flat.leaves[heapq.heappop(whole or part)]
        outputs = ready[leaf]
        if not outputs:
            continue
        calls.append(Call(leaf, frozenset(outputs)))
        ready[leaf] = []
        left[leaf] -= len(outputs)
        for output in outputs:
            for reader in readers[leaf, output]:
                waits[reader] -= 1
                if not waits[reader]:
                    set_ready(reader)
    missing = {node for node, count in waits.items() if count}
    if missing:
        raise_all(_loops(flat, missing, needs))
    return calls


def loop_faults(flat: Flat) -> list[WiringError]:
    """The algebraic loops of a diagram."""
    needs = _needs(flat)
    try:
        _ordered(flat, {node for node in needs if node[0].state_of(node[1]) is None}, needs)
    except WiringError as fault:
        return [fault]
    return []


def _loops(flat: Flat, missing: set[Node], needs: Needs) -> list[WiringError]:
    """Loops that have no block in common, one after the other."""
    found = []
    while missing:
        loop, fault = _loop(flat, missing)
        found.append(fault)
        broken = {node for node in missing if node[0] in loop}
        missing = missing - broken
        while free := {node for node in missing if not any(one in missing for one in needs[node])}:
            missing -= free
    return found


def _loop(flat: Flat, missing: set[Node]) -> tuple[set[Leaf], WiringError]:
    """Walk back along what is missing until an output comes again, and say the way port by port."""
    node = next((leaf, output) for leaf in flat.leaves for output in leaf.outputs if (leaf, output) in missing)
    way: dict[Node, int] = {}
    entries: list[str] = []
    while node not in way:
        way[node] = len(way)
        leaf, output = node
        feeds = flat.feeds[leaf]
        name, node = next(
            (name, fed)
            for name in leaf.block.feedthrough(output)
            if name in feeds and (fed := feeds[name].node) is not None and fed in missing
        )
        entries.append(f"{leaf.name}.{name}")
    first = way[node]
    loop, inputs = list(way)[first:][::-1], entries[first:][::-1]
    steps = [f"{entry} → {member.name}.{output}" for (member, output), entry in zip(loop, inputs, strict=True)]
    if len(steps) > _MOST_STEPS:
        steps[_MOST_STEPS // 2 : -_MOST_STEPS // 2] = [f"… {len(steps) - _MOST_STEPS} more …"]
    text = " → ".join([f"{loop[-1][0].name}.{loop[-1][1]}", *steps])
    can_wait = list(dict.fromkeys(member.name for member, _ in loop if "feedthrough" in member.block.parameters))[:3]
    or_else = f"; or give {' or '.join(can_wait)} feedthrough=False" if can_wait else ""
    return {leaf for leaf, _ in loop}, WiringError(
        f"algebraic loop: {text}; each of these depends on the one before at the same instant. Break it with a block "
        f"whose output does not: a UnitDelay, a FirstOrderLag or an Integrator, or a thruster or sensor with its own "
        f"dynamics{or_else}",
        code="algebraic-loop",
        block=loop[0][0].name,
        port=inputs[0].rpartition(".")[2],
    )


def _changing(flat: Flat) -> set[Node]:
    """The outputs that can change between major steps: not those of samples, nor what depends on constants alone."""
    found: set[Node] = set()
    waiting: list[Node] = []
    readers: dict[Node, list[Node]] = {}
    for leaf in flat.leaves:
        if leaf.block.sampled:
            continue
        moving = leaf.block.uses_time or any(not state.discrete for state in leaf.states.values())
        feeds = flat.feeds[leaf]
        for output in leaf.outputs:
            fed = [feeds[name].node for name in leaf.block.feedthrough(output) if name in feeds]
            if moving or None in fed:
                waiting.append((leaf, output))
            for node in fed:
                if node is not None:
                    readers.setdefault(node, []).append((leaf, output))
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += readers.get(node, ())
    return found


def _steady(flat: Flat) -> set[Leaf]:
    """The blocks whose outputs depend on parameters alone, which need evaluation only when those change."""
    found: set[Leaf] = set()
    readers: dict[Leaf, list[Leaf]] = {}
    unknown: dict[Leaf, int] = {}
    """Of blocks that may be steady: how many feeds are not yet known to be."""
    waiting: list[Leaf] = []
    for leaf in flat.leaves:
        block = leaf.block
        fed = [feed.block for feed in flat.feeds[leaf].values()]
        if not block.kernel or block.sampled or block.uses_time or leaf.states or None in fed:
            continue
        unknown[leaf] = len(fed)
        if not fed:
            waiting.append(leaf)
        for other in fed:
            if other is not None:
                readers.setdefault(other, []).append(leaf)
    while waiting:
        leaf = waiting.pop()
        found.add(leaf)
        for reader in readers.get(leaf, ()):
            unknown[reader] -= 1
            if not unknown[reader]:
                waiting.append(reader)
    return found
