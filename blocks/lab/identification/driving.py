"""What drives a replay: columns of the log, each held or linear between samples, and constants."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import did_you_mean
from blocks.lab.identification.between import MIXED, Between
from blocks.lab.identification.errors import IdentificationError
from blocks.lab.identification.log import Array, Log
from blocks.signal import Signal
from blocks.units import same

_NEAR = 1e-9
"""Seconds: rounding of the grid."""


def way_of(log: Log, source: Any, between: Mapping[str, Between]) -> str:
    """What a column is between samples; "" if it is all the same."""
    if not isinstance(source, str):
        return ""
    common = between[source].interpolation if source in between else ""
    return log.interpolation.get(source, "" if common == MIXED else common)


def driven_by(
    component: Diagram | Block,
    log: Log,
    segment: slice,
    inputs: Mapping[str, Any],
    between: Mapping[str, Between],
    shaped: Collection[str] = (),
    grid: Array | None = None,
) -> dict[str, Any]:
    """The inputs of the model as `simulate` takes them: over time where columns are named, else constant.

    shaped: columns that come behind a delay or a lag. An input with such a column goes by the grid, and they are held
    there; what they are is for the replay to say.
    """
    ports = component.input_ports
    samples = log.time[segment] - log.time[segment][0]
    whole: dict[str, Any] = {}
    ways: dict[str, list[str]] = {}
    fine = {name.partition("[")[0] for name, source in inputs.items() if isinstance(source, str) and source in shaped}

    def way(source: Any) -> str:
        return "hold" if isinstance(source, str) and source in shaped else way_of(log, source, between)

    def on_grid(source: str, values: Array) -> Array:
        assert grid is not None
        if way_of(log, source, between) != "hold":
            return np.asarray(np.interp(grid, samples, values))
        return np.asarray(values[np.maximum(np.searchsorted(samples, grid + _NEAR, side="right") - 1, 0)])

    for name, source in inputs.items():
        bare, _, label = name.partition("[")
        if bare not in ports:
            raise IdentificationError(f"there is no input '{bare}'{did_you_mean(bare, ports)}")
        signal = ports[bare].signal
        width = width_of(signal)
        labels = list(signal.labels) or [str(i) for i in range(width)]
        values = log.values(source)[segment] if isinstance(source, str) else source
        time = samples
        if bare in fine and grid is not None:
            time, values = grid, on_grid(source, values) if isinstance(source, str) else values
        if not label:
            if isinstance(source, str) and width > 1:
                raise IdentificationError(f"the input '{bare}' has {width} elements; name one: '{bare}[{labels[0]}]'")
            whole[bare] = (time, values, way(source) or "linear") if isinstance(source, str) else source
            continue
        label = label.removesuffix("]")
        number = labels.index(label) if label in labels else int(label) if label.isdigit() else -1
        if not 0 <= number < width:
            raise IdentificationError(f"the input '{bare}' has no element '{label}'{did_you_mean(label, labels)}")
        if isinstance(source, str):
            check_unit(log, source, signal.units(width)[number] or "1", name)
        table = whole.setdefault(bare, np.zeros((len(time), width)))
        table[:, number] = values
        ways.setdefault(bare, [""] * width)[number] = way(source)
    for bare, words in ways.items():
        time = grid if bare in fine and grid is not None else samples
        any_way = next(filter(None, words), "linear")  # of elements that do not change: as the others
        whole[bare] = (time, whole[bare], [word or any_way for word in words])
    for name, port in ports.items():
        if name not in whole and port.default is None:
            whole[name] = np.zeros(width_of(port.signal)) if port.signal.shape else 0.0
    return whole


def check_unit(log: Log, column: str, unit: str, name: str) -> None:
    """Raise IdentificationError if a column is in another unit than what it is for."""
    log.values(column)
    given = log.units[column]
    if not same(given, unit):
        raise IdentificationError(f"{log.name}: {column} is in {given}, and {name} in {unit}")


def width_of(signal: Signal) -> int:
    """How many numbers a signal has."""
    return int(np.prod([d for d in signal.shape if isinstance(d, int)])) if signal.shape else 1
