"""What a component is about, and the types of its inputs as the diagram around it knows them.

A part of a diagram is exported by itself, and some of its ports take any signal: what is wired to them from outside
then says of which shape, unit and labels they are.
"""

from __future__ import annotations

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import KeelblocksError
from blocks.plan.check import feed_signal, find_signals
from blocks.plan.flatten import feeds_of, flatten
from blocks.plan.sizes import find_sizes
from blocks.signal import Signal


def about(component: Diagram | Block) -> str:
    """The title of a diagram, or the first line of a block's documentation."""
    if isinstance(component, Diagram):
        return component.title or component.doc.strip().partition("\n")[0]
    return (type(component).__doc__ or "").strip().partition("\n")[0]


def signals_from_outside(component: Diagram | Block) -> dict[str, Signal]:
    """The type of each input that is wired in the diagram around; nothing if there is none, or if it cannot be run."""
    if not isinstance(component.parent, Diagram):
        return {}
    top: Diagram = component.parent
    while isinstance(top.parent, Diagram):
        top = top.parent
    try:
        sized = find_sizes(flatten(top))
    except KeelblocksError:
        return {}
    signals = find_signals(sized)
    return {name: feed_signal(sized, feed, signals) for name, feed in feeds_of(component, top, sized).items()}
