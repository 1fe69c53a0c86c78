"""How the model of a plan stands in memory: members by name over the plan's values, in their order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.compiled.structure import Structure
from blocks.model.wiring import width
from blocks.plan import Plan
from cython_kernels import engine as native
from fmu.description.variables import Variable, parameter, port
from fmu.flat_c.names import identifiers

SOLVER_VECTORS = {0: 1, 1: 2, 2: 2}
"""How many vectors of the length of x a fixed step needs, by the number of its solver."""


@dataclass(frozen=True)
class Member:
    """A member of a struct. variable: what it is; None for values that have no name. place: in the plan's values."""

    name: str
    place: int
    shape: tuple[int, ...]
    variable: Variable | None = None

    @property
    def count(self) -> int:
        """How many numbers it is."""
        return width(self.shape)


class Layout:
    """What the C of a plan shows, and where it stands.

    Places are those of the plan: signals, of which the inputs come first, parameters, derived constants, states, and
    what steps need. reserved: names that no member may have.
    """

    def __init__(
        self, plan: Plan, structure: Structure, *, alone: bool, everything: bool, reserved: Collection[str] = ()
    ) -> None:
        self.plan, self.structure = plan, structure
        head = structure.header
        inputs = [port(name, place, "input", "continuous") for name, place in plan.inputs.items()]
        self.inputs = _members(inputs, 0, head["inputs"], reserved)
        self.parameters = _members([*_parameters(plan, alone)], head["signals"], head["parameters"], reserved)
        shown = plan.outputs if everything else plan.external_outputs
        outputs = [
            port(name.rpartition(".")[2] if alone else name, place, "output", "continuous")
            for name, place in shown.items()
        ]
        names = identifiers((variable.name for variable in outputs), reserved)
        self.outputs = [Member(names[v.name], v.place.first, v.place.shape, v) for v in outputs]

    @property
    def given(self) -> NDArray[np.float64]:
        """The start values of signals and parameters, as the plan is stored."""
        head = self.structure.header
        return np.frombuffer(self.plan.stored, "<f8", head["signals"] + head["parameters"], native.HEADER_SIZE)

    @property
    def offsets(self) -> dict[str, int]:
        """Where in the values states and what steps need begin, by the names in `enum` of the C file."""
        head = self.structure.header
        at = self.structure.x0
        found = {}
        for name, count in (("X", head["x"]), ("Z", head["z"]), ("HITS", head["rates"]), ("DX", head["x"])):
            found[f"AT_{name}"] = at
            at += count
        found["AT_G"] = at
        found["AT_SCRATCH"] = at + head["g"]
        return found

    @property
    def count(self) -> int:
        """How many values there are."""
        head = self.structure.header
        return int(self.offsets["AT_SCRATCH"] + head["z"] + 2 * head["g"] + SOLVER_VECTORS[head["solver"]] * head["x"])


def _parameters(plan: Plan, alone: bool) -> Iterator[Variable]:
    for leaf in plan.flat.leaves:
        constant = leaf.block.structural_parameters()
        for name, declared in leaf.block.all_parameters().items():
            place = plan.parameters[f"{leaf.name}.{name}"]
            shown = name if alone else f"{leaf.name}.{name}"
            yield parameter(shown, place, np.zeros(place.count), leaf, declared, name in constant)


def _members(variables: Sequence[Variable], begin: int, count: int, reserved: Collection[str]) -> list[Member]:
    """The variables in the order of their places, each place once, with members for what has no name between them."""
    names = identifiers((variable.name for variable in variables), reserved)
    members: list[Member] = []
    at = begin
    for variable in sorted(variables, key=lambda v: v.place.first):
        place = variable.place
        if not begin <= place.first < begin + count or place.first < at:
            continue
        if place.first > at:
            members.append(Member(f"reserved_{at - begin}", at, (place.first - at,)))
        members.append(Member(names[variable.name], place.first, place.shape, variable))
        at = place.first + place.count
    if at < begin + count:
        members.append(Member(f"reserved_{at - begin}", at, (begin + count - at,)))
    return members
