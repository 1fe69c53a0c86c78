"""Topics of a node where nobody says which: every signal, and every input."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blocks.live.logs.automatic import topics_of
from blocks.live.messages.entries import input_entries
from blocks.live.messages.outgoing import Signals
from blocks.plan.place import Place
from blocks.signal import Wrench

RATE = 10.0
"""Messages of each topic per second, Hz."""


def automatic_topics(signals: Signals, turn: float) -> dict[str, Any]:
    """What a log would hold, ten times a second at most, within the namespace of the node."""
    found = topics_of(signals, rate=min(RATE, 1.0 / turn) if turn else RATE)
    return {name if name == "/tf" else name.removeprefix("/"): entry for name, entry in found.items()}


def automatic_inputs(inputs: Mapping[str, Place]) -> dict[str, Any]:
    """cmd/force for an input `force`, as the message that fits its signal."""
    return input_entries({f"cmd/{name}": _entry(name, place) for name, place in inputs.items()})


def _entry(name: str, place: Place) -> dict[str, str]:
    if place.shape == (6,) and place.signal is not None and place.signal.labels == Wrench.labels:
        return {"type": "geometry_msgs/WrenchStamped", "force": name}
    return {"type": "std_msgs/Float64MultiArray" if place.shape else "std_msgs/Float64", "data": name}
