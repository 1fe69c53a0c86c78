"""Inputs of a node: the last message of each topic, and who of several has an input."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from blocks.errors import KeelblocksError
from blocks.live.messages import Subscription
from blocks.live.ros2.message_types import message_type

_QUIET = 5.0
"""Time between two warnings of one kind, s."""


@dataclass
class _Channel:
    """A topic."""

    subscription: Subscription
    arrived: deque[Any] = field(default_factory=lambda: deque(maxlen=1))
    """The last message, until it is taken; two threads use it."""
    held: tuple[float, dict[str, Any]] | None = None
    """When it was taken, and the values of inputs."""

    def keep(self, message: Any) -> None:
        self.arrived.append(message)

    def holding(self, t: float) -> tuple[float, dict[str, Any]] | None:
        """What it gives, unless it is too old."""
        held = self.held
        return held if held is not None and t - held[0] < self.subscription.timeout - 1e-9 else None


class _Input:
    """An input, of a vehicle if there is a fleet, and the channels that give it."""

    def __init__(self, name: str, vehicle: int | None, givers: list[_Channel], simulator: Any) -> None:
        self.name, self.vehicle = name, vehicle
        self._givers = sorted(givers, key=lambda one: -one.subscription.priority)
        self._simulator = simulator
        self._used: tuple[float, dict[str, Any]] | None = None
        self._at_start: Any = None

    def set(self, t: float) -> None:
        """Give it what the first of its givers holds that holds something; what it was at the start if none does."""
        held = next((held for one in self._givers if (held := one.holding(t)) is not None), None)
        if held is self._used:
            return
        present = self._simulator[self.name]
        if self._at_start is None:
            self._at_start = np.array(present if self.vehicle is None else present[self.vehicle])
        self._used = held
        value = self._at_start if held is None else held[1][self.name]
        if self.vehicle is None:
            self._simulator[self.name] = value
        else:
            present[self.vehicle] = value


def _topics(topic: str, vehicles: Sequence[str]) -> list[tuple[str, list[int | None]]]:
    """The topics that are meant, and the numbers of the vehicles that take each."""
    if not vehicles:
        return [(topic, [None])]
    if topic.startswith("/"):
        return [(topic, list(range(len(vehicles))))]
    return [(f"{name}/{topic}", [number]) for number, name in enumerate(vehicles)]


class Inbox:
    """The last message of each topic; messages come in by the thread of the executor, and are taken once a turn.

    A message that does not fit, or that an input refuses, is counted, told in the log of the node, and left out.
    vehicles: names of those of a fleet, each of which has its own topic under its name, unless the topic begins with /,
    when it is meant for all.
    """

    def __init__(
        self, node: Any, simulator: Any, subscriptions: list[Subscription], vehicles: Sequence[str] = ()
    ) -> None:
        self.refused = 0
        self._warn: Callable[..., None] = node.get_logger().warning
        self._time = simulator.time
        self._channels: list[_Channel] = []
        givers: dict[tuple[str, int | None], list[_Channel]] = {}
        for one in subscriptions:
            for topic, takers in _topics(one.topic, vehicles):
                channel = _Channel(one)
                self._channels.append(channel)
                node.create_subscription(message_type(one.type), topic, channel.keep, _quality(one))
                for name in one.inputs:
                    for vehicle in takers:
                        givers.setdefault((name, vehicle), []).append(channel)
        self._inputs = [_Input(*key, channels, simulator) for key, channels in givers.items()]

    def take(self, t: float) -> None:
        """Set inputs by what has come in, and by what no longer holds."""
        if t < self._time:  # reset: what was sent holds as long as it would have, and what was too old stays so
            for channel in self._channels:
                channel.held = channel.held and (channel.held[0] + t - self._time, channel.held[1])
        self._time = t
        for channel in self._channels:
            if channel.arrived:
                try:
                    channel.held = (t, channel.subscription.values(channel.arrived.pop()))
                except KeelblocksError as problem:
                    self._refuse(problem)
        for one in self._inputs:
            try:
                one.set(t)
            except KeelblocksError as problem:
                self._refuse(problem)

    def _refuse(self, problem: KeelblocksError) -> None:
        self.refused += 1
        self._warn(str(problem), throttle_duration_sec=_QUIET)


def _quality(subscription: Subscription) -> Any:
    """Quality of service: the last message alone counts."""
    from rclpy.qos import QoSProfile, ReliabilityPolicy

    wanted = ReliabilityPolicy.RELIABLE if subscription.reliable else ReliabilityPolicy.BEST_EFFORT
    return QoSProfile(depth=1, reliability=wanted)
