"""What a guarded kernel did wrong, told with the names of the block's declaration."""

from __future__ import annotations

from collections.abc import Iterable

from blocks.model.derived import extent, present
from blocks.plan import Plan
from blocks.plan.flatten import Leaf
from blocks.plan.kernel import kernel_name
from cython_kernels.core.misuse import (
    CROSSINGS,
    DERIVATIVES,
    DISCRETE,
    INPUT,
    OUTPUT,
    PARAMETER,
    SIZES,
    STATES,
    WORK,
    Misuse,
    explain_misuse,
)

_KINDS = {
    INPUT: "input", OUTPUT: "output", PARAMETER: "parameter", WORK: "derived constant", STATES: "state",
    DERIVATIVES: "derivative of the state", DISCRETE: "discrete state", CROSSINGS: "crossing", SIZES: "size",
}  # fmt: skip
_ALL = {
    WORK: "its derived constants w", STATES: "its states x", DERIVATIVES: "its derivatives dx",
    DISCRETE: "its discrete states z", CROSSINGS: "its crossings g", SIZES: "its sizes n",
}  # fmt: skip


def misuse_text(plan: Plan, leaf: Leaf, fault: int) -> str:
    """The meaning of a fault below 0 of a block."""
    return explain_misuse(fault, kernel_name(leaf.block), _Names(plan, leaf))


class _Names:
    """What a block calls its arrays and their elements."""

    def __init__(self, plan: Plan, leaf: Leaf) -> None:
        self.plan, self.leaf = plan, leaf

    def array(self, misuse: Misuse) -> str:
        """An array that belongs to one port or parameter, or all that there are of a kind."""
        if misuse.array in _ALL:
            names = [name for name, _ in self._members(misuse.array)]
            return _ALL[misuse.array] + (f" ({', '.join(names)})" if names else ", of which it has none")
        return f"its {_KINDS[misuse.array]} '{self._ports(misuse.array)[misuse.port]}'"

    def element(self, misuse: Misuse) -> str:
        """One element."""
        if misuse.array not in _ALL:
            return f"{self.array(misuse)} (element {misuse.element})"
        left = misuse.element
        for name, count in self._members(misuse.array):
            if left < count:
                return f"its {_KINDS[misuse.array]} '{name}'" + (f" (element {left})" if count > 1 else "")
            left -= count
        return self.array(misuse)

    def _ports(self, array: int) -> list[str]:
        leaf = self.leaf
        return list({INPUT: leaf.inputs, OUTPUT: leaf.outputs, PARAMETER: leaf.block.all_parameters()}[array])

    def _members(self, array: int) -> Iterable[tuple[str, int]]:
        """The members of an array that several share, with their lengths."""
        block, flat = self.leaf.block, self.plan.flat
        sizes = flat.sizes[self.leaf]
        if array in (STATES, DERIVATIVES, DISCRETE):
            discrete = array == DISCRETE
            return [(n, flat.width(self.leaf, s.signal)) for n, s in self.leaf.states.items() if s.discrete is discrete]
        if array == SIZES:
            return [(name, 1) for name in block.sizes]
        if array == WORK:
            return [(item.name, extent(item.shape, sizes)) for item in present(block.derived_constants.values(), block)]
        return [(item.name, extent(item.shape, sizes)) for item in present(block.crossings.values(), block)]
