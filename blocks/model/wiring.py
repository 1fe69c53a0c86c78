"""Whether two ports can be connected, and the words if they cannot."""

from __future__ import annotations

from blocks import units
from blocks.errors import WiringError
from blocks.signal import Signal


def describe(signal: Signal) -> str:
    """A signal type in brackets, with the unit of its first element, as messages show it: "(Wrench, N, body)"."""
    unit = signal.unit[0] if isinstance(signal.unit, tuple) else signal.unit
    return f"({', '.join(part for part in (signal.name, unit, signal.frame) if part)})"


def disagreement(source: Signal, sink: Signal) -> str:
    """Why `source` cannot feed `sink`, or "" if it can. Unknown sizes agree with any."""
    for a, b in zip(_element_units(source), _element_units(sink), strict=False):
        if not units.same(a, b):
            return f"units {a} and {b} differ"
    if source.frame and sink.frame and source.frame != sink.frame:
        return f"frames {source.frame} and {sink.frame} differ"
    if not _shapes_agree(source, sink):
        return f"shapes {_shape(source)} and {_shape(sink)} differ"
    if source.labels and sink.labels and source.labels != sink.labels:
        return f"elements ({', '.join(source.labels)}) and ({', '.join(sink.labels)}) differ"
    return ""


def check(source: Signal, sink: Signal, source_name: str, sink_name: str, hint: str = "") -> None:
    """Raise WiringError, naming both ends, if `source` cannot feed `sink`; `hint` says what to do about units."""
    reason = disagreement(source, sink)
    if reason:
        block, _, port = sink_name.rpartition(".")
        code = f"{reason.partition(' ')[0].removesuffix('s')}-mismatch"
        raise WiringError(
            f"cannot connect {source_name} {describe(source)} to {sink_name} {describe(sink)}: {reason}"
            f"{hint if code == 'unit-mismatch' else ''}",
            code=code,
            block=block,
            port=port,
        )


def _element_units(signal: Signal) -> tuple[str | None, ...]:
    if isinstance(signal.unit, tuple):
        return signal.unit
    (first, *_) = signal.shape or (1,)
    return (signal.unit,) * (first if isinstance(first, int) else 64)


def _shapes_agree(a: Signal, b: Signal) -> bool:
    if any(isinstance(d, str) for d in (*a.shape, *b.shape)):
        return True
    return a.shape == b.shape or width(a.shape) == width(b.shape) == 1


def selected(signal: Signal, start: int, stop: int) -> Signal:
    """The type of some elements of a signal."""
    unit = signal.units(width(signal.shape))[start:stop]
    return Signal(
        signal.name,
        () if stop - start == 1 else (stop - start,),
        unit[0] if len(set(unit)) == 1 else unit,  # type: ignore[arg-type]
        signal.frame,
        signal.labels[start:stop],
    )


def width(shape: tuple[int | str, ...]) -> int:
    """How many elements a shape of numbers has."""
    total = 1
    for dimension in shape:
        total *= int(dimension)
    return total


def count(number: int, what: str) -> str:
    """ "1 element", "2 elements"."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def _shape(signal: Signal) -> str:
    return "×".join(map(str, signal.shape)) or "1"
