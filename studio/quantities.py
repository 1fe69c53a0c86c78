"""Signals and parameters as a page shows them: where they stand in the plan, and in which units people read them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import KeelblocksError
from blocks.model.block import Block
from blocks.model.declare import Parameter
from blocks.plan import Plan
from blocks.plan.flatten import Leaf
from blocks.plan.place import Place
from blocks.signal import Signal
from blocks.units import for_people
from cython_kernels import engine as native

MOST_NUMBERS = 64
"""Of a parameter that can be changed in a page; waypoints are excepted."""
_NO_LIMIT = 1e300


def shown(unit: str | tuple[str, ...] | None, count: int) -> list[list[Any]]:
    """The unit for people and the factor to it, of all elements or of each."""
    units = unit if isinstance(unit, tuple) else (unit or "1",) * count
    pairs = [list(for_people(one or "1")) for one in units]
    return pairs[:1] if all(pair == pairs[0] for pair in pairs) else pairs


def quantity(place: Place) -> dict[str, Any]:
    """What a signal is: its name, place, number of elements, their names and units."""
    signal = place.signal
    labels = list(signal.labels) if signal is not None and len(signal.labels) == place.count else []
    return {
        "path": place.name,
        "first": place.first,
        "count": place.count,
        "labels": labels,
        "units": shown(place.unit, place.count),
        "doc": place.doc,
    }


def given_values(plan: Plan) -> NDArray[np.float64]:
    """The start values of inputs and parameters that a plan stores, by their places."""
    places = [*plan.inputs.values(), *plan.parameters.values()]
    count = max((place.first + place.count for place in places), default=0)
    return np.frombuffer(plan.stored, dtype="<f8", offset=native.HEADER_SIZE, count=count)


def parameters(
    plan: Plan, inputs: Mapping[str, NDArray[np.float64]], added: Collection[str] = ()
) -> Iterator[dict[str, Any]]:
    """What can be changed for the next run: constant inputs, and parameters that are numbers in the plan.

    added: blocks that stand for inputs over time, by name; they are nobody's.
    """
    for name, value in inputs.items():
        place = plan.inputs[name]
        values = np.broadcast_to(np.asarray(value, dtype=np.float64).ravel(), (place.count,))
        if place.count <= MOST_NUMBERS:
            yield quantity(place) | {"kind": "input", "values": values.tolist()}
    given = given_values(plan)
    for leaf in plan.flat.leaves:
        if leaf.name in added:
            continue
        sizes = {name: size for size, names in leaf.block.resizable_sizes().items() for name in names}
        structural = leaf.block.structural_parameters()
        for name, declared in leaf.block.all_parameters().items():
            place = plan.parameters[f"{leaf.name}.{name}"]
            if name in structural or not place.count or (place.count > MOST_NUMBERS and name != "waypoints"):
                continue
            if (declared.choices or declared.switch) and not _keeps_ports(leaf.block, declared):
                continue
            yield _parameter(plan, leaf, declared, place, given, sizes.get(name))


def _keeps_ports(block: Block, declared: Parameter) -> bool:
    """Whether the ports are the same whatever is chosen: if not, what is wired to them may not fit any more."""
    other = block.copy()
    for choice in declared.choices or (False, True):
        try:
            other.set(**{declared.name: choice})
        except KeelblocksError:  # not beside the other parameters as they are
            continue
        if _ports(other) != _ports(block):
            return False
    return True


def _ports(block: Block) -> list[tuple[str, Signal]]:
    return [(name, port.signal) for name, port in (*block.input_ports.items(), *block.output_ports.items())]


def _parameter(
    plan: Plan, leaf: Leaf, declared: Parameter, place: Place, given: NDArray[np.float64], size: str | None
) -> dict[str, Any]:
    found: dict[str, Any] = quantity(place) | {"kind": "number", "values": given[place.slice].tolist()}
    if len(declared.labels) == place.count:
        found["labels"] = list(declared.labels)
    if declared.choices:
        found |= {"kind": "choice", "choices": list(declared.choices)}
    elif declared.switch:
        found["kind"] = "switch"
    elif declared.integer:
        found["kind"] = "integer"
    limits = {"above": declared.above, "least": declared.at_least, "below": declared.below, "most": declared.at_most}
    found |= {key: float(limit) for key, limit in limits.items() if limit is not None and abs(limit) < _NO_LIMIT}
    if len(place.shape) > 1:
        found["columns"] = place.shape[-1]
    if size is not None:
        found["rows"] = {
            "number": plan.numbers[f"{leaf.name}.{size}"],
            "now": plan.flat.sizes[leaf][size],
            "least": type(leaf.block).least_sizes.get(size, 1),
            "room": place.shape[0],
        }
    return found


def limits(plan: Plan) -> Iterator[dict[str, Any]]:
    """Outputs that a limit holds, with the places of the limits: a page marks when they are there."""
    for leaf in plan.flat.leaves:
        for name, declared in type(leaf.block).declared_outputs.items():
            if declared.within is None or name not in leaf.outputs:
                continue
            at = plan.outputs[f"{leaf.name}.{name}"]
            low, high = (_limit(plan, leaf, limit) for limit in declared.within)
            if {low["count"], high["count"]} <= {1, at.count}:
                yield {"channel": at.name, "low": low, "high": high}


def _limit(plan: Plan, leaf: Leaf, limit: str) -> dict[str, Any]:
    """Where a limit stands, how many numbers it is, and the sign that it has there."""
    place = plan.parameters[f"{leaf.name}.{limit.removeprefix('-')}"]
    return {"first": place.first, "count": place.count, "sign": -1 if limit.startswith("-") else 1}
