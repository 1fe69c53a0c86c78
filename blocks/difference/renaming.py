"""Which block of one diagram is which of another one: by name, and those that were renamed by type and wires."""

from __future__ import annotations

from blocks.difference.facts import BlockFacts, DiagramFacts

__all__ = ["new_names", "with_new_names"]

_LIKE = 0.6
"""The least share of wires that a renamed block has kept."""

_Wires = frozenset[tuple[str, str, str]]


def new_names(before: DiagramFacts, after: DiagramFacts) -> dict[str, str]:
    """The new name of each block that is still there."""
    names = {name: name for name in before.blocks if name in after.blocks}
    while True:
        found = _best(before, after, names)
        if found is None:
            return names
        names[found[0]] = found[1]


def _best(before: DiagramFacts, after: DiagramFacts, names: dict[str, str]) -> tuple[str, str] | None:
    """The pair among the blocks without a counterpart that is most alike."""
    gone = [name for name in before.blocks if name not in names]
    new = [name for name in after.blocks if name not in names.values()]
    known = set(names.values())
    best, most = None, (_LIKE, 0.0)
    for old_name in gone:
        for new_name in new:
            one, other = before.blocks[old_name], after.blocks[new_name]
            if one.type != other.type:
                continue
            mine = _wires(before, old_name, {**dict.fromkeys(gone, ""), **names})
            theirs = _wires(after, new_name, {name: name if name in known else "" for name in after.blocks})
            alike = len(mine & theirs) / len(mine | theirs) if mine | theirs else 0.0
            content = _content(one, other)
            if not mine | theirs:  # nothing else tells them apart
                alike = 1.0 if content == 1.0 else 0.0
            if (alike, content) > most:
                best, most = (old_name, new_name), (alike, content)
    return best


def _wires(diagram: DiagramFacts, name: str, names: dict[str, str]) -> _Wires:
    """The wires at a block: (own port, where it leads, what it carries); others by the names given."""
    found = set()
    for sink, source in (*diagram.wires.items(), *((f"/{out}", source) for out, source in diagram.outputs.items())):
        sink_block, _, sink_port = sink.partition(".")
        source_block, dot, source_port = source.partition(".")
        if sink_block == name:
            found.add((sink_port, "from", f"{names.get(source_block, source_block)}{dot}{source_port}"))
        if dot and source_block == name:
            found.add((source_port, "to", f"{names.get(sink_block, sink_block)}.{sink_port}"))
    return frozenset(found)


def _content(one: BlockFacts | DiagramFacts, other: BlockFacts | DiagramFacts) -> float:
    """How much of two blocks' parameters, or of what stands in two diagrams, is the same."""
    if isinstance(one, BlockFacts) and isinstance(other, BlockFacts):
        names = one.parameters.keys() | other.parameters.keys()
        same = [n for n in names if n in one.parameters and n in other.parameters
                and one.parameters[n].same(other.parameters[n])]  # fmt: skip
        return len(same) / len(names) if names else 1.0
    if isinstance(one, DiagramFacts) and isinstance(other, DiagramFacts):
        everything = one.blocks.keys() | other.blocks.keys()
        return len(one.blocks.keys() & other.blocks.keys()) / len(everything) if everything else 1.0
    return 0.0


def with_new_names(reference: str, names: dict[str, str]) -> str:
    """A port of a block under the block's new name."""
    block, dot, port = reference.partition(".")
    return f"{names.get(block, block)}{dot}{port}" if dot else reference
