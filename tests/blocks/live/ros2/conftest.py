"""A process with a node of rclpy beside the tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from ros_peer import Peer, loopback

from blocks.live.ros2 import missing


@pytest.fixture(scope="session")
def peer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peer]:
    """The other side: a process with a plain node of rclpy, in a namespace of its own."""
    os.environ.update(loopback(tmp_path_factory.mktemp("ros")))  # before rclpy is imported, which reads it once
    if missing():
        pytest.skip(missing())
    other = Peer(f"/p{os.getpid()}")
    yield other
    other.close()
