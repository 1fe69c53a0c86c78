"""Topics of a node: messages of outputs, at their own rates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from blocks.live.messages import Publication
from blocks.live.messages.cdr import Packer
from blocks.live.messages.contents import Message
from blocks.live.messages.outgoing import Read
from blocks.live.ros2.available import Ros2Error
from blocks.live.ros2.message_types import message_type
from blocks.live.turns import Turns


class Topic:
    """A publication on its publisher, as bytes: that takes a quarter of the time of messages of rclpy."""

    def __init__(self, node: Any, publication: Publication, depth: int) -> None:
        self.publication = publication
        self._pack = Packer(publication.type).pack
        self._send: Callable[[bytes], None] = node.create_publisher(
            message_type(publication.type), publication.topic, depth
        ).publish
        self._turns = Turns(1.0 / publication.period if publication.period else None)

    def check(self, turn: float) -> None:
        """Raise Ros2Error if the loop's turns, of so many seconds, are too slow for the rate that is wanted."""
        period = self.publication.period
        if period and period < turn * (1.0 - 1e-6):
            raise Ros2Error(
                f"topic {self.publication.topic}: {1.0 / period:g} Hz are wanted, and the run has {1.0 / turn:g} turns "
                f"per second: write live: rate: {1.0 / period:g} Hz, and a step that fits"
            )

    def publish(self, read: Read, stamp: Message, t: float) -> None:
        """A message, if it is time for one."""
        if self._turns.due(t):
            self._send(self._pack(self.publication.message(read, stamp)))
