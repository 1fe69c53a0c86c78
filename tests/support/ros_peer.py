"""The other side of tests of ROS 2: a process with a plain node of rclpy that knows nothing of Keelblocks.

`Peer` starts it. It reads orders from standard input, one JSON object a line, and answers each by a line.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<dds xmlns="http://www.eprosima.com">
  <profiles>
    <transport_descriptors>
      <transport_descriptor>
        <transport_id>loopback</transport_id>
        <type>UDPv4</type>
        <interfaceWhiteList><address>127.0.0.1</address></interfaceWhiteList>
      </transport_descriptor>
    </transport_descriptors>
    <participant profile_name="loopback" is_default_profile="true">
      <rtps>
        <userTransports><transport_id>loopback</transport_id></userTransports>
        <useBuiltinTransports>false</useBuiltinTransports>
      </rtps>
    </participant>
  </profiles>
</dds>
"""
"""For Fast DDS: sockets on the loopback interface alone."""


def loopback(folder: Path) -> dict[str, str]:
    """Variables of the environment by which ROS 2 stays on this machine, in a domain of its own."""
    profile = folder / "loopback.xml"
    profile.write_text(PROFILE)
    return {
        "FASTDDS_DEFAULT_PROFILES_FILE": str(profile),
        "ROS_DOMAIN_ID": str(1 + os.getpid() % 100),
        "ROS_LOG_DIR": str(folder),
    }


class Peer:
    """The process, and what it is told to do."""

    def __init__(self, namespace: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, namespace], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def do(self, order: str, **given: Any) -> Any:
        """Have something done; what it gives. Raises AssertionError if it does not work."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"order": order, **given}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline() or '{"problem": "the other process has ended"}')
        assert "problem" not in answer, answer
        return answer["answer"]

    def listen(self, topic: str, kind: str) -> None:
        """Subscribe, and wait until there is a publisher."""
        self.do("listen", topic=topic, kind=kind)

    def received(self, topic: str, count: int = 1, *, fresh: bool = False) -> list[Any]:
        """So many messages of a topic, the first ones; fresh: those that come from now on."""
        found: list[Any] = self.do("received", topic=topic, count=count, fresh=fresh)
        return found

    def since(self, topic: str, first: int) -> list[Any]:
        """All messages of a topic from the one of this number on, one at least."""
        found: list[Any] = self.do("since", topic=topic, first=first)
        return found

    def send(self, topic: str, kind: str, fields: dict[str, Any]) -> None:
        """Publish a message, once somebody listens."""
        self.do("send", topic=topic, kind=kind, fields=fields)

    def call(self, service: str, kind: str, fields: dict[str, Any] | None = None) -> Any:
        """Call a service."""
        return self.do("call", service=service, kind=kind, fields=fields or {})

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.stdout is not None
        self._process.stdout.close()
        try:
            self._process.wait(10.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


# --- in the process --------------------------------------------------------------------------------------------------


class _Node:
    """What the orders do."""

    def __init__(self, namespace: str) -> None:
        import rclpy
        from rclpy.executors import SingleThreadedExecutor

        rclpy.init()
        self.node = rclpy.create_node("peer", namespace=namespace)
        self.executor = SingleThreadedExecutor()
        self.executor.add_node(self.node)
        self.messages: dict[str, list[Any]] = {}
        self.publishers: dict[str, Any] = {}
        self.clients: dict[str, Any] = {}
        self.news = threading.Condition()
        threading.Thread(target=self.executor.spin, daemon=True).start()

    def listen(self, topic: str, kind: str) -> None:
        heard = self.messages[topic] = []

        def hear(message: Any) -> None:
            with self.news:
                heard.append(message)
                self.news.notify_all()

        self.node.create_subscription(_type(kind), topic, hear, 1000)
        self._until(lambda: self.node.count_publishers(self.node.resolve_topic_name(topic)), f"publisher of {topic}")

    def received(self, topic: str, count: int, fresh: bool) -> list[Any]:
        heard = self.messages[topic]
        first = len(heard) if fresh else 0
        with self.news:
            if not self.news.wait_for(lambda: len(heard) >= first + count, 20.0):
                raise TimeoutError(f"{len(heard) - first} messages of {count} on {topic}")
        return [_plain(message) for message in heard[first : first + count]]

    def since(self, topic: str, first: int) -> list[Any]:
        with self.news:
            if not self.news.wait_for(lambda: len(self.messages[topic]) > first, 20.0):
                raise TimeoutError(f"no more messages on {topic}")
        return [_plain(message) for message in list(self.messages[topic])[first:]]

    def send(self, topic: str, kind: str, fields: dict[str, Any]) -> None:
        if topic not in self.publishers:
            self.publishers[topic] = self.node.create_publisher(_type(kind), topic, 10)
            self._until(self.publishers[topic].get_subscription_count, f"subscriber of {topic}")
        self.publishers[topic].publish(_filled(_type(kind)(), fields))

    def call(self, service: str, kind: str, fields: dict[str, Any]) -> Any:
        cls = _type(kind, "srv")
        if service not in self.clients:
            self.clients[service] = self.node.create_client(cls, service)
        if not self.clients[service].wait_for_service(20.0):
            raise TimeoutError(f"no service {service}")
        done = threading.Event()
        future = self.clients[service].call_async(_filled(cls.Request(), fields))
        future.add_done_callback(lambda _: done.set())
        if not done.wait(20.0):
            raise TimeoutError(f"no answer of {service}")
        return _plain(future.result())

    def topics(self) -> dict[str, Any]:
        """Types and their hashes by topic, as this process sees them."""
        found = {}
        for name, _ in self.node.get_topic_names_and_types():
            for one in self.node.get_publishers_info_by_topic(name):
                found[name] = [one.topic_type, str(one.topic_type_hash), one.node_name]
        return found

    def _until(self, condition: Any, what: str) -> None:
        waited = threading.Event()
        for _ in range(2000):
            if condition():
                return
            waited.wait(0.01)
        raise TimeoutError(f"no {what}")


def _type(name: str, where: str = "msg") -> Any:
    import importlib

    package, _, kind = name.partition("/")
    return getattr(importlib.import_module(f"{package}.{where}"), kind)


def _plain(value: Any) -> Any:
    if hasattr(value, "get_fields_and_field_types"):
        return {name: _plain(getattr(value, name)) for name in value.get_fields_and_field_types()}
    if isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return [_plain(item) for item in value] if hasattr(value, "__iter__") else value


def _filled(message: Any, fields: dict[str, Any]) -> Any:
    kinds = message.get_fields_and_field_types()
    for name, value in fields.items():
        if isinstance(value, dict):
            _filled(getattr(message, name), value)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            kind = kinds[name].removeprefix("sequence<").removesuffix(">")
            setattr(message, name, [_filled(_type(kind)(), item) for item in value])
        else:
            setattr(message, name, value)
    return message


def _main() -> None:
    node = _Node(sys.argv[1])
    for line in sys.stdin:
        given = json.loads(line)
        order = given.pop("order")
        try:
            answer = {"answer": getattr(node, order)(**given)}
        except Exception as problem:
            answer = {"problem": f"{type(problem).__name__}: {problem}"}
        print(json.dumps(answer), flush=True)
    os._exit(0)


if __name__ == "__main__":
    _main()
