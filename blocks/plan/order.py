"""The order of evaluation: by direct feedthrough per port, and the whole path of an algebraic loop if there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from blocks.errors import WiringError
from blocks.plan.flatten import Flat, Leaf

Node = tuple[Leaf, str]
_MOST_STEPS = 12
"""Steps of an algebraic loop that are shown."""
T = TypeVar("T")


@dataclass(frozen=True)
class Call:
    """One call of a block's kernel and the outputs that it has to compute."""

    leaf: Leaf
    outputs: frozenset[str]


def dependencies(leaf: Leaf, output: str) -> list[Node]:
    """The outputs of other blocks that have to be known first."""
    return [
        (feed.block, feed.port)
        for name in leaf.block.feedthrough(output)
        if (feed := leaf.feeds.get(name)) is not None and feed.block is not None
    ]


def sources(leaf: Leaf) -> list[Node]:
    """All outputs of blocks that feed this block, through feedthrough or not."""
    return [(feed.block, feed.port) for feed in leaf.feeds.values() if feed.block is not None]


def closure(start: list[Node]) -> set[Node]:
    """These outputs and all that they depend on at the same instant."""
    found: set[Node] = set()
    waiting = list(start)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += dependencies(*node)
    return found


def order(flat: Flat, wanted: set[Node]) -> list[Call]:
    """Calls that compute the wanted outputs, each after what it depends on. Raises WiringError on a loop."""
    left: dict[int, list[str]] = {}
    for leaf in flat.leaves:
        names = [name for name in leaf.block.output_ports if (leaf, name) in wanted]
        if names:
            left[id(leaf)] = names
    needs = {node: [one for one in dependencies(*node) if one in wanted] for node in wanted}
    done: set[Node] = set()
    calls: list[Call] = []
    while left:
        best: tuple[Leaf, list[str]] | None = None
        for leaf in flat.leaves:
            names = left.get(id(leaf), [])
            ready = [n for n in names if done.issuperset(needs[leaf, n])]
            if ready and len(ready) == len(names):  # better one call for a whole block than several
                best = (leaf, ready)
                break
            if ready and best is None:
                best = (leaf, ready)
        if best is None:
            _raise_loop(flat, left, wanted - done)
            raise AssertionError
        leaf, ready = best
        calls.append(Call(leaf, frozenset(ready)))
        done.update((leaf, n) for n in ready)
        left[id(leaf)] = [n for n in left[id(leaf)] if n not in ready]
        if not left[id(leaf)]:
            del left[id(leaf)]
    return calls


def _raise_loop(flat: Flat, left: dict[int, list[str]], missing: set[Node]) -> None:
    """Walk back along what is missing until an output comes again, and say the way port by port."""
    leaf = next(leaf for leaf in flat.leaves if id(leaf) in left)
    node: Node = (leaf, left[id(leaf)][0])
    way: dict[Node, int] = {}
    entries: list[str] = []
    while node not in way:
        way[node] = len(way)
        current, output = node
        name = next(
            n
            for n in current.block.feedthrough(output)
            if (f := current.feeds.get(n)) is not None and f.block is not None and (f.block, f.port) in missing
        )
        feed = current.feeds[name]
        assert feed.block is not None
        entries.append(f"{current.name}.{name}")
        node = (feed.block, feed.port)
    first = way[node]
    loop, inputs = list(way)[first:][::-1], entries[first:][::-1]
    steps = [f"{entry} → {member.name}.{output}" for (member, output), entry in zip(loop, inputs, strict=True)]
    if len(steps) > _MOST_STEPS:
        steps[_MOST_STEPS // 2 : -_MOST_STEPS // 2] = [f"… {len(steps) - _MOST_STEPS} more …"]
    text = " → ".join([f"{loop[-1][0].name}.{loop[-1][1]}", *steps])
    can_wait = list(dict.fromkeys(member.name for member, _ in loop if "feedthrough" in member.block.parameters))[:3]
    or_else = f"; or give {' or '.join(can_wait)} feedthrough=False" if can_wait else ""
    raise WiringError(
        f"algebraic loop: {text}; each of these depends on the one before at the same instant. Break it with a block "
        f"whose output does not: a UnitDelay, a FirstOrderLag or an Integrator, or a thruster or sensor with its own "
        f"dynamics{or_else}"
    )


def changing(flat: Flat) -> set[Node]:
    """The outputs that can change between major steps: not those of samples, nor what depends on constants alone."""

    def changes(node: Node, found: set[Node]) -> bool:
        leaf, output = node
        block = leaf.block
        fed = [leaf.feeds.get(name) for name in block.feedthrough(output)]
        return (
            block.uses_time
            or any(not s.discrete for s in block.states.values())
            or any(f is not None and (f.block is None or (f.block, f.port) in found) for f in fed)
        )

    return _grown(
        [(leaf, o) for leaf in flat.leaves if not leaf.block.sampled for o in leaf.block.output_ports], changes
    )


def steady(flat: Flat) -> set[Leaf]:
    """The blocks whose outputs depend on parameters alone, which need evaluation only when those change."""

    def rests(leaf: Leaf, found: set[Leaf]) -> bool:
        return all(feed.block is not None and feed.block in found for feed in leaf.feeds.values())

    blocks = [leaf for leaf in flat.leaves if leaf.block.kernel and not leaf.block.sampled]
    return _grown([leaf for leaf in blocks if not leaf.block.uses_time and not leaf.block.states], rests)


def _grown(candidates: list[T], belongs: Callable[[T, set[T]], bool]) -> set[T]:
    """The candidates that belong, where belonging may depend on others that do."""
    found: set[T] = set()
    while new := [c for c in candidates if c not in found and belongs(c, found)]:
        found.update(new)
    return found
