"""What a block declares to depend on what: nothing else does, and all of it is seen to.

Every input, state, parameter and the time is changed in turn, element by element, at several random points; an output,
derivative, mode or start value that changes has to be declared. What is declared has to be seen to change in one of
the samples of the block that declare the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from blocks.block import Block
from blocks.plan.dependencies import BlockDependencies, Dependence
from blocks.trials.errors import TrialError
from blocks.trials.probing import Probe, Source, Target
from blocks.trials.samples import samples_of

_POINTS = 8
_MORE_POINTS = 1500

Entry = tuple[int, Source]
"""An element of a target, and a source that it depends on."""


def check_dependence(block_class: type[Block]) -> None:
    """Outputs, derivatives, modes and start values depend on nothing that is not declared: inputs, states, time."""
    probes = _probed(block_class)
    for probe, declared in probes.declared:
        _check_written(probe, block_class)
        for target, seen in probe.seen.items():
            if secret := seen - declared[target]:
                raise TrialError(
                    f"{block_class.type_name()}: {_called(target)} depends on {_listed(secret)}, which is not "
                    f"declared: say so by `feedthrough`, `depends` or `uses_time`",
                    block=block_class.type_name(),
                )
        _check_feedthrough(probe, needless=False)


def check_needless_dependence(block_class: type[Block]) -> None:
    """What is declared to depend on something is seen to, element by element: loops and derivatives are made of it."""
    probes = _probed(block_class)
    probes.look_for_what_is_missing()
    for target, _, unseen, _ in probes.unseen():
        if unseen:
            raise TrialError(
                f"{block_class.type_name()}: {_called(target)} is declared to depend on {_listed(unseen)}, and never "
                f"does: say what it depends on by `feedthrough` or `depends`",
                block=block_class.type_name(),
            )
    for probe, _ in probes.declared:
        _check_feedthrough(probe, needless=True)


def _check_written(probe: Probe, block_class: type[Block]) -> None:
    """Nor on what was in their place before."""
    for target, elements in probe.unwritten.items():
        kind, name = target
        called = name if kind == "output" else f"the derivative of {name}"
        raise TrialError(
            f"{block_class.type_name()}: {called} is not computed (element {min(elements)}): its kernel leaves what "
            f"was there before; write every element in each call",
            block=block_class.type_name(),
        )


_last: dict[type[Block], Probes] = {}


def _probed(block_class: type[Block]) -> Probes:
    """Both trials take the same probes, one after the other."""
    if block_class not in _last:
        _last.clear()
        _last[block_class] = Probes([Probe(sample()) for sample in samples_of(block_class)])
    return _last[block_class]


class Probes:
    """All samples of a block: probed at some points, and on while something that is declared has not been seen."""

    def __init__(self, probes: list[Probe]) -> None:
        self.random = random.Random(1)
        self.declared = [(probe, _declarations(probe)) for probe in probes]
        for probe in probes * _POINTS:
            probe.run()

    def look_for_what_is_missing(self) -> None:
        """Probe on."""
        for _ in range(_MORE_POINTS):
            missing = [(unseen, owners) for _, _, unseen, owners in self.unseen() if unseen]
            if not missing:
                break
            for unseen, owners in missing:
                self.random.choice(owners).run({source[:2] for _, source in unseen})

    def unseen(self) -> Iterator[tuple[Target, frozenset[Entry], frozenset[Entry], list[Probe]]]:
        """Target, what is declared of it, what of that was not seen, and the probes that declare the same."""
        groups: dict[tuple[Target, frozenset[Entry]], list[Probe]] = {}
        for probe, table in self.declared:
            for key in table.items():
                groups.setdefault(key, []).append(probe)
        for (target, declared), owners in groups.items():
            seen = frozenset().union(*(probe.seen.get(target, set()) for probe in owners))
            yield target, declared, declared - seen, owners


def _entries(declared: Dependence) -> Iterator[Entry]:
    """Everything that is declared: (element of the target, source)."""
    for kind, table in (("input", declared.inputs), ("state", declared.states), ("parameter", declared.parameters)):
        for name, masks in table.items():
            for element, mask in enumerate(masks):
                yield from ((element, (kind, name, j)) for j in range(mask.bit_length()) if mask >> j & 1)
    for element, mask in enumerate(declared.time):
        if mask:
            yield element, ("time", "", 0)


def _declarations(probe: Probe) -> dict[Target, frozenset[Entry]]:
    """What the block declares of all its outputs, derivatives, modes and start values."""
    block, sources = probe.block, BlockDependencies(probe.plan.flat, probe.leaf)
    targets: list[Target] = [("output", name) for name in block.output_ports]
    targets += [("state", name) for name, s in block.states.items() if not s.discrete or name in sources.modes]
    targets += [("start", name) for name in block.states]
    return {(kind, name): frozenset(_entries(sources.of(kind, name))) for kind, name in targets}  # type: ignore[arg-type]


def _check_feedthrough(probe: Probe, *, needless: bool) -> None:
    """Inputs that count at once are within the feedthrough; what else is there works through modes."""
    block, sources = probe.block, BlockDependencies(probe.plan.flat, probe.leaf)
    name = type(block).type_name()
    for output in block.output_ports:
        declared, feedthrough = set(sources.of("output", output).inputs), set(block.feedthrough(output))
        if not declared <= feedthrough:
            missing = ", ".join(sorted(declared - feedthrough))
            raise TrialError(f"{name}: by `depends`, {output} hangs on {missing}; its `feedthrough` has to say so, too")
        for mode in sources.modes:
            declared |= set(sources.of("state", mode).inputs)
        if needless and not feedthrough <= declared:
            raise TrialError(
                f"{name}: the feedthrough of {output} has {', '.join(sorted(feedthrough - declared))} needlessly"
            )


def _called(target: Target) -> str:
    kind, name = target
    return {"output": name, "state": f"the state {name}", "start": f"the start value of {name}"}[kind]


def _listed(entries: frozenset[Entry] | set[Entry]) -> str:
    """Sources by name, with the elements of the target and of theirs."""
    named: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for element, (kind, name, j) in sorted(entries):
        named.setdefault((kind, name), []).append((element, j))
    parts = []
    for (kind, name), pairs in named.items():
        first, of = pairs[0]
        more = f" and {len(pairs) - 1} more" if len(pairs) > 1 else ""
        what = "the time" if kind == "time" else f"the {kind} {name}"
        if kind in ("input", "state") and (of or more):
            what += f"[{of}]"
        parts.append(f"{what} (in element {first}{more})" if first or more else what)
    return ", ".join(parts)
