"""The types of a component's inputs as the diagram around it knows them.

A part of a diagram is exported by itself, and some of its ports take any signal: what is wired to them from outside
then says of which shape, unit and labels they are.
"""

from __future__ import annotations

from blocks.block import Block
from blocks.errors import KeelblocksError
from blocks.model.diagram import Diagram, Source
from blocks.model.wiring import width
from blocks.plan.flatten import Flat, flatten, signal_of
from blocks.signal import Signal


def signals_from_outside(component: Diagram | Block) -> dict[str, Signal]:
    """The type of each input that is wired in the diagram around; nothing if there is none, or if it cannot be run."""
    if not isinstance(component.parent, Diagram):
        return {}
    top: Diagram = component.parent
    while isinstance(top.parent, Diagram):
        top = top.parent
    try:
        flat = flatten(top)
    except KeelblocksError:
        return {}
    found = {
        name: _signal(flat, component.parent, component.parent.wires.get((component, name)))
        for name in component.input_ports
    }
    return {name: signal for name, signal in found.items() if signal is not None}


def _signal(flat: Flat, owner: Diagram, source: Source | None) -> Signal | None:
    """What a wire in `owner` carries."""
    if source is None:
        return None
    if source.component is None:
        if isinstance(owner.parent, Diagram):
            whole = _signal(flat, owner.parent, owner.parent.wires.get((owner, source.port)))
        else:
            external = flat.externals[source.port]
            whole = _with_shape(external.signal, external.shape)
    elif isinstance(source.component, Diagram):
        ref = source.component.boundary_outputs[source.port]
        whole = _signal(flat, source.component, Source(ref.block, ref.name, ref.start, ref.stop))
    else:
        leaf = next(leaf for leaf in flat.leaves if leaf.block is source.component)
        whole = signal_of(flat, leaf, source.port)
    return whole if whole is None or source.start is None else _part(whole, source.start, source.stop or 0)


def _with_shape(signal: Signal, shape: tuple[int | str, ...]) -> Signal:
    return Signal(signal.name, shape, signal.unit, signal.frame, signal.labels)


def _part(signal: Signal, start: int, stop: int) -> Signal:
    unit = signal.units(width(signal.shape))[start:stop]
    same = len(set(unit)) == 1
    return Signal(
        signal.name,
        () if stop - start == 1 else (stop - start,),
        unit[0] if same else unit,  # type: ignore[arg-type]
        signal.frame,
        signal.labels[start:stop],
    )
