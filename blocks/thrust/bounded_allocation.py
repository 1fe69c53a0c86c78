"""What allocations to thrusters that are fixed in the hull share: the best thrusts within what each can give."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from blocks.block import Block
from blocks.errors import ParameterError, WiringError
from blocks.model.declare import Input, Output, Parameter
from blocks.model.derived import Derived
from blocks.signal import Forces, Signal, Wrench

MOST_BOUNDED = 24
"""As BOUNDED_MAX in `cython_kernels/mathematics/bounded_least_squares.pxd`."""

MOST_SPREAD_WEIGHTS, MOST_SPREAD_PRIORITY = 1e6, 1e8
"""Beyond these, what decides where there is a choice, 1e-8 of the greatest, begins to count against what is wanted."""

Available = Signal("Settings", ("n",))


def wants_bounds(called: str) -> WiringError:
    """What is raised where `available` is wanted of an allocation that does not count with limits."""
    return WiringError(
        f"{called}.available exists with limits='bounded' only: without it each thruster gives its part, whatever the "
        f"others can"
    )


def check_spread(block: Block, name: str, most: float) -> None:
    """Raise ParameterError if the numbers of a parameter, those that are not 0, are too far apart for the kernel."""
    values = np.atleast_1d(np.asarray(block.values[name]))
    least, greatest = values[values > 0.0].min(), values.max()
    if greatest > most * least:
        raise ParameterError(
            f"{block._called()}.{name} must be within a factor of {most:.0e}, not {least:g} beside {greatest:g}: what "
            f"is small beside that is lost in rounding, and a factor of a hundred is a clear choice"
        )


class BoundedAllocation(Block, abstract=True):
    """A wanted wrench to the thrusts of n thrusters, within what they can give: f minimises

    (T f - τ)ᵀ P (T f - τ) within the limits and, where that leaves a choice, fᵀ W f
    """

    sizes: ClassVar[tuple[str, ...]] = ("n",)

    force = Input(Wrench, "τ, the wanted forces and moments about the body origin")
    available = Input(Available, "a, of each thruster 1 if it works, 0 if it has failed, between: in part", default=1.0)

    thrust = Output(Forces, "f, the wanted thrusts, within the limits")
    missing = Output(Wrench, "τ - T f, what is wanted and cannot be given")

    weights = Parameter(1.0, shape=("n",), above=0.0, doc="w, cost of thrust; the greater, the less a thruster is used")
    priority = Parameter(
        1.0,
        shape=(6,),
        at_least=0.0,
        labels=Wrench.labels,
        doc="P, what an error in each component of τ counts, beside the others; 0: it does not count",
    )

    scaled = Derived("√P T, its rows as they count", shape=(6, "n"), unit=None)
    pseudo_inverse = Derived("of the scaled matrix, from the scaled wrench to the thrusts", shape=("n", 6), unit=None)

    def validate(self) -> None:
        """No more thrusters than the kernel has room for, and something that counts."""
        super().validate()
        count = self.known_sizes().get("n", 1)
        if count > MOST_BOUNDED:
            raise ParameterError(f"{self._called()} takes at most {MOST_BOUNDED} thrusters, not {count}")
        if not np.any(self.priority):
            raise ParameterError(f"{self._called()}.priority must not be 0 for all components: one has to count")
        check_spread(self, "weights", MOST_SPREAD_WEIGHTS)
        check_spread(self, "priority", MOST_SPREAD_PRIORITY)
