"""What the last messages of several topics make of an input, with a run's time and a node that are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ros_peer import Peer

from blocks.live.messages import subscriptions
from blocks.live.messages.entries import input_entries
from blocks.live.ros2.receiving import Inbox

TOPICS = {
    "autopilot": {"type": "std_msgs/Float64", "data": "u", "timeout": "5 s"},
    "helm": {"type": "std_msgs/Float64", "data": "u", "timeout": "5 s", "priority": 1, "reliable": False},
}


class _Run(dict[str, Any]):
    time = 0.0


class _Node:
    """Hears nothing but what `say` says."""

    def __init__(self) -> None:
        self.hear: dict[str, Any] = {}
        self.reliable: dict[str, bool] = {}

    def get_logger(self) -> Any:
        return self

    def warning(self, text: str, **_: Any) -> None:
        raise AssertionError(text)

    def create_subscription(self, kind: Any, topic: str, hear: Any, quality: Any) -> None:
        self.hear[topic] = lambda value: hear(kind(data=value))
        self.reliable[topic] = quality.reliability.name == "RELIABLE"


@pytest.fixture
def node(peer: Peer) -> _Node:
    return _Node()


def test_who_was_too_late_before_a_reset_is_so_after_it(node: _Node) -> None:
    run = _Run(u=np.array(0.0))
    inbox = Inbox(node, run, subscriptions(input_entries(TOPICS), {"u": ()}))
    node.hear["helm"](2.0)
    inbox.take(0.0)
    assert run["u"] == 2.0
    node.hear["autopilot"](1.0)
    inbox.take(4.0)
    assert run["u"] == 2.0  # the helm has it for 5 s
    inbox.take(5.0)
    assert run["u"] == 1.0
    inbox.take(0.0)  # reset
    assert run["u"] == 1.0
    inbox.take(3.9)
    assert run["u"] == 1.0
    inbox.take(4.0)  # 5 s after the last message, of which one was before the reset
    assert run["u"] == 0.0


def test_a_topic_that_need_not_be_reliable_asks_for_no_more(node: _Node) -> None:
    Inbox(node, _Run(), subscriptions(input_entries(TOPICS), {"u": ()}))
    assert node.reliable == {"autopilot": True, "helm": False}
