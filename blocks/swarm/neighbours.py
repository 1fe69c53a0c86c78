"""What vehicles of a swarm see of each other: outputs of some into inputs of others."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.errors import SimulationError, did_you_mean
from blocks.model.wiring import disagreement
from blocks.plan import Plan
from blocks.plan.place import Place
from blocks.signal import Signal

Neighbours = Mapping[str, tuple[str, ArrayLike]]
"""For an input its output, and whose: a number for each vehicle, or a row of numbers."""


def read_neighbours(neighbours: Neighbours, count: int) -> dict[str, tuple[str, NDArray[np.int64]]]:
    """For each input its output, and whose: a row for each of `count` vehicles. Raises SimulationError."""
    return {name: (output, _whose(name, whose, count)) for name, (output, whose) in _pairs(neighbours)}


def _pairs(neighbours: Neighbours) -> list[tuple[str, tuple[str, ArrayLike]]]:
    pairs: list[tuple[str, Any]] = list(neighbours.items())
    for name, pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], str):
            raise SimulationError(
                f"neighbours of '{name}' are a pair of an output and whose it is for each vehicle, "
                f'("vessel.eta", [-1, 0, …]), not {pair!r}'
            )
    return pairs


def _whose(name: str, whose: ArrayLike, count: int) -> NDArray[np.int64]:
    try:
        index = np.asarray(whose)
    except ValueError:  # rows of different length
        index = np.zeros(())
    index = index[:, None] if index.ndim == 1 else index
    if index.ndim != 2 or len(index) != count or not index.size or not np.issubdtype(index.dtype, np.integer):
        raise SimulationError(
            f"neighbours of '{name}' must be a whole number, or a row of them, for each of {count} vehicles; "
            f"rows are equally long, -1 fills up"
        )
    outside = index[(index < -1) | (index >= count)]
    if outside.size:
        raise SimulationError(
            f"neighbours of '{name}' are numbers from 0 to {count - 1}, or -1 for nobody, not {outside[0]}"
        )
    return index.astype(np.int64)


def sent_shapes(plan: Plan, neighbours: Mapping[str, tuple[str, NDArray[np.int64]]]) -> dict[str, tuple[int, ...]]:
    """The shape that each input has to have for what is sent to it."""
    found: dict[str, tuple[int, ...]] = {}
    for name, (output, index) in neighbours.items():
        _, signal = _source(plan, output)
        times = index.shape[1]
        found[name] = tuple(int(n) for n in signal.shape) if times == 1 else (times * _width(signal),)
    return found


def links(
    plan: Plan, neighbours: Mapping[str, tuple[str, NDArray[np.int64]]], given: Container[str]
) -> NDArray[np.longlong]:
    """Rows (from vehicle, place, to vehicle, place, how many), as `cython_kernels.swarm` takes them.

    given: inputs that have a value where there is no neighbour. Raises SimulationError where something does not fit.
    """
    rows = []
    for name, (output, index) in neighbours.items():
        first, signal = _source(plan, output)
        sink = plan.inputs[name]
        size = _width(signal)
        _check(name, sink, output, signal, index.shape[1])
        alone = np.flatnonzero(np.any(index < 0, axis=1))
        if len(alone) and name not in given:
            raise SimulationError(
                f"vehicle {alone[0]} has nobody for '{name}', which then needs a value: "
                f"Swarm(…, inputs={{'{name}': …}})"
            )
        rows += [
            (int(other), first, i, sink.first + k * size, size)
            for i, others in enumerate(index)
            for k, other in enumerate(others)
            if other >= 0
        ]
    return np.array(rows, dtype=np.longlong).reshape(-1, 5)


def _source(plan: Plan, name: str) -> tuple[int, Signal]:
    """Where an output, or an element of it, "vessel.eta[psi]", stands, and its type."""
    bare, _, element = name.partition("[")
    outputs = {**plan.outputs, **plan.external_outputs}
    if bare not in outputs:
        raise SimulationError(f"neighbours: no output '{bare}'{did_you_mean(bare, outputs)}")
    place = outputs[bare]
    signal = _signal(place)
    if not element:
        return place.first, signal
    label = element.removesuffix("]")
    valid = signal.labels or tuple(map(str, range(place.count)))
    if label not in valid:
        raise SimulationError(f"neighbours: {bare} has no element '{label}'{did_you_mean(label, valid)}")
    at = valid.index(label)
    return place.first + at, Signal(signal.name, (), signal.units(place.count)[at], signal.frame)


def _check(name: str, sink: Place, output: str, source: Signal, times: int) -> None:
    """As a wire would be, for each of the outputs that follow each other in the input."""
    size, target = _width(source), _signal(sink)
    if sink.count != times * size:
        raise SimulationError(
            f"input '{name}' takes {sink.count} {'number' if sink.count == 1 else 'numbers'}, but {times} times "
            f"'{output}' are {times * size}"
        )
    labels = target.labels if times == 1 else ()
    units = target.units(sink.count)
    for k in range(times):
        part = units[k * size : (k + 1) * size]
        unit: Any = part[0] if len(set(part)) == 1 else part
        reason = disagreement(source, Signal(target.name, source.shape, unit, target.frame, labels))
        if reason:
            raise SimulationError(f"neighbours: '{output}' ({source}) cannot be input '{name}' ({target}): {reason}")


def _signal(place: Place) -> Signal:
    """The type of a quantity, with its size."""
    known = place.signal or Signal(place.name, place.shape, place.unit)
    return Signal(known.name, place.shape, known.unit, known.frame, known.labels)


def _width(signal: Signal) -> int:
    return int(np.prod([int(n) for n in signal.shape], dtype=int))
