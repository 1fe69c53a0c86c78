"""What blocks declare to depend on what: nothing else does, and all of it is seen to.

Every input, state, parameter and the time is changed in turn, element by element, at several random points; an output,
derivative, mode or start value that changes has to be declared. What is declared has to be seen to change in one of
the samples of the block that declare the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from probing import Probe, Source, Target

from blocks import Block, Output, library
from blocks.basic import Gain
from blocks.model.dependence import each, whole
from blocks.plan.dependencies import BlockDependencies, Dependence
from blocks.signal import AnySignal

POINTS = 8
MORE_POINTS = 1500

Entry = tuple[int, Source]
"""An element of a target, and a source that it depends on."""

NAMES = [name for name, cls in library().items() if cls.__module__.split(".")[0] == "blocks"]


def entries(declared: Dependence) -> Iterator[Entry]:
    """Everything that is declared: (element of the target, source)."""
    for kind, table in (("input", declared.inputs), ("state", declared.states), ("parameter", declared.parameters)):
        for name, masks in table.items():
            for element, mask in enumerate(masks):
                yield from ((element, (kind, name, j)) for j in range(mask.bit_length()) if mask >> j & 1)
    for element, mask in enumerate(declared.time):
        if mask:
            yield element, ("time", "", 0)


def declarations(probe: Probe) -> dict[Target, frozenset[Entry]]:
    """What the block declares of all its outputs, derivatives, modes and start values."""
    block, sources = probe.block, BlockDependencies(probe.plan.flat, probe.leaf)
    targets: list[Target] = [("output", name) for name in block.output_ports]
    targets += [("state", name) for name, s in block.states.items() if not s.discrete or name in sources.modes]
    targets += [("start", name) for name in block.states]
    return {(kind, name): frozenset(entries(sources.of(kind, name))) for kind, name in targets}  # type: ignore[arg-type]


class Family:
    """All samples of a block: probed at some points, and on while something that is declared has not been seen."""

    def __init__(self, probes: list[Probe]) -> None:
        self.random = random.Random(1)
        self.declared = [(probe, declarations(probe)) for probe in probes]
        for probe in probes * POINTS:
            probe.run()
        for _ in range(MORE_POINTS):
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


@pytest.mark.parametrize("name", NAMES)
def test_dependences_are_as_declared(all_samples, name):
    """One test of each block, because probing it is what takes the time."""
    family = Family([Probe(sample()) for sample in all_samples if sample.name == name])
    for probe, declared in family.declared:
        for target, seen in probe.seen.items():
            secret = sorted(seen - declared[target])
            assert not secret, f"{probe.block!r}: {target} depends on {secret}, which is not declared"
        assert_feedthrough_follows(probe)
    for target, _, unseen, _ in family.unseen():
        left = sorted(unseen)
        assert not left, f"{target} is declared to depend on {left}, but never does"


def assert_feedthrough_follows(probe: Probe) -> None:
    """Inputs that count at once are within the feedthrough; what else is there works through modes."""
    block, sources = probe.block, BlockDependencies(probe.plan.flat, probe.leaf)
    for output in block.output_ports:
        declared = sources.of("output", output)
        assert set(declared.inputs) <= set(block.feedthrough(output)), output
        behind = set(declared.inputs)
        for mode in sources.modes:
            behind |= set(sources.of("state", mode).inputs)
        assert set(block.feedthrough(output)) <= behind, f"{output} has needless feedthrough"


def test_names_of_sources_are_unambiguous(sample):
    block: Block = sample()
    names = [*block.input_ports, *block.states, *block.all_parameters()]
    assert len(names) == len(set(names)), f"{sample.name}: two of {names} are called alike"


class Secretive(Gain, abstract=True):
    """A Gain that does not say all."""

    y = Output(AnySignal, "K u", depends=each("u"))


class Boastful(Gain, abstract=True):
    """A Gain that says too much."""

    y = Output(AnySignal, "K u", depends=whole("u", "gain"))


def test_a_wrong_declaration_is_found():
    secretive, boastful = Family([Probe(Secretive(2.0))]), Family([Probe(Boastful(2.0))])
    ((probe, declared),) = secretive.declared
    assert probe.seen["output", "y"] - declared["output", "y"] == {(i, ("parameter", "gain", 0)) for i in range(2)}
    unseen = {element for _, _, unseen, _ in boastful.unseen() for element in unseen}
    assert unseen == {(0, ("input", "u", 1)), (1, ("input", "u", 0))}
