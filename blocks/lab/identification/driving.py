"""What drives a replay: columns of the log, each held or linear between samples, and constants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import did_you_mean
from blocks.lab.identification.between import MIXED, Between
from blocks.lab.identification.errors import IdentificationError
from blocks.lab.identification.log import Log
from blocks.signal import Signal
from blocks.units import same


def driven_by(
    component: Diagram | Block, log: Log, segment: slice, inputs: Mapping[str, Any], between: Mapping[str, Between]
) -> dict[str, Any]:
    """The inputs of the model as `simulate` takes them: over time where columns are named, else constant."""
    ports = component.input_ports
    time = log.time[segment] - log.time[segment][0]
    whole: dict[str, Any] = {}
    ways: dict[str, list[str]] = {}

    def way(source: Any) -> str:
        """What a column is between samples; "" if it is all the same."""
        if not isinstance(source, str):
            return ""
        common = between[source].interpolation if source in between else ""
        return log.interpolation.get(source, "" if common == MIXED else common)

    for name, source in inputs.items():
        bare, _, label = name.partition("[")
        if bare not in ports:
            raise IdentificationError(f"there is no input '{bare}'{did_you_mean(bare, ports)}")
        signal = ports[bare].signal
        width = _width(signal)
        labels = list(signal.labels) or [str(i) for i in range(width)]
        values = log.values(source)[segment] if isinstance(source, str) else source
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
        any_way = next(filter(None, words), "linear")  # of elements that do not change: as the others
        whole[bare] = (time, whole[bare], [word or any_way for word in words])
    for name, port in ports.items():
        if name not in whole and port.default is None:
            whole[name] = np.zeros(_width(port.signal)) if port.signal.shape else 0.0
    return whole


def check_unit(log: Log, column: str, unit: str, name: str) -> None:
    """Raise IdentificationError if a column is in another unit than what it is for."""
    log.values(column)
    given = log.units[column]
    if not same(given, unit):
        raise IdentificationError(f"{log.name}: {column} is in {given}, and {name} in {unit}")


def _width(signal: Signal) -> int:
    return int(np.prod([d for d in signal.shape if isinstance(d, int)])) if signal.shape else 1
