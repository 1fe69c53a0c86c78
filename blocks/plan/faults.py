"""All that keeps a diagram from being planned, not the first of it."""

from __future__ import annotations

from blocks.errors import KeelblocksError
from blocks.model.block import Block
from blocks.model.diagram import Diagram
from blocks.plan.check import find_signals, wire_faults
from blocks.plan.flatten import flatten_as_is
from blocks.plan.kernel import check_kernel
from blocks.plan.order import loop_faults
from blocks.plan.sizes import size_faults, sizes_as_they_are


def find_faults(component: Diagram | Block) -> list[KeelblocksError]:
    """Inputs without a source, ends of wires that do not go together, algebraic loops, kernels that do not fit.

    Each pass goes on with what the one before it has left over; of a wire only the first fault is told.
    """
    try:
        flat, faults = flatten_as_is(component)
    except KeelblocksError as fault:
        return [fault]
    sized = sizes_as_they_are(flat)
    wires = dict(size_faults(sized))
    for wire, mismatch in wire_faults(sized, find_signals(sized)):
        wires.setdefault(wire, mismatch)
    faults += wires.values()
    for leaf in flat.leaves:
        try:
            check_kernel(leaf.block)
        except KeelblocksError as fault:
            fault.block = leaf.name
            faults.append(fault)
    return [*faults, *loop_faults(flat)]
