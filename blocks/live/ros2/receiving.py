"""Inputs of a node: the last message of each topic, and who of several has an input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from blocks.errors import KeelblocksError
from blocks.live.messages import Subscription
from blocks.live.ros2.message_types import message_type

if TYPE_CHECKING:
    from blocks.simulator import Simulator

_QUIET = 5.0
"""Time between two warnings of one kind, s."""


class Inbox:
    """The last message of each topic; messages come in by the thread of the executor, and are taken once a turn.

    A message that does not fit, or that an input refuses, is counted, told in the log of the node, and left out.
    """

    def __init__(self, node: Any, simulator: Simulator, subscriptions: list[Subscription]) -> None:
        self.refused = 0
        self._node, self._simulator = node, simulator
        self._arrived: dict[str, Any] = {}
        self._held: dict[str, tuple[float, dict[str, Any]]] = {}
        self._givers: dict[str, list[Subscription]] = {}
        self._used: dict[str, object] = {}
        self._time = simulator.time
        for one in subscriptions:
            for name in one.inputs:
                self._givers.setdefault(name, []).append(one)
            node.create_subscription(message_type(one.type), one.topic, self._keeper(one.topic), 1)
        for givers in self._givers.values():
            givers.sort(key=lambda one: -one.priority)
        self._topics = {one.topic: one for one in subscriptions}
        self._at_start: dict[str, Any] = {}

    def _keeper(self, topic: str) -> Any:
        def keep(message: Any) -> None:
            self._arrived[topic] = message

        return keep

    def take(self, t: float) -> None:
        """Set inputs by what has come in, and by what no longer holds."""
        if t < self._time:  # reset: what was sent last holds from there on
            self._held = {topic: (t, values) for topic, (_, values) in self._held.items()}
        self._time = t
        for topic in list(self._arrived):
            message = self._arrived.pop(topic)
            try:
                self._held[topic] = (t, self._topics[topic].values(message))
            except KeelblocksError as problem:
                self._refuse(problem)
        for name, givers in self._givers.items():
            self._set(name, next(filter(None, (self._holding(one, t) for one in givers)), None))

    def _holding(self, one: Subscription, t: float) -> tuple[float, dict[str, Any]] | None:
        """What a topic gives, unless it is too old."""
        held = self._held.get(one.topic)
        return held if held is not None and t - held[0] < one.timeout - 1e-9 else None

    def _set(self, name: str, held: tuple[float, dict[str, Any]] | None) -> None:
        if held is self._used.get(name):
            return
        if name not in self._at_start:
            self._at_start[name] = np.array(self._simulator[name])
        self._used[name] = held
        try:
            self._simulator[name] = self._at_start[name] if held is None else held[1][name]
        except KeelblocksError as problem:
            self._refuse(problem)

    def _refuse(self, problem: KeelblocksError) -> None:
        self.refused += 1
        self._node.get_logger().warning(str(problem), throttle_duration_sec=_QUIET)
