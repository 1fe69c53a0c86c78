"""Other numbers for an existing plan: parameters of its blocks, checked as when the blocks were made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError
from blocks.model.block import Block
from blocks.model.declare import Parameter
from blocks.model.element import bare, labels_of, place_in, unit_at
from blocks.model.python_block import PythonBlock
from blocks.plan.place import Place
from blocks.plan.plan import Plan


class Variation:
    """Which parameters of a plan are varied. Each member of a swarm or of a study gives them other values.

    `names` are dotted: "vessel.initial_eta", or of an element "vessel.sway_derivatives[Y_v]". Raises ParameterError for
    one that is not there, or that decides sizes, ports or states: no plan can have another one. Blocks written in
    Python read their parameters themselves: where all members share an engine (`one_engine`) they cannot be varied,
    else see `python_blocks`.
    """

    def __init__(self, plan: Plan, names: Iterable[str], *, one_engine: bool = False) -> None:
        self.places: dict[str, Place] = {}
        self.blocks: dict[str, Block] = {}
        self._sizes: dict[str, Mapping[str, int]] = {}
        self._first = {name: place.first for name, place in plan.parameters.items()}
        self.numbers = {leaf.name: i for i, leaf in enumerate(plan.flat.leaves)}
        leaves = {leaf.name: leaf for leaf in plan.flat.leaves}
        for name in names:
            whole = bare(name)
            if whole not in plan.parameters:
                raise ParameterError(
                    f"no parameter '{whole}' to vary", code="unknown-parameter", wrong=whole, valid=plan.parameters
                )
            owner, _, parameter = whole.rpartition(".")
            block = leaves[owner].block
            if one_engine and isinstance(block, PythonBlock):
                raise ParameterError(
                    f"{name} belongs to a block written in Python, which reads it where no plan can change it: make a "
                    f"diagram for each value"
                )
            if parameter in block.structural_parameters():
                raise ParameterError(
                    f"{name} decides what {type(block).__name__} computes and cannot differ within one plan: "
                    f"make a diagram for each value"
                )
            self.places[name] = place_of(plan.parameters, name)
            if owner not in self.blocks:
                self.blocks[owner] = block.copy()
                self.blocks[owner].name = owner  # for messages
                self._sizes[owner] = plan.flat.sizes[leaves[owner]]

    def python_blocks(self) -> dict[int, PythonBlock]:
        """Copies, by number in the plan, of blocks written in Python with the values last encoded.

        They read their parameters themselves, and not from the values of an engine.
        """
        changed = {self.numbers[owner]: block for owner, block in self.blocks.items()}
        return {i: block.copy() for i, block in changed.items() if isinstance(block, PythonBlock)}

    def encode(self, values: Mapping[str, Any]) -> list[tuple[slice, NDArray[np.float64]]]:
        """Where in `Engine.values` which numbers go, for one member.

        Raises ParameterError for a value that cannot be, and for values that do not go together.
        """
        changes: dict[str, dict[str, Any]] = {}
        for name, value in values.items():
            owner = bare(name).rpartition(".")[0]
            changes.setdefault(owner, {})[name.removeprefix(f"{owner}.")] = value
        found = []
        for owner, given in changes.items():
            block = self.blocks[owner]
            before = {parameter: block.values[parameter] for parameter in map(bare, given)}
            block.set(**given)
            reshaped = any(np.shape(block.values[parameter]) != np.shape(value) for parameter, value in before.items())
            if reshaped and not block.known_sizes().items() <= self._sizes[owner].items():
                block.values.update(before)
                raise ParameterError(
                    f"{owner}: {', '.join(given)} must be as long as in the diagram: a plan keeps its sizes"
                )
            for parameter in given:
                place = self.places[f"{owner}.{parameter}"]
                declared, value = block.all_parameters()[bare(parameter)], block.values[bare(parameter)]
                if parameter != bare(parameter):
                    value = float(np.asarray(value).flat[place.first - self._first[bare(place.name)]])
                found.append((place.slice, declared.encode(value, place.shape)))
        return found


def place_of(places: Mapping[str, Place], name: str) -> Place:
    """Where a parameter, or an element of it, stands. Raises ParameterError for an element that is not there."""
    whole = places[bare(name)]
    if name == bare(name):
        return whole
    declared: Parameter = whole.parameter  # type: ignore[assignment, call-overload]
    at = place_in(declared, whole.shape, name, whole.name)
    label = labels_of(declared, whole.shape)[at]
    unit, nominal = unit_at(declared, at), float(whole.nominals[at])
    return replace(whole, name=f"{whole.name}[{label}]", first=whole.first + at, shape=(), unit=unit, nominal=nominal)
