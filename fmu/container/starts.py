"""What inputs of FMUs have while nothing feeds them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fmu.foreign.importer import FmuBlock
from fmu.foreign.variables import FLOATS


def start_of(block: FmuBlock, port: str) -> NDArray[np.float64]:
    """The start value of an input as the FMU has it, in its own unit: what was set, what it says, or 0."""
    variable = block.face.sources[port]
    name = block.face.starts.get(port)
    set_here = () if name is None else block.face.settings[name].start_values(block.values[name])
    by_reference = {value.reference: value.values for value in set_here}
    said = variable.start() or [0.0] * variable.width
    found: list[float] = []
    for member, count in zip(variable.members, variable.counts, strict=True):
        own = said[len(found) : len(found) + count]
        found += [float(value) for value in by_reference.get(member.valueReference, own)]
    numbers = np.array(found)
    return numbers if np.all(np.isfinite(numbers)) else np.zeros_like(numbers)


def start_texts(block: FmuBlock, port: str) -> Iterator[tuple[str, str]]:
    """The variables of an input that nothing feeds, and what its block sets there at every step, as text.

    A block has it in SI: on the way there and back it may be rounded.
    """
    variable = block.face.sources[port]
    pairs = zip(variable.conversions, start_of(block, port), strict=True)
    numbers = [float(conversion.into(conversion.out(number))) for conversion, number in pairs]
    first = 0
    for member, count in zip(variable.members, variable.counts, strict=True):
        yield member.name, " ".join(_text(variable.kind, number) for number in numbers[first : first + count])
        first += count


def _text(kind: str, number: float) -> str:
    if kind == "Boolean":
        return "true" if number else "false"
    return repr(number) if kind in FLOATS else str(round(number))
