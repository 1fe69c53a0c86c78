"""Variants of the diagram: which levels need a plan of their own, and the diagram for a combination of those."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import KeelblocksError, ParameterError, did_you_mean
from blocks.model import block as model
from blocks.model.component import Component
from blocks.model.element import bare, labels_of, place_in
from blocks.plan.flatten import instance_name
from blocks.python_block import PythonBlock
from blocks.study.errors import StudyError
from blocks.study.factor import NamedFactor

Subject = Diagram | Block
B = TypeVar("B", bound=model.Block)


def block_of(parameter: str, blocks: Mapping[str, B], others: Iterable[str], where: str) -> tuple[str, B, str]:
    """(path, block, name) of a parameter or an element. Raises StudyError with the nearest names, of `others` too."""
    owner, _, name = bare(parameter).rpartition(".")
    if owner in blocks:
        block = blocks[owner]
        known = block.parameter_name(name)
        if known in block.all_parameters():
            return owner, block, known if parameter == bare(parameter) else _element(block, known, parameter, where)
    others = list(others)
    if parameter in others:
        raise StudyError(
            f"{where}: '{parameter}' is a component, whose levels are components, such as {{type: …}} in a "
            f"file; for numbers name one of its parameters, '{parameter}.…'"
        )
    valid = [f"{path}.{item}" for path, block in blocks.items() for item in block.all_parameters()]
    raise StudyError(
        f"{where}: no parameter, input or component '{parameter}'{did_you_mean(parameter, [*valid, *others])}"
    )


def _element(block: model.Block, name: str, parameter: str, where: str) -> str:
    """The name of an element, by its label. Raises StudyError if there is none."""
    declared, shape = block.all_parameters()[name], np.shape(block.values[name])
    try:
        label = labels_of(declared, shape)[place_in(declared, shape, parameter, bare(parameter))]
    except ParameterError as problem:
        raise StudyError(f"{where}: {problem}") from None
    return f"{name}[{label}]"


def other_targets(component: Subject) -> list[str]:
    """What can be changed besides parameters: inputs and components."""
    return [*component.input_ports, *(component.components if isinstance(component, Diagram) else ())]


def blocks_of(component: Subject) -> dict[str, Block]:
    """All blocks by their dotted names."""
    if isinstance(component, Block):
        return {component.name or instance_name(component): component}
    return {name: block for name, block in component.blocks().items() if isinstance(block, Block)}


def varied(component: Subject, changes: Mapping[str, Any], where: str) -> Subject:
    """A copy of a diagram with other components and parameters. Raises StudyError."""
    copy = component.copy()
    assert isinstance(copy, (Diagram, Block))
    try:
        for target, value in changes.items():
            if isinstance(value, Component):
                if not isinstance(copy, Diagram):
                    raise StudyError("a block alone has no components to exchange; put it into a diagram")
                copy.replace(target, value.copy())
        blocks = blocks_of(copy)
        given: dict[str, dict[str, Any]] = {}
        for target, value in changes.items():
            if not isinstance(value, Component):
                owner, _, name = block_of(target, blocks, other_targets(copy), where)
                given.setdefault(owner, {})[name] = value
        for owner, values in given.items():
            blocks[owner].set(**values)
    except StudyError:
        raise
    except KeelblocksError as problem:
        raise StudyError(f"{where}: {problem}") from None
    return copy


class Variants:
    """Which factors are structural: their levels differ in more than numbers, and each has a plan of its own.

    Those are other components, parameters that decide sizes, ports or states, and parameters of blocks written in
    Python, which read them where no plan can change them.
    """

    def __init__(self, component: Subject, factors: list[NamedFactor]) -> None:
        self.component = component
        self.structural = [factor for factor in factors if _exchanges(factor)]
        rest = [factor for factor in factors if factor not in self.structural]
        for diagram in list(self._each(self.structural)):
            blocks = blocks_of(diagram)
            for factor in rest:
                if factor not in self.structural and _is_structural(diagram, blocks, factor):
                    self.structural.append(factor)

    def diagram(self, levels: Sequence[int]) -> Subject:
        """The diagram for a level of each structural factor."""
        return self._combine(self.structural, levels)

    def where(self, levels: Sequence[int]) -> str:
        """Which levels these are, in words: "vessel = 6 DOF"."""
        return _where(self.structural, levels)

    def _each(self, factors: list[NamedFactor]) -> Iterator[Subject]:
        for levels in itertools.product(*(range(len(factor.levels)) for factor in factors)):
            yield self._combine(factors, levels)

    def _combine(self, factors: list[NamedFactor], levels: Sequence[int]) -> Subject:
        changes: dict[str, Any] = {}
        where = _where(factors, levels)
        for factor, number in zip(factors, levels, strict=True):
            for target, value in factor.levels[number].changes.items():
                if target in self.component.input_ports:
                    continue
                if target in changes:
                    raise StudyError(f"'{target}' is changed by two factors; one of them is '{factor.name}'")
                changes[target] = value
        return varied(self.component, changes, where)


def _where(factors: Iterable[NamedFactor], levels: Iterable[int]) -> str:
    return ", ".join(f"{f.name} = {f.levels[n].label}" for f, n in zip(factors, levels, strict=True)) or "the diagram"


def _exchanges(factor: NamedFactor) -> bool:
    return any(isinstance(value, Component) for level in factor.levels for value in level.changes.values())


def _is_structural(diagram: Subject, blocks: Mapping[str, Block], factor: NamedFactor) -> bool:
    """Whether some level of a factor cannot be had by other numbers in one plan; checks all of its targets."""
    inputs = diagram.input_ports
    others, where = other_targets(diagram), f"factor '{factor.name}'"
    if factor.distribution is not None:
        for target in factor.targets:
            if target not in inputs:
                owner, block, name = block_of(target, blocks, others, where)
                if bare(name) in block.structural_parameters() or isinstance(block, PythonBlock):
                    raise StudyError(
                        f"{where}: {owner}.{name} takes a plan of its own for each value and cannot be "
                        f"drawn from a distribution; give levels, or Choice([…])"
                    )
        return False
    found = False
    for level in factor.levels:
        given: dict[str, dict[str, Any]] = {}
        for target, value in level.changes.items():
            if target not in inputs:
                owner, _, name = block_of(target, blocks, others, where)
                given.setdefault(owner, {})[name] = value
        for owner, values in given.items():
            block = blocks[owner]
            found = (
                found or isinstance(block, PythonBlock) or bool(block.structural_parameters() & set(map(bare, values)))
            )
            if not found:
                found = _resizes(block, values, f"{where}, level '{level.label}'")
    return found


def _resizes(block: Block, values: Mapping[str, Any], where: str) -> bool:
    other = block.copy()
    try:
        other.set(**values)
    except ParameterError as problem:
        raise StudyError(f"{where}: {problem}") from None
    return other.known_sizes() != block.known_sizes()
