"""Topics of a node: messages of outputs, at their own rates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from blocks.live.messages import Publication
from blocks.live.messages.cdr import Packer
from blocks.live.messages.contents import Message
from blocks.live.messages.outgoing import Read
from blocks.live.ros2.available import Ros2Error
from blocks.live.ros2.message_types import message_type
from blocks.realtime.turns import Turns
from blocks.scenario.topics_model import BodyTopic


class Topic:
    """A publication on its publisher, as bytes: that takes a quarter of the time of messages of rclpy.

    vehicles: names of those of a fleet, each of which has its own topic under its name, unless the topic begins with /,
    when all send on it.
    """

    def __init__(self, node: Any, publication: Publication, depth: int, vehicles: Sequence[str] = ()) -> None:
        self.publication = publication
        self._packer = Packer(publication.type)
        self._turns = Turns(1.0 / publication.period if publication.period else None)
        self._count = len(vehicles)
        kind, topic = message_type(publication.type), publication.topic
        names = [f"{name}/{topic}" for name in vehicles] if vehicles and not topic.startswith("/") else [topic]
        depth = max(depth, 2 * self._count) if len(names) < self._count else depth
        self._send: list[Callable[[bytes], None]] = [node.create_publisher(kind, name, depth).publish for name in names]
        if hasattr(kind, "registered"):
            kind.registered()
        self._send *= self._count if len(names) < self._count else 1

    def check(self, turn: float) -> None:
        """Raise Ros2Error if the loop's turns, of so many seconds, are too slow for the rate that is wanted."""
        period = self.publication.period
        if period and period < turn * (1.0 - 1e-6):
            raise Ros2Error(
                f"topic {self.publication.topic}: {1.0 / period:g} Hz are wanted, and the run has {1.0 / turn:g} turns "
                f"per second: write live: rate: {1.0 / period:g} Hz, and a step that fits"
            )

    def publish(self, read: Read, stamp: Message, t: float) -> None:
        """A message, or one of each vehicle, if it is time for it."""
        if not self._turns.due(t):
            return
        content = self.publication.message(read, stamp)
        if not self._count:
            self._send[0](self._packer.pack(content))
            return
        for send, message in zip(self._send, self._packer.pack_each(content, self._count), strict=True):
            send(message)


def of_vehicles(topics: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Entries whose frames of bodies begin with the name of their vehicle, usv_07/base_link."""

    def each(frame: str) -> tuple[str, ...]:
        return tuple(f"{name}/{frame}" for name in names)

    made = {}
    for topic, entry in topics.items():
        changed: dict[str, Any] = {}
        if isinstance(entry, BodyTopic):
            changed["frame_id"] = each(entry.frame_id)
        if hasattr(entry, "child_frame_id"):
            changed["child_frame_id"] = each(entry.child_frame_id)
        if hasattr(entry, "transforms"):
            changed["transforms"] = {each(frame): pose for frame, pose in entry.transforms.items()}
        made[topic] = entry.model_copy(update=changed)
    return made
